"""Readers of the experiment `transformer_parts` differ as stated, and its measures are right."""

import numpy as np
import pytest
import torch

from attn_course.self_attention import MultiHeadAttention
from attn_lab.transformers import transformer_models as models
from attn_lab.transformers import transformer_parts as grid
from attn_lab.transformers.transformer_models import CHANGES, KINDS, Reader


@pytest.mark.parametrize("kind", CHANGES)
def test_a_reader_lacks_what_its_name_says_and_nothing_else(kind):
    other = models.build(kind)
    design, block = other.decoder, other.decoder.blocks[0]
    assert design.causal == (kind != "no causal mask")
    assert block.around_inside.residual == (kind != "no residual")
    assert block.inside.heads == (1 if kind == "one head" else 4)
    assert (block.network is None) == (kind == "no feed-forward")
    place = "post" if "post-norm" in kind else "none" if "no norm" in kind else "pre"
    assert block.around_inside.place == place
    named = {"no positions": "none", "sinusoidal": "sinusoidal", "learned": "learned"}
    assert design.places.positions == named.get(kind, "rotary")
    assert len(other.encoder.blocks) == (6 if "six" in kind else 2)
    warm_up = models.settings(Reader(kind, 2, 0.01)).warm_up
    assert warm_up == (1 if "no warm-up" in kind else models.WARM_UP)


def test_the_plan_holds_every_reader():
    assert {kind for kinds, _, _ in grid.PLAN for kind in kinds} == {*KINDS}


def test_a_silenced_head_adds_nothing():
    attention = MultiHeadAttention(6, 3, bias=False)
    vectors = torch.randn(2, 5, 6)
    asked, kept = attention.ask(vectors), attention.offer(vectors, vectors)
    for head in (0, 1):
        models.silence(attention, head)
    alone = (asked[:, 2] @ kept.keys[:, 2].transpose(1, 2) / 2**0.5).softmax(-1) @ kept.values[:, 2]
    expected = alone @ attention.output_projection.weight[:, 4:].T
    torch.testing.assert_close(attention(vectors, vectors, vectors)[0], expected)


def test_the_weight_beside_leaves_out_what_is_padded_or_lies_outside():
    weights = torch.zeros(2, 4, 4)
    weights[0] = torch.eye(4).roll(-1, dims=0)  # 0 looks at 1, .., and 3 at 0
    weights[1, :2, :2] = torch.eye(2)
    before, own, after = grid.beside(weights, torch.tensor([4, 2]))
    assert (before, own, after) == (0.0, pytest.approx(2 / 6), pytest.approx(3 / 4))


def test_what_single_heads_do_has_the_right_shape_and_silencing_leaves_the_model_alone():
    model, pairs = models.build("whole").eval(), grid.unseen(0)[:3]
    before = {name: part.clone() for name, part in model.state_dict().items()}
    found = grid.heads(model, pairs)
    assert np.shape(found["error"]) == (4,)
    assert np.shape(found["beside"]) == (2, 4, 3)
    assert np.shape(found["silenced"]) == (4, 4)
    for name, part in model.state_dict().items():
        assert torch.equal(part, before[name])
