"""What is compared of the ways of searching, on translators whose answers are known."""

import math

import numpy as np
import pytest
import torch

from attn_course.search import Best, Hypothesis, beam
from attn_course.symbols import END
from attn_course.tasks import names
from attn_lab.searching import likeliest
from attn_lab.translation.word_order_models import Design, build

PAIRS = names.name_pairs(23, 7)
VOCABULARY = names.name_vocabularies()[1]


def said(texts):
    """Hypotheses with these texts."""
    return [Hypothesis(VOCABULARY.encode(each), -1.0, -1.0, np.zeros(0)) for each in texts]


def test_shares_and_counts_are_those_of_the_lists():
    right = [pair.target for pair in PAIRS]
    wrong = ["dollar" for _ in PAIRS]
    greedy = said(wrong[:5] + right[5:])
    written = said(right[:3] + wrong[3:7] + right[7:])
    best = [Best(each, 1, proved=k != 4) for k, each in enumerate(said(right))]
    found = likeliest.compared(written, greedy, best, PAIRS)
    assert (found["mended"], found["spoilt"]) == (3, 2)
    assert found["right"] == pytest.approx(19 / 23)
    assert found["other"] == pytest.approx(5 / 23)
    assert found["likeliest"] == pytest.approx(19 / 22)  # the fifth is not proved
    wanted = sum(len(pair.target.split()) for pair in PAIRS)
    missing = sum(len(pair.target.split()) - 1 for pair in PAIRS[3:7])
    assert found["length"] == pytest.approx(1 - missing / wanted)
    assert likeliest.compared(said([""] * 23), greedy, best, PAIRS)["empty"] == 1


def test_the_chance_of_the_right_one_is_that_which_a_search_would_give_it():
    model = build(Design("names", "general")).eval()
    found = likeliest.chances(model, PAIRS[:2])
    for pair, chance in zip(PAIRS, found, strict=False):
        ids = names.name_vocabularies()[0].encode(pair.source)
        source, length = torch.tensor([ids]), torch.tensor([len(ids)])
        target = [*VOCABULARY.encode(pair.target), END]
        logits, _ = model(source, length, torch.tensor([target]))
        logs = logits[0].double().log_softmax(-1)
        expected = sum(logs[i, symbol].item() for i, symbol in enumerate(target))
        assert chance == pytest.approx(expected, rel=1e-4)


def test_the_lists_are_searched_in_order_and_each_as_if_alone():
    model = build(Design("names", "none")).eval()
    together = likeliest.found(model, PAIRS, beam)
    for pair, ranked in zip(PAIRS[18:], together[18:], strict=True):
        [alone] = likeliest.found(model, [pair], beam)
        assert math.isclose(ranked[0].log_probability, alone[0].log_probability, rel_tol=1e-5)
        assert ranked[0].symbols == alone[0].symbols


def test_every_way_is_compared_and_none_is_likelier_than_the_exact_one(monkeypatch):
    monkeypatch.setattr(likeliest, "WIDTHS", (1, 3))
    model = build(Design("names", "bahdanau")).eval()
    with torch.no_grad():
        model.decoder.readout.bias[END] += 4
    found = likeliest.ways(model, PAIRS[:4])
    assert list(found) == ["1", "3", "exact", "reference"]
    assert found["1"]["other"] == 0
    assert found["exact"]["likeliest"] == found["exact"]["proved"] == 1
    assert found["reference"]["wrong"] == 4
