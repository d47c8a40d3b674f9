"""What a file of pairs may be that it was not read as: reported, and nothing is changed."""

from __future__ import annotations

import csv
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path

from attn_own.lines import COMMENT, Bad, Line, PairFile, Reading, count_filled, fields, tidy
from attn_own.wording import Refusal, counted, escaped, names, quoted, unseen

_LOOKED_AT = 2000  # lines
_LINES_OF_ENCODING = 100_000  # lines of another encoding are looked for in so many
_FEW = 20  # lines from which something can be told
_MOST = 0.95  # share of the lines of which something holds if it is to be the rule
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)*%?")
_LAST_NUMBER = re.compile(r"(\D*)(\d{1,18})(\D*)")
_NAME_AND_NUMBER = re.compile(r"([^\W\d_]+[-_:./# ]?)(\d+)")
_HEX = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]{8,}(-[0-9a-f]{4,})*", re.IGNORECASE)
_VARIANT = re.compile(r"\w\(\d+\)$")
_DRAWN = re.compile(r"<\w+>|\[\w+\]|\\t|[\W_]+")
_COLUMNS = ("source", "target", "group", "links")
_ENCODINGS = """
    cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 iso8859_2 koi8_r mac_roman cp437
    cp850 cp932 euc_jp gb18030 big5 cp949
    """.split()  # noqa: SIM905 - one a line would be long


def suspected(file: PairFile) -> list[str]:
    """What the first lines of a file look like, in sentences; none if nothing is odd."""
    sample = _Sample(file)
    table = (_of_separator, _of_header, _of_links)
    every = (_of_unseen, _of_variants, _of_comments)
    many = (_of_numbers, _of_third, _of_quotes, _of_widths)
    if file.format != "table":
        table, every, many = (_of_names,), (_of_unseen,), (_of_numbers,)
    checks = (_of_encoding, *table, *every, *(many if len(sample.good) >= _FEW else ()))
    return [sentence for check in checks if (sentence := check(sample))]


class _Sample:
    """The first lines of a file: as they stand there, and as they were read."""

    def __init__(self, file: PairFile):
        self.file, self.reading = file, file.reading
        self.rows = list(islice(file.rows(), _LOOKED_AT))
        self.lines = list(islice(file.lines(), _LOOKED_AT))
        self.good = [line for line in self.lines if isinstance(line, Line)]
        both = zip(self.rows, self.lines, strict=True)
        self.pairs = [(row, line) for row, line in both if not isinstance(row, Bad)]

    @cached_property
    def used(self) -> list[list[str]]:
        """The columns that are used of the good lines."""
        return [self.pick(row) for row, line in self.pairs if isinstance(line, Line)]

    @cached_property
    def body(self) -> list[list[str]]:
        """The same without the first of them, which may be a header."""
        return self.used if self.file.has_header else self.used[1:]

    @cached_property
    def first(self) -> tuple[int, list[str]] | None:
        """The first line that has columns, and its number."""
        for number, (row, line) in enumerate(zip(self.rows, self.lines, strict=True), start=1):
            if not isinstance(row, Bad) and count_filled(row) > 1 and not _is_remark(line):
                return number, row
        return None

    def pick(self, row: list[str]) -> list[str]:
        """The columns of a row that are used, as they are used."""
        if self.file.columns is None:
            return [cell.strip() for cell in row[:4]]
        return [
            " ".join(row[n - 1].strip() for n in numbers if n <= len(row))
            for numbers in self.file.columns
        ]

    def name(self, place: int) -> str:
        """How a column is called."""
        if self.file.columns is None:
            return f"Column {place + 1}, the {_COLUMNS[place]},"
        return f"The {_COLUMNS[place]}"


def _is_remark(line: Line | Bad) -> bool:
    return isinstance(line, Bad) and line.why.startswith(COMMENT)


# ---- the encoding


def _of_encoding(sample: _Sample) -> str:
    strange = any(isinstance(row, Bad) and row.why.startswith("not UTF-8") for row in sample.rows)
    return encoding_of(sample.file) if strange else ""


