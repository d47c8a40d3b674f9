"""Right and wrong answers to `attn_class.exercises.interventions.four_questions`."""

from functools import partial

import torch

from specimens.answers import named


def asked(w, h, g, changed, s, t, symbol, twin, chance, **how):
    """The right answer, or one that goes wrong as the names in ``how`` say."""
    c = w @ h
    p = chance(s, c)[symbol]
    empty = h.mean(dim=0) if how.get("mean_for_empty") else 0 * c
    look = p - chance(s, empty)[symbol]
    left = w * (torch.arange(len(w)) != (w.argmin() if how.get("lightest") else w.argmax()))
    if not how.get("not_scaled"):
        left = left / left.sum()
    dark = p - chance(s, left @ h)[symbol]
    swapped = changed if how.get("swaps_the_changed") else ~changed
    if how.get("swaps_all"):
        swapped = torch.ones_like(changed)
    mixed = torch.stack([g[j] if swapped[j] else h[j] for j in range(len(w))])
    others = chance(s, w @ mixed)[symbol if how.get("asks_the_same") else twin]
    context = w @ g if how.get("context_goes_along") else c
    state = chance(s if how.get("own_state") else t, context)[symbol if how.get("old") else twin]
    if how.get("what_is_left"):
        dark = p - dark
    if how.get("not_less"):
        look = chance(s, empty)[symbol]
    return look, dark, others, state


def step_by_step(w, h, g, changed, s, t, symbol, twin, chance):
    return asked(w, h, g, changed, s, t, symbol, twin, chance)


def with_masks(w, h, g, changed, s, t, symbol, twin, chance):
    before = chance(s, w @ h)
    top = torch.nn.functional.one_hot(w.argmax(), len(w)).bool()
    left = w.masked_fill(top, 0)
    mixed = h.clone()
    mixed[~changed] = g[~changed]
    return [
        before[symbol] - chance(s, torch.zeros(h.shape[1]))[symbol],
        before[symbol] - chance(s, (left / left.sum()) @ h)[symbol],
        chance(s, w @ mixed)[twin],
        chance(t, w @ h)[twin],
    ]


def as_one_tensor(w, h, g, changed, s, t, symbol, twin, chance):
    return torch.stack(with_masks(w, h, g, changed, s, t, symbol, twin, chance))


def as_plain_numbers(w, h, g, changed, s, t, symbol, twin, chance):
    return tuple(float(x) for x in asked(w, h, g, changed, s, t, symbol, twin, chance))


def third_as_a_loss(w, h, g, changed, s, t, symbol, twin, chance):
    look, dark, _, state = step_by_step(w, h, g, changed, s, t, symbol, twin, chance)
    mixed = torch.where(changed[:, None], h, g)
    return look, dark, chance(s, w @ h)[symbol] - chance(s, w @ mixed)[symbol], state


def by_shares(w, h, g, changed, s, t, symbol, twin, chance):
    look, dark, others, state = step_by_step(w, h, g, changed, s, t, symbol, twin, chance)
    p = chance(s, w @ h)[symbol]
    return (look / p).clamp(-1, 1), (dark / p).clamp(-1, 1), others, state


RIGHT = [step_by_step, with_masks, as_one_tensor, as_plain_numbers]
WRONG = {
    "four_numbers": named(
        three=lambda *given: asked(*given)[:3],
        all_probabilities=lambda w, h, g, changed, s, t, symbol, twin, chance: tuple(
            chance(s, w @ h) for _ in range(4)
        ),
    ),
    "a_deaf_reader_needs_no_look": named(
        third_as_a_loss,
        what_is_left=partial(asked, what_is_left=True),
        not_less=partial(asked, not_less=True),
        asks_the_same=partial(asked, asks_the_same=True),
    ),
    "empty_is_zeros": named(by_shares, mean_for_empty=partial(asked, mean_for_empty=True)),
    "the_heaviest_is_hidden": named(
        lightest=partial(asked, lightest=True), not_scaled=partial(asked, not_scaled=True)
    ),
    "unchanged_characters_are_swapped": named(
        swaps_the_changed=partial(asked, swaps_the_changed=True),
        swaps_all=partial(asked, swaps_all=True),
    ),
    "only_the_state_is_exchanged": named(
        context_goes_along=partial(asked, context_goes_along=True),
        own_state=partial(asked, own_state=True),
        old=partial(asked, old=True),
    ),
    "runs": named(transposed=lambda w, h, g, changed, s, t, symbol, twin, chance: h @ w),
}
