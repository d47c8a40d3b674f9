"""Does a book built from stored results equal one that is built from scratch?

    python -m apparatus.trials.builds

This builds the book here, with whatever is in ``_build``, and then a fresh copy of its sources, and
compares the two sites byte for byte. It fails if they differ, and says where.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_SECONDS = re.compile(rb"""(<p class=["']attn-progress["']>[^<]*, )\d+ s""")
LEFT = ("_build", ".venv*", "node_modules", "__pycache__", "dist", "*.egg-info", ".*_cache")


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        fresh = Path(place, "from nothing")
        print("building the book here", flush=True)
        build(ROOT)
        shutil.copytree(ROOT, fresh, symlinks=True, ignore=shutil.ignore_patterns(*LEFT))
        (fresh / "node_modules").symlink_to(ROOT / "node_modules")
        print(f"building it from scratch in {fresh}", flush=True)
        build(fresh)
        here, there = site(ROOT), site(fresh)
    if names := differing(here, there):
        sys.exit("\n".join(difference(name, here.get(name), there.get(name)) for name in names))
    print(f"all {len(here)} files are the same")


def build(root: Path) -> None:
    """Build in a separate process, since two builds in one would share Python's imports."""
    command = [sys.executable, "-m", "attn_book.commands.build", "--quiet", str(root)]
    subprocess.run(
        command, cwd=root, env={**os.environ, "PYTHONPATH": f"{root}/website"}, check=True
    )


def site(root: Path) -> dict[str, bytes]:
    """All files of the site, by name."""
    html = root / "_build" / "html"
    files = (path for path in html.rglob("*") if path.is_file())
    return {path.relative_to(html).as_posix(): path.read_bytes() for path in files}


def differing(one: dict[str, bytes], two: dict[str, bytes]) -> list[str]:
    """The files that are not the same on both sites."""
    return sorted(
        name for name in {*one, *two} if _timeless(one.get(name)) != _timeless(two.get(name))
    )


def _timeless(content: bytes | None) -> bytes | None:
    """The file without the seconds of training runs, which differ every time."""
    return content and _SECONDS.sub(rb"\1", content)


def difference(name: str, one: bytes | None, two: bytes | None) -> str:
    """A message that shows where two files begin to differ."""
    if one is None or two is None:
        return f"{name}: only {'from nothing' if one is None else 'here'}"
    at = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), len(one))
    parts = (part[max(at - 60, 0) : at + 60].decode(errors="replace") for part in (one, two))
    return f"{name}, byte {at}:\n    {next(parts)!r}\n    {next(parts)!r}"


if __name__ == "__main__":
    main()
