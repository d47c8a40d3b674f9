"""Right and wrong answers to `attn_course.exercises.alignment.scaled_dot_score`."""

import math

import torch

from attn_course.alignment import ScaledDotScore


def queries_scaled_first(queries, keys):
    return (queries * queries.shape[-1] ** -0.5) @ keys.mT


def by_einsum(queries, keys):
    return torch.einsum("bid,bjd->bij", queries, keys) / math.sqrt(keys.shape[2])


def both_scaled(queries, keys):
    half = keys.shape[-1] ** 0.25
    return torch.bmm(queries / half, (keys / half).transpose(-1, -2))


def by_the_package(queries, keys):
    return ScaledDotScore()(queries, keys)


def transposed(queries, keys):
    return by_einsum(queries, keys).mT


def all_pairs_of_sentences(queries, keys):
    return torch.einsum("bid,cjd->bcij", queries, keys) / math.sqrt(keys.shape[2])


def softmaxed(queries, keys):
    return by_einsum(queries, keys).softmax(dim=-1)


def cosine(queries, keys):
    return torch.cosine_similarity(queries.unsqueeze(2), keys.unsqueeze(1), dim=-1)


def root_of_the_source(queries, keys):
    return queries @ keys.mT / math.sqrt(keys.shape[1])


def root_of_the_last_axis_of_the_scores(queries, keys):
    scores = queries @ keys.mT
    return scores / math.sqrt(scores.shape[-1])


def root_of_the_target(queries, keys):
    return queries @ keys.mT / math.sqrt(queries.shape[1])


def divided_by_the_size(queries, keys):
    return queries @ keys.mT / queries.shape[-1]


def left_out(queries, keys):
    return queries @ keys.mT


def twice(queries, keys):
    d = math.sqrt(queries.shape[-1])
    return (queries / d) @ (keys / d).mT


def times_the_root(queries, keys):
    return queries @ keys.mT * math.sqrt(queries.shape[-1])


def size_written_down(queries, keys):
    return queries @ keys.mT / math.sqrt(7)


def minus(queries, keys):
    return -by_einsum(queries, keys)


def of_entries_squared(queries, keys):
    return torch.einsum("bid,bjd->bij", queries.abs(), keys) / math.sqrt(keys.shape[2])


def not_transposed(queries, keys):
    return queries @ keys / math.sqrt(queries.shape[-1])


def in_place(queries, keys):
    queries /= math.sqrt(queries.shape[-1])
    return queries @ keys.mT


RIGHT = [queries_scaled_first, by_einsum, both_scaled, by_the_package]
WRONG = {
    transposed: "one_score_a_pair",
    all_pairs_of_sentences: "one_score_a_pair",
    softmaxed: "grows_with_the_key",
    cosine: "grows_with_the_key",
    root_of_the_source: "length_of_the_source_does_not_matter",
    root_of_the_last_axis_of_the_scores: "length_of_the_source_does_not_matter",
    root_of_the_target: "number_of_queries_does_not_matter",
    divided_by_the_size: "divided_by_the_root_of_the_size",
    left_out: "divided_by_the_root_of_the_size",
    twice: "divided_by_the_root_of_the_size",
    times_the_root: "divided_by_the_root_of_the_size",
    size_written_down: "divided_by_the_root_of_the_size",
    minus: "is_the_definition",
    of_entries_squared: "is_the_definition",
    not_transposed: "runs",
    in_place: "leaves_its_inputs_alone",
}
