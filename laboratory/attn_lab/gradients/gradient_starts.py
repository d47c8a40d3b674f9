"""Ways to initialise the recurrent cells of the gradient experiments.

torch       as PyTorch draws them: every bias near zero, so a gate begins half open
orthogonal  a plain RNN whose recurrent matrix keeps lengths (Saxe et al. 2014)
+1, +2      a gated cell whose gate for keeping the past has that bias (Gers et al. 2000 start the
            forget gate of an LSTM open; Jozefowicz et al. 2015 recommend a bias of 1)
chrono      that bias drawn as ln u, u uniform from 1 to the longest dependence; in an LSTM the
            input gate gets the opposite (Tallec & Ollivier 2018, equation 16)

The gate that keeps the past is the forget gate of an LSTM and, as PyTorch writes a GRU, its update
gate z in h' = (1 - z) n + z h.
"""

import torch
from torch import nn

STARTS = {
    "rnn": ("torch", "orthogonal"),
    "gru": ("torch", "+1", "+2", "chrono"),
    "lstm": ("torch", "+1", "+2", "chrono"),
}
# where a gate's rows stand in PyTorch's stacked weights
_KEEPS = {nn.GRUCell: 1, nn.LSTMCell: 1}
_INPUT_OF_LSTM = 0


def prepare(cell: nn.RNNCellBase, start: str, longest: int) -> None:
    """Give a fresh cell its start, in place. ``longest`` is the reach of "chrono", in steps."""
    kind = {nn.RNNCell: "rnn", nn.GRUCell: "gru", nn.LSTMCell: "lstm"}[type(cell)]
    if start not in STARTS[kind]:
        raise ValueError(f"a start of {kind} must be one of {STARTS[kind]}; got {start!r}")
    if start == "orthogonal":
        nn.init.orthogonal_(cell.weight_hh)
    elif start == "chrono":
        bias = torch.empty(cell.hidden_size).uniform_(1, longest - 1).log()
        set_bias(cell, _KEEPS[type(cell)], bias)
        if kind == "lstm":
            set_bias(cell, _INPUT_OF_LSTM, -bias)
    elif start != "torch":
        set_bias(cell, _KEEPS[type(cell)], torch.full((cell.hidden_size,), float(start)))


@torch.no_grad()
def set_bias(cell: nn.RNNCellBase, gate: int, bias: torch.Tensor) -> None:
    """Set the bias of one gate: PyTorch has two biases and adds them, so the other becomes 0."""
    rows = slice(gate * cell.hidden_size, (gate + 1) * cell.hidden_size)
    cell.bias_ih[rows] = 0
    cell.bias_hh[rows] = bias
