"""``make try-wheel``: the packages as pip installs them, with the oldest and newest dependencies.

The wheels of the textbook and of the rooms beside it are built, as in ``make dist``, and installed
in empty environments by uv: one with the lowest version of every dependency, one with the newest.
The textbook's tests are run there, with the source out of reach.

torch comes from PyTorch's index of CPU builds. If that is not available, the lock's torch is used
instead, and a message says so. This cannot show other systems, or Pythons that are not here.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from .environment import PLACE, Environment, install_cpu_torch, new_environment, version_of, wheels

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
BOUNDS = {"lowest": "lowest-direct", "newest": "highest"}
# readers do not get an old version that would have to be compiled for this Python
COMPILED = ("torch", "numpy", "matplotlib")
PASSED, FAILED = "its tests pass", "ITS TESTS FAIL"
NOT_INSTALLED, NOT_RUN = "CANNOT BE INSTALLED", "not tried: no CPU build of torch for it here"
WHERE = """
import sys
import attn_class, attn_course, attn_lab, attn_own

def test_the_packages_are_the_installed_ones():
    for package in (attn_course, attn_lab, attn_class, attn_own):
        (place,) = package.__path__
        assert place.startswith(sys.prefix) and "site-packages" in place, place
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="make try-wheel", description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "--python",
        action="append",
        help=f"an interpreter; without it, each of {PYTHONS[0]} to {PYTHONS[-1]} here",
    )
    pythons = interpreters(parser.parse_args().python)
    place = PLACE / "wheel"
    shutil.rmtree(place, ignore_errors=True)
    tools = new_environment(place / "tools")
    tools.install("uv")
    built = wheels(tools, place / "built")
    outcomes = []
    for python in pythons:
        for bounds in BOUNDS:
            trial = f"Python {version_of(python)}, {bounds}"
            print(f"{trial}: installing the wheels", flush=True)
            environment = new_environment(place / f"{version_of(python)}-{bounds}", python)
            outcomes.append(tried(environment, bounds, tools, built))
            print(f"{trial}: {outcomes[-1]}", flush=True)
    if wrong := verdict(outcomes):
        sys.exit(wrong)


def verdict(outcomes: list[str]) -> str:
    """What is wrong; empty if all is well."""
    if FAILED in outcomes or NOT_INSTALLED in outcomes:
        return "The wheel does not do what its bounds promise: see above for the reason."
    return "" if PASSED in outcomes else "Nothing was tried: no Python here has a CPU build."


def interpreters(named: list[str] | None) -> list[str]:
    """The interpreters named, or every supported Python found here; reports those missing."""
    if named:
        for python in named:
            if version_of(python) not in PYTHONS:
                sys.exit(f"--python must name a Python {PYTHONS[0]} to {PYTHONS[-1]}: got {python}")
        return named
    here = {version: f"python{version}" for version in PYTHONS if version_of(f"python{version}")}
    here[version_of(sys.executable)] = sys.executable
    missing = [version for version in PYTHONS if version not in here]
    if missing:
        print(f"not installed here, so not tried: Python {', '.join(missing)}")
    return [here[version] for version in PYTHONS if version in here]


def tried(environment: Environment, bounds: str, tools: Environment, built: list[str]) -> str:
    """The outcome for the wheels in this environment, with these versions."""
    course = Path(built[0]).parents[1] / "course"

    def uv(*arguments: str) -> bool:
        command = [str(tools.bin / "uv"), "pip", "install", "--quiet", *arguments]
        command += ["--python", str(environment.bin / "python")]
        return not subprocess.run(command, env=environment.variables()).returncode

    resolution = ("--resolution", BOUNDS[bounds])
    requirement = re.search(r'"(torch[^"]*)"', (course / "pyproject.toml").read_text("utf-8"))[1]
    index = os.environ.get("TORCH_INDEX", "")
    where = ("--index-url", index) if index else ("--torch-backend", "cpu")
    if not uv(*where, *resolution, "--no-deps", requirement):
        print(f"PyTorch's index does not answer here: not the {bounds} torch, but the lock's")
        if not install_cpu_torch(environment):
            return NOT_RUN
    overrides = environment.folder / "overrides.txt"
    overrides.write_text(f"torch=={environment.versions()['torch']}\n", encoding="utf-8")
    needed = (
        "--requirement",
        str(course / "pyproject.toml"),
        "--extra",
        "tasks",
        "--extra",
        "views",
    )
    binary = (f"--only-binary={name}" for name in COMPILED)
    if not (
        uv("--overrides", str(overrides), *resolution, *binary, *needed)
        and uv("--no-deps", *built)
        and uv("pytest", "hypothesis")
    ):
        return NOT_INSTALLED
    print(", ".join(f"{name} {version}" for name, version in environment.versions().items()))
    tests = copy_tests(course, environment.folder / "tests")
    pytest = [str(environment.bin / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    process = subprocess.run(pytest, cwd=tests, env=environment.variables(OMP_NUM_THREADS="1"))
    return FAILED if process.returncode else PASSED


def copy_tests(course: Path, folder: Path) -> Path:
    """Copy the textbook's tests away from the source; their settings keep out the repository's."""
    shutil.copytree(course / "tests", folder)
    shutil.copy(course / "conftest.py", folder)
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (folder / "test_where.py").write_text(WHERE, encoding="utf-8")
    return folder


if __name__ == "__main__":
    main()
