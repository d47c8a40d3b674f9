"""The experiment `bits_and_cache`: grids by hand, and a tiny model in place of the file's."""

import pytest
import torch

from attn_course.models.language_model import LanguageModel, Shape
from attn_lab.language_model import bits_and_cache as bits
from attn_lab.language_model.language import random_symbols

SHAPE = Shape(symbols=29, blocks=2, size=64, heads=4, groups=2, hidden_size=96)


def test_a_grid_has_so_many_equal_steps_and_keeps_both_ends():
    row = torch.tensor([[0.0, 0.4, 0.6, 1.4, 3.0], [-2.0, -2.0, -2.0, -2.0, -2.0]])
    assert bits.on_grid(row, 2).tolist() == [[0, 0, 1, 1, 3], [-2] * 5]
    numbers = torch.randn(3, 500)
    for count in (2, 3, 4):
        assert all(len(row.unique()) <= 2**count for row in bits.on_grid(numbers, count))
    torch.testing.assert_close(bits.on_grid(bits.on_grid(numbers, 4), 4), bits.on_grid(numbers, 4))


def test_own_groups_change_nothing_twice_and_other_groups_do(tiny: LanguageModel):
    stored = bits.with_weights(tiny, 4, "own groups", 0)
    again = bits.with_weights(stored, 4, "own groups", 0)
    other = bits.with_weights(stored, 4, "other groups", 0)
    error = bits.with_weights(stored, 4, "random error", 0)
    for name, one in stored.blocks.named_parameters():
        same, moved, shaken = (model.blocks.get_parameter(name) for model in (again, other, error))
        torch.testing.assert_close(same, one)
        if one.ndim == 2:
            assert moved.shape == one.shape
            assert 0.5 < (moved - one).std() / (shaken - one).std() < 2
            assert abs((shaken - one).mean()) < (shaken - one).std() / 4
    torch.testing.assert_close(other.embedding.weight, tiny.embedding.weight)


@pytest.mark.parametrize("rounded", bits.CONDITIONS, ids=str)
def test_every_condition_is_measured(rounded: bits.Rounded, tiny: LanguageModel):
    prose = random_symbols(tiny, 7, 20)
    before = [part.clone() for part in tiny.parameters()]
    plain = tiny(prose).logits.log_softmax(-1)
    numbers = bits.measured(tiny, prose, plain, rounded, 0)
    assert set(numbers) == {"loss", "same", "divergence", "copied"}
    assert (numbers["same"] == 1 and numbers["divergence"] == 0) == (rounded.what == "nothing")
    assert all(torch.equal(one, two) for one, two in zip(before, tiny.parameters(), strict=True))


def test_a_position_is_kept_as_it_is():
    vectors = torch.randn(2, 3, 11, 16)
    for how, position in bits.EXACT.items():
        same = (bits.rounding(2, how, "keys")(vectors) == vectors).all(-1).all(0).all(0)
        assert same.nonzero().tolist() == [[position]]
    by_entry = bits.rounding(2, "keys by entry", "keys")(vectors)
    assert all(len(entries.unique()) <= 4 for entries in by_entry[0, 0].T)
    torch.testing.assert_close(
        bits.rounding(2, "keys by entry", "values")(vectors), bits.on_grid(vectors, 2)
    )


def test_keys_and_values_are_rounded_apart(tiny: LanguageModel):
    for how, parts in {"": {"keys", "values"}, "keys alone": {"keys"}}.items():
        changes = bits.changed_by(tiny, bits.Rounded("cache", 4, how), 0)[1]
        assert {part for part, _ in changes} == parts
        assert {block for _, block in changes} == {0, 1}
