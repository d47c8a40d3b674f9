"""Exercise: what did a translation leave unread?

weights (target, source), beta   ->   beta * sum_j ln min(sum_i weights_ij, 1)    Wu et al. 2016
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

TARGET, SOURCE = Size(7, 11), Size(3, 5)
exercise = Exercise("penalty(weights, beta)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(weights, beta):
    """Sum over the target first: how much was each source position read in all?"""
    return beta * weights.sum(dim=0).clamp(max=1).log().sum().item()


@exercise.must_also(
    "It is one number, and 0 if every position was read in full.",
    hint="Each position of the source adds its logarithm; ln 1 = 0.",
)
def nothing_left_unread(answer: Answer, draw: Draw) -> bool:
    return answer.gives(0.0, weights=torch.eye(draw[SOURCE]), beta=0.5)


@exercise.must_also(
    "A position that is read twice does not make up for another.",
    hint="Clamp each position's sum to at most 1 before the logarithm: `clamp(max=1)`.",
)
def twice_is_no_more_than_once(answer: Answer, draw: Draw) -> bool:
    weights = torch.eye(draw[SOURCE])[[0, 0, 0, *range(1, draw[SOURCE])]]
    return answer.gives(0.0, weights=weights, beta=1.0)


@exercise.must(
    "It is beta times the sum, over source positions, of the logarithm of how much each was read.",
    hint="Sum over the target first (dim=0), clamp, take the logarithm, sum over the source. A row "
    "of weights always sums to one; it is the columns that matter. And the sign: what is left "
    "unread makes a score smaller.",
)
def the_sum_of_the_logarithms(answer: Answer, draw: Draw) -> bool:
    weights = draw.normal(TARGET, draw[SOURCE] + 4, scale=2.0).softmax(dim=-1)
    beta = 0.25 * (1 + draw.integer(5))
    total = 0.0
    for j in range(draw[SOURCE] + 4):
        read = sum(float(weights[i, j]) for i in range(draw[TARGET]))
        total += float(torch.tensor(min(read, 1.0)).log())
    return answer.gives(beta * total, weights=weights, beta=beta)
