"""The experiments on gradients: what is measured, how cells start, rates and seeds."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from attn_lab.gradients import gradient_paths as paths
from attn_lab.gradients import gradient_training as training
from attn_lab.gradients.gradient_starts import STARTS, prepare
from attn_lab.gradients.gradient_training import Condition, Variant

# ---- gradient_paths


LENGTH, STATE, COUNT = 5, 3, 7
ATTENDING = [
    condition
    for condition in paths.CONDITIONS
    if "attention" in condition and "lstm" not in condition
]


def a_batch(count=COUNT):
    return next(paths.Reversals(count, LENGTH).batches(count, np.random.default_rng(10_000)))


def test_targets_are_sources_backwards_and_every_batch_is_new():
    batches = list(paths.Reversals(3 * COUNT, LENGTH).batches(COUNT, np.random.default_rng(0)))
    assert len(batches) == 3 == paths.Reversals(3 * COUNT).count_batches(COUNT)
    for batch in batches:
        assert batch.targets.tolist() == [row[::-1] for row in batch.sources.tolist()]
        assert batch.lengths.tolist() == [LENGTH] * COUNT
        assert batch.sources.min() >= paths.FIRST
        assert batch.sources.max() < paths.FIRST + paths.SYMBOLS
    assert not torch.equal(batches[0].sources, batches[1].sources)


@pytest.mark.parametrize("condition", paths.CONDITIONS)
def test_every_state_is_a_node_and_the_loss_reaches_it(condition):
    model = paths.fresh(condition, seed=0, state_size=STATE)
    looked = paths.look_into(model, LENGTH, COUNT)
    assert looked.norms.shape == looked.gain.shape == (LENGTH, LENGTH)
    assert (looked.norms > 0).all()
    assert (looked.weights is not None) == ("attention" in condition)
    state = 2 * STATE if condition.startswith("lstm") else STATE
    run = model.run(a_batch().sources, a_batch().targets)
    assert {tuple(h.shape) for h in run.h} == {(COUNT, state)}


def test_the_encoder_is_torchs_own():
    model = paths.fresh("gru, attention", seed=0, state_size=STATE)
    run = model.run(a_batch().sources, a_batch().targets)
    whole = torch.nn.GRU(16, STATE, batch_first=True)
    for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
        setattr(whole, f"{name}_l0", getattr(model.encoder, name))
    expected = whole(model.source_embedding(a_batch().sources))[0]
    torch.testing.assert_close(torch.stack(run.h, dim=1), expected)


def test_the_same_seed_is_the_same_start_and_leaves_the_random_state_alone():
    before = torch.random.get_rng_state()
    one, two = (paths.fresh("gru", seed=3) for _ in range(2))
    assert torch.equal(before, torch.random.get_rng_state())
    assert torch.equal(one.encoder.weight_hh, two.encoder.weight_hh)
    other = paths.fresh("gru", seed=4)
    assert not torch.equal(one.encoder.weight_hh, other.encoder.weight_hh)


def test_an_orthogonal_start_is_orthogonal():
    model = paths.fresh("orthogonal rnn", seed=0)
    for cell in (model.encoder, model.decoder):
        W = cell.weight_hh.detach()
        torch.testing.assert_close(W.T @ W, torch.eye(len(W)), atol=1e-5, rtol=0)


def test_by_distance_averages_the_pairs_that_are_so_far_apart():
    norms, groups = np.random.default_rng(0).random((3, 5)), {}
    for i, j in np.ndindex(3, 5):  # of step i + 1 and position j + 1
        groups.setdefault(5 - j + i, []).append(norms[i, j])
    expected = {distance: np.mean(group) for distance, group in groups.items()}
    assert paths.by_distance(norms) == pytest.approx(expected)
    assert list(paths.by_distance(norms)) == list(range(1, 8))


def test_gain_is_the_norm_for_a_unit_of_error():
    model = paths.fresh("rnn", seed=0, state_size=STATE)
    looked = paths.look_into(model, LENGTH, count=1)
    batch = a_batch(1)
    logits = model.double().run(batch.sources, batch.targets).logits.detach().requires_grad_()
    losses = paths.losses_of(logits, batch.targets)
    errors = torch.autograd.grad(losses.sum(), logits)[0].norm(dim=-1)[0].numpy()
    np.testing.assert_allclose(looked.gain, looked.norms / errors[:, None])
    assert looked.error == pytest.approx(errors.mean())


@pytest.mark.parametrize("condition", ATTENDING)
def test_shares_sum_to_one_and_the_read_is_what_autograd_says_of_it(condition):
    model = paths.fresh(condition, seed=1, state_size=STATE).double()
    model.score.energy.weight.data *= 9  # so that the scores count
    shares = paths.route_shares(model, LENGTH, COUNT)
    np.testing.assert_allclose(shares.sum(axis=-1), 1)
    batch = a_batch()
    run = model.run(batch.sources, batch.targets)
    losses = paths.losses_of(run.logits, batch.targets).sum(dim=0)
    for i in range(LENGTH):
        whole = torch.stack(torch.autograd.grad(losses[i], run.h, retain_graph=True), dim=1)
        # the states are fixed, except for what step i reads of them
        before = (run.s[i - 1] if i else run.h[-1]).detach()
        h = torch.stack(run.h, dim=1).detach().requires_grad_()
        contexts = [context.detach() for context in run.c]
        contexts[i] = model.look(before, h)[0]
        again = model.run(batch.sources, batch.targets, contexts)
        loss = paths.losses_of(again.logits, batch.targets)[:, i].sum()
        (read,) = torch.autograd.grad(loss, h)
        expected = (read * whole).sum(dim=(0, 2)) / (whole**2).sum(dim=(0, 2))
        np.testing.assert_allclose(shares[i, :, :2].sum(axis=-1), expected, atol=1e-9)


def test_the_chain_is_the_product_of_its_jacobians():
    model = paths.fresh("rnn, attention", seed=1, state_size=STATE).double()
    shares = paths.route_shares(model, LENGTH, COUNT)
    batch = a_batch()
    run = model.run(batch.sources, batch.targets)
    loss = paths.losses_of(run.logits, batch.targets)[:, -1].sum()
    whole = torch.stack(torch.autograd.grad(loss, run.h, retain_graph=True), dim=1)
    error = torch.autograd.grad(loss, run.logits)[0][:, -1]
    message = error @ model.readout.weight[:, :STATE]
    for state in reversed(run.s):
        message = (message * (1 - state**2)) @ model.decoder.weight_hh
    for j in reversed(range(LENGTH)):
        share = (message * whole[:, j]).sum() / (whole[:, j] ** 2).sum()
        assert shares[-1, j, 2] == pytest.approx(share.item())
        message = (message * (1 - run.h[j] ** 2)) @ model.encoder.weight_hh


def test_the_chain_is_all_there_is_when_nothing_is_read():
    model = paths.fresh("rnn, attention", seed=1, state_size=STATE).double()
    with torch.no_grad():
        model.readout.weight[:, STATE:] = 0  # of the contexts
        model.decoder.weight_ih[:, 16:] = 0
    shares = paths.route_shares(model, LENGTH, COUNT)
    expected = np.zeros((LENGTH, LENGTH, 4))
    expected[..., 2] = 1
    np.testing.assert_allclose(shares, expected, atol=1e-9)


def two_alike(contexts):
    """A model with whole contexts and one with the same parameters whose contexts are handled."""
    whole = paths.Reverser("gru", True, STATE).double()
    part = paths.Reverser("gru", True, STATE, contexts=contexts).double()
    part.load_state_dict(whole.state_dict())
    return whole, part, torch.randint(4, 14, (COUNT, LENGTH))


def passed(model, sources, contexts=None):
    """The pass through a model, and the gradient of all losses at each h_j and the score."""
    run = model.run(sources, sources.flip(1), contexts)
    loss = paths.losses_of(run.logits, sources.flip(1)).sum()
    wanted = [*run.h, *model.score.parameters()]
    gradients = torch.autograd.grad(loss, wanted, retain_graph=True, allow_unused=True)
    return run, gradients[:LENGTH], gradients[LENGTH:]


def test_a_value_is_read_and_passes_no_gradient():
    whole, part, sources = two_alike("value")
    run, states, score = passed(part, sources)
    read = whole.run(sources, sources.flip(1))
    torch.testing.assert_close(run.logits, read.logits)
    contexts = [context.detach() for context in read.c]
    torch.testing.assert_close(states, passed(whole, sources, contexts)[1])  # the chain alone
    assert all(part is None for part in score)


def test_a_context_that_is_read_only_teaches_the_score_and_not_the_states():
    whole, part, sources = two_alike("read only")
    run, states, score = passed(part, sources)
    read, through_reads, score_of_whole = passed(whole, sources)
    torch.testing.assert_close(run.logits, read.logits)
    torch.testing.assert_close(score, score_of_whole)
    fixed = torch.stack(read.h, dim=1).detach()
    look = whole.look
    whole.look = lambda state, annotations: look(state, fixed)
    torch.testing.assert_close(states, passed(whole, sources)[1])
    assert not torch.allclose(states[0], through_reads[0])


def test_a_gradient_is_passed_by_a_context_that_reads_as_zeros():
    whole, part, sources = two_alike("gradient")
    run, _, score = passed(part, sources)
    zeros = [torch.zeros_like(context) for context in run.c]
    torch.testing.assert_close(run.logits, whole.run(sources, sources.flip(1), zeros).logits)
    assert all(context.abs().max() == 0 for context in run.c)
    assert all(part.abs().max() > 0 for part in score)
    first = whole.run(sources, sources.flip(1))  # s_0 is the same, so the first read is
    at = torch.randn_like(first.c[0])
    passes = [torch.autograd.grad((run.c[0] * at).sum(), run.h) for run in (run, first)]
    torch.testing.assert_close(*passes)


def test_the_farthest_gain_is_one_of_all_gains():
    model = paths.fresh("lstm", seed=1, state_size=STATE)
    gain = paths.look_into(model, LENGTH, COUNT, seed=5).gain
    gain_ = paths.farthest_gain(model, LENGTH, COUNT, seed=5)
    assert gain_ == pytest.approx(gain[-1, 0])
    with torch.no_grad():  # as a training asks for it
        assert paths.farthest_gain(model, LENGTH, COUNT, seed=5) == gain_


# ---- gradient_starts


SIZE, INPUT, LONGEST = 11, 7, 23
CELLS = {"rnn": nn.RNNCell, "gru": nn.GRUCell, "lstm": nn.LSTMCell}


def started(kind: str, start: str) -> tuple[nn.Module, nn.Module]:
    """A cell before and after it was prepared."""
    before = CELLS[kind](INPUT, SIZE)
    after = CELLS[kind](INPUT, SIZE)
    after.load_state_dict(before.state_dict())
    prepare(after, start, LONGEST)
    return before, after


def past_share(cell: nn.Module) -> torch.Tensor:
    """How much of the past the gate that keeps it lets through at a start: torch's second chunk."""
    return torch.sigmoid((cell.bias_ih + cell.bias_hh)[SIZE : 2 * SIZE]).detach()


