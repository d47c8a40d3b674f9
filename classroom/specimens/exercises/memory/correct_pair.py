"""Right and wrong answers to `attn_class.exercises.memory.correct_pair`."""

from functools import partial

import torch

from attn_class.exercises.memory.correct_pair import solution
from specimens.answers import changed, named


def by_erasing(state, key, value, strength):
    kept = state @ (torch.eye(len(key)) - strength * torch.outer(key, key))
    return kept + strength * torch.outer(value, key)


def by_loops(state, key, value, strength):
    rows = [row + strength * (v - row @ key) * key for row, v in zip(state, value, strict=True)]
    return torch.stack(rows)


def noise_beside(state, key, value, strength):
    aside = torch.ones_like(key) - key.sum() * key
    return by_loops(state, key, value, strength) + 0.1 * torch.outer(state @ key, aside)


def by_addr(state, key, value, strength):
    return torch.addr(state, value - state @ key, key, alpha=strength)


def strength_twice(state, key, value, strength):
    erased = state - strength**2 * torch.outer(state @ key, key)
    return erased + strength * torch.outer(value, key)


but = partial(changed, solution)
RIGHT = [by_erasing, by_loops, by_addr]
WRONG = {
    "keeps_its_shape": named(
        turned=but(
            "state + strength * torch.outer(new, key)",
            "(state + strength * torch.outer(new, key)).T.reshape(len(key), len(value), 1)",
        )
    ),
    "reads_back": named(
        plain_sum=but("value - state @ key", "value"),
        takes_off_twice=but("value - state", "value - 2 * state"),
    ),
    "writes_into_an_empty_state": named(wrong_sign=but("state + ", "state - ")),
    "others_stay": named(
        noise_beside,
        fades_all=but(
            "value - state @ key", "value", "state + strength", "(1 - strength) * state + strength"
        ),
        takes_off_everything=but("torch.outer(new, key)", "(torch.outer(value, key) - state)"),
        mixes_with_the_old=lambda state, key, value, strength: (
            (1 - strength) * state + strength * torch.outer(value, key)
        ),
    ),
    "goes_as_far_as_asked": named(
        strength_twice,
        without_strength=but("strength * ", ""),
        strength_on_the_value_alone=but(
            "value - state", "strength * value - state", "+ strength * ", "+ "
        ),
    ),
    "the_key_is_taken_as_it_is": named(
        unit_key=but("@ key", "@ (key / key.norm())", "(new, key)", "(new, key / key.norm())"),
        divided_by_the_length=but("(new, key)", "(new, key) / (key @ key)"),
    ),
    "gradients_pass": named(without_gradient=but("return state", "return state.detach()")),
    "runs": named(key_times_value=but("(new, key)", "(key, new).reshape(-1, 97)")),
}
