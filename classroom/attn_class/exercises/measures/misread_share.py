"""Exercise: how many pieces does a map misread?

weights (target, source), links (target, source), True where a link is   ->   a share from 0 to 1
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

TARGET, SOURCE = Size(7, 9), Size(3, 5)
exercise = Exercise("missed(weights, links)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(weights, links):
    """Of the rows that have a link, those whose largest weight lies on none."""
    linked = links.any(dim=1)
    points = weights.argmax(dim=1, keepdim=True)
    missed = linked & ~links.gather(1, points).squeeze(1)
    return (missed.sum() / linked.sum().clamp(min=1)).item()


@exercise.must_also(
    "If each piece points at its link, nothing is misread.",
    hint="Let each row point at the place of its largest weight, and look whether a link is there.",
)
def a_true_map(answer: Answer, draw: Draw) -> bool:
    weights = _weights(draw)
    return answer.gives(0.0, weights=weights, links=weights == weights.amax(1, keepdim=True))


@exercise.must_also(
    "If no piece has a link, the share is 0.",
    hint="A piece without links cannot be misread. Do not divide by zero.",
)
def nothing_to_read(answer: Answer, draw: Draw) -> bool:
    weights = _weights(draw)
    return answer.gives(0.0, weights=weights, links=torch.zeros_like(weights, dtype=torch.bool))


@exercise.must_also(
    "A piece that may be read from several places may point at any of them.",
    hint="Compare the one place that a row points at with all links of the row, not with the first "
    "of them. How much weight lies on the links does not matter.",
)
def any_of_its_links(answer: Answer, draw: Draw) -> bool:
    weights = _weights(draw)
    return answer.gives(0.0, weights=weights, links=weights > weights.amin(1, keepdim=True))


@exercise.must(
    "It is the share of the pieces with links that point at none of them.",
    hint="Divide by the number of rows that have a link. Rows without one count neither above nor "
    "below the line.",
)
def a_share_of_those_with_links(answer: Answer, draw: Draw) -> bool:
    weights, links = _weights(draw), draw.booleans(TARGET, SOURCE)
    links[0] = False
    links[1] = weights[1] == weights[1].max()
    links[2] = weights[2] < weights[2].max()
    rows = [row for row in range(len(links)) if links[row].any()]
    missed = [row for row in rows if not links[row, weights[row].argmax()]]
    return answer.gives(len(missed) / len(rows), weights=weights, links=links)


def _weights(draw: Draw) -> torch.Tensor:
    return draw.normal(TARGET, SOURCE, scale=1.0).softmax(dim=1)
