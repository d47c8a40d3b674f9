"""Exercise: estimate the context by drawing positions, and say how far off that may be.

c = E[h_j] with j drawn with probability α_j     estimate x̄ = 1/n Σ_k h_{j_k}
standard error of each entry                     s / √n

weights (source)   annotations (source annotation)   count n   seed of the drawing
    ->   estimate (annotation), standard error (annotation)
"""

import math

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

SOURCE, ANNOTATION, COUNT = Size(3, 7), Size(2, 11), 4001
exercise = Exercise("sample(weights, annotations, count, seed)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(weights, annotations, count, seed):
    """The drawn annotations are a sample: its mean, and its spread over the root of its size."""
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.multinomial(weights, count, replacement=True, generator=generator)
    sample = annotations[drawn]
    return sample.mean(dim=0), sample.std(dim=0) / math.sqrt(count)


@exercise.draws
def _inputs(draw: Draw, count: int = COUNT) -> dict:
    return {
        "weights": draw.normal(SOURCE, scale=1.0).softmax(dim=-1),
        "annotations": draw.normal(SOURCE, ANNOTATION, scale=1.0) + 3,
        "count": count,
        "seed": draw.integer(1000),
    }


def _truth(inputs: dict) -> tuple[Tensor, Tensor]:
    """The context, and the standard error that many such estimates would have."""
    weights, annotations = inputs["weights"], inputs["annotations"]
    context = weights @ annotations
    variance = weights @ (annotations - context) ** 2
    return context, (variance / inputs["count"]).sqrt()


@exercise.must_also(
    "It returns an estimate and a standard error, each as long as an annotation.",
    hint="Two vectors: average over the draws, and keep the entries of the annotation apart.",
)
def returns_two_vectors(answer: Answer, draw: Draw) -> bool:
    result = answer(**_inputs(draw))
    return len(result) == 2 and all(shaped(part, draw[ANNOTATION]) for part in result)


@exercise.must(
    "With all the weight on one position the estimate is its annotation, with no error.",
    hint="Only that position can be drawn, and every draw is the same. Are the positions drawn "
    "by their weights?",
)
def one_position_leaves_no_doubt(answer: Answer, draw: Draw) -> bool:
    inputs, place = _inputs(draw), draw.integer(SOURCE)
    inputs["weights"] = torch.eye(draw[SOURCE])[place]
    return answer.gives((inputs["annotations"][place], torch.zeros(draw[ANNOTATION])), **inputs)


@exercise.must_also(
    "A different seed gives a different estimate, the same seed the same one.",
    hint="The result must be an estimate from draws, not the context itself. Pass the seed to the "
    "generator: torch.Generator().manual_seed(seed).",
)
def depends_on_the_draws(answer: Answer, draw: Draw, inputs: dict) -> bool:
    first, again = answer(**inputs)[0], answer(**inputs)[0]
    other = answer(**{**inputs, "seed": inputs["seed"] + 1})[0]
    return same(first, again) and not same(first, other)


@exercise.must(
    "The estimate is close to the context.",
    hint="Each draw counts the same: the weights were used up in the drawing. Multiply by them "
    "again and the large ones count twice.",
)
def is_near_the_context(answer: Answer, draw: Draw, inputs: dict) -> bool:
    context, error = _truth(inputs)
    return bool(((answer(**inputs)[0] - context).abs() < 6 * error).all())


@exercise.must(
    "There may be more draws than positions, and few draws are noisier than many.",
    hint="Draw with replacement: a position may come again. And make as many draws as count says.",
)
def draws_as_many_as_told(answer: Answer, draw: Draw) -> bool:
    inputs, few = _inputs(draw), 11
    errors = {COUNT: 0.0, few: 0.0}
    for count in errors:
        for seed in range(40):
            result = answer(**{**inputs, "count": count, "seed": seed})
            errors[count] += float((result[0] - _truth(inputs)[0]).square().sum()) / 40
    ratio = errors[few] / errors[COUNT]  # a ratio of variances: count / few if all is well
    return COUNT / few / 3 < ratio < COUNT / few * 3


@exercise.must(
    "The standard error is that of the mean.",
    hint="The spread of single draws, divided by the square root of their number: s / √n. Neither "
    "s itself, nor the variance, nor s / n.",
)
def error_is_that_of_the_mean(answer: Answer, draw: Draw, inputs: dict) -> bool:
    ratio = answer(**inputs)[1] / _truth(inputs)[1]
    return bool(((ratio > 0.8) & (ratio < 1.25)).all())
