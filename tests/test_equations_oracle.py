"""The equations against independent arithmetic: loops, NumPy, torch.nn.functional.

Written from the interface, without looking at the code. Sizes are distinct primes, so that no axis
can be mistaken for another.
"""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from attn_course.alignment import SCORES, AdditiveScore, ConcatScore, StackedScore
from attn_course.context import attend, context_vectors
from attn_course.masks import causal, local_window, padding
from attn_course.weights import attention_weights, entropy, sparsemax

BATCH, TARGET, SOURCE, QUERY, KEY, HIDDEN, VALUE = 2, 3, 5, 7, 11, 13, 17
BAD_INPUT = (ValueError, TypeError)
seeds = st.integers(0, 2**31 - 1)
quickly = settings(max_examples=25, deadline=None)

every_score = pytest.mark.parametrize("name", SCORES)
both_weightings = pytest.mark.parametrize("weigh", [attention_weights, sparsemax])


def draw(*shape, seed=0, dtype=torch.float64, scale=1.0):
    generator = torch.Generator().manual_seed(seed)
    return scale * torch.randn(*shape, generator=generator, dtype=dtype)


def made(name, dtype=torch.float64):
    """A score with its queries and keys."""
    key = QUERY if SCORES[name].one_size else KEY
    return (
        SCORES[name].of_sizes(QUERY, key, HIDDEN, 2 * SOURCE).to(dtype),
        draw(BATCH, TARGET, QUERY, seed=1, dtype=dtype),
        draw(BATCH, SOURCE, key, seed=2, dtype=dtype),
    )


def a_mask(seed=3):
    """Any mask with something to read in every row."""
    mask = draw(BATCH, TARGET, SOURCE, seed=seed) > 0
    mask[..., seed % SOURCE] = True
    return mask


def close(one, two, **options):
    torch.testing.assert_close(one, two, **options)


# ---- scores


def test_all_eight_scores_are_there_and_made_as_the_contract_says():
    made = {
        "additive": SCORES["additive"](QUERY, KEY, HIDDEN),
        "concat": SCORES["concat"](QUERY, KEY, HIDDEN),
        "stacked": SCORES["stacked"](QUERY, KEY, HIDDEN),
        "general": SCORES["general"](QUERY, KEY),
        "dot": SCORES["dot"](),
        "scaled_dot": SCORES["scaled_dot"](),
        "cosine": SCORES["cosine"](),
        "location": SCORES["location"](QUERY, 2 * SOURCE),
    }
    for name, score in made.items():
        key = QUERY if SCORES[name].one_size else KEY
        other = SCORES[name].of_sizes(QUERY, key, HIDDEN, 2 * SOURCE)
        shapes = [{n: p.shape for n, p in each.state_dict().items()} for each in (score, other)]
        assert shapes[0] == shapes[1]


@every_score
def test_shape_and_type(name):
    for dtype in (torch.float32, torch.float64):
        score, queries, keys = made(name, dtype)
        scores = score(queries, keys)
        assert scores.shape == (BATCH, TARGET, SOURCE)
        assert scores.dtype == dtype


@every_score
def test_a_pair_is_scored_alone_as_in_company(name):
    """A query alone in its batch gets the same row of scores as it does among others."""
    score, queries, keys = made(name)
    together = score(queries, keys)
    for b in range(BATCH):
        for i in range(TARGET):
            alone = score(queries[b : b + 1, i : i + 1], keys[b : b + 1])
            close(alone[0, 0], together[b, i])


@pytest.mark.parametrize("name", sorted(SCORES.keys() - {"location"}))
def test_permuted_keys_permute_the_scores(name):
    score, queries, keys = made(name)
    order = torch.tensor([3, 0, 4, 1, 2])
    close(score(queries, keys[:, order]), score(queries, keys)[..., order])


@every_score
def test_permuted_queries_permute_the_rows(name):
    score, queries, keys = made(name)
    order = torch.tensor([2, 0, 1])
    close(score(queries[:, order], keys), score(queries, keys)[:, order])


@every_score
def test_a_key_changes_its_own_column_and_no_other(name):
    score, queries, keys = made(name)
    changed = keys.clone()
    changed[:, 3] = draw(BATCH, keys.shape[-1], seed=9)
    moved = (score(queries, changed) - score(queries, keys)).abs().amax(dim=(0, 1)) > 1e-9
    assert moved.tolist() == [False, False, False, name != "location", False]


