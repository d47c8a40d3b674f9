"""Right and wrong answers to `attn_class.exercises.alignment.general_score`."""

import torch

from attn_class.exercises.alignment.general_score import solution
from attn_course.alignment import GeneralScore
from specimens.answers import changed, named


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


def cosine(queries, keys, W):
    projected = keys @ W.T
    return (queries / queries.norm(dim=-1, keepdim=True)) @ (
        projected / projected.norm(dim=-1, keepdim=True)
    ).transpose(1, 2)


RIGHT = [by_products, by_loop, by_bmm, by_the_package]
WRONG = {
    "one_table_a_sentence": named(
        transposed_table=lambda queries, keys, W: by_products(queries, keys, W).transpose(1, 2),
        batch_summed=lambda queries, keys, W: torch.einsum("biq,qk,bjk->ij", queries, W, keys),
        every_pair_of_sentences=changed(solution, '"biq,qk,bjk->bij"', '"biq,qk,cjk->bcij"'),
    ),
    "sentences_are_apart": named(
        first_sentence_for_all=lambda queries, keys, W: queries @ W @ keys[0].T,
        summed_and_kept=lambda queries, keys, W: torch.einsum("biq,qk,cjk->bij", queries, W, keys),
    ),
    "reads_its_own_key": named(
        softmaxed=lambda queries, keys, W: by_products(queries, keys, W).softmax(dim=-1),
        mean_of_the_keys=lambda queries, keys, W: by_products(
            queries, keys - keys.mean(dim=1, keepdim=True), W
        ),
        keys_left_out=lambda queries, keys, W: (
            (queries @ W).sum(dim=-1, keepdim=True).expand(-1, -1, keys.shape[1]) + 0
        ),
    ),
    "with_the_identity_it_is_dot": named(
        cosine,
        scaled=lambda queries, keys, W: by_products(queries, keys, W) / W.shape[0] ** 0.5,
        with_tanh=lambda queries, keys, W: queries @ torch.tanh(keys @ W.T).transpose(1, 2),
        minus=lambda queries, keys, W: -by_products(queries, keys, W),
    ),
    "is_the_definition": named(
        transposed_matrix=lambda queries, keys, W: queries @ W.T @ keys.transpose(1, 2),
        without_matrix=lambda queries, keys, W: queries @ keys.transpose(1, 2),
    ),
    "runs": named(keys_not_transposed=lambda queries, keys, W: queries @ W @ keys),
}
