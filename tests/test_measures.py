"""Measures, compared with their definitions written as sets and loops."""

import math

import numpy as np
import pytest
import torch

from attn_course.measures import (
    alignment_error_rate,
    by_group,
    correct,
    exact_match,
    over_seeds,
    paired,
    share,
    share_by_source,
)


def by_sets(tables, sures, possibles):
    """The alignment error rate with links as sets of (sentence, target, source)."""
    a, s, p = set(), set(), set()
    for n, (table, sure, possible) in enumerate(zip(tables, sures, possibles, strict=True)):
        s |= {(n, i, j) for i, j in np.argwhere(sure).tolist()}
        p |= {(n, i, j) for i, j in np.argwhere(sure | possible).tolist()}
        a |= {(n, i, int(row.argmax())) for i, row in enumerate(table)}
    a = {link for link in a if any(link[:2] == other[:2] for other in p)}
    return 1 - (len(a & s) + len(a & p)) / (len(a) + len(s))


@pytest.fixture
def sentences():
    random = np.random.default_rng(0)
    sizes = [(5, 7), (3, 11), (13, 2)]
    tables = [random.dirichlet(np.ones(source), target) for target, source in sizes]
    sures = [random.random(size) < 0.1 for size in sizes]
    possibles = [random.random(size) < 0.3 for size in sizes]
    return tables, sures, possibles


def test_alignment_error_equals_its_definition_by_sets(sentences):
    assert alignment_error_rate(*sentences) == pytest.approx(by_sets(*sentences))
    one = [part[0] for part in sentences]
    assert alignment_error_rate(*one) == pytest.approx(by_sets(*([part] for part in one)))


def test_alignment_error_of_the_right_and_of_the_wrong_links():
    gold = np.eye(5, 7, dtype=bool)
    assert alignment_error_rate(gold.astype(float), gold) == 0
    assert alignment_error_rate(np.roll(gold, 1, axis=1).astype(float), gold) == 1


def test_a_possible_link_does_no_harm_and_a_missed_sure_one_does():
    sure, possible = np.zeros((2, 3), bool), np.zeros((2, 3), bool)
    possible[:, :2] = sure[0, 0] = True
    hits = np.array([[1.0, 0, 0], [0, 1, 0]])
    misses = np.array([[0, 1.0, 0], [0, 1, 0]])
    assert alignment_error_rate(hits, sure, possible) == 0
    assert alignment_error_rate(misses, sure, possible) == pytest.approx(1 - 2 / 3)


def test_steps_without_gold_are_left_out():
    gold = np.zeros((3, 5), bool)
    gold[0, 2] = gold[2, 4] = True
    weights = np.full((3, 5), 0.1)
    weights[0, 2] = weights[2, 4] = weights[1, 3] = 0.6
    assert alignment_error_rate(weights, gold) == 0


def test_a_batch_counts_as_its_sentences():
    random = np.random.default_rng(1)
    weights, gold = random.random((3, 5, 7)), random.random((3, 5, 7)) < 0.2
    assert alignment_error_rate(weights, gold) == alignment_error_rate(list(weights), list(gold))


def test_exact_match_and_groups():
    answers, targets = ["ab", "b", "", "ab"], ["ab", "bb", "", "ba"]
    assert correct(answers, targets).tolist() == [True, False, True, False]
    assert exact_match(answers, targets) == 0.5
    assert by_group(correct(answers, targets), ["x", "y", "x", "y"]) == {"x": 1.0, "y": 0.0}


@pytest.mark.parametrize(("right", "count"), [(0, 7), (1, 7), (7, 7), (13, 31), (1999, 2003)])
def test_share_is_wilsons_interval(right, count):
    scipy_stats = pytest.importorskip("scipy.stats")
    interval = share(right, count)
    oracle = scipy_stats.binomtest(right, count).proportion_ci(method="wilson")
    assert interval == pytest.approx((right / count, oracle.low, oracle.high), abs=1e-12)


def test_where_none_or_all_are_right_the_interval_ends_there_exactly():
    for count in range(1, 40):
        assert (share(0, count).low, share(count, count).high) == (0, 1)


def test_over_seeds_is_students_interval():
    # the classic example by hand: mean 2, s = 1, n = 3, t = 4.303
    mean, low, high = over_seeds([1, 2, 3])
    assert mean == 2
    assert (low, high) == pytest.approx((2 - 4.303 / 3**0.5, 2 + 4.303 / 3**0.5))


@pytest.mark.parametrize("seeds", range(2, 11))
def test_the_interval_has_95_percent_of_students_distribution(seeds):
    # the interval is mean ± t s / √n, so t can be read off it, and Student's density summed up to t
    values = np.random.default_rng(seeds).normal(size=seeds)
    mean, low, high = over_seeds(values)
    t = (high - mean) / (values.std(ddof=1) / seeds**0.5)
    assert mean - low == pytest.approx(high - mean)
    freedom = seeds - 1
    scale = math.gamma((freedom + 1) / 2) / math.gamma(freedom / 2) / math.sqrt(freedom * math.pi)
    places = np.linspace(-t, t, 200_001)
    density = scale * (1 + places**2 / freedom) ** (-(freedom + 1) / 2)
    covered = density.mean() * 2 * t  # with that many points, the sum is as good as the integral
    assert covered == pytest.approx(0.95, abs=5e-5)


# ---- pairs of one source, and two models on the same pairs


def test_an_interval_of_sources_that_stand_once_is_wilsons():
    for right, count in ((0, 7), (3, 7), (7, 7), (41, 211)):
        answers = [True] * right + [False] * (count - right)
        assert share_by_source(answers, range(count)) == pytest.approx(share(right, count))