@every_score
def test_gradients_are_right(name):
    score, queries, keys = made(name)
    queries.requires_grad_()
    keys.requires_grad_()
    parameters = tuple(score.parameters())
    assert torch.autograd.gradcheck(
        lambda queries, keys, *_: score(queries, keys), (queries, keys, *parameters)
    )


def a_layer(score, *, columns=None, rows=None):
    """The parameter of this shape: there is one, as all sizes are distinct primes."""
    shapes = {part.shape: part for part in score.parameters()}
    found = [
        part
        for shape, part in shapes.items()
        if (columns is None or shape[-1] == columns) and (rows is None or shape[0] == rows)
    ]
    assert len(found) == 1
    return found[0].detach().numpy()


def test_additive_number_by_number():
    score, queries, keys = made("additive")
    W, U, v = a_layer(score, columns=QUERY), a_layer(score, columns=KEY), a_layer(score, rows=1)[0]
    scores = score(queries, keys)
    for b, i, j in np.ndindex(BATCH, TARGET, SOURCE):
        inside = W @ queries[b, i].numpy() + U @ keys[b, j].numpy()
        assert scores[b, i, j].item() == pytest.approx(v @ np.tanh(inside))


def test_concat_is_additive_with_one_matrix_for_both():
    additive, concat = AdditiveScore(QUERY, KEY, HIDDEN), ConcatScore(QUERY, KEY, HIDDEN)
    with torch.no_grad():
        W, U = a_layer(additive, columns=QUERY), a_layer(additive, columns=KEY)
        for part in concat.parameters():
            if part.shape == (HIDDEN, QUERY + KEY):
                part.copy_(torch.from_numpy(np.concatenate([W, U], axis=1)))
            else:
                part.copy_(torch.from_numpy(a_layer(additive, rows=1)).view_as(part))
    queries, keys = draw(BATCH, TARGET, QUERY).float(), draw(BATCH, SOURCE, KEY).float()
    close(additive(queries, keys), concat(queries, keys))


def test_stacked_weights_do_not_depend_on_the_query():
    score, queries, keys = made("stacked")
    scores = score(queries, keys)
    assert (scores[:, 0] - scores[:, 1]).abs().max() > 1e-3, "the scores do differ"
    weights = attention_weights(scores)
    close(weights, weights[:, :1].expand_as(weights))
    other = attention_weights(StackedScore(QUERY, KEY, HIDDEN).double()(queries, keys))
    assert (weights - other).abs().max() > 1e-3, "but on the parameters they do"


@pytest.mark.parametrize("name", sorted(SCORES.keys() - {"stacked"}))
def test_all_other_weights_do(name):
    score, queries, keys = made(name)
    weights = attention_weights(score(queries, keys))
    assert (weights[:, 0] - weights[:, 1]).abs().max() > 1e-3


def test_general_number_by_number():
    score, queries, keys = made("general")
    (W,) = (part.detach().numpy() for part in score.parameters())
    W = W if W.shape == (QUERY, KEY) else W.T
    for b, i, j in np.ndindex(BATCH, TARGET, SOURCE):
        expected = queries[b, i].numpy() @ W @ keys[b, j].numpy()
        assert score(queries, keys)[b, i, j].item() == pytest.approx(expected)


def test_the_products_against_numpy():
    _, queries, keys = made("dot")
    products = np.einsum("biq,bjq->bij", queries.numpy(), keys.numpy())
    close(SCORES["dot"]()(queries, keys), torch.from_numpy(products))
    close(SCORES["scaled_dot"]()(queries, keys), torch.from_numpy(products / QUERY**0.5))
    cosine = F.cosine_similarity(queries.unsqueeze(2), keys.unsqueeze(1), dim=-1)
    close(SCORES["cosine"]()(queries, keys), cosine)


def test_nothing_is_learnt_in_the_products():
    for name in ("dot", "scaled_dot", "cosine"):
        assert not list(made(name)[0].parameters())


@every_score
def test_no_equation_has_a_bias(name):
    assert all(part.dim() == 2 for part in made(name)[0].parameters())


@quickly
@given(seeds, st.floats(1e-3, 1e3))
def test_cosine_knows_no_length_and_stays_within_one(seed, length):
    score = SCORES["cosine"]()
    queries, keys = draw(1, 2, QUERY, seed=seed), draw(1, 3, QUERY, seed=seed + 1)
    close(score(length * queries, keys), score(queries, keys))
    assert score(queries, keys).abs().max() <= 1 + 1e-9


