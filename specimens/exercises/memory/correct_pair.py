"""Right and wrong answers to `attn_course.classroom.exercises.memory.correct_pair`."""

import torch
from torch.nn import functional as F

from specimens.answers import named


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


RIGHT = [by_erasing, by_loops, by_addr]
WRONG = {
    "keeps_its_shape": named(
        turned=lambda state, key, value, strength: by_loops(state, key, value, strength).T.reshape(
            len(key), len(value), 1
        )
    ),
    "reads_back": named(
        plain_sum=lambda state, key, value, strength: state + strength * torch.outer(value, key),
        takes_off_twice=lambda state, key, value, strength: (
            state + strength * torch.outer(value - 2 * state @ key, key)
        ),
    ),
    "writes_into_an_empty_state": named(
        wrong_sign=lambda state, key, value, strength: (
            state - strength * torch.outer(value - state @ key, key)
        )
    ),
    "others_stay": named(
        noise_beside,
        fades_all=lambda state, key, value, strength: (
            (1 - strength) * state + strength * torch.outer(value, key)
        ),
        takes_off_everything=lambda state, key, value, strength: (
            state + strength * (torch.outer(value, key) - state)
        ),
        mixes_with_the_old=lambda state, key, value, strength: (
            (1 - strength) * state + strength * torch.outer(value, key)
        ),
    ),
    "goes_as_far_as_asked": named(
        strength_twice,
        without_strength=lambda state, key, value, strength: by_loops(state, key, value, 1.0),
        strength_on_the_value_alone=lambda state, key, value, strength: (
            state + torch.outer(strength * value - state @ key, key)
        ),
    ),
    "the_key_is_taken_as_it_is": named(
        unit_key=lambda state, key, *others: by_loops(state, F.normalize(key, dim=0), *others),
        divided_by_the_length=lambda state, key, value, strength: (
            state + strength * torch.outer(value - state @ key, key) / (key @ key)
        ),
    ),
    "gradients_pass": named(
        without_gradient=lambda state, *others: by_loops(state.detach(), *others)
    ),
    "runs": named(
        key_times_value=lambda state, key, value, strength: (
            state + strength * torch.outer(key, value - state @ key).reshape(-1, 97)
        )
    ),
}
