"""From scores to weights, and their derivatives: compared with loops, autograd and differences.

The softmax and sparsemax themselves are tried in `test_equations_oracle`.
"""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_course import _check
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
seeds = st.integers(0, 2**31 - 1)
with_jacobian = pytest.mark.parametrize(
    ("weigh", "jacobian"),
    [(attention_weights, softmax_jacobian), (sparsemax, sparsemax_jacobian)],
)
close = torch.testing.assert_close


def draw(*shape, seed=0, scale=1.0):
    generator = torch.Generator().manual_seed(seed)
    return scale * torch.randn(*shape, generator=generator, dtype=torch.float64)


# ---- how weights answer to scores


@with_jacobian
@quickly
@given(seed=seeds, scale=st.floats(0.05, 3))
def test_jacobian_is_that_of_autograd(weigh, jacobian, seed, scale):
    scores = draw(SOURCE, seed=seed, scale=scale)
    expected = torch.autograd.functional.jacobian(weigh, scores)
    close(jacobian(weigh(scores)), expected, rtol=1e-9, atol=1e-12)


@with_jacobian
def test_jacobian_is_what_differences_say(weigh, jacobian):
    scores, step = draw(SOURCE, seed=4, scale=0.7), 1e-6
    for k in range(SOURCE):
        moved = torch.zeros(SOURCE, dtype=torch.float64)
        moved[k] = step
        slope = (weigh(scores + moved) - weigh(scores - moved)) / (2 * step)
        close(jacobian(weigh(scores))[:, k], slope, rtol=1e-6, atol=1e-8)


@with_jacobian
@quickly
@given(seed=seeds, scale=st.floats(0.05, 30))
def test_what_one_gains_the_others_lose(weigh, jacobian, seed, scale):
    answers = jacobian(weigh(draw(BATCH, TARGET, SOURCE, seed=seed, scale=scale)))
    assert answers.shape == (BATCH, TARGET, SOURCE, SOURCE)
    close(answers, answers.mT)
    close(answers.sum(dim=-1), torch.zeros(BATCH, TARGET, SOURCE, dtype=torch.float64))


@with_jacobian
def test_rows_of_a_batch_do_not_mix(weigh, jacobian):
    weights = weigh(draw(BATCH, TARGET, SOURCE))
    for b in range(BATCH):
        for i in range(TARGET):
            close(jacobian(weights)[b, i], jacobian(weights[b, i]))


@with_jacobian
def test_hidden_positions_answer_to_nothing(weigh, jacobian):
    readable = torch.tensor([True, False, True, True, False])
    answers = jacobian(weigh(draw(SOURCE), readable))
    assert (answers[~readable] == 0).all()
    assert (answers[:, ~readable] == 0).all()


@with_jacobian
def test_a_winner_that_has_everything_answers_to_nothing(weigh, jacobian):
    assert not jacobian(torch.eye(SOURCE)).any()


@pytest.mark.parametrize("of", [softmax_jacobian, sparsemax_jacobian, effective_positions])
def test_only_weights_are_taken(of):
    for bad in ([-0.5, 1.5], [math.nan, 1.0], [math.inf, 0.0]):
        with pytest.raises(ValueError, match="negative, infinite or NaN"):
            of(torch.tensor(bad))


# ---- hard choice


@quickly
@given(seeds, st.floats(0.01, 100))
def test_the_best_readable_position_gets_everything(seed, scale):
    scores = draw(BATCH, TARGET, SOURCE, seed=seed, scale=scale)
    readable = draw(BATCH, TARGET, SOURCE, seed=seed + 1) > 0
    readable[..., seed % SOURCE] = True
    weights = hard_choice(scores, readable)
    assert weights.dtype == scores.dtype
    for e, may, alpha in zip(
        scores.flatten(0, 1), readable.flatten(0, 1), weights.flatten(0, 1), strict=True
    ):
        best = max((j for j in range(SOURCE) if may[j]), key=lambda j, e=e: e[j].item())
        assert alpha.tolist() == [float(j == best) for j in range(SOURCE)]


