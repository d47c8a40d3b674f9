"""``make try-wheel``: the packages as pip installs them, with the oldest and newest dependencies.

The wheels of the textbook and of the rooms beside it are built, as in ``make dist``, and installed
in empty environments: one with the lowest version of every dependency, one with the newest. The
textbook's tests are run there, with the source out of reach.

torch comes from PyTorch's index of CPU builds. If that is not available, the lock's torch is used
instead, and a message says so.

This cannot show other systems, or Pythons that are not installed here.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from .environment import (
    PLACE,
    Environment,
    copy_course,
    install_cpu_torch,
    new_environment,
    torch_pin,
    version_of,
)

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
BOUNDS = {"lowest": "lowest-direct", "newest": "highest"}
# readers do not get an old version that would have to be compiled for this Python
COMPILED = ("torch", "numpy", "matplotlib")
TOOLS = ("pytest", "hypothesis")
PASSED = "its tests pass"
FAILED = "ITS TESTS FAIL"
NOT_INSTALLED = "CANNOT BE INSTALLED"
NOT_RUN = "resolves; NOT installed, for there is no CPU build of torch for it here"
# placed among the tests, so that it sees what they see; its settings keep out the repository's
SETTINGS = "[pytest]\n"
WHERE = """
import sys
from pathlib import Path
import attn_class
import attn_course
import attn_lab
import attn_own

def test_the_packages_are_the_installed_ones():
    for package in (attn_course, attn_lab, attn_class, attn_own):
        place = Path(package.__path__[0])
        assert place.is_relative_to(sys.prefix), place
        assert place.parent.name == "site-packages", place
