"""Exercise: which head looks one place back?

score_bh = mean over i > 0 of α^bh_{i, i-1}     the head with the largest score

weights (block head position position), causal   ->   two whole numbers: block and head, from 0
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

BLOCKS, HEADS, POSITIONS = Size(3, 7), Size(2, 5), Size(5, 13)
exercise = Exercise("head_that_looks_back(weights)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(weights):
    """The weights one below the diagonal, averaged; the place of the largest."""
    scores = weights.diagonal(offset=-1, dim1=2, dim2=3).mean(dim=-1)
    block, head = divmod(int(scores.argmax()), scores.shape[1])
    return block, head


def _weights(draw: Draw) -> torch.Tensor:
    scores = draw.normal(BLOCKS, HEADS, POSITIONS, POSITIONS, scale=0.3)
    return _shared(scores)


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


@exercise.must_also(
    "Two whole numbers come back: block and head.",
    hint="`argmax` of a table counts through all its entries; `divmod` by the number of heads "
    "makes block and head of that. Return a tuple of plain numbers.",
)
def two_numbers(answer: Answer, draw: Draw) -> bool:
    result = answer(weights=_weights(draw))
    return isinstance(result, tuple) and len(result) == 2 and all(int(n) == n for n in result)


@exercise.must(
    "A head that looks one back is found.",
    hint="Row i is what position i reads. Its weight on the place before it is `weights[.., i, i - "
    "1]`: one below the diagonal.",
)
def finds_it(answer: Answer, draw: Draw) -> bool:
    weights, chosen = _with_one(draw, 1, 6.0)
    return answer.gives(chosen, weights=weights)


@exercise.must(
    "A head that looks at itself, or two back, does not count.",
    hint="Only `offset=-1` of the diagonals. And the largest weight of a row may lie anywhere.",
)
def not_another_place(answer: Answer, draw: Draw) -> bool:
    weights, chosen = _with_one(draw, 1, 3.0)
    block, head = (chosen[0] + 1) % draw[BLOCKS], (chosen[1] + 1) % draw[HEADS]
    other, _ = _shared(draw.normal(2, POSITIONS, POSITIONS, scale=0.1)), None
    for number, offset in enumerate((0, 2)):
        scores = other[number].log().clone()
        scores.diagonal(-offset).add_(9.0)
        weights[(block + number) % draw[BLOCKS], head] = _shared(scores.nan_to_num(neginf=-1e9))
    return answer.gives(chosen, weights=weights)


@exercise.must(
    "Every position counts alike.",
    hint="Take the mean over all positions but the first. One row with a large weight is not "
    "enough, and neither is the last row alone.",
)
def on_average(answer: Answer, draw: Draw) -> bool:
    weights, chosen = _with_one(draw, 1, 2.0)
    other = ((chosen[0] + 1) % draw[BLOCKS], draw.integer(HEADS))
    row = 1 + draw.integer(draw[POSITIONS] - 1)
    weights[other][1:, :] = 0.0
    weights[other].diagonal().fill_(1.0)
    for place in {row, draw[POSITIONS] - 1}:
        weights[other][place] = 0.0
        weights[other][place, place - 1] = 1.0
    return answer.gives(solution(weights), weights=weights)
