"""Exercise: look at a feature map with a mask.

    e_j = w · h_j + b    α = softmax(e) over all cells    c = Σ_j α_j h_j

features (channel row column), weight (channel), bias, a number   ->   c (channel), α (row column)
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

CHANNELS, ROWS, COLUMNS = Size(2, 5), Size(3, 7), Size(3, 7)
exercise = Exercise("look(features, weight, bias)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(features, weight, bias):
    """A 1x1 convolution is a dot product in every cell; the softmax runs over rows and columns."""
    scores = torch.einsum("c,crk->rk", weight, features) + bias
    weights = scores.flatten().softmax(dim=0).view_as(scores)
    return torch.einsum("rk,crk->c", weights, features), weights


@exercise.must_also(
    "It returns the context, then a map of weights.",
    hint="The context has one entry for each channel, whatever the size of the map, and the "
    "weights have the rows and columns of the map.",
)
def returns_context_and_map(answer: Answer, draw: Draw) -> bool:
    context, weights = answer(**_inputs(draw))
    return shaped(context, draw[CHANNELS]) and shaped(weights, draw[ROWS], draw[COLUMNS])


@exercise.must_also(
    "The weights of the whole map are positive and sum to one.",
    hint="One softmax over all cells at once: flatten rows and columns before it. A softmax over "
    "each row would look once in every row.",
)
def weights_are_shares(answer: Answer, draw: Draw) -> bool:
    _, weights = answer(**_inputs(draw))
    return bool((weights > 0).all()) and same(weights.sum(), 1.0)


@exercise.must_also(
    "Another bias gives the same weights.",
    hint="b is added to every score, and what is added to all scores does not change a softmax. Is "
    "it multiplied instead, or added after the softmax?",
)
def bias_changes_nothing(answer: Answer, draw: Draw, inputs: dict) -> bool:
    _, before = answer(**inputs)
    _, after = answer(**inputs | {"bias": inputs["bias"] + 1.0})
    return same(before, after)


@exercise.must(
    "The weights are the exponentials of w · h_j, divided by their sum.",
    hint="Each cell's score comes from its own channels alone. Take one softmax over all cells, "
    "not a sigmoid of each, and take it only once.",
)
def weights_are_a_softmax(answer: Answer, draw: Draw, inputs: dict) -> bool:
    _, weights = answer(**inputs)
    powers = torch.zeros(draw[ROWS], draw[COLUMNS])
    for r in range(draw[ROWS]):
        for k in range(draw[COLUMNS]):
            powers[r, k] = (inputs["weight"] @ inputs["features"][:, r, k]).exp()
    return same(weights, powers / powers.sum())


@exercise.must(
    "The context is the sum of the cells' features, each times its own weight.",
    hint="c = Σ_j α_j h_j. Are all cells weighted alike, or is the sum divided by their number?",
)
def context_follows_the_weights(answer: Answer, draw: Draw, inputs: dict) -> bool:
    context, weights = answer(**inputs)
    expected = sum(
        weights[r, k] * inputs["features"][:, r, k]
        for r in range(draw[ROWS])
        for k in range(draw[COLUMNS])
    )
    return bool(context.any()) and same(context, expected)


@exercise.must(
    "A gradient of the context reaches w, through the weights.",
    hint="Stay with tensors: detach(), item() or tolist() cut the graph, and an argmax has no "
    "gradient. The mask would never learn where to look.",
)
def gradient_reaches_the_mask(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["weight"].requires_grad_()
    (found,) = torch.autograd.grad(answer(**inputs)[0].sum(), inputs["weight"])
    (wanted,) = torch.autograd.grad(solution(**inputs)[0].sum(), inputs["weight"])
    return same(found, wanted)


@exercise.draws
def _inputs(draw: Draw) -> dict:
    return {
        "features": draw.normal(CHANNELS, ROWS, COLUMNS, scale=1.0),
        "weight": draw.normal(CHANNELS),
        "bias": float(draw.normal(1)) + 0.7,
    }
