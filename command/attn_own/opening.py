"""Open a file that should hold lines of text, and say what it is if it does not."""

from __future__ import annotations

import codecs
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

from attn_own.refusal import Refusal

MOST_BYTES = 1 << 16  # of a line; a longer one is skipped without being kept in memory
_BEGINNING = 1 << 16  # bytes that tell what a file is
_EXPECTED = "expected UTF-8 lines source<TAB>target"
_SHEET = "save the sheet as “CSV UTF-8”, and train will say how to read it"
_AS_UTF_8 = "save it as UTF-8, or give --encoding utf-"
_MARKS = {  # what the first bytes of a file say that it is, and what to do
    b"\xff\xfe\0\0": f"is written in UTF-32: {_AS_UTF_8}32",
    b"\0\0\xfe\xff": f"is written in UTF-32: {_AS_UTF_8}32",
    b"\xff\xfe": f"is written in UTF-16: {_AS_UTF_8}16",
    b"\xfe\xff": f"is written in UTF-16: {_AS_UTF_8}16",
    b"\x1f\x8b": "is compressed (gzip): unpack it first",
    b"BZh": "is compressed (bzip2): unpack it first",
    b"\xfd7zXZ": "is compressed (xz): unpack it first",
    b"\x28\xb5\x2f\xfd": "is compressed (Zstandard): unpack it first",
    b"7z\xbc\xaf": "is an archive (7z): unpack it first",
    b"Rar!": "is an archive (rar): unpack it first",
    b"\xd0\xcf\x11\xe0": f"is a file of an older Excel or Word: {_SHEET}",
    b"%PDF": "is a PDF: copy its text into a file of UTF-8 lines",
    b"{\\rtf": "is rich text (RTF): save it as plain text in UTF-8",
    b"PAR1": "is a table in the format Parquet: write it as tab-separated text",
    b"SQLite format 3": "is an SQLite database: write the table as tab-separated text",
}
_ZIPS = {  # by the folder or file that a zip of this kind has
    "xl/": f"is an Excel workbook: {_SHEET}",
    "word/": "is a Word document: save it as plain text in UTF-8",
    "content.xml": f"is an OpenDocument file: {_SHEET}",
}


def contents(path: Path) -> bytes | None:
    """What a pipe holds, which can be read only once; None for a file, which can be read again."""
    if path.is_file() or path.is_dir() or not path.exists():
        return None
    try:
        return path.read_bytes()
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}") from None


def raw_lines(
    path: Path, held: bytes | None = None, encoding: str = "utf-8"
) -> Iterator[bytes | None]:
    """The lines without their ends, one at a time; None for one that is too long to be kept.

    They come in UTF-8, whatever the encoding of the file. A byte that its encoding does not have
    comes as U+FFFD.

    Lines end with a line feed, or with a carriage return before it; in a file without any line
    feed, with a carriage return.

    held  what a pipe held, see `contents`
    """
    file, end = _opened(path, held, encoding)
    # what is not UTF-8 comes as it is
    errors = "surrogateescape" if codecs.lookup(encoding).name == "utf-8" else "replace"
    with io.TextIOWrapper(file, encoding=encoding, errors=errors, newline=end) as texts:
        for text in iter(lambda: texts.readline(MOST_BYTES), ""):
            if len(text) >= MOST_BYTES and not text.endswith(end):
                while (part := texts.readline(MOST_BYTES)) and not part.endswith(end):
                    pass
                yield None
            else:
                yield text.rstrip("\r\n").encode("utf-8", "surrogateescape")


def _opened(path: Path, held: bytes | None, encoding: str) -> tuple[io.BufferedReader, str]:
    """The file, open for reading bytes, and how its lines end."""
    if path.is_dir():
        raise Refusal(f"{path} is a folder; expected a file of lines source<TAB>target")
    try:
        file = path.open("rb", _BEGINNING) if held is None else io.BufferedReader(io.BytesIO(held))
        beginning = file.peek(_BEGINNING)[:_BEGINNING]
    except FileNotFoundError:
        raise Refusal(f"there is no file {path}") from None
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}") from None
    if codecs.lookup(encoding).name != "utf-8":
        beginning = beginning.decode(encoding, "replace").encode()
    if problem := _problem(path, beginning):
        file.close()
        raise Refusal(f"{path} {problem}")
    # some Macintoshes end lines with a carriage return
    return file, "\n" if b"\n" in beginning or b"\r" not in beginning else "\r"


def _problem(path: Path, beginning: bytes) -> str | None:
    """What speaks against reading the file as text, and the remedy."""
    if not beginning:
        return "is empty: expected lines source<TAB>target"
    for mark, said in _MARKS.items():
        if beginning.startswith(mark):
            return said
    if beginning.startswith(b"PK\x03\x04"):
        return _of_zip(path)
    start = beginning[:200].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml", b"<tmx")):
        return f"holds HTML or XML: {_EXPECTED}"
    if _is_json_line(beginning):
        return None
    if start.startswith((b'{"', b"[{", b'["', b"[[", b"{\n", b"[\n", b"{\r", b"[\r")):
        return f"holds JSON: {_EXPECTED}, or an object with both on each line"
    if b"\0" in beginning:
        even, odd = (beginning[first::2].count(0) for first in (0, 1))
        if max(even, odd) > max(3, len(beginning) / 8) and min(even, odd) < max(even, odd) / 4:
            order = "le" if odd > even else "be"
            return f"seems to be written in UTF-16: {_AS_UTF_8}16-{order}"
        return f"is not a text file: {_EXPECTED}"
    return None


def _is_json_line(beginning: bytes) -> bool:
    """Whether the first line is a whole object or list, with two values or more."""
    try:
        found = json.loads(beginning.removeprefix(b"\xef\xbb\xbf").split(b"\n")[0])
    except ValueError:
        return False
    if isinstance(found, dict) and len(found) == 1:  # as in {"translation": {"en": .., "fr": ..}}
        (found,) = found.values()
    return isinstance(found, dict | list) and len(found) > 1


def _of_zip(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, ValueError, zipfile.BadZipFile):
        names = []
    for part, said in _ZIPS.items():
        if any(name.startswith(part) for name in names):
            return said
    return "is a zip archive: unpack it first"
