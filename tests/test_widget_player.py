"""The player, its Python side: what it accepts, refuses and says."""

import numpy as np
from packed import arrays_of, assert_travels, without

from attn_course.models.translator import bahdanau, fixed_context
from attn_course.packing import unpack
from attn_course.views.widgets.player import Player

SYMBOLS = "abcdefg"


def looking(score="dot", symbols=11, **changes):
    options = {"embedding_size": 5, "encoder_size": 7, "state_size": 7, "directions": 1}
    return arrays_of(bahdanau, symbols, symbols, score, **{**options, **changes})


def given_one():
    made = arrays_of(fixed_context, 11, 11, embedding_size=5, state_size=7)
    return {name: 3 * array for name, array in made.items()}


def player(one_vector=None, attention=None, symbols=SYMBOLS, **changes):
    models = given_one() if one_vector is None else one_vector, attention or looking()
    at = changes.pop("at", None)
    made = Player(*models, symbols, **{"text": "bad", "samples": ["cab"], **changes})
    made.at = at
    return made


def test_what_it_begins_with():
    shown = player(bits=32)
    assert (shown.text, shown.at, shown.result) == ("bad", None, {})
    assert_travels(shown, looking())
    back = unpack(shown.beside, shown.layout_of_weights)
    assert all(np.array_equal(back[name], array) for name, array in given_one().items())


REFUSED = {
    player: [
        ({"one_vector": without(given_one(), "decoder.start.bias")}, r"missing: \['decoder.start"),
        ({"attention": looking("additive")}, r"unknown: \['decoder.score.energy.weight'"),
        ({"attention": looking(directions=2, state_size=14)}, "unknown: .*_reverse"),
        ({"attention": looking(embedding_size=6)}, "the same sizes"),
        ({"symbols": "abcdef"}, r"must have the shape \(10, 5\)"),
        ({"symbols": "abcdefa"}, "symbols must be distinct"),
        ({"special": {"start": 1, "end": 2, "first_symbol": 3}}, r"the shape \(10, 5\)"),
    ],
}
