"""The attending decoder of Luong, Pham and Manning: move first, then look."""

from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_course._signature import checked
from attn_course.alignment import Score
from attn_course.context import context_vectors
from attn_course.models.decoder import (
    AttendingDecoder,
    Memory,
    ScoreName,
    Sizes,
    Step,
    expect_inputs,
)
from attn_course.weights import attention_weights

AsksWith = Literal["after", "before"]


class MovingDecoder(AttendingDecoder):
    """What decoders share that move before they look: state, attentional vector and readout.

    The arguments are those of `LuongDecoder`.
    """

    @checked
    def __init__(
        self, sizes: Sizes, score: ScoreName | Score = "general", asks_with: AsksWith = "after"
    ):
        super().__init__(sizes, score)
        state = sizes.state_size
        self.asks_with = asks_with
        self.rnn = nn.GRU(sizes.embedding_size, state, batch_first=True)  # f
        self.combine = nn.Linear(sizes.annotation_size + state, state)  # W_c
        self.readout = nn.Linear(state, sizes.vocabulary_size)  # W_o

    def move(
        self,
        previous_state: Float[Tensor, "batch state"],
        previous: Float[Tensor, "batch target embedding"],
    ) -> Float[Tensor, "batch target state"]:
        """The states after each given symbol, s_1 .. s_m: one call for one step or for all."""
        return self.rnn(previous, previous_state.unsqueeze(0).contiguous())[0]

    def logits(self, states: Tensor, contexts: Tensor) -> Tensor:
        """W_o tanh(W_c [c_i ; s_i]), for one step or for all."""
        return self.readout(self.attentional(states, contexts))

    def attentional(self, states: Tensor, contexts: Tensor) -> Tensor:
        """s~_i = tanh(W_c [c_i ; s_i]), for one step or for all."""
        return torch.tanh(self.combine(torch.cat([contexts, states], dim=-1)))

    def queries(self, first: Tensor, states: Tensor) -> Tensor:
        """The states that ask: s_1 .. s_m, or with "before" s_0 .. s_{m-1}."""
        if self.asks_with == "after":
            return states
        return torch.cat([first.unsqueeze(1), states[:, :-1]], dim=1)


class LuongDecoder(MovingDecoder):
    """Write one symbol after another: move to the next state, then look at the source.

        s_i  = f(s_{i-1}, y_{i-1})                             f is a GRU
        e_ij = a(s_i, h_j)         α_i = softmax_j(e_i)     c_i = Σ_j α_ij h_j
        s~_i = tanh(W_c [c_i ; s_i])                           the attentional vector
        p(y_i) = softmax(W_o s~_i)                             Luong et al. 2015, equations 5 and 6

    The context enters only on the way out, so no state has to wait for a look: given the right
    target, one call of the GRU computes all states, and one matrix product all looks. The price is
    that no state knows where the decoder has looked. (`InputFeedingDecoder` passes s~_{i-1} to the
    next step, which brings the loop back; `LocalDecoder` looks through a window.)

    The first state is that of `BahdanauDecoder`, s_0 = tanh(W_s h←_1), so the two decoders are the
    same up to the first step.

    The arguments are those of `AttendingDecoder`, and

    asks_with        the query: s_i, "after" the step, or, to compare, s_{i-1}, "before" it
    """

    def first_state(self, memory: Memory[Tensor]) -> Float[Tensor, "batch state"]:
        """s_0."""
        return self.begin(memory)

    def look(
        self, queries: Float[Tensor, "batch target state"], memory: Memory[Tensor]
    ) -> Float[Tensor, "batch target source"]:
        """Where to look at each step: α_i = softmax_j a(s_i, h_j)."""
        return attention_weights(self.score.compare(queries, memory.keys), memory.readable)

    def step(
        self,
        previous_state: Float[Tensor, "batch state"],
        previous: Float[Tensor, "batch embedding"],
        memory: Memory[Tensor],
    ) -> Step[Tensor]:
        """One step: move on to s_i, and only then look and average what is seen."""
        state = self.move(previous_state, previous.unsqueeze(1)).squeeze(1)  # s_i
        query = state if self.asks_with == "after" else previous_state
        weights = self.look(query.unsqueeze(1), memory)  # α_i
        context = context_vectors(weights, memory.annotations).squeeze(1)  # c_i
        return Step(state, context, weights.squeeze(1))

    def forward(
        self, memory: Memory[Tensor], inputs: Int[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target symbol"], Float[Tensor, "batch target source"]]:
        """All steps at once, each given the right previous symbol: logits and weights.

        ``inputs`` are the symbols y_0 .. y_{m-1}, where y_0 stands for the start. The result is the
        same as that of m calls of `step`, but without a loop.
        """
        expect_inputs(memory, inputs, self.embedding)
        first = self.first_state(memory)  # s_0
        states = self.move(first, self.embedding(inputs.long()))  # s_1 .. s_m
        weights = self.look(self.queries(first, states), memory)
        contexts = context_vectors(weights, memory.annotations)
        return self.logits(states, contexts), weights
