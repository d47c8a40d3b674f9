"""Right and wrong answers to `attn_course.classroom.exercises.patching.hide_sink`."""

import torch

from specimens.answers import named


def by_a_mask(weights, values):
    later = torch.arange(weights.shape[1]) > 0
    hidden = later[:, None] & (torch.arange(weights.shape[2]) == 0)
    return torch.einsum("hij,hjp->hip", weights.masked_fill(hidden, 0.0), values)


def by_subtraction(weights, values):
    found = weights @ values
    taken = weights[:, :, :1] * values[:, :1]
    return torch.cat([found[:, :1], (found - taken)[:, 1:]], dim=1)


def weights_returned(weights, values):
    kept = weights.clone()
    kept[:, 1:, 0] = 0
    return kept


def hidden_from_itself(weights, values):
    kept = weights.clone()
    kept[:, :, 0] = 0
    return kept @ values


def row_for_column(weights, values):
    kept = weights.clone()
    kept[:, 0, :] = 0
    return kept @ values


def first_row_spread(weights, values):
    kept = weights.clone()
    kept[:, 2:, 0] = 0
    return kept @ values


def scaled(weights, values):
    kept = weights.clone()
    kept[:, 1:, 0] = 0
    return kept / kept.sum(dim=-1, keepdim=True) @ values


def softmax_again(weights, values):
    kept = weights.clone()
    kept[:, 1:, 0] = 0
    kept = kept.masked_fill(kept == 0, -torch.inf)
    return kept.softmax(dim=-1) @ values


def handed_to_itself(weights, values):
    kept = weights.clone()
    lost = kept[:, 1:, 0].clone()
    kept[:, 1:, 0] = 0
    places = torch.arange(1, kept.shape[1])
    kept[:, places, places] += lost
    return kept @ values


RIGHT = [by_a_mask, by_subtraction]
WRONG = {
    "keeps_the_shape": named(
        weights_returned, cut_off=lambda weights, values: weights[:, 1:, 1:] @ values[:, 1:]
    ),
    "the_first_reads_itself": [hidden_from_itself, row_for_column],
    "later_ones_do_not_read_it": named(
        first_row_spread, nothing_hidden=lambda weights, values: weights @ values
    ),
    "the_rest_is_not_scaled": [scaled, softmax_again, handed_to_itself],
    "gradients_pass": named(
        without_gradient=lambda weights, values: by_a_mask(weights.detach(), values)
    ),
    "runs": named(wrong_sizes=lambda weights, values: values @ weights),
}
