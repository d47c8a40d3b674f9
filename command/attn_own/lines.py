"""The lines of a file of pairs, one at a time: the contents of each, or what is wrong with it."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from attn_course._values import expect_choice, expect_count
from attn_own.formats import fields, format_of, translations
from attn_own.opening import MOST_BYTES, raw_lines
from attn_own.refusal import Refusal

FORMS = ("NFC", "NFKC", "NFD", "none")
_SIDES = ("source", "target")
WORDS = ("none", "source", "target", "both")
HEADER, COMMENT, EMPTY = "the header", "a comment", "empty"
_WITH_COLUMNS = "a comment (# or ;;;) that has columns"
HARMLESS = frozenset({HEADER, COMMENT, EMPTY})  # reasons with which no pair is lost
_LINK = re.compile(r"(\d+)-(\d+)")
_CONTROL = re.compile(r"[\0-\x1f\x7f-\x9f]")
_SPACES = re.compile(r"[^\S\0-\x1f\x7f-\x9f]+")  # white space, without control characters
_QUOTED = 50  # lines over which a quoted text may go on

Links = tuple[tuple[int, int], ...]


class Reading(NamedTuple):
    """How a file is read.

    words      which sides are split into words: "none", "source", "target" or "both"
    longest    the most symbols that a source or a target may have
    form       the normal form that texts are brought into, "NFC", "NFKC" or "NFD", or "none"
    separator  what stands between two columns
    quoted     whether quotation marks around a column are taken off, as in csv
    columns    the columns that make source, target, group and links, each by its number, counted
               from 1, or by its name in the header, see `resolved`; several are joined by a space.
               Without it: 1, 2, 3 and 4
    header     whether the first line that has columns is a header, which is left out
    encoding   that of the file
    plain      whether nothing is a comment, and no line anything but columns
    """

    words: str = "none"
    longest: int = 100
    form: str = "NFC"
    separator: str = "\t"
    quoted: bool = False
    columns: tuple[tuple[int | str, ...], ...] | None = None
    header: bool = False
    encoding: str = "utf-8"
    plain: bool = False


class Line(NamedTuple):
    """One good line: a pair, its group, and its links (source place, target place) if given.

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
    text = _in_form(text, form)
    return " ".join(_SPACES.split(text.strip())) if words else text.strip()


def _in_form(text: str, form: str) -> str:
    return text if form == "none" else unicodedata.normalize(form, text)


def lines(
    path: Path, reading: Reading | None = None, held: bytes | None = None
) -> Iterator[Line | Bad]:
    """For each line, what it says, or what is wrong with it; line 1 comes first.

    A line is ``source<TAB>target``, and may go on with ``<TAB>group`` and then ``<TAB>links``, as
    ``0-0 1-2``: place 1 of the source became place 2 of the target. One line is held at a time.

    path     a UTF-8 file
    reading  how to read it, if not so
    held     what a pipe held
    """
    reading = reading or Reading()
    expect_count("longest", reading.longest)
    expect_choice("words", reading.words, WORDS)
    expect_choice("form", reading.form, FORMS)
    reading = resolved(path, reading, held)
    table = _format(path, reading, held) == "table"
    header = reading.header and table
    for found in columns(path, reading, held):
        if isinstance(found, Bad):
            yield found
        elif table and not reading.plain and (comment := _comment(found)):
            yield Bad(comment)
        elif header and sum(bool(each.strip()) for each in found) > 1:
            header = False
            yield Bad(HEADER)
        else:
            said = _parsed(found, reading)
            yield Bad(said) if isinstance(said, str) else said


def resolved(path: Path, reading: Reading, held: bytes | None = None) -> Reading:
    """The same with numbers for the names of columns, which stand in the header of a table."""
    given = reading.columns or ()
    if not any(isinstance(name, str) for names in given for name in names):
        return reading
    table = _format(path, reading, held) == "table"
    if table:
        rows = (row for row in columns(path, reading, held) if not isinstance(row, Bad))
        named = next((row for row in rows if not _comment(row) and len(row) > 1), [])
        names = [name.strip() for name in named]
    else:
        names = _names_in_json(path, reading, held)

    def number(name: int | str) -> int:
        if isinstance(name, int):
            return name
        if name not in names:
            has = ", ".join(f"“{each}”" for each in names) or "none"
            raise Refusal(f"{path} has no column “{name}”: the names in its header are {has}")
        return names.index(name) + 1

    numbers = tuple(tuple(map(number, names_)) for names_ in given)
    return reading._replace(columns=numbers, header=table)


def _format(path: Path, reading: Reading, held: bytes | None) -> str:
    return "table" if reading.plain else format_of(path, held, reading.encoding)


def _names_in_json(path: Path, reading: Reading, held: bytes | None) -> list[str]:
    return list(fields(next(iter(raw_lines(path, held, reading.encoding))) or b""))


def _comment(found: list[str]) -> str:
    """What a line is if it is a comment, with # or ;;; at its beginning; otherwise ""."""
    first = found[0].strip()
    if not (re.match(r";;;|#(\W|$)", first) or (first.startswith("#") and len(found) == 1)):
        return ""
    return COMMENT if sum(bool(each.strip()) for each in found) < 2 else _WITH_COLUMNS


