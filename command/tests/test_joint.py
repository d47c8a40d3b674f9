"""The joint n-gram model, against sums over all cuts, and on the card."""

import itertools
import json
import math
from collections import Counter

import numpy as np
import pytest
from capstone_corpora import ALONE, corpus_of, pairs, written
from hypothesis import example, given, settings
from hypothesis import strategies as st

from attn_own import findings, folder, joint
from attn_own.card import card
from attn_own.joint import Cuts, JointModel, cut
from attn_own.record import record
from attn_own.verdicts import of_baselines

SOURCES, TARGETS = (st.text(letters, min_size=1, max_size=4) for letters in ("abc", "xyz"))
ROWS = st.lists(st.tuples(SOURCES, TARGETS), min_size=1, max_size=6)
CUT = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=5), min_size=1, max_size=8)
PIECES = [(("a",), ("x",)), (("a",), ()), (("b",), ("x", "y")), (("a", "b"), ("y",)), (("c",), ())]


def cuts_of(rows, separator=""):
    return cut(*corpus_of(rows, separator))


def ways(source, target):
    """Every cut of a pair, as a list of pieces."""
    if not source and not target:
        yield []
    for p, q in joint.SHAPES:
        if p <= len(source) and q <= len(target):
            piece = tuple(source[:p]), tuple(target[:q])
            yield from ([piece, *rest] for rest in ways(source[p:], target[q:]))


def estimated(rows):
    """The weight of each piece after the same rounds, from sums over all cuts."""
    everything = [[*ways(*row)] for row in rows]
    weights = {piece: 1.0 for row in everything for pieces in row for piece in pieces}
    for _ in range(joint.ROUNDS):
        counts = Counter()
        for row in everything:
            shares = [math.prod(weights[piece] for piece in pieces) for pieces in row]
            for pieces, share in zip(row, shares, strict=True):
                for piece in pieces:
                    counts[piece] += share / sum(shares)
        weights = {piece: counts[piece] / counts.total() for piece in weights}
    return weights


@pytest.mark.parametrize("rounds", [1, 8])
@given(rows=ROWS)
@settings(max_examples=40, deadline=None)
def test_each_pair_is_cut_where_the_product_of_its_pieces_is_largest(rows, rounds):
    short = [row for row in rows if len(row[1]) <= 2 * len(row[0])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint, "ROUNDS", rounds)
        cuts, weights = cuts_of(rows), estimated(short)
    counts = Counter()
    for row in cuts.rows:
        pieces = [cuts.pieces[number] for number in row]
        pair = tuple("".join(itertools.chain(*side)) for side in zip(*pieces, strict=True))
        counts[pair] += 1
        best = max(math.prod(weights[piece] for piece in other) for other in ways(*pair))
        assert math.prod(weights[piece] for piece in pieces) == pytest.approx(best, rel=1e-6)
    assert counts == Counter(short)


def counted_out(rows, number, history, order, kinds):
    """p(g | h) by its definition, from n-grams that are listed anew for each length."""
    padded = [[-1] * (order - 1) + row + [-2] for row in rows]

    def grams(size):
        return [
            tuple(row[end - size : end])
            for row in padded
            for end in range(max(order, size), len(row) + 1)
        ]

    def counts(size):
        return Counter(
            grams(size) if size == order else [gram[-size:] for gram in set(longer(size))]
        )

    def longer(size):
        return grams(size + 1)

    lower = counted_out(rows, number, history[1:], order, kinds) if history else 1 / (kinds + 1)
    table = counts(len(history) + 1)
    following = {gram: count for gram, count in table.items() if gram[:-1] == history}
    once, twice = (sum(count == often for count in table.values()) for often in (1, 2))
    discount = (once + 1) / (once + 2 * twice + 3)
    own = max(following.get((*history, number), 0) - discount, 0)
    return (own + discount * len(following) * lower) / sum(following.values())


