"""Exercise: hide the first position from all later ones, without scaling the rest.

α'_i0 = 0 for i > 0, every other weight as it is      c_i = Σ_j α'_ij v_j

weights (head position position), causal   values (head position part)   ->   (head position part)
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

HEADS, POSITIONS, PART = Size(2, 3), Size(4, 11), Size(5, 7)
exercise = Exercise("contexts(weights, values)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(weights, values):
    """The first row keeps its only weight; the others find less, and nothing new."""
    kept = weights.clone()
    kept[:, 1:, 0] = 0.0
    return kept @ values


@exercise.draws
def _inputs(draw: Draw) -> dict:
    scores = draw.normal(HEADS, POSITIONS, POSITIONS, scale=1.0)
    hidden = torch.ones(draw[POSITIONS, POSITIONS], dtype=torch.bool).triu(1)
    return {
        "weights": scores.masked_fill(hidden, -torch.inf).softmax(dim=-1),
        "values": draw.normal(HEADS, POSITIONS, PART, scale=1.0),
    }


@exercise.must_also(
    "There is a context for each head and position.",
    hint="The first position is hidden, not removed: the weights keep their shape. Have you "
    "averaged the values?",
)
def keeps_the_shape(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), *draw[HEADS, POSITIONS, PART])


@exercise.must_also(
    "The first position still finds its own value.",
    hint="It has nothing else to read. Only the later rows lose their weight on it.",
)
def the_first_reads_itself(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return same(answer(**inputs)[:, 0], inputs["values"][:, 0])


@exercise.must_also(
    "The first value changes no later context.",
    hint="The weight on position 0 must be exactly 0 in every row but the first: column 0, not "
    "row 0.",
)
def later_ones_do_not_read_it(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before = answer(**inputs)
    inputs["values"] = inputs["values"].clone()
    inputs["values"][:, 0] += 3
    return same(answer(**inputs)[:, 1:], before[:, 1:])


@exercise.must(
    "The other weights stay as they are.",
    hint="Do not divide by what is left: then the rows would sum to 1 again, and what the others "
    "give would grow.",
)
def the_rest_is_not_scaled(answer: Answer, draw: Draw) -> bool:
    return answer.agrees(solution, **_inputs(draw))


exercise.must_pass_gradients(solution, _inputs)
