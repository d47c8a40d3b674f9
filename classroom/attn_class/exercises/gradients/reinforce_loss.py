"""Exercise: a loss for a choice that has no gradient.

    L = -1/B Σ_b (R_b - baseline) ln α_b,j(b)                    Williams 1992 (REINFORCE)

weights (batch cell), each row sums to one; cells (batch), the one that was drawn in each row;
rewards (batch), how well it went; baseline, a number   ->   one number
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

BATCH, CELLS = Size(1, 5), Size(3, 11)
exercise = Exercise("loss(weights, cells, rewards, baseline)", minutes=10, difficulty="hard")
check = exercise.check


def solution(weights, cells, rewards, baseline):
    """Make likelier what went better than expected; the reward itself is a constant."""
    drawn = weights[torch.arange(len(weights)), cells]
    return -((rewards - baseline).detach() * drawn.log()).mean()


@exercise.must_also(
    "The answer is one number.",
    hint="One weight from each row, that of the cell drawn there; then the mean over the batch.",
)
def is_one_number(answer: Answer, draw: Draw) -> bool:
    result = answer(**_inputs(draw))
    return isinstance(result, float) or shaped(result)


@exercise.must_also(
    "Rewards that are just as expected cost nothing.",
    hint="R - b stands in front of the logarithm. Where the reward equals the baseline, there is "
    "nothing to learn, whatever the weight.",
)
def as_expected_is_zero(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["rewards"] = torch.full((draw[BATCH],), inputs["baseline"])
    return answer.gives(0.0, **inputs)


@exercise.must(
    "It is the mean of -(R - b) ln α of the cells that were drawn.",
    hint="A natural logarithm; a minus, since a loss goes down where the reward goes up; the mean "
    "and not the sum.",
)
def is_the_definition(answer: Answer, draw: Draw, inputs: dict) -> bool:
    total = sum(
        (float(reward) - inputs["baseline"]) * float(row[cell].log())
        for row, cell, reward in zip(
            inputs["weights"], inputs["cells"].tolist(), inputs["rewards"], strict=True
        )
    )
    return answer.gives(-total / draw[BATCH], **inputs)


@exercise.must(
    "The gradient reaches the weights of the cells that were drawn, and no others.",
    hint="Stay with tensors, and leave the weights attached: .item(), .tolist() or detach() on "
    "them cut the gradient off.",
)
def gradient_where_it_was_drawn(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["weights"].requires_grad_()
    result = answer(**inputs)
    if not isinstance(result, Tensor) or not result.requires_grad:
        return False
    (found,) = torch.autograd.grad(result.sum(), inputs["weights"])
    rows, expected = torch.arange(draw[BATCH]), torch.zeros(draw[BATCH], draw[CELLS])
    better = inputs["rewards"] - inputs["baseline"]
    drawn = inputs["weights"].detach()[rows, inputs["cells"]]
    expected[rows, inputs["cells"]] = -better / (draw[BATCH] * drawn)
    return same(found, expected)


@exercise.must_also(
    "No gradient reaches the rewards.",
    hint="Were the reward part of the graph, the network could lower the loss by changing what "
    "counts as a success. detach() it.",
)
def rewards_are_constants(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["weights"].requires_grad_()
    inputs["rewards"].requires_grad_()
    found = torch.autograd.grad(answer(**inputs).sum(), inputs["rewards"], allow_unused=True)[0]
    return found is None or not found.any()


@exercise.draws
def _inputs(draw: Draw) -> dict:
    others = [float(draw.integer(2)) for _ in range(draw[BATCH])]
    return {
        "weights": torch.softmax(draw.normal(BATCH, CELLS), dim=-1),
        "cells": torch.tensor([draw.integer(CELLS) for _ in range(draw[BATCH])]),
        "rewards": torch.tensor([1.0, 0.0, *others])[: draw[BATCH]],
        "baseline": 0.25 + draw.integer(3) / 8,
    }