def test_cosine_of_nothing_is_not_nan():
    score, queries, keys = made("cosine")
    assert score(0 * queries, keys).isfinite().all()


@pytest.mark.parametrize("name", ["queries", "keys"])
def test_cosine_of_a_length_beyond_all_numbers_is_refused(name):
    score, queries, keys = made("cosine")
    given = {"queries": queries, "keys": keys}
    given[name] = 1e200 * given[name]
    with pytest.raises(ValueError, match=f"the lengths of the {name} must be finite"):
        score(**given)


def test_location_reads_no_keys_but_their_number():
    score, queries, keys = made("location")
    close(score(queries, keys), score(queries, draw(BATCH, SOURCE, KEY, seed=8)))
    longer = score(queries, draw(BATCH, 2 * SOURCE, KEY, seed=8))
    close(longer[..., :SOURCE], score(queries, keys))
    with pytest.raises(ValueError, match=r"source has 11 positions, but .* made for max_source=10"):
        score(queries, draw(BATCH, 2 * SOURCE + 1, KEY))


# ---- weights


@both_weightings
@quickly
@given(seed=seeds, scale=st.floats(1e-3, 30))
def test_every_row_is_a_distribution_over_what_may_be_read(weigh, seed, scale):
    mask = a_mask(seed % 1000)
    weights = weigh(draw(BATCH, TARGET, SOURCE, seed=seed, scale=scale), mask)
    close(weights.sum(dim=-1), torch.ones(BATCH, TARGET, dtype=torch.float64))
    assert (weights >= 0).all()
    assert (weights[~mask] == 0).all()


def test_softmax_against_numpy_and_torch():
    scores, mask = draw(BATCH, TARGET, SOURCE), a_mask()
    close(attention_weights(scores), F.softmax(scores, dim=-1))
    powers = np.exp(scores.numpy()) * mask.numpy()
    close(attention_weights(scores, mask), torch.from_numpy(powers / powers.sum(-1, keepdims=True)))


@both_weightings
def test_hidden_scores_do_not_matter(weigh):
    scores, mask = draw(BATCH, TARGET, SOURCE), a_mask()
    for other in (1e6, -1e6, 0.0):
        close(weigh(scores.masked_fill(~mask, other), mask), weigh(scores, mask), rtol=0, atol=0)


@both_weightings
def test_hidden_is_as_good_as_absent(weigh):
    scores = draw(BATCH, TARGET, SOURCE)
    mask = padding(torch.tensor([3, 3]), SOURCE)
    close(weigh(scores, mask)[..., :3], weigh(scores[..., :3]))


@both_weightings
@quickly
@given(seed=seeds, constant=st.floats(-1e3, 1e3))
def test_a_constant_on_a_row_changes_nothing(weigh, seed, constant):
    scores = draw(BATCH, TARGET, SOURCE, seed=seed)
    close(weigh(scores + constant), weigh(scores), rtol=1e-8, atol=1e-10)


@both_weightings
def test_permuted_scores_permute_the_weights(weigh):
    scores, mask, order = draw(BATCH, TARGET, SOURCE), a_mask(), torch.tensor([4, 2, 0, 1, 3])
    close(weigh(scores[..., order], mask[..., order]), weigh(scores, mask)[..., order])


@both_weightings
def test_a_row_is_weighed_alone_as_in_company(weigh):
    scores, mask = draw(BATCH, TARGET, SOURCE), a_mask()
    for b, i in np.ndindex(BATCH, TARGET):
        alone = weigh(scores[b : b + 1, i : i + 1], mask[b : b + 1, i : i + 1])
        close(alone[0, 0], weigh(scores, mask)[b, i])


@both_weightings
def test_the_size_of_one_row_takes_nothing_from_the_precision_of_another(weigh):
    small = draw(1, 1, SOURCE)
    huge = torch.full((1, 1, SOURCE), 1e30, dtype=torch.float64)
    together = weigh(torch.cat([huge, small], dim=1))
    close(together[:, 1:], weigh(small))


