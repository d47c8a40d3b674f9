"""Right and wrong answers to `attn_course.classroom.exercises.patching.hide_sink`."""

import torch


def by_a_mask(weights, values):
    later = torch.arange(weights.shape[1]) > 0
    hidden = later[:, None] & (torch.arange(weights.shape[2]) == 0)
    return torch.einsum("hij,hjp->hip", weights.masked_fill(hidden, 0.0), values)


def by_subtraction(weights, values):
    found = weights @ values
    taken = weights[:, :, :1] * values[:, :1]
    return torch.cat([found[:, :1], (found - taken)[:, 1:]], dim=1)


def cut_off(weights, values):
    return weights[:, 1:, 1:] @ values[:, 1:]


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


def nothing_hidden(weights, values):
    return weights @ values


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


def without_gradient(weights, values):
    return by_a_mask(weights.detach(), values)


def in_place(weights, values):
    weights[:, 1:, 0] = 0
    return weights @ values


def wrong_sizes(weights, values):
    return values @ weights


RIGHT = [by_a_mask, by_subtraction]
WRONG = {
    cut_off: "keeps_the_shape",
    weights_returned: "keeps_the_shape",
    hidden_from_itself: "the_first_reads_itself",
    row_for_column: "the_first_reads_itself",
    nothing_hidden: "later_ones_do_not_read_it",
    first_row_spread: "later_ones_do_not_read_it",
    scaled: "the_rest_is_not_scaled",
    softmax_again: "the_rest_is_not_scaled",
    handed_to_itself: "the_rest_is_not_scaled",
    without_gradient: "gradients_pass",
    in_place: "leaves_its_inputs_alone",
    wrong_sizes: "runs",
}