def encoding_of(file: PairFile) -> str:
    """Which encoding the lines that are not UTF-8 seem to have; "" if all lines are UTF-8."""
    from charset_normalizer import from_bytes  # here, since only such a file needs it

    strange, ours = [], 0
    for number, raw in enumerate(islice(file.raw_lines(), _LINES_OF_ENCODING), start=1):
        if raw is not None and not raw.isascii():
            try:
                raw.decode()
                ours += 1
            except UnicodeDecodeError:
                strange.append((number, raw))
    if not strange:
        return ""
    number, raw = strange[0]
    are = "lines are" if len(strange) > 1 else "line is"
    problem = f"{len(strange):,} {are} not UTF-8: the file seems "
    if ours > len(strange) / 10:
        return (
            f"{problem}to mix two encodings, since {ours:,} other lines have signs in UTF-8. "
            f"Convert those that are not UTF-8; line {number} is the first."
        )
    words = [word for _, raw in strange[:2000] for word in raw.split() if not word.isascii()]
    matches = from_bytes(b"\n".join(words), cp_isolation=_ENCODINGS)
    # among equals Windows-1252, which is by far the commonest
    ranked = sorted(
        (round(m.chaos, 2), -round(m.coherence, 2), m.encoding != "cp1252", m.encoding)
        for m in matches
    )
    likely = [name.replace("cp125", "windows-125") for *_, name in ranked][:3] or ["windows-1252"]

    def readings(raw: bytes) -> dict[str, str]:
        """The texts that a line may be, each with the likeliest encoding that reads it so."""
        texts: dict[str, str] = {}
        for name in likely:
            texts.setdefault(raw.decode(name, "replace").strip(), name)
        return texts

    number, raw = max(strange[:200], key=lambda line: len(readings(line[1])))
    offers = ", or ".join(
        f"--encoding {name} reads it as {quoted(text)}" for text, name in readings(raw).items()
    )
    return f"{problem}to be in another encoding. Of line {number}, {offers}."


# ---- the whole line


def _of_separator(sample: _Sample) -> str:
    """What stands between the sides, if it is not what was expected there."""
    separator = sample.reading.separator
    rows = [row for row, line in sample.pairs if count_filled(row) and not _is_remark(line)]
    whole = [row[0].strip() for row in rows if len(row) == 1]
    if not whole or len(whole) < len(rows) / 2:
        return ""
    name = "tab" if separator == "\t" else quoted(separator)
    if separator != "\t" and all("\t" in text for text in whole):
        return f"The lines have tabs and no {name}: leave out --separator."
    other = _separator(whole)
    if other is None:
        return _of_lone_texts(sample)
    holds = sum(other in text for text in whole)
    many = f"All {holds:,} lines" if holds == len(rows) else f"{holds:,} of {len(rows):,} lines"
    sign = {" ": "a space", "  ": "two spaces"}.get(other) or quoted(other)
    option = f'"{other}"' if escaped(other) == other else f"$'{escaped(other)}'"
    return f"{many} have {sign} where a {name} was expected: give --separator {option}."


def _of_lone_texts(sample: _Sample) -> str:
    """That lines have one text each, which nothing divides, and what can be done about it."""
    path = sample.file.path
    problem = (
        f"The lines of {path.name} have one text each, and nothing that divides it into source and "
        "target"
    )
    beside = path.parent.iterdir() if path.is_file() else ()
    others = sorted(other for other in beside if other.stem == path.stem and other != path)
    for other in others:
        if other.is_file() and _count_lines(other) == _count_lines(path):
            both = " ".join(shlex.quote(str(one)) for one in (path, other))
            into = shlex.quote(str(path.with_suffix(".tsv")))
            return (
                f"{problem}. {other.name} beside it has as many: if these are their targets, "
                f"paste {both} > {into} puts both into one file."
            )
    return f"{problem}: a model learns from pairs, and running text has none."


def _count_lines(path: Path) -> int | None:
    """How many lines a file has; None if it is not text."""
    try:
        return sum(1 for _ in PairFile(path, Reading()).raw_lines())
    except Refusal:
        return None


