"""Attention for less: block by block, with shared keys, and with a state of fixed size."""

import math

import numpy as np
import pytest
import torch
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

from attn_course.memory import (
    LinearMemory,
    linear_attention,
    memory_state,
    online_attention,
    positive_features,
    shared_attention,
)

BATCH, TARGET, SOURCE, KEY, VALUE = 2, 7, 23, 5, 3
SETTINGS = [("sum", 1.0, 1.0), ("sum", 0.9, 0.5), ("delta", 1.0, 1.0), ("delta", 0.8, 0.7)]


def random(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def unit(*shape):
    return F.normalize(random(*shape), dim=-1)


def sequence():
    return unit(BATCH, SOURCE, KEY), unit(BATCH, SOURCE, KEY), random(BATCH, SOURCE, VALUE)


def inputs(batch=BATCH, target=TARGET, source=SOURCE):
    """Queries, keys and values."""
    return random(batch, target, KEY), random(batch, source, KEY), random(batch, source, VALUE)


def assert_equal_to_the_whole(*parts, block):
    expected = F.scaled_dot_product_attention(*parts)
    torch.testing.assert_close(online_attention(*parts, block), expected, rtol=0, atol=1e-13)


class Largest(TorchDispatchMode):
    """Records the largest tensor that any operation makes."""

    entries = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for part in result if isinstance(result, tuple | list) else (result,):
            if isinstance(part, torch.Tensor) and not part._is_view():
                self.entries = max(self.entries, part.numel())
        return result


# ---- block by block


@pytest.mark.parametrize("block", [1, 3, 11, SOURCE, 100])
def test_online_attention_equals_the_whole(block):
    assert_equal_to_the_whole(*inputs(), block=block)


def test_online_attention_equals_the_whole_where_scores_are_huge_and_rise():
    queries = torch.full((1, 1, 1), 30.0, dtype=torch.float64)
    keys = torch.arange(-40.0, 41, 2, dtype=torch.float64)[None, :, None]
    for order in (keys, keys.flip(1)):
        assert_equal_to_the_whole(queries, order, random(1, keys.shape[1], VALUE), block=3)


def test_online_attention_never_has_more_than_target_times_block_scores():
    source, block = 509, 11
    queries, keys, values = inputs(1, source=source)
    with Largest() as largest:
        online_attention(queries, keys, values, block)
    assert largest.entries == TARGET * block
    with Largest() as largest:
        F.softmax(queries @ keys.mT, dim=-1) @ values
    assert largest.entries == TARGET * source


def test_gradients_pass_through_the_blocks_as_through_the_whole():
    parts = [part.requires_grad_() for part in inputs(1, 3, 7)]
    upstream = random(1, 3, VALUE)
    gradients, expected = (
        torch.autograd.grad((output * upstream).sum(), parts)
        for output in (online_attention(*parts, 2), F.scaled_dot_product_attention(*parts))
    )
    torch.testing.assert_close(gradients, expected)


# ---- shared keys and values


@pytest.mark.parametrize("groups", [1, 2, 6])
def test_shared_keys_and_values_equal_those_of_pytorch(groups):
    queries = random(BATCH, 6, TARGET, KEY)
    keys, values = random(BATCH, groups, SOURCE, KEY), random(BATCH, groups, SOURCE, VALUE)
    readable = torch.rand(TARGET, SOURCE) > 0.3
    expected = F.scaled_dot_product_attention(queries, keys, values, readable, enable_gqa=True)
    torch.testing.assert_close(shared_attention(queries, keys, values, readable), expected)


# ---- one matrix


def loop(queries, keys, values, rule, decay, strength):
    """One sequence, in NumPy, state by state."""
    state, read = np.zeros((values.shape[-1], keys.shape[-1])), []
    for t, (query, key, value) in enumerate(zip(queries, keys, values, strict=True)):
        faded = decay[t] * state
        new = value - faded @ key if rule == "delta" else value
        state = faded + strength[t] * np.outer(new, key)
        read.append(state @ query)
    return np.array(read), state


@pytest.mark.parametrize(("rule", "decay", "strength"), SETTINGS)
def test_all_at_once_equals_a_loop_and_the_memory_step_by_step(rule, decay, strength):
    queries, keys, values = sequence()
    output = linear_attention(queries, keys, values, rule, decay, strength)
    state = memory_state(keys, values, rule, decay, strength)
    memory = LinearMemory(KEY, VALUE, rule, decay, batch=BATCH, dtype=torch.float64)
    for t in range(SOURCE):
        memory.write(keys[:, t], values[:, t], strength)
        torch.testing.assert_close(memory.read(queries[:, t]), output[:, t], rtol=0, atol=1e-12)
    torch.testing.assert_close(memory.state, state, rtol=0, atol=1e-12)
    even = [np.full(SOURCE, number) for number in (decay, strength)]
    for one in range(BATCH):
        parts = [part[one].numpy() for part in (queries, keys, values)]
        expected, left = loop(*parts, rule, *even)
        np.testing.assert_allclose(output[one], expected, atol=1e-12)
        np.testing.assert_allclose(state[one], left, atol=1e-12)


@pytest.mark.parametrize("rule", ["sum", "delta"])
def test_decay_and_strength_may_differ_from_step_to_step(rule):
    queries, keys, values = sequence()
    decay, strength = (0.1 + 0.9 * torch.rand(BATCH, SOURCE, dtype=torch.float64) for _ in "ab")
    output = linear_attention(queries, keys, values, rule, decay, strength)
    for one in range(BATCH):
        parts = [part[one].numpy() for part in (queries, keys, values)]
        expected, _ = loop(*parts, rule, decay[one].numpy(), strength[one].numpy())
        np.testing.assert_allclose(output[one], expected, atol=1e-12)


def test_a_normalised_memory_reads_averages():
    queries, keys, values = sequence()
    queries, keys = positive_features(3 * queries), positive_features(3 * keys)
    output = linear_attention(queries, keys, values, "sum", 0.9, 0.5, normalised=True)
    weights = queries @ keys.mT
    distance = torch.arange(SOURCE)[:, None] - torch.arange(SOURCE)
    weights = weights * (0.9 ** distance.clamp(min=0)) * (distance >= 0)
    weights = weights / weights.sum(dim=-1, keepdim=True)
    torch.testing.assert_close(output, weights @ values)
    memory = LinearMemory(KEY, VALUE, "sum", 0.9, True, batch=BATCH, dtype=torch.float64)
    for t in range(SOURCE):
        memory.write(keys[:, t], values[:, t], 0.5)
        torch.testing.assert_close(memory.read(queries[:, t]), output[:, t])
    assert memory.numbers == KEY * VALUE + KEY


def test_positive_features_are_positive_and_grow():
    vectors = torch.linspace(-9, 9, 101, dtype=torch.float64)
    features = positive_features(vectors)
    assert (features > 0).all()
    assert (features.diff() > 0).all()
    torch.testing.assert_close(features, torch.where(vectors > 0, vectors + 1, vectors.exp()))


def test_the_state_does_not_grow_and_reading_does_not_change_it():
    memory = LinearMemory(KEY, VALUE, decay=0.9, batch=BATCH, dtype=torch.float64)
    for _ in range(3):
        earlier, as_it_was = memory.state, memory.state.clone()
        memory.write(unit(BATCH, KEY), random(BATCH, VALUE))
        assert torch.equal(earlier, as_it_was), "a state is never changed in place"
        before = memory.state.clone()
        memory.read(random(BATCH, KEY))
        assert torch.equal(memory.state, before)
        assert memory.numbers == KEY * VALUE


@pytest.mark.parametrize("rule", ["sum", "delta"])
def test_gradients_reach_everything_that_can_be_learnt(rule):
    parts = [unit(1, 5, KEY), unit(1, 5, KEY), random(1, 5, VALUE)]
    shares = [0.3 + 0.5 * torch.rand(1, 5, dtype=torch.float64) for _ in "ab"]
    learnt = [part.requires_grad_() for part in (*parts, *shares)]
    assert torch.autograd.gradcheck(
        lambda q, k, v, d, s: linear_attention(q, k, v, rule, d, s), learnt
    )


# ---- what is refused


INPUTS = torch.randn(2, 5, 3), torch.randn(2, 5, 3), torch.randn(2, 5, 7)
HEADS, POSITIVE = torch.randn(2, 3, 5, 7), torch.rand(2, 5, 3)
KEY_3, VALUE_7 = torch.randn(1, 3), torch.randn(1, 7)


def in_one_matrix(rule="sum", **changes):
    named = dict(zip(("queries", "keys", "values"), INPUTS, strict=True)) | {"rule": rule}
    return linear_attention(**named | changes)


def positive_memory():
    return LinearMemory(3, 7, normalised=True)


def nearly_infinite():
    memory = LinearMemory(3, 7)
    memory.write(torch.ones(1, 3), torch.full((1, 7), 1e38))
    return memory


def test_a_write_that_was_refused_has_changed_nothing():
    memory = positive_memory()
    with pytest.raises(ValueError, match="must be finite"):
        memory.write(torch.rand(1, 3), torch.full((1, 7), math.inf))
    assert not memory.state.any()


REFUSED = {
    online_attention: [((*INPUTS[:2], math.nan * INPUTS[2], 2), "the output must be finite")],
    in_one_matrix: [
        ({"values": math.nan * INPUTS[2]}, "the output must be finite"),
        ({"decay": torch.zeros(2, 5)}, "decay must be above 0 everywhere; got 0"),
        ({"decay": torch.full((2, 5), 1.5)}, r"decay must lie between 0 and 1; got 1\.5"),
        ({"strength": torch.full((2, 5), math.nan)}, "strength must lie between 0 and 1; got nan"),
        ({"strength": torch.full((2, 5), -0.5)}, r"strength must lie between 0 and 1; got -0\.5"),
        ({"rule": "delta", "normalised": True}, "only the rule 'sum' can be normalised"),
        ({"normalised": True, "keys": -POSITIVE, "queries": POSITIVE}, "positive"),
    ],
    LinearMemory: [
        ((3, 7, "delta", 1.0, True), "only the rule 'sum' can be normalised"),
        ({"key_size": 3, "value_size": 7, "dtype": torch.int64}, TypeError, "dtype must be float"),
    ],
    positive_memory().write: [
        ((KEY_3.double(), VALUE_7.double()), TypeError, "key must be like the state, float32 on"),
    ],
    positive_memory().read: [
        ((KEY_3.double(),), TypeError, "the query must be like the state, float32 on cpu"),
        ((KEY_3,), "write before you read"),
    ],
    nearly_infinite().read: [((10 * torch.ones(1, 3),), "what was read must be finite")],
    positive_features: [((KEY_3 * math.nan,), "vectors must be finite")],
    shared_attention: [
        ((HEADS, HEADS, math.nan * HEADS), "the output must be finite"),
        ((HEADS, HEADS[:, :2], HEADS[:, :2]), "heads must be a multiple of .*; got 3 and 2"),
    ],
}
