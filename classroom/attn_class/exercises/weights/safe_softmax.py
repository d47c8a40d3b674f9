"""Exercise: a softmax with a temperature, which does not overflow.

α_j = exp(e_j / τ) / Σ_k exp(e_k / τ)        Bahdanau et al. 2015, equation 6, with τ

scores (source)   temperature, above 0   ->   weights (source)
"""

import math

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

SOURCE = Size(3, 7)
exercise = Exercise(
    "my_softmax(scores, temperature)", without=["softmax"], minutes=10, difficulty="moderate"
)
check = exercise.check


def solution(scores: Tensor, temperature: float) -> Tensor:
    """Subtract the largest score first: exp of what is left lies between 0 and 1."""
    powers = torch.exp((scores - scores.max()) / temperature)
    return powers / powers.sum()


@exercise.must_also(
    "Every score gets one weight.",
    hint="The result has the shape of the scores, (source): all weights, not only the largest.",
)
def one_weight_each(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(scores=draw.normal(SOURCE), temperature=1.0), draw[SOURCE])


@exercise.must_also(
    "The weights sum to one.", hint="Divide each power by the sum of all the powers."
)
def sums_to_one(answer: Answer, draw: Draw) -> bool:
    weights = answer(scores=draw.normal(SOURCE), temperature=1.0)
    return same(weights.sum(), 1.0)


@exercise.must(
    "At temperature 1 the weights are exp(e_j) over the sum of all exp(e_k).",
    hint="Is it exp, of the scores themselves? A power of two, a square or the scores themselves "
    "give other shares.",
)
def is_a_softmax(answer: Answer, draw: Draw) -> bool:
    scores = draw.normal(SOURCE)
    return answer.gives(_by_loop(scores, 1.0), scores=scores, temperature=1.0)


@exercise.must_also(
    "A temperature above 1 brings the weights closer to each other.",
    hint="The scores are divided by the temperature. Did you multiply by it, or not use it?",
)
def warm_is_flatter(answer: Answer, draw: Draw) -> bool:
    scores = draw.normal(SOURCE)
    warm = answer(scores=scores, temperature=3.0)
    cool = _by_loop(scores, 1.0)
    return bool(warm.max() - warm.min() < 0.9 * (cool.max() - cool.min()))


@exercise.must(
    "The weights are a softmax of e / τ.",
    hint="The temperature divides the scores before exp. Dividing the powers or the weights by it "
    "cancels out or breaks the sum; a root of it is another temperature.",
)
def divides_the_scores(answer: Answer, draw: Draw) -> bool:
    scores, temperature = draw.normal(SOURCE), 0.4 + draw.integer(5) / 2
    expected = _by_loop(scores, temperature)
    return answer.gives(expected, scores=scores, temperature=temperature)


@exercise.must(
    "Adding 100 to every score changes nothing.",
    hint="exp(100) is beyond the largest float32, and ∞ / ∞ is not a number. Only differences "
    "count: subtract the largest score first.",
)
def survives_large_scores(answer: Answer, draw: Draw) -> bool:
    scores = draw.normal(SOURCE)
    return answer.gives(_by_loop(scores, 1.0), scores=scores + 100, temperature=1.0)


@exercise.must(
    "Subtracting 200 from every score changes nothing.",
    hint="exp(-200) is 0 in float32, and 0 / 0 is not a number. Subtract the largest score itself, "
    "whatever its sign: neither 0 nor an absolute value.",
)
def survives_small_scores(answer: Answer, draw: Draw) -> bool:
    scores = draw.normal(SOURCE)
    return answer.gives(_by_loop(scores, 1.0), scores=scores - 200, temperature=1.0)


@exercise.must(
    "Large scores do no harm at a low temperature either.",
    hint="The scores and what is subtracted from them must be in the same unit: subtract before "
    "both are divided by the temperature, or after both are.",
)
def survives_the_cold(answer: Answer, draw: Draw) -> bool:
    scores = draw.normal(SOURCE, scale=0.05)
    expected = _by_loop(scores, 0.1)
    return answer.gives(expected, scores=scores + 30, temperature=0.1)


@exercise.must_also(
    "One score may lie hundreds above the others.",
    hint="A power exceeds the largest number, and ∞ / ∞ is not a number. Subtracting the mean is "
    "not enough, and neither is a more precise type: subtract the largest score, and no power "
    "exceeds one.",
)
def survives_one_large_score(answer: Answer, draw: Draw) -> bool:
    scores, best = draw.normal(SOURCE), draw.integer(SOURCE)
    scores[best] += 300
    inputs = {"scores": scores, "temperature": 0.25}
    if answer.refuses(OverflowError, **inputs):  # which math.exp raises
        return False
    return answer.gives(torch.eye(draw[SOURCE])[best], **inputs)


def _by_loop(scores: Tensor, temperature: float) -> Tensor:
    """The equation number by number, in Python's own floats."""
    powers = [math.exp(score / temperature) for score in scores.tolist()]
    return torch.tensor([power / sum(powers) for power in powers])
