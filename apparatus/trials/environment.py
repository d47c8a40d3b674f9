"""A new environment, and a copy of the course as git has it."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("", "laboratory", "classroom", "command")  # each is a package
PLACE = ROOT / "_build" / "trials"
# how many times as long as usual to wait, on a machine that is busy with other work
PATIENCE = float(os.environ.get("PATIENCE") or 1)


@dataclass(frozen=True)
class Environment:
    """A virtual environment in ``folder``."""

    folder: Path

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    def variables(self, **more: str) -> dict[str, str]:
        """The variables of a command in it, without those of the course's own environment."""
        hidden = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "MAKEFLAGS")
        inherited = {name: value for name, value in os.environ.items() if name not in hidden}
        return {**inherited, "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}", **more}

    def python(
        self, *arguments: str, env: dict[str, str] | None = None, **options
    ) -> subprocess.CompletedProcess:
        command = [str(self.bin / "python"), *arguments]
        return subprocess.run(
            command, env=env or self.variables(), check=True, text=True, **options
        )

    def install(self, *arguments: str) -> None:
        quiet = ("--quiet", "--disable-pip-version-check")
        self.python("-m", "pip", "install", *quiet, *arguments)

    def versions(self) -> dict[str, str]:
        """The version of every installed package, by its name in lower case."""
        listed = self.python(
            *("-m", "pip", "list", "--format=json", "--disable-pip-version-check"),
            stdout=subprocess.PIPE,
        )
        packages = json.loads(listed.stdout)
        return {package["name"].lower(): package["version"] for package in packages}


def new_environment(folder: Path, python: str = sys.executable) -> Environment:
    """A new, empty environment; anything that was there before is removed."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    return Environment(folder)


def version_of(python: str) -> str:
    """The version of an interpreter, such as '3.13', or '' if there is none of that name."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        process = subprocess.run([python, "-c", code], capture_output=True, text=True)
    except OSError:
        return ""
    return process.stdout.strip() if process.returncode == 0 else ""


def interpreter(version: str) -> str:
    """The Python of that version or, with a message, the running one if it is missing."""
    for python in (f"python{version}", sys.executable):
        if version_of(python) == version:
            return python
    print(f"python{version} is missing here; using Python {version_of(sys.executable)}")
    return sys.executable


def copy_course(folder: Path, root: Path = ROOT) -> None:
    """Copy the repository's files as they are now, committed or not, without ignored files."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        stdout=subprocess.PIPE,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)


def wheels(environment: Environment, place: Path) -> list[str]:
    """Build the wheels, the textbook's first, from a copy of the course that stays there."""
    shutil.rmtree(place, ignore_errors=True)
    copy_course(place / "course")
    command = ("-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(place / "dist"))
    environment.python(*command, *(str(place / "course" / room) for room in ROOMS))
    paths = map(str, (place / "dist").glob("*.whl"))
    return sorted(paths, key=lambda path: ("attn_course" not in path, path))


def torch_pin(root: Path = ROOT) -> str:
    """The line 'torch==...' of the lock."""
    lines = (root / "requirements.txt").read_text(encoding="utf-8").splitlines()
    (pin,) = (line for line in lines if line.startswith("torch=="))
    return pin


def install_torch(environment: Environment) -> None:
    """Install the lock's torch from TORCH_INDEX, or from wherever pip finds it."""
    index = os.environ.get("TORCH_INDEX", "")
    where = ("--index-url", index) if index else ()
    environment.install(*where, torch_pin())


def install_cpu_torch(environment: Environment) -> bool:
    """Install the CPU build of the lock's torch, if pip can find it."""
    try:
        environment.install(f"{torch_pin()}+cpu")
    except subprocess.CalledProcessError:
        return False
    return True
