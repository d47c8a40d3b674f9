"""Exercise: weights for whole batches, which read neither padding nor the future.

α_bij = exp(e_bij) / Σ_k exp(e_bik), over the k ≤ i with k < length_b
                                             Vaswani et al. 2017, section 3.2.3

scores (batch target source), as many targets as sources   lengths (batch), whole numbers
    ->   weights (batch target source)
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

BATCH, SOURCE = Size(1, 2), Size(3, 5)  # so few that the numbers are shown
exercise = Exercise("weights_behind(scores, lengths)", minutes=15, difficulty="moderate")
check = exercise.check


def solution(scores: Tensor, lengths: Tensor) -> Tensor:
    """Two masks of different shapes; broadcasting joins them."""
    size = scores.shape[-1]
    places = torch.arange(size)
    before = places <= places.unsqueeze(1)  # (target, source)
    real = places < lengths.view(-1, 1, 1)  # (batch, 1, source)
    return torch.softmax(scores.masked_fill(~(before & real), -torch.inf), dim=-1)


@exercise.must_also(
    "Every score gets one weight.",
    hint="The result has the shape of the scores, (batch, target, source). What is hidden keeps "
    "its place, with the weight 0.",
)
def one_weight_each(answer: Answer, draw: Draw) -> bool:
    return shaped(
        answer(scores=_scores(draw), lengths=_whole(draw)), draw[BATCH], draw[SOURCE], draw[SOURCE]
    )


@exercise.must_also(
    "No weight is NaN.",
    hint="A row with nothing but -∞ becomes NaN. Position 0 may always be read here: is the mask "
    "the wrong way round, or does a position not see itself?",
)
def no_row_is_empty(answer: Answer, draw: Draw) -> bool:
    return not answer(scores=_scores(draw), lengths=_lengths(draw)).isnan().any()


@exercise.must_also(
    "Each target reads itself and what came before: no weight lies above the diagonal.",
    hint="Rows are targets i, columns are sources j, and j ≤ i may be read. Is the causal mask "
    "missing, transposed or one place off?",
)
def reads_nothing_ahead(answer: Answer, draw: Draw) -> bool:
    weights = answer(scores=_scores(draw), lengths=_whole(draw))
    return not weights.triu(diagonal=1).any()


@exercise.must_also(
    "Where there is no padding, each target gives weight to itself and to all before it.",
    hint="j = i may be read too: if the diagonal were hidden, the first row would have nothing.",
)
def reads_all_behind(answer: Answer, draw: Draw) -> bool:
    weights = answer(scores=_scores(draw), lengths=_whole(draw))
    return bool((weights > 0).equal(torch.ones(draw[BATCH], draw[SOURCE], draw[SOURCE]).tril() > 0))


@exercise.must_also(
    "Each row of weights sums to one.",
    hint="The softmax goes over the source, the last axis (dim=-1), and the masks come before it. "
    "A mask that comes after takes weight away and gives it to nobody.",
)
def rows_sum_to_one(answer: Answer, draw: Draw) -> bool:
    weights = answer(scores=_scores(draw), lengths=_whole(draw))
    return same(weights.sum(dim=-1), torch.ones(draw[BATCH], draw[SOURCE]))


@exercise.must_also(
    "Padding gets no weight at all.",
    hint="In row b of the batch only j < length_b may be read, by every target. Are the lengths "
    "used, compared with the source positions, and each with its own row of the batch?",
)
def padding_gets_none(answer: Answer, draw: Draw) -> bool:
    lengths = _lengths(draw)
    weights = answer(scores=_scores(draw), lengths=lengths)
    return not any(weights[b, :, length:].any() for b, length in enumerate(lengths.tolist()))


@exercise.must(
    "With padding, each row of weights still sums to one, and is a softmax of what may be read.",
    hint="α = exp(e) over the sum of exp(e), over the readable positions alone. Both masks belong "
    "before the softmax, joined by &.",
)
def is_a_masked_softmax(answer: Answer, draw: Draw) -> bool:
    scores, lengths = _scores(draw), _lengths(draw)
    return _reads_as_expected(answer, scores, scores, lengths)


@exercise.must(
    "What is hidden does not matter, whatever its score.",
    hint="A padded position may hold any number. Set its score to -∞: multiplying it by 0 leaves "
    "exp(0) = 1, and subtracting something may not be enough.",
)
def hidden_scores_do_not_matter(answer: Answer, draw: Draw) -> bool:
    scores, lengths = _scores(draw), _lengths(draw)
    hidden = solution(scores, lengths) == 0
    large, infinite = (scores.masked_fill(hidden, value) for value in (3e4, torch.inf))
    # an infinite score may be refused as no score at all, but must not become NaN
    return _reads_as_expected(answer, large, scores, lengths) and (
        answer.refuses(Exception, scores=infinite, lengths=lengths)
        or _reads_as_expected(answer, infinite, scores, lengths)
    )


def _reads_as_expected(answer: Answer, given: Tensor, scores: Tensor, lengths: Tensor) -> bool:
    """A padded target may have the weights that it would have, or none: nobody reads its row."""
    expected = solution(scores, lengths)
    result = answer(scores=given, lengths=lengths)
    padded = torch.arange(scores.shape[1]) >= lengths.unsqueeze(1)
    empty = padded & (result == 0).all(dim=-1)
    return same(torch.where(empty.unsqueeze(-1), expected.to(result.dtype), result), expected)


def _scores(draw: Draw) -> Tensor:
    return draw.normal(BATCH, SOURCE, SOURCE)


def _whole(draw: Draw) -> Tensor:
    return torch.full((draw[BATCH],), draw[SOURCE])


def _lengths(draw: Draw) -> Tensor:
    """Different lengths, all shorter than the source, the longest first."""
    start = draw.integer(SOURCE)
    lengths = [1 + (start + row) % (draw[SOURCE] - 1) for row in range(draw[BATCH])]
    return torch.tensor(sorted(lengths, reverse=True))


exercise.must_pass_gradients(
    solution, lambda draw: {"scores": _scores(draw), "lengths": _whole(draw)}
)
