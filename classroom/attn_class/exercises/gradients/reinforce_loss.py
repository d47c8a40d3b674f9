"""Exercise: a loss for a choice that has no gradient.

    L = -1/B Σ_b (R_b - baseline) ln α_b,j(b)                    Williams 1992 (REINFORCE)

weights (batch cell), each row sums to one; cells (batch), the one that was drawn in each row;
rewards (batch), how well it went; baseline, a number   ->   one number
"""

import torch

from attn_class.exercises.frame import Answer, Case, Draw, Exercise, Size, same

BATCH, CELLS = Size(1, 5), Size(3, 11)


def solution(weights, cells, rewards, baseline):
    """Make likelier what went better than expected; the reward itself is a constant."""
    drawn = weights[torch.arange(len(weights)), cells]
    return -((rewards - baseline).detach() * drawn.log()).mean()


def _inputs(draw: Draw) -> dict:
    others = [float(draw.integer(2)) for _ in range(draw[BATCH])]
    return {
        "weights": torch.softmax(draw.normal(BATCH, CELLS), dim=-1),
        "cells": torch.tensor([draw.integer(CELLS) for _ in range(draw[BATCH])]),
        "rewards": torch.tensor([1.0, 0.0, *others])[: draw[BATCH]],
        "baseline": 0.25 + draw.integer(3) / 8,
    }


exercise = Exercise(
    "loss(weights, cells, rewards, baseline)",
    minutes=10,
    difficulty="hard",
    solution=solution,
    cases=[
        Case(
            "It is the mean of -(R - b) ln α of the cells that were drawn.",
            _inputs,
            "A natural logarithm; a minus, since a loss goes down where the reward goes up; the "
            "mean and not the sum.",
        )
    ],
    slips={
        "R - b stands in front of the logarithm. Where the reward equals the baseline, there is "
        "nothing to learn, whatever the weight.": [
            ("(rewards - baseline)", "rewards"),
            ("rewards - baseline", "rewards + baseline"),
        ],
        "": [("return -", "return "), (".mean()", ".sum()"), ("drawn.log()", "drawn")],
    },
    shape="One weight from each row, that of the cell drawn there; then the mean over the batch.",
)
exercise.draws(_inputs)
check = exercise.check


@exercise.must(
    "The gradient reaches the weights of the cells that were drawn, and no others.",
    hint="Stay with tensors, and leave the weights attached: .item(), .tolist() or detach() on "
    "them cut the gradient off.",
)
def gradient_where_it_was_drawn(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["weights"].requires_grad_()
    gradients = answer.gradients([torch.tensor(1.0)], **inputs)
    if gradients is None:
        return False
    rows, expected = torch.arange(draw[BATCH]), torch.zeros(draw[BATCH], draw[CELLS])
    better = inputs["rewards"] - inputs["baseline"]
    drawn = inputs["weights"].detach()[rows, inputs["cells"]]
    expected[rows, inputs["cells"]] = -better / (draw[BATCH] * drawn)
    return same(gradients["weights"], expected)


@exercise.must_also(
    "No gradient reaches the rewards.",
    hint="Were the reward part of the graph, the network could lower the loss by changing what "
    "counts as a success. detach() it.",
)
def rewards_are_constants(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["weights"].requires_grad_()
    inputs["rewards"].requires_grad_()
    gradients = answer.gradients([torch.tensor(1.0)], **inputs)
    return gradients is not None and not gradients["rewards"].any()
