"""Dropout: what is dropped, how much, and that nothing is dropped from an answer."""

import pytest
import torch

from attn_own import designs
from attn_own.dropout import dropped, with_dropout

SOURCES = torch.tensor([[5, 6, 7], [4, 5, 3]])
BATCH = SOURCES, torch.tensor([3, 3]), torch.tensor([[4, 5, 2], [6, 2, 0]])


def built(model, share):
    torch.manual_seed(3)
    return with_dropout(designs.build(model, 8, 11, 7), share)


def test_a_share_of_the_entries_is_dropped_and_the_mean_stays():
    torch.manual_seed(0)
    vectors = torch.full((200, 500), 3.0)
    after = dropped(vectors, 0.25)
    assert set(after.unique().tolist()) == {0.0, 4.0}
    assert (after == 0).float().mean().item() == pytest.approx(0.25, abs=0.01)
    assert after.mean().item() == pytest.approx(3.0, abs=0.05)


@pytest.mark.parametrize("model", designs.MODELS)
def test_it_is_off_in_evaluation_and_adds_no_parameters(model):
    plain, dropping = built(model, 0.0).eval(), built(model, 0.5).eval()
    assert plain.state_dict().keys() == dropping.state_dict().keys()
    for one, two in zip(plain(*BATCH), dropping(*BATCH), strict=True):
        assert torch.equal(one, two)


@pytest.mark.parametrize("model", designs.MODELS)
def test_in_training_each_call_draws_anew_and_without_a_share_none_does(model):
    plain, dropping = built(model, 0.0).train(), built(model, 0.5).train()
    assert torch.equal(plain(*BATCH)[0], plain(*BATCH)[0])
    assert not torch.equal(dropping(*BATCH)[0], dropping(*BATCH)[0])


@pytest.mark.parametrize("model", designs.MODELS)
def test_embeddings_annotations_and_what_is_read_out_are_dropped(model):
    dropping, outputs = built(model, 0.5).train(), {}
    places = {
        "sources": dropping.encoder.embedding,
        "annotations": dropping.encoder,
        "targets": dropping.decoder.embedding,
    }
    for name, part in places.items():
        part.register_forward_hook(lambda _, __, out, name=name: outputs.update({name: out}))
    dropping.decoder.readout.register_forward_pre_hook(
        lambda _, inputs: outputs.update(readout=inputs[0])
    )
    dropping(*BATCH)
    for name in (*places, "readout"):
        assert 0.2 < (outputs[name] == 0).float().mean() < 0.8, name


@pytest.mark.parametrize("share", [1, 1.0])
def test_a_share_lies_below_one(share):
    with pytest.raises(ValueError, match="share must be"):
        built("bahdanau", share)
