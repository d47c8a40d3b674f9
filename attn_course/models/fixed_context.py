"""The decoder before attention: all it learns about the source is one vector."""

from dataclasses import replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from attn_course._signature import checked
from attn_course.context import context_vectors
from attn_course.models.decoder import (
    Memory,
    RecurrentDecoder,
    Sizes,
    Unasked,
    expect_inputs,
    last_place,
)


class FixedContextDecoder(RecurrentDecoder):
    """Write one symbol after another from the encoder's last state, and from nothing else.

        c   = h_n                              the state when all n symbols have been read
        s_0 = tanh(W_s c)
        s_i = f(s_{i-1}, y_{i-1}, c)           Cho et al. 2014, section 2.2
        s_i = f(s_{i-1}, y_{i-1})              Sutskever et al. 2014: c in s_0 alone

    This is the attending decoder with one change: where it looks does not depend on the state. So
    it has "weights" too, and they describe correctly what it reads: only the last position, at
    every step, or nothing at all if c is given only at the start.

    sizes       with one direction; an annotation is then a state, the last of which is c
    every_step  whether c is given at every step or only at the start
    """

    @checked
    def __init__(self, sizes: Sizes, every_step: bool = True):
        super().__init__(replace(sizes, directions=1), Unasked())
        self.every_step = every_step

    def look(
        self, previous_state: Float[Tensor, "batch state"], memory: Memory[Tensor]
    ) -> Float[Tensor, "batch 1 source"]:
        """The last position, whatever the state."""
        last = last_place(memory)
        return last if self.every_step else torch.zeros_like(last)

    def forward(
        self, memory: Memory[Tensor], inputs: Int[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target symbol"], Float[Tensor, "batch target source"]]:
        """All steps, each given the right previous symbol: logits and weights.

        Where to look does not depend on the state, so a single call runs all steps, faster than
        calling `step` for each.
        """
        expect_inputs(memory, inputs, self.embedding)
        first = self.first_state(memory)
        weights = self.look(first, memory).expand(-1, inputs.shape[1], -1)
        contexts = context_vectors(weights, memory.annotations)
        cell_inputs = torch.cat([self.embedding(inputs.long()), contexts], dim=-1)
        cell = self.cell
        parts = (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
        # biases, layers, dropout, whether in training, both directions, batch first
        options = (True, 1, 0.0, self.training, False, True)
        states, _ = torch.gru(cell_inputs, first.unsqueeze(0), parts, *options)
        return self.logits(states, contexts), weights
