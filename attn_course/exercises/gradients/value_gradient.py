"""Exercise: the gradient that comes back through the values that attention averages.

c_i = Σ_j α_ij h_j   ->   through the values alone   d loss / d h_j = Σ_i α_ij · d loss / d c_i

weights (target source)   upstream (target annotation), the gradient at each context
->   gradient (source annotation), at each annotation, as if the weights were constants
"""

import torch
from torch import Tensor

from attn_course.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

TARGET, SOURCE, ANNOTATION = Size(2, 3), Size(5, 7), Size(2, 11)
exercise = Exercise("back_through_values(weights, upstream)")
check = exercise.check


def solution(weights: Tensor, upstream: Tensor) -> Tensor:
    """Forwards, the weights gather from sources to targets; transposed, they distribute back."""
    return weights.T @ upstream


@exercise.must(
    "Each source position gets one gradient, as large as an annotation.",
    hint="The sum runs over the targets i, which are gone afterwards: what is left is (source, "
    "annotation).",
)
def one_gradient_each(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[SOURCE], draw[ANNOTATION])


@exercise.must(
    "A position that nobody looks at gets exactly nothing.",
    hint="Its weights are zero at every step, so nothing of it was in any context. Are the weights "
    "used, each in its own column? Was a softmax taken of them once more?",
)
def nothing_where_nobody_looks(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    j = draw.integer(SOURCE)
    inputs["weights"][:, j] = 0
    gradient = answer(**inputs)
    return same(gradient[j], torch.zeros(draw[ANNOTATION])) and bool((gradient != 0).any())


@exercise.must(
    "A step with all its weight on one position hands its whole gradient to that position.",
    hint="With α_ij = 1 the context *is* h_j, and its gradient is passed on unchanged: neither "
    "scaled nor divided.",
)
def all_to_where_it_looks(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    places = torch.randperm(draw[SOURCE], generator=_generator(draw))
    inputs["weights"] = torch.eye(draw[SOURCE])[places]
    inputs["weights"] = inputs["weights"][: draw[TARGET]]
    expected = torch.zeros(draw[SOURCE], draw[ANNOTATION])
    for i, j in enumerate(inputs["weights"].argmax(dim=1)):
        expected[j] = inputs["upstream"][i]
    return answer.gives(expected, **inputs)


@exercise.must(
    "All positions together get what all steps together send.",
    hint="The weights of a step sum to one: they share its gradient out, and nothing is lost. Is "
    "each row of weights used whole, or only its largest?",
)
def nothing_is_lost(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    return same(answer(**inputs).sum(dim=0), inputs["upstream"].sum(dim=0))


@exercise.must(
    "Autograd finds the same.",
    hint="Position j gets α_ij of the gradient at c_i, from every step i. Which index is summed?",
)
def is_what_autograd_finds(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    annotations = draw.normal(SOURCE, ANNOTATION).requires_grad_()
    contexts = inputs["weights"] @ annotations
    (expected,) = torch.autograd.grad(contexts, annotations, inputs["upstream"])
    return answer.gives(expected, **inputs)


def _inputs(draw: Draw) -> dict[str, Tensor]:
    weights = torch.softmax(draw.normal(TARGET, SOURCE, scale=1.0), dim=-1)
    return {"weights": weights, "upstream": draw.normal(TARGET, ANNOTATION)}


def _generator(draw: Draw) -> torch.Generator:
    return torch.Generator().manual_seed(draw.integer(1000))
