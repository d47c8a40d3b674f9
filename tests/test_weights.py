"""From scores to weights, and their derivatives: compared with NumPy, autograd and differences."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_course.weights import (
    attention_weights,
    effective_positions,
    entropy,
    hard_choice,
    softmax_jacobian,
    sparsemax,
    sparsemax_jacobian,
)

BATCH, TARGET, SOURCE = 2, 3, 5
quickly = settings(max_examples=25, deadline=None)
seeds, scales = st.integers(0, 2**31 - 1), st.floats(1e-3, 30)
close = torch.testing.assert_close


def draw(*shape, seed=0, scale=1.0):
    generator = torch.Generator().manual_seed(seed)
    return scale * torch.randn(*shape, generator=generator, dtype=torch.float64)


def a_mask(seed=3, source=SOURCE):
    mask = draw(BATCH, TARGET, source, seed=seed) > 0
    mask[..., seed % source] = True
    return mask


# ---- each row by itself


def exponentials(scores):
    powers = np.exp(scores)
    return powers / powers.sum()


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


def all_to_the_first_of_the_best(scores):
    return np.arange(len(scores)) == scores.argmax()


WAYS = {
    attention_weights: exponentials,
    sparsemax: projected,
    hard_choice: all_to_the_first_of_the_best,
}
every_way = pytest.mark.parametrize("weigh", WAYS)


@every_way
@quickly
@given(seed=seeds, scale=scales, constant=st.floats(-1e3, 1e3), source=st.integers(1, 9))
def test_weights_are_those_of_each_row_and_of_what_may_be_read(
    weigh, seed, scale, constant, source
):
    scores, mask = draw(BATCH, TARGET, source, seed=seed, scale=scale), a_mask(seed + 1, source)
    before = scores.clone(), mask.clone()
    for readable in (mask, None):
        weights = weigh(scores + constant, readable)  # which changes no weight
        for b, i in np.ndindex(BATCH, TARGET):
            may = mask[b, i].numpy() if readable is not None else np.ones(source, bool)
            expected = np.zeros(source)
            expected[may] = WAYS[weigh](scores[b, i].numpy()[may])
            close(weights[b, i], torch.from_numpy(expected), rtol=1e-8, atol=1e-9)
            assert not weights[b, i][~may].any()
    close((scores, mask), before, rtol=0, atol=0)


@quickly
@given(seed=seeds, temperature=st.floats(0.05, 20))
def test_a_temperature_divides_the_scores(seed, temperature):
    scores, mask = draw(BATCH, TARGET, SOURCE, seed=seed), a_mask(seed)
    tempered = attention_weights(scores, mask, temperature)
    close(tempered, attention_weights(scores / temperature, mask))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_scores_and_temperatures_at_the_ends_of_what_a_float_can_be(dtype):
    scores = torch.tensor([[3.0, 1.0, 3.0, -torch.inf]], dtype=dtype)
    for tiny in (1e-30, 1e-320, 5e-324):
        assert attention_weights(scores, temperature=tiny).tolist() == [[0.5, 0, 0.5, 0]]
    for huge in (1e40, 1e308, math.inf):
        even = attention_weights(scores, temperature=huge)
        close(even, torch.tensor([[1, 1, 1, 0]], dtype=dtype) / 3)
    most = torch.finfo(dtype).max
    scores = torch.tensor([[most, -most, most], [-most, -most, 0]], dtype=dtype)
    expected = [[0.5, 0, 0.5], [0, 0, 1]]
    for temperature in (0.1, 1.0, 7.0):
        assert attention_weights(scores, temperature=temperature).tolist() == expected
    assert sparsemax(scores).tolist() == expected


def test_rows_of_any_size_keep_their_precision_at_any_temperature():
    scores = torch.tensor([[3e38, 0.0, 2e38], [0.0, 1.0, 0.5], [-3e38, -3e38, -2e38]])
    behind = scores.double() - scores.double().amax(dim=-1, keepdim=True)
    for temperature in (0.5, 3.0):
        powers = (behind / temperature).exp()
        expected = (powers / powers.sum(dim=-1, keepdim=True)).float()
        close(attention_weights(scores, temperature=temperature), expected)
    close(sparsemax(scores)[1], sparsemax(scores[1]))


@pytest.mark.parametrize("weigh", [attention_weights, sparsemax])
def test_gradients_are_right_and_hidden_scores_have_none(weigh):
    # away from the corners of sparsemax, where there is no derivative
    scores, mask = draw(BATCH, TARGET, SOURCE, seed=4, scale=0.7).requires_grad_(), a_mask()
    assert torch.autograd.gradcheck(lambda scores: weigh(scores, mask), (scores,))
    assert torch.autograd.gradcheck(weigh, (scores,))
    (weigh(scores, mask) ** 2).sum().backward()
    assert not scores.grad[~mask].any()


def test_the_gradient_at_a_temperature_is_that_of_the_quotient():
    scores, upstream = draw(TARGET, SOURCE).requires_grad_(), draw(TARGET, SOURCE, seed=1)
    ways = (attention_weights(scores, temperature=0.3), (scores / 0.3).softmax(-1))
    close(*(torch.autograd.grad((weights * upstream).sum(), scores)[0] for weights in ways))


def test_a_hard_choice_has_no_gradient_and_the_first_of_equal_scores_wins():
    assert not hard_choice(draw(SOURCE).requires_grad_()).requires_grad
    assert hard_choice(torch.tensor([0.0, 2.0, 2.0])).tolist() == [0, 1, 0]


# ---- what may be weighed


@every_way
@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("size", [SOURCE, 7 * SOURCE])
def test_a_bad_score_is_named_even_where_it_is_hidden(weigh, bad, size):
    scores, readable = draw(BATCH, TARGET, size), torch.ones(BATCH, 1, size, dtype=torch.bool)
    readable[1, 0, 3], scores[1, 2, 3] = False, bad
    words = r"scores must not be NaN or \+∞; row \(batch 1, target 2\) has one"
    for arguments in ((scores,), (scores, readable)):
        with pytest.raises(ValueError, match=words):
            weigh(*arguments)


@every_way
def test_a_row_with_nothing_to_read_is_named(weigh):
    mask = a_mask()
    mask[1, 2] = False
    with pytest.raises(ValueError, match=r"row \(batch 1, target 2\) has nothing to read"):
        weigh(draw(BATCH, TARGET, SOURCE), mask)
    with pytest.raises(ValueError, match="the only row has nothing to read:"):
        weigh(torch.zeros(SOURCE), torch.zeros(SOURCE, dtype=torch.bool))


# ---- how weights answer to scores

with_jacobian = pytest.mark.parametrize(
    ("weigh", "jacobian"),
    [(attention_weights, softmax_jacobian), (sparsemax, sparsemax_jacobian)],
)


@with_jacobian
@quickly
@given(seed=seeds, scale=st.floats(0.05, 3))
def test_jacobians_are_those_of_autograd_row_by_row(weigh, jacobian, seed, scale):
    scores = draw(BATCH, TARGET, SOURCE, seed=seed, scale=scale)
    result = jacobian(weigh(scores))
    for b, i in np.ndindex(BATCH, TARGET):
        expected = torch.autograd.functional.jacobian(weigh, scores[b, i])
        close(result[b, i], expected, rtol=1e-9, atol=1e-12)


@with_jacobian
def test_a_winner_that_has_everything_and_who_is_hidden_answer_to_nothing(weigh, jacobian):
    assert not jacobian(torch.eye(SOURCE)).any()
    readable = torch.tensor([True, False, True, True, False])
    answers = jacobian(weigh(draw(SOURCE), readable))
    assert not answers[~readable].any()
    assert not answers[:, ~readable].any()


# ---- how many positions


@quickly
@given(seeds, st.floats(0.01, 100))
def test_entropy_and_the_number_of_positions_are_shannons(seed, scale):
    weights = attention_weights(draw(BATCH, TARGET, SOURCE, seed=seed, scale=scale))
    shares = weights.numpy()
    expected = torch.from_numpy(-(shares * np.log(np.maximum(shares, 1e-300))).sum(-1))
    close(entropy(weights), expected)
    close(effective_positions(weights), expected.exp())
    assert effective_positions(torch.eye(SOURCE)).tolist() == [1.0] * SOURCE


@pytest.mark.parametrize("of", [softmax_jacobian, sparsemax_jacobian, effective_positions])
def test_only_weights_are_taken(of):
    for bad in ([-0.5, 1.5], [math.nan, 1.0], [math.inf, 0.0]):
        with pytest.raises(ValueError, match="negative, infinite or NaN"):
            of(torch.tensor(bad))
