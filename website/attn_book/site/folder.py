"""The folder that becomes the site: the pages, and exactly the files that they lead to."""

import hashlib
import posixpath
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.errors import ExtensionError


class Site:
    """``folder`` is filled from the ``raw`` pages; ``root`` is the book's source."""

    def __init__(self, root: Path, raw: Path, folder: Path):
        self.root, self.raw, self.folder = root, raw, folder

    def add(self, name: str, make: Callable[[], str]) -> None:
        """Write a file under ``name``, once."""
        path = self.folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(make(), encoding="utf-8")

    def copy(self, source: Path, name: str) -> None:
        """Copy a file made elsewhere, under ``name``."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)

    def keep(self, folder: str, text: str, suffix: str) -> str:
        """Write ``text`` to a file named by a digest of it; return the name."""
        name = f"{folder}/{hashlib.sha256(text.encode()).hexdigest()[:16]}{suffix}"
        self.add(name, lambda: text)
        return name

    def fetch(self, names: Iterable[str], asked_by: str) -> None:
        """Copy files from the raw pages."""
        for name in names:
            if not (self.folder / name).exists():
                if not (self.raw / name).is_file():
                    raise ExtensionError(f"{asked_by} leads to {name}, which is not there")
                self.copy(self.raw / name, name)


class Part(Site):
    """What one page adds to the site, in memory: texts, and the files to copy."""

    def __init__(self, site: Site):
        super().__init__(site.root, site.raw, site.folder)
        self.texts: dict[str, str] = {}
        self.copies: dict[str, str] = {}

    def add(self, name: str, make: Callable[[], str]) -> None:
        if name not in self.texts:
            self.texts[name] = make()

    def copy(self, source: Path, name: str) -> None:
        self.copies[name] = str(source)


def foreign(address: str) -> bool:
    """Whether a browser would ask another host for ``address``."""
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme in ("http", "https")


def own_files(name: str, addresses: Iterable[str]) -> list[str]:
    """The site's own files among the addresses that the file ``name`` contains."""
    folder, parts = posixpath.dirname(name), map(urlsplit, addresses)
    paths = (part.path for part in parts if part.path and not part.scheme and not part.netloc)
    return [posixpath.normpath(posixpath.join(folder, unquote(path))) for path in paths]