@pytest.mark.parametrize("kind", ["gru", "lstm"])
@pytest.mark.parametrize("start", ["+1", "+2"])
def test_a_bias_is_how_much_of_the_past_a_gate_keeps(kind, start):
    _, cell = started(kind, start)
    expected = torch.sigmoid(torch.full((SIZE,), float(start)))
    torch.testing.assert_close(past_share(cell), expected)


@pytest.mark.parametrize("kind", ["gru", "lstm"])
def test_chrono_forgets_at_rates_up_to_the_longest_dependence(kind):
    _, cell = started(kind, "chrono")
    odds = 1 / (1 - past_share(cell)) - 1  # e^bias, drawn from 1 to longest - 1
    assert odds.min() >= 1
    assert odds.max() <= LONGEST - 1 + 1e-3
    assert odds.std() > 1
    if kind == "lstm":
        bias = cell.bias_ih + cell.bias_hh
        torch.testing.assert_close(bias[:SIZE], -bias[SIZE : 2 * SIZE])


BOTH = {("bias_ih", 1), ("bias_hh", 1)}
CHANGED = {"torch": set(), "orthogonal": {("weight_hh", 0)}}  # and else the gate of the past


@pytest.mark.parametrize(("kind", "start"), [(k, s) for k, all_ in STARTS.items() for s in all_])
def test_a_start_changes_its_own_part_alone(kind, start):
    before, after = started(kind, start)
    gates = {"rnn": 1, "gru": 3, "lstm": 4}[kind]
    changed = {
        (name, gate)
        for name, old in before.named_parameters()
        for gate, both in enumerate(
            zip(old.chunk(gates), getattr(after, name).chunk(gates), strict=True)
        )
        if not torch.equal(*both)
    }
    input_gate = {("bias_ih", 0), ("bias_hh", 0)} if (kind, start) == ("lstm", "chrono") else set()
    assert changed == CHANGED.get(start, BOTH) | input_gate


