"""`make try-model`: transformers' `LlamaForCausalLM` computes the same, where it is installed."""

import pytest
import torch

from apparatus.trials import model as trial
from attn_course.models.language_model import LanguageModel, Shape

SHAPE = Shape(symbols=19, blocks=2, size=24, heads=6, groups=2, hidden_size=11, base=53.0)


@pytest.fixture
def model() -> LanguageModel:
    model = LanguageModel(SHAPE, own_readout=True).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return model


def test_every_weight_of_the_peer_gets_its_own(model: LanguageModel):
    names = {trial.of_peer(name) for name, _ in model.named_parameters()}
    assert len(names) == len(list(model.parameters()))
    assert {"lm_head.weight", "model.layers.1.self_attn.q_proj.weight"} < names
    assert {"model.norm.weight", "model.layers.0.input_layernorm.weight"} < names


def test_logits_are_those_of_transformers(model: LanguageModel):
    pytest.importorskip("transformers")
    symbols = torch.randint(SHAPE.symbols, (3, 17))
    other = trial.peer(model)
    assert trial.difference(model, other, symbols) < 1e-4
    assert trial.difference(model, other, symbols.flip(1)) < 1e-4
    with torch.no_grad():
        model.blocks[1].key_projection.weight[3, 5] += 1
    assert trial.difference(model, other, symbols) > 1e-3
