"""What a file of pairs may be that it was not read as: told aloud, and nothing is changed."""

from __future__ import annotations

import csv
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import islice, pairwise
from pathlib import Path

from attn_own.formats import format_of
from attn_own.lines import COMMENT, Bad, Line, Reading, columns, lines, resolved, tidy
from attn_own.losses import of_encoding
from attn_own.opening import raw_lines
from attn_own.refusal import Refusal
from attn_own.wording import counted, escaped, names, quoted, unseen

_LOOKED_AT = 2000  # lines
_FEW = 20  # lines from which something can be told
_MOST = 0.95  # share of the lines of which something holds if it is to be the rule
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)*%?")
_LAST_NUMBER = re.compile(r"(\D*)(\d{1,18})(\D*)")
_NAME_AND_NUMBER = re.compile(r"([^\W\d_]+[-_:./# ]?)(\d+)")
_HEX = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]{8,}(-[0-9a-f]{4,})*", re.IGNORECASE)
_VARIANT = re.compile(r"\w\(\d+\)$")
_DRAWN = re.compile(r"<\w+>|\[\w+\]|\\t|[\W_]+")


def suspected(path: Path, reading: Reading, held: bytes | None = None) -> list[str]:
    """What the first lines of a file look like, in sentences; none if nothing is odd."""
    reading = resolved(path, reading, held)
    found = list(islice(columns(path, reading, held), _LOOKED_AT))
    parsed = list(islice(lines(path, reading, held), _LOOKED_AT))
    strange = any(isinstance(row, Bad) and row.why.startswith("not UTF-8") for row in found)
    said = [of_encoding(path, held) if strange else ""]
    if format_of(path, held, reading.encoding) != "table":
        return [each for each in [*said, _of_unseen(_good(parsed), reading)] if each]
    said.append(_of_separator(found, parsed, reading) or _of_lone_texts(path, found, parsed))
    good = [
        _picked(row, reading)
        for row, line in zip(found, parsed, strict=True)
        if isinstance(line, Line)
    ]
    bodies = zip(found, parsed, strict=True)
    first = next(
        (at for at, (row, line) in enumerate(bodies) if _has_columns(row) and not _remark(line)),
        None,
    )
    if first is not None and not reading.header:
        said.append(_of_header(first + 1, _picked(found[first], reading), good))
    said.append(_of_links(found, parsed, reading))
    said.append(_of_unseen(_good(parsed), reading))
    said += [_of_variants(_good(parsed)), _of_comments(_good(parsed))]
    if len(good) >= _FEW:
        body = good if reading.header else good[1:]
        said.append(
            _of_numbers(body, reading, _nameless(found, first)) or _of_groups(body, reading)
        )
        said += [_of_third(body, reading), _of_quotes(body, reading)]
    return [each for each in said if each]


def _good(parsed: Sequence[Line | Bad]) -> list[Line]:
    return [line for line in parsed if isinstance(line, Line)]


def _remark(line: Line | Bad) -> bool:
    return isinstance(line, Bad) and line.why.startswith(COMMENT)


# ---- the whole line


def _of_separator(
    found: Sequence[list[str] | Bad], parsed: Sequence[Line | Bad], reading: Reading
) -> str:
    """What stands between the sides, if it is not what was expected there."""
    rows = _rows(found, parsed)
    whole = [row[0].strip() for row in rows if len(row) == 1]
    if not whole or len(whole) < len(rows) / 2:
        return ""
    name = "tab" if reading.separator == "\t" else quoted(reading.separator)
    if reading.separator != "\t" and all(text.count("\t") for text in whole):
        return f"The lines have tabs and no {name}: leave out --separator."
    if (other := _separator(whole)) is None:
        return ""
    holds = sum(other in text for text in whole)
    many = f"All {holds:,} lines" if holds == len(rows) else f"{holds:,} of {len(rows):,} lines"
    shown = {" ": "a space", "  ": "two spaces"}.get(other) or quoted(other)
    given = f'"{other}"' if escaped(other) == other else f"$'{escaped(other)}'"
    return f"{many} have {shown} where a {name} was expected: give --separator {given}."


def _rows(found: Sequence[list[str] | Bad], parsed: Sequence[Line | Bad]) -> list[list[str]]:
    """The lines that say something and are no comments."""
    return [
        row
        for row, line in zip(found, parsed, strict=True)
        if not isinstance(row, Bad) and any(each.strip() for each in row) and not _remark(line)
    ]


