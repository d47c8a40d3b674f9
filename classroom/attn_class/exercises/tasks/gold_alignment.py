"""Exercise: the exact alignment of a date format that the course has not seen.

    fields, one letter for each source character: y, m, d, or anything else for none of them
        "1998.5.3" is "yyyy.m.d"
    ->   boolean (10 source): may this character of YYYY-MM-DD be read from that source character?

A target character may be read from any character of its field. The two hyphens are made from
nothing.
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, same

TARGET = "yyyy-mm-dd"
YEAR, MONTH, DAY, HYPHENS = [0, 1, 2, 3], [5, 6], [8, 9], [4, 7]
exercise = Exercise("gold(fields)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(fields):
    """A target character and a source character belong together if they share a field."""
    return torch.tensor(
        [[made == field and field in "ymd" for made in fields] for field in "yyyy-mm-dd"]
    )


@exercise.must_also(
    "There is a row for each of the 10 target characters and a column for each source character.",
    hint="Rows are targets and columns are sources, as in every table of weights of this book: "
    "torch.zeros(10, len(fields), dtype=torch.bool). Is it transposed? Do the two hyphens have "
    "their rows?",
)
def rows_are_targets(answer: Answer, draw: Draw) -> bool:
    fields = "yyyy.m.d"
    return tuple(answer(fields=fields).shape) == (10, len(fields))


@exercise.must_also("The table is boolean.", hint="A link is there or not: dtype=torch.bool.")
def is_boolean(answer: Answer, draw: Draw) -> bool:
    return answer(fields="yyyy.m.d").dtype == torch.bool


@exercise.must_also(
    "The rows of the hyphens, 4 and 7, are empty.",
    hint="The hyphens of YYYY-MM-DD do not come from the source, even if it has a hyphen: every "
    "date has them. Rows are counted from 0.",
)
def hyphens_have_no_link(answer: Answer, draw: Draw) -> bool:
    return not answer(fields=_format(draw, mark="-"))[HYPHENS].any()


@exercise.must_also(
    "What belongs to no field has no link.",
    hint="Nothing in YYYY-MM-DD is made from dots, spaces or the name of the weekday: their "
    "columns are empty.",
)
def other_characters_have_no_link(answer: Answer, draw: Draw) -> bool:
    fields = _format(draw)
    none = torch.tensor([field not in "ymd" for field in fields])
    return not answer(fields=fields)[:, none].any()


@exercise.must(
    "Rows 0 to 3 may be read from the whole year.",
    hint="YYYY are the first four rows, 0 to 3. Each of them may be read from any character of the "
    "year, wherever the year stands in the source.",
)
def year_reads_the_year(answer: Answer, draw: Draw) -> bool:
    return _field_is_right(answer, draw, "y", YEAR)


@exercise.must(
    "Rows 5 and 6 may be read from the whole month.",
    hint="MM are rows 5 and 6, since row 4 is a hyphen. The name of a month is a month too, and "
    "may be longer than two characters.",
)
def month_reads_the_month(answer: Answer, draw: Draw) -> bool:
    return _field_is_right(answer, draw, "m", MONTH)


@exercise.must(
    "Rows 8 and 9 may be read from the whole day.",
    hint="DD are rows 8 and 9, the last two. Both are read from a day of one digit: the 0 of 03 "
    "comes from the 3.",
)
def day_reads_the_day(answer: Answer, draw: Draw) -> bool:
    return _field_is_right(answer, draw, "d", DAY)


def _field_is_right(answer: Answer, draw: Draw, field: str, rows: list[int]) -> bool:
    for fields in (_format(draw) for _ in range(4)):
        expected = torch.tensor([made == field for made in fields])
        links = answer(fields=fields)
        if not all(same(links[row], expected) for row in rows):
            return False
    return True


def _format(draw: Draw, mark: str = "") -> str:
    """A format with fields in any order and of any width, such as ``--d mmmmm.yy``."""
    marks = [mark or "./, -"[draw.integer(5)] for _ in range(4)]
    widths = {"y": 2 + 2 * draw.integer(2), "m": 1 + draw.integer(5), "d": 1 + draw.integer(2)}
    order = ["ymd", "dmy", "mdy", "ydm"][draw.integer(4)]
    first, *pieces = [
        mark + field * widths[field] for mark, field in zip(marks, order, strict=False)
    ]
    return first[draw.integer(2) :] + "".join(pieces) + marks[3]
