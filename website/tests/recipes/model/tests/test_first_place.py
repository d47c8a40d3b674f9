"""The decoder that looks at the first position."""

import torch

from attn_course.models.translator import first_place


def test_what_stands_behind_the_first_position_moves_no_weight():
    model = first_place(11, 13)
    sources, lengths = torch.randint(4, 11, (2, 5)), torch.tensor([5, 5])
    _, weights = model(sources, lengths, torch.randint(4, 13, (2, 3)))
    assert torch.equal(weights, torch.eye(5)[:1].expand(2, 3, 5))
