"""Right and wrong answers to `attn_course.classroom.exercises.memory.correct_pair`."""

import torch
from torch.nn import functional as F


def by_erasing(state, key, value, strength):
    kept = state @ (torch.eye(len(key)) - strength * torch.outer(key, key))
    return kept + strength * torch.outer(value, key)


def by_loops(state, key, value, strength):
    rows = [row + strength * (v - row @ key) * key for row, v in zip(state, value, strict=True)]
    return torch.stack(rows)


def turned(state, key, value, strength):
    return by_loops(state, key, value, strength).T.reshape(len(key), len(value), 1)


def plain_sum(state, key, value, strength):
    return state + strength * torch.outer(value, key)


def wrong_sign(state, key, value, strength):
    return state - strength * torch.outer(value - state @ key, key)


def takes_off_twice(state, key, value, strength):
    return state + strength * torch.outer(value - 2 * state @ key, key)


def fades_all(state, key, value, strength):
    return (1 - strength) * state + strength * torch.outer(value, key)


def takes_off_everything(state, key, value, strength):
    return state + strength * (torch.outer(value, key) - state)


def noise_beside(state, key, value, strength):
    aside = torch.ones_like(key) - key.sum() * key
    return by_loops(state, key, value, strength) + 0.1 * torch.outer(state @ key, aside)


def without_strength(state, key, value, strength):
    return by_loops(state, key, value, 1.0)


def strength_on_the_value_alone(state, key, value, strength):
    return state + torch.outer(strength * value - state @ key, key)


def unit_key(state, key, value, strength):
    return by_loops(state, F.normalize(key, dim=0), value, strength)


def divided_by_the_length(state, key, value, strength):
    return state + strength * torch.outer(value - state @ key, key) / (key @ key)


def in_place(state, key, value, strength):
    state += strength * torch.outer(value - state @ key, key)
    return state


def without_gradient(state, key, value, strength):
    return by_loops(state.detach(), key, value, strength)


def key_times_value(state, key, value, strength):
    return state + strength * torch.outer(key, value - state @ key).reshape(-1, 97)


def by_addr(state, key, value, strength):
    return torch.addr(state, value - state @ key, key, alpha=strength)


def mixes_with_the_old(state, key, value, strength):
    return (1 - strength) * state + strength * torch.outer(value, key)


def strength_twice(state, key, value, strength):
    erased = state - strength**2 * torch.outer(state @ key, key)
    return erased + strength * torch.outer(value, key)


RIGHT = [by_erasing, by_loops, by_addr]
WRONG = {
    turned: "keeps_its_shape",
    plain_sum: "reads_back",
    wrong_sign: "writes_into_an_empty_state",
    takes_off_twice: "reads_back",
    fades_all: "others_stay",
    takes_off_everything: "others_stay",
    noise_beside: "others_stay",
    without_strength: "goes_as_far_as_asked",
    strength_on_the_value_alone: "goes_as_far_as_asked",
    unit_key: "the_key_is_taken_as_it_is",
    divided_by_the_length: "the_key_is_taken_as_it_is",
    in_place: "leaves_its_inputs_alone",
    without_gradient: "gradients_pass",
    key_times_value: "runs",
    mixes_with_the_old: "others_stay",
    strength_twice: "goes_as_far_as_asked",
}
