"""What a student's code stands for in assignments: some locales, or a task on letters.

A code is eight hexadecimal digits, which a teacher draws for each student from a secret seed
(`attn_class.grading.variants`). Everybody can see what a code stands for; nobody can
choose one.

>>> own_locales("00c0ffee")
('en_US', 'el', 'pl', 'fa')
>>> own_task("00c0ffee")
OwnTask(rule='interleave', letters='cdghijlmnorstvxyz', lengths=range(2, 15), seeds=(69, 111, 120))

The locales of every student hold the same difficulties: American dates, dates of a second order
that can be mistaken for them, dates with dots, and another script or other digits. So the ceiling
is below 1 for everybody, and nearly the same. All rules keep the information in the letters, so a
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
LOCALE_GROUPS = (
    ("en_US",),
    ("es", "el", "hi", "th"),  # 3/4/05 is the third of April here
    ("de", "da", "fi", "pl", "tr", "ru", "uk", "he"),
    ("ja", "zh_Hans", "ko", "ar_EG", "fa"),
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
def own_locales(code: Code) -> tuple[str, ...]:
    """The locales of a code, one of each group."""
    rng = generator("locales", code)
    return tuple(rng.choice(group) for group in LOCALE_GROUPS)


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