@given(CUT, st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_probabilities_are_those_of_the_equation_and_sum_to_1(rows, order):
    model = JointModel(Cuts(PIECES, rows), order)
    numbers = [*range(len(PIECES)), -2]
    for table in model.following:
        for history in table:
            probabilities = [model.probability(number, history) for number in numbers]
            expected = [counted_out(rows, number, history, order, 5) for number in numbers]
            assert probabilities == pytest.approx(expected)
            assert sum(probabilities) == pytest.approx(1)
            assert min(probabilities) > 0


@given(CUT, st.integers(1, 3), st.text("abcq", max_size=4))
@example([[0, 2]] * 5 + [[1]] * 4, 2, "a")  # x is likelier, but not at an end
@settings(max_examples=60, deadline=None)
def test_an_answer_is_the_target_of_the_likeliest_of_all_cuts(rows, order, source):
    model, used = JointModel(Cuts(PIECES, rows), order), {n for row in rows for n in row}
    alone = {PIECES[number][0] for number in used}

    def probability(number, history):
        ends = (history[at:] for at in range(len(history) + 1))
        known = next(end for end in ends if len(end) < order and end in model.following[len(end)])
        assert model.known(history) == known
        return model.probability(number, known)

    def derivations(rest, history, so_far, target):
        if not rest:
            yield so_far * probability(-2, history), target
        options = [
            (n, *PIECES[n]) for n in used if PIECES[n][0] == tuple(rest[: len(PIECES[n][0])])
        ]
        if rest and (rest[0],) not in alone:
            options.append((-3, (rest[0],), (rest[0],)))
        for number, taken, written_ in options:
            step = so_far * probability(number, history)
            yield from derivations(rest[len(taken) :], (*history, number), step, target + written_)

    everything = [*derivations(source, (-1,) * 3, 1.0, ())]
    best = max(whole for whole, _ in everything)
    answer = model.answer(source, beam=1000)
    assert answer in [target for p, target in everything if p == pytest.approx(best, rel=1e-9)]


def test_letters_of_two_sounds_and_sounds_of_two_letters_are_learnt():
    words = ["".join(word) for word in itertools.product("abx", repeat=3)]
    sounds = {"a": "a", "b": "p", "x": "k s", "sh": "ʃ"}
    rows = [(word, " ".join(sounds[letter] for letter in word)) for word in words]
    rows += [(f"sh{word}", f"ʃ {sound}") for word, sound in rows]
    spaced = [(" ".join(word), sound) for word, sound in rows]
    cuts = cuts_of(spaced, " ")
    assert set(cuts.pieces) >= {(("s", "h"), ("ʃ",)), (("x",), ("k", "s")), (("b",), ("p",))}
    assert JointModel(cuts).answer([*"shbax"]) == (*"ʃpaks",)


@pytest.mark.parametrize(
    ("rows", "source", "answer"),
    [
        ([("a", "x")], "a", "x"),
        ([("a", "x")] * 9, "aaa", "xxx"),
        ([("ab", "")] * 3, "ab", ""),
        ([("a", "x"), ("b", "y")], "aéb", "xéy"),
        ([("a", "x")], "", ""),
        ([("a", "x"), ("b", "y")] * 5, "ab" * 50, "xy" * 50),
    ],
)
def test_small_and_odd_corpora_are_learnt_too(rows, source, answer):
    assert "".join(JointModel(cuts_of(rows)).answer(source)) == answer


def test_what_cannot_be_cut_leaves_nothing(monkeypatch):
    assert cuts_of([("a", "xyz")]) == Cuts([], [])
    assert len(cuts_of([("a", "xyz"), ("a", "x")]).rows) == 1
    with pytest.raises(ValueError, match="a row or more"):
        JointModel(Cuts([], []))
    monkeypatch.setattr(joint, "MOST_SYMBOLS", 6)
    assert cuts_of([("ab", "xy")]).rows
    assert cuts_of([("abc", "xyz")]) == Cuts([], [])


def test_of_many_pairs_some_are_read(monkeypatch):
    rows = pairs(400)
    assert len(cuts_of(rows).rows) == 400
    monkeypatch.setattr(joint, "MOST_CELLS", 1000)
    assert 0 < len(cuts_of(rows).rows) < 200


# ---- on the card


@pytest.fixture(scope="module")
def trained_folder(tmp_path_factory):
    from attn_own.command import main

    rows = [(word, target.replace("A", "AA")) for word, target in pairs()]
    path = written(tmp_path_factory.mktemp("joint") / "a.tsv", rows)
    options = [*ALONE, "--size", "8", "--epochs", "1"]
    assert main(["train", str(path), *options]) == 0
    return path.with_name("a-bahdanau")


def test_where_it_wins_the_card_says_so(trained_folder):
    results = findings.find(trained_folder)
    text = " ".join(of_baselines(results.rivals, results.lacking))
    assert f"{findings.JOINT} of the training pairs, 100.0%." in text
    assert f"This model was shown to do worse than {findings.JOINT} of the training pairs:" in text
    assert "not tried" not in text
    assert f"{findings.JOINT} of the training pairs, 100.0%." in card(results)
    assert f"shown to do worse than {findings.JOINT}" in card(results)


def test_it_is_in_the_json_without_the_pairs_of_the_training(trained_folder):
    text = record(findings.find(trained_folder))
    numbers = json.loads(text)
    (rival,) = [row for row in numbers["rivals"] if row["name"].startswith(findings.JOINT)]
    assert rival["right"] == 1
    assert numbers["lacking"] == ""
    assert not any(f'"{field}"' in text for field in (*Cuts._fields, "joint"))


@pytest.mark.parametrize("why", ["version", "twice as long", "would take minutes"])
def test_the_card_says_why_it_was_not_tried(trained_folder, monkeypatch, why):
    stored = folder.read_tensors(trained_folder / "model.pt")
    monkeypatch.setattr(folder, "read_tensors", lambda path: stored)
    results = findings.find(trained_folder)
    trained = results.trained
    if why == "version":
        trained = trained._replace(facts={k: v for k, v in trained.facts.items() if k != "joint"})
    elif why == "twice as long":
        trained.facts["joint"]["rows"] = []
    else:
        monkeypatch.setattr(joint, "MOST_ANSWERED", 10)
    lacking = findings.why_not_joint(trained, results.pairs)
    rivals = findings.rivals(trained, results.pairs, np.asarray(results.right))
    assert why in lacking
    assert len(rivals) == 3
    assert f"A joint n-gram model was not tried: {lacking}." in of_baselines(rivals, lacking)
