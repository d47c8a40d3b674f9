"""Exercise: join the summaries of two parts of a source, without reading either part again.

Each part of the source is summed up by its largest score m, by Z = Σ exp(e_j - m) and by
c = Σ exp(e_j - m) v_j. For both parts together:

m' = max(m₁, m₂),   Z' = exp(m₁ - m') Z₁ + exp(m₂ - m') Z₂,   c' likewise
                                             Milakov & Gimelshein 2018, section 3.1

one = (m, Z, c), other = (m, Z, c): m and Z (target), c (target value)   ->   (m', Z', c')
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

TARGET, VALUE, SOURCE = Size(3, 5), Size(2, 7), Size(3, 11)


def solution(one, other):
    """Bring both to the larger maximum, then add."""
    (m1, z1, c1), (m2, z2, c2) = one, other
    m = torch.maximum(m1, m2)
    s1, s2 = torch.exp(m1 - m), torch.exp(m2 - m)
    return m, s1 * z1 + s2 * z2, s1[:, None] * c1 + s2[:, None] * c2


def _part(scores, values):
    m = scores.amax(dim=1)
    powers = torch.exp(scores - m[:, None])
    return m, powers.sum(dim=1), powers @ values


def _inputs(draw: Draw, shift: float = 0.0) -> dict:
    scores = draw.normal(TARGET, draw[SOURCE] + 5, scale=1.0)
    scores[:, :5] += shift
    values = draw.normal(draw[SOURCE] + 5, VALUE)
    return {"one": _part(scores[:, :5], values[:5]), "other": _part(scores[:, 5:], values[5:])}


exercise = Exercise(
    "merge(one, other)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "The largest score of both is the larger of the two, target by target.",
            _inputs,
            "torch.maximum compares entry by entry; max gives the largest number of all.",
            part=0,
        ),
        Case(
            "Z' is the sum of exp(e_j - m') over both parts.",
            _inputs,
            "The sum of a part with a smaller maximum is too large: multiply it by exp(m - m').",
            part=1,
        ),
        Case(
            "c' is the sum of exp(e_j - m') v_j over both parts.",
            _inputs,
            "Rescale c like Z. Do not divide by Z' here: that is done once, after the last merge.",
            part=2,
        ),
        Case(
            "Scores that are far apart do no harm.",
            lambda draw: [_inputs(draw, shift) for shift in (200.0, -200.0)],
            "exp(m₁) alone is infinite for large scores. Subtract the larger maximum first: what "
            "is left in the exponent is never above 0.",
        ),
    ],
    slips={
        "": [
            ("torch.maximum", "torch.minimum"),
            ("torch.exp(m2 - m)", "torch.ones_like(m)"),
            ("s1[:, None] * c1 + s2[:, None] * c2", "c1 + c2"),
            ("torch.exp(m1 - m), torch.exp(m2 - m)", "torch.stack([m1, m2]).exp() / m.exp()"),
        ],
    },
    shape="m' and Z' are (target), c' is (target, value). To scale rows, write s[:, None].",
)
check = exercise.check
