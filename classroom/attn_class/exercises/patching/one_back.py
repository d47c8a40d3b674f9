"""Exercise: which head looks one place back?

score_bh = mean over i > 0 of α^bh_{i, i-1}     the head with the largest score

weights (block head position position), causal   ->   two whole numbers: block and head, from 0
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

BLOCKS, HEADS, POSITIONS = Size(3, 7), Size(2, 5), Size(5, 13)


def solution(weights):
    """The weights one below the diagonal, averaged; the place of the largest."""
    scores = weights.diagonal(offset=-1, dim1=2, dim2=3).mean(dim=-1)
    block, head = divmod(int(scores.argmax()), scores.shape[1])
    return block, head


def _shared(scores: torch.Tensor) -> torch.Tensor:
    size = scores.shape[-1]
    later = torch.ones(size, size, dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -torch.inf).softmax(dim=-1)


def _with_one(draw: Draw, offset: int, strength: float) -> tuple[torch.Tensor, tuple[int, int]]:
    """Weights in which one head looks ``offset`` back, and which one that is."""
    scores = draw.normal(BLOCKS, HEADS, POSITIONS, POSITIONS, scale=0.3)
    block = draw.integer(BLOCKS)
    chosen = block, draw.shuffled([head for head in range(draw[HEADS]) if head != block])[0]
    scores[chosen].diagonal(-offset).add_(strength)
    return _shared(scores), chosen


def _clear(draw: Draw) -> dict:
    return {"weights": _with_one(draw, 1, 6.0)[0]}


def _others_elsewhere(draw: Draw) -> dict:
    """Two other heads look at themselves and two back, more than one head looks one back."""
    weights, (block, head) = _with_one(draw, 1, 3.0)
    for number, offset in enumerate((0, 2)):
        scores = draw.normal(POSITIONS, POSITIONS, scale=0.1)
        scores.diagonal(-offset).add_(9.0)
        weights[(block + 1 + number) % draw[BLOCKS], (head + 1) % draw[HEADS]] = _shared(scores)
    return {"weights": weights}


def _some_rows_alone(draw: Draw) -> dict:
    """Another head looks one back, and with all its weight, in a row or two."""
    weights, chosen = _with_one(draw, 1, 2.0)
    other = ((chosen[0] + 1) % draw[BLOCKS], draw.integer(HEADS))
    weights[other] = torch.eye(draw[POSITIONS])
    for place in {1 + draw.integer(draw[POSITIONS] - 1), draw[POSITIONS] - 1}:
        weights[other][place] = torch.eye(draw[POSITIONS])[place - 1]
    return {"weights": weights}


exercise = Exercise(
    "head_that_looks_back(weights)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "A head that looks one back is found.",
            _clear,
            "Row i is what position i reads. Its weight on the place before it is `weights[.., i, "
            "i - 1]`: one below the diagonal.",
        ),
        Case(
            "A head that looks at itself, or two back, does not count.",
            _others_elsewhere,
            "Only `offset=-1` of the diagonals. And the largest weight of a row may lie anywhere.",
        ),
        Case(
            "Every position counts alike.",
            _some_rows_alone,
            "Take the mean over all positions but the first. One row with a large weight is not "
            "enough, and neither is the last row alone.",
        ),
    ],
    slips={
        "": [
            ("return block, head", "return head, block"),
            ("weights.diagonal(offset=-1, dim1=2, dim2=3)", "weights.amax(dim=-1)"),
            (".mean(dim=-1)", "[..., 1:].amax(dim=-1)"),
        ],
    },
    shape="`argmax` of a table counts through all its entries; `divmod` by the number of heads "
    "makes block and head of that. Return a tuple of plain numbers.",
)
check = exercise.check
