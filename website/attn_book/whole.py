"""Whether the site is whole: made of what a build would read now, and as that build left it.

Beside its site, a build leaves a digest of all that it has read. While that is the same, there is
nothing to build, and the next one ends at once.
"""

import functools
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from attn_book.rooms import rooms
from attn_book.site.contents import FOLDER
from attn_course.model_file import model_file

STAMP = ".whole"
UNREAD = {"_build", "node_modules", "__pycache__", "build", "dist", "tests"}  # by no build
INSTALLED = "node_modules/.package-lock.json"
DOCUMENTS = (".ipynb", ".md")
VARIABLES = ("MODEL", "ATTN_MODEL")  # variables that a page depends on


def is_whole(root: Path, read: str) -> bool:
    stamp = root / "_build" / STAMP
    return stamp.exists() and stamp.read_text("utf-8") == _stamp(root, read)


def leave(root: Path, read: str) -> None:
    """Remember that the site was made of what has this digest."""
    (root / "_build" / STAMP).write_text(_stamp(root, read), encoding="utf-8")


def forget(root: Path) -> None:
    (root / "_build" / STAMP).unlink(missing_ok=True)


def _stamp(root: Path, read: str) -> str:
    site = root / "_build" / "html"
    return f"{read}\n{_digest(f'{path} {_state(path)}' for path in _files(site))}\n"


def read_by_a_build(root: Path) -> str:
    """A digest of the book's folder, of the packages, and of what runs them."""
    parts = [means(root, without=())]
    # by which pages know when they were last changed
    head = ["git", "-C", str(root), "rev-parse", "HEAD", "--is-shallow-repository"]
    if shutil.which("git"):
        parts.append(subprocess.run(head, capture_output=True, encoding="utf-8").stdout)
    return _digest(parts)


def means(root: Path, without: tuple[str, ...] = DOCUMENTS) -> str:
    """The same of all that any page may be made with, but not of what the pages are made of."""
    folders = [root, Path(__file__).parent, *rooms().values()]
    sources = (path for folder in folders for path in _files(folder) if path.suffix not in without)
    parts = [f"{path} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in sources]
    parts += [sys.version, *(f"{name}={os.environ.get(name, '')}" for name in VARIABLES)]
    # the versions of what is installed stand in the names of these folders
    parts += sorted(name for place in sys.path for name in _entries(place) if "-info" in name)
    parts += [_state(path) for path in (root / INSTALLED, shutil.which("node"), _model()) if path]
    return _digest(parts)


@functools.cache
def means_at_first(root: Path) -> str:
    """The same, when this process first asked."""
    return means(root)


def _files(folder: Path) -> Iterator[Path]:
    """The files below a folder, in order, but those that are hidden or made."""
    for place, inner, names in os.walk(folder, followlinks=True):
        inner[:] = sorted(name for name in inner if not _skipped(folder, Path(place, name)))
        yield from (Path(place, name) for name in sorted(names) if not name.startswith("."))


def _skipped(folder: Path, path: Path) -> bool:
    hidden = path.name.startswith(".") or path.name.endswith(".egg-info")
    return hidden or path.name in UNREAD or path == folder / FOLDER


def _entries(place: str) -> list[str]:
    return os.listdir(place) if os.path.isdir(place) else []


def _model() -> Path | None:
    try:
        return model_file()
    except FileNotFoundError:
        return None


def _state(path: Path | str) -> str:
    """What says that a file is the same without reading it."""
    return f"{os.stat(path).st_size} {os.stat(path).st_mtime_ns}" if os.path.exists(path) else ""


def _digest(parts) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
