"""Right and wrong answers to `attn_course.classroom.exercises.interventions.hide_places`."""

import torch


def by_product(weights, places):
    kept = weights * (~places).float()
    return kept / kept.sum(-1).unsqueeze(-1)


def by_a_softmax_of_logarithms(weights, places):
    return weights.log().masked_fill(places, -torch.inf).softmax(dim=-1)


def by_rows(weights, places):
    rows = [torch.where(places, 0.0, row) for row in weights]
    return torch.stack([row / row.sum() for row in rows])


def left_out(weights, places):
    kept = weights[:, ~places]
    return (kept / kept.sum(dim=-1, keepdim=True)).reshape(-1)


def mask_inverted(weights, places):
    kept = weights.masked_fill(~places, 0.0)
    return kept / kept.sum(dim=-1, keepdim=True).clamp(min=1e-9)


def nothing_hidden(weights, places):
    return weights / weights.sum(dim=-1, keepdim=True)


def not_scaled(weights, places):
    return weights.masked_fill(places, 0.0) * 0.9


def scaled_over_the_targets(weights, places):
    kept = weights.masked_fill(places, 0.0)
    return kept / kept.sum(dim=0, keepdim=True).clamp(min=1e-9)


def softmax_again(weights, places):
    return weights.masked_fill(places, -torch.inf).softmax(dim=-1)


def handed_out_evenly(weights, places):
    kept = weights.masked_fill(places, 0.0)
    lost = 1 - kept.sum(dim=-1, keepdim=True)
    return torch.where(places, 0.0, kept + lost / (~places).sum())


def without_gradient(weights, places):
    return by_product(weights.detach(), places)


def wrong_axis(weights, places):
    return weights.T.masked_fill(places, 0.0)


def by_normalize(weights, places):
    return torch.nn.functional.normalize(weights * ~places, p=1, dim=-1)


def in_place(weights, places):
    weights[:, places] = 0
    return weights / weights.sum(dim=-1, keepdim=True)


def of_the_whole_table(weights, places):
    kept = weights * ~places
    return kept / kept.sum()


RIGHT = [by_product, by_a_softmax_of_logarithms, by_rows, by_normalize]
WRONG = {
    left_out: "keeps_the_shape",
    mask_inverted: "hidden_is_zero",
    nothing_hidden: "hidden_is_zero",
    not_scaled: "rows_sum_to_one",
    scaled_over_the_targets: "rows_sum_to_one",
    softmax_again: "keeps_proportions",
    handed_out_evenly: "keeps_proportions",
    without_gradient: "gradients_pass",
    wrong_axis: "runs",
    in_place: "leaves_its_inputs_alone",
    of_the_whole_table: "rows_sum_to_one",
}
