"""Right and wrong answers to `attn_course.classroom.exercises.weights.masked_weights`."""

import math

import torch

from attn_course.weights import attention_weights


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


def transposed(scores, readable):
    return by_the_package(scores, readable).T


def only_the_readable(scores, readable):
    return torch.softmax(scores[readable], dim=0)


def over_the_batch(scores, readable):
    return torch.softmax(scores.masked_fill(~readable, -math.inf), dim=0)


def over_everything(scores, readable):
    hidden = scores.masked_fill(~readable, -math.inf)
    return torch.softmax(hidden.flatten(), dim=0).view_as(scores)


def sigmoid(scores, readable):
    return torch.sigmoid(scores) * readable


def log_softmax(scores, readable):
    return torch.log_softmax(scores.masked_fill(~readable, -math.inf), dim=-1)


def linear(scores, readable):
    scores = scores.masked_fill(~readable, 0) + 2 * readable
    return scores / scores.sum(dim=1, keepdim=True)


def hard(scores, readable):
    best = scores.masked_fill(~readable, -math.inf).argmax(dim=-1)
    return torch.nn.functional.one_hot(best, scores.shape[1]).float()


def sharpened(scores, readable):
    return by_the_package(scores * 2, readable)


def squared(scores, readable):
    return by_the_package(scores**2, readable)


def uniform(scores, readable):
    return readable / readable.sum(dim=1, keepdim=True)


def mask_inverted(scores, readable):
    return torch.softmax(scores.masked_fill(readable, -math.inf), dim=-1)


def mask_inverted_without_nan(scores, readable):
    return torch.nan_to_num(mask_inverted(scores, readable))


def mask_forgotten(scores, readable):
    return torch.softmax(scores, dim=-1)


def scores_times_mask(scores, readable):
    return torch.softmax(scores * readable, dim=-1)


def not_negative_enough(scores, readable):
    return torch.softmax(scores.masked_fill(~readable, -5.0), dim=-1)


def uniform_on_padding(scores, readable):
    weights = by_the_package(scores, readable)
    return torch.where(readable, weights, 1 / scores.shape[1])


def masked_afterwards(scores, readable):
    return torch.softmax(scores, dim=-1) * readable


def first_rows_mask_for_all(scores, readable):
    return torch.softmax(scores.masked_fill(~readable[:1], -math.inf), dim=-1)


def lost_share_given_to_all_alike(scores, readable):
    weights = torch.softmax(scores, dim=-1) * readable
    lost = 1 - weights.sum(dim=1, keepdim=True)
    return weights + lost * readable / readable.sum(dim=1, keepdim=True)


def renormalised(scores, readable):
    if (~readable).all(dim=1).any():
        raise ValueError("nothing to read")
    weights = torch.softmax(scores, dim=1) * readable
    return weights / weights.sum(dim=1, keepdim=True)


def hidden_by_subtraction(scores, readable):
    if not readable.any(dim=1).all():
        raise ValueError("nothing to read")
    return torch.softmax(scores - 1e3 * ~readable, dim=-1)


def overflowing(scores, readable):
    powers = scores.exp() * readable
    return powers / powers.sum(dim=1, keepdim=True)


def empty_rows_become_nan(scores, readable):
    return torch.softmax(scores.masked_fill(~readable, -math.inf), dim=-1)


def empty_rows_become_uniform(scores, readable):
    return torch.softmax(scores.masked_fill(~readable, -1e9), dim=-1)


def empty_rows_become_zero(scores, readable):
    return torch.nan_to_num(empty_rows_become_nan(scores, readable))


def any_hidden_position_is_refused(scores, readable):
    if not readable.all():
        raise ValueError("something is hidden")
    return torch.softmax(scores, dim=-1)


def empty_rows_raise_another_error(scores, readable):
    assert readable.any(dim=1).all()
    return by_the_package(scores, readable)


def in_place(scores, readable):
    scores[~readable] = -math.inf
    return torch.softmax(scores, dim=-1)


def not_a_function_of_tensors(scores, readable):
    return math.exp(scores) / math.exp(scores)


def hidden_by_a_product(scores, readable):
    if not readable.any(dim=-1).all():
        raise ValueError("nothing to read")
    return torch.softmax(scores * readable - 1e9 * ~readable, dim=-1)


RIGHT = [large_negative, by_the_package, one_row_at_a_time]
WRONG = {
    hidden_by_a_product: "hidden_scores_do_not_matter",
    by_loop: "gradients_pass",
    transposed: "one_weight_each",
    only_the_readable: "one_weight_each",
    over_the_batch: "rows_sum_to_one",
    over_everything: "rows_sum_to_one",
    sigmoid: "rows_sum_to_one",
    log_softmax: "rows_sum_to_one",
    linear: "is_a_softmax",
    hard: "is_a_softmax",
    sharpened: "is_a_softmax",
    squared: "is_a_softmax",
    uniform: "is_a_softmax",
    any_hidden_position_is_refused: "rows_with_something_are_not_refused",
    mask_inverted: "mask_is_the_right_way_round",
    mask_inverted_without_nan: "mask_is_the_right_way_round",
    mask_forgotten: "hidden_positions_get_none",
    scores_times_mask: "hidden_positions_get_none",
    not_negative_enough: "hidden_positions_get_none",
    uniform_on_padding: "hidden_positions_get_none",
    masked_afterwards: "masked_rows_sum_to_one",
    first_rows_mask_for_all: "hidden_positions_get_none",
    lost_share_given_to_all_alike: "is_a_masked_softmax",
    overflowing: "survives_large_scores",
    renormalised: "hidden_scores_do_not_matter",
    hidden_by_subtraction: "hidden_scores_do_not_matter",
    empty_rows_become_nan: "empty_rows_are_refused",
    empty_rows_become_uniform: "empty_rows_are_refused",
    empty_rows_become_zero: "empty_rows_are_refused",
    empty_rows_raise_another_error: "empty_rows_are_refused",
    in_place: "leaves_its_inputs_alone",
    not_a_function_of_tensors: "runs",
}
