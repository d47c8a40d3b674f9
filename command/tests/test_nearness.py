"""Symbol error rate and chrF: against counting by hand, sacrebleu, and what intervals promise."""

import math

import numpy as np
import pytest
from capstone_corpora import fewest_edits
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_own.nearness import bootstrapped, chrf, edit_distance, nearness, shared_n_grams
from attn_own.verdicts import of_nearness

SYMBOLS = st.lists(st.sampled_from("abc"), max_size=7)
TEXT = st.text("ab c", min_size=1, max_size=14).filter(str.strip)
PHRASES = st.lists(st.tuples(st.text("ab c", max_size=14), TEXT, TEXT), min_size=1, max_size=5)


@given(SYMBOLS, SYMBOLS)
def test_the_edit_distance_is_that_of_a_recursion(answer, target):
    assert edit_distance(answer, target) == fewest_edits(answer, target)


def by_counting(answers, targets):
    """chrF of some texts, n-gram by n-gram."""
    shares = []
    for n in range(1, 7):
        ours = theirs = both = 0
        for answer, target in zip(answers, targets, strict=True):
            rows = [
                [text[at : at + n] for at in range(len(text) - n + 1)]
                for text in (answer.replace(" ", ""), target.replace(" ", ""))
            ]
            ours += len(rows[0]) * bool(rows[1])
            theirs += len(rows[1])
            for gram in rows[0]:
                if gram in rows[1]:
                    rows[1].remove(gram)
                    both += 1
        if ours and theirs:
            shares.append((both / ours, both / theirs))
    if not any(map(sum, shares)):
        return 0.0
    precision, recall = (sum(side) / len(shares) for side in zip(*shares, strict=True))
    return 100 * 5 * precision * recall / (4 * precision + recall)


@given(PHRASES)
def test_chrf_is_that_of_counting(rows):
    answers, targets, _ = zip(*rows, strict=True)
    counts = sum(map(shared_n_grams, answers, targets))
    assert chrf(counts) == pytest.approx(by_counting(answers, targets))


@pytest.mark.parametrize(  # as sacrebleu 2.6.0 says: nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no
    ("answer", "target", "score"),
    [
        ("the cat sat on the mat", "the cat sat on the mat", 100.0),
        ("the cat is on the mat", "the cat sat on the mat", 61.9252),
        ("le chat", "the cat sat on the mat", 8.0479),
        ("ab", "abcdefg", 26.7606),
        ("", "abc", 0.0),
    ],
)
def test_chrf_of_sacrebleu(answer, target, score):
    assert chrf(shared_n_grams(answer, target)) == pytest.approx(score, abs=5e-5)


@given(PHRASES)
@settings(max_examples=40, deadline=None)
def test_chrf_of_several_targets_is_that_of_sacrebleu(rows):
    metrics = pytest.importorskip("sacrebleu.metrics")
    # so long that chrF is reported
    answers, *targets = [["x" * 21 + text for text in side] for side in zip(*rows, strict=True)]
    sources = [*map(str, range(len(rows)))]
    near = nearness(answers * 2, sources * 2, [*targets[0], *targets[1]], list)
    in_order = map(sorted, zip(*targets, strict=True))  # of equally near ones, it takes the first
    targets = [*zip(*in_order, strict=True)]
    assert near.chrf.value == pytest.approx(metrics.CHRF().corpus_score(answers, targets).score)


WORDS = st.text("abc", min_size=1, max_size=5)
PAIRS = st.lists(st.tuples(WORDS | st.just(""), WORDS), min_size=1, max_size=6)


@given(PAIRS)
def test_the_error_rate_is_all_edits_in_all_symbols(rows):
    answers, targets = zip(*rows, strict=True)
    near = nearness(answers, range(len(rows)), targets, list)
    assert near.edits == sum(map(fewest_edits, answers, targets))
    assert near.symbols == sum(map(len, targets))
    assert near.error_rate.value == near.edits / near.symbols
    assert near.chrf is None


