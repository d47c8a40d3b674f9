"""The lines of a file of pairs, one at a time: the contents of each, or what is wrong with it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from attn_course._values import expect_count
from attn_course.capstone.refusal import Refusal

MOST_BYTES = 1 << 16  # of a line; a longer one is skipped without being kept in memory
_LINK = re.compile(r"(\d+)-(\d+)")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class Line(NamedTuple):
    """One good line: a pair, its group, and its links (source place, target place) if given."""

    source: str
    target: str
    group: str
    links: tuple[tuple[int, int], ...] | None


class Bad(NamedTuple):
    """A line that cannot be used, and why."""

    why: str


def tidy(text: str) -> str:
    """A text as the models get it: composed (NFC), and without spaces at its ends."""
    return unicodedata.normalize("NFC", text).strip()


def lines(path: Path, longest: int = 100, words: bool = False) -> Iterator[Line | Bad]:
    """For each line, what it says, or what is wrong with it; line 1 comes first.

    A line is ``source<TAB>target``, and may go on with ``<TAB>group`` and then ``<TAB>links``, as
    ``0-0 1-2``: place 1 of the source became place 2 of the target. One line is held at a time.

    path     a UTF-8 file
    longest  the most symbols that a source or a target may have
    words    whether symbols are words rather than characters
    """
    expect_count("longest", longest)
    with opened(path) as file:
        for raw in iter(lambda: file.readline(MOST_BYTES), b""):
            if len(raw) == MOST_BYTES and not raw.endswith(b"\n"):
                _skip(file)
                yield Bad(f"longer than {MOST_BYTES:,} bytes")
                continue
            try:
                text = raw.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                yield Bad(f"not UTF-8 (byte {error.start + 1} of the line)")
                continue
            found = _parsed(text.removeprefix("\ufeff"), longest, words)
            yield Bad(found) if isinstance(found, str) else found


def opened(path: Path):
    """The file, open for reading bytes; a Refusal if it cannot be a text file."""
    if path.is_dir():
        raise Refusal(f"{path} is a folder; expected a file of lines source<TAB>target")
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise Refusal(f"there is no file {path}") from None
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}") from None
    beginning = file.peek(4096)[:4096]
    if beginning.startswith(_UTF_16):
        problem = "is written in UTF-16: save it as UTF-8"
    elif b"\0" in beginning:
        problem = "is not a text file: expected UTF-8 lines source<TAB>target"
    elif not beginning:
        problem = "is empty: expected lines source<TAB>target"
    else:
        return file
    file.close()
    raise Refusal(f"{path} {problem}")


def _skip(file) -> None:
    """Read on to the end of the line, and keep none of it."""
    while (part := file.readline(MOST_BYTES)) and not part.endswith(b"\n"):
        pass


def _parsed(text: str, longest: int, words: bool) -> Line | str:
    """What a line says, or what is wrong with it."""
    columns = text.split("\t")
    if not text.strip():
        return "empty"
    if len(columns) < 2:
        return "no tab between source and target"
    if len(columns) > 4:
        return f"{len(columns)} columns; expected two to four: source, target, group, links"
    source, target, group, links = (tidy(column) for column in (*columns, "", "")[:4])
    sizes = [len(part.split()) if words else len(part) for part in (source, target)]
    for name, part, size in zip(("source", "target"), (source, target), sizes, strict=True):
        if not size:
            return f"an empty {name}"
        if size > longest:
            return f"a {name} of {size} {'words' if words else 'characters'}; at most {longest}"
        if any(unicodedata.category(character) == "Cc" for character in part):
            return f"a control character in the {name}"
    if words:
        source, target = (" ".join(part.split()) for part in (source, target))
    found = _links(links, sizes) if links else None
    return found if isinstance(found, str) else Line(source, target, group, found)


def _links(text: str, sizes: list[int]) -> tuple[tuple[int, int], ...] | str:
    matches = [_LINK.fullmatch(part) for part in text.split()]
    if not all(matches):
        return "links that are not written as in 0-0 1-2"
    places = tuple((int(match[1]), int(match[2])) for match in matches)
    if any(place >= size for pair in places for place, size in zip(pair, sizes, strict=True)):
        return "a link to a place that its text does not have (places count from 0)"
    return places
