"""Right and wrong answers to `attn_class.exercises.weights.masked_weights`."""

import math
from functools import partial

import torch

from attn_course.weights import attention_weights
from specimens.answers import changed, named


def by_loop(scores, readable):
    weights = torch.zeros_like(scores)
    for row in range(len(scores)):
        columns = [j for j in range(scores.shape[1]) if readable[row, j]]
        if not columns:
            raise ValueError("nothing to read")
        highest = max(scores[row, j].item() for j in columns)
        total = sum(math.exp(scores[row, j].item() - highest) for j in columns)
        for j in columns:
            weights[row, j] = math.exp(scores[row, j].item() - highest) / total
    return weights


def large_negative(scores, readable):
    if not readable.any(dim=1).all():
        raise ValueError("nothing to read")
    return torch.softmax(torch.where(readable, scores.double(), -1e9), dim=-1)


def by_the_package(scores, readable):
    return attention_weights(scores, readable)


def one_row_at_a_time(scores, readable):
    rows = []
    for e, may in zip(scores, readable, strict=True):
        if not may.any():
            raise ValueError("nothing to read")
        row = torch.zeros_like(e)
        row[may] = torch.softmax(e[may], dim=0)
        rows.append(row)
    return torch.stack(rows)


def over_everything(scores, readable):
    hidden = scores.masked_fill(~readable, -math.inf)
    return torch.softmax(hidden.flatten(), dim=0).view_as(scores)


def linear(scores, readable):
    scores = scores.masked_fill(~readable, 0) + 2 * readable
    return scores / scores.sum(dim=1, keepdim=True)


def hard(scores, readable):
    best = scores.masked_fill(~readable, -math.inf).argmax(dim=-1)
    return torch.nn.functional.one_hot(best, scores.shape[1]).float()


def mask_inverted(scores, readable):
    return torch.softmax(scores.masked_fill(readable, -math.inf), dim=-1)


def uniform_on_padding(scores, readable):
    weights = by_the_package(scores, readable)
    return torch.where(readable, weights, 1 / scores.shape[1])


def lost_share_given_to_all_alike(scores, readable):
    weights = torch.softmax(scores, dim=-1) * readable
    lost = 1 - weights.sum(dim=1, keepdim=True)
    return weights + lost * readable / readable.sum(dim=1, keepdim=True)


def renormalised(scores, readable):
    if (~readable).all(dim=1).any():
        raise ValueError("nothing to read")
    weights = torch.softmax(scores, dim=1) * readable
    return weights / weights.sum(dim=1, keepdim=True)


def overflowing(scores, readable):
    powers = scores.exp() * readable
    return powers / powers.sum(dim=1, keepdim=True)


def empty_rows_become_nan(scores, readable):
    return torch.softmax(scores.masked_fill(~readable, -math.inf), dim=-1)


but = partial(changed, large_negative)
RIGHT = [large_negative, by_the_package, one_row_at_a_time]
WRONG = {
    "hidden_scores_do_not_matter": named(
        renormalised,
        hidden_by_a_product=but(
            "torch.where(readable, scores.double(), -1e9)", "scores * readable - 1e9 * ~readable"
        ),
        hidden_by_subtraction=but(
            "torch.where(readable, scores.double(), -1e9)", "scores - 1e3 * ~readable"
        ),
    ),
    "gradients_pass": [by_loop],
    "one_weight_each": named(
        transposed=lambda scores, readable: by_the_package(scores, readable).T,
        only_the_readable=lambda scores, readable: torch.softmax(scores[readable], dim=0),
    ),
    "rows_sum_to_one": named(
        over_everything,
        over_the_batch=changed(empty_rows_become_nan, "dim=-1", "dim=0"),
        sigmoid=lambda scores, readable: torch.sigmoid(scores) * readable,
        log_softmax=changed(empty_rows_become_nan, "torch.softmax", "torch.log_softmax"),
    ),
    "is_a_softmax": named(
        linear,
        hard,
        sharpened=lambda scores, readable: by_the_package(scores * 2, readable),
        squared=lambda scores, readable: by_the_package(scores**2, readable),
        uniform=lambda scores, readable: readable / readable.sum(dim=1, keepdim=True),
    ),
    "rows_with_something_are_not_refused": named(
        any_hidden_position_is_refused=but("readable.any(dim=1)", "readable")
    ),
    "mask_is_the_right_way_round": named(
        mask_inverted,
        mask_inverted_without_nan=lambda *given: torch.nan_to_num(mask_inverted(*given)),
    ),
    "hidden_positions_get_none": named(
        uniform_on_padding,
        mask_forgotten=lambda scores, readable: torch.softmax(scores, dim=-1),
        scores_times_mask=lambda scores, readable: torch.softmax(scores * readable, dim=-1),
        not_negative_enough=changed(empty_rows_become_nan, "math.inf", "5.0"),
        first_rows_mask_for_all=changed(empty_rows_become_nan, "~readable", "~readable[:1]"),
    ),
    "masked_rows_sum_to_one": named(
        masked_afterwards=lambda scores, readable: torch.softmax(scores, dim=-1) * readable
    ),
    "is_a_masked_softmax": [lost_share_given_to_all_alike],
    "survives_large_scores": [overflowing],
    "empty_rows_are_refused": named(
        empty_rows_become_nan,
        empty_rows_raise_another_error=but("ValueError", "AssertionError"),
        empty_rows_become_uniform=changed(empty_rows_become_nan, "math.inf", "1e9"),
        empty_rows_become_zero=lambda *given: torch.nan_to_num(empty_rows_become_nan(*given)),
    ),
    "runs": named(
        not_a_function_of_tensors=lambda scores, readable: math.exp(scores) / math.exp(scores)
    ),
}
