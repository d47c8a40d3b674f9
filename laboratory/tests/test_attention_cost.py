"""The experiment `attention_cost`: what is counted, and that its ways of writing do the same."""

import pytest
import torch

from attn_lab.transformers import attention_cost as cost


def test_fused_attention_gives_what_is_written_out():
    layer, plain = cost.reader("written out")
    other, fused = cost.reader("fused")
    other.load_state_dict(layer.state_dict())
    vectors = torch.randn(1, 11, cost.SIZE)
    torch.testing.assert_close(fused(vectors), plain(vectors))


@pytest.mark.parametrize("length", [7, 13])
def test_what_is_kept_for_the_backward_pass(length):
    """Written out, at least the weights of each head; fused, some vectors for each position."""
    weights = 4 * cost.HEADS * length**2
    written_out, fused = (cost.saved_bytes(kind, length) for kind in ("written out", "fused"))
    assert written_out >= weights
    assert fused % (4 * length) == 0
    assert cost.saved_bytes("fused", 2 * length) == 2 * fused


def test_slopes_are_powers_of_the_length():
    assert cost.slopes((2, 4, 12), (5.0, 20.0, 540.0)) == pytest.approx([2, 3])


@pytest.mark.parametrize("kind", [*cost.READING, *cost.WRITING])
def test_everything_that_is_timed_runs(kind):
    assert cost.measure(cost.Condition(kind, 3), seed=0)["ms"] > 0
