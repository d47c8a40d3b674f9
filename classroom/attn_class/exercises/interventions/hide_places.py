"""Exercise: hide some places of a source, and scale the other weights to sum to 1 again.

α'_ij = 0 where j is hidden, otherwise α_ij / Σ_{k not hidden} α_ik
                                             Serrano & Smith 2019, section 3

weights (target source)   places (source), boolean, True = hidden   ->   weights (target source)
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

TARGET, SOURCE = Size(2, 5), Size(3, 11)
exercise = Exercise("hide(weights, places)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(weights, places):
    """Zeros, then shares of what is left."""
    kept = weights.masked_fill(places, 0.0)
    return kept / kept.sum(dim=-1, keepdim=True)


def _inputs(draw: Draw) -> dict:
    places = draw.booleans(SOURCE)
    places[draw.integer(SOURCE)] = False
    return {"weights": draw.normal(TARGET, SOURCE).softmax(dim=-1), "places": places}


@exercise.must_also(
    "There is a weight for each target and source position.",
    hint="Hidden places stay in the table, with weight 0. Only the numbers change.",
)
def keeps_the_shape(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[TARGET], draw[SOURCE])


@exercise.must(
    "Hidden places have no weight.",
    hint="True means hidden. Have you used the mask the other way round?",
)
def hidden_is_zero(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    found = answer(**inputs)
    return bool(found.any()) and not found[:, inputs["places"]].any()


@exercise.must_also(
    "Each row sums to 1 again.", hint="Divide by the sum of what is left, row by row."
)
def rows_sum_to_one(answer: Answer, draw: Draw) -> bool:
    return same(answer(**_inputs(draw)).sum(dim=-1), torch.ones(draw[TARGET]))


@exercise.must(
    "What is left keeps its proportions.",
    hint="In each row, all that is left grows by the same factor. A softmax of the weights does "
    "not do that.",
)
def keeps_proportions(answer: Answer, draw: Draw) -> bool:
    return answer.agrees(solution, **_inputs(draw))


exercise.must_pass_gradients(solution, _inputs)
