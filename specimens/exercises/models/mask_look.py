"""Right and wrong answers to `attn_course.classroom.exercises.models.mask_look`."""

import torch
from torch import nn

from attn_course.models.one_look import MaskReader
from specimens.answers import named


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


def weights_flat(features, weight, bias):
    context, weights = by_convolution(features, weight, bias)
    return context, weights.flatten()


def sigmoid_divided(features, weight, bias):
    gates = scores_of(features, weight, bias).sigmoid()
    return average(gates / gates.sum(), features)


def softmax_of_rows_then_of_all(features, weight, bias):
    rows = scores_of(features, weight).softmax(dim=1)
    return average(rows / rows.sum(), features)


def even(features, weight, bias):
    weights = torch.ones(features.shape[1:])
    return average(weights / weights.sum() + 0 * weight.sum(), features)


def divided_once_more(features, weight, bias):
    weights = flattened(scores_of(features, weight))
    return (weights * features).mean(dim=(1, 2)), weights


def best_cell_only(features, weight, bias):
    weights = flattened(scores_of(features, weight))
    return features.flatten(1)[:, weights.argmax()] + 0 * weight.sum(), weights


def detached(features, weight, bias):
    weights = flattened(scores_of(features, weight))
    return (weights.detach() * features).sum(dim=(1, 2)) + 0 * weight.sum(), weights


def made_anew(features, weight, bias):
    weights = torch.tensor(flattened(scores_of(features, weight)).tolist())
    return average(weights, features)


RIGHT = [by_convolution, by_the_package, by_loops]
WRONG = {
    "runs": named(
        channels_last=lambda features, weight, bias: average(
            flattened(features @ weight + bias), features
        )
    ),
    "returns_context_and_map": named(
        weights_flat,
        weights_first=lambda features, weight, bias: by_convolution(features, weight, bias)[::-1],
        context_alone=lambda features, weight, bias: by_convolution(features, weight, bias)[0],
    ),
    "weights_are_shares": named(
        softmax_over_rows=lambda features, *others: average(
            scores_of(features, *others).softmax(dim=1), features
        ),
        softmax_over_columns=lambda features, *others: average(
            scores_of(features, *others).softmax(dim=0), features
        ),
        softmax_forgotten=lambda features, *others: average(scores_of(features, *others), features),
        sigmoid=lambda features, *others: average(scores_of(features, *others).sigmoid(), features),
    ),
    "bias_changes_nothing": named(
        sigmoid_divided,
        bias_as_a_factor=lambda features, weight, bias: average(
            flattened(scores_of(features, weight) * bias), features
        ),
    ),
    "weights_are_a_softmax": named(
        softmax_of_rows_then_of_all,
        even,
        softmax_twice=lambda features, weight, bias: average(
            flattened(flattened(scores_of(features, weight))), features
        ),
        weight_ignored=lambda features, weight, bias: average(
            flattened(features.sum(dim=0) + 0 * weight.sum()), features
        ),
    ),
    "context_follows_the_weights": named(
        divided_once_more,
        best_cell_only,
        average_pooling=lambda features, weight, bias: (
            features.mean(dim=(1, 2)) + 0 * weight.sum(),
            flattened(scores_of(features, weight)),
        ),
        plain_sum=lambda features, weight, bias: (
            features.sum(dim=(1, 2)) + 0 * weight.sum(),
            flattened(scores_of(features, weight)),
        ),
    ),
    "gradient_reaches_the_mask": [detached, made_anew],
}
