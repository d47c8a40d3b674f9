"""A file of pairs, one line at a time: what the line says, or what is wrong with it."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import sys
import unicodedata
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout, suppress
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from attn_course._values import expect_choice, expect_count
from attn_own.wording import HALF, Refusal

FORMS = ("NFC", "NFKC", "NFD", "none")
_SIDES = ("source", "target")
WORDS = ("none", "source", "target", "both", "auto")
HEADER, COMMENT, EMPTY = "the header", "a comment", "empty"
_FUZZY, _UNTRANSLATED = "a fuzzy translation", "not translated"
_WITH_COLUMNS = "a comment (# or ;;;) that has columns"
HARMLESS = frozenset({HEADER, COMMENT, EMPTY, _FUZZY, _UNTRANSLATED})  # no pair is lost by these
MOST_BYTES = 1 << 16  # of a line; a longer one is skipped and never in memory as a whole
_BEGINNING = 1 << 16  # bytes that tell what a file is
_LOOKED_AT = 200  # lines that tell which format it is
_QUOTED = 50  # lines over which a quoted text may go on
_LINK = re.compile(r"(\d+)-(\d+)")
_CONTROL = re.compile(r"[\0-\x1f\x7f-\x9f]")
_SPACES = re.compile(r"[^\S\0-\x1f\x7f-\x9f]+")  # white space, without control characters
_PO = re.compile(rb'msg(id|str)(_plural|\[\d+\])? "')

Links = tuple[tuple[int, int], ...]


class Reading(NamedTuple):
    """How a file is read.

    ``columns`` are those of source, target, group and links, each by its number, counted from 1, or
    by its name in the header; several are joined by a space. Without it they are 1, 2, 3 and 4.
    With "auto", `attn_own.spaced.words_of` decides before a corpus is read.
    """

    words: str = "none"  # the sides that are split: "none", "source", "target", "both", or "auto"
    longest: int = 100  # symbols that a source or a target may have
    form: str = "NFC"  # the normal form of the texts, "NFC", "NFKC" or "NFD", or "none"
    separator: str = "\t"
    quoted: bool = False  # whether quotation marks around a column are taken off, as in csv
    columns: tuple[tuple[int | str, ...], ...] | None = None
    header: bool = False  # whether the first line that has columns is one, which is left out
    encoding: str = "utf-8"
    plain: bool = False  # whether nothing is a comment, and no line anything but columns

    @property
    def split(self) -> tuple[bool, bool]:
        """Whether source and target are split into words."""
        return self.words in ("source", "both"), self.words in ("target", "both")


class Line(NamedTuple):
    """One good line: a pair, its group, and its links (source place, target place) if there are.

    rewritten  whether its source or target was not in the normal form
    """

    source: str
    target: str
    group: str
    links: Links | None
    rewritten: bool = False


class Bad(NamedTuple):
    """A line that cannot be used, and why."""

    why: str


def tidy(text: str, form: str = "NFC", words: bool = False) -> str:
    """A text as the models get it: in a normal form, without spaces at its ends.

    Between words is one space.
    """
    text = _in_form(text, form).strip()
    return " ".join(_SPACES.split(text)) if words else text


def _in_form(text: str, form: str) -> str:
    return text if form == "none" else unicodedata.normalize(form, text)


def lines(path: Path, reading: Reading | None = None) -> Iterator[Line | Bad]:
    """For each line of a file, what it says, or what is wrong with it; see `PairFile.lines`."""
    return PairFile(path, reading or Reading()).lines()


class PairFile:
    """A file of pairs, and how it is read.

    A file is opened anew whenever it is read, and one line is held at a time. A pipe can be read
    only once, so its contents are held.
    """

    def __init__(self, path: Path, reading: Reading):
        expect_count("longest", reading.longest)
        expect_choice("words", reading.words, WORDS)
        expect_choice("form", reading.form, FORMS)
        self.path, self.reading, self._contents = path, reading, None
        self.at = 0  # where the message stands that was last read of a PO file
        if path.exists() and not path.is_file() and not path.is_dir():
            try:
                self._contents = path.read_bytes()
            except OSError as error:
                raise Refusal(f"{path} cannot be read: {error.strerror}") from None

    @cached_property
    def format(self) -> str:
        """By its first lines: "json", "po" or "table"."""
        if self.reading.plain:
            return "table"
        first = [raw for raw in islice(self.raw_lines(), _LOOKED_AT) if raw]
        if first and len(fields(first[0])) > 1:
            return "json"
        starts = {match[1] for raw in first if (match := _PO.match(raw))}
        return "po" if len(starts) == 2 else "table"

    @cached_property
    def columns(self) -> tuple[tuple[int, ...], ...] | None:
        """The columns to read by their numbers, for names too."""
        wanted = self.reading.columns
        names = self._names() if self._names_columns else []

        def number(name: int | str) -> int:
            if isinstance(name, int):
                return name
            name, count = tidy(name), names.count(tidy(name))
            if not count:
                has = ", ".join(f"“{name}”" for name in names)
                has = has or "none, since no line has two columns (see --separator)"
                in_marks = all(re.fullmatch('".*"', name) for name in names) and names
                more = "; --separator tab takes the quotation marks off" if in_marks else ""
                raise Refusal(
                    f"{self.path} has no column “{name}”: the names in its header are {has}{more}"
                )
            if count > 1:
                raise Refusal(f"{self.path} has {count} columns “{name}”: give one by its number")
            return names.index(name) + 1

        return wanted and tuple(tuple(map(number, parts)) for parts in wanted)

    @property
    def has_header(self) -> bool:
        """Whether the first line with columns is a header: if it is said to be, or has names."""
        return self.format == "table" and (self.reading.header or self._names_columns)

    @property
    def _names_columns(self) -> bool:
        return any(isinstance(name, str) for part in self.reading.columns or () for name in part)

    def _names(self) -> list[str]:
        if self.format == "json":
            return self.json_names
        rows = (row for row in self.rows() if not isinstance(row, Bad))
        header = next((row for row in rows if not _comment(row) and len(row) > 1), [])
        return [tidy(name) for name in header]

    @cached_property
    def json_names(self) -> list[str]:
        """The names that line 1 of a file of JSON has; nothing else is read of the others."""
        return list(fields(next(self.raw_lines()) or b""))

    def lines(self) -> Iterator[Line | Bad]:
        """For each line, what it says, or what is wrong with it; line 1 comes first.

        A line is ``source<TAB>target``, and may go on with ``<TAB>group`` and then ``<TAB>links``,
        as ``0-0 1-2``: place 1 of the source became place 2 of the target.
        """
        header = self.has_header
        comments = self.format == "table" and not self.reading.plain
        for row in self.rows():
            if isinstance(row, Bad):
                yield row
            elif comments and (comment := _comment(row)):
                yield Bad(comment)
            elif header and count_filled(row) > 1:
                header = False
                yield Bad(HEADER)
            else:
                yield self._line(row)

    def rows(self) -> Iterator[list[str] | Bad]:
        """The columns of each line as they stand there; of JSON, the values that line 1 has."""
        if self.format == "po":
            yield from self._translations()
        elif self.format == "json":
            yield from map(self._json_row, self._texts())
        elif self.reading.quoted:
            yield from self._unquoted()
        else:
            separator = self.reading.separator
            # spaces separate only once: what follows may have spaces of its own
            once = 1 if separator.isspace() and "\t" not in separator else -1
            for text in self._texts():
                yield text if isinstance(text, Bad) else text.split(separator, once)

    def _json_row(self, text: str | Bad) -> list[str] | Bad:
        if isinstance(text, Bad) or not text.strip():
            return text if isinstance(text, Bad) else []
        values = fields(text)
        if not values:
            return Bad("no JSON object")
        row = [values.get(name, "") for name in self.json_names]
        return Bad("half of a surrogate pair") if HALF.search("".join(row)) else row

    def _translations(self) -> Iterator[list[str] | Bad]:
        """Each message of a PO file with its translation, in the encoding that its header names."""
        from babel.messages.pofile import read_po

        whole = b"\n".join(raw or b"" for raw in self.raw_lines())
        text, encoding = whole.decode("utf-8", "surrogateescape"), "UTF-8"
        if self.reading.encoding == "utf-8" and (match := re.search(rb"charset=([\w.:-]+)", whole)):
            # CHARSET, which is no encoding, stands in a new file, and a wrong one may stand in any
            with suppress(LookupError, UnicodeError):
                named = whole.decode(match[1].decode(), "surrogateescape")
                if match[0].decode() in named:
                    text = named
                    encoding = codecs.lookup(match[1].decode()).name.replace("utf-8", "UTF-8")
        with redirect_stdout(sys.stderr):  # Babel prints its warnings
            messages = read_po(io.StringIO(text))
        for message in messages:
            sides = [
                str(side[0] if isinstance(side, list | tuple) else side)
                for side in (message.id, message.string)
            ]
            if not sides[0]:
                continue  # the file's header
            self.at = message.lineno or 0
            if message.fuzzy or not sides[1]:
                yield Bad(_FUZZY if message.fuzzy else _UNTRANSLATED)
            else:
                yield Bad(f"not {encoding}") if HALF.search("".join(sides)) else sides

    def _unquoted(self) -> Iterator[list[str] | Bad]:
        """The columns of csv; a quoted text with line breaks is bad, and so are its lines."""
        texts, at = list(self._texts()), 0
        while at < len(texts):
            text = texts[at]
            row = text if isinstance(text, Bad) else _csv_row(text, self.reading.separator)
            yield row
            at += 1
            if isinstance(row, Bad) and not isinstance(text, Bad):
                end = _end_of_quoted(texts, at)
                yield from [Bad("part of a quoted text with a line break")] * (end - at)
                at = end

    def _texts(self) -> Iterator[str | Bad]:
        encoding = self.reading.encoding
        lacking = "" if encoding == "utf-8" else "\N{REPLACEMENT CHARACTER}".encode()
        for raw in self.raw_lines():
            if raw is None:
                yield Bad(f"longer than {MOST_BYTES:,} bytes")
                continue
            if lacking and lacking in raw:
                yield Bad(f"not {encoding}")
                continue
            try:
                yield raw.decode("utf-8")
            except UnicodeDecodeError as error:
                yield Bad(f"not UTF-8 (byte {error.start + 1} of the line)")

    def raw_lines(self) -> Iterator[bytes | None]:
        """The lines without their ends, one at a time; None for one that is too long.

        They come in UTF-8, whatever the encoding of the file. A byte that its encoding does not
        have comes as U+FFFD, and what is not UTF-8 in a file of that encoding as it is. Lines end
        with a line feed, or with a carriage return before it; in a file without any line feed, with
        a carriage return. A mark of byte order at the file's beginning is no character.
        """
        file, end = self._opened()
        encoding = self.reading.encoding
        errors = "surrogateescape" if codecs.lookup(encoding).name == "utf-8" else "replace"
        mark = "" if self.reading.plain else "\ufeff"
        with io.TextIOWrapper(file, encoding=encoding, errors=errors, newline=end) as texts:
            for text in iter(lambda: texts.readline(MOST_BYTES), ""):
                if len(text) >= MOST_BYTES and not text.endswith(end):
                    while (part := texts.readline(MOST_BYTES)) and not part.endswith(end):
                        pass
                    yield None
                else:
                    yield text.removeprefix(mark).rstrip("\r\n").encode("utf-8", "surrogateescape")
                mark = ""

    def _opened(self) -> tuple[io.BufferedReader, str]:
        """The file, open for reading bytes, and how its lines end."""
        path = self.path
        if path.is_dir():
            raise Refusal(f"{path} is a folder; expected a file of lines source<TAB>target")
        try:
            if self._contents is None:
                file = path.open("rb", _BEGINNING)
            else:
                file = io.BufferedReader(io.BytesIO(self._contents))
            beginning = file.peek(_BEGINNING)[:_BEGINNING]
        except FileNotFoundError:
            raise Refusal(f"there is no file {path}") from None
        except OSError as error:
            raise Refusal(f"{path} cannot be read: {error.strerror}") from None
        encoding, problem = self.reading.encoding, None
        if codecs.lookup(encoding).name != "utf-8":
            try:
                codecs.getincrementaldecoder(encoding)("replace").decode(beginning)
            except UnicodeError:  # it begins without the mark that tells the order of its bytes
                problem = f"is not {encoding}: leave out --encoding, or give {encoding}-le or -be"
            beginning = beginning.decode(encoding, "replace").encode()
        if problem := problem or _problem(path, beginning):
            file.close()
            raise Refusal(f"{path} {problem}")
        # some Macintoshes end lines with a carriage return
        return file, "\n" if b"\n" in beginning or b"\r" not in beginning else "\r"

    def _line(self, row: list[str]) -> Line | Bad:
        """What the columns of a line say, or what is wrong with them."""
        reading, split = self.reading, self.reading.split
        raw = self._picked(row)
        if isinstance(raw, Bad):
            return raw
        texts = [tidy(text, reading.form, words) for text, words in zip(raw, split, strict=False)]
        group, links = (tidy(part) for part in (*raw[2:], "", "")[:2])
        sizes = [len(texts[side].split() if split[side] else texts[side]) for side in (0, 1)]
        for name, text, size in zip(_SIDES, texts, sizes, strict=True):
            if not size:
                return Bad(f"an empty {name}")
            if _CONTROL.search(text):
                return Bad(f"a control character in the {name}")
        if max(sizes) > reading.longest:
            longer = sizes.index(max(sizes))
            what = "words" if split[longer] else "characters"
            return Bad(f"a {_SIDES[longer]} of {max(sizes)} {what}; at most {reading.longest}")
        places = _links(links, raw, texts, reading) if links else None
        if isinstance(places, Bad):
            return places
        rewritten = reading.form != "none" and not all(
            unicodedata.is_normalized(reading.form, side) for side in raw[:2]
        )
        return Line(*texts, group, places, rewritten)

    def _picked(self, row: list[str]) -> list[str] | Bad:
        """The columns of a line that are used."""
        if not count_filled(row):
            return Bad(EMPTY)
        if self.columns is not None:
            lacking = [n for numbers in self.columns for n in numbers if n > len(row)]
            if lacking:
                return Bad(f"no column {lacking[0]}")
            return [" ".join(row[n - 1].strip() for n in numbers) for numbers in self.columns]
        behind = r"\s*$" if self.reading.plain else r"\s*($|#\s)"  # nothing, or a comment
        while len(row) > 2 and re.match(behind, row[-1]):
            row = row[:-1]
        if len(row) < 2:
            sign = self.reading.separator
            name = "tab" if sign == "\t" else f"“{sign}”"
            return Bad(f"no {name} between source and target")
        if len(row) > 4:
            return Bad(f"{len(row)} columns; expected two to four: source, target, group, links")
        return row


def count_filled(row: Sequence[str]) -> int:
    """How many columns are not empty."""
    return sum(bool(column.strip()) for column in row)


def _comment(row: list[str]) -> str:
    """What a line is if it is a comment, with # or ;;; at its beginning; otherwise ""."""
    first = row[0].strip()
    if not (re.match(r";;;|#(\W|$)", first) or (first.startswith("#") and len(row) == 1)):
        return ""
    return COMMENT if count_filled(row) < 2 else _WITH_COLUMNS


