"""Right and wrong answers to `attn_course.classroom.exercises.memory.merge_softmax`."""

import torch

from attn_course.classroom.exercises.memory.merge_softmax import solution
from specimens.answers import changed, named


def stacked(one, other):
    highest = torch.stack([one[0], other[0]])
    shares = (highest - highest.amax(dim=0)).exp()
    z = (shares * torch.stack([one[1], other[1]])).sum(dim=0)
    c = (shares[..., None] * torch.stack([one[2], other[2]])).sum(dim=0)
    return highest.amax(dim=0), z, c


def by_loop(one, other):
    rows = []
    for m1, z1, c1, m2, z2, c2 in zip(*one, *other, strict=True):
        m = max(m1, m2)
        s1, s2 = torch.exp(m1 - m), torch.exp(m2 - m)
        rows.append((m, s1 * z1 + s2 * z2, s1 * c1 + s2 * c2))
    return tuple(torch.stack(part) for part in zip(*rows, strict=True))


def averages(one, other):
    m, z, c = stacked(one, other)
    return m, z, (c / z[:, None]).sum(dim=1)


def first_maximum(one, other):
    _, z, c = stacked(one, other)
    return one[0], z, c


def one_maximum_for_all(one, other):
    _, z, c = stacked(one, other)
    return torch.cat([one[0], other[0]]).max().expand_as(one[0]), z, c


def smaller(one, other):
    m = torch.minimum(one[0], other[0])
    s1, s2 = torch.exp(one[0] - m), torch.exp(other[0] - m)
    return m, s1 * one[1] + s2 * other[1], s1[:, None] * one[2] + s2[:, None] * other[2]


def only_one_rescaled(one, other):
    m = torch.maximum(one[0], other[0])
    s1 = torch.exp(one[0] - m)
    return m, s1 * one[1] + other[1], s1[:, None] * one[2] + other[2]


def wrong_way(one, other):
    m = torch.maximum(one[0], other[0])
    s1, s2 = torch.exp(m - one[0]), torch.exp(m - other[0])
    return m, s1 * one[1] + s2 * other[1], s1[:, None] * one[2] + s2[:, None] * other[2]


def contexts_not_rescaled(one, other):
    m, z, _ = stacked(one, other)
    return m, z, one[2] + other[2]


def divided_early(one, other):
    m, z, c = stacked(one, other)
    return m, z, c / z[:, None]


def without_the_maximum(one, other):
    m = torch.maximum(one[0], other[0])
    big = [torch.exp(part[0]) for part in (one, other)]
    z = (big[0] * one[1] + big[1] * other[1]) / torch.exp(m)
    c = (big[0][:, None] * one[2] + big[1][:, None] * other[2]) / torch.exp(m)[:, None]
    return m, z, c


def not_widened(one, other):
    m = torch.maximum(one[0], other[0])
    return m, one[1] + other[1], one[2][:, 0] * one[2] + other[2].T


def by_logarithms(one, other):
    (m1, z1, c1), (m2, z2, c2) = one, other
    a, b, m = m1 + z1.log(), m2 + z2.log(), torch.where(m1 > m2, m1, m2)
    z, share = torch.exp(torch.logaddexp(a, b) - m), torch.sigmoid(a - b)[:, None]
    return m, z, z[:, None] * (share * c1 / z1[:, None] + (1 - share) * c2 / z2[:, None])


def mean_of_the_two(one, other):
    (_, z1, c1), (_, z2, c2) = one, other
    m, z, _ = by_logarithms(one, other)
    return m, z, z[:, None] * (c1 / z1[:, None] + c2 / z2[:, None]) / 2


RIGHT = [stacked, by_loop, by_logarithms]
WRONG = {
    "three_parts": [averages],
    "takes_the_larger": named(
        first_maximum,
        one_maximum_for_all,
        smaller,
        soft_maximum=changed(solution, "torch.maximum", "torch.logaddexp"),
    ),
    "sums_are_rescaled": named(
        only_one_rescaled,
        wrong_way,
        added_as_they_are=lambda one, other: (
            torch.maximum(one[0], other[0]),
            one[1] + other[1],
            one[2] + other[2],
        ),
    ),
    "is_attention_to_both": [contexts_not_rescaled, divided_early, mean_of_the_two],
    "survives_large_scores": [without_the_maximum],
    "runs": [not_widened],
}