# ---- gradient_training


FIRST = (0.01, 0.005, 0.02, 0.0025)
GRU = Variant("gru", "torch", "none")


def test_a_long_search_begins_around_the_best_rate_of_the_short_one(monkeypatch, tmp_path):
    trained = {  # the loss in the search, and the share of right answers of what was measured
        Condition(*GRU, 500, 0.01): (0.7, 0.8),
        Condition(*GRU, 500, 0.005): (0.8, None),
        Condition(*GRU, 500, 0.0025): (0.9, None),
        Condition(*GRU, 500, 0.02): (0.4, 0.9),
        Condition(*GRU, 500, 0.04): (0.6, None),
        Condition(*GRU, 2_000, 0.04): (0.1, None),
        Condition("lstm", "torch", "none", 500, 0.08): (0.2, None),
    }
    cells = [
        {"condition": condition._asdict(), "seed": seed, "numbers": {name: number}}
        for condition, numbers in trained.items()
        for seed, name, number in zip((100, 0), ("chosen by", "right"), numbers, strict=True)
        if number is not None
    ]
    stored = tmp_path / "stored.json"
    rates = replace(training.RATES, path=stored)
    monkeypatch.setattr(training, "RATES", rates)
    monkeypatch.setattr(
        training, "EXPERIMENT", replace(training.EXPERIMENT, path=stored, rates=rates)
    )
    assert rates.tried(*GRU, 500) == {}
    assert training.first_rates(*GRU, 500) == [0.01]
    stored.write_text(json.dumps({"cells": cells}))
    assert rates.tried(*GRU, 500) == {0.0025: 0.9, 0.005: 0.8, 0.01: 0.7, 0.02: 0.4, 0.04: 0.6}
    assert training.first_rates(*GRU, 500) == list(FIRST)
    assert training.first_rates(*GRU, 2_000) == pytest.approx([0.02, 0.01, 0.04, 0.005])
    assert training.results("right") == {(GRU, 500): [0.9]}
    with pytest.raises(ValueError, match="are still to be tried"):
        rates.best(*GRU, 2_000)


