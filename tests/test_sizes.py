"""The sizes of a score: what it is made for, and what it refuses."""

import pytest
import torch

from attn_course.alignment import SCORES, Score

BATCH, TARGET, SOURCE, QUERY, KEY, OTHER, HIDDEN = 2, 3, 5, 7, 11, 13, 17
every_score = pytest.mark.parametrize("kind", SCORES.values(), ids=SCORES)


class Lengths(Score):
    """Made for vectors of any sizes, which may differ."""

    def compare(self, queries, prepared):
        return queries.norm(dim=-1).unsqueeze(2) * prepared.norm(dim=-1).unsqueeze(1)


def vectors(count, size):
    return torch.randn(BATCH, count, size)


def fits(call, *arguments):
    try:
        call(*arguments)
    except ValueError:
        return False
    return True


@every_score
def test_a_score_fits_the_sizes_that_it_was_made_for_and_no_others(kind):
    key = QUERY if kind.one_size else KEY
    score = kind.of_sizes(QUERY, key, HIDDEN, SOURCE)
    any_query, any_key = (f"{end}_size" not in kind.takes for end in ("query", "key"))
    assert fits(score.expect_sizes, QUERY, key)
    assert fits(score.expect_sizes, OTHER, key) == (any_query and not kind.one_size)
    assert fits(score.expect_sizes, QUERY, OTHER) == (any_key and not kind.one_size)
    assert fits(score.expect_sizes, OTHER, OTHER) == (any_query and any_key)
    for query in (QUERY, OTHER):
        for size in (key, OTHER):
            arguments = vectors(TARGET, query), vectors(SOURCE, size)
            assert fits(score, *arguments) == fits(score.expect_sizes, query, size)


@every_score
def test_keys_are_checked_before_there_is_a_query(kind):
    key = QUERY if kind.one_size else KEY
    score = kind.of_sizes(QUERY, key, HIDDEN, SOURCE)
    assert fits(score.check_keys, vectors(SOURCE, key))
    assert fits(score.check_keys, vectors(SOURCE, OTHER)) == ("key_size" not in kind.takes)


@every_score
def test_only_a_score_that_multiplies_vectors_asks_for_one_size(kind):
    assert fits(kind.of_sizes, QUERY, QUERY, HIDDEN, SOURCE)
    assert fits(kind.of_sizes, QUERY, KEY, HIDDEN, SOURCE) != kind.one_size


def test_a_score_of_ones_own_takes_any_sizes_unless_it_says_which():
    assert fits(Lengths(), vectors(TARGET, QUERY), vectors(SOURCE, KEY))
    assert fits(Lengths().expect_sizes, QUERY, KEY)
    with pytest.raises(ValueError, match=r"\(batch target query\)"):
        Lengths()(vectors(TARGET, QUERY)[0], vectors(SOURCE, KEY))
    with pytest.raises(ValueError, match=r"\(batch=2 source key\)"):
        Lengths()(vectors(TARGET, QUERY), vectors(SOURCE, KEY)[0])


def test_a_refusal_names_the_sizes_that_came_and_those_that_fit():
    with pytest.raises(ValueError, match=r"DotScore needs .* same size; got 7 and 11"):
        SCORES["dot"].of_sizes(QUERY, KEY, HIDDEN, SOURCE)
    with pytest.raises(ValueError, match=r"queries of 7 .* keys of 11; .* any and any, both"):
        SCORES["dot"]().expect_sizes(QUERY, KEY)
    with pytest.raises(ValueError, match=r"queries of 7 .* keys of 11; it takes 13 and 11$"):
        SCORES["general"](OTHER, KEY).expect_sizes(QUERY, KEY)
