"""Right and wrong answers to `attn_class.exercises.alignment.cosine_score`."""

from functools import partial

import torch
from torch.nn import functional as F

from attn_course.alignment import CosineScore
from specimens.answers import changed, named


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


def diagonal_only(queries, keys, temperature):
    pairs = min(len(queries), len(keys))  # so that it always runs, and always fails as meant
    return F.cosine_similarity(queries[:pairs], keys[:pairs], dim=-1) / temperature


def squared_lengths(queries, keys, temperature):
    shape = [part / part.abs().sum(dim=-1, keepdim=True) for part in (queries, keys)]
    return shape[0] @ shape[1].T / temperature


def not_safe(queries, keys, temperature):
    parts = [part / part.norm(dim=-1, keepdim=True) for part in (queries, keys)]
    return parts[0] @ parts[1].T / temperature


def one_length_at_most(queries, keys, temperature):
    limits = {"min": 1e-12, "max": 1e6}
    parts = [part / part.norm(dim=-1, keepdim=True).clamp(**limits) for part in (queries, keys)]
    return torch.nan_to_num(parts[0] @ parts[1].T, posinf=1.0, neginf=-1.0) / temperature


but = partial(changed, by_normalize)
RIGHT = [by_normalize, by_similarity, by_where, by_the_package]
WRONG = {
    "one_score_a_pair": named(diagonal_only, transposed=lambda *given: by_normalize(*given).T),
    "only_the_direction_counts": named(
        dot=but("F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T", "queries @ keys.T"),
        keys_alone=but("F.normalize(queries, dim=-1)", "queries"),
        queries_alone=but("F.normalize(keys, dim=-1)", "keys"),
        wrong_axis=but("queries, dim=-1", "queries, dim=0", "keys, dim=-1", "keys, dim=0"),
        one_length_for_all=lambda queries, keys, temperature: (
            (queries / queries.norm()) @ (keys / keys.norm()).T / temperature
        ),
    ),
    "temperature_divides": named(
        times_the_temperature=but("/ temperature", "* temperature"),
        temperature_left_out=but(" / temperature", ""),
    ),
    "one_with_itself": named(
        squared_lengths,
        an_angle=lambda queries, keys, temperature: (
            torch.acos(by_normalize(queries, keys, 1).clamp(-1, 1)) / temperature
        ),
    ),
    "is_the_definition": named(
        of_magnitudes=lambda *given: by_normalize(*given).abs(),
        minus_outside=lambda *given: by_normalize(*given).clamp(min=0),
    ),
    "short_is_not_nothing": named(
        added_to_the_length=changed(
            not_safe, "part.norm(dim=-1, keepdim=True)", "(part.norm(dim=-1, keepdim=True) + 1e-6)"
        ),
        a_large_eps=changed(
            not_safe,
            "part / part.norm(dim=-1, keepdim=True)",
            "F.normalize(part, dim=-1, eps=0.01)",
        ),
    ),
    "zeros_are_safe": named(
        not_safe,
        only_the_keys_safe=but(
            "F.normalize(queries, dim=-1)", "queries / queries.norm(dim=-1, keepdim=True)"
        ),
        only_the_queries_safe=but(
            "F.normalize(keys, dim=-1)", "(keys / keys.norm(dim=-1, keepdim=True))"
        ),
        zero_is_the_best=lambda *given: torch.nan_to_num(not_safe(*given), nan=1.0),
    ),
    "infinity_is_not_hidden": named(
        one_length_at_most, nan_is_nothing=lambda *given: torch.nan_to_num(not_safe(*given))
    ),
    "runs": named(not_transposed=but(".T", "")),
}
