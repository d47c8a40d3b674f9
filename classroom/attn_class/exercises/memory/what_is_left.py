"""Exercise: how much is left, at each step, of what was written at each earlier step?

D_tj = Π λ_k over the k with j < k ≤ t, and 0 for j > t        Dao & Gu 2024

decays λ (position), above 0 and at most 1   ->   D (position position), rows are steps t
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

POSITION = Size(3, 7)
exercise = Exercise("left(decays)", minutes=15, difficulty="moderate")
check = exercise.check


def solution(decays):
    """The logarithm of a product between two places is a difference of two running sums."""
    total = decays.log().cumsum(dim=0)
    since = total[:, None] - total[None, :]
    future = torch.ones(len(decays), len(decays)).triu(diagonal=1) > 0
    return since.masked_fill(future, -torch.inf).exp()


def _decays(draw: Draw) -> Tensor:
    return torch.sigmoid(draw.normal(POSITION, scale=1.0))


def _by_loop(decays: Tensor) -> Tensor:
    size = len(decays)
    left = torch.zeros(size, size)
    for t in range(size):
        for j in range(t + 1):
            left[t, j] = decays[j + 1 : t + 1].prod()
    return left


@exercise.must_also(
    "There is a number for each pair of positions.",
    hint="Rows are the steps t of reading, columns the steps j of writing.",
)
def one_for_each_pair(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(decays=_decays(draw)), draw[POSITION], draw[POSITION])


@exercise.must_also(
    "Nothing is left of what has not been written yet: above the diagonal everything is 0.",
    hint="Rows are t, columns j, and j > t lies above the diagonal.",
)
def nothing_of_the_future(answer: Answer, draw: Draw) -> bool:
    return not answer(decays=_decays(draw)).triu(diagonal=1).any()


@exercise.must_also(
    "What has just been written is there in full: the diagonal is 1.",
    hint="Step t fades the memory before it writes its pair, so only older pairs fade: an empty "
    "product is 1.",
)
def the_newest_is_whole(answer: Answer, draw: Draw) -> bool:
    return same(answer(decays=_decays(draw)).diagonal(), torch.ones(draw[POSITION]))


@exercise.must(
    "One step later, what is left is the decay of that later step.",
    hint="D_{t,t-1} = λ_t: the decay of the step that reads, not of the step that wrote.",
)
def one_step_later(answer: Answer, draw: Draw) -> bool:
    decays = _decays(draw)
    return same(answer(decays=decays).diagonal(-1), decays[1:])


@exercise.must(
    "Over several steps the decays multiply.",
    hint="They multiply, they do not add up, and the decays need not be equal.",
)
def decays_multiply(answer: Answer, draw: Draw) -> bool:
    decays = _decays(draw)
    return answer.gives(_by_loop(decays), decays=decays)


@exercise.must_also(
    "Very small decays do no harm.",
    hint="The product of all decays up to t becomes 0, and a quotient of two such products is not "
    "a number. Take differences of logarithms, or multiply only the decays in between.",
)
def survives_small_decays(answer: Answer, draw: Draw) -> bool:
    decays = torch.full((draw[POSITION],), 1e-20)
    return answer.gives(_by_loop(decays), decays=decays)


exercise.must_pass_gradients(solution, lambda draw: {"decays": _decays(draw)})
