"""Exercise: how many pieces does a map misread?

weights (target, source), links (target, source), True where a link is   ->   a share from 0 to 1
"""

from collections.abc import Callable

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

TARGET, SOURCE = Size(7, 9), Size(3, 5)


def solution(weights, links):
    """Of the rows that have a link, those whose largest weight lies on none."""
    linked = links.any(dim=1)
    points = weights.argmax(dim=1, keepdim=True)
    missed = linked & ~links.gather(1, points).squeeze(1)
    return (missed.sum() / linked.sum().clamp(min=1)).item()


def _weights(draw: Draw) -> torch.Tensor:
    return draw.normal(TARGET, SOURCE, scale=1.0).softmax(dim=1)


def _mapped(links: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Draw], dict]:
    """Draw weights, with the links that these give."""

    def drawn(draw: Draw) -> dict:
        weights = _weights(draw)
        return {"weights": weights, "links": links(weights)}

    return drawn


def _some(draw: Draw) -> dict:
    """No link in one row, one that is hit, and some that are missed."""
    weights, links = _weights(draw), draw.booleans(TARGET, SOURCE)
    links[0] = False
    links[1] = weights[1] == weights[1].max()
    links[2] = weights[2] < weights[2].max()
    return {"weights": weights, "links": links}


exercise = Exercise(
    "missed(weights, links)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Weak(
            "If each piece points at its link, nothing is misread.",
            _mapped(lambda weights: weights == weights.amax(1, True)),
            "Let each row point at the place of its largest weight, and look whether a link is "
            "there.",
        ),
        Weak(
            "If no piece has a link, the share is 0.",
            _mapped(lambda weights: weights > 1),
            "A piece without links cannot be misread. Do not divide by zero.",
        ),
        Weak(
            "A piece that may be read from several places may point at any of them.",
            _mapped(lambda weights: weights > weights.amin(1, True)),
            "Compare the one place that a row points at with all links of the row, not with the "
            "first of them. How much weight lies on the links does not matter.",
        ),
        Case(
            "It is the share of the pieces with links that point at none of them.",
            _some,
            "Divide by the number of rows that have a link. Rows without one count neither above "
            "nor below the line.",
        ),
    ],
    slips={
        "": [
            lambda weights, links: 1 - solution(weights, links),
            ("linked & ~links", "~links"),
            ("~links.gather(1, points).squeeze(1)", "(links.int().argmax(1) != points[:, 0])"),
            ("linked.sum().clamp(min=1)", "len(links)"),
        ],
    },
)
check = exercise.check
