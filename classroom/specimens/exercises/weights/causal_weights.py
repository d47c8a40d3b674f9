"""Right and wrong answers to `attn_class.exercises.weights.causal_weights`."""

import math
from functools import partial

import torch

from attn_course import masks
from attn_course.weights import attention_weights
from specimens.answers import changed, named


def readable(scores, lengths):
    return masks.causal(scores.shape[-1]) & masks.padding(lengths, scores.shape[-1])


def by_the_package(scores, lengths):
    return attention_weights(scores, readable(scores, lengths))


def by_loops(scores, lengths):
    weights = torch.zeros_like(scores)
    for b in range(scores.shape[0]):
        for i in range(scores.shape[1]):
            last = min(i + 1, int(lengths[b]))
            weights[b, i, :last] = torch.softmax(scores[b, i, :last], dim=0)
    return weights


def large_negative(scores, lengths):
    return torch.softmax(torch.where(readable(scores, lengths), scores, -1e9), dim=2)


def renormalised(scores, lengths):
    scores = scores.masked_fill(~readable(scores, lengths), -60.0)
    weights = torch.softmax(scores, dim=2) * readable(scores, lengths)
    return weights / weights.sum(dim=2, keepdim=True)


def one_place_ahead(scores, lengths):
    mask = torch.ones(scores.shape[1:]).tril(diagonal=1) > 0
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


def without_itself_but_at_first(scores, lengths):
    mask = torch.ones(scores.shape[1:]).tril(diagonal=-1) > 0
    mask[0, 0] = True
    return attention_weights(scores, mask & masks.padding(lengths, scores.shape[-1]))


def causal_only(scores, lengths):
    return attention_weights(scores, masks.causal(scores.shape[-1]))


def one_place_too_many(scores, lengths):
    lengths = (lengths + 1).clamp(max=scores.shape[-1])
    return by_the_package(scores, lengths)


def sharpened_where_padded(scores, lengths):
    short = (lengths < scores.shape[-1]).view(-1, 1, 1)
    return by_the_package(torch.where(short, 2 * scores, scores), lengths)


def nothing_for_padded_targets(scores, lengths):
    real = torch.arange(scores.shape[-1]) < lengths.unsqueeze(1)
    return by_the_package(scores, lengths) * real.unsqueeze(-1)


but = partial(changed, large_negative)
RIGHT = [nothing_for_padded_targets, by_the_package, by_loops, large_negative, renormalised]
WRONG = {
    "one_weight_each": named(
        one_sequence_alone=lambda scores, lengths: by_the_package(scores, lengths)[0],
        cut_to_the_longest=lambda scores, lengths: by_the_package(scores, lengths)[
            ..., : int(lengths.max()) - 1
        ],
    ),
    "reads_nothing_ahead": named(
        one_place_ahead,
        future_only=changed(one_place_ahead, "tril(diagonal=1)", "triu()", "math.inf", "1e9"),
        inverted=lambda scores, lengths: torch.softmax(
            scores.masked_fill(readable(scores, lengths), -math.inf), dim=-1
        ),
        padding_only=lambda scores, lengths: attention_weights(
            scores, masks.padding(lengths, scores.shape[-1])
        ),
    ),
    "no_row_is_empty": named(
        without_itself=lambda scores, lengths: torch.softmax(
            torch.where(readable(scores, lengths).tril(diagonal=-1), scores, -torch.inf), dim=2
        )
    ),
    "reads_all_behind": named(
        without_itself_but_at_first,
        diagonal_alone=lambda scores, lengths: (
            torch.eye(scores.shape[-1]).expand_as(scores).clone()
        ),
    ),
    "rows_sum_to_one": named(
        over_the_targets=changed(one_place_ahead, "diagonal=1", "", "dim=-1", "dim=1"),
        masked_after=lambda scores, lengths: (
            torch.softmax(scores, dim=-1) * readable(scores, lengths)
        ),
    ),
    "padding_gets_none": named(
        causal_only,
        one_place_too_many,
        lengths_on_the_targets=but(
            "readable(scores, lengths)",
            "(masks.causal(scores.shape[-1]) & readable(scores, lengths)[:, -1:].mT)",
        ),
        first_length_for_all=lambda scores, lengths: by_the_package(
            scores, lengths[:1].expand(len(lengths))
        ),
    ),
    "is_a_masked_softmax": named(
        sharpened_where_padded,
        padding_after=lambda scores, lengths: (
            causal_only(scores, lengths) * masks.padding(lengths, scores.shape[-1])
        ),
    ),
    "hidden_scores_do_not_matter": named(
        hidden_by_subtraction=lambda scores, lengths: torch.softmax(
            scores - 1e3 * ~readable(scores, lengths), dim=-1
        )
    ),
    "runs": named(
        lengths_not_broadcast=but(
            "readable(scores, lengths)", "(torch.arange(scores.shape[-1]) < lengths)"
        )
    ),
}
