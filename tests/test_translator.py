"""What every model of the course must do, whatever its decoder."""

from functools import partial

import pytest
import torch

from attn_course.models.translator import bahdanau, fixed_context, luong

SYMBOLS, SOURCE, TARGET, STATE = 11, 7, 5, 13
MODELS = {
    "bahdanau": partial(bahdanau, encoder_size=3),
    "luong": partial(luong, encoder_size=3),
    "fixed context": fixed_context,
    "fixed context at the start": partial(fixed_context, every_step=False),
}
every_model = pytest.mark.parametrize("name", MODELS)


def made(name):
    torch.manual_seed(0)
    return MODELS[name](SYMBOLS, SYMBOLS, embedding_size=2, state_size=STATE)


@every_model
def test_a_source_gets_alone_what_it_gets_in_a_batch(name):
    model = made(name)
    sources = torch.randint(4, SYMBOLS, (3, SOURCE))
    lengths = torch.tensor([SOURCE, 2, 5])
    targets = torch.randint(4, SYMBOLS, (3, TARGET))
    together, _ = model(sources, lengths, targets)
    for row, length in enumerate(lengths):
        alone, _ = model(sources[row, None, :length], length[None], targets[row, None])
        torch.testing.assert_close(together[row], alone[0], atol=1e-5, rtol=1e-5)


@every_model
def test_gradients_reach_every_parameter(name):
    model = made(name)
    sources, targets = torch.randint(4, SYMBOLS, (2, SOURCE)), torch.randint(SYMBOLS, (2, TARGET))
    logits, _ = model(sources, torch.tensor([SOURCE, SOURCE]), targets)
    logits.logsumexp(-1).sum().backward()
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in model.parameters())
