"""Exercise: the largest weight of each row.

m_i = max_j α_ij,   α = softmax(e)

scores (target source)   ->   one number for each target (target)
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

TARGET, SOURCE = Size(2, 5), Size(3, 7)
exercise = Exercise("largest(scores)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(scores: Tensor) -> Tensor:
    """The largest share of each row."""
    return torch.softmax(scores, dim=-1).amax(dim=-1)


@exercise.must_also("Every row gets one number.", hint="The maximum over the source.")
def one_number_a_row(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(scores=draw.normal(TARGET, SOURCE)), draw[TARGET])


@exercise.must("It is the row's largest weight.", hint="A softmax first, over the source.")
def is_the_largest(answer: Answer, draw: Draw) -> bool:
    scores = draw.normal(TARGET, SOURCE)
    powers = [[2.718281828459045**e for e in row] for row in scores.tolist()]
    return answer.gives(torch.tensor([max(row) / sum(row) for row in powers]), scores=scores)
