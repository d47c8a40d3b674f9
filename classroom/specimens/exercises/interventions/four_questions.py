import torch


def step_by_step(w, h, g, changed, s, t, symbol, twin, chance):
    c = w @ h
    p = chance(s, c)[symbol]
    left = w * (torch.arange(len(w)) != w.argmax())
    dark = p - chance(s, left / left.sum() @ h)[symbol]
    mixed = torch.stack([h[j] if changed[j] else g[j] for j in range(len(w))])
    return p - chance(s, 0 * c)[symbol], dark, chance(s, w @ mixed)[twin], chance(t, c)[twin]


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
    return tuple(float(x) for x in step_by_step(w, h, g, changed, s, t, symbol, twin, chance))
