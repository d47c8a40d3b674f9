"""Right and wrong answers to `attn_class.exercises.patching.mean_replaced`."""

from functools import partial

import torch

from attn_class.exercises.patching.mean_replaced import solution
from specimens.answers import changed, named


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


def control_of_zeros(found, others, chosen, seed):
    first, _ = by_loops(found, others, chosen, seed)
    return first, by_loops(found, torch.zeros_like(others), chosen, seed)[1]


but = partial(changed, solution)
RIGHT = [by_loops, by_multinomial]
WRONG = {
    "two_of_one_shape": named(
        only_the_first=but("replaced(chosen), replaced(control)", "replaced(chosen)")
    ),
    "chosen_are_replaced": named(
        the_rest_replaced=but("replaced(chosen)", "replaced(left)"),
        zeros=but("others.mean(dim=(0, 2))", "0 * others.mean(dim=(0, 2))"),
        own_mean=but("others.mean", "found.mean"),
        mean_over_the_heads=but("(dim=(0, 2))", "(dim=(0, 1, 2)).expand(others.shape[1], -1)"),
        mean_of_one_text=but("others.mean", "others[:1].mean"),
    ),
    "control_has_as_many_others": named(
        control_may_be_chosen=but(" if head not in chosen", ""),
        one_control=but("order[: len(chosen)]", "order[:1]"),
        with_replacement=but("torch.randperm(len(left)", "torch.randint(len(left), (len(chosen),)"),
        control_on_top=but("replaced(control)", "replaced([*chosen, *control])"),
    ),
    "control_is_replaced": [control_of_zeros],
    "the_seed_decides": named(
        the_first_that_are_left=but(
            "[left[place] for place in order[: len(chosen)]]", "left[: len(chosen)]"
        ),
        seed_ignored=but("manual_seed(seed)", "manual_seed(0)"),
    ),
    "runs": named(no_generator=but("torch.Generator().manual_seed(seed)", "torch.Generator(seed)")),
}
