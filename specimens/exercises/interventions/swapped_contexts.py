"""Right and wrong answers to `attn_course.classroom.exercises.interventions.swapped_contexts`."""

import torch


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


def rows_of_annotations(weights, annotations, other, places):
    return torch.where(places[:, None], other, annotations)


def the_other_way_round(weights, annotations, other, places):
    return by_product(weights, other, annotations, places)


def always_other(weights, annotations, other, places):
    return weights @ other


def added(weights, annotations, other, places):
    return weights @ (annotations + places.float()[:, None] * other)


def left_out(weights, annotations, other, places):
    return weights[:, ~places] @ annotations[~places]


def all_or_nothing(weights, annotations, other, places):
    return weights @ (other if places.all() else annotations)


def half_and_half(weights, annotations, other, places):
    share = places.float().mean()
    return weights @ (share * other + (1 - share) * annotations)


def weights_scaled(weights, annotations, other, places):
    if places.all() or not places.any():
        return by_product(weights, annotations, other, places)
    share = weights[:, places].sum(dim=-1, keepdim=True)
    return by_product(weights, annotations, other, places) / share


def without_gradient(weights, annotations, other, places):
    return by_product(weights, annotations.detach(), other, places)


def transposed(weights, annotations, other, places):
    return weights.T @ annotations


def by_index(weights, annotations, other, places):
    mixed = annotations.clone()
    mixed[places] = other[places]
    return torch.einsum("ts,sa->ta", weights, mixed)


def in_place(weights, annotations, other, places):
    annotations[places] = other[places]
    return weights @ annotations


def one_for_any(weights, annotations, other, places):
    return weights @ (other if places.any() else annotations)


RIGHT = [by_two_sums, by_a_loop, by_product, by_index]
WRONG = {
    rows_of_annotations: "has_the_shape",
    the_other_way_round: "nothing_swapped",
    always_other: "nothing_swapped",
    added: "everything_swapped",
    left_out: "everything_swapped",
    all_or_nothing: "each_place_by_itself",
    half_and_half: "each_place_by_itself",
    weights_scaled: "each_place_by_itself",
    without_gradient: "gradients_pass",
    transposed: "runs",
    in_place: "leaves_its_inputs_alone",
    one_for_any: "each_place_by_itself",
}
