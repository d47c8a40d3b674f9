"""Right and wrong answers to `attn_class.exercises.models.mask_look`."""

from functools import partial

import torch
from torch import nn

from attn_class.exercises.models.mask_look import solution
from attn_course.models.one_look import MaskReader
from specimens.answers import changed, named


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


but = partial(changed, solution)
RIGHT = [by_convolution, by_the_package, by_loops]
WRONG = {
    "runs": named(
        channels_last=but('torch.einsum("c,crk->rk", weight, features)', "features @ weight")
    ),
    "returns_context_and_map": named(
        weights_flat=but("features), weights", "features), weights.flatten()"),
        weights_first=lambda *given: by_convolution(*given)[::-1],
        context_alone=lambda *given: by_convolution(*given)[0],
    ),
    "weights_are_shares": named(
        softmax_over_rows=but("flatten().softmax(dim=0).view_as(scores)", "softmax(dim=1)"),
        softmax_over_columns=but("flatten().softmax(dim=0).view_as(scores)", "softmax(dim=0)"),
        softmax_forgotten=but("scores.flatten().softmax(dim=0).view_as(scores)", "scores"),
        sigmoid=but("scores.flatten().softmax(dim=0).view_as(scores)", "scores.sigmoid()"),
    ),
    "bias_changes_nothing": named(
        sigmoid_divided=but(
            "flatten().softmax(dim=0).view_as(scores)", "sigmoid() / scores.sigmoid().sum()"
        ),
        bias_as_a_factor=but("+ bias", "* bias"),
    ),
    "weights_are_a_softmax": named(
        softmax_of_rows_then_of_all=but("flatten().softmax(dim=0).view_as", "softmax(dim=1) / len"),
        even=but(
            "scores.flatten().softmax(dim=0).view_as(scores)",
            "torch.full_like(scores, 1 / scores.numel()) + 0 * scores",
        ),
        softmax_twice=but(".softmax(dim=0)", ".softmax(dim=0).softmax(dim=0)"),
        weight_ignored=but(
            'torch.einsum("c,crk->rk", weight, features)', "features.sum(dim=0) + 0 * weight.sum()"
        ),
    ),
    "context_follows_the_weights": named(
        divided_once_more=but("features), weights", "features) / weights.numel(), weights"),
        best_cell_only=but(
            'torch.einsum("rk,crk->c", weights, features)',
            "features.flatten(1)[:, weights.argmax()] + 0 * weight.sum()",
        ),
        average_pooling=but(
            'torch.einsum("rk,crk->c", weights, features)',
            "features.mean(dim=(1, 2)) + 0 * weight.sum()",
        ),
        plain_sum=but(
            'torch.einsum("rk,crk->c", weights, features)',
            "features.sum(dim=(1, 2)) + 0 * weight.sum()",
        ),
    ),
    "gradient_reaches_the_mask": named(
        detached=but("weights, features)", "weights.detach(), features) + 0 * weight.sum()")
    ),
}
