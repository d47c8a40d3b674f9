"""Exercise: the exact alignment of a date format that the course has not seen.

    fields, one letter for each source character: y, m, d, or anything else for none of them
        "1998.5.3" is "yyyy.m.d"
    ->   boolean (10 source): may this character of YYYY-MM-DD be read from that source character?

A target character may be read from any character of its field. The two hyphens are made from
nothing.
"""

import torch

from attn_class.exercises.frame import Answer, Case, Draw, Exercise


def solution(fields):
    """A target character and a source character belong together if they share a field."""
    return torch.tensor(
        [[letter == field and field in "ymd" for letter in fields] for field in "yyyy-mm-dd"]
    )


def _format(draw: Draw, mark: str = "") -> str:
    """A format with fields in any order and of any width, such as ``--d mmmmm.yy``."""
    marks = [mark or "./, -"[draw.integer(5)] for _ in range(4)]
    widths = {"y": 2 + 2 * draw.integer(2), "m": 1 + draw.integer(5), "d": 1 + draw.integer(2)}
    order = ["ymd", "dmy", "mdy", "ydm"][draw.integer(4)]
    first, *pieces = [
        mark + field * widths[field] for mark, field in zip(marks, order, strict=False)
    ]
    return first[draw.integer(2) :] + "".join(pieces) + marks[3]


def _formats(draw: Draw) -> list[dict]:
    return [{"fields": _format(draw, mark)} for mark in ("-", "", "", "")]


exercise = Exercise(
    "gold(fields)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Every row may be read from the whole of its field, and from nothing else.",
            _formats,
            "YYYY are the first four rows, 0 to 3. Each of them may be read from any character of "
            "the year, wherever the year stands in the source.",
        ),
    ],
    slips={
        "The hyphens of YYYY-MM-DD do not come from the source, even if it has a hyphen: every "
        "date has them. Rows are counted from 0.": [(' and field in "ymd"', "")],
        "Nothing in YYYY-MM-DD is made from dots, spaces or the name of the weekday: their columns "
        "are empty.": [("letter == field", "(letter == field or letter in './, ')")],
        "MM are rows 5 and 6, since row 4 is a hyphen. The name of a month is a month too, and may "
        "be longer than two characters.": [
            lambda fields: solution(fields.translate(str.maketrans("md", "dm"))),
        ],
        "DD are rows 8 and 9, the last two. Both are read from a day of one digit: the 0 of 03 "
        "comes from the 3.": [
            lambda fields: (
                solution(fields) & (torch.arange(10) + (fields.count("d") > 1) != 8)[:, None]
            ),
        ],
        "": [lambda fields: solution(fields).roll(1, dims=0)],
    },
    shape="Rows are targets and columns are sources, as in every table of weights of this book: "
    "torch.zeros(10, len(fields), dtype=torch.bool). Is it transposed? Do the two hyphens have "
    "their rows?",
)
check = exercise.check


@exercise.must_also("The table is boolean.", hint="A link is there or not: dtype=torch.bool.")
def is_boolean(answer: Answer, draw: Draw) -> bool:
    return answer(fields="yyyy.m.d").dtype == torch.bool
