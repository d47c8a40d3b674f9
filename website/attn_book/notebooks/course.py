"""The chapters in the order of ``_toc.yml``, with what their notebooks say about themselves.

A notebook's metadata contain what the front page needs to know about it:

    "course": {
        "question": "Can it read any date?",
        "needs": ["02-softmax", "03-alignment-scores"],
        "afterwards": "build an encoder and a decoder with attention",
        "pieces": ["next token"]
    }

``needs`` are the chapters that it builds on, ``afterwards`` continues "you can", and ``pieces`` are
those of a Transformer that it is about (`orientation.PIECES`).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from sphinx.errors import ExtensionError

from ..site import contents

CONTENTS = "_toc.yml"
_NAME = re.compile(r"chapters/(?P<number>\d\d|[a-z])-[a-z0-9-]+")


@dataclass(frozen=True)
class Chapter:
    """One chapter; ``name`` is that of its document, such as ``chapters/05-reading-dates``."""

    name: str
    title: str
    question: str
    needs: tuple[str, ...]
    afterwards: str
    pieces: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        """``5``, or ``A`` of a study, which nothing else builds on."""
        return number(self.name)

    @property
    def place(self) -> str:
        return place(self.name)

    @property
    def called(self) -> str:
        return f"{self.number}. {self.title}"


def number(name: str) -> str:
    return _NAME.fullmatch(name)["number"].lstrip("0").upper()


def place(name: str) -> str:
    """``Chapter 5`` or ``Study A``."""
    return f"{'Chapter' if number(name).isdigit() else 'Study'} {number(name)}"


def chapters(root: Path) -> list[Chapter]:
    """The chapters of the book, first to last."""
    return [read(root, name) for name in documents(root) if _NAME.fullmatch(name)]


def documents(root: Path) -> list[str]:
    """All documents in the table of contents, in its order."""
    listed = _files(yaml.safe_load((root / CONTENTS).read_text(encoding="utf-8")))
    return [
        name
        for entry in listed
        for name in (contents.documents(root) if entry == contents.PAGES else [entry])
    ]


def read(root: Path, name: str) -> Chapter:
    notebook = json.loads((root / f"{name}.ipynb").read_text(encoding="utf-8"))
    about = notebook["metadata"].get("course", {})
    if unknown := set(about) - {"question", "needs", "afterwards", "pieces"}:
        raise ExtensionError(
            f"{name} has {sorted(unknown)} in its course metadata, which nothing reads"
        )
    title, folder = _title(name, notebook["cells"]), name.rpartition("/")[0]
    needs = tuple(f"{folder}/{needed}" for needed in about.get("needs", ()))
    question, afterwards = (about.get(key, "") for key in ("question", "afterwards"))
    return Chapter(name, title, question, needs, afterwards, tuple(about.get("pieces", ())))


def sources(root: Path) -> list[Path]:
    """The files from which all of this is read."""
    return [root / CONTENTS, *(root / f"{chapter.name}.ipynb" for chapter in chapters(root))]


def _files(part: object) -> Iterator[str]:
    if isinstance(part, list):
        for entry in part:
            yield from _files(entry)
    elif isinstance(part, dict):
        for key, value in part.items():
            if key in ("root", "file", "glob"):
                yield value.removesuffix(".ipynb").removesuffix(".md")
            else:
                yield from _files(value)


def _title(name: str, cells: list[dict]) -> str:
    for cell in cells:
        if cell["cell_type"] == "markdown" and (
            match := re.search(r"^# +(.+)", "".join(cell["source"]), re.MULTILINE)
        ):
            return match[1].strip()
    raise ExtensionError(f"{name} has no title: its first heading must be `# ...`")
