"""The measurements for the chapter on gradient paths, on models small enough to check."""

import numpy as np
import pytest
import torch

from attn_lab.gradients import gradient_paths as experiment

LENGTH, STATE, COUNT = 5, 3, 7
ATTENDING = [way for way in experiment.CONDITIONS if "attention" in way and "lstm" not in way]


def a_batch(count=COUNT):
    return next(experiment.Reversals(count, LENGTH).batches(count, np.random.default_rng(10_000)))


def test_targets_are_sources_backwards_and_every_batch_is_new():
    batches = list(experiment.Reversals(3 * COUNT, LENGTH).batches(COUNT, np.random.default_rng(0)))
    assert len(batches) == 3 == experiment.Reversals(3 * COUNT).count_batches(COUNT)
    for batch in batches:
        assert batch.targets.tolist() == [row[::-1] for row in batch.sources.tolist()]
        assert batch.lengths.tolist() == [LENGTH] * COUNT
        assert batch.sources.min() >= experiment.FIRST
        assert batch.sources.max() < experiment.FIRST + experiment.SYMBOLS
    assert not torch.equal(batches[0].sources, batches[1].sources)


@pytest.mark.parametrize("condition", experiment.CONDITIONS)
def test_every_state_is_a_node_and_the_loss_reaches_it(condition):
    model = experiment.fresh(condition, seed=0, state_size=STATE)
    looked = experiment.look_into(model, LENGTH, COUNT)
    assert looked.norms.shape == looked.gain.shape == (LENGTH, LENGTH)
    assert (looked.norms > 0).all()
    assert (looked.weights is not None) == ("attention" in condition)
    state = 2 * STATE if condition.startswith("lstm") else STATE
    made = model.run(a_batch().sources, a_batch().targets)
    assert {tuple(h.shape) for h in made.h} == {(COUNT, state)}


def test_the_encoder_is_torchs_own():
    model = experiment.fresh("gru, attention", seed=0, state_size=STATE)
    made = model.run(a_batch().sources, a_batch().targets)
    whole = torch.nn.GRU(16, STATE, batch_first=True)
    for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
        setattr(whole, f"{name}_l0", getattr(model.encoder, name))
    expected = whole(model.source_embedding(a_batch().sources))[0]
    torch.testing.assert_close(torch.stack(made.h, dim=1), expected)


def test_the_same_seed_is_the_same_start_and_leaves_the_random_state_alone():
    before = torch.random.get_rng_state()
    one, two = (experiment.fresh("gru", seed=3) for _ in range(2))
    assert torch.equal(before, torch.random.get_rng_state())
    assert torch.equal(one.encoder.weight_hh, two.encoder.weight_hh)
    other = experiment.fresh("gru", seed=4)
    assert not torch.equal(one.encoder.weight_hh, other.encoder.weight_hh)


def test_an_orthogonal_start_is_orthogonal():
    model = experiment.fresh("orthogonal rnn", seed=0)
    for cell in (model.encoder, model.decoder):
        W = cell.weight_hh.detach()
        torch.testing.assert_close(W.T @ W, torch.eye(len(W)), atol=1e-5, rtol=0)


def test_by_distance_averages_the_pairs_that_are_so_far_apart():
    norms = np.random.default_rng(0).random((3, 5))
    groups = {}
    for i in range(1, 4):
        for j in range(1, 6):
            groups.setdefault((5 - j) + i, []).append(norms[i - 1, j - 1])
    expected = {d: np.mean(group) for d, group in groups.items()}
    assert experiment.by_distance(norms) == pytest.approx(expected)
    assert list(experiment.by_distance(norms)) == list(range(1, 8))


def test_gain_is_the_norm_for_a_unit_of_error():
    model = experiment.fresh("rnn", seed=0, state_size=STATE)
    looked = experiment.look_into(model, LENGTH, count=1)
    batch = a_batch(1)
    logits = model.double().run(batch.sources, batch.targets).logits.detach().requires_grad_()
    losses = experiment.losses_of(logits, batch.targets)
    errors = torch.autograd.grad(losses.sum(), logits)[0].norm(dim=-1)[0].numpy()
    np.testing.assert_allclose(looked.gain, looked.norms / errors[:, None])
    assert looked.error == pytest.approx(errors.mean())


@pytest.mark.parametrize("condition", ATTENDING)
def test_shares_sum_to_one_and_the_read_is_what_autograd_says_of_it(condition):
    model = experiment.fresh(condition, seed=1, state_size=STATE).double()
    model.score.energy.weight.data *= 9  # so that the scores count
    shares = experiment.route_shares(model, LENGTH, COUNT)
    np.testing.assert_allclose(shares.sum(axis=-1), 1)
    batch = a_batch()
    made = model.run(batch.sources, batch.targets)
    losses = experiment.losses_of(made.logits, batch.targets).sum(dim=0)
    for i in range(LENGTH):
        whole = torch.stack(torch.autograd.grad(losses[i], made.h, retain_graph=True), dim=1)
        # the states are fixed, except for what step i reads of them
        before = (made.s[i - 1] if i else made.h[-1]).detach()
        h = torch.stack(made.h, dim=1).detach().requires_grad_()
        contexts = [each.detach() for each in made.c]
        contexts[i] = model.look(before, h)[0]
        given = model.run(batch.sources, batch.targets, contexts)
        loss = experiment.losses_of(given.logits, batch.targets)[:, i].sum()
        (read,) = torch.autograd.grad(loss, h)
        expected = (read * whole).sum(dim=(0, 2)) / (whole**2).sum(dim=(0, 2))
        np.testing.assert_allclose(shares[i, :, :2].sum(axis=-1), expected, atol=1e-9)