def _csv_row(text: str, separator: str) -> list[str] | Bad:
    """The columns of a line of csv, or what is wrong with it."""
    try:
        reader = csv.reader([text], delimiter=separator, strict=True, skipinitialspace=True)
        return next(reader) or [""]  # an empty line has no column for csv, and an empty one here
    except csv.Error as error:
        if "end of data" in str(error):
            return Bad("a quotation mark that is not closed in its line")
        return Bad("something between a closing quotation mark and the separator")


def _end_of_quoted(texts: Sequence[str | Bad], start: int) -> int:
    """Where the lines end that belong to a quoted text; at their start if it is never closed."""
    marks = 0
    for at, text in enumerate(texts[start - 1 : start + _QUOTED], start):
        marks += 0 if isinstance(text, Bad) else text.count('"')
        if marks % 2 == 0:
            return at
    return start


def fields(raw: bytes | str) -> dict[str, str]:
    """The values of a line of JSON by their names, those within others as a.b; {} if it is none."""
    try:
        whole = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    values: dict[str, str] = {}

    def add(name: str, value: object) -> None:
        if isinstance(value, dict | list):
            inner = value.items() if isinstance(value, dict) else enumerate(value, start=1)
            for key, part in inner:
                add(f"{name}.{key}" if name else str(key), part)
        else:
            values[name] = "" if value is None else str(value)

    if isinstance(whole, dict | list):
        add("", whole)
    return values


