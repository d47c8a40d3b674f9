"""Right and wrong answers to `attn_class.exercises.measures.misread_share`."""

import torch

from specimens.answers import named


def by_loop(weights, links):
    missed = linked = 0
    for row, own in zip(weights, links, strict=True):
        if own.any():
            linked += 1
            missed += not own[row.argmax()]
    return missed / linked if linked else 0.0


def by_largest_value(weights, links):
    inside = (weights * links).amax(1)
    linked = links.any(1)
    missed = (inside < weights.amax(1)) & linked
    return missed.sum() / linked.sum() if linked.any() else torch.tensor(0.0)


def fails_without_links(weights, links):
    kept = links.any(1)
    return by_loop(weights[kept], links[kept]) + 0 / int(kept.sum())


def weight_outside(weights, links):
    kept = links.any(1)
    return 1 - (weights * links)[kept].sum() / max(int(kept.sum()), 1)


def first_link(weights, links):
    kept = links.any(1)
    missed = weights[kept].argmax(1) != links[kept].int().argmax(1)
    return missed.float().mean() if kept.any() else 0.0


RIGHT = [by_loop, by_largest_value]
WRONG = {
    "a_true_map": named(
        weight_outside,
        right_share=lambda weights, links: 1 - by_loop(weights, links),
        one_for_each=lambda weights, links: (
            ~links[torch.arange(len(links)), weights.argmax(1)] & links.any(1)
        ),
    ),
    "nothing_to_read": named(
        without_links_is_misread=lambda weights, links: (
            (~links[torch.arange(len(links)), weights.argmax(1)]).float().mean()
        )
    ),
    "runs": [fails_without_links],
    "any_of_its_links": [first_link],
    "a_share_of_those_with_links": named(
        of_all_pieces=lambda weights, links: by_loop(weights, links) * links.any(1).float().mean(),
        a_count=lambda weights, links: by_loop(weights, links) * int(links.any(1).sum()),
    ),
}
