"""What a student's code stands for in assignments: a task on letters, and three seeds.

A code is eight hexadecimal digits, which a teacher draws for each student from a secret seed
(`attn_class.grading.variants`). Everybody can see what a code stands for; nobody can
choose one.

>>> own_task("00c0ffee")
OwnTask(rule='interleave', letters='cdghijlmnorstvxyz', lengths=range(2, 15), seeds=(69, 111, 120))

All rules keep the information in the letters, so a
vector must hold as much for one as for another.
"""

from __future__ import annotations

import random
from typing import Annotated, NamedTuple

from attn_course._signature import checked
from attn_course._values import form

RULES = (
    *("every second first", "halves exchanged", "interleave"),
    *("ends first", "pairs swapped", "next letter"),
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
Code = Annotated[str, form("eight of the digits 0 to 9 and a to f", "[0-9a-f]{8}")]


class OwnTask(NamedTuple):
    """A rule of `RULES`, the letters and lengths of its sources, and the three seeds to use."""

    rule: str
    letters: str
    lengths: range
    seeds: tuple[int, int, int]


@checked
def own_task(code: Code) -> OwnTask:
    """The task of a code."""
    rng = generator("task", code)
    rule, count = rng.choice(RULES), rng.randint(14, 18)
    letters = "".join(sorted(rng.sample(_LETTERS, count)))
    first, second, third = sorted(rng.sample(range(1, 200), 3))
    lengths = range(2, rng.randint(12, 14) + 1)
    return OwnTask(rule, letters, lengths, (first, second, third))


@checked
def generator(what: str, code: Code) -> random.Random:
    """The random generator of a code and a purpose, the same in every process."""
    return random.Random(f"{what} {code}")
