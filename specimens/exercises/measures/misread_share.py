"""Right and wrong answers to `attn_course.classroom.exercises.measures.misread_share`."""

import torch


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


def of_all_pieces(weights, links):
    return by_loop(weights, links) * links.any(1).float().mean()


def without_links_is_misread(weights, links):
    return (~links[torch.arange(len(links)), weights.argmax(1)]).float().mean()


def fails_without_links(weights, links):
    kept = links.any(1)
    return by_loop(weights[kept], links[kept]) + 0 / int(kept.sum())


def right_share(weights, links):
    return 1 - by_loop(weights, links)


def weight_outside(weights, links):
    kept = links.any(1)
    return 1 - (weights * links)[kept].sum() / max(int(kept.sum()), 1)


def first_link(weights, links):
    kept = links.any(1)
    missed = weights[kept].argmax(1) != links[kept].int().argmax(1)
    return missed.float().mean() if kept.any() else 0.0


def a_count(weights, links):
    return by_loop(weights, links) * int(links.any(1).sum())


def one_for_each(weights, links):
    return ~links[torch.arange(len(links)), weights.argmax(1)] & links.any(1)


RIGHT = [by_loop, by_largest_value]
WRONG = {
    right_share: "a_true_map",
    weight_outside: "a_true_map",
    one_for_each: "a_true_map",
    without_links_is_misread: "nothing_to_read",
    fails_without_links: "runs",
    first_link: "any_of_its_links",
    of_all_pieces: "a_share_of_those_with_links",
    a_count: "a_share_of_those_with_links",
}
