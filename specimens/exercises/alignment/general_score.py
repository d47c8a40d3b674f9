"""Right and wrong answers to `attn_course.classroom.exercises.alignment.general_score`."""

import torch

from attn_course.alignment import GeneralScore


def by_products(queries, keys, W):
    return queries @ W @ keys.transpose(1, 2)


def by_loop(queries, keys, W):
    return torch.stack([q @ (k @ W.T).T for q, k in zip(queries, keys, strict=True)])


def by_bmm(queries, keys, W):
    return torch.bmm(torch.nn.functional.linear(queries, W.T), keys.mT)


def by_the_package(queries, keys, W):
    score = GeneralScore(*W.shape)
    weights = {"key_projection.weight": W}
    return torch.func.functional_call(score, weights, (queries, keys))


def transposed_table(queries, keys, W):
    return by_products(queries, keys, W).transpose(1, 2)


def batch_summed(queries, keys, W):
    return torch.einsum("biq,qk,bjk->ij", queries, W, keys)


def every_pair_of_sentences(queries, keys, W):
    return torch.einsum("biq,qk,cjk->bcij", queries, W, keys)


def first_sentence_for_all(queries, keys, W):
    return queries @ W @ keys[0].T


def summed_and_kept(queries, keys, W):
    return torch.einsum("biq,qk,cjk->bij", queries, W, keys)


def softmaxed(queries, keys, W):
    return by_products(queries, keys, W).softmax(dim=-1)


def mean_of_the_keys(queries, keys, W):
    return by_products(queries, keys - keys.mean(dim=1, keepdim=True), W)


def keys_left_out(queries, keys, W):
    return (queries @ W).sum(dim=-1, keepdim=True).expand(-1, -1, keys.shape[1]) + 0


def scaled(queries, keys, W):
    return by_products(queries, keys, W) / W.shape[0] ** 0.5


def with_tanh(queries, keys, W):
    return queries @ torch.tanh(keys @ W.T).transpose(1, 2)


def cosine(queries, keys, W):
    projected = keys @ W.T
    return (queries / queries.norm(dim=-1, keepdim=True)) @ (
        projected / projected.norm(dim=-1, keepdim=True)
    ).transpose(1, 2)


def minus(queries, keys, W):
    return -by_products(queries, keys, W)


def transposed_matrix(queries, keys, W):
    return queries @ W.T @ keys.transpose(1, 2)


def without_matrix(queries, keys, W):
    return queries @ keys.transpose(1, 2)


def keys_not_transposed(queries, keys, W):
    return queries @ W @ keys


def in_place(queries, keys, W):
    keys *= 2
    return by_products(queries, keys, W)


RIGHT = [by_products, by_loop, by_bmm, by_the_package]
WRONG = {
    transposed_table: "one_table_a_sentence",
    batch_summed: "one_table_a_sentence",
    every_pair_of_sentences: "one_table_a_sentence",
    first_sentence_for_all: "sentences_are_apart",
    summed_and_kept: "sentences_are_apart",
    softmaxed: "reads_its_own_key",
    mean_of_the_keys: "reads_its_own_key",
    keys_left_out: "reads_its_own_key",
    scaled: "with_the_identity_it_is_dot",
    with_tanh: "with_the_identity_it_is_dot",
    cosine: "with_the_identity_it_is_dot",
    minus: "with_the_identity_it_is_dot",
    transposed_matrix: "is_the_definition",
    without_matrix: "is_the_definition",
    keys_not_transposed: "runs",
    in_place: "leaves_its_inputs_alone",
}
