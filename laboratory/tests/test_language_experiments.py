"""The experiments on a language model, on a model one: no file is needed."""

import json

import numpy as np
import pytest
import torch

from attn_course.models.language_file import Loaded
from attn_course.models.language_model import Shape
from attn_course.patching import recorded
from attn_lab.grid import GridError
from attn_lab.language_model import bits_and_cache as bits
from attn_lab.language_model import copies_of_the_first as copies
from attn_lab.language_model import first_token as first
from attn_lab.language_model import language
from attn_lab.language_model import sink_values as sink
from attn_lab.language_model.language import random_symbols

SHAPE = Shape(symbols=29, blocks=14, size=64, heads=4, groups=2, hidden_size=96)


def test_passages_of_two_seeds_share_none():
    for kind, seeds in (("prose", 8), ("source", 3), ("german", 1)):
        drawn = [passage for seed in range(seeds) for passage in language.passages(kind, seed)]
        assert len({*drawn}) == language.PASSAGES * seeds
        with pytest.raises(ValueError, match=f"{kind} has passages for {seeds} seeds; got {seeds}"):
            language.passages(kind, seeds)


def test_random_symbols_are_drawn_anew_by_seed(model):
    one, again, two = (random_symbols(model, seed, 40) for seed in (0, 0, 1))
    assert torch.equal(one, again)
    assert not torch.equal(one, two)
    assert one.shape == (language.PASSAGES, 40)
    assert one.min() >= language.CONTROL_SYMBOLS


def test_losses_are_those_of_the_next_symbol(model):
    symbols = random_symbols(model, 0, 9, count=2)
    chances = model(symbols).logits.softmax(-1)
    for text, position in ((0, 1), (1, 5), (1, 8)):
        wanted = -chances[text, position - 1, symbols[text, position]].log()
        torch.testing.assert_close(language.losses(model, symbols)[text, position - 1], wanted)
    late = language.losses(model, symbols)[:, 4:].mean().item()
    assert language.loss_after(model, symbols, first=5) == pytest.approx(late)


def test_means_are_over_texts_and_positions(model):
    symbols = random_symbols(model, 0, 9, count=2)
    means = language.means_of(model, symbols, [1])
    found = recorded(model, symbols, [("found", 1)])["found", 1]
    torch.testing.assert_close(means["found", 1][0, 2, 0], found[:, 2].flatten(0, 1).mean(0))


def test_hidden_places_have_no_weight_and_rows_sum_to_1(model):
    symbols = random_symbols(model, 0, 9, count=2)
    places = torch.zeros(9, 9, dtype=torch.bool)
    places[5:, 2] = True
    changes = language.places_hidden(model, places, [0])
    weights = changes["weights", 0](recorded(model, symbols, [("weights", 0)])["weights", 0])
    assert (weights[:, :, 5:, 2] == 0).all()
    assert (weights[:, :, 2:5, 2] > 0).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 4, 9))


def test_rivals_are_others_of_the_same_blocks():
    heads = [(1, 0), (1, 2), (4, 7)]
    for seed in range(20):
        drawn = language.others_of_their_blocks(heads, np.random.default_rng(seed), 9)
        assert sorted(block for block, _ in drawn) == [1, 1, 4]
        assert len({*drawn}) == 3
        assert not {*drawn} & {*heads}
    with pytest.raises(ValueError, match="block 1 has 1 other heads, fewer than 2"):
        language.others_of_their_blocks(heads, np.random.default_rng(0), 3)


def test_results_of_another_file_are_not_mixed(tmp_path, monkeypatch, model):
    monkeypatch.setattr(language, "loaded", lambda: Loaded(model, None, "b" * 64))
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


# ---- first_token


@pytest.fixture(scope="module")
def symbols(model):
    return random_symbols(model, 0, 43, count=2)


def test_weights_are_means_of_later_rows(model, symbols):
    looked = first.looked_at(model, symbols)
    weights = recorded(model, symbols, [("weights", 4)])["weights", 4][:, 2]
    for position, row in ((0, first.EARLY), (7, first.EARLY), (20, 21)):
        wanted = weights[:, row:, position].mean()
        torch.testing.assert_close(looked.weight[4, 2, position], wanted)
    vectors = recorded(model, symbols, [("residual", 4)])["residual", 4]
    torch.testing.assert_close(looked.vectors[4], vectors)


