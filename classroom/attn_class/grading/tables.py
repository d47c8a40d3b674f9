"""What hidden tests ask of tables that students hand in as text: read at once, or refused."""

import csv
import io
import math
from collections.abc import Collection, Sequence
from types import SimpleNamespace as Line

from attn_class.exercises.frame import Answer, Draw, Exercise

LINES, CHARACTERS = 3_000, 1_000_000  # so that no table takes long to check
LEAST_RATES = 4


def code(draw: Draw) -> str:
    """The digits that stand for the student's own variant."""
    return (draw.own or "0" * 64)[:8]


def must_have_the_code(exercise: Exercise, name: str = "variant_is_the_students") -> None:
    """Add the property that the first thing handed in is the student's own code."""

    def holds(answer: Answer, draw: Draw) -> bool:
        return answer()[0] == code(draw)

    holds.__name__ = name
    exercise.must(
        "VARIANT is the code that was given to you.",
        hint="The code must belong to the name under which you handed in. If you wrote the code "
        "that you were given, tell your teacher: the file may have another name.",
    )(holds)


def short(text: str, most: int = CHARACTERS) -> str:
    """The text, if it is one that can be read in no time."""
    if len(text) > most:
        raise ValueError(f"a text has {len(text):,} characters; it may have {most:,}")
    return text


def table(text: str, columns: Sequence[str], most: int = CHARACTERS) -> list[dict[str, str]]:
    """The rows of a table, by the names of its columns."""
    lines = [line.strip() for line in short(text, most).strip().splitlines() if line.strip()]
    if len(lines) > LINES:
        raise ValueError(f"a table has {len(lines):,} lines; it may have {LINES:,}")
    rows = list(csv.DictReader(io.StringIO("\n".join(lines)), skipinitialspace=True))
    if any(None in row or None in row.values() for row in rows):
        raise ValueError("a line with too many or too few cells")
    if not rows or tuple(map(str.strip, rows[0])) != tuple(columns):
        raise ValueError("other columns")
    return [{name: cell.strip() for name, cell in row.items()} for row in rows]


def results(
    rows: list[dict[str, str]], key: Sequence[str], positive: Sequence[str] = ()
) -> dict[tuple, Line]:
    """Lines by what tells them apart, numbers as numbers: all are whole but the rate.

    key       columns that no two lines share
    positive  columns with numbers above zero
    """
    lines = {}
    for row in rows:
        line = Line(condition=row["condition"], rate=float(row["rate"]))
        for name in row.keys() - {"condition", "rate"}:
            setattr(line, name, int(row[name]))
        enough = all(getattr(line, name) > 0 for name in positive)
        sound = line.condition and enough and 0 <= line.right <= line.tested > 0
        if not sound or not line.rate < math.inf:
            raise ValueError("a line whose numbers cannot be")
        line.share = line.right / line.tested
        lines[tuple(getattr(line, name) for name in key)] = line
    if len(lines) < len(rows):
        raise ValueError("a line twice")
    return lines


def best_was_used(
    rows: list[dict[str, str]],
    used: set[float],
    condition: str,
    planned: Collection[float] = (),
    **of: int,
) -> bool:
    """Whether a condition was used with its best rate, tried among others on both sides of it.

    Of equally good ones it may be any that is not at the edge.

    rows     a rate and its share in each
    planned  rates that must have been tried
    of       which rows of the condition, by whole numbers in their columns
    """
    wanted = (condition, *of.values())
    tried = {
        float(row["rate"]): float(row["share"])
        for row in rows
        if (row["condition"], *(int(row[name]) for name in of)) == wanted
    }
    shares = all(0 <= share <= 1 for share in tried.values())
    if len(tried) < LEAST_RATES or not shares or not {*planned} <= {*tried} or len(used) != 1:
        return False
    (best,) = used
    return tried.get(best) == max(tried.values()) and min(tried) < best < max(tried)


def is_true(kind: str, difference: float, margin: float) -> bool:
    """Whether a difference bears out a claim; the margin but for rounding counts as the margin."""
    if kind == "more":
        return difference >= margin - 1e-9
    return abs(difference) <= margin + 1e-9


def is_larger_than_chance(margin: float, pairs: int) -> bool:
    return 1 > margin >= 2 * math.sqrt(0.5 / pairs)