def test_hard_choice_is_the_cold_limit():
    scores = draw(BATCH, TARGET, SOURCE)
    close(hard_choice(scores), attention_weights(scores, temperature=1e-4))


def test_of_equal_scores_the_first_wins():
    assert hard_choice(torch.tensor([0.0, 2.0, 2.0])).tolist() == [0, 1, 0]


def test_hard_choice_has_no_gradient():
    scores = draw(SOURCE).requires_grad_()
    assert not hard_choice(scores).requires_grad
    with torch.no_grad():
        close(hard_choice(scores + 1e-6 * draw(SOURCE, seed=1)), hard_choice(scores))


def test_hard_choice_refuses_what_the_others_refuse():
    with pytest.raises(ValueError, match="has nothing to read"):
        hard_choice(draw(SOURCE), torch.zeros(SOURCE, dtype=torch.bool))
    with pytest.raises(ValueError, match="NaN"):
        hard_choice(torch.tensor([0.0, math.nan]))


# ---- what may be weighed


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("size", [SOURCE, 7 * SOURCE])
def test_a_bad_score_is_named_even_where_it_is_hidden(bad, size):
    scores, readable = draw(BATCH, TARGET, size), torch.ones(BATCH, 1, size, dtype=torch.bool)
    readable[1, 0, 3], scores[1, 2, 3] = False, bad
    words = r"scores must not be NaN or \+∞; row \(batch 1, target 2\) has one"
    for arguments in ((scores,), (scores, readable)):
        with pytest.raises(ValueError, match=words):
            attention_weights(*arguments)


def test_good_scores_pass_whatever_their_sum_is():
    most = torch.finfo(torch.float64).max
    scores = torch.tensor([[most, most, 0.0], [-math.inf, 0.0, -math.inf]], dtype=torch.float64)
    assert attention_weights(scores).tolist() == [[0.5, 0.5, 0], [0, 1, 0]]


def test_what_is_wrong_is_looked_for_only_where_something_is(monkeypatch):
    looked = []
    monkeypatch.setattr(_check, "expect_something_to_read", lambda *given: looked.append(given))
    attention_weights(draw(BATCH, TARGET, SOURCE), draw(BATCH, 1, SOURCE) < math.inf)
    assert not looked
    attention_weights(draw(SOURCE), torch.zeros(SOURCE, dtype=torch.bool))
    assert looked


# ---- how many positions


@quickly
@given(st.integers(1, SOURCE))
def test_positions_that_share_alike_are_counted(count):
    weights = torch.zeros(SOURCE, dtype=torch.float64)
    weights[:count] = 1 / count
    assert effective_positions(weights).item() == pytest.approx(count)


@quickly
@given(seeds, st.floats(0.01, 30))
def test_effective_positions_lie_between_one_and_all(seed, scale):
    weights = attention_weights(draw(BATCH, TARGET, SOURCE, seed=seed, scale=scale))
    count = effective_positions(weights)
    assert count.shape == (BATCH, TARGET)
    assert ((count >= 1 - 1e-12) & (count <= SOURCE + 1e-9)).all()
    close(count.log(), entropy(weights))


def test_rows_of_any_size_keep_their_precision_at_any_temperature():
    scores = torch.tensor([[3e38, 0.0, 2e38], [0.0, 1.0, 0.5], [-3e38, -3e38, -2e38]])
    behind = scores.double() - scores.double().amax(dim=-1, keepdim=True)
    for temperature in (0.5, 3.0):
        powers = (behind / temperature).exp()
        expected = (powers / powers.sum(dim=-1, keepdim=True)).float()
        torch.testing.assert_close(attention_weights(scores, temperature=temperature), expected)


def test_a_single_row_is_named_as_such():
    nothing = torch.zeros(SOURCE, dtype=torch.bool)
    with pytest.raises(ValueError, match="the only row has nothing to read:"):
        attention_weights(torch.zeros(SOURCE), nothing)
