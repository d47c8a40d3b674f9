"""What every target includes: the textbook, the classroom, their lock, and how to install them."""

import functools
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from attn_class.exercises.frame import Exercise

ROOT = Path(__file__).resolve().parents[4]
PACKED = {  # a wheel of each: the folder, and what it is built from
    ".": ("attn_course", "pyproject.toml", "README.md", "LICENSE", "LICENSE-CC-BY-4.0"),
    "classroom": ("attn_class", "pyproject.toml"),
}
LOCK = "requirements.txt"
DAY = (2020, 1, 1, 0, 0, 0)  # of all files in an archive, so that the same files give the same one
SETUP = """#!/usr/bin/env bash
# Install what grading needs into the folder that is given, or into /opt/attention.
set -euo pipefail
cd "$(dirname "$0")"

place="${{1:-/opt/attention}}" lacking=() root=()
command -v bwrap > /dev/null || lacking+=(bubblewrap)
python3 -c 'import ensurepip, venv' 2> /dev/null || lacking+=(python3-venv)
if [ "$(id -u)" -ne 0 ]; then root=(sudo); fi
if [ ${{#lacking[@]}} -gt 0 ]; then
	"${{root[@]}}" apt-get update -qq
	"${{root[@]}}" env DEBIAN_FRONTEND=noninteractive \\
		apt-get install -y -qq --no-install-recommends "${{lacking[@]}}"
fi

python3 -m venv "$place"
install() {{
	"$place/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir \\
		--constraint requirements.txt "$@"
}}
install {index}torch
install ./*.whl
"""


def course() -> dict[str, str | bytes]:
    """The wheels, the versions that they were tested with, and setup.sh."""
    index = os.environ.get("TORCH_INDEX", "")
    setup = SETUP.format(index=f"--index-url '{_address(index)}' " if index else "")
    return {**wheels(), LOCK: (ROOT / LOCK).read_text("utf-8"), "setup.sh": setup}


def _address(text: str) -> str:
    if not re.fullmatch(r"[\w.:/+~-]+", text):
        raise ValueError(f"TORCH_INDEX must be the address of an index of packages; got {text!r}")
    return text


@functools.cache
def wheels() -> dict[str, bytes]:
    """The content of each wheel by its name, built from copies without a network."""
    return dict(_wheel(ROOT / folder, files) for folder, files in PACKED.items())


def _wheel(source: Path, files: Iterable[str]) -> tuple[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        for name in files:
            copy = shutil.copytree if (source / name).is_dir() else shutil.copyfile
            copy(source / name, Path(folder) / name)
        build = subprocess.run(
            [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "out", "."],
            cwd=folder,
            env={**os.environ, "SOURCE_DATE_EPOCH": "1577836800"},
            capture_output=True,
            text=True,
        )
        if build.returncode:
            raise ValueError(f"the wheel cannot be built: {(build.stdout + build.stderr)[-500:]}")
        (path,) = (Path(folder) / "out").glob("*.whl")
        return path.name, path.read_bytes()


def archive(files: Mapping[str, str | bytes]) -> bytes:
    """A zip of these files; programs are executable."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in sorted(files.items()):
            content = content.encode() if isinstance(content, str) else content
            about = zipfile.ZipInfo(name, DAY)
            about.create_system = 3  # Unix, whose permissions these are
            about.external_attr = (0o755 if content.startswith(b"#!") else 0o644) << 16
            about.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(about, content)
    return packed.getvalue()


def inside(folder: str, files: Mapping[str, str | bytes]) -> dict[str, str | bytes]:
    return {f"{folder}/{name}": content for name, content in files.items()}


def secret(seed: str | None) -> str:
    """The seed, for systems that keep it from the students."""
    if not seed:
        raise ValueError(
            "the hidden inputs need a secret; expected SEED_FILE=file, as in make grade"
        )
    return seed + "\n"


def open_seed(name: str) -> str:
    """A seed for systems where nothing can be kept secret."""
    return f"{name}: this seed is no secret, so marks drawn from it do not count\n"


def points(exercise: Exercise) -> int:
    return sum(item.points for item in exercise.properties)
