"""Hard attention: the gradient of the draws is that of the expected reward."""

import pytest
import torch

from attn_course.models.hard_look import HardReader


def built(**options):
    torch.manual_seed(3)
    return HardReader(entropy=0.0, **options).eval()  # so that the trunk treats all draws alike


def expected_reward_gradient(model, pixels, digits):
    """∇ of the mean of Σ_j α_j R_j with respect to the mask, with every cell tried."""
    features = model.trunk(pixels).detach()
    weights = model.weights(features)[:, 0]
    rewards = []
    for cell in range(weights.shape[1]):
        logits = model.logits_at(features, torch.full((len(pixels), 1), cell))[:, 0]
        rewards.append((logits.argmax(dim=-1) == digits[:, 0]).float())
    mean = (weights * torch.stack(rewards, dim=1)).sum(dim=1).mean()
    return torch.autograd.grad(mean, model.mask.weight)[0].flatten()


@pytest.mark.parametrize("baseline", [True, False])
def test_the_mean_of_many_draws_is_the_gradient_of_the_expected_reward(baseline):
    model = built(baseline=baseline)
    with torch.no_grad():
        model.mask.weight.mul_(3)
        model.readout.weight.mul_(3)
    pixels = torch.rand(2, 8, 8).repeat(2000, 1, 1)
    digits = torch.tensor([[0], [0]])
    with torch.no_grad():  # a digit that some cells give and others do not
        answers = [
            model.logits_at(model.trunk(pixels[:2]), torch.full((2, 1), k))[:, 0].argmax(-1)
            for k in range(4)
        ]
        digits[:, 0] = torch.stack(answers).mode(dim=0).values
    exact = expected_reward_gradient(model, pixels[:2], digits)
    assert exact.norm() > 1e-3
    model.loss(pixels, digits.repeat(2000, 1)).backward()
    drawn = -model.mask.weight.grad.flatten()
    assert (drawn - exact).norm() < 0.2 * exact.norm()


def always_right(count):
    """A reader that always looks at the same cell, canvases, and what it reads there."""
    model, pixels = built(), torch.rand(1, 8, 8).repeat(count, 1, 1)
    with torch.no_grad():
        model.mask.weight.mul_(1000)
    return model, pixels, model(pixels)[0].argmax(dim=-1)


def test_the_baseline_follows_the_reward():
    model, *batch = always_right(50)
    for step in range(1, 4):
        model.loss(*batch)
        assert model.expected.item() == pytest.approx(1 - 0.9 * 0.9**step, abs=1e-5)


def test_the_entropy_of_the_weights_is_rewarded():
    """With nothing else to learn from the choice, the loss goes down as the weights even out."""
    features = torch.rand(3, 2, 3, 32, generator=torch.Generator().manual_seed(5))
    alpha = built().weights(features)[:, 0]
    spread = -(alpha * alpha.log()).sum() / 3  # the mean over the canvases
    (exact,) = torch.autograd.grad(spread, alpha)
    gradients = []
    for strength in (0.0, 0.7):
        torch.manual_seed(3)
        model = HardReader(entropy=strength).eval()
        model.trunk.forward = lambda pixels: features
        torch.manual_seed(11)  # the same draw
        weights = alpha.detach().requires_grad_()
        model.weights = lambda features, weights=weights: weights[:, None]
        model.loss(torch.rand(3, 8, 12), torch.tensor([[4], [0], [7]])).backward()
        gradients.append(weights.grad)
    torch.testing.assert_close(gradients[1] - gradients[0], -0.7 * exact)
    assert HardReader().entropy == 0.01


def test_a_right_draw_that_is_no_better_than_expected_teaches_nothing():
    model, *batch = always_right(7)
    model.expected.fill_(1.0)
    model.loss(*batch).backward()
    assert model.mask.weight.grad.abs().max() < 1e-6


@torch.no_grad()
def test_only_one_cell_is_seen():
    model, pixels = built(), torch.rand(3, 40, 40)
    logits, weights = model(pixels)
    features = model.trunk(pixels)
    best = weights.argmax(dim=-1)[:, 0]
    others = torch.randn_like(features).flatten(1, 2)
    others[torch.arange(3), best] = features.flatten(1, 2)[torch.arange(3), best]
    alone = model.logits_at(others.unflatten(1, features.shape[1:3]), best[:, None])
    torch.testing.assert_close(alone, logits)


def test_without_the_baseline_a_right_draw_teaches_even_where_it_was_expected():
    """And then -R ln α_j of what was drawn is all that the mask learns from."""
    model = built(baseline=False)
    pixels = torch.rand(1, 8, 8)
    with torch.no_grad():
        model.readout.weight.zero_()  # whatever is drawn, it reads the digit of the largest bias
        digits = model.readout.bias.argmax().reshape(1, 1)
    model.expected.fill_(1.0)
    torch.manual_seed(7)
    drawn = torch.multinomial(model.weights(model.trunk(pixels))[:, 0].detach(), 1)
    expected = -model.weights(model.trunk(pixels).detach())[:, 0].gather(1, drawn).log().mean()
    (gradient,) = torch.autograd.grad(expected, model.mask.weight)
    torch.manual_seed(7)
    model.loss(pixels, digits).backward()
    assert gradient.norm() > 1e-3
    torch.testing.assert_close(model.mask.weight.grad, gradient)


@torch.no_grad()
def test_the_whole_share_is_that_of_the_cell_that_is_read():
    model = built()
    features = model.trunk(torch.rand(3, 24, 28))
    logits, weights = model.look(features)
    shares = model.shares(features)
    assert shares.shape == weights.mT.shape
    assert ((shares == 0) | (shares == 1)).all()
    assert (shares.sum(dim=1) == 1).all()
    torch.testing.assert_close(model.logits_at(features, shares.argmax(dim=1)), logits)


REFUSED = {HardReader: [({"entropy": float("inf")}, r"entropy must be .* finite; got inf")]}
