"""The player, its Python side: what it accepts, refuses and says."""

import numpy as np
from packed import arrays_of, assert_travels

from attn_course.models.translator import bahdanau, fixed_context
from attn_course.views.widgets.player import Player

SIZES = {"embedding_size": 5, "state_size": 14}
MODEL = {name: 3 * part for name, part in arrays_of(fixed_context, 11, 11, **SIZES).items()}


def looking(score="dot"):
    return arrays_of(bahdanau, 11, 11, score, encoder_size=14, directions=1, **SIZES)


def player(one_vector=MODEL, attention=looking, symbols="abcdefg", text="bad", **changes):
    return Player(one_vector, attention(), symbols, text=text, samples=["cab"], **changes)


def test_both_models_travel():
    widget = player(bits=32)
    assert_travels(widget, looking())
    widget.weights = widget.beside
    assert_travels(widget, MODEL)


REFUSED = {
    player: [
        ({"one_vector": {}}, r"like the attending one; missing: \['decoder.cell.bias_hh'"),
        ({"one_vector": MODEL | {"decoder.start.bias": np.ones(13)}}, r"start.bias.*\(14,\)"),
        ({"attention": lambda: looking("additive")}, r"unknown: \['decoder.score.energy.weight'"),
        ({"special": {"first_symbol": 3}}, r"must have the shape \(10, 5\)"),
    ],
}