def columns(path: Path, reading: Reading, held: bytes | None = None) -> Iterator[list[str] | Bad]:
    """The columns of each line as they stand there; of JSON, the values that the first line has."""
    kind = _format(path, reading, held)
    if kind == "po":
        yield from translations(path, held, reading.encoding)
        return
    texts = _texts(path, held, reading.encoding)
    if kind == "json":
        names = _names_in_json(path, reading, held)
        for text in texts:
            found = {} if isinstance(text, Bad) else fields(text)
            if isinstance(text, Bad) or not text.strip():
                yield text if isinstance(text, Bad) else []
            else:
                yield [found.get(name, "") for name in names] if found else Bad("no JSON object")
        return
    if not reading.quoted:
        for text in texts:
            yield text if isinstance(text, Bad) else _split(text, reading.separator)
        return
    waiting: deque[str | Bad] = deque()
    while True:
        text = waiting.popleft() if waiting else next(texts, None)
        if text is None:
            return
        if isinstance(text, Bad):
            yield text
        elif isinstance(found := _unquoted(text, reading.separator), list):
            yield found
        else:
            yield Bad(found)
            yield from _rest_of_quoted(text, texts, waiting)


def _texts(path: Path, held: bytes | None, encoding: str) -> Iterator[str | Bad]:
    lacking = "" if encoding == "utf-8" else "\N{REPLACEMENT CHARACTER}".encode()
    for raw in raw_lines(path, held, encoding):
        if raw is None:
            yield Bad(f"longer than {MOST_BYTES:,} bytes")
            continue
        if lacking and lacking in raw:
            yield Bad(f"not {encoding}")
            continue
        try:
            yield raw.decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            yield Bad(f"not UTF-8 (byte {error.start + 1} of the line)")


def _split(text: str, separator: str) -> list[str]:
    """Spaces separate only once: what follows may have spaces of its own."""
    return text.split(separator, 1 if separator.isspace() and "\t" not in separator else -1)


def _unquoted(text: str, separator: str) -> list[str] | str:
    """The columns of a line of csv, or what is wrong with it."""
    try:
        rows = list(csv.reader([text], delimiter=separator, strict=True, skipinitialspace=True))
        return rows[0] if rows else [""]
    except csv.Error as error:
        if "end of data" in str(error):
            return "a quotation mark that is not closed in its line"
        return "something between a closing quotation mark and the separator"


def _rest_of_quoted(text: str, texts: Iterator, waiting: deque) -> Iterator[Bad]:
    """The further lines of a quoted text that has line breaks; none if it is never closed."""
    count, more = text.count('"'), []
    while count % 2 and len(more) < _QUOTED:
        if (following := waiting.popleft() if waiting else next(texts, None)) is None:
            break
        more.append(following)
        count += 0 if isinstance(following, Bad) else following.count('"')
    if count % 2:
        waiting.extendleft(reversed(more))
        return
    for _ in more:
        yield Bad("part of a quoted text with a line break")


def _parsed(found: list[str], reading: Reading) -> Line | str:
    """What the columns of a line say, or what is wrong with them."""
    if not any(column.strip() for column in found):
        return EMPTY
    if reading.columns is None:
        behind = r"\s*$" if reading.plain else r"\s*($|#\s)"  # nothing, or a comment
        while len(found) > 2 and re.match(behind, found[-1]):
            found = found[:-1]
        if len(found) < 2:
            return f"no {_named(reading.separator)} between source and target"
        if len(found) > 4:
            return f"{len(found)} columns; expected two to four: source, target, group, links"
        raw = found
    else:
        lacking = [n for numbers in reading.columns for n in numbers if n > len(found)]
        if lacking:
            return f"no column {lacking[0]}"
        raw = [" ".join(found[n - 1].strip() for n in ns) for ns in reading.columns]
    split = reading.words in ("source", "both"), reading.words in ("target", "both")
    texts = [tidy(raw[side], reading.form, split[side]) for side in (0, 1)]
    group, links = (tidy(part) for part in (*raw[2:], "", "")[:2])
    sizes = [len(texts[side].split() if split[side] else texts[side]) for side in (0, 1)]
    for name, text, size in zip(_SIDES, texts, sizes, strict=True):
        if not size:
            return f"an empty {name}"
        if _CONTROL.search(text):
            return f"a control character in the {name}"
    if max(sizes) > reading.longest:
        longer = sizes.index(max(sizes))
        what = "words" if split[longer] else "characters"
        return f"a {_SIDES[longer]} of {max(sizes)} {what}; at most {reading.longest}"
    places = _links(links, raw[:2], texts, split, reading.form) if links else None
    if isinstance(places, str):
        return places
    rewritten = reading.form != "none" and not all(
        unicodedata.is_normalized(reading.form, side) for side in raw[:2]
    )
    return Line(*texts, group, places, rewritten)


def _named(separator: str) -> str:
    return "tab" if separator == "\t" else f"“{separator}”"


def _links(
    text: str, raw: list[str], texts: list[str], split: tuple[bool, bool], form: str
) -> Links | str:
    """The links of a line, at the places that its texts have now."""
    matches = [_LINK.fullmatch(part) for part in text.split()]
    if not all(matches):
        return "links that are not written as in 0-0 1-2"
    places = [(int(match[1]), int(match[2])) for match in matches]
    moved = [
        [[at] for at in range(len(new.split()))] if words else _moved(old, new, form)
        for old, new, words in zip(raw, texts, split, strict=True)
    ]
    if any(j >= len(moved[0]) or i >= len(moved[1]) for j, i in places):
        return "a link to a place that its text does not have (places count from 0)"
    found = [(j, i) for one, other in places for j in moved[0][one] for i in moved[1][other]]
    return tuple(dict.fromkeys(found))


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