def test_first_and_others_are_told_apart():
    lengths = torch.full((2, 3, 20), 5.0)
    lengths[..., 0], lengths[1, :, 3] = 70, 900
    assert first.first_and_others(lengths) == {"first": [70, 70], "others": [5, 5]}
    assert first.greatest_entry(torch.tensor([[1.0, 3.0, 0.0]])) == {"which": [1], "share": [0.75]}


def test_a_token_alone_reads_only_itself(model, symbols):
    places = first.unread(6, 4, [3])
    assert places.nonzero().tolist() == [[4, 0], [4, 1], [4, 2], [4, 5]]
    changes = first.places_hidden(model, first.unread(43, first.MADE, []))
    short = symbols[:, first.MADE : first.MADE + 1]
    alone = recorded(model, symbols, [("residual", 13)], changes)["residual", 13][:, first.MADE]
    itself = recorded(model, short, [("residual", 13)])["residual", 13][:, 0]
    torch.testing.assert_close(alone, itself)


def test_values_of_one_position_are_taken_away_or_another_text_s():
    values = torch.arange(1, 13.0).reshape(2, 1, 3, 2)
    none = first.no_values(1, [5])["values", 5](values)
    assert (none[:, :, 1] == 0).all()
    assert torch.equal(none[:, :, [0, 2]], values[:, :, [0, 2]])
    other = first.other_values(1, [5])["values", 5](values)
    assert torch.equal(other[:, :, 1], values[[1, 0], :, 1])
    assert torch.equal(other[:, :, [0, 2]], values[:, :, [0, 2]])


def test_a_window_reads_the_last_and_what_is_kept(model, symbols):
    seen, real = {}, first.places_hidden

    def places_hidden(model, places):
        seen[len(seen)] = ~places & torch.ones_like(places).tril()
        return real(model, places)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(first, "places_hidden", places_hidden)
        found = first.windows(model, symbols)
    assert [*found] == ["all", "none", "first", "first four", "position 8"]
    rows = [seen[number][42].nonzero().flatten().tolist() for number in range(4)]
    last = [*range(43 - first.WINDOW, 43)]
    assert rows == [last, [0, *last], [0, 1, 2, 3, *last], [8, *last]]


@pytest.mark.slow
def test_everything_is_measured_and_can_be_stored(model, symbols):
    numbers = first.measured(model, symbols, 18, 0)
    assert "NaN" not in json.dumps(numbers)
    assert np.array(numbers["weight"]).shape == (14, 4)
    assert set(numbers["hidden"]) == set(numbers["hidden late"]) == {"0", "1", "5", "20", "40"}
    assert set(numbers["replaced"]) == {*first.REPLACED, *first.PUT_BEFORE}
    assert "window" not in first.measured(model, symbols[:, :32], 18, 0)


# ---- bits_and_cache


def test_a_grid_has_so_many_equal_steps_and_keeps_both_ends():
    row = torch.tensor([[0.0, 0.4, 0.6, 1.4, 3.0], [-2.0, -2.0, -2.0, -2.0, -2.0]])
    assert bits.on_grid(row, 2).tolist() == [[0, 0, 1, 1, 3], [-2] * 5]
    numbers = torch.randn(3, 500)
    for count in (2, 3, 4):
        assert all(len(row.unique()) <= 2**count for row in bits.on_grid(numbers, count))
    torch.testing.assert_close(bits.on_grid(bits.on_grid(numbers, 4), 4), bits.on_grid(numbers, 4))


def test_own_groups_change_nothing_twice_and_other_groups_do(model):
    stored = bits.with_weights(model, 4, "own groups", 0)
    again = bits.with_weights(stored, 4, "own groups", 0)
    other = bits.with_weights(stored, 4, "other groups", 0)
    error = bits.with_weights(stored, 4, "random error", 0)
    for name, one in stored.blocks.named_parameters():
        same, moved, shaken = (each.blocks.get_parameter(name) for each in (again, other, error))
        torch.testing.assert_close(same, one)
        if one.ndim == 2:
            assert moved.shape == one.shape
            assert 0.5 < (moved - one).std() / (shaken - one).std() < 2
    torch.testing.assert_close(other.embedding.weight, model.embedding.weight)


