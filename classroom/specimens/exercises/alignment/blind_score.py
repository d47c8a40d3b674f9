"""Right and wrong answers to `attn_class.exercises.alignment.blind_score`."""

import numpy as np
import torch

from attn_class.exercises.alignment.blind_score import solution
from specimens.answers import changed, named


def by_other_queries(score, queries, keys):
    one = torch.softmax(score(queries, keys), dim=-1)
    other = torch.softmax(score(-queries, keys), dim=-1)
    return not torch.allclose(one, other, atol=1e-6)


def by_differences(score, queries, keys):
    scores = score(queries, keys)
    within = scores - scores[..., :1]
    return bool((within - within[:, :1]).abs().max() > 1e-4)


def by_loop(score, queries, keys):
    rows = [score(queries[:, i : i + 1], keys).softmax(dim=-1) for i in range(queries.shape[1])]
    return any(not torch.allclose(row, rows[0], atol=1e-6) for row in rows[1:])


def a_table(score, queries, keys):
    weights = torch.softmax(score(queries, keys), dim=-1)
    return weights != weights[:, :1]


def the_same_query_twice(score, queries, keys):
    first = torch.softmax(score(queries[:, :1], keys), dim=-1)
    again = torch.softmax(score(queries[:, :1], keys), dim=-1)
    return not torch.allclose(first, again)


def by_the_scores(score, queries, keys):
    scores = score(queries, keys)
    return not torch.allclose(scores, scores[:, :1], atol=1e-6)


def without_a_batch(score, queries, keys):
    weights = torch.softmax(score(queries[0], keys[0]).no_such, dim=-1)
    return not torch.allclose(weights, weights[:1])


def as_a_truth_of_numpy(score, queries, keys):
    return np.bool_(by_loop(score, queries, keys))


RIGHT = [as_a_truth_of_numpy, by_other_queries, by_differences, by_loop]
WRONG = {
    "one_truth": [a_table],
    "the_usual_ones_follow": named(
        the_same_query_twice,
        turned_around=lambda score, queries, keys: not by_loop(score, queries, keys),
        never=lambda score, queries, keys: False,
    ),
    "location_follows": named(
        other_keys=changed(by_other_queries, "score(-queries, keys)", "score(queries, -keys)")
    ),
    "the_deaf_one_does_not": named(
        always=lambda score, queries, keys: True,
        within_a_row=changed(solution, "weights[:, :1]", "weights[..., :1]"),
    ),
    "stacked_does_not": named(
        by_the_scores, over_the_wrong_axis=changed(solution, "dim=-1", "dim=1")
    ),
    "runs": [without_a_batch],
}
