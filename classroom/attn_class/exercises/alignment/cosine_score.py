"""Exercise: the cosine, made sharp by a temperature.

    e_ij = cos(s_i, h_j) / τ                       Graves et al. 2014, equations 5 and 6 (β = 1/τ)

    queries (target d)   keys (source d)   temperature   ->   scores (target source)

A vector of zeros has no direction: its score is 0, never NaN.
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Case, Draw, Exercise, Size

TARGET, SOURCE, SIZE = Size(2, 5), Size(3, 7), Size(2, 11)


def solution(queries: Tensor, keys: Tensor, temperature: float) -> Tensor:
    """The smallest length allowed is tiny, so only a vector of zeros meets it."""
    queries, keys = (
        part / part.norm(dim=-1, keepdim=True).clamp(min=1e-12) for part in (queries, keys)
    )
    return queries @ keys.T / temperature


def _inputs(draw: Draw) -> dict[str, Tensor | float]:
    return {
        "queries": draw.normal(TARGET, SIZE),
        "keys": draw.normal(SOURCE, SIZE),
        "temperature": 0.7 + draw.integer(3) / 10,
    }


def _short(draw: Draw) -> dict[str, Tensor | float]:
    inputs = _inputs(draw)
    return inputs | {"keys": 1e-4 * inputs["keys"]}


def _with_zeros(draw: Draw) -> dict[str, Tensor | float]:
    inputs = _inputs(draw)
    inputs["queries"][draw.integer(TARGET)] = 0
    inputs["keys"][draw.integer(SOURCE)] = 0
    return inputs


exercise = Exercise(
    "cosine_of(queries, keys, temperature)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Every score is the cosine over the temperature.",
            _inputs,
            "Nearly: compare one score with the equation by hand. A cosine may be negative.",
        ),
        Case(
            "Very short vectors are compared as well as long ones.",
            _short,
            "Something was added to every length, or the smallest length allowed is too large: it "
            "then shrinks the scores of honest short vectors. 1e-12 is enough.",
        ),
        Case(
            "A query or a key of zeros has the score 0 with everything.",
            _with_zeros,
            "0 / 0 is not a number, and one NaN makes a whole row of weights NaN. Let no length, "
            "of a query or of a key, be smaller than a tiny number: norm.clamp(min=1e-12).",
        ),
    ],
    slips={
        "Each vector is divided by its own length: the norm along the last axis, kept as an axis "
        "of size one (keepdim=True) so that each row meets its own.": [
            lambda queries, keys, temperature: queries @ keys.T / temperature,
            (
                "for part in (queries, keys)",
                "if part is keys else part for part in (queries, keys)",
            ),
            ("part.norm(dim=-1, keepdim=True)", "part.norm()"),
            ("part.norm(dim=-1", "part.norm(dim=0"),
        ],
        "The cosine is divided by the temperature: below 1 it makes the weights sharper. It comes "
        "last; the lengths have nothing to do with it.": [
            ("/ temperature", "* temperature"),
            (" / temperature", ""),
        ],
        "cos(s, s) = 1. Were the vectors divided by their squared length, or by the sum of their "
        "entries? Was a softmax taken, or an angle computed?": [
            ("part.norm(", "part.square().sum("),
            ("part.norm(", "part.sum("),
            ("queries @ keys.T", "(queries @ keys.T).softmax(dim=-1)"),
            ("queries @ keys.T", "torch.acos((queries @ keys.T).clamp(-1, 1))"),
        ],
        "": [
            lambda *inputs: solution(*inputs).abs(),
            (".clamp(min=1e-12)", ""),
            (".clamp(min=1e-12)", " + 1e-6"),
            ("1e-12", "0.01"),
        ],
    },
    gradients=_inputs,
    shape="The result is (target, source). torch.cosine_similarity compares two tables row by row; "
    "here every query meets every key.",
)
exercise.draws(_inputs)
check = exercise.check


@exercise.must(
    "A vector with an infinite entry is not passed off as one with a direction.",
    hint="An infinite entry means that something went wrong before. Its scores stay NaN, or the "
    "call raises an error; nan_to_num hides it, along with the vectors of zeros for which it was "
    "meant. Make the division itself safe.",
)
def infinity_is_not_hidden(answer: Answer, draw: Draw, inputs: dict) -> bool:
    key = draw.integer(SOURCE)
    inputs["keys"][key, draw.integer(SIZE)] = torch.inf
    return answer.refuses(Exception, **inputs) or not answer(**inputs)[:, key].isfinite().any()
