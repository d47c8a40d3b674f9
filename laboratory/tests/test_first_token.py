"""The experiment `first_token`: whose weights are measured, and what is hidden; on a tiny model."""

import json

import numpy as np
import pytest
import torch

from attn_course.models.language_model import LanguageModel, Shape
from attn_course.patching import recorded
from attn_lab.language_model import first_token as first
from attn_lab.language_model.language import random_symbols

SHAPE = Shape(symbols=29, blocks=14, size=12, heads=3, groups=1, hidden_size=7)


@pytest.fixture(scope="module")
def symbols(tiny: LanguageModel) -> torch.Tensor:
    return random_symbols(tiny, 0, 43, count=2)


def test_weights_are_means_of_later_rows(tiny: LanguageModel, symbols: torch.Tensor):
    looked = first.looked_at(tiny, symbols)
    weights = recorded(tiny, symbols, [("weights", 4)])["weights", 4][:, 2]
    for position, row in ((0, first.EARLY), (7, first.EARLY), (20, 21)):
        wanted = weights[:, row:, position].mean()
        torch.testing.assert_close(looked.weight[4, 2, position], wanted)
    vectors = recorded(tiny, symbols, [("residual", 4)])["residual", 4]
    torch.testing.assert_close(looked.vectors[4], vectors)


def test_first_and_others_are_told_apart():
    lengths = torch.full((2, 3, 20), 5.0)
    lengths[..., 0], lengths[1, :, 3] = 70, 900
    assert first.first_and_others(lengths) == {"first": [70, 70], "others": [5, 5]}
    assert first.greatest_entry(torch.tensor([[1.0, 3.0, 0.0]])) == {"which": [1], "share": [0.75]}


def test_a_token_alone_reads_only_itself(tiny: LanguageModel, symbols: torch.Tensor):
    places = first.unread(6, 4, [3])
    assert places.nonzero().tolist() == [[4, 0], [4, 1], [4, 2], [4, 5]]
    changes = first.places_hidden(tiny, first.unread(43, first.SINK, []))
    short = symbols[:, first.SINK : first.SINK + 1]
    alone = recorded(tiny, symbols, [("residual", 13)], changes)["residual", 13][:, first.SINK]
    itself = recorded(tiny, short, [("residual", 13)])["residual", 13][:, 0]
    torch.testing.assert_close(alone, itself)


def test_values_of_one_position_are_taken_away_or_another_text_s():
    values = torch.arange(1, 13.0).reshape(2, 1, 3, 2)
    none = first.no_values(1, [5])["values", 5](values)
    assert (none[:, :, 1] == 0).all()
    assert torch.equal(none[:, :, [0, 2]], values[:, :, [0, 2]])
    other = first.other_values(1, [5])["values", 5](values)
    assert torch.equal(other[:, :, 1], values[[1, 0], :, 1])
    assert torch.equal(other[:, :, [0, 2]], values[:, :, [0, 2]])


def test_a_window_reads_the_last_and_what_is_kept(tiny: LanguageModel, symbols: torch.Tensor):
    readable, real = {}, first.places_hidden

    def places_hidden(model, places):
        readable[len(readable)] = ~places & torch.ones_like(places).tril()
        return real(model, places)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(first, "places_hidden", places_hidden)
        losses = first.windows(tiny, symbols)
    assert [*losses] == ["all", "none", "first", "first four", "position 8"]
    rows = [readable[number][42].nonzero().flatten().tolist() for number in range(4)]
    last = [*range(43 - first.WINDOW, 43)]
    assert rows == [last, [0, *last], [0, 1, 2, 3, *last], [8, *last]]


@pytest.mark.slow
def test_everything_is_measured_and_can_be_stored(tiny: LanguageModel, symbols: torch.Tensor):
    numbers = first.measured(tiny, symbols, 18, 0)
    assert "NaN" not in json.dumps(numbers)
    assert np.array(numbers["weight"]).shape == (14, 3)
    assert set(numbers["hidden"]) == set(numbers["hidden late"]) == {"0", "1", "5", "20", "40"}
    assert set(numbers["replaced"]) == {*first.REPLACED, *first.PUT_BEFORE}
    assert "window" not in first.measured(tiny, symbols[:, :32], 18, 0)
