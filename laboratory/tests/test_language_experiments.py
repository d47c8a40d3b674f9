"""What the experiments on a language model share, on a tiny one: no file is needed."""

import json

import numpy as np
import pytest
import torch

from attn_course.models.language_file import Loaded
from attn_course.models.language_model import LanguageModel, Shape
from attn_course.patching import recorded
from attn_lab.grid import GridError
from attn_lab.language_model import language

SHAPE = Shape(symbols=29, blocks=2, size=12, heads=3, groups=1, hidden_size=7)


def test_passages_of_two_seeds_share_none():
    for kind, seeds in (("prose", 8), ("source", 3), ("german", 1)):
        drawn = [passage for seed in range(seeds) for passage in language.passages(kind, seed)]
        assert len({*drawn}) == language.PASSAGES * seeds
        with pytest.raises(ValueError, match=f"{kind} has passages for {seeds} seeds; got {seeds}"):
            language.passages(kind, seeds)


def test_random_symbols_are_drawn_anew_by_seed(tiny: LanguageModel):
    one, again, two = (language.random_symbols(tiny, seed, 40) for seed in (0, 0, 1))
    assert torch.equal(one, again)
    assert not torch.equal(one, two)
    assert one.shape == (language.PASSAGES, 40)
    assert one.min() >= language.CONTROL_SYMBOLS


def test_losses_are_those_of_the_next_symbol(tiny: LanguageModel):
    symbols = language.random_symbols(tiny, 0, 9, count=2)
    chances = tiny(symbols).logits.softmax(-1)
    for text, position in ((0, 1), (1, 5), (1, 8)):
        wanted = -chances[text, position - 1, symbols[text, position]].log()
        torch.testing.assert_close(language.losses(tiny, symbols)[text, position - 1], wanted)
    late = language.losses(tiny, symbols)[:, 4:].mean().item()
    assert language.loss_after(tiny, symbols, first=5) == pytest.approx(late)


def test_means_are_over_texts_and_positions(tiny: LanguageModel):
    symbols = language.random_symbols(tiny, 0, 9, count=2)
    means = language.means_of(tiny, symbols, [1])
    contexts = recorded(tiny, symbols, [("found", 1)])["found", 1]
    torch.testing.assert_close(means["found", 1][0, 2, 0], contexts[:, 2].flatten(0, 1).mean(0))


def test_hidden_places_have_no_weight_and_rows_sum_to_1(tiny: LanguageModel):
    symbols = language.random_symbols(tiny, 0, 9, count=2)
    places = torch.zeros(9, 9, dtype=torch.bool)
    places[5:, 2] = True
    changes = language.places_hidden(tiny, places, [0])
    weights = changes["weights", 0](recorded(tiny, symbols, [("weights", 0)])["weights", 0])
    assert (weights[:, :, 5:, 2] == 0).all()
    assert (weights[:, :, 2:5, 2] > 0).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 3, 9))


def test_rivals_are_others_of_the_same_blocks():
    heads = [(1, 0), (1, 2), (4, 7)]
    for seed in range(20):
        drawn = language.others_of_their_blocks(heads, np.random.default_rng(seed), 9)
        assert sorted(block for block, _ in drawn) == [1, 1, 4]
        assert len({*drawn}) == 3
        assert not {*drawn} & {*heads}
    with pytest.raises(ValueError, match="block 1 has 1 other heads, fewer than 2"):
        language.others_of_their_blocks(heads, np.random.default_rng(0), 3)


def test_results_of_another_file_are_not_mixed(tmp_path, monkeypatch, tiny: LanguageModel):
    monkeypatch.setattr(language, "loaded", lambda: Loaded(tiny, None, "b" * 64))
    results = tmp_path / "some.json"
    assert language.loaded_for(results).digest == "b" * 64
    cell = {"condition": "one", "seed": 0, "numbers": {"file": "a" * 64}}
    results.write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    with pytest.raises(GridError, match=r"some\.json holds results of another model file"):
        language.loaded_for(results)


def test_without_a_model_one_sentence_says_how_to_get_it(monkeypatch):
    def missing():
        raise FileNotFoundError("none is here: pip install it")

    monkeypatch.setattr(language, "load", missing)
    with pytest.raises(GridError, match="none is here: pip install it"):
        language.loaded.__wrapped__()
