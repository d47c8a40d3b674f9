"""The memory explorer's Python side: what is read back, and what is refused."""

from functools import partial

import numpy as np
import pytest
from traitlets import TraitError

from attn_course.views.widgets.memory_explorer import RULES, MemoryExplorer

KEYS, VALUES, MOST = 7, 5, 11
random = np.random.default_rng(5)
KEY_VECTORS, VALUE_VECTORS = random.normal(size=(KEYS, MOST)), random.normal(size=(VALUES, MOST))
PAIRS = [("a", "0"), ("b", "1"), ("a", "2"), ("g", "4"), ("c", "1"), ("b", "3")]


explorer = partial(
    MemoryExplorer,
    **{"key_names": "abcdefg", "value_names": "01234", "sizes": (2, 3, 5, MOST), "size": 5},
    **{"key_vectors": KEY_VECTORS, "value_vectors": VALUE_VECTORS, "pairs": PAIRS, "written": 4},
)


def by_hand(widget):
    """The answers by a loop, in NumPy."""
    keys, values = (
        vectors[:, : widget.size] / np.linalg.norm(vectors[:, : widget.size], axis=1, keepdims=True)
        for vectors in (KEY_VECTORS.astype(np.float32), VALUE_VECTORS.astype(np.float32))
    )
    pairs = widget.pairs[: widget.written]
    state = np.zeros((widget.size, widget.size))
    for key, value in pairs:
        faded = (widget.decay if widget.rule == "decay" else 1) * state
        new = values[value] - (faded @ keys[key] if widget.rule == "delta" else 0)
        state = faded + np.outer(new, keys[key])
    answers = {}
    for key, _ in pairs:
        read = state @ keys[key]
        if widget.rule == "softmax":
            powers = [np.exp(widget.sharpness * keys[key] @ keys[other]) for other, _ in pairs]
            both = zip(powers, pairs, strict=True)
            read = sum(power * values[value] for power, (_, value) in both) / sum(powers)
        answers["abcdefg"[key]] = "01234"[np.argmax(values @ read)]
    return answers


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [2, 3, 5, MOST])
def test_the_answers_are_those_of_a_loop(rule, size):
    for written in (0, 1, 4, 6):
        widget = explorer(rule=rule, size=size, written=written)
        answers = widget.answers
        assert {key: read for key, _, read in answers} == by_hand(widget)
        assert {key: value for key, value, _ in answers} == dict(PAIRS[:written])


def test_what_was_written_last_is_kept_by_delta_and_doubted_by_the_sum():
    pairs = [("a", "0"), ("a", "1")]
    assert explorer(rule="delta", pairs=pairs, written=2).answers == [("a", "1", "1")]
    turned = explorer(rule="sum", pairs=pairs[::-1], written=2).answers[0][2]
    assert explorer(rule="sum", pairs=pairs, written=2).answers[0][2] == turned


def test_it_says_in_words_how_much_is_read_back():
    assert "5 by 5 numbers, by the rule sum. 0 pairs are written" in explorer(written=0).summary
    assert "1 pairs are written; 1 of 1 keys read back right" in explorer(written=1).summary


REFUSED = {
    explorer: [
        ({"key_names": "abcdefa"}, "key_names must be 2 to 20 different texts"),
        ({"value_names": "0"}, "value_names must be"),
        ({"key_vectors": KEY_VECTORS[:-1]}, r"\(7 names, 11 numbers\); got \(6, 11\)"),
        ({"key_vectors": KEY_VECTORS.astype(int)}, TypeError, "floating point; got int"),
        ({"value_vectors": VALUE_VECTORS * np.nan}, "must be finite"),
        ({"value_vectors": 0 * VALUE_VECTORS}, "two zeros"),
        ({"sizes": (3, 2, MOST)}, "sizes must rise"),
        ({"sizes": (1, MOST)}, "from 2 or more"),
        ({"pairs": [("x", "0")], "written": 0}, "a key and a value; got"),
        ({"pairs": PAIRS * 7}, "up to 40"),
        ({"written": 7}, "written must lie between 0 and 6; got 7"),
        ({"size": 4}, r"size must be one of \[2, 3, 5, 11\]; got 4"),
        ({"rule": "mean"}, TraitError, "sum"),
        ({"decay": 0.0}, "decay is out of range"),
    ],
}


def test_what_a_page_sets_alone_is_refused_too():
    widget = explorer()
    for name, value in (("asked", 7), ("pairs", [[0, 5]])):
        before = getattr(widget, name)
        with pytest.raises(ValueError, match=name):
            setattr(widget, name, value)
        assert getattr(widget, name) == before
