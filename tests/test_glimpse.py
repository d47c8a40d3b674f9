"""The reader that looks several times: the equations by loops, what each kind of look can know."""

import pytest
import torch

from attn_course.models.glimpse import END, GlimpseReader, read, targets
from attn_course.models.trunk import position_code

STATE, LONGEST = 7, 5
KINDS = {
    "state": {},
    "step": {"looks": "step"},
    "blind": {"looks": "blind"},
    "no position": {"position": False},
}
every_kind = pytest.mark.parametrize("kind", KINDS)


def built(kind):
    torch.manual_seed(3)
    model = GlimpseReader(**KINDS[kind], state_size=STATE, longest=LONGEST).eval()
    torch.nn.init.normal_(model.start)
    return model


def gru(cell, x, h):
    r, z, n = (cell.weight_ih @ x + cell.bias_ih).chunk(3)
    hr, hz, hn = (cell.weight_hh @ h + cell.bias_hh).chunk(3)
    r, z = (r + hr).sigmoid(), (z + hz).sigmoid()
    return (1 - z) * torch.tanh(n + r * hn) + z * h


def by_hand(kind, model, features, steps):
    rows, columns = features.shape[:2]
    h = features.flatten(0, 1)
    if kind != "no position":
        h = torch.cat([h, position_code(rows, columns)], dim=1)
    s, logits, looked = model.start, [], []
    for i in range(steps):
        if kind == "blind":
            alpha = torch.full((len(h),), 1 / len(h))
        else:
            query = model.steps.weight[i] if kind == "step" else s
            W, U = model.score.query_projection.weight, model.score.key_projection.weight
            v = model.score.energy.weight[0]
            powers = [torch.exp(v @ torch.tanh(W @ query + U @ cell)) for cell in h]
            alpha = torch.stack([power / sum(powers) for power in powers])
        c = sum(a * cell for a, cell in zip(alpha, h, strict=True))
        s = gru(model.cell, c, s)
        logits.append(model.readout.weight @ torch.cat([c, s]) + model.readout.bias)
        looked.append(alpha)
    return torch.stack(logits), torch.stack(looked)


@every_kind
@torch.no_grad()
def test_equals_the_equations_by_loops(kind):
    model, pixels = built(kind), torch.rand(3, 12, 20)
    logits, weights = model(pixels, 4)
    assert logits.shape == (3, 4, 11)
    assert weights.shape == (3, 4, 3 * 5)
    for row, features in enumerate(model.trunk(pixels)):
        expected, looked = by_hand(kind, model, features, 4)
        torch.testing.assert_close(logits[row], expected)
        torch.testing.assert_close(weights[row], looked)


@every_kind
@torch.no_grad()
def test_steps_one_at_a_time_equal_the_whole(kind):
    model, pixels = built(kind), torch.rand(2, 16, 12)
    logits, weights = model(pixels, 3)
    annotations, state = model.annotate(pixels), model.begin(2)
    for step in range(3):
        looked = model.look(annotations, state, step)
        state, step_logits = model.take_in(looked, annotations, state)
        torch.testing.assert_close(looked[:, 0], weights[:, step])
        torch.testing.assert_close(step_logits, logits[:, step])


def test_the_targets_end():
    digits = torch.tensor([[3, 0, 7], [5, -1, -1], [0, 0, -1]])
    assert targets(digits).tolist() == [[3, 0, 7, END], [5, END, -1, -1], [0, 0, END, -1]]


@torch.no_grad()
def test_reading_stops_at_the_end(monkeypatch):
    model = built("state")
    symbols = torch.tensor([[4, END, 6, END], [END, 1, 1, 1], [7, 8, END, 2], [1, 2, 3, 4]])
    logits = torch.nn.functional.one_hot(symbols, 11).float()
    weights = torch.rand(4, 4, 6).softmax(dim=-1)
    monkeypatch.setattr(model, "forward", lambda *_: (logits, weights))
    digits, looked = read(model, torch.rand(4, 8, 12), longest=4)
    assert digits == [[4], [], [7, 8], [1, 2, 3, 4]]
    counts = [2, 1, 3, 4]  # the look that finds the end counts
    for row, count in enumerate(counts):
        assert torch.equal(looked[row, :count], weights[row, :count])
        assert not looked[row, count:].any()
    assert looked.shape[1] == 4
    monkeypatch.setattr(model, "forward", lambda *_: (logits[:2], weights[:2]))
    assert read(model, torch.rand(2, 8, 12), longest=4)[1].shape == (2, 2, 6)  # as many as needed


@every_kind
def test_the_loss_counts_digits_and_the_end_alone(kind):
    model, pixels = built(kind), torch.rand(2, 12, 16)
    logits = model(pixels, 3)[0].log_softmax(dim=-1)
    right = logits[0, 0, 3] + logits[0, 1, 4] + logits[0, 2, END] + logits[1, 0, 9]
    digits = torch.tensor([[3, 4], [9, -1]])
    torch.testing.assert_close(model.loss(pixels, digits), -(right + logits[1, 1, END]) / 5)


@every_kind
def test_every_parameter_learns(kind):
    model = built(kind).train()
    model.loss(torch.rand(3, 12, 16), torch.tensor([[3, 4], [9, -1], [1, 2]])).backward()
    for name, value in model.named_parameters():
        assert value.grad is not None, name
        assert value.grad.any(), name


def test_more_steps_than_queries():
    built("state")(torch.rand(1, 8, 8), LONGEST + 1)
    with pytest.raises(
        ValueError, match="step must be below 5, for which there are queries; got 5"
    ):
        built("step")(torch.rand(1, 8, 8), LONGEST + 1)
