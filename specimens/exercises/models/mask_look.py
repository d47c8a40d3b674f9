"""Right and wrong answers to `attn_course.classroom.exercises.models.mask_look`."""

import torch
from torch import nn

from attn_course.models.one_look import MaskReader


def by_convolution(features, weight, bias):
    scores = nn.functional.conv2d(features[None], weight.view(1, -1, 1, 1))[0, 0] + bias
    weights = torch.softmax(scores.reshape(-1), 0).reshape(scores.shape)
    return (weights * features).sum(dim=(1, 2)), weights


def by_the_package(features, weight, bias):
    reader = MaskReader()
    cells = features.permute(1, 2, 0).unsqueeze(0)
    del reader.mask  # a module cannot be replaced by a function
    reader.mask = lambda cells: nn.functional.conv2d(cells, weight.view(1, -1, 1, 1))
    weights = reader.weights(cells)
    return (weights @ cells.flatten(1, 2))[0, 0], weights.view(features.shape[1:])


def by_loops(features, weight, bias):
    channels, rows, columns = features.shape
    powers = [
        [(weight @ features[:, r, k] + bias).exp() for k in range(columns)] for r in range(rows)
    ]
    total = sum(map(sum, powers))
    weights = torch.stack([torch.stack(row) / total for row in powers])
    context = torch.zeros(channels)
    for r in range(rows):
        for k in range(columns):
            context = context + weights[r, k] * features[:, r, k]
    return context, weights


def scores_of(features, weight, bias=0.0):
    return torch.tensordot(weight, features, dims=1) + bias


def average(weights, features):
    return (weights * features).sum(dim=(1, 2)), weights


def flattened(scores):
    return scores.flatten().softmax(0).view_as(scores)


def weights_first(features, weight, bias):
    return by_convolution(features, weight, bias)[::-1]


def weights_flat(features, weight, bias):
    context, weights = by_convolution(features, weight, bias)
    return context, weights.flatten()


def context_alone(features, weight, bias):
    return by_convolution(features, weight, bias)[0]


def softmax_over_rows(features, weight, bias):
    return average(scores_of(features, weight, bias).softmax(dim=1), features)


def softmax_over_columns(features, weight, bias):
    return average(scores_of(features, weight, bias).softmax(dim=0), features)


def softmax_forgotten(features, weight, bias):
    return average(scores_of(features, weight, bias), features)


def sigmoid(features, weight, bias):
    return average(scores_of(features, weight, bias).sigmoid(), features)


def sigmoid_divided(features, weight, bias):
    gates = scores_of(features, weight, bias).sigmoid()
    return average(gates / gates.sum(), features)


def bias_as_a_factor(features, weight, bias):
    return average(flattened(scores_of(features, weight) * bias), features)


def softmax_twice(features, weight, bias):
    return average(flattened(flattened(scores_of(features, weight))), features)


def softmax_of_rows_then_of_all(features, weight, bias):
    rows = scores_of(features, weight).softmax(dim=1)
    return average(rows / rows.sum(), features)


def weight_ignored(features, weight, bias):
    return average(flattened(features.sum(dim=0) + 0 * weight.sum()), features)


def even(features, weight, bias):
    weights = torch.ones(features.shape[1:])
    return average(weights / weights.sum() + 0 * weight.sum(), features)


def average_pooling(features, weight, bias):
    return features.mean(dim=(1, 2)) + 0 * weight.sum(), flattened(scores_of(features, weight))


def divided_once_more(features, weight, bias):
    weights = flattened(scores_of(features, weight))
    return (weights * features).mean(dim=(1, 2)), weights


def best_cell_only(features, weight, bias):
    weights = flattened(scores_of(features, weight))
    return features.flatten(1)[:, weights.argmax()] + 0 * weight.sum(), weights


def plain_sum(features, weight, bias):
    return features.sum(dim=(1, 2)) + 0 * weight.sum(), flattened(scores_of(features, weight))


def detached(features, weight, bias):
    weights = flattened(scores_of(features, weight))
    return (weights.detach() * features).sum(dim=(1, 2)) + 0 * weight.sum(), weights


def made_anew(features, weight, bias):
    weights = torch.tensor(flattened(scores_of(features, weight)).tolist())
    return average(weights, features)


def channels_last(features, weight, bias):
    return average(flattened(features @ weight + bias), features)


RIGHT = [by_convolution, by_the_package, by_loops]
WRONG = {
    channels_last: "runs",
    weights_first: "returns_context_and_map",
    weights_flat: "returns_context_and_map",
    context_alone: "returns_context_and_map",
    softmax_over_rows: "weights_are_shares",
    softmax_over_columns: "weights_are_shares",
    softmax_forgotten: "weights_are_shares",
    sigmoid: "weights_are_shares",
    bias_as_a_factor: "bias_changes_nothing",
    sigmoid_divided: "bias_changes_nothing",
    softmax_twice: "weights_are_a_softmax",
    softmax_of_rows_then_of_all: "weights_are_a_softmax",
    weight_ignored: "weights_are_a_softmax",
    even: "weights_are_a_softmax",
    average_pooling: "context_follows_the_weights",
    divided_once_more: "context_follows_the_weights",
    best_cell_only: "context_follows_the_weights",
    plain_sum: "context_follows_the_weights",
    detached: "gradient_reaches_the_mask",
    made_anew: "gradient_reaches_the_mask",
}
