"""Exercise: one step of beam search.

sums (beam), logs (beam, symbol), width
->   the `width` likeliest continuations, the likeliest first: (beginning, symbol, sum)
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

BEAMS, SYMBOLS = Size(2, 5), Size(5, 11)


def solution(sums, logs, width):
    """All continuations compete; an index into the flat table gives a row and a column."""
    totals = (sums[:, None] + logs).flatten()
    best = totals.topk(width)
    symbols = logs.shape[1]
    return [
        (place // symbols, place % symbols, total)
        for total, place in zip(best.values.tolist(), best.indices.tolist(), strict=True)
    ]


def _inputs(draw: Draw) -> dict:
    """Some beginnings are much likelier than others, so that not all go on."""
    sums = -torch.arange(draw[BEAMS]).float() - draw.normal(BEAMS).abs()
    return {"sums": sums, "logs": draw.normal(BEAMS, SYMBOLS, scale=1.5).log_softmax(dim=-1)}


exercise = Exercise(
    "go_on(sums, logs, width)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "No continuation that is left out is likelier than one that is returned.",
            lambda draw: [_inputs(draw) | {"width": width} for width in (2, 4, 5)],
            "Two continuations of one beginning may both be among the best, and those of another "
            "beginning may all be pruned.",
        ),
    ],
    slips={
        "ln(p q) = ln p + ln q: add the log-probability of the beginning to that of the symbol. "
        "Are the beginning and the symbol those of the same continuation, and in this order?": [
            ("sums[:, None] + logs", "sums[:, None] * logs"),
            ("sums[:, None] + logs", "logs"),
            (
                "(place // symbols, place % symbols, total)",
                "(place % symbols, place // symbols, total)",
            ),
        ],
        "Sort by the sum, the largest first. Log-probabilities are negative: the largest is the "
        "nearest to zero.": [lambda *inputs: solution(*inputs)[::-1]],
        "": [lambda sums, logs, width: solution(sums, logs, logs.numel())[-width:]],
    },
    shape="Return a list of `width` tuples (beginning, symbol, sum). Not `width` for each "
    "beginning: all of them compete for the same places.",
)
check = exercise.check
