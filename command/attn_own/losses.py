"""What a file loses: the lines that cannot be used, by what is wrong with them, and what helps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from attn_own.lines import HARMLESS, Reading
from attn_own.opening import raw_lines
from attn_own.wording import counted, quoted

_MOST = 1 / 20  # of the lines; more that are lost for one reason are hardly meant to be
_LENGTH = re.compile(r"a \w+ of (\d+) \w+; at most (\d+)")
_ENCODINGS = """
    cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 iso8859_2 koi8_r mac_roman cp437
    cp850 cp932 euc_jp gb18030 big5 cp949
    """.split()  # noqa: SIM905 - one a line would be long
_LOOKED_AT = 100_000  # lines of another encoding are looked for in so many


class LeftOut(NamedTuple):
    """A line that is not used: its number, counted from 1, what is wrong with it, and its file.

    of  the name of a test or validation file; "" for the corpus itself
    """

    number: int
    why: str
    of: str = ""

    def __str__(self) -> str:
        return f"{self.of and f'{self.of}, '}line {self.number}: {self.why}"


class Lost(NamedTuple):
    """How much of a file is lost. Empty lines, comments and a header are not counted.

    of       the name of a test or validation file; "" for the corpus itself
    lines    how many lines there are
    reasons  what is wrong with how many of them, the commonest first
    """

    of: str
    lines: int
    reasons: list[tuple[str, int]]

    def __str__(self) -> str:
        count = sum(each for _, each in self.reasons)
        why = "; ".join(f"{why}: {each:,}" for why, each in self.reasons)
        of = f" of {self.of}" if self.of else ""
        verb = "are" if count > 1 else "is"
        return f"{count:,} of the {counted(self.lines, 'line')}{of} {verb} left out ({why})."

    @property
    def too_many(self) -> bool:
        """Whether more are lost for one reason than anybody is likely to have meant."""
        return self.reasons[0][1] > max(1, _MOST * self.lines)


def losses(left_out: Sequence[LeftOut], good: Counter[str]) -> list[Lost]:
    """What each file has lost; a file that has lost nothing is not in the list.

    good  how many good lines there are, by the name of the file as in ``left_out``
    """
    found: dict[str, Counter[str]] = {}
    for each in left_out:
        if each.why not in HARMLESS:
            found.setdefault(each.of, Counter())[_reason(each.why)] += 1
    return [
        Lost(of, good[of] + counts.total(), counts.most_common()) for of, counts in found.items()
    ]


def _reason(why: str) -> str:
    """What many lines have in common: without what is true of one line alone."""
    if length := _LENGTH.fullmatch(why):
        return f"longer than {length[2]} symbols"
    why = re.sub(r" \(byte \d+ of the line\)", "", why)
    return re.sub(r"^\d+ columns; expected .*", "more than four columns", why)


def remedies(
    path: Path, reading: Reading, held: bytes | None, left_out: Iterable[LeftOut]
) -> list[str]:
    """What would help against the commonest losses of a file, in sentences."""
    whys = [each.why for each in left_out if each.why not in HARMLESS]
    lengths = sorted((int(m[1]) for why in whys if (m := _LENGTH.fullmatch(why))), reverse=True)
    said = []
    if lengths:
        enough = lengths[min(int(len(lengths) * _MOST), len(lengths) - 1)]
        more = f" (--longest {enough} all but a few)" if enough < lengths[0] / 2 else ""
        said.append(f"--longest {lengths[0]} reads the long lines too{more}.")
    held_or_file = held is not None or path.is_file()  # a pipe cannot be read again
    strange = any(why.startswith("not UTF-8") for why in whys)
    if held_or_file and strange and reading.encoding == "utf-8":
        said.append(of_encoding(path, held))
    return said


def of_encoding(path: Path, held: bytes | None = None) -> str:
    """Which encoding the lines that are not UTF-8 seem to have; "" if all lines are UTF-8."""
    from charset_normalizer import from_bytes  # here, since only such a file needs it

    strange, ours = [], 0
    for number, raw in enumerate(islice(raw_lines(path, held), _LOOKED_AT), start=1):
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
    said = f"{len(strange):,} {are} not UTF-8: the file seems "
    if ours > len(strange) / 10:
        return (
            f"{said}to mix two encodings, since {ours:,} other lines have signs in UTF-8. Convert "
            f"those that are not UTF-8; line {number} is the first."
        )
    words = [word for _, raw in strange[:2000] for word in raw.split() if not word.isascii()]
    matches = from_bytes(b"\n".join(words), cp_isolation=_ENCODINGS)
    # among equals Windows-1252, which is by far the commonest
    keys = [
        (round(m.chaos, 2), -round(m.coherence, 2), m.encoding != "cp1252", m.encoding)
        for m in matches
    ]
    names = [name.replace("cp125", "windows-125") for *_, name in sorted(keys)][:3]
    names = names or ["windows-1252"]

    def readings(raw: bytes) -> dict[str, str]:
        """The text of a line, each with the first encoding that reads it so."""
        return {raw.decode(name, "replace").strip(): name for name in reversed(names)}

    number, raw = max(strange[:200], key=lambda each: len(readings(each[1])))
    offers = ", or ".join(
        f"--encoding {name} reads it as {quoted(text)}"
        for text, name in sorted(readings(raw).items(), key=lambda each: names.index(each[1]))
    )
    return f"{said}to be in another encoding. Of line {number}, {offers}."
