"""The experiment `beyond_length`: what each kind of positions can tell, and what is counted."""

import pytest
import torch

from attn_course.self_attention import MultiHeadAttention
from attn_lab.transformers import beyond_length as beyond
from attn_lab.transformers.beyond_length import Copier, Falling


def built(kind):
    return Copier(kind).eval()


def test_scores_fall_with_distance_in_each_head_as_fast_as_its_slope():
    plain, falling = MultiHeadAttention(8, 4), Falling(8, 4)
    falling.load_state_dict(plain.state_dict())
    x = torch.randn(1, 5, 8)
    may = torch.ones(5, 5).tril().bool()
    weights = [each.look(each.ask(x), each.offer(x, x), may)[1] for each in (plain, falling)]
    for head, slope in enumerate((1 / 4, 1 / 16, 1 / 64, 1 / 256)):
        before, after = (each[0, head, 4].log() for each in weights)
        fallen = (after - before).diff()  # from one place to the next, which is nearer
        torch.testing.assert_close(fallen, torch.full((4,), slope))


@pytest.mark.parametrize("kind", beyond.KINDS)
def test_nothing_is_read_before_it_was_written(kind):
    model, targets = built(kind), torch.tensor([[5, 6, 7, 2]])
    sources, changed = torch.tensor([[5, 6, 7]]), torch.tensor([[5, 6, 8, 2]])
    lengths = torch.tensor([3])
    one, other = (model(sources, lengths, each)[0] for each in (targets, changed))
    torch.testing.assert_close(one[:, :3], other[:, :3])
    assert not torch.allclose(one[:, 3], other[:, 3])


def test_letters_after_one_that_stands_again_are_counted_apart(monkeypatch):
    """The source abac; the model writes "abab", END."""
    written, source = (torch.tensor([each]) for each in ([5, 6, 5, 6, 2], [5, 6, 5, 7, 2]))
    logits = torch.nn.functional.one_hot(written, 9).double()
    monkeypatch.setattr(beyond, "said", lambda *_: (logits, source))
    found = beyond.repeats(None, 4, 0)  # after a: b right, then b for c; after b: a right
    assert found == {"once": 1.0, "again": 0.5, "astray": 1.0}