# ---- links


def _links(text: str, raw: list[str], texts: list[str], reading: Reading) -> Links | Bad:
    """The links of a line, at the places that its texts have now."""
    matches = [_LINK.fullmatch(part) for part in text.split()]
    if not all(matches):
        return Bad("links that are not written as in 0-0 1-2")
    places = [(int(match[1]), int(match[2])) for match in matches if match]
    moved = [
        [[at] for at in range(len(new.split()))] if words else _moved(old, new, reading.form)
        for old, new, words in zip(raw, texts, reading.split, strict=False)
    ]
    if any(j >= len(moved[0]) or i >= len(moved[1]) for j, i in places):
        return Bad("a link to a place that its text does not have (places count from 0)")
    new = [(j, i) for one, other in places for j in moved[0][one] for i in moved[1][other]]
    return tuple(dict.fromkeys(new))


def _moved(old: str, new: str, form: str) -> list[list[int]]:
    """For each character of a text, where it stands once the text is tidy.

    It stands nowhere if it was a space at an end, and at several places if it was decomposed.
    Characters that were composed, or whose order changed, share the places of their group.
    """
    whole = _in_form(old, form)
    before, moved, begun, at = len(whole) - len(whole.lstrip()), [], 0, 0
    for end in range(1, len(old) + 1):
        head = _in_form(old[:end], form)
        if head + _in_form(old[end:], form) != whole:
            continue  # what follows still joins this group
        places = range(at - before, len(head) - before)
        inside = [place for place in places if 0 <= place < len(new)]
        moved += [inside] * (end - begun)
        begun, at = end, len(head)
    return moved


