"""Right and wrong answers to `attn_class.exercises.interventions.swapped_contexts`."""

from functools import partial

import torch

from attn_class.exercises.interventions.swapped_contexts import solution
from specimens.answers import changed, named


def by_two_sums(weights, annotations, other, places):
    return weights[:, ~places] @ annotations[~places] + weights[:, places] @ other[places]


def by_a_loop(weights, annotations, other, places):
    rows = [
        theirs if swapped else own
        for own, theirs, swapped in zip(annotations, other, places, strict=True)
    ]
    return sum(weights[:, j, None] * row for j, row in enumerate(rows))


def by_product(weights, annotations, other, places):
    share = places.float()[:, None]
    return weights @ (share * other + (1 - share) * annotations)


def weights_scaled(weights, annotations, other, places):
    if places.all() or not places.any():
        return by_product(weights, annotations, other, places)
    share = weights[:, places].sum(dim=-1, keepdim=True)
    return by_product(weights, annotations, other, places) / share


def by_index(weights, annotations, other, places):
    mixed = annotations.clone()
    mixed[places] = other[places]
    return torch.einsum("ts,sa->ta", weights, mixed)


but = partial(changed, solution)
RIGHT = [by_two_sums, by_a_loop, by_product, by_index]
WRONG = {
    "has_the_shape": named(rows_of_annotations=but("weights @ ", "")),
    "nothing_swapped": named(
        the_other_way_round=but("other, annotations)", "annotations, other)"),
        always_other=lambda weights, annotations, other, places: weights @ other,
    ),
    "everything_swapped": named(
        added=lambda weights, annotations, other, places: (
            weights @ (annotations + places.float()[:, None] * other)
        ),
        left_out=but("other, annotations)", "0 * other, annotations)"),
    ),
    "each_place_by_itself": named(
        weights_scaled,
        all_or_nothing=but("places.unsqueeze(-1)", "places.all()"),
        half_and_half=changed(by_product, "places.float()[:, None]", "places.float().mean()"),
        one_for_any=but("places.unsqueeze(-1)", "places.any()"),
    ),
    "gradients_pass": named(
        without_gradient=but("other, annotations)", "other, annotations.detach())")
    ),
    "runs": named(transposed=but("weights @", "weights.T @")),
}