def _of_lone_texts(
    path: Path, found: Sequence[list[str] | Bad], parsed: Sequence[Line | Bad]
) -> str:
    """That lines hold one text each, which nothing divides, and what can be done about it."""
    rows = _rows(found, parsed)
    if not rows or sum(len(row) == 1 for row in rows) < len(rows) / 2:
        return ""
    said = (
        f"The lines of {path.name} have one text each, and nothing that divides it into source and "
        "target"
    )
    beside = path.parent.iterdir() if path.is_file() else ()
    others = [other for other in beside if other.stem == path.stem and other != path]
    size = sum(1 for _ in raw_lines(path)) if others else 0
    for other in sorted(others):
        try:
            if other.is_file() and sum(1 for _ in raw_lines(other)) == size:
                names = " ".join(shlex.quote(str(each)) for each in (path, other))
                into = shlex.quote(str(path.with_suffix(".tsv")))
                return (
                    f"{said}. {other.name} beside it has as many: if these are their targets, "
                    f"paste {names} > {into} puts both into one file."
                )
        except Refusal:
            continue
    return f"{said}: a model learns from pairs, and running text has none."


def _divides(sign: str, sample: Sequence[str]) -> bool:
    """Whether a sign leaves something on both sides of it, and is more than the signs of a text.

    Spaces, stops and commas also stand in running text. Between a word and its pieces, words come
    once and the pieces often.
    """
    sides = [[side.strip() for side in text.split(sign, 1)] for text in sample]
    if sum(len(each) == 2 and all(each) for each in sides) < _MOST * len(sample):
        return False
    if sign.strip() not in ("", ".", ",", "'", "’", "-", "!", "?"):
        return True
    if sign != sign.strip() and len(sign) > 1 and not sign.strip():
        return True  # several spaces
    if sum(len(text.split()) for text in sample) <= 2.2 * len(sample):
        return True
    words = Counter(each[0] for each in sides)
    pieces = Counter(piece for each in sides for piece in each[-1].split())
    return len(words) > 0.8 * len(sides) and 2 * len(pieces) < pieces.total() ** 0.8


def _separator(whole: Sequence[str]) -> str | None:
    """What each line has, and equally often: a separator of csv, or other signs."""
    sample = whole[:500]
    for mark in ";,|":
        if sum(mark * 2 in text for text in sample) > len(sample) / 2:
            continue  # a longer sign, as in |||
        sizes = Counter(_size(text, mark) for text in sample)
        size, count = sizes.most_common(1)[0]
        if size > 1 and count >= _MOST * len(sample):
            return mark
    signs: set[str] = set()
    for text in sample[:3]:
        for match in _DRAWN.finditer(text):
            run = match[0]
            parts = (run[a:b] for a in range(len(run)) for b in range(a + 1, len(run) + 1))
            signs.update(part.strip() or part for part in parts)

    def those(holds: Callable[[str, str], bool]) -> list[str]:
        """The signs of which this holds in nearly all lines, and which divide them."""
        share = {sign: sum(holds(text, sign) for text in sample) / len(sample) for sign in signs}
        return sorted(each for each in signs if share[each] >= _MOST and _divides(each, sample))

    once = those(lambda text, sign: text.count(sign) == 1)
    found = once or those(lambda text, sign: sign in text)
    return max(found, key=lambda sign: (len(sign.strip()) > 0, len(sign)), default=None)


def _size(text: str, mark: str) -> int:
    try:
        (row,) = csv.reader([text], delimiter=mark, strict=True, skipinitialspace=True)
    except (csv.Error, ValueError):
        return 0
    return len(row)


# ---- columns


def _picked(row: list[str], reading: Reading) -> list[str]:
    """The columns that are used, as they are used."""
    if reading.columns is None:
        return [each.strip() for each in row[:4]]
    return [
        " ".join(row[n - 1].strip() for n in numbers if n <= len(row))
        for numbers in reading.columns
    ]


def _number(place: int, reading: Reading) -> str:
    """How a column is called."""
    sides = ("source", "target", "group", "links")
    if reading.columns is None:
        return f"Column {place + 1}, the {sides[place]},"
    return f"The {sides[place]}"


def _has_columns(row: list[str] | Bad) -> bool:
    return not isinstance(row, Bad) and sum(bool(cell.strip()) for cell in row) > 1


def _of_header(number: int, first: list[str], good: Sequence[list[str]]) -> str:
    """Whether the first line is one, since it is unlike all the others."""
    rows = good[1:] if good and good[0] == first else list(good)
    is_index = bool(first) and not first[0]  # it names no column of numbers, as pandas writes them
    if is_index:
        first, rows = first[1:], [row[1:] for row in rows]
    if len(first) < 2 or not all(first[:2]) or not (is_index or _unlike(first, rows)):
        return ""
    shown = " and ".join(quoted(cell) for cell in first[:2])
    return f"Line {number} ({shown}) looks like a header: if it is one, give --header."


