"""A claim in a changed setting: which a code stands for, and what its pairs are."""

import hashlib
import re
from functools import partial

import pytest

from attn_course.models import translator
from attn_course.tasks import own_claim as module
from attn_course.tasks.own_claim import CHANGES, CLAIMS, claim_pairs, own_claim
from attn_course.tasks.reversal import is_test_sequence

CODES = [hashlib.sha256(str(n).encode()).hexdigest()[:8] for n in range(500)]
OWN = own_claim(CODES[0])


def test_every_claim_meets_every_change():
    drawn = {(own.claim.sentence, own.change.name) for own in map(own_claim, CODES)}
    assert len(drawn) == len(CLAIMS) * len(CHANGES) == 48


def test_a_code_stands_for_the_same_in_every_release():
    """A student may train with one release and be graded with the next; wordings may change."""
    claims = []
    for own in map(own_claim, CODES):
        names = own.claim.kind, own.claim.better, own.claim.other
        claims.append((names, *own[2:]))
    pairs = [
        tuple(pair)
        for own in map(own_claim, CODES[:20])
        for side in ("train", "test")
        for pair in claim_pairs(own, 7, seed=3, split=side)
    ]
    assert hashlib.sha256(repr(claims).encode()).hexdigest()[:16] == "e6e32e6d06f627c3"
    assert hashlib.sha256(repr(pairs).encode()).hexdigest()[:16] == "ecd037c97cbe9b21"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.better)
def test_a_claim_names_its_chapter_its_kind_and_a_sentence(claim):
    assert re.fullmatch(r"\d\d", claim.chapter)
    assert claim.kind in ("more", "alike")
    assert re.fullmatch(r"[A-Z][^0-9]+\.", claim.sentence)


NUMBERS = {"five": 5, "sixteen": 16}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_a_change_says_what_it_changes_and_from_what(change):
    [(field, value)] = change.fields.items()
    usual = module._BASE[field]
    sizes = {
        NUMBERS.get(word) or int(word) for word in re.findall(r"\d+|five|sixteen", change.sentence)
    }
    if sizes:
        assert sizes == {value, usual} - {0}
    if field == "lengths":
        assert "longer" in change.sentence
        assert min(value) > min(usual)
        assert max(value) > max(usual)
    if field == "cell":
        assert "LSTM" in change.sentence
    assert value != usual
    assert change.sentence.endswith(".")


def test_one_thing_is_changed():
    base = module._BASE
    for own in map(own_claim, CODES):
        assert len(own.change.fields) == 1
        assert sorted(set(own.letters)) == list(own.letters)
        assert len(own.letters) == own.change.fields.get("count", base["count"])
        assert len(set(own.seeds)) == 3
        for name, usual in base.items():
            if name != "count":
                assert getattr(own, name) == own.change.fields.get(name, usual), name


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_pairs_are_those_of_the_setting(change):
    own = next(own for own in map(own_claim, CODES) if own.change == change)
    pairs = claim_pairs(own, 700, seed=5)
    assert {len(pair.source) for pair in pairs} == set(own.lengths)
    assert set("".join(pair.source for pair in pairs)) <= set(own.letters)
    for source, target in pairs:
        if own.task == "copy":
            assert target == source
        elif own.task == "sort":
            assert sorted(source) == list(target)
        else:
            assert own.task == "move"
            assert target[-1] + target[:-1] == source
    assert len(set(pairs)) <= 640 if own.distinct else len(set(pairs)) > 300
    again = [pairs[n] == pairs[n + 640] for n in range(60)]
    assert all(again) if own.distinct else not all(again)


def test_letters_are_uneven_where_they_are_to_be():
    for own in map(own_claim, CODES[:60]):
        text = "".join(pair.source for pair in claim_pairs(own, 400, seed=1))
        first, last = text.count(own.letters[0]), text.count(own.letters[-1])
        assert first > 50 * last if own.uneven else last / 2 < first < 2 * last


def test_sides_are_apart_and_seeds_decide():
    train, test = (claim_pairs(OWN, 300, seed=7, split=side) for side in ("train", "test"))
    assert not any(is_test_sequence(pair.source) for pair in train)
    assert all(is_test_sequence(pair.source) for pair in test)
    assert claim_pairs(OWN, 300, seed=7) == train
    assert claim_pairs(OWN, 300, seed=8) != train


def test_lengths_can_be_chosen():
    pairs = claim_pairs(OWN, 20, seed=0, split="test", lengths=[11])
    assert {len(pair.source) for pair in pairs} == {11}


def test_every_length_of_every_code_has_sources_to_test_on():
    for own in map(own_claim, CODES):
        if own.change.name == "few letters":
            assert claim_pairs(own, 1, seed=0, split="test", lengths=[own.lengths[0]])


@pytest.mark.parametrize("cell", ["gru", "lstm"])
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.better)
def test_the_conditions_of_a_claim_have_equal_parameters(claim, cell):
    """As the assignment builds them, up to one part in twenty."""
    n, usual = 20, {"embedding_size": 24, "state_size": 48, "cell": cell}
    luong = partial(translator.luong, n, n, **usual, encoder_size=24, hidden_size=24)
    vector = partial(translator.fixed_context, n, n, **usual)
    conditions = {
        "attention": partial(
            translator.bahdanau, n, n, "dot", **usual, encoder_size=48, directions=1
        ),
        **dict.fromkeys(("one vector", "every step", "forwards", "backwards"), vector),
        "start only": partial(vector, every_step=False),
        **{name: partial(luong, name) for name in ("additive", "location", "dot")},
        "scaled dot": partial(luong, "scaled_dot"),
        "asks after": partial(luong, "additive", asks_with="after"),
        "asks before": partial(luong, "additive", asks_with="before"),
    }
    one, other = (
        sum(part.numel() for part in conditions[name]().parameters())
        for name in (claim.better, claim.other)
    )
    assert max(one, other) < 1.05 * min(one, other)


REFUSED = {
    partial(claim_pairs, OWN, 3, 0): [
        ({"lengths": [5, 2, 7]}, r"lengths\[1\] must be a whole number, 3 or more; got 2")
    ],
}
