"""What the wheels and the sdist hold, by setuptools' own lists, without building them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("setuptools", minversion="77")

ROOT = Path(__file__).resolve().parent.parent
NEEDED = (
    "pyproject.toml",
    "MANIFEST.in",
    "README.md",
    "LICENSE",
    "LICENSE-CC-BY-4.0",
    "CHANGELOG.md",
    "CITATION.cff",
)
TEXTBOOK = "attn_course"
ROOMS = {"laboratory": "attn_lab", "classroom": "attn_class", "command": "attn_own"}
LIST_THEM = "from setuptools import setup; setup(script_args=['-q', *{}])"
COMMANDS = ["build_py", "--build-lib", "wheel", "egg_info", "--egg-base", "."]


def files(folder: Path) -> set[str]:
    """The files of the package, without those that an interpreter or a tool left there."""
    paths = (path for path in folder.rglob("*.*") if "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix() for path in paths if path.is_file()}


def listed(source: Path, folder: Path, names) -> Path:
    """A copy, because setuptools writes into its folder."""
    for name in names:
        copy = shutil.copytree if (source / name).is_dir() else shutil.copyfile
        copy(source / name, folder / name)
    code = LIST_THEM.format(COMMANDS)
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def textbook(tmp_path_factory) -> Path:
    return listed(ROOT, tmp_path_factory.mktemp("textbook"), (*NEEDED, TEXTBOOK, *ROOMS, "tests"))


@pytest.mark.slow
def test_the_wheel_of_the_textbook_holds_its_files_and_no_other(textbook):
    assert files(textbook / "wheel") == {f"{TEXTBOOK}/{file}" for file in files(ROOT / TEXTBOOK)}


def test_the_sdist_holds_what_the_wheel_is_built_from_and_no_room(textbook):
    (sources,) = textbook.glob("*.egg-info/SOURCES.txt")
    names = set(sources.read_text("utf-8").splitlines())
    assert {*NEEDED} | {f"{TEXTBOOK}/{file}" for file in files(ROOT / TEXTBOOK)} <= names
    assert not [name for name in names if name.startswith((*ROOMS, "tests"))]


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_the_wheel_of_a_room_holds_its_package_and_no_other(room, tmp_path):
    copy = listed(ROOT / room, tmp_path, (path.name for path in (ROOT / room).iterdir()))
    package = ROOMS[room]
    assert files(copy / "wheel") == {f"{package}/{file}" for file in files(ROOT / room / package)}
