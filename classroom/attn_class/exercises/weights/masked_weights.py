"""Exercise: turn scores into weights without looking at what may not be read.

    α_ij = exp(e_ij) / Σ_k exp(e_ik), over the readable k       Bahdanau et al. 2015, equation 6

    scores (batch source)   readable (batch source), True = may be read
        ->   weights (batch source)

A row in which nothing may be read has no weights: it raises a ValueError.
"""

import math

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

BATCH, SOURCE = Size(1, 3), Size(4, 7)
exercise = Exercise("weights_of(scores, readable)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(scores: Tensor, readable: Tensor) -> Tensor:
    """exp(-∞) is 0: a score of -∞ is the one that gets no weight at all."""
    if not readable.any(dim=-1).all():
        raise ValueError("in one row nothing may be read")
    return torch.softmax(scores.masked_fill(~readable, -torch.inf), dim=-1)


@exercise.must_also(
    "Every score gets one weight.",
    hint="The result has the shape of the scores, (batch, source). A hidden position keeps its "
    "place, with the weight 0.",
)
def one_weight_each(answer: Answer, draw: Draw) -> bool:
    return shaped(
        answer(scores=_scores(draw), readable=_everything(draw)), draw[BATCH], draw[SOURCE]
    )


@exercise.must_also(
    "Where every row has something to read, there is no ValueError.",
    hint="Your ValueError came although every row has something to read. One hidden position is no "
    "reason for it, only a row in which all are hidden.",
)
def rows_with_something_are_not_refused(answer: Answer, draw: Draw) -> bool:
    return not answer.refuses(ValueError, scores=_scores(draw), readable=_some(draw))


@exercise.must_also(
    "Something that may be read gets weight.",
    hint="True means “may be read”. Is the mask used the wrong way round?",
)
def mask_is_the_right_way_round(answer: Answer, draw: Draw) -> bool:
    readable = _some(draw)
    return bool(answer(scores=_scores(draw), readable=readable)[readable].count_nonzero())


@exercise.must_also(
    "Where everything may be read, each row of weights sums to one.",
    hint="Each row divides one unit among its own positions: sum along the last axis, dim=-1, not "
    "over the batch.",
)
def rows_sum_to_one(answer: Answer, draw: Draw) -> bool:
    weights = answer(scores=_scores(draw), readable=_everything(draw))
    return same(weights.sum(dim=-1), torch.ones(draw[BATCH]))


@exercise.must(
    "Where everything may be read, the weights are a softmax.",
    hint="α_j = exp(e_j) / Σ_k exp(e_k). Is it exp, of the scores themselves, with nothing "
    "multiplied or divided before?",
)
def is_a_softmax(answer: Answer, draw: Draw) -> bool:
    scores = _scores(draw)
    return answer.gives(
        _by_loops(scores, _everything(draw)), scores=scores, readable=_everything(draw)
    )


@exercise.must(
    "What may not be read gets no weight at all.",
    hint="The mask is not used, or one row's mask is used for another, or a hidden score became 0 "
    "or some other number. exp(0) is 1, which is no small weight: only exp(-∞) is 0.",
)
def hidden_positions_get_none(answer: Answer, draw: Draw) -> bool:
    readable = _some(draw)
    found = answer(scores=_scores(draw), readable=readable)
    return bool(found.any()) and not found[~readable].any()


@exercise.must_also(
    "Where something is hidden, each row of weights still sums to one.",
    hint="The weight that the hidden positions would have had is lost. Hide them before the "
    "softmax, with a score of -∞.",
)
def masked_rows_sum_to_one(answer: Answer, draw: Draw) -> bool:
    weights = answer(scores=_scores(draw), readable=_some(draw))
    return same(weights.sum(dim=-1), torch.ones(draw[BATCH]))


@exercise.must(
    "The weights are a softmax over what may be read.",
    hint="The weight that hidden positions give up goes to the others in proportion to exp(e_j), "
    "not in equal parts.",
)
def is_a_masked_softmax(answer: Answer, draw: Draw) -> bool:
    scores, readable = _scores(draw), _some(draw)
    return answer.gives(_by_loops(scores, readable), scores=scores, readable=readable)


@exercise.must(
    "Adding 100 to every score changes nothing.",
    hint="exp(100) is beyond the largest float32, and ∞ / ∞ is not a number. Only differences of "
    "scores matter: subtract the row's maximum first, as torch.softmax does.",
)
def survives_large_scores(answer: Answer, draw: Draw) -> bool:
    scores, readable = _scores(draw), _some(draw)
    return answer.gives(_by_loops(scores, readable), scores=scores + 100, readable=readable)


@exercise.must(
    "What is hidden does not matter, whatever its score.",
    hint="A hidden place may hold any number. A softmax of all the scores can give it everything, "
    "and then nothing is left to divide by. Set its score to -∞ before the softmax: subtracting "
    "something may not be enough, and ∞ · 0 is not a number.",
)
def hidden_scores_do_not_matter(answer: Answer, draw: Draw) -> bool:
    scores, readable = _scores(draw), _some(draw)
    expected = _by_loops(scores, readable)
    large, infinite = (
        {"scores": scores.masked_fill(~readable, hidden), "readable": readable}
        for hidden in (3e4, torch.inf)
    )
    # an infinite score may be refused as no score at all, but must not become NaN
    return answer.gives(expected, **large) and (
        answer.refuses(Exception, **infinite) or answer.gives(expected, **infinite)
    )


@exercise.must_also(
    "A row in which nothing may be read raises a ValueError.",
    hint="There is no distribution over nothing. With -∞ the softmax gives NaN, with a large "
    "negative number it gives equal weights on padding; both hide a mistake. Look for such a row "
    "first, and raise ValueError.",
)
def empty_rows_are_refused(answer: Answer, draw: Draw) -> bool:
    readable = _some(draw)
    readable[draw.integer(BATCH)] = False
    return answer.refuses(ValueError, scores=_scores(draw), readable=readable)


def _scores(draw: Draw) -> Tensor:
    return draw.normal(BATCH, SOURCE)


def _everything(draw: Draw) -> Tensor:
    return torch.ones(draw[BATCH], draw[SOURCE], dtype=torch.bool)


def _some(draw: Draw) -> Tensor:
    """A mask whose rows differ, each with something to read and something hidden."""
    readable = draw.booleans(BATCH, SOURCE)
    for row in range(draw[BATCH]):
        readable[row, [row % draw[SOURCE], (row + 1) % draw[SOURCE]]] = True
        readable[row, (row + 2) % draw[SOURCE]] = False
    return readable


def _by_loops(scores: Tensor, readable: Tensor) -> Tensor:
    """The equation number by number."""
    rows = []
    for row, mask in zip(scores.tolist(), readable.tolist(), strict=True):
        total = sum(math.exp(e) for e, may in zip(row, mask, strict=True) if may)
        rows.append([math.exp(e) / total if may else 0.0 for e, may in zip(row, mask, strict=True)])
    return torch.tensor(rows)


exercise.must_pass_gradients(
    solution, lambda draw: {"scores": _scores(draw), "readable": _some(draw)}
)