def _separator(whole: Sequence[str]) -> str | None:
    """What each line has, and equally often: a separator of csv, or other signs."""
    sample = whole[:500]
    for mark in ";,|":
        if sum(mark * 2 in text for text in sample) > len(sample) / 2:
            continue  # a longer sign, as in |||
        sizes = Counter(_count_cells(text, mark) for text in sample)
        size, count = sizes.most_common(1)[0]
        if size > 1 and count >= _MOST * len(sample):
            return mark
    signs: set[str] = set()
    for match in (match for text in sample[:3] for match in _DRAWN.finditer(text)):
        run = match[0]
        parts = (run[a:b] for a in range(len(run)) for b in range(a + 1, len(run) + 1))
        signs.update(part.strip() or part for part in parts)

    def those(holds: Callable[[str, str], bool]) -> list[str]:
        """The signs of which this holds in nearly all lines, and which divide them."""
        usual = [sign for sign in signs if _is_rule([holds(text, sign) for text in sample])]
        return sorted(sign for sign in usual if _divides(sign, sample))

    once = those(lambda text, sign: text.count(sign) == 1)
    dividing = once or those(lambda text, sign: sign in text)
    return max(dividing, key=lambda sign: (len(sign.strip()) > 0, len(sign)), default=None)


def _is_rule(holds: Sequence[object], most: float = _MOST) -> bool:
    """Whether something holds of so many that it is the rule."""
    return sum(map(bool, holds)) >= most * len(holds)


def _count_cells(text: str, mark: str) -> int:
    try:
        (row,) = csv.reader([text], delimiter=mark, strict=True, skipinitialspace=True)
    except (csv.Error, ValueError):
        return 0
    return len(row)


def _divides(sign: str, sample: Sequence[str]) -> bool:
    """Whether a sign leaves something on both sides of it, and is more than the signs of a text.

    Spaces, stops and commas also stand in running text. Between a word and its pieces, words come
    once and the pieces often.
    """
    sides = [[side.strip() for side in text.split(sign, 1)] for text in sample]
    if not _is_rule([len(both) == 2 and all(both) for both in sides]):
        return False
    if sign.strip() not in ("", ".", ",", "'", "’", "-", "!", "?"):
        return True
    if len(sign) > 1 and not sign.strip():
        return True  # several spaces
    if sum(len(text.split()) for text in sample) <= 2.2 * len(sample):
        return True
    words = Counter(both[0] for both in sides)
    pieces = Counter(piece for both in sides for piece in both[-1].split())
    return len(words) > 0.8 * len(sides) and 2 * len(pieces) < pieces.total() ** 0.8


# ---- a header


def _of_header(sample: _Sample) -> str:
    """Whether the first line is one, since it is unlike all the others."""
    if sample.first is None or sample.file.has_header:
        return ""
    number, row = sample.first
    first, rows = sample.pick(row), sample.used
    rows = rows[1:] if rows and rows[0] == first else rows
    others = [sample.pick(other) for other, line in sample.pairs if not _is_remark(line)]
    is_index = not first[0] and any(other[0] for other in others)  # named "" by pandas
    if is_index:
        first, rows = first[1:], [row[1:] for row in rows]
    if len(first) < 2 or not all(first[:2]) or not (is_index or _is_unlike(first, rows)):
        return ""
    cells = " and ".join(quoted(cell) for cell in first[:2])
    return f"Line {number} ({cells}) looks like a header: if it is one, give --header."


def _is_unlike(first: list[str], rows: Sequence[list[str]]) -> bool:
    """Whether the first line has a property that none of the others has, or lacks one of theirs."""
    if len(rows) < _FEW or any(len(cell) < 2 or cell[0].isdigit() for cell in first[:2]):
        return False
    for place, cell in enumerate(first):
        others = _column(rows, place)
        if not cell or len(others) < _FEW:
            continue
        for has in _PROPERTIES:
            if sum(has(other) == has(cell) for other in others) < len(others) / 200:
                return True
        if place < 2 and _is_strange(cell, others):
            return True
        if place == 2 and cell not in others and len(set(others)) <= len(others) / 5:
            return True
    return False


_PROPERTIES: tuple[Callable[[str], bool], ...] = (
    lambda cell: bool(_NUMBER.fullmatch(cell)),
    lambda cell: any(map(str.isdigit, cell)),
    lambda cell: " " in cell,
    lambda cell: any(map(str.isupper, cell)),
    lambda cell: any(map(str.islower, cell)),
    str.isascii,
)


def _column(rows: Sequence[list[str]], place: int) -> list[str]:
    """The cells of a column that are not empty."""
    return [row[place] for row in rows if len(row) > place and row[place]]


def _is_strange(cell: str, others: Sequence[str]) -> bool:
    """Whether half of a cell's characters stand in no other cell, which is so of hardly any."""
    counts = Counter(character for other in [cell, *others] for character in set(other))

    def alone(text: str) -> bool:
        kinds = set(text)
        return sum(counts[sign] == 1 for sign in kinds) >= max(2, len(kinds) / 2)

    return alone(cell) and sum(map(alone, others)) < len(others) / 100


