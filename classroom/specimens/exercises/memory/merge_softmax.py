"""Right and wrong answers to `attn_class.exercises.memory.merge_softmax`."""

from functools import partial

import torch

from attn_class.exercises.memory.merge_softmax import solution
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


def by_logarithms(one, other):
    (m1, z1, c1), (m2, z2, c2) = one, other
    a, b, m = m1 + z1.log(), m2 + z2.log(), torch.where(m1 > m2, m1, m2)
    z, share = torch.exp(torch.logaddexp(a, b) - m), torch.sigmoid(a - b)[:, None]
    return m, z, z[:, None] * (share * c1 / z1[:, None] + (1 - share) * c2 / z2[:, None])


def mean_of_the_two(one, other):
    (_, z1, c1), (_, z2, c2) = one, other
    m, z, _ = by_logarithms(one, other)
    return m, z, z[:, None] * (c1 / z1[:, None] + c2 / z2[:, None]) / 2


but = partial(changed, solution)
RIGHT = [stacked, by_loop, by_logarithms]
WRONG = {
    "three_parts": [averages],
    "takes_the_larger": named(
        first_maximum=but("return m,", "return m1,"),
        one_maximum_for_all=but("return m,", "return torch.cat([m1, m2]).max().expand_as(m1),"),
        smaller=but("torch.maximum", "torch.minimum"),
        soft_maximum=but("torch.maximum", "torch.logaddexp"),
    ),
    "sums_are_rescaled": named(
        only_one_rescaled=but("torch.exp(m2 - m)", "torch.ones_like(m)"),
        wrong_way=but("(m1 - m), torch.exp(m2 - m)", "(m - m1), torch.exp(m - m2)"),
        added_as_they_are=but("torch.exp(m1 - m), torch.exp(m2 - m)", "torch.ones(2, len(m))"),
    ),
    "is_attention_to_both": named(
        mean_of_the_two,
        contexts_not_rescaled=but("s1[:, None] * c1 + s2[:, None] * c2", "c1 + c2"),
        divided_early=but(
            "s1[:, None] * c1 + s2[:, None] * c2",
            "(s1[:, None] * c1 + s2[:, None] * c2) / (s1 * z1 + s2 * z2)[:, None]",
        ),
    ),
    "survives_large_scores": named(
        without_the_maximum=but(
            "torch.exp(m1 - m), torch.exp(m2 - m)", "torch.stack([m1, m2]).exp() / m.exp()"
        )
    ),
    "runs": named(not_widened=but("s1[:, None] * c1", "s1 * c1.T[0] * c1")),
}
