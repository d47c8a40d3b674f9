"""Initialisations of recurrent cells: each does what its name says, and nothing else changes."""

import pytest
import torch
from torch import nn

from attn_lab.gradients.gradient_starts import STARTS, prepare

SIZE, INPUT, LONGEST = 11, 7, 23
CELLS = {"rnn": nn.RNNCell, "gru": nn.GRUCell, "lstm": nn.LSTMCell}


def started(kind: str, start: str) -> tuple[nn.Module, nn.Module]:
    """A cell before and after it was prepared."""
    before = CELLS[kind](INPUT, SIZE)
    after = CELLS[kind](INPUT, SIZE)
    after.load_state_dict(before.state_dict())
    prepare(after, start, LONGEST)
    return before, after


def kept(kind: str, cell: nn.Module) -> torch.Tensor:
    """What remains of a state of ones after a step in which all other inputs are zero."""
    with torch.no_grad():
        for weight in (cell.weight_ih, cell.weight_hh):
            weight.zero_()
        state = torch.ones(1, SIZE)
        if kind == "gru":
            new = cell(torch.zeros(1, INPUT), state)[0]
            z = torch.sigmoid((cell.bias_ih + cell.bias_hh)[SIZE : 2 * SIZE])
            reset = torch.sigmoid((cell.bias_ih + cell.bias_hh)[:SIZE])
            candidate = torch.tanh(cell.bias_ih[-SIZE:] + reset * cell.bias_hh[-SIZE:])
            torch.testing.assert_close(new, (1 - z) * candidate + z)
            return z
        bias = cell.bias_ih + cell.bias_hh
        _, memory = cell(torch.zeros(1, INPUT), (torch.zeros(1, SIZE), state))
        written = torch.sigmoid(bias[:SIZE]) * torch.tanh(bias[2 * SIZE : 3 * SIZE])
        return memory[0] - written


@pytest.mark.parametrize("kind", ["gru", "lstm"])
@pytest.mark.parametrize("start", ["+1", "+2"])
def test_a_bias_is_how_much_of_the_past_a_gate_keeps(kind, start):
    _, cell = started(kind, start)
    expected = torch.sigmoid(torch.full((SIZE,), float(start)))
    torch.testing.assert_close(kept(kind, cell), expected)


@pytest.mark.parametrize("kind", ["gru", "lstm"])
def test_chrono_forgets_at_rates_up_to_the_longest_dependence(kind):
    _, cell = started(kind, "chrono")
    odds = 1 / (1 - kept(kind, cell)) - 1  # e^bias, drawn from 1 to longest - 1
    assert odds.min() >= 1
    assert odds.max() <= LONGEST - 1 + 1e-3
    assert odds.std() > 1
    if kind == "lstm":
        bias = cell.bias_ih + cell.bias_hh
        torch.testing.assert_close(bias[:SIZE], -bias[SIZE : 2 * SIZE])


@pytest.mark.parametrize(("kind", "start"), [(k, s) for k, all_ in STARTS.items() for s in all_])
def test_a_start_changes_its_own_part_alone(kind, start):
    before, after = started(kind, start)
    gates = {"rnn": 1, "gru": 3, "lstm": 4}[kind]
    changed = {
        (name, gate)
        for name, old in before.named_parameters()
        for gate, (one, two) in enumerate(
            zip(old.chunk(gates), getattr(after, name).chunk(gates), strict=True)
        )
        if not torch.equal(one, two)
    }
    expected = {
        "torch": set(),
        "orthogonal": {("weight_hh", 0)},
        "chrono": {("bias_ih", 1), ("bias_hh", 1)}
        | ({("bias_ih", 0), ("bias_hh", 0)} if kind == "lstm" else set()),
    }.get(start, {("bias_ih", 1), ("bias_hh", 1)})
    assert changed == expected