@both_weightings
@pytest.mark.parametrize("size", [1e4, 1e30])
def test_huge_scores_are_survived(weigh, size):
    scores = torch.tensor([[[size, 0.0, -size]]])
    close(weigh(scores), torch.tensor([[[1.0, 0.0, 0.0]]]))
    close(weigh(scores.double() * 0 + size), torch.full((1, 1, 3), 1 / 3, dtype=torch.float64))


@both_weightings
def test_a_single_position_gets_everything(weigh):
    close(weigh(draw(BATCH, TARGET, 1)), torch.ones(BATCH, TARGET, 1, dtype=torch.float64))


def test_temperature_is_division():
    scores = draw(BATCH, TARGET, SOURCE)
    for temperature in (0.3, 1.0, 7.0):
        weights = attention_weights(scores, temperature=temperature)
        close(weights, F.softmax(scores / temperature, dim=-1))


def test_cold_is_hard_and_hot_is_uniform():
    scores, mask = draw(BATCH, TARGET, SOURCE), a_mask()
    best = scores.masked_fill(~mask, -math.inf).argmax(-1)
    close(attention_weights(scores, mask, 1e-4), F.one_hot(best, SOURCE).double())
    close(attention_weights(scores, mask, 1e8), mask / mask.sum(-1, keepdim=True).double())


@quickly
@given(seeds, st.floats(0.05, 20), st.floats(1.01, 10))
def test_hotter_is_more_spread_out(seed, temperature, factor):
    scores = draw(1, TARGET, SOURCE, seed=seed)
    cold = entropy(attention_weights(scores, None, temperature))
    hot = entropy(attention_weights(scores, None, temperature * factor))
    assert (hot >= cold - 1e-9).all()


@both_weightings
def test_a_row_with_nothing_to_read_is_named(weigh):
    mask = a_mask()
    mask[1, 2] = False
    with pytest.raises(ValueError, match=r"batch 1.*target 2|\(1, 2\)"):
        weigh(draw(BATCH, TARGET, SOURCE), mask)


@both_weightings
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_scores_that_are_no_numbers_are_refused(weigh, bad):
    scores = draw(BATCH, TARGET, SOURCE)
    scores[1, 0, 2] = bad
    with pytest.raises(ValueError, match="NaN"):
        weigh(scores)


@both_weightings
@pytest.mark.parametrize("shape", [(SOURCE + 1,), (TARGET + 1, SOURCE), (1, BATCH, TARGET, SOURCE)])
def test_a_mask_of_another_shape_is_refused(weigh, shape):
    with pytest.raises(BAD_INPUT):
        weigh(draw(BATCH, TARGET, SOURCE), torch.ones(shape, dtype=torch.bool))


@both_weightings
def test_gradients_of_weights_are_right(weigh):
    # away from the corners of sparsemax, where there is no derivative
    scores = draw(BATCH, TARGET, SOURCE, seed=4, scale=0.7).requires_grad_()
    mask = a_mask()
    assert torch.autograd.gradcheck(lambda scores: weigh(scores, mask), (scores,))
    assert torch.autograd.gradcheck(weigh, (scores,))


def test_gradients_with_a_mask_are_never_nan():
    scores = draw(BATCH, TARGET, SOURCE).requires_grad_()
    mask = a_mask()
    (attention_weights(scores, mask) ** 2).sum().backward()
    assert scores.grad.isfinite().all()
    assert (scores.grad[~mask] == 0).all()


def projected(scores):
    """The nearest distribution, found by halving: move all scores down until one is left over."""
    low, high = scores.min() - 1, scores.max()
    for _ in range(200):
        middle = (low + high) / 2
        if np.maximum(scores - middle, 0).sum() > 1:
            low = middle
        else:
            high = middle
    return np.maximum(scores - high, 0)


@quickly
@given(seeds, st.floats(0.01, 20), st.integers(1, 9))
def test_sparsemax_is_the_nearest_distribution(seed, scale, source):
    scores = draw(1, 1, source, seed=seed, scale=scale)
    close(sparsemax(scores)[0, 0], torch.from_numpy(projected(scores[0, 0].numpy())))


def test_sparsemax_leaves_the_losers_nothing_and_softmax_something():
    scores = torch.tensor([[[12.0, -1.0, 0.4, 5.0, 2.0]]])
    assert sparsemax(scores).tolist() == [[[1.0, 0.0, 0.0, 0.0, 0.0]]]
    assert (attention_weights(scores) > 0).all()