@given(PAIRS, st.integers(2, 4))
def test_pairs_of_one_source_make_no_interval_narrower(rows, times):
    answers, targets = ([*side] for side in zip(*rows, strict=True))
    sources = [*range(len(rows))]
    once = nearness(answers, sources, targets, list)
    often = nearness(answers * times, sources * times, targets * times, list)
    assert often.error_rate == pytest.approx(once.error_rate)
    assert (often.edits, often.symbols) == (times * once.edits, times * once.symbols)


def test_the_order_of_pairs_changes_nothing():
    rows = [("ab" * (at % 7), f"{at // 2}", "abc" * (1 + at % 3)) for at in range(0, 99, 2)]
    rows += [("ab", "s", "ac"), ("ab", "s", "abcd")]
    near, turned = (nearness(*zip(*order, strict=True), list) for order in (rows, rows[::-1]))
    assert near == turned


def test_of_several_targets_the_nearest_counts_and_its_length():
    near = nearness(["ab"] * 3, ["s"] * 3, ["xyz", "abc", "abcdefg"], list)
    assert (near.edits, near.symbols) == (3, 9)
    near = nearness(["ab"] * 2, ["s"] * 2, ["a", "abc"], list)  # equally near: the longer one
    assert (near.edits, near.symbols) == (2, 6)


def test_words_are_symbols_where_they_are_split():
    near = nearness(["one two three"], ["s"], ["one too three four"], str.split)
    assert (near.edits, near.symbols) == (2, 4)


@pytest.mark.parametrize(("size", "is_long"), [(20, False), (21, True)])
def test_chrf_is_reported_where_most_targets_are_long(size, is_long):
    targets = ["a " * size, "b " * size, "c"]
    near = nearness(targets, [*"xyz"], targets, list)
    assert (near.chrf is not None) == is_long
    assert ("chrF: 100.0, where" in " ".join(of_nearness(near))) == is_long


# ---- intervals


def share_of_first(counts):
    return counts[..., 0] / counts[..., 1]


def test_an_interval_is_as_wide_as_the_normal_approximation_of_many_sources():
    rng = np.random.default_rng(1)
    edits = rng.poisson(0.8, 1500)
    counts = np.stack([edits, np.full(1500, 4)], axis=1)
    score = bootstrapped(counts, share_of_first)
    half = 1.96 * edits.std() / 4 / math.sqrt(1500)
    assert score.value == edits.mean() / 4
    assert score.high - score.value == pytest.approx(half, rel=0.1)
    assert score.value - score.low == pytest.approx(half, rel=0.1)
    assert bootstrapped(counts, share_of_first) == score


def test_nineteen_of_twenty_intervals_hold_the_rate_that_answers_are_drawn_from():
    rng, inside = np.random.default_rng(0), 0
    for _ in range(200):
        lengths = rng.integers(2, 9, 150)
        counts = np.stack([rng.binomial(lengths, 0.2), lengths], axis=1)
        _, low, high = bootstrapped(counts, share_of_first)
        inside += low <= 0.2 <= high
    assert 180 <= inside <= 198


@pytest.mark.parametrize("rows", [[(0, 4)] * 9, [(3, 4)]])
def test_where_nothing_varies_there_is_no_interval(rows):
    score = bootstrapped(np.array(rows), share_of_first)
    assert score == (rows[0][0] / 4, None, None)


def test_the_sentences_have_the_rate_its_interval_and_the_counts():
    targets = ["abcd", "abcd", "abcdefgh"]
    (rate,) = of_nearness(nearness(["abcd", "abxd", "abcd"], [*"xyz"], targets, list))
    assert rate == (
        "Symbol error rate: 31.2% (0.0% to 50.0%): 5 symbols left out, added or replaced in the "
        "answers, for 16 symbols of the targets."
    )
    (rate,) = of_nearness(nearness(targets, [*"xyz"], targets, list))
    assert rate.startswith("Symbol error rate: 0.0%: 0 symbols")
