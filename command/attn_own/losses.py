"""What a file loses: the lines that cannot be used, by what is wrong with them, and what helps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from attn_own.lines import HARMLESS, Line, PairFile
from attn_own.suspicions import encoding_of, suspected
from attn_own.wording import Refusal, counted

_MOST = 1 / 20  # of the lines; more that are lost for one reason are hardly meant to be
_LENGTH = re.compile(r"a \w+ of (\d+) \w+; at most (\d+)")


class LeftOut(NamedTuple):
    """A line that is not used: its number, counted from 1, what is wrong with it, and its file."""

    number: int
    why: str
    of: str = ""  # the name of a test or validation file; "" for the corpus itself

    def __str__(self) -> str:
        return f"{self.of and f'{self.of}, '}line {self.number}: {self.why}"


class Lost(NamedTuple):
    """How much of a file is lost. Empty lines, comments and a header are not counted."""

    of: str  # the name of a test or validation file; "" for the corpus itself
    lines: int
    reasons: list[tuple[str, int]]  # what is wrong with how many of them, the commonest first

    def __str__(self) -> str:
        count = sum(times for _, times in self.reasons)
        why = "; ".join(f"{why}: {times:,}" for why, times in self.reasons)
        of = f" of {self.of}" if self.of else ""
        verb = "are" if count > 1 else "is"
        return f"{count:,} of the {counted(self.lines, 'line')}{of} {verb} left out ({why})."

    @property
    def too_many(self) -> bool:
        """Whether more are lost for one reason than anybody is likely to have meant."""
        return self.reasons[0][1] > max(1, _MOST * self.lines)


class Tally:
    """What comes of a file: its good lines, as they are read, and afterwards what is lost.

    of  the name of a test or validation file; "" for the corpus itself
    """

    def __init__(self, file: PairFile, of: str = ""):
        self.file, self.of, self.good = file, of, 0
        self.left_out: list[LeftOut] = []

    def lines(self) -> Iterator[Line]:
        """The good lines."""
        for number, line in enumerate(self.file.lines(), start=1):
            if isinstance(line, Line):
                self.good += 1
                yield line
            else:
                self.left_out.append(LeftOut(self.file.at or number, line.why, self.of))

    @property
    def lost(self) -> Lost | None:
        """What the file has lost, if anything."""
        reasons = Counter(map(_reason, self._harmful)).most_common()
        return Lost(self.of, self.good + len(self._harmful), reasons) if reasons else None

    @property
    def _harmful(self) -> list[str]:
        return [line.why for line in self.left_out if line.why not in HARMLESS]

    def advice(self) -> list[str]:
        """What would help against the losses, and what the file looks like, in sentences."""
        return [*self._remedies(), *suspected(self.file)]

    def _remedies(self) -> list[str]:
        lengths = sorted(
            (int(match[1]) for why in self._harmful if (match := _LENGTH.fullmatch(why))),
            reverse=True,
        )
        remedies = []
        if lengths:
            enough = lengths[min(int(len(lengths) * _MOST), len(lengths) - 1)]
            more = f" (--longest {enough} all but a few)" if enough < lengths[0] / 2 else ""
            remedies.append(f"--longest {lengths[0]} reads the long lines too{more}.")
        strange = any(why.startswith("not UTF-8") for why in self._harmful)
        if strange and self.file.reading.encoding == "utf-8":
            remedies.append(encoding_of(self.file))
        return remedies

    def expect_most(self) -> None:
        """Refuse a file of which much would be lost for one reason, and say what would help."""
        if self.lost is None or not self.lost.too_many:
            return
        sentences = [
            f"{self.file.path}: {self.lost}",
            *self.advice(),
            f"Line {self.left_out[0].number} is the first. To go on without these lines, add "
            "--anyway.",
        ]
        raise Refusal("\n".join(dict.fromkeys(sentences)).removesuffix("."))


def _reason(why: str) -> str:
    """What many lines have in common: without what is true of one line alone."""
    if length := _LENGTH.fullmatch(why):
        return f"longer than {length[2]} symbols"
    why = re.sub(r" \(byte \d+ of the line\)", "", why)
    return re.sub(r"^\d+ columns; expected .*", "more than four columns", why)


def why_left_out(left_out: Sequence[LeftOut]) -> str:
    """How many lines are left out, and the commonest reason, as the end of a sentence."""
    if not left_out:
        return ""
    harmful = [line for line in left_out if line.why not in HARMLESS] or left_out
    reasons = Counter((line.of, _reason(line.why)) for line in harmful)
    (of, reason), count = reasons.most_common(1)[0]
    whys = {line.why for line in harmful if (line.of, _reason(line.why)) == (of, reason)}
    why = reason if len(whys) > 1 else whys.pop()
    many = f"{len(left_out):,} are left out, {count:,} of them" if left_out[1:] else "1 is left out"
    return f"; {many}{of and f' in {of}'} for this reason: {why}"
