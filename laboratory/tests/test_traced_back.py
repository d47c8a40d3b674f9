"""The experiment `traced_back`: gradient times input and rollout, by hand."""

import pytest
import torch

from attn_course.tasks import numbers
from attn_course.tasks.dates import date_pairs
from attn_lab.faithful_maps import traced_back as traced
from attn_lab.transformers.transformer_models import build as build_transformer
from attn_lab.translation.word_order_models import Design, build

PAIRS = [numbers.render(number, "de") for number in (3_325, 4_127)]


def as_tensors(pairs):
    source, target = numbers.number_vocabularies("de")
    sources = torch.tensor([source.encode(pair.source) for pair in pairs])
    targets = torch.tensor([target.encode(pair.target) for pair in pairs])
    return sources, torch.full((len(pairs),), sources.shape[1]), targets


@pytest.mark.parametrize("kind", ["general", "bahdanau"])
def test_gradient_times_input_is_the_slope_along_the_embedding(kind):
    """ln p with the embedding of one place scaled up a little, and down."""
    model = build(Design("numbers", kind)).eval().double()
    sources, lengths, targets = as_tensors(PAIRS[:1])
    found, weights = traced.saliency(model, sources, lengths, targets)
    torch.testing.assert_close(weights, model(sources, lengths, targets)[1])
    place, step, size = 2, 3, 1e-5

    def chance(factor):
        def scaled(module, given, output):
            output = output.clone()
            output[:, place] *= factor
            return output

        hook = model.encoder.embedding.register_forward_hook(scaled)
        logs = model(sources, lengths, targets)[0].log_softmax(dim=-1)
        hook.remove()
        return logs[0, step, targets[0, step]].item()

    slope = (chance(1 + size) - chance(1 - size)) / (2 * size)
    assert found[0, step, place].item() == pytest.approx(abs(slope), rel=1e-4)


def test_a_batch_is_traced_one_by_one():
    model = build(Design("numbers", "bahdanau")).eval()
    together = traced.saliency(model, *as_tensors(PAIRS))[0]
    alone = torch.cat([traced.saliency(model, *as_tensors([pair]))[0] for pair in PAIRS])
    torch.testing.assert_close(together, alone)


def test_a_rollout_sums_to_one_and_mixes_each_layer_with_the_identity():
    model = build_transformer("whole").eval()
    group = max(traced.by_length(date_pairs(20, seed=3), lambda pair: pair), key=len)
    same = traced.tensors(group, "heads")
    encode = traced.vocabularies("heads")[1].encode
    targets = torch.tensor([encode(pair.target) for pair in group])
    found = traced.rollout(model, same.sources, same.lengths, targets)
    plain = model(same.sources, same.lengths, targets)[1]
    torch.testing.assert_close(found.sum(dim=-1), torch.ones_like(found[..., 0]))
    one, two = (layer.mean(dim=1) for layer in model.encoder.head_weights(*same[1:]).inside)
    mixed = plain @ (two + torch.eye(two.shape[-1])) / 2
    torch.testing.assert_close(found, (mixed @ one + mixed) / 2)


def test_digits_are_told_apart_by_their_map(monkeypatch):
    """A map that is right for the first digit alone, and a gradient that is right for all."""

    def said(model, sources, lengths, targets):
        gold = torch.stack([torch.tensor(numbers.gold_possible(pair)) for pair in PAIRS])
        gold = gold.double()
        wrong = gold.roll(1, dims=2)
        wrong[:, 0] = gold[:, 0]
        return gold, wrong

    monkeypatch.setattr(traced, "saliency", said)
    found = traced.named_in_numbers(None, PAIRS)
    digits = sum(any(kind == "digit" for kind, _ in p) for one in PAIRS for p in one.target_parts)
    assert found == {"well read": 1.0, "misread": 1.0, "count": digits - len(PAIRS)}
