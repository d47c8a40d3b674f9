"""The experiment `sink_values`: only what later positions find is changed."""

import torch

from attn_course.models.language_model import LanguageModel, Shape
from attn_course.patching import recorded
from attn_lab.language_model import sink_values as sink
from attn_lab.language_model.language import random_symbols

SHAPE = Shape(symbols=29, blocks=4, size=16, heads=4, groups=2, hidden_size=7)


def test_only_what_later_positions_find_is_changed(tiny: LanguageModel):
    symbols = random_symbols(tiny, 0, 23, count=3)
    plain = recorded(tiny, symbols, [("found", 1), ("values", 1), ("weights", 1)])
    for kind in sink.KINDS:
        changed = recorded(tiny, symbols, [("found", 1)], sink.found_instead(kind, 5, 1))
        wanted = plain["found", 1].clone()
        for text in range(3):
            for head in range(4):
                own = plain["values", 1][text, head // 2, 5]
                other = plain["values", 1][text - 1, head // 2, 5] * (kind != "zeros")
                for row in range(6, 23):
                    weight = plain["weights", 1][text, head, row, 5]
                    wanted[text, head, row] += weight * (other - own)
        torch.testing.assert_close(changed["found", 1], wanted)
    numbers = sink.measured(tiny, symbols)
    assert set(numbers["zeros"]["3 to 11"]) == {"0", "5", "20"}
