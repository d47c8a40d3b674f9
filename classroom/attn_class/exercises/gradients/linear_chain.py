"""Exercise: carry a gradient back through a linear recurrence.

h_t = W h_{t-1} + x_t,   steps times   ->   d loss / d h_0 = (Wᵀ)^steps · d loss / d h_steps

W (state state)   upstream (state), the gradient at the last state   steps, 0 or more
->   gradient (state), at the first state
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

STATE = Size(2, 5)
exercise = Exercise("carry_back(W, upstream, steps)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(W: Tensor, upstream: Tensor, steps: int) -> Tensor:
    """Each step back is one product with the transposed matrix."""
    gradient = upstream
    for _ in range(steps):
        gradient = W.T @ gradient
    return gradient


@exercise.must_also(
    "The gradient has the shape of the state.",
    hint="A gradient has as many entries as what it belongs to. Is it a matrix, a norm, or a "
    "product entry by entry?",
)
def shaped_like_the_state(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw, 2)), draw[STATE])


@exercise.must_also(
    "With no steps, the gradient comes back unchanged.",
    hint="With steps = 0 the first state is the last one. Does the loop start one too early, or is "
    "one product done before it?",
)
def no_step_changes_nothing(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, 0)
    return answer.gives(inputs["upstream"], **inputs)


@exercise.must(
    "A matrix that halves everything halves the gradient at each step.",
    hint="The matrix must be applied once for each step: with W = 1/2 on the diagonal three steps "
    "leave an eighth.",
)
def halves_at_each_step(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, 2 + draw.integer(5))
    inputs["W"] = torch.eye(draw[STATE]) / 2
    return answer.gives(inputs["upstream"] / 2 ** inputs["steps"], **inputs)


@exercise.must_also(
    "The steps follow each other: three are two and then one more.",
    hint="The power of a matrix is a product of matrices: W ** 3 takes each entry to the third "
    "power instead. torch.linalg.matrix_power(W, 3), or a loop, is what is meant.",
)
def steps_follow_each_other(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, 3)
    halfway = answer(**inputs | {"steps": 2})
    return answer.gives(answer(**inputs | {"upstream": halfway, "steps": 1}), **inputs)


@exercise.must(
    "Autograd finds the same.",
    hint="Forwards h is multiplied by W; backwards the gradient is multiplied by W transposed.",
)
def is_what_autograd_finds(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, 1 + draw.integer(5))
    first = state = draw.normal(STATE).requires_grad_()
    for _ in range(inputs["steps"]):
        state = inputs["W"] @ state + draw.normal(STATE)
    expected = torch.autograd.grad(state @ inputs["upstream"], first)[0]
    return answer.gives(expected, **inputs)


def _inputs(draw: Draw, steps: int) -> dict[str, object]:
    return {"W": draw.normal(STATE, STATE), "upstream": draw.normal(STATE), "steps": steps}