# ---- columns


def _of_numbers(sample: _Sample) -> str:
    """Whether a column numbers the lines, or gives each a name of its own, or its group does."""
    rows, first = sample.body, sample.first
    width = max(map(len, rows))
    # the first column has no name where the others have one, as that of an index
    nameless = first is not None and not first[1][0].strip()
    for place in range(width):
        cells = _column(rows, place)
        is_index = nameless and not place and all(map(str.isdecimal, cells))
        is_index = is_index and len(set(cells)) > 0.9 * len(cells)
        counts = _count_up(cells)
        if len(cells) < max(_FEW, len(rows) / 2) or not (is_index or counts or _are_keys(cells)):
            continue
        left = [column + 1 for column in range(width) if column != place]
        more = (
            f": if so, name the others, such as --columns {left[0]},{left[1]}" if left[1:] else ""
        )
        what = "counts the lines" if counts else "gives each line a name of its own"
        examples = ", ".join(quoted(cell) for cell in cells[:2])
        return f"{sample.name(place)} looks as if it {what} ({examples}){more}."
    return _of_groups(sample)


def _count_up(cells: Sequence[str]) -> bool:
    """Whether each number is one more, or one less, than the one before."""
    matches = [_LAST_NUMBER.fullmatch(cell) for cell in cells]
    if len(cells) < 2 or not _is_rule(matches):
        return False
    numbers = [int(match[2]) for match in matches if match]
    steps = Counter(b - a for a, b in pairwise(numbers))
    step, count = steps.most_common(1)[0]
    return step != 0 and count >= 0.9 * (len(numbers) - 1)


def _are_keys(cells: Sequence[str]) -> bool:
    """Whether each is a key: one word with another number in each, or a row of hexadecimal."""
    if len(set(cells)) < _MOST * len(cells):
        return False
    if _is_rule([_HEX.fullmatch(cell) for cell in cells], 0.9):
        return True
    heads = Counter(m[1] for cell in cells if (m := _NAME_AND_NUMBER.fullmatch(cell)))
    return bool(heads) and heads.most_common(1)[0][1] >= _MOST * len(cells)


def _of_groups(sample: _Sample) -> str:
    """Whether the groups are none: hardly any has two pairs."""
    rows, plain = sample.body, sample.file.columns is None
    groups = _column(rows, 2)
    kinds = len(set(groups))
    if len(groups) < len(rows) / 2 or kinds <= len(groups) / 2:
        return ""
    problem = (
        f"{sample.name(2)} is another one in nearly every line: {kinds:,} groups in "
        f"{len(groups):,} lines. The model does not read it."
    )
    targets = len({row[1] for row in rows})
    if plain and targets <= len(rows) / 5:
        return (
            f"{problem} Column 2, the target, has only {counted(targets, 'value')}. If these are "
            "lemma, features and form, --columns 1+2,3 learns the form from the other two."
        )
    help_ = " If it is the target, give --columns 1,3 (or 1+2,3); if it is nothing, 1,2."
    return problem + help_ * plain


def _of_third(sample: _Sample) -> str:
    """Whether the group tells which of several targets of a source is meant."""
    rows = [row for row in sample.body if len(row) > 2 and row[2]]
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
    problem = (
        f"{unclear:,} of the first {len(rows):,} lines have a source with several targets, and "
        "the group tells which is meant, but the model does not read it"
    )
    return problem + (": give --columns 1+3,2." if sample.file.columns is None else ".")


def _of_quotes(sample: _Sample) -> str:
    rows = [] if sample.reading.quoted else sample.body
    for mark, other in ('""', "''", "“”", "«»", "„“"):
        count = sum(len(row[0]) > 2 and row[0][0] == mark and row[0][-1] == other for row in rows)
        if count >= max(1, len(rows) / 10):
            problem = f"{count:,} sources stand in {mark}{other}, which the model reads as symbols"
            return problem + (": --separator tab takes them off." if mark == '"' else ".")
    return ""