"""


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="make try-wheel", description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "--python",
        action="append",
        help=f"an interpreter; without it, each of {PYTHONS[0]} to {PYTHONS[-1]} here",
    )
    wanted = parser.parse_args(arguments)

    pythons = interpreters(wanted.python)
    place = PLACE / "wheel"
    shutil.rmtree(place, ignore_errors=True)
    tools = new_environment(place / "tools")
    tools.install("build", "uv")
    wheels, source = build(tools, place)
    outcomes = {
        f"Python {version_of(python)}, {bounds}": one_trial(
            python, bounds, tools=tools, wheels=wheels, source=source, place=place
        )
        for python in pythons
        for bounds in BOUNDS
    }
    print("\n".join(f"{trial}: {outcome}" for trial, outcome in outcomes.items()))
    if wrong := verdict(list(outcomes.values())):
        sys.exit(wrong)


def verdict(outcomes: list[str]) -> str:
    """What is wrong; empty if all is well."""
    if FAILED in outcomes or NOT_INSTALLED in outcomes:
        return "The wheel does not do what its bounds promise: see above for the reason."
    if PASSED not in outcomes:
        return "Nothing was tried: no Python here has a CPU build of torch."
    return ""


def one_trial(
    python: str, bounds: str, *, tools: Environment, wheels: list[Path], source: Path, place: Path
) -> str:
    """The outcome for the wheels with this Python and these versions."""
    print(f"Python {version_of(python)}, {bounds}: installing the wheels", flush=True)
    environment = new_environment(place / f"{version_of(python)}-{bounds}", python)
    uv = Uv(tools, environment)
    asked = requirements(wheels[0])
    asked_for = (
        *("--resolution", BOUNDS[bounds]),
        *(f"--only-binary={name}" for name in COMPILED),
        *("--requirement", str(source / "pyproject.toml"), "--extra", "tasks", "--extra", "views"),
    )
    if not install_torch(bounds, uv, asked["torch"]):
        return NOT_RUN if uv("--dry-run", *asked_for) else NOT_INSTALLED
    if not install(uv, asked_for, wheels):
        return NOT_INSTALLED
    versions = environment.versions()
    print(", ".join(f"{name} {versions[name]}" for name in sorted(asked)), flush=True)
    tests = copy_tests(source, environment.folder / "tests")
    pytest = [str(environment.bin / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(pytest, cwd=tests, env=environment.variables(OMP_NUM_THREADS="1"))
    return FAILED if done.returncode else PASSED


def interpreters(named: list[str] | None) -> list[str]:
    """The interpreters named, or every supported Python found here; reports those missing."""
    if named:
        for python in named:
            if version_of(python) not in PYTHONS:
                sys.exit(f"--python must name a Python {PYTHONS[0]} to {PYTHONS[-1]}: got {python}")
        return named
    here = {version_of(sys.executable): sys.executable}
    here |= {version: f"python{version}" for version in PYTHONS if version_of(f"python{version}")}
    missing = [version for version in PYTHONS if version not in here]
    if missing:
        print(f"not installed here, so not tried: Python {', '.join(missing)}")
    return [here[version] for version in PYTHONS if version in here]


# ---- what is tried


def build(tools: Environment, place: Path) -> tuple[list[Path], Path]:
    """The wheels, that of the textbook first, and the copy that they were built from."""
    course, wheels = place / "course", []
    copy_course(course)
    for room in ("", "laboratory", "classroom", "command"):
        made = place / "dist" / room
        command = ("-m", "build", "--wheel", "--outdir", str(made), str(course / room))
        tools.python(*command, stdout=subprocess.DEVNULL)
        wheels += made.glob("*.whl")
    return wheels, course


def requirements(wheel: Path) -> dict[str, str]:
    """{name: requirement} of the wheel's required dependencies."""
    with zipfile.ZipFile(wheel) as packed:
        (metadata,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        lines = packed.read(metadata).decode().splitlines()
    asked = [line.removeprefix("Requires-Dist: ") for line in lines if "Requires-Dist" in line]
    return {re.match(r"[\w.-]+", each)[0]: each for each in asked if "extra ==" not in each}


def copy_tests(source: Path, folder: Path) -> Path:
    """Copy the textbook's tests away from the source beside them."""
    shutil.copytree(source / "tests", folder)
    shutil.copy(source / "conftest.py", folder)
    (folder / "pytest.ini").write_text(SETTINGS, encoding="utf-8")
    (folder / "test_where.py").write_text(WHERE, encoding="utf-8")
    return folder


# ---- installing it


class Uv:
    """``uv pip install`` into an environment: it can take the lowest versions, which pip cannot."""

    def __init__(self, tools: Environment, environment: Environment):
        self.environment = environment
        self.install = (
            *(str(tools.bin / "uv"), "pip", "install", "--quiet"),
            *("--python", str(environment.bin / "python")),
        )

    def __call__(self, *arguments: str, **options) -> bool:
        """Whether the installation succeeded."""
        command = [*self.install, *arguments]
        done = subprocess.run(command, env=self.environment.variables(), **options)
        return done.returncode == 0


def install_torch(bounds: str, uv: Uv, asked: str) -> bool:
    """Install a CPU build of torch; print a message if it is not the intended version."""
    index = os.environ.get("TORCH_INDEX", "")
    where = ("--index-url", index) if index else ("--torch-backend", "cpu")
    resolution = ("--resolution", BOUNDS[bounds])
    if uv(*where, *resolution, "--no-deps", asked, capture_output=True):
        return True
    print(f"PyTorch's index does not answer here, so the {bounds} torch is NOT tried")
    if not install_cpu_torch(uv.environment):
        return False
    print(f"{torch_pin()} stands in for it")
    return True


def install(uv: Uv, asked_for: tuple[str, ...], wheels: list[Path]) -> bool:
    """Install the wheels and what they need, but leave an installed torch alone."""
    kept = uv.environment.folder / "kept.txt"
    kept.write_text(f"torch=={uv.environment.versions()['torch']}\n", encoding="utf-8")
    names = map(str, wheels)
    return uv("--overrides", str(kept), *asked_for) and uv("--no-deps", *names) and uv(*TOOLS)


if __name__ == "__main__":
    main()
