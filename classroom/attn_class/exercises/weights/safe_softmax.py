"""Exercise: a softmax with a temperature, which does not overflow.

α_j = exp(e_j / τ) / Σ_k exp(e_k / τ)        Bahdanau et al. 2015, equation 6, with τ

scores (source)   temperature, above 0   ->   weights (source)
"""

import math

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

SOURCE = Size(3, 7)


def solution(scores: Tensor, temperature: float) -> Tensor:
    """Subtract the largest score first: exp of what is left lies between 0 and 1."""
    powers = torch.exp((scores - scores.max()) / temperature)
    return powers / powers.sum()


def _inputs(draw: Draw, add: float = 0.0, temperature: float = 1.0, scale: float = 0.5) -> dict:
    return {"scores": draw.normal(SOURCE, scale=scale) + add, "temperature": temperature}


def _one_large(draw: Draw) -> dict:
    inputs = _inputs(draw, temperature=0.25)
    inputs["scores"][draw.integer(SOURCE)] += 300
    return inputs


_SURVIVES_ONE_LARGE_SCORE = (
    "A power exceeds the largest number, and ∞ / ∞ is not a number. Subtracting the mean is not "
    "enough, and neither is a more precise type: subtract the largest score, and no power exceeds "
    "one."
)
exercise = Exercise(
    "my_softmax(scores, temperature)",
    without=["softmax"],
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "At temperature 1 the weights are exp(e_j) over the sum of all exp(e_k).",
            _inputs,
            "Is it exp, of the scores themselves? A power of two, a square or the scores "
            "themselves give other shares.",
        ),
        Case(
            "The weights are a softmax of e / τ.",
            lambda draw: _inputs(draw, temperature=0.4 + draw.integer(5) / 2),
            "The temperature divides the scores before exp. Dividing the powers or the weights by "
            "it cancels out or breaks the sum; a root of it is another temperature.",
        ),
        Case(
            "Adding 100 to every score changes nothing.",
            lambda draw: _inputs(draw, 100.0),
            "exp(100) is beyond the largest float32, and ∞ / ∞ is not a number. Only differences "
            "count: subtract the largest score first.",
        ),
        Case(
            "Subtracting 200 from every score changes nothing.",
            lambda draw: _inputs(draw, -200.0),
            "exp(-200) is 0 in float32, and 0 / 0 is not a number. Subtract the largest score "
            "itself, whatever its sign: neither 0 nor an absolute value.",
        ),
        Case(
            "Large scores do no harm at a low temperature either.",
            lambda draw: _inputs(draw, 30.0, 0.1, 0.05),
            "The scores and what is subtracted from them must be in the same unit: subtract before "
            "both are divided by the temperature, or after both are.",
        ),
        Weak(
            "One score may lie hundreds above the others.",
            _one_large,
            _SURVIVES_ONE_LARGE_SCORE,
        ),
    ],
    slips={
        "Divide each power by the sum of all the powers.": [
            (" / powers.sum()", ""),
            lambda scores, temperature: torch.exp(scores / temperature),
        ],
        _SURVIVES_ONE_LARGE_SCORE: [
            lambda scores, temperature: [
                math.exp(one / temperature) / sum(math.exp(score / temperature) for score in scores)
                for one in scores.tolist()
            ],
        ],
        "The scores are divided by the temperature. Did you multiply by it, or not use it?": [
            ("/ temperature", "* temperature"),
            (" / temperature", ""),
        ],
        "": [
            ("torch.exp", "torch.exp2"),
            ("/ temperature", "/ temperature**0.5"),
            (" - scores.max()", ""),
            ("scores.max()", "scores.abs().max()"),
            ("(scores - scores.max()) / temperature", "scores / temperature - scores.max()"),
            ("scores - scores.max()", "scores.double()"),
        ],
    },
    shape="The result has the shape of the scores, (source): all weights, not only the largest.",
)
check = exercise.check