def test_repeats_make_no_interval_narrower():
    answers = np.arange(30) % 3 == 0
    once = share_by_source(answers, range(30))
    assert share_by_source(np.repeat(answers, 5), np.repeat(np.arange(30), 5)) == pytest.approx(
        once
    )
    one_many = share_by_source([True] * 100 + [False], ["often"] * 100 + ["once"])
    assert one_many.low < 0.3  # a hundred times the same answer says little


def test_the_interval_holds_the_true_share_as_often_as_it_says():
    """Sources of very different frequency, each right or wrong as a whole."""
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 12, 83)
    sources = np.repeat(np.arange(83), counts)
    for truth in (0.15, 0.5, 0.9):
        inside = naive = 0
        for _ in range(400):
            right = np.repeat(rng.random(83) < truth, counts)
            interval = share_by_source(right, sources.tolist())
            inside += interval.low <= truth <= interval.high
            plain = share(int(right.sum()), len(right))
            naive += plain.low <= truth <= plain.high
        assert inside > 0.92 * 400
        assert naive < 0.75 * 400


def test_a_paired_comparison_is_the_binomial_test():
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(1)
    for count in (1, 5, 40, 211):
        ours, theirs = rng.random(count) < 0.7, rng.random(count) < 0.5
        result = paired(ours, theirs)
        assert result.ahead == (ours & ~theirs).sum()
        assert result.behind == (theirs & ~ours).sum()
        discordant = result.ahead + result.behind
        wanted = stats.binomtest(result.ahead, discordant).pvalue if discordant else 1.0
        assert result.p == pytest.approx(wanted)
        back = paired(theirs, ours)
        assert (back.ahead, back.behind, back.p) == (result.behind, result.ahead, result.p)


def test_pairs_of_one_source_are_one_question():
    ours, theirs = [1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 0, 1]
    assert paired(ours, theirs)[:2] == (3, 2)
    assert paired(ours, theirs, list("aaabcb"))[:2] == (1, 1)
    assert paired(ours, theirs, list("aabbcc"))[:2] == (1, 1)  # of b each has one right: a tie


def test_nothing_that_tells_two_models_apart_gives_one():
    assert paired([1, 0, 1], [1, 0, 1]) == (0, 0, 1.0)


def test_weights_may_carry_a_graph():
    weights = torch.randn(3, 5, requires_grad=True).softmax(dim=-1)
    gold = torch.eye(3, 5) > 0
    expected = alignment_error_rate(weights.detach().numpy(), gold.numpy())
    assert alignment_error_rate(weights, gold) == expected
    assert alignment_error_rate([weights], [gold]) == expected


WEIGHTS, LINKS = np.full((3, 5), 0.2), np.zeros((3, 5), bool)
WITH_NAN = np.where(np.arange(15).reshape(3, 5) == 13, np.nan, WEIGHTS)  # one is enough
REFUSED = {
    alignment_error_rate: [
        ((WEIGHTS, LINKS), "not defined"),
        ((WEIGHTS, LINKS[:, :4]), r"\(3, 5\), \(3, 4\)"),
        ((WEIGHTS, LINKS.astype("int64")), TypeError, "int64"),
        ((WITH_NAN, ~LINKS), "NaN"),
        (
            ([[[0.5, math.inf]]], [np.array([[True, False]])]),
            "weights must be finite; got infinity",
        ),
        ((WEIGHTS, LINKS, LINKS.astype("int64")), TypeError, "bool and int64"),
        ((WEIGHTS, LINKS, LINKS[:, :4]), r"\(3, 5\), \(3, 5\) and \(3, 4\)"),
        (([np.full(5, 0.2)], [LINKS[0]]), r"\(5,\)"),
        ((WITH_NAN, LINKS, [LINKS, LINKS]), "1 of sure links and 2 of possible"),
        (([WITH_NAN], [LINKS, LINKS]), "1 tables of weights, 2"),
        ((0.5, [], []), TypeError, "^weights must be "),
        (([[["x"]]], [[[True]]]), TypeError, "^weights must be "),
        (([], True), TypeError, "^gold_sure must be "),
        (([], [], True), TypeError, "^gold_possible must be "),
    ],
    correct: [((["a", "b"], ["a"]), "2 answers cannot be compared with 1")],
    exact_match: [(([], []), "no answers")],
    by_group: [
        (([1, 2], ["a"]), r"each value must have one group; got \(2,\) and 1"),
        ((["one"], ["a"]), TypeError, "^values must be "),
    ],
    share: [((4, 3), "right must be at most 3")],
    over_seeds: [  # without a warning
        *(((v,), "too large") for v in ([1e308, 1e308], [1e308, -1e308, 0.0], [1e200, -1e200])),
        *(((v,), "2 to 10") for v in ([1.0], [1.0] * 11, [[1.0, 2.0], [3.0, 4.0]])),
        (([1.0, math.nan],), "NaN"),
        (([1.0, math.inf],), "got infinity"),
        ((["one", "two"],), TypeError, "^values must be "),
    ],
    paired: [
        (([1], [1, 0]), "the same questions"),
        (([], []), "the same questions"),
        (([0.5], [1]), "right, 1, or wrong, 0"),
        ((["yes"], [1]), TypeError, "^ours must be "),
        (([1], ["yes"]), TypeError, "^theirs must be "),
    ],
    share_by_source: [
        (([1, 2], list("ab")), "0 or 1"),
        (([1], list("ab")), "each of 2 sources"),
        ((["yes"], ["a"]), TypeError, "^right must be "),
    ],
}