# ---- what is no text

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


def _problem(path: Path, beginning: bytes) -> str | None:
    """What speaks against reading the file as text, and the remedy."""
    if not beginning:
        return "is empty: expected lines source<TAB>target"
    for mark, problem in _MARKS.items():
        if beginning.startswith(mark):
            return problem
    if beginning.startswith(b"PK\x03\x04"):
        return _problem_of_zip(path)
    start = beginning[:200].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml", b"<tmx")):
        return f"holds HTML or XML: {_EXPECTED}"
    if len(fields(beginning.removeprefix(b"\xef\xbb\xbf").split(b"\n")[0])) > 1:
        return None  # lines of JSON
    if start.startswith((b'{"', b"[{", b'["', b"[[", b"{\n", b"[\n", b"{\r", b"[\r")):
        return f"holds JSON: {_EXPECTED}, or an object with both on each line"
    if b"\0" in beginning:
        even, odd = (beginning[first::2].count(0) for first in (0, 1))
        if max(even, odd) > max(3, len(beginning) / 8) and min(even, odd) < max(even, odd) / 4:
            order = "le" if odd > even else "be"
            return f"seems to be written in UTF-16: {_AS_UTF_8}16-{order}"
        return f"is not a text file: {_EXPECTED}"
    return None


def _problem_of_zip(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, ValueError, zipfile.BadZipFile):
        names = []
    for part, problem in _ZIPS.items():
        if any(name.startswith(part) for name in names):
            return problem
    return "is a zip archive: unpack it first"
