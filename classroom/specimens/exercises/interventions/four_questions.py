"""Other right answers to `attn_class.exercises.interventions.four_questions`."""

import torch


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


RIGHT = [step_by_step, with_masks, as_one_tensor, as_plain_numbers]
