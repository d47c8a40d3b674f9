"""The experiment `copies_of_the_first`: equal values have one average; on a tiny model."""

import pytest
import torch

from attn_course.models.language_model import LanguageModel, Shape
from attn_course.patching import recorded
from attn_lab.language_model import copies_of_the_first as copies
from attn_lab.language_model.language import random_symbols

SHAPE = Shape(symbols=29, blocks=14, size=12, heads=3, groups=1, hidden_size=7)


def test_copies_of_one_symbol_are_all_as_the_first(tiny: LanguageModel):
    symbols = torch.tensor([[5] * 43, [7, 8] * 21 + [7]])
    one, two = copies.looks(tiny, symbols, (0, 1, 20, 40))["length"]
    assert one == pytest.approx([one[0]] * 4, rel=1e-5)
    assert two[1] != pytest.approx(two[0], rel=1e-3)


def test_the_first_symbol_is_written_more_often(tiny: LanguageModel):
    prose = random_symbols(tiny, 0, 96, count=2)
    prose[:, 1] = (prose[:, 0] + 1) % 29
    rows = copies.written(tiny, prose)
    assert [len(row["weight"]) for row in rows.values()] == [2, 3, 4, 6]
    for lengths in rows["3"]["length"]:
        assert lengths[:3] == pytest.approx([lengths[0]] * 3, rel=1e-5)
        assert lengths[3] != pytest.approx(lengths[0], rel=1e-3)


def test_a_symbol_behind_its_copy_is_as_if_it_were_alone(tiny: LanguageModel):
    prose = random_symbols(tiny, 0, 43, count=2)
    prose[:, copies.SINK - 1] = (prose[:, copies.SINK] + 1) % 29
    rows = copies.behind(tiny, prose)
    short = prose[:, copies.SINK : copies.SINK + 1]
    alone = recorded(tiny, short, [("residual", 13)])["residual", 13][:, 0].norm(dim=-1)
    for name, equal in (("a copy", True), ("another", False)):
        lengths = torch.tensor(rows[name]["length"])[:, 1]
        assert torch.allclose(lengths, alone, rtol=1e-4) == equal