def _of_links(sample: _Sample) -> str:
    """Whether the fourth column holds no links at all."""
    bad = [(row, line) for row, line in sample.pairs if isinstance(line, Bad)]
    wrong = [row for row, line in bad if line.why.startswith("links that")]
    if len(wrong) < 3 or any(line.links for line in sample.good):
        return ""
    example = quoted(sample.pick(wrong[-1])[3])
    problem = f"The fourth column is read as links, such as 0-0 1-2, and holds none ({example})"
    return f"{problem}: name the columns that you mean, such as --columns 1,2 or 2,4."


def _of_names(sample: _Sample) -> str:
    """How many lines of JSON have keys that the first lacks, unless it is said what is read."""
    known, raws = sample.file.json_names, sample.file.raw_lines()
    more = [names for raw in raws if (names := fields(raw or b"").keys() - known)]
    if not more or sample.reading.columns is not None:
        return ""
    lines = f"{counted(len(more), 'other line')}, such as {quoted(min(more[0]))}"
    return f"Line 1 lacks keys or items of {lines}: they are not read."


def _of_widths(sample: _Sample) -> str:
    """Whether a few lines have more columns than the others, as if a separator were in a text."""
    widths = {
        number: sum(bool(re.match(r"\s*(?!#\s)\S", cell)) for cell in row)
        for number, (row, line) in enumerate(zip(sample.rows, sample.lines, strict=True), start=1)
        if isinstance(line, Line)
    }
    usual, count = Counter(widths.values()).most_common(1)[0]
    more = [number for number, width in widths.items() if width > usual]
    if not more or count < _MOST * len(widths):
        return ""
    others = f"{counted(len(more), 'line')} with more: line {more[0]} is the first"
    return f"Nearly all lines have {usual} columns, except {others}."


def first_columns(file: PairFile) -> str:
    """The columns of the first line, each with its number, where there are more than two."""
    sample = _Sample(file)
    line, row = sample.first or (0, [])
    cells = {number: tidy(cell)[:30] for number, cell in enumerate(row[:9], start=1)}
    filled = [number for number, cell in cells.items() if cell]
    if len(cells) < 3 or len(filled) < 2:
        return ""
    listed = ", ".join(f"{number} {quoted(cell)}" for number, cell in cells.items())
    rows = [[*map(str.strip, row)] for row, read in sample.pairs if not _is_remark(read)]

    def has_texts(number: int) -> bool:
        column = _column(rows, number - 1)
        return not (_is_rule([_NUMBER.fullmatch(cell) for cell in column]) or _are_keys(column))

    one, other = sorted(sorted(filled, key=has_texts)[-2:])
    return (
        f"Line {line} of {file.path.name} has these columns: {listed}. Name those that are "
        f"meant, such as --columns {one},{other}."
    )


# ---- the texts


def _of_unseen(sample: _Sample) -> str:
    """Which characters cannot be seen, so that nobody would type them, or miss them."""
    good = sample.good
    counts = Counter(sign for line in good for sign in unseen(line.source + line.target))
    if not counts:
        return ""
    many = ", ".join(
        f"{count:,} {'have' if count > 1 else 'has'} {names(sign)}"
        for sign, count in counts.most_common(5)
    )
    plain = any(not unseen(tidy(f"x{sign}x", "NFKC")) for sign in counts)
    return (
        f"Of the first {len(good):,} pairs, {many}, which cannot be seen. A text that is typed "
        "without it, or with a space in its place, is another text to the model"
        f"{': --form NFKC makes it a plain space' * plain}."
    )


def _of_variants(sample: _Sample) -> str:
    """Whether sources number their variants, as READ(1) and READ(2) in dictionaries of sounds."""
    good = sample.good
    marked = [line.source for line in good if _VARIANT.search(line.source)]
    if not 2 <= len(marked) < len(good) / 2:
        return ""
    return (
        f"{len(marked):,} of the first {len(good):,} sources end in a number in brackets, such as "
        f"{quoted(marked[0])}. To the model it is part of the word. If it numbers variants, take "
        r"it out, as with sed -E 's/\([0-9]+\)//'; a source then has several targets."
    )


def _of_comments(sample: _Sample) -> str:
    """Whether targets end in comments."""
    good = sample.good
    marked = [line.target for line in good if re.search(r"\s#\s*\w", line.target)]
    if not 1 <= len(marked) < len(good) / 2:
        return ""
    return (
        f"{len(marked):,} of the first {len(good):,} targets have # and words after it, such as "
        f"{quoted(marked[0])}. The model learns to write them: if they are comments, take them out."
    )
