"""Is the book built from stored results the one that a build from nothing makes?

    python -m tools.trials.builds

Builds the book here, with whatever lies in ``_build``, then a copy of its sources where nothing
lies, and holds the two sites together, byte for byte. What differs is said, and is a fault.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT = ("_build", ".venv*", "node_modules", "__pycache__", "dist", "*.egg-info", ".*_cache")


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        fresh = Path(place, "from nothing")
        print("building the book here", flush=True)
        build(ROOT)
        shutil.copytree(ROOT, fresh, symlinks=True, ignore=shutil.ignore_patterns(*LEFT))
        (fresh / "node_modules").symlink_to(ROOT / "node_modules")
        print(f"building it from nothing in {fresh}", flush=True)
        build(fresh)
        here, there = site(ROOT), site(fresh)
    if names := differing(here, there):
        sys.exit("\n".join(told(name, here.get(name), there.get(name)) for name in names))
    print(f"all {len(here)} files are the same")


def build(root: Path) -> None:
    """In a process of its own: two builds in one would share what Python has imported."""
    command = [sys.executable, "-m", "tools.build", "--quiet", str(root)]
    subprocess.run(command, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, check=True)


def site(root: Path) -> dict[str, bytes]:
    """All files of the site by their names."""
    html = root / "_build" / "html"
    files = (path for path in html.rglob("*") if path.is_file())
    return {path.relative_to(html).as_posix(): path.read_bytes() for path in files}


def differing(one: dict[str, bytes], two: dict[str, bytes]) -> list[str]:
    return sorted(name for name in {*one, *two} if one.get(name) != two.get(name))


def told(name: str, one: bytes | None, two: bytes | None) -> str:
    """Where two files begin to differ."""
    if one is None or two is None:
        return f"{name}: only {'from nothing' if one is None else 'here'}"
    at = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), len(one))
    parts = (part[max(at - 60, 0) : at + 60].decode(errors="replace") for part in (one, two))
    return f"{name}, byte {at}:\n    {next(parts)!r}\n    {next(parts)!r}"


if __name__ == "__main__":
    main()
