"""The score by distance, compared with the dot product that it contains."""

import torch

from attn_course.alignment import SCORES


def test_it_is_the_dot_product_less_half_the_squared_lengths():
    queries, keys = torch.randn(2, 3, 5), torch.randn(2, 7, 5)
    scores = SCORES["distance"]()(queries, keys)
    lengths = queries.square().sum(-1)[:, :, None] + keys.square().sum(-1)[:, None]
    torch.testing.assert_close(scores, SCORES["dot"]()(queries, keys) - lengths / 2)
