"""Exercise: other weights, the same context.

Σ_j α_j h_j = Σ_j α'_j h_j,   Σ_j α_j = Σ_j α'_j = 1,   α ≠ α'

weights (source), all above zero   annotations (source annotation), source > annotation + 1
    ->   other weights (source)

With more positions than entries plus one, some change of the weights leaves the context unchanged.
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

SOURCE, ANNOTATION = Size(6, 13), Size(2, 3)
exercise = Exercise("other_weights(weights, annotations)", minutes=15, difficulty="hard")
check = exercise.check


def solution(weights, annotations):
    """Go along an unseen direction until the first weight reaches zero."""
    rows = torch.cat([annotations, torch.ones(len(weights), 1)], dim=1)  # and the sum
    unseen = torch.linalg.svd(rows.T).Vh[-1]  # rows.T @ unseen = 0
    falling = unseen < 0
    farthest = (weights[falling] / -unseen[falling]).min()
    return (weights + farthest * unseen).clamp(min=0)


@exercise.draws
def _inputs(draw: Draw) -> dict:
    return {
        "weights": (draw.normal(SOURCE).softmax(dim=0) + 1 / draw[SOURCE]) / 2,  # none near zero
        "annotations": draw.normal(SOURCE, ANNOTATION, scale=1.0),
    }


def _close(one: Tensor, two: Tensor) -> bool:
    return bool(torch.as_tensor(one).shape == two.shape and (one - two).abs().max() < 1e-3)


@exercise.must_also("It returns one weight for each position.", hint="As many weights as came in.")
def one_weight_a_position(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[SOURCE])


@exercise.must_also(
    "The context stays what it was.",
    hint="Only some directions cannot be seen: those d with Σ_j d_j h_j = 0. The last rows of Vh "
    "of torch.linalg.svd(annotations.T) are such directions.",
)
def the_context_stays(answer: Answer, draw: Draw, inputs: dict) -> bool:
    context = inputs["weights"] @ inputs["annotations"]
    return _close(answer(**inputs).float() @ inputs["annotations"], context)


@exercise.must_also(
    "The new weights sum to one.",
    hint="The sum must stay, too. Give each annotation one more entry that is always 1: then the "
    "directions that cannot be seen leave the sum alone.",
)
def they_sum_to_one(answer: Answer, draw: Draw) -> bool:
    return _close(answer(**_inputs(draw)).sum(), torch.tensor(1.0))


@exercise.must_also(
    "No weight is negative.",
    hint="A weight can shrink only until it is zero: take a smaller step along the direction.",
)
def none_is_negative(answer: Answer, draw: Draw) -> bool:
    return bool((answer(**_inputs(draw)) > -1e-6).all())


@exercise.must(
    "The weights are different: one of them changes by 0.01 or more.",
    hint="The same weights have the same context, but that is no discovery. Go as far along the "
    "direction as the weights allow.",
)
def they_are_others(answer: Answer, draw: Draw, inputs: dict) -> bool:
    moved = answer(**inputs).float() - inputs["weights"]
    stays = _close(moved @ inputs["annotations"], torch.zeros(draw[ANNOTATION]))
    return stays and bool(moved.abs().max() > 0.01)
