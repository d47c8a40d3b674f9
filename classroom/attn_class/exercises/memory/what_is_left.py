"""Exercise: how much is left, at each step, of what was written at each earlier step?

D_tj = Π λ_k over the k with j < k ≤ t, and 0 for j > t        Dao & Gu 2024

decays λ (position), above 0 and at most 1   ->   D (position position), rows are steps t
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

POSITION = Size(3, 7)


def solution(decays):
    """The logarithm of a product between two places is a difference of two running sums."""
    total = decays.log().cumsum(dim=0)
    since = total[:, None] - total[None, :]
    future = torch.ones(len(decays), len(decays)).triu(diagonal=1) > 0
    return since.masked_fill(future, -torch.inf).exp()


def _decays(draw: Draw) -> Tensor:
    return torch.sigmoid(draw.normal(POSITION, scale=1.0))


def _inputs(draw: Draw) -> dict[str, Tensor]:
    return {"decays": _decays(draw)}


exercise = Exercise(
    "left(decays)",
    minutes=15,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Over several steps the decays multiply.",
            _inputs,
            "They multiply, they do not add up, and the decays need not be equal.",
        ),
        Weak(
            "Very small decays do no harm.",
            lambda draw: {"decays": torch.full((draw[POSITION],), 1e-20)},
            "The product of all decays up to t becomes 0, and a quotient of two such products is "
            "not a number. Take differences of logarithms, or multiply only the decays in between.",
        ),
    ],
    slips={
        "Rows are t, columns j, and j > t lies above the diagonal.": [
            (".masked_fill(future, -torch.inf)", ""),
            lambda decays: solution(decays).T,
        ],
        "Step t fades the memory before it writes its pair, so only older pairs fade: an empty "
        "product is 1.": [lambda decays: solution(decays) * decays],
        "D_{t,t-1} = λ_t: the decay of the step that reads, not of the step that wrote.": [
            lambda decays: solution(torch.cat([decays[:1], decays[:-1]])),
            lambda decays: solution(decays[0].expand_as(decays)),
        ],
        "": [
            lambda decays: (
                decays[:, None]
                ** (torch.arange(len(decays))[:, None] - torch.arange(len(decays))).clamp(min=0)
            ).tril(),
            lambda decays: (decays.cumprod(0)[:, None] / decays.cumprod(0)).tril(),
        ],
    },
    gradients=_inputs,
    shape="Rows are the steps t of reading, columns the steps j of writing.",
)
check = exercise.check