def test_the_chain_is_the_product_of_its_jacobians():
    model = experiment.fresh("rnn, attention", seed=1, state_size=STATE).double()
    shares = experiment.route_shares(model, LENGTH, COUNT)
    batch = a_batch()
    made = model.run(batch.sources, batch.targets)
    loss = experiment.losses_of(made.logits, batch.targets)[:, -1].sum()
    whole = torch.stack(torch.autograd.grad(loss, made.h, retain_graph=True), dim=1)
    error = torch.autograd.grad(loss, made.logits)[0][:, -1]
    message = error @ model.readout.weight[:, :STATE]
    for state in reversed(made.s):
        message = (message * (1 - state**2)) @ model.decoder.weight_hh
    for j in reversed(range(LENGTH)):
        share = (message * whole[:, j]).sum() / (whole[:, j] ** 2).sum()
        assert shares[-1, j, 2] == pytest.approx(share.item())
        message = (message * (1 - made.h[j] ** 2)) @ model.encoder.weight_hh


def test_the_chain_is_all_there_is_when_nothing_is_read():
    model = experiment.fresh("rnn, attention", seed=1, state_size=STATE).double()
    with torch.no_grad():
        model.readout.weight[:, STATE:] = 0  # of the contexts
        model.decoder.weight_ih[:, 16:] = 0
    shares = experiment.route_shares(model, LENGTH, COUNT)
    expected = np.zeros((LENGTH, LENGTH, 4))
    expected[..., 2] = 1
    np.testing.assert_allclose(shares, expected, atol=1e-9)


def two_alike(contexts):
    """A model with whole contexts and one with the same parameters whose contexts are handled."""
    whole = experiment.Reverser("gru", True, STATE).double()
    part = experiment.Reverser("gru", True, STATE, contexts=contexts).double()
    part.load_state_dict(whole.state_dict())
    return whole, part, torch.randint(4, 14, (COUNT, LENGTH))


def passed(model, sources, contexts=None):
    """The pass through a model, and the gradient of all losses at each h_j and the score."""
    made = model.run(sources, sources.flip(1), contexts)
    loss = experiment.losses_of(made.logits, sources.flip(1)).sum()
    wanted = [*made.h, *model.score.parameters()]
    found = torch.autograd.grad(loss, wanted, retain_graph=True, allow_unused=True)
    return made, found[:LENGTH], found[LENGTH:]


def test_a_value_is_read_and_passes_no_gradient():
    whole, part, sources = two_alike("value")
    made, states, score = passed(part, sources)
    read = whole.run(sources, sources.flip(1))
    torch.testing.assert_close(made.logits, read.logits)
    given = [context.detach() for context in read.c]
    torch.testing.assert_close(states, passed(whole, sources, given)[1])  # the chain alone
    assert all(each is None for each in score)


def test_a_context_that_is_read_only_teaches_the_score_and_not_the_states():
    whole, part, sources = two_alike("read only")
    made, states, score = passed(part, sources)
    read, through_reads, score_of_whole = passed(whole, sources)
    torch.testing.assert_close(made.logits, read.logits)
    torch.testing.assert_close(score, score_of_whole)
    fixed = torch.stack(read.h, dim=1).detach()
    look = whole.look
    whole.look = lambda state, annotations: look(state, fixed)
    torch.testing.assert_close(states, passed(whole, sources)[1])
    assert not torch.allclose(states[0], through_reads[0])


def test_a_gradient_is_passed_by_a_context_that_reads_as_zeros():
    whole, part, sources = two_alike("gradient")
    made, _, score = passed(part, sources)
    zeros = [torch.zeros_like(context) for context in made.c]
    torch.testing.assert_close(made.logits, whole.run(sources, sources.flip(1), zeros).logits)
    assert all(context.abs().max() == 0 for context in made.c)
    assert all(each.abs().max() > 0 for each in score)
    first = whole.run(sources, sources.flip(1))  # s_0 is the same, so the first read is
    at = torch.randn_like(first.c[0])
    passes = [torch.autograd.grad((run.c[0] * at).sum(), run.h) for run in (made, first)]
    torch.testing.assert_close(*passes)


def test_the_farthest_gain_is_one_of_all_gains():
    model = experiment.fresh("lstm", seed=1, state_size=STATE)
    gain = experiment.look_into(model, LENGTH, COUNT, seed=5).gain
    found = experiment.farthest_gain(model, LENGTH, COUNT, seed=5)
    assert found == pytest.approx(gain[-1, 0])
    with torch.no_grad():  # as a training asks for it
        assert experiment.farthest_gain(model, LENGTH, COUNT, seed=5) == found