def _unlike(first: list[str], rows: Sequence[list[str]]) -> bool:
    """Whether the first line has a property that none of the others has, or lacks one of theirs."""
    if len(rows) < _FEW or any(len(cell) < 2 or cell[0].isdigit() for cell in first[:2]):
        return False
    for place, cell in enumerate(first):
        others = [row[place] for row in rows if len(row) > place and row[place]]
        if not cell or len(others) < _FEW:
            continue
        for has in _PROPERTIES:
            if sum(has(other) == has(cell) for other in others) < len(others) / 200:
                return True
        if place < 2 and _strange(cell, others):
            return True
        if place == 2 and cell not in others and len(set(others)) <= len(others) / 5:
            return True
    return False


_PROPERTIES: tuple[Callable[[str], bool], ...] = (
    lambda cell: bool(_NUMBER.fullmatch(cell)),
    lambda cell: any(each.isdigit() for each in cell),
    lambda cell: " " in cell,
    lambda cell: any(each.isupper() for each in cell),
    lambda cell: any(each.islower() for each in cell),
    str.isascii,
)


def _strange(cell: str, others: Sequence[str]) -> bool:
    """Whether half of a cell's characters stand in no other cell, which is so of hardly any."""
    counts = Counter(character for other in [cell, *others] for character in set(other))

    def alone(text: str) -> bool:
        kinds = set(text)
        return sum(counts[each] == 1 for each in kinds) >= max(2, len(kinds) / 2)

    return alone(cell) and sum(map(alone, others)) < len(others) / 100


def _nameless(found: Sequence[list[str] | Bad], first: int | None) -> bool:
    """Whether the first column has no name where the others have one, as that of an index."""
    return first is not None and not isinstance(found[first], Bad) and not found[first][0].strip()


def _of_numbers(rows: Sequence[list[str]], reading: Reading, nameless: bool = False) -> str:
    """Whether a column numbers the lines, or gives each a name of its own."""
    for place in range(max(map(len, rows))):
        cells = [row[place] for row in rows if len(row) > place and row[place]]
        index = (
            nameless
            and not place
            and all(map(str.isdecimal, cells))
            and len(set(cells)) > 0.9 * len(cells)
        )
        if len(cells) < max(_FEW, len(rows) / 2) or not (index or _counts(cells) or _names(cells)):
            continue
        left = [each + 1 for each in range(max(map(len, rows))) if each != place]
        more = (
            f": if so, name the others, such as --columns {left[0]},{left[1]}" if left[1:] else ""
        )
        what = "counts the lines" if _counts(cells) else "gives each line a name of its own"
        shown = ", ".join(quoted(cell) for cell in cells[:2])
        return f"{_number(place, reading)} looks as if it {what} ({shown}){more}."
    return ""


def _counts(cells: Sequence[str]) -> bool:
    """Whether each number is one more, or one less, than the one before."""
    found = [_LAST_NUMBER.fullmatch(cell) for cell in cells]
    if sum(map(bool, found)) < _MOST * len(cells):
        return False
    numbers = [int(match[2]) for match in found if match]
    steps = Counter(b - a for a, b in pairwise(numbers))
    step, count = steps.most_common(1)[0]
    return step != 0 and count >= 0.9 * (len(numbers) - 1)


def _names(cells: Sequence[str]) -> bool:
    """Whether each is a key: one word with another number in each, or a row of hexadecimal."""
    if len(set(cells)) < _MOST * len(cells):
        return False
    if sum(bool(_HEX.fullmatch(cell)) for cell in cells) >= 0.9 * len(cells):
        return True
    heads = Counter(m[1] for cell in cells if (m := _NAME_AND_NUMBER.fullmatch(cell)))
    return bool(heads) and heads.most_common(1)[0][1] >= _MOST * len(cells)


def _of_groups(rows: Sequence[list[str]], reading: Reading) -> str:
    """Whether the groups are none: hardly any has two pairs."""
    groups = [row[2] for row in rows if len(row) > 2 and row[2]]
    kinds = len(set(groups))
    if len(groups) < len(rows) / 2 or kinds <= len(groups) / 2:
        return ""
    said = (
        f"{_number(2, reading)} is another one in nearly every line: {kinds:,} groups in "
        f"{len(groups):,} lines. The model does not read it."
    )
    targets = len({row[1] for row in rows})
    if reading.columns is None and targets <= len(rows) / 5:
        return (
            f"{said} Column 2, the target, has only {counted(targets, 'value')}. If these are "
            "lemma, features and form, --columns 1+2,3 learns the form from the other two."
        )
    if reading.columns is None:
        said += " If it is the target, give --columns 1,3 (or 1+2,3); if it is nothing, 1,2."
    return said