@both_weightings
def test_the_inputs_stay_as_they_were(weigh):
    scores, mask = draw(BATCH, TARGET, SOURCE), a_mask()
    before = scores.clone(), mask.clone()
    weigh(scores, mask)
    assert torch.equal(scores, before[0])
    assert torch.equal(mask, before[1])


# ---- entropy


@quickly
@given(seeds, st.floats(0.01, 100))
def test_entropy_lies_between_none_and_all(seed, scale):
    weights = attention_weights(draw(BATCH, TARGET, SOURCE, seed=seed, scale=scale))
    spread = entropy(weights)
    assert spread.shape == (BATCH, TARGET)
    assert (spread >= 0).all()
    assert (spread <= math.log(SOURCE) + 1e-9).all()
    probabilities = weights.numpy()
    expected = -(probabilities * np.log(np.maximum(probabilities, 1e-300))).sum(-1)
    close(spread, torch.from_numpy(expected))


def test_entropy_at_both_ends():
    assert entropy(torch.eye(SOURCE)).tolist() == [0.0] * SOURCE
    uniform = torch.full((1, 1, SOURCE), 1 / SOURCE, dtype=torch.float64)
    assert entropy(uniform).item() == pytest.approx(math.log(SOURCE))


# ---- masks


@quickly
@given(st.lists(st.integers(0, SOURCE), min_size=1, max_size=4))
def test_padding_hides_what_is_beyond_each_length(lengths):
    mask = padding(torch.tensor(lengths), SOURCE)
    assert mask.dtype == torch.bool
    assert mask.shape == (len(lengths), 1, SOURCE)
    assert mask.sum(dim=-1).flatten().tolist() == lengths
    for b, j in np.ndindex(len(lengths), SOURCE):
        assert mask[b, 0, j].item() == (j < lengths[b])


def test_causal_reads_itself_and_what_came_before():
    mask = causal(SOURCE)
    assert mask.dtype == torch.bool
    assert torch.equal(mask, torch.from_numpy(np.tri(SOURCE, dtype=bool)))


@quickly
@given(seeds, st.floats(0, 4))
def test_local_window_is_within_its_half_width(seed, half_width):
    generator = torch.Generator().manual_seed(seed)
    centres = torch.rand(BATCH, TARGET, generator=generator) * SOURCE
    mask = local_window(centres, SOURCE, half_width)
    assert mask.dtype == torch.bool
    for b, i, j in np.ndindex(BATCH, TARGET, SOURCE):
        assert mask[b, i, j].item() == (abs(j - centres[b, i].item()) <= half_width)


def test_local_window_counts_its_edge():
    mask = local_window(torch.tensor([[2]]), SOURCE, 1.0)
    assert mask.flatten().tolist() == [False, True, True, True, False]


def test_masks_are_ready_to_be_readable():
    scores = draw(BATCH, TARGET, SOURCE)
    attention_weights(scores, padding(torch.tensor([5, 1]), SOURCE))
    attention_weights(draw(BATCH, SOURCE, SOURCE), causal(SOURCE))
    near = local_window(torch.ones(BATCH, TARGET), SOURCE, 2.0)
    attention_weights(scores, near & padding(torch.tensor([5, 2]), SOURCE))


def test_whole_numbers_do_where_fractions_would():
    window = local_window(torch.ones(BATCH, TARGET), SOURCE, 2)
    assert torch.equal(window, local_window(torch.ones(BATCH, TARGET), SOURCE, 2.0))
    scores = draw(BATCH, TARGET, SOURCE)
    close(attention_weights(scores, temperature=2), attention_weights(scores, temperature=2.0))


def test_a_mask_stands_where_its_numbers_do(device):
    assert padding(torch.tensor([2, 3], device=device), SOURCE).device.type == device.type
    centres = torch.ones(BATCH, TARGET, device=device)
    assert local_window(centres, SOURCE, 1.0).device.type == device.type


def test_one_position_is_enough():
    assert padding(torch.tensor([1, 0]), 1).flatten().tolist() == [True, False]
    assert causal(1).tolist() == [[True]]
    assert local_window(torch.tensor([[0.0, 2.0]]), 1, 0).flatten().tolist() == [True, False]


# ---- contexts


