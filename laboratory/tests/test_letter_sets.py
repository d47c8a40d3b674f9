"""Sets of letters that stand apart: every set by a loop, and planes chosen to show it."""

from itertools import combinations

import numpy as np
import pytest

from attn_lab.typos import letter_sets

THINGS, SIZE = 11, 5


def some(seed=0):
    return np.random.default_rng(seed).normal(size=(THINGS, SIZE))


def by_loops(vectors, chosen):
    others = [n for n in range(len(vectors)) if n not in chosen]
    across = [np.linalg.norm(vectors[a] - vectors[b]) for a in chosen for b in others]
    within = [np.linalg.norm(vectors[a] - vectors[b]) for a, b in combinations(chosen, 2)]
    return np.mean(across) / np.mean(within)


@pytest.mark.parametrize("size", [2, 3, 7])
def test_the_share_is_counted_over_every_set(size):
    vectors, chosen = some(size), tuple(range(1, 1 + size))
    own = by_loops(vectors, chosen)
    assert letter_sets.separation(vectors, chosen) == pytest.approx(own)
    values = [by_loops(vectors, one) for one in combinations(range(THINGS), size)]
    assert len(letter_sets.all_sets(THINGS, size)) == len(values)
    expected = np.mean(np.array(values) >= own * (1 - 1e-9))
    assert letter_sets.share_as_good(vectors, chosen) == pytest.approx(expected)


def test_a_cluster_of_its_own_is_the_best_set_of_all():
    vectors = some()
    vectors[:4] = vectors[:4] / 100 + 30
    assert letter_sets.share_as_good(vectors, [0, 1, 2, 3]) == pytest.approx(1 / 330)
    assert letter_sets.share_as_good(vectors, [0, 1, 5, 6]) > 0.3


def test_turning_moving_and_scaling_change_nothing():
    vectors, chosen = some(2), [0, 3, 9]
    turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(SIZE, SIZE)))
    moved = 7 * vectors @ turn + 3
    assert letter_sets.separation(moved, chosen) == pytest.approx(
        letter_sets.separation(vectors, chosen)
    )
    assert letter_sets.share_in_plane(moved) == pytest.approx(letter_sets.share_in_plane(vectors))


def test_the_plane_shows_the_largest_spread():
    vectors = some(4) * [9, 1, 5, 0.1, 1]
    spread = np.sort(np.linalg.eigvalsh(np.cov(vectors.T)))[::-1]
    np.testing.assert_allclose(letter_sets.plane(vectors).var(axis=0, ddof=1), spread[:2])
    assert letter_sets.share_in_plane(vectors) == pytest.approx(spread[:2].sum() / spread.sum())


def test_the_best_direction_beats_others():
    vectors, chosen = some(6), [0, 2, 5, 7]
    inside = np.isin(np.arange(THINGS), chosen)

    def ratio(direction):
        groups = vectors[inside] @ direction, vectors[~inside] @ direction
        scatter = sum(((group - group.mean()) ** 2).sum() for group in groups)
        return (groups[0].mean() - groups[1].mean()) ** 2 / scatter

    best = letter_sets.best_direction(vectors, chosen)
    assert np.linalg.norm(best) == pytest.approx(1)
    rng = np.random.default_rng(0)
    assert all(ratio(best) > 0.97 * ratio(rng.normal(size=SIZE)) for _ in range(500))


def test_with_many_dimensions_any_set_is_parted_and_with_few_hardly_any():
    rng, sets = np.random.default_rng(3), [(0, 2, 5), (1, 6, 9), (3, 4, 10)]
    wide, narrow = rng.normal(size=(THINGS, 40)), rng.normal(size=(THINGS, 1))
    assert all(letter_sets.is_parted(wide, one) for one in sets)
    assert not any(letter_sets.is_parted(narrow, one) for one in sets)


@pytest.mark.parametrize(("vectors", "chosen", "words"), [
    (some()[0], [0, 1], "vectors must be finite"),
    (some() * np.nan, [0, 1], "vectors must be finite"),
    (some(), [0], "2 to 10 distinct numbers"),
    (some(), range(THINGS), "2 to 10 distinct numbers"),
    (some(), [0, 0], "distinct"),
    (some(), [0, THINGS], "below 11"),
    (some(), [-1, 2], "0 or more"),
])  # fmt: skip
def test_refusals(vectors, chosen, words):
    with pytest.raises(ValueError, match=words):
        letter_sets.share_as_good(vectors, chosen)


def test_one_embedding_together_is_its_own_share():
    vectors, chosen = some(), (1, 3, 4)
    assert letter_sets.share_together([vectors], chosen) == pytest.approx(
        letter_sets.share_as_good(vectors, chosen)
    )


def test_several_embeddings_are_compared_by_the_product_of_their_shares():
    several, chosen = [some(4), some(5)], (0, 2, 7)
    sets = list(combinations(range(THINGS), 3))
    products = [
        np.prod([letter_sets.share_as_good(vectors, one) for vectors in several]) for one in sets
    ]
    own = products[sets.index(chosen)]
    smaller = np.array(products) <= own * (1 + 1e-6)
    assert letter_sets.share_together(several, chosen) == pytest.approx(smaller.mean())
    among = np.array([8 in one for one in sets])
    counted = among | np.array([one == chosen for one in sets])
    assert letter_sets.share_together(several, chosen, among) == pytest.approx(
        smaller[counted].mean()
    )


def test_independent_shares_are_combined():
    assert letter_sets.fisher([0.3]) == pytest.approx(0.3)
    drawn = np.random.default_rng(0).random((20_000, 3))
    shares = np.array([letter_sets.fisher(row) for row in drawn])  # as uniform as what went in
    assert np.mean(shares < 0.05) == pytest.approx(0.05, abs=0.01)
    assert np.mean(shares < 0.5) == pytest.approx(0.5, abs=0.02)