def _of_third(rows: Sequence[list[str]], reading: Reading) -> str:
    """Whether the group tells which of several targets of a source is meant."""
    rows = [row for row in rows if len(row) > 2 and row[2]]
    alone, both = (defaultdict(set) for _ in range(2))
    for source, target, group, *_ in rows:
        alone[source].add(target)
        both[source, group].add(target)
    unclear = sum(len(alone[row[0]]) > 1 for row in rows)
    left = sum(len(targets) > 1 for targets in both.values())
    kinds = len({row[2] for row in rows})
    if len(rows) < _FEW or unclear < len(rows) / 5 or left > (1 - _MOST) * len(both):
        return ""
    if kinds > len(rows) / 2:  # each is another one
        return ""
    said = f"{unclear:,} of the first {len(rows):,} lines have a source with several targets, and "
    said += "the group tells which is meant, but the model does not read it"
    return said + (": give --columns 1+3,2." if reading.columns is None else ".")


def _of_quotes(rows: Sequence[list[str]], reading: Reading) -> str:
    if reading.quoted:
        return ""
    for mark, other in ('""', "''", "“”", "«»", "„“"):
        both = [len(row[0]) > 2 and row[0][0] == mark and row[0][-1] == other for row in rows]
        if sum(both) < len(rows) / 10:
            continue
        said = f"{sum(both):,} sources stand in {mark}{other}, which the model reads as symbols"
        return said + (": --separator tab takes them off." if mark == '"' else ".")
    return ""


def _of_unseen(good: Sequence[Line], reading: Reading) -> str:
    """Which characters cannot be seen, so that nobody would type them, or miss them."""
    counts = Counter(each for line in good for each in unseen(line.source + line.target))
    if not counts:
        return ""
    many = ", ".join(
        f"{count:,} {'have' if count > 1 else 'has'} {names(each)}"
        for each, count in counts.most_common(5)
    )
    said = f"Of the first {len(good):,} pairs, {many}, which cannot be seen. A text that is typed "
    said += "without it, or with a space in its place, is another text to the model"
    plain = any(not unseen(tidy(f"x{each}x", "NFKC")) for each in counts)
    return said + (": --form NFKC makes it a plain space." if plain else ".")


def _of_variants(good: Sequence[Line]) -> str:
    """Whether sources number their variants, as READ(1) and READ(2) in dictionaries of sounds."""
    marked = [line.source for line in good if _VARIANT.search(line.source)]
    if not 2 <= len(marked) < len(good) / 2:
        return ""
    return (
        f"{len(marked):,} of the first {len(good):,} sources end in a number in brackets, such as "
        f"{quoted(marked[0])}. To the model it is part of the word. If it numbers variants, take "
        r"it out, as with sed -E 's/\([0-9]+\)//'; a source then has several targets."
    )


def _of_comments(good: Sequence[Line]) -> str:
    """Whether targets end in comments."""
    marked = [line.target for line in good if re.search(r"\s#\s*\w", line.target)]
    if not 1 <= len(marked) < len(good) / 2:
        return ""
    return (
        f"{len(marked):,} of the first {len(good):,} targets have # and words after it, such as "
        f"{quoted(marked[0])}. The model learns to write them: if they are comments, take them out."
    )


def _of_links(
    found: Sequence[list[str] | Bad], parsed: Sequence[Line | Bad], reading: Reading
) -> str:
    """Whether the fourth column holds no links at all."""
    wrong = [
        row
        for row, line in zip(found, parsed, strict=True)
        if isinstance(line, Bad) and line.why.startswith("links that") and not isinstance(row, Bad)
    ]
    if len(wrong) < 3 or any(isinstance(line, Line) and line.links for line in parsed):
        return ""
    shown = quoted(_picked(wrong[-1], reading)[3])
    said = f"The fourth column is read as links, such as 0-0 1-2, and holds none ({shown})"
    return f"{said}: name the columns that you mean, such as --columns 1,2 or 2,4."


def shown_first(path: Path, reading: Reading, held: bytes | None = None) -> str:
    """The columns of the first line, each with its number, where there are more than two."""
    for row in islice(columns(path, reading, held), _LOOKED_AT):
        if not isinstance(row, Bad) and any(each.strip() for each in row):
            cells = [(n, tidy(cell)[:30]) for n, cell in enumerate(row[:9], start=1)]
            filled = [n for n, cell in cells if cell]
            if len(cells) < 3 or len(filled) < 2:
                break
            shown = ", ".join(f"{n} {quoted(cell)}" for n, cell in cells)
            return (
                f"The first line of {path.name} has these columns: {shown}. Name those that are "
                f"meant, such as --columns {filled[-2]},{filled[-1]}."
            )
    return ""
