"""The contents of the wheel and the sdist, from setuptools' own lists, without building them."""

import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import attn_course

pytest.importorskip("setuptools", minversion="77")

ROOT = Path(__file__).resolve().parent.parent
NEEDED = ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff")
PACKAGES = ("attn_course",)
PRIVATE = ROOT / "coursework"  # a published copy is without it
LIST_THEM = "from setuptools import setup; setup(script_args=['-q', *{}])"


def files(folder: Path) -> set[str]:
    """The files of the package, without those that an interpreter or a tool left there."""
    found = (path for path in folder.rglob("*.*") if "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix() for path in found if path.is_file()}


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """A copy, because setuptools writes into its folder."""
    folder = tmp_path_factory.mktemp("project")
    for name in NEEDED:
        shutil.copy(ROOT / name, folder)
    private = (PRIVATE.name,) if PRIVATE.exists() else ()
    for name in (*PACKAGES, "specimens", "tests", *private):
        shutil.copytree(
            ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
    commands = ["build_py", "--build-lib", "wheel", "egg_info", "--egg-base", "."]
    code = LIST_THEM.format(commands)
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, capture_output=True)
    return folder


def test_the_wheel_holds_every_file_of_the_packages(project):
    wanted = {f"{name}/{file}" for name in PACKAGES for file in files(ROOT / name)}
    assert {Path(name).suffix for name in wanted} == {
        *(".py", ".js", ".css", ".json", ".typed", ".txt")
    }
    assert files(project / "wheel") == wanted


def test_the_sdist_holds_what_the_wheel_is_built_from_and_the_tests_of_the_package(project):
    (listed,) = project.glob("*.egg-info/SOURCES.txt")
    held = set(listed.read_text("utf-8").splitlines())
    wanted = {f"{name}/{file}" for name in PACKAGES for file in files(ROOT / name)}
    assert wanted | set(NEEDED) <= held
    left_out = ("tests/book/", "tests/coursework/", "specimens/coursework/")
    for folder in ("specimens", "tests"):
        there = {f"{folder}/{name}" for name in files(ROOT / folder)}
        kept = {name for name in there if not name.startswith(left_out)}
        assert {name for name in held if name.startswith(f"{folder}/")} == kept


def test_solutions_of_assignments_are_in_neither(project):
    (listed,) = project.glob("*.egg-info/SOURCES.txt")
    held = {*listed.read_text("utf-8").splitlines(), *files(project / "wheel")}
    if not PRIVATE.exists():
        pytest.skip("the assignments are kept elsewhere")
    assert files(project / PRIVATE.name)
    assert [name for name in held if "coursework" in name and "/recipes/" not in name] == []


def test_without_the_book_only_tests_of_the_package_are_run(project, monkeypatch):
    """As in the sdist, tests that need files outside their folder are left out."""
    monkeypatch.setattr(attn_course, "check_shapes", lambda: None)  # it is done, and only once
    ignored = set(runpy.run_path(project / "tests" / "conftest.py")["collect_ignore"])
    assert {
        "test_packaging.py",
        "test_address.py",
        "test_citations.py",
        "test_trial_wheel.py",
    } <= ignored
    assert not {"test_weights.py", "test_widgets.py", "test_exercises.py"} & ignored
