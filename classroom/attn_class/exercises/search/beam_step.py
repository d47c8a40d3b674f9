"""Exercise: one step of beam search.

sums (beam), logs (beam, symbol), width
->   the `width` likeliest continuations, the likeliest first: (beginning, symbol, sum)
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same

BEAMS, SYMBOLS = Size(2, 5), Size(5, 11)
exercise = Exercise("go_on(sums, logs, width)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(sums, logs, width):
    """All continuations compete; an index into the flat table gives a row and a column."""
    totals = (sums[:, None] + logs).flatten()
    best = totals.topk(width)
    symbols = logs.shape[1]
    return [
        (place // symbols, place % symbols, total)
        for total, place in zip(best.values.tolist(), best.indices.tolist(), strict=True)
    ]


@exercise.must_also(
    "There are as many continuations as the beam is wide.",
    hint="Return a list of `width` tuples (beginning, symbol, sum). Not `width` for each "
    "beginning: all of them compete for the same places.",
)
def as_many_as_the_beam_is_wide(answer: Answer, draw: Draw) -> bool:
    return all(_table(answer(**_inputs(draw), width=width)).shape == (width, 3) for width in (2, 5))


@exercise.must(
    "Each sum is that of its own beginning and symbol.",
    hint="ln(p q) = ln p + ln q: add the log-probability of the beginning to that of the symbol. "
    "Are the beginning and the symbol those of the same continuation, and in this order?",
)
def each_sum_is_its_own(answer: Answer, draw: Draw, inputs: dict) -> bool:
    table = _table(answer(**inputs, width=4))
    rows, columns = table[:, 0].long(), table[:, 1].long()
    if not ((rows >= 0) & (rows < draw[BEAMS]) & (columns >= 0) & (columns < draw[SYMBOLS])).all():
        return False
    return same(table[:, 2], inputs["sums"][rows].double() + inputs["logs"][rows, columns].double())


@exercise.must(
    "No continuation that is left out is likelier than one that is returned.",
    hint="Two continuations of one beginning may both be among the best, and those of another "
    "beginning may all be pruned.",
)
def they_are_the_likeliest(answer: Answer, draw: Draw, inputs: dict) -> bool:
    totals = (inputs["sums"][:, None] + inputs["logs"]).flatten().sort(descending=True).values
    found = _table(answer(**inputs, width=4))[:, 2].sort(descending=True).values
    return same(found, totals[:4].double())


@exercise.must_also(
    "The likeliest comes first.",
    hint="Sort by the sum, the largest first. Log-probabilities are negative: the largest is the "
    "nearest to zero.",
)
def the_likeliest_comes_first(answer: Answer, draw: Draw) -> bool:
    found = _table(answer(**_inputs(draw), width=5))[:, 2]
    return bool((found[:-1] >= found[1:]).all())


@exercise.draws
def _inputs(draw: Draw) -> dict:
    """Some beginnings are much likelier than others, so that not all go on."""
    sums = -torch.arange(draw[BEAMS]).float() - draw.normal(BEAMS).abs()
    return {"sums": sums, "logs": draw.normal(BEAMS, SYMBOLS, scale=1.5).log_softmax(dim=-1)}


def _table(result: object) -> Tensor:
    """The tuples as rows of numbers."""
    return torch.stack([torch.as_tensor([float(part) for part in row]) for row in result]).double()
