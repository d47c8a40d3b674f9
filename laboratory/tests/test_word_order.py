"""The translators of the experiment `word_order` differ only as stated; its measures are right."""

import math

import numpy as np
import pytest
import torch

from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.fixed_context import FixedContextDecoder
from attn_course.models.input_feeding import InputFeedingDecoder
from attn_course.models.local import LocalDecoder
from attn_course.models.luong import LuongDecoder
from attn_course.tasks import numbers
from attn_lab.rates import RateSearch
from attn_lab.translation import word_order as grid
from attn_lab.translation import word_order_models as models
from attn_lab.translation.word_order_models import ATTENTIONS, Design, build

KINDS = {
    "none": FixedContextDecoder,
    "feeding": InputFeedingDecoder,
    "local-m": LocalDecoder,
    "local-p": LocalDecoder,
    "bahdanau": BahdanauDecoder,
    "bahdanau-y": models.AsksWithBoth,
}


@pytest.mark.parametrize("kind", ATTENTIONS)
def test_each_attention_is_what_its_name_says(kind):
    decoder = build(Design("dates", kind)).decoder
    assert type(decoder) is KINDS.get(kind, LuongDecoder)
    if kind.startswith("local-"):
        assert (decoder.attention, decoder.half_width) == (kind, models.HALF_WIDTH)
    if kind == "feeding":
        assert decoder.attention == "global"
    scores = {"location": "LocationScore", "dot": "DotScore", "bahdanau": "AdditiveScore"}
    scores["bahdanau-y"] = "AdditiveScore"
    if kind != "none":
        assert type(decoder.score).__name__ == scores.get(kind, "GeneralScore")


@pytest.mark.parametrize("kind", ["general", "local-m", "bahdanau"])
def test_one_direction_has_annotations_of_the_same_size(kind):
    both, one = (build(Design("dates", kind, directions)).encoder for directions in (2, 1))
    assert both.annotation_size == one.annotation_size == 96
    assert one.rnn.bidirectional is False


@pytest.mark.parametrize("directions", [2, 1])
def test_only_bahdanau_y_asks_with_what_it_wrote_last(directions):
    sizes = []
    for kind, differs in (("bahdanau", False), ("bahdanau-y", True)):
        model = build(Design("numbers", kind, directions))
        sizes.append(sum(part.numel() for part in model.parameters()))
        memory = model.read(torch.tensor([[4, 5, 6]]), torch.tensor([3]))
        decoder, state = model.decoder, model.decoder.first_state(memory)
        one, two = (
            decoder.step(state, decoder.embedding(torch.tensor([symbol])), memory).weights
            for symbol in (4, 7)
        )
        assert bool((one != two).any()) == differs
    assert sizes[1] - sizes[0] == 16 * models.HIDDEN  # what the last piece enters by


def test_only_guided_is_told_its_links(monkeypatch):
    told = {}

    def train(build, corpus, *, seed, settings):
        told[told["now"]] = settings.guidance
        return None, type("History", (), {"losses": [0.0]})

    monkeypatch.setattr(models, "train", train)
    monkeypatch.setattr(models, "corpus", lambda task, seed: None)
    for kind in ATTENTIONS:
        told["now"] = kind
        models.trained(Design("names", kind), 1, 0.01, 0)
    del told["now"]
    assert told == {kind: float(kind == "guided") for kind in ATTENTIONS}


# ---- the measures


def test_misread_is_what_has_links_and_points_at_none():
    table = np.array([[0.7, 0.3, 0], [0.2, 0.3, 0.5], [0.4, 0.35, 0.25]])
    possible = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0]], dtype=bool)
    assert grid.misread(table, possible).tolist() == [False, True, False]


def test_nats_are_the_entropy_of_shares():
    table = np.array([[0.5, 0.5, 0], [1, 0, 0], [0.1, 0.1, 0]])
    np.testing.assert_allclose(grid.nats(table), [math.log(2), 0, math.log(2)], atol=1e-9)


def test_by_kind_tells_digits_from_words_of_scale():
    pair = numbers.render(325, "de")  # drei hundert fünf und zwanzig
    off = [np.array([False, True, True, False, False])]
    assert grid.by_kind([pair], off) == {"digits": pytest.approx(2 / 3), "scales": 0.0}


def test_bleu_is_nothing_for_what_has_no_run_of_four():
    pytest.importorskip("sacrebleu")
    assert grid.bleu(["a b c"], ["a b c"]) == 0
    assert grid.bleu(["a b c d"], ["a b c d"]) == pytest.approx(100)
    # one of five words wrong at the end: 4/5, 3/4, 2/3, 1/2
    expected = 100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    assert grid.bleu(["a b c d x"], ["a b c d e"]) == pytest.approx(expected)


def test_forced_weights_are_those_of_each_pair_alone():
    model = build(Design("numbers", "bahdanau")).eval()
    pairs = [numbers.render(number, "de") for number in (325, 48_007, 999_999)]
    together = grid.forced(model, "numbers", pairs)
    for pair, table in zip(pairs, together, strict=True):
        assert table.shape == (len(pair.target_pieces), len(pair.source_pieces))
        np.testing.assert_allclose(table, grid.forced(model, "numbers", [pair])[0], atol=1e-6)
        np.testing.assert_allclose(table.sum(axis=1), 1, atol=1e-5)
    assert grid.forced(build(Design("numbers", "none")).eval(), "numbers", pairs) is None


def test_the_quality_of_a_translator_that_is_always_right(monkeypatch):
    pairs = [numbers.render(number, "de") for number in (325, 48_007, 120_000)]
    given = iter(pair.target for pair in pairs)
    answers = [type("Answer", (), {"text": text}) for text in given]
    monkeypatch.setattr(grid, "answer", lambda *_, **__: answers)
    monkeypatch.setattr(grid, "bleu", lambda *_: 100.0)
    tables = [numbers.gold_possible(pair).astype(float) + 1e-6 for pair in pairs]
    monkeypatch.setattr(grid, "forced", lambda *_: tables)
    found = grid.quality(None, "numbers", pairs)
    assert (found["exact"], found["length"], found["error"], found["misread"]) == (1, 1, 0, 0)
    assert (found["digits"], found["scales"]) == (1, 1)
    tables[1] = np.roll(tables[1], 1, axis=1)
    found = grid.quality(None, "numbers", pairs)
    assert found["misread"] == pytest.approx(1 / 3)
    assert found["error"] > 0


# ---- rates


def test_the_longer_training_keeps_the_rate_where_it_has_no_search(monkeypatch):
    tried = {1: {0.006: 2.0, 0.012: 1.0, 0.024: 1.5, 0.048: 3.0}, 4: {}}
    monkeypatch.setattr(RateSearch, "tried", lambda _, *asked: tried[asked[-1]])
    long = ("names", "dot", 2, 4)
    assert grid.EXPERIMENT.condition(*long).rate == 0.012
    tried[4] = {0.003: 2.0, 0.006: 1.0, 0.012: 1.5, 0.024: 3.0, 0.048: 4.0}
    assert grid.EXPERIMENT.condition(*long).rate == 0.006
    tried[4] = {0.012: 1.0}  # a search that was begun decides nothing
    assert grid.EXPERIMENT.condition(*long).rate == 0.012
    del tried[1][0.006]
    with pytest.raises(ValueError, match="are still to be tried"):
        grid.condition(Design("names", "dot"))