def test_context_number_by_number():
    weights, annotations = draw(BATCH, TARGET, SOURCE), draw(BATCH, SOURCE, VALUE, seed=1)
    context = context_vectors(weights, annotations)
    assert context.shape == (BATCH, TARGET, VALUE)
    for b, i in np.ndindex(BATCH, TARGET):
        expected = sum(weights[b, i, j] * annotations[b, j] for j in range(SOURCE))
        close(context[b, i], expected)


@quickly
@given(seeds)
def test_a_context_cannot_leave_the_hull(seed):
    weights = attention_weights(draw(BATCH, TARGET, SOURCE, seed=seed, scale=3))
    annotations = draw(BATCH, SOURCE, VALUE, seed=seed + 1)
    context = context_vectors(weights, annotations)
    # in every direction, no farther than the farthest annotation
    directions = draw(VALUE, 19, seed=seed + 2)
    reach = (annotations @ directions).amax(dim=1, keepdim=True)
    assert (context @ directions <= reach + 1e-9).all()


def test_hard_weights_hand_on_one_annotation():
    annotations = draw(BATCH, SOURCE, VALUE)
    weights = torch.eye(SOURCE, dtype=torch.float64)[[4, 0, 2]].expand(BATCH, -1, -1)
    close(context_vectors(weights, annotations), annotations[:, [4, 0, 2]])


# ---- all of it


@pytest.mark.parametrize("masked", [False, True])
def test_attend_against_torchs_own_attention(masked):
    queries, keys = draw(BATCH, TARGET, QUERY), draw(BATCH, SOURCE, QUERY, seed=1)
    values, mask = draw(BATCH, SOURCE, VALUE, seed=2), a_mask() if masked else None
    context, _ = attend(queries, keys, values, SCORES["scaled_dot"](), mask)
    close(context, F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask))


@every_score
def test_attend_is_score_weigh_average(name):
    score, queries, keys = made(name)
    values, mask = draw(BATCH, SOURCE, VALUE, seed=5), a_mask()
    context, weights = attend(queries, keys, values, score, mask)
    close(weights, F.softmax(score(queries, keys).masked_fill(~mask, -math.inf), dim=-1))
    close(context, torch.einsum("bij,bjv->biv", weights, values))


@pytest.mark.parametrize("name", sorted(SCORES.keys() - {"location"}))
def test_the_order_of_the_source_does_not_matter(name):
    score, queries, keys = made(name)
    values, mask, order = draw(BATCH, SOURCE, VALUE), a_mask(), torch.tensor([1, 4, 0, 3, 2])
    one, _ = attend(queries, keys, values, score, mask)
    two, _ = attend(queries, keys[:, order], values[:, order], score, mask[..., order])
    close(one, two)


@every_score
def test_what_stands_in_the_padding_changes_nothing(name):
    score, queries, keys = made(name)
    values, mask = draw(BATCH, SOURCE, VALUE), padding(torch.tensor([5, 2]), SOURCE)
    before, _ = attend(queries, keys, values, score, mask)
    keys, values = keys.clone(), values.clone()
    keys[1, 2:], values[1, 2:] = 100.0, -100.0
    after, _ = attend(queries, keys, values, score, mask)
    close(after, before, rtol=0, atol=1e-12)


@every_score
def test_gradients_reach_all_that_was_read_and_nothing_hidden(name):
    score, queries, keys = made(name)
    keys.requires_grad_()
    values = draw(BATCH, SOURCE, VALUE).requires_grad_()
    context, _ = attend(queries, keys, values, score, padding(torch.tensor([5, 2]), SOURCE))
    context.square().sum().backward()
    read = values.grad.abs().sum(dim=-1) > 0
    assert read.tolist() == [[True] * 5, [True, True, False, False, False]]
    if name != "location":
        assert (keys.grad[1, 2:] == 0).all()
        assert (keys.grad[1, :2].abs().sum(dim=-1) > 0).all()


def test_weights_are_handed_back_and_not_kept():
    score, queries, keys = made("additive")
    before = set(vars(score))
    attend(queries, keys, keys, score)
    assert set(vars(score)) == before
    assert not [name for name, part in vars(score).items() if isinstance(part, torch.Tensor)]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
@every_score
def test_a_gpu_gives_the_same(name):
    score, queries, keys = made(name)
    here, _ = attend(queries, keys, keys, score, a_mask())
    there, _ = attend(queries.cuda(), keys.cuda(), keys.cuda(), score.cuda(), a_mask().cuda())
    close(there.cpu(), here)