@pytest.mark.parametrize("rounded", bits.CONDITIONS, ids=str)
def test_every_condition_is_measured(rounded, model):
    prose = random_symbols(model, 7, 20)
    before = [each.clone() for each in model.parameters()]
    plain = model(prose).logits.log_softmax(-1)
    numbers = bits.measured(model, prose, plain, rounded, 0)
    assert set(numbers) == {"loss", "same", "divergence", "copied"}
    assert (numbers["same"] == 1 and numbers["divergence"] == 0) == (rounded.what == "nothing")
    assert all(torch.equal(one, two) for one, two in zip(before, model.parameters(), strict=True))


def test_a_position_is_kept_as_it_is():
    vectors = torch.randn(2, 3, 11, 16)
    for how, position in bits.KEPT.items():
        same = (bits.kept(2, how, "keys")(vectors) == vectors).all(-1).all(0).all(0)
        assert same.nonzero().tolist() == [[position]]
    by_entry = bits.kept(2, "keys by entry", "keys")(vectors)
    assert all(len(each.unique()) <= 4 for each in by_entry[0, 0].T)
    torch.testing.assert_close(
        bits.kept(2, "keys by entry", "values")(vectors), bits.on_grid(vectors, 2)
    )


def test_keys_and_values_are_rounded_apart(model):
    for how, parts in {"": {"keys", "values"}, "keys alone": {"keys"}}.items():
        changes = bits.as_asked(model, bits.Rounded("cache", 4, how), 0)[1]
        assert {part for part, _ in changes} == parts
        assert {block for _, block in changes} == {*range(14)}


# ---- copies_of_the_first


def test_copies_of_one_symbol_are_all_as_the_first(model):
    symbols = torch.tensor([[5] * 43, [7, 8] * 21 + [7]])
    one, two = copies.seen(model, symbols, (0, 1, 20, 40))["length"]
    assert one == pytest.approx([one[0]] * 4, rel=1e-5)
    assert two[1] != pytest.approx(two[0], rel=1e-3)


def test_the_first_symbol_is_written_more_often(model):
    prose = random_symbols(model, 0, 96, count=2)
    prose[:, 1] = (prose[:, 0] + 1) % 29
    found = copies.written(model, prose)
    assert [len(each["weight"]) for each in found.values()] == [2, 3, 4, 6]
    for lengths in found["3"]["length"]:
        assert lengths[:3] == pytest.approx([lengths[0]] * 3, rel=1e-5)
        assert lengths[3] != pytest.approx(lengths[0], rel=1e-3)


def test_a_symbol_behind_its_copy_is_as_if_it_were_alone(model):
    prose = random_symbols(model, 0, 43, count=2)
    prose[:, copies.MADE - 1] = (prose[:, copies.MADE] + 1) % 29
    found = copies.behind(model, prose)
    short = prose[:, copies.MADE : copies.MADE + 1]
    alone = recorded(model, short, [("residual", 13)])["residual", 13][:, 0].norm(dim=-1)
    for name, equal in (("a copy", True), ("another", False)):
        lengths = torch.tensor(found[name]["length"])[:, 1]
        assert torch.allclose(lengths, alone, rtol=1e-4) == equal


# ---- sink_values


def test_only_what_later_positions_find_is_changed(model):
    symbols = random_symbols(model, 0, 23, count=3)
    seen = recorded(model, symbols, [("found", 1), ("values", 1), ("weights", 1)])
    for kind in sink.KINDS:
        changed = recorded(model, symbols, [("found", 1)], sink.found_instead(kind, 5, 1))
        wanted = seen["found", 1].clone()
        for text in range(3):
            for head in range(4):
                own = seen["values", 1][text, head // 2, 5]
                other = seen["values", 1][text - 1, head // 2, 5] * (kind != "zeros")
                for row in range(6, 23):
                    weight = seen["weights", 1][text, head, row, 5]
                    wanted[text, head, row] += weight * (other - own)
        torch.testing.assert_close(changed["found", 1], wanted)
    numbers = sink.measured(model, symbols)
    assert set(numbers["zeros"]["3 to 11"]) == {"0", "5", "20"}
