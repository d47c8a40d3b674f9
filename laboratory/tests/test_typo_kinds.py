"""The pointer for all kinds of mistakes: what it is trained on, judged by and stored."""

import numpy as np

from attn_course.models.pointer import Mending
from attn_course.tasks.typos import KINDS, is_test_typo, is_test_word, render
from attn_lab.typos import typo_kinds
from attn_lab.typos.typo_kinds import Condition, judge


def found(place, letter):
    return Mending(place, letter, "", np.ones(7), np.ones(26))


def test_place_and_kind_are_judged_apart():
    pairs = [
        render("attend", kind, 2, "o" * (kind in ("substitution", "insertion"))) for kind in KINDS
    ]
    right = [found(pair.place, pair.kind[0]) for pair in pairs]
    assert judge(pairs, right) == {"located": 1, "kind": 1}
    assert judge(pairs, [found(pair.place + 1, "s") for pair in pairs]) == {
        "located": 0,
        "kind": 0.25,
    }
    assert len({one.letter for one in right}) == len(KINDS)


def test_what_is_judged_was_not_trained_on(monkeypatch):
    monkeypatch.setattr(typo_kinds, "TESTED", 53)
    for kind in KINDS:
        for pair in typo_kinds.unseen_pairs(3, "typos", kind):
            assert (pair.kind, is_test_word(pair.target)) == (kind, False)
            assert is_test_typo(pair.source, pair.target)
        for pair in typo_kinds.unseen_pairs(3, "words", kind):
            assert is_test_word(pair.target)


def test_a_pointer_is_trained_measured_and_its_rate_judged(monkeypatch):
    monkeypatch.setattr(typo_kinds, "PAIRS", 301)
    monkeypatch.setattr(typo_kinds, "TESTED", 29)
    numbers = typo_kinds.measure(Condition(1, 0.01), 5)
    assert numbers["steps"] > 2
    for split in ("typos", "words"):
        for name in ("located", "kind"):
            assert set(numbers[f"{split} {name}"]) == set(KINDS)
    assert 0 < typo_kinds.loss(Condition(1, 0.01), 5)["loss"] < 10
