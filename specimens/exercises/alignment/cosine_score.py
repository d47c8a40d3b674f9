"""Right and wrong answers to `attn_course.classroom.exercises.alignment.cosine_score`."""

import torch
from torch.nn import functional as F

from attn_course.alignment import CosineScore


def by_normalize(queries, keys, temperature):
    return F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T / temperature


def by_similarity(queries, keys, temperature):
    pairs = F.cosine_similarity(queries[:, None], keys[None], dim=-1, eps=1e-12)
    return pairs / temperature


def by_where(queries, keys, temperature):
    lengths = queries.norm(dim=-1)[:, None] * keys.norm(dim=-1)
    products = queries @ keys.T
    return torch.where(lengths > 0, products / lengths, torch.zeros(())) / temperature


def by_the_package(queries, keys, temperature):
    return CosineScore()(queries.unsqueeze(0), keys.unsqueeze(0))[0] / temperature


def transposed(queries, keys, temperature):
    return by_normalize(queries, keys, temperature).T


def diagonal_only(queries, keys, temperature):
    pairs = min(len(queries), len(keys))  # so that it always runs, and always fails as meant
    return F.cosine_similarity(queries[:pairs], keys[:pairs], dim=-1) / temperature


def dot(queries, keys, temperature):
    return queries @ keys.T / temperature


def keys_alone(queries, keys, temperature):
    return queries @ F.normalize(keys, dim=-1).T / temperature


def queries_alone(queries, keys, temperature):
    return F.normalize(queries, dim=-1) @ keys.T / temperature


def wrong_axis(queries, keys, temperature):
    return F.normalize(queries, dim=0) @ F.normalize(keys, dim=0).T / temperature


def one_length_for_all(queries, keys, temperature):
    return queries @ keys.T / (queries.norm() * keys.norm()) / temperature


def times_the_temperature(queries, keys, temperature):
    return by_normalize(queries, keys, 1) * temperature


def temperature_left_out(queries, keys, temperature):
    return by_normalize(queries, keys, 1)


def temperature_before_the_length(queries, keys, temperature):
    return F.normalize(queries / temperature, dim=-1) @ F.normalize(keys, dim=-1).T


def squared_lengths(queries, keys, temperature):
    shape = [part / part.abs().sum(dim=-1, keepdim=True) for part in (queries, keys)]
    return shape[0] @ shape[1].T / temperature


def an_angle(queries, keys, temperature):
    return torch.acos(by_normalize(queries, keys, 1).clamp(-1, 1)) / temperature


def of_magnitudes(queries, keys, temperature):
    return by_normalize(queries, keys, temperature).abs()


def minus_outside(queries, keys, temperature):
    return by_normalize(queries, keys, temperature).clamp(min=0)


def added_to_the_length(queries, keys, temperature):
    parts = [part / (part.norm(dim=-1, keepdim=True) + 1e-6) for part in (queries, keys)]
    return parts[0] @ parts[1].T / temperature


def a_large_eps(queries, keys, temperature):
    parts = [F.normalize(part, dim=-1, eps=1e-2) for part in (queries, keys)]
    return parts[0] @ parts[1].T / temperature


def not_safe(queries, keys, temperature):
    parts = [part / part.norm(dim=-1, keepdim=True) for part in (queries, keys)]
    return parts[0] @ parts[1].T / temperature


def only_the_keys_safe(queries, keys, temperature):
    return queries / queries.norm(dim=-1, keepdim=True) @ F.normalize(keys, dim=-1).T / temperature


def only_the_queries_safe(queries, keys, temperature):
    return F.normalize(queries, dim=-1) @ (keys / keys.norm(dim=-1, keepdim=True)).T / temperature


def zero_is_the_best(queries, keys, temperature):
    return torch.nan_to_num(not_safe(queries, keys, temperature), nan=1.0)


def nan_is_nothing(queries, keys, temperature):
    return torch.nan_to_num(not_safe(queries, keys, temperature))


def one_length_at_most(queries, keys, temperature):
    limits = {"min": 1e-12, "max": 1e6}
    parts = [part / part.norm(dim=-1, keepdim=True).clamp(**limits) for part in (queries, keys)]
    return torch.nan_to_num(parts[0] @ parts[1].T, posinf=1.0, neginf=-1.0) / temperature


def not_transposed(queries, keys, temperature):
    return F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1) / temperature


def in_place(queries, keys, temperature):
    keys /= keys.norm(dim=-1, keepdim=True)
    return F.normalize(queries, dim=-1) @ keys.T / temperature


RIGHT = [by_normalize, by_similarity, by_where, by_the_package]
WRONG = {
    transposed: "one_score_a_pair",
    diagonal_only: "one_score_a_pair",
    dot: "only_the_direction_counts",
    keys_alone: "only_the_direction_counts",
    queries_alone: "only_the_direction_counts",
    wrong_axis: "only_the_direction_counts",
    one_length_for_all: "only_the_direction_counts",
    times_the_temperature: "temperature_divides",
    temperature_left_out: "temperature_divides",
    temperature_before_the_length: "temperature_divides",
    squared_lengths: "one_with_itself",
    an_angle: "one_with_itself",
    of_magnitudes: "is_the_definition",
    minus_outside: "is_the_definition",
    added_to_the_length: "short_is_not_nothing",
    a_large_eps: "short_is_not_nothing",
    not_safe: "zeros_are_safe",
    only_the_keys_safe: "zeros_are_safe",
    only_the_queries_safe: "zeros_are_safe",
    zero_is_the_best: "zeros_are_safe",
    nan_is_nothing: "infinity_is_not_hidden",
    one_length_at_most: "infinity_is_not_hidden",
    not_transposed: "runs",
    in_place: "leaves_its_inputs_alone",
}