def test_every_way_of_the_plan_is_a_model_and_the_long_ones_come_after_their_short_ones():
    for variant, steps in training.PLAN:
        model = training.build(variant, state_size=3)
        assert model.attention == (variant.contexts != "none")
        if steps == training.LONG:
            short = training.PLAN.index((variant, training.SHORT))
            assert short < training.PLAN.index((variant, steps))
    assert len(set(training.PLAN)) == len(training.PLAN)


@pytest.mark.slow
def test_a_cell_holds_a_gain_before_training_and_one_for_every_look():
    condition = Condition("gru", "+1", "none", 40, 0.01)
    one, again, other = (training.measure(condition, seed, state_size=7) for seed in (0, 0, 1))
    assert one == again
    assert len(one["gains"]) == 1 + 40 // training.LOOK_EVERY
    assert 0 < one["right"] < 1
    assert 0 <= one["exact"] < 1
    assert not set(one["gains"]) & set(other["gains"])
    assert training.choose(condition, 0, state_size=7) == {"chosen by": one["loss"]}


def test_each_seed_is_judged_on_sequences_of_its_own(monkeypatch):
    calls, places = [], {"farthest_gain": 20_000, "look_into": 10_000}
    originals = {name: getattr(training, name) for name in places}
    for name in places:

        def call(*args, seed, name=name, **others):
            calls.append((name, seed))
            return originals[name](*args, seed=seed, **others)

        monkeypatch.setattr(training, name, call)
    for seed in (0, 1):
        training.measure(Condition(*GRU, 20, 0.01), seed, state_size=3)
    assert {*calls} == {(name, place + seed) for name, place in places.items() for seed in (0, 1)}
