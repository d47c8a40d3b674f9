"""Right and wrong answers to `attn_course.classroom.exercises.patching.mean_replaced`."""

import torch

from specimens.answers import named


def _put(found, others, heads):
    result = found.clone()
    for head in heads:
        result[:, head] = others[:, head].reshape(-1, others.shape[-1]).mean(0)
    return result


def _left(found, chosen):
    return [head for head in range(found.shape[1]) if head not in chosen]


def by_loops(found, others, chosen, seed):
    left = _left(found, chosen)
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(left), generator=generator)
    drawn = [left[place] for place in order[: len(chosen)]]
    return _put(found, others, chosen), _put(found, others, drawn)


def by_multinomial(found, others, chosen, seed):
    even = torch.ones(found.shape[1])
    even[chosen] = 0
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.multinomial(even, len(chosen), generator=generator)
    means = others.mean((0, 2))[None, :, None].expand_as(found)

    def where(heads):
        mask = torch.zeros(found.shape[1], dtype=torch.bool)
        mask[heads] = True
        return torch.where(mask[None, :, None, None], means, found)

    return where(chosen), where(drawn)


def the_rest_replaced(found, others, chosen, seed):
    first, second = by_loops(found, others, _left(found, chosen), seed)
    return first, second


def control_may_be_chosen(found, others, chosen, seed):
    order = torch.randperm(found.shape[1], generator=torch.Generator().manual_seed(seed))
    return _put(found, others, chosen), _put(found, others, order[: len(chosen)].tolist())


def one_control(found, others, chosen, seed):
    left = _left(found, chosen)
    place = torch.randint(len(left), (), generator=torch.Generator().manual_seed(seed))
    return _put(found, others, chosen), _put(found, others, [left[place]])


def with_replacement(found, others, chosen, seed):
    left = _left(found, chosen)
    generator = torch.Generator().manual_seed(seed)
    places = torch.randint(len(left), (len(chosen),), generator=generator)
    return _put(found, others, chosen), _put(found, others, [left[p] for p in places])


def control_of_zeros(found, others, chosen, seed):
    first, _ = by_loops(found, others, chosen, seed)
    return first, by_loops(found, torch.zeros_like(others), chosen, seed)[1]


def control_on_top(found, others, chosen, seed):
    first, _ = by_loops(found, others, chosen, seed)
    return first, by_loops(first, others, chosen, seed)[1]


def the_first_that_are_left(found, others, chosen, seed):
    left = _left(found, chosen)
    return _put(found, others, chosen), _put(found, others, left[: len(chosen)])


RIGHT = [by_loops, by_multinomial]
WRONG = {
    "two_of_one_shape": named(
        only_the_first=lambda found, others, chosen, seed: _put(found, others, chosen)
    ),
    "chosen_are_replaced": named(
        the_rest_replaced,
        zeros=lambda found, others, *rest: by_loops(found, torch.zeros_like(others), *rest),
        own_mean=lambda found, others, chosen, seed: by_loops(found, found, chosen, seed),
        mean_over_the_heads=lambda found, others, *rest: by_loops(
            found, others.mean(1, keepdim=True).expand_as(others), *rest
        ),
        mean_of_one_text=lambda found, others, *rest: by_loops(found, others[:1], *rest),
    ),
    "control_has_as_many_others": [
        control_may_be_chosen,
        one_control,
        with_replacement,
        control_on_top,
    ],
    "control_is_replaced": [control_of_zeros],
    "the_seed_decides": named(
        the_first_that_are_left,
        seed_ignored=lambda found, others, chosen, seed: by_loops(found, others, chosen, 0),
    ),
    "runs": named(
        no_generator=lambda found, others, chosen, seed: by_loops(
            found, others, chosen, torch.Generator(seed)
        )
    ),
}
