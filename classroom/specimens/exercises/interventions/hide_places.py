"""Right and wrong answers to `attn_class.exercises.interventions.hide_places`."""

import torch

from attn_class.exercises.interventions.hide_places import solution
from specimens.answers import changed, named


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


def handed_out_evenly(weights, places):
    kept = weights.masked_fill(places, 0.0)
    lost = 1 - kept.sum(dim=-1, keepdim=True)
    return torch.where(places, 0.0, kept + lost / (~places).sum())


def by_normalize(weights, places):
    return torch.nn.functional.normalize(weights * ~places, p=1, dim=-1)


def of_the_whole_table(weights, places):
    kept = weights * ~places
    return kept / kept.sum()


RIGHT = [by_product, by_a_softmax_of_logarithms, by_rows, by_normalize]
WRONG = {
    "keeps_the_shape": [left_out],
    "hidden_is_zero": named(
        mask_inverted,
        nothing_hidden=lambda weights, places: weights / weights.sum(dim=-1, keepdim=True),
    ),
    "rows_sum_to_one": named(
        of_the_whole_table,
        not_scaled=lambda weights, places: weights.masked_fill(places, 0.0) * 0.9,
        scaled_over_the_targets=changed(
            solution, "(dim=-1, keepdim=True)", "(dim=0, keepdim=True).clamp(min=1e-9)"
        ),
    ),
    "keeps_proportions": named(
        handed_out_evenly,
        softmax_again=changed(by_a_softmax_of_logarithms, "weights.log()", "weights"),
    ),
    "gradients_pass": named(
        without_gradient=lambda weights, places: by_product(weights.detach(), places)
    ),
    "runs": named(wrong_axis=lambda weights, places: weights.T.masked_fill(places, 0.0)),
}
