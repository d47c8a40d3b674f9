"""Scores and contexts against their equations, written out for one pair at a time in NumPy.

Sizes are distinct primes, so that no axis can be mistaken for another. What holds of every score,
whatever its equation, is tested of all in `SCORES`.
"""

import math
from inspect import signature

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from attn_course.alignment import SCORES, Score
from attn_course.context import attend, context_vectors
from attn_course.masks import padding

BATCH, TARGET, SOURCE, QUERY, KEY, HIDDEN, VALUE = 2, 3, 5, 7, 11, 13, 17
OTHER = 19
every_score = pytest.mark.parametrize("name", SCORES)
close = torch.testing.assert_close


def draw(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def built(name):
    """A score with its queries and keys."""
    key = QUERY if SCORES[name].one_size else KEY
    score = SCORES[name].of_sizes(QUERY, key, HIDDEN, 2 * SOURCE).double()
    return score, draw(BATCH, TARGET, QUERY, seed=1), draw(BATCH, SOURCE, key, seed=2)


def a_mask():
    """Any mask with something to read in every row."""
    mask = draw(BATCH, TARGET, SOURCE, seed=3) > 0
    mask[..., 3] = True
    return mask


# e_ij of a query s, a key h and its place j, with the matrices of the score
EQUATIONS = {
    "additive": lambda s, h, j, W_a, U_a, v: v[0] @ np.tanh(W_a @ s + U_a @ h),
    "concat": lambda s, h, j, W, v: v[0] @ np.tanh(W @ np.append(s, h)),
    "stacked": lambda s, h, j, W_1, W_2, v: v[0] @ np.tanh(np.append(W_1 @ s, W_2 @ h)),
    "general": lambda s, h, j, W: s @ W @ h,
    "dot": lambda s, h, j: s @ h,
    "scaled_dot": lambda s, h, j: s @ h / math.sqrt(QUERY),
    "cosine": lambda s, h, j: s @ h / math.sqrt((s @ s) * (h @ h)),
    "location": lambda s, h, j, W: (W @ s)[j],
}


@pytest.mark.parametrize("name", EQUATIONS)
def test_a_score_is_its_equation(name):
    score, queries, keys = built(name)
    scores, matrices = score(queries, keys), [part.detach().numpy() for part in score.parameters()]
    for b, i, j in np.ndindex(BATCH, TARGET, SOURCE):
        pair = queries[b, i].numpy(), keys[b, j].numpy()
        assert scores[b, i, j].item() == pytest.approx(EQUATIONS[name](*pair, j, *matrices))


@every_score
def test_no_equation_has_a_bias_and_no_pair_knows_another(name):
    score, queries, keys = built(name)
    assert all(part.dim() == 2 for part in score.parameters())
    scores, order = score(queries, keys), torch.tensor([3, 0, 4, 1, 2])
    for b, i in np.ndindex(BATCH, TARGET):
        close(score(queries[b : b + 1, i : i + 1], keys[b : b + 1])[0, 0], scores[b, i])
    if name != "location":
        close(score(queries, keys[:, order]), scores[..., order])


def test_cosine_has_no_length_and_none_beyond_all_numbers():
    score, queries, keys = built("cosine")
    close(score(1e-6 * queries, 1e3 * keys), score(queries, keys))
    assert score(0 * queries, keys).isfinite().all()
    for name in ("queries", "keys"):
        inputs = {"queries": queries, "keys": keys}
        inputs[name] = 1e200 * inputs[name]
        with pytest.raises(ValueError, match=f"the lengths of the {name} must be finite"):
            score(**inputs)


def test_location_has_as_many_places_as_it_was_made_for():
    score, queries, _ = built("location")
    assert score(queries, draw(BATCH, 2 * SOURCE, KEY)).shape == (BATCH, TARGET, 2 * SOURCE)
    with pytest.raises(ValueError, match=r"source has 11 positions, but .* made for max_source=10"):
        score(queries, draw(BATCH, 2 * SOURCE + 1, KEY))


def test_a_context_is_the_weighted_sum():
    weights, annotations = draw(BATCH, TARGET, SOURCE), draw(BATCH, SOURCE, VALUE, seed=1)
    context = context_vectors(weights, annotations)
    for b, i in np.ndindex(BATCH, TARGET):
        close(context[b, i], sum(weights[b, i, j] * annotations[b, j] for j in range(SOURCE)))
    annotations[0, 1] = math.nan  # also where the weight is 0
    with pytest.raises(ValueError, match="contexts must be finite"):
        context_vectors(0 * weights, annotations)


@every_score
@pytest.mark.parametrize("mask", [None, a_mask(), padding(torch.tensor([5, 2]), SOURCE)])
def test_attend_is_score_weigh_average(name, mask):
    score, queries, keys = built(name)
    values, before = draw(BATCH, SOURCE, VALUE, seed=5), set(vars(score))
    context, weights = attend(queries, keys, values, score, mask)
    scores = score(queries, keys)
    scores = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    close(weights, F.softmax(scores, dim=-1))
    close(context, torch.einsum("bij,bjv->biv", weights, values))
    assert set(vars(score)) == before, "weights are handed back and not kept"


@every_score
def test_gradients_are_right(name):
    score, *inputs = built(name)
    inputs = [part.requires_grad_() for part in (*inputs, draw(BATCH, SOURCE, 3))]
    mask, parameters = a_mask(), tuple(score.parameters())
    assert torch.autograd.gradcheck(
        lambda q, k, v, *_: attend(q, k, v, score, mask), (*inputs, *parameters), fast_mode=True
    )


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
@every_score
def test_a_gpu_gives_the_same(name):
    score, queries, keys = built(name)
    here, _ = attend(queries, keys, keys, score, a_mask())
    there, _ = attend(queries.cuda(), keys.cuda(), keys.cuda(), score.cuda(), a_mask().cuda())
    close(there.cpu(), here)


# ---- the sizes of a score: what it is made for, and what it refuses

every_kind = pytest.mark.parametrize("kind", SCORES.values(), ids=SCORES)


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


@every_kind
def test_a_score_fits_the_sizes_that_it_was_made_for_and_no_others(kind):
    key = QUERY if kind.one_size else KEY
    score = kind.of_sizes(QUERY, key, HIDDEN, SOURCE)
    any_query, any_key = (
        f"{end}_size" not in signature(kind).parameters for end in ("query", "key")
    )
    assert fits(score.expect_sizes, QUERY, key)
    assert fits(score.expect_sizes, OTHER, key) == (any_query and not kind.one_size)
    assert fits(score.expect_sizes, QUERY, OTHER) == (any_key and not kind.one_size)
    assert fits(score.expect_sizes, OTHER, OTHER) == (any_query and any_key)
    for query in (QUERY, OTHER):
        for size in (key, OTHER):
            arguments = vectors(TARGET, query), vectors(SOURCE, size)
            assert fits(score, *arguments) == fits(score.expect_sizes, query, size)


@every_kind
def test_keys_are_checked_before_there_is_a_query(kind):
    key = QUERY if kind.one_size else KEY
    score = kind.of_sizes(QUERY, key, HIDDEN, SOURCE)
    assert fits(score.check_keys, vectors(SOURCE, key))
    assert fits(score.check_keys, vectors(SOURCE, OTHER)) == (
        "key_size" not in signature(kind).parameters
    )


@every_kind
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
    with pytest.raises(ValueError, match=r"queries of 7 .* keys of 11; it takes 19 and 11$"):
        SCORES["general"](OTHER, KEY).expect_sizes(QUERY, KEY)
