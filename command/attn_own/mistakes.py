"""Mistakes by kind: symbols missing, superfluous, replaced or exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from attn_course._signature import checked

KINDS = ("missing", "superfluous", "replaced", "exchanged")


class Mistake(NamedTuple):
    """One mistake: its kind, what was wanted, and what was written."""

    kind: str
    wanted: tuple[str, ...]
    written: tuple[str, ...]


@checked
def mistakes(answer: Sequence[str], target: Sequence[str]) -> list[Mistake]:
    """The fewest mistakes that turn the target into the answer, from left to right.

        d_ij = min(d_{i-1,j} + 1, d_{i,j-1} + 1, d_{i-1,j-1} + [y_i ≠ a_j],
                   d_{i-2,j-2} + 1 where y_{i-1} y_i = a_j a_{j-1})

    This is the distance of Damerau (1964): a symbol left out, added or replaced, or two neighbours
    exchanged. Among equally short ways, replacements are preferred.

    answer, target  their symbols, as lists
    """
    table = _distances(answer, target)
    i, j, listed = len(target), len(answer), []
    while i or j:
        here = table[i][j]
        if i and j and here == table[i - 1][j - 1] + (target[i - 1] != answer[j - 1]):
            if target[i - 1] != answer[j - 1]:
                listed.append(Mistake("replaced", (target[i - 1],), (answer[j - 1],)))
            i, j = i - 1, j - 1
        elif _exchanged(answer, target, i, j) and here == table[i - 2][j - 2] + 1:
            listed.append(Mistake("exchanged", tuple(target[i - 2 : i]), tuple(answer[j - 2 : j])))
            i, j = i - 2, j - 2
        elif i and here == table[i - 1][j] + 1:
            listed.append(Mistake("missing", (target[i - 1],), ()))
            i -= 1
        else:
            listed.append(Mistake("superfluous", (), (answer[j - 1],)))
            j -= 1
    return listed[::-1]


def _distances(answer: Sequence[str], target: Sequence[str]) -> list[list[int]]:
    """d_ij: how many mistakes there are between the first i of the target and j of the answer."""
    table = [list(range(len(answer) + 1))]
    for i in range(1, len(target) + 1):
        row = [i]
        for j in range(1, len(answer) + 1):
            replaced = table[i - 1][j - 1] + (target[i - 1] != answer[j - 1])
            best = min(table[i - 1][j] + 1, row[j - 1] + 1, replaced)
            if _exchanged(answer, target, i, j):
                best = min(best, table[i - 2][j - 2] + 1)
            row.append(best)
        table.append(row)
    return table


def _exchanged(answer: Sequence[str], target: Sequence[str], i: int, j: int) -> bool:
    """Whether two different neighbours stand in the other order."""
    if i < 2 or j < 2 or target[i - 1] == target[i - 2]:
        return False
    return target[i - 2] == answer[j - 1] and target[i - 1] == answer[j - 2]
