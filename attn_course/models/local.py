"""Local attention, of Luong, Pham and Manning: each look reads only near one position."""

from typing import Literal, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_course import masks
from attn_course._signature import checked
from attn_course._values import Count
from attn_course.alignment import Score
from attn_course.context import context_vectors
from attn_course.models.decoder import (
    Memory,
    ScoreName,
    Sizes,
    Step,
    expect_inputs,
    real_lengths,
)
from attn_course.models.luong import AsksWith, MovingDecoder
from attn_course.weights import attention_weights

Attention = Literal["global", "local-m", "local-p"]
ATTENTIONS: tuple[Attention, ...] = ("global", "local-m", "local-p")


class Carried(NamedTuple):
    """What one step passes to the next where the state alone is not enough.

    state        (batch state)  s_i
    number       (batch)        how many symbols have been written, i
    attentional  (batch state)  s~_i, only for input feeding
    """

    state: Tensor
    number: Tensor
    attentional: Tensor | None = None


class LocalDecoder(MovingDecoder):
    """Luong's decoder with a window: read D positions to each side of a centre, and no others.

        p_i  = i                                    local-m: the target keeps the source's order
        p_i  = S · sigmoid(v_p · tanh(W_p s_i))     local-p: predicted, equation 9
        α_ij = softmax_j(e_i) where |j - p_i| ≤ D   otherwise 0, equation 7
        α_ij = that · exp(-(j - p_i)² / (2 σ²))     local-p only, σ = D/2, equation 10
                                                    Luong et al. 2015, section 3.2

    Where a window should lie cannot be learnt from its edges, since what they cut off sends no
    gradient. So local-p's weights are multiplied by a bell curve around p_i, through which the
    centre is learnt. They then no longer sum to 1: the farther a look lies from the centre, the
    fainter it is.

    S is the length of the source; i and j count from 0. Beyond the end of the source, for which the
    paper has no rule, local-m stays on the last position. "global" is `LuongDecoder` itself.

    The arguments are those of `LuongDecoder`, and

    attention   one of `ATTENTIONS`
    half_width  D, a whole number of positions
    """

    @checked
    def __init__(
        self,
        sizes: Sizes,
        score: ScoreName | Score = "general",
        asks_with: AsksWith = "after",
        attention: Attention = "local-p",
        half_width: Count = 2,
    ):
        super().__init__(sizes, score, asks_with)
        state = sizes.state_size
        self.attention, self.half_width = attention, half_width
        if attention == "local-p":
            self.place_hidden = nn.Linear(state, state, bias=False)  # W_p
            self.place = nn.Linear(state, 1, bias=False)  # v_p

    def first_state(self, memory: Memory[Tensor]) -> Carried:
        """s_0, as in `AttendingDecoder`, and 0 symbols written so far."""
        state = self.begin(memory)
        return Carried(state, torch.zeros(len(state), dtype=torch.long, device=state.device))

    def centres(
        self,
        queries: Float[Tensor, "batch target state"],
        memory: Memory[Tensor],
        numbers: Int[Tensor, "batch target"],
    ) -> Float[Tensor, "batch target"]:
        """p_i for each step, given its number."""
        lengths = real_lengths(memory).unsqueeze(1).to(queries.dtype)
        if self.attention == "local-m":
            return torch.minimum(numbers.to(queries.dtype), lengths - 1)
        position = self.place(torch.tanh(self.place_hidden(queries))).squeeze(-1)
        return lengths * torch.sigmoid(position)

    def look(
        self,
        queries: Float[Tensor, "batch target state"],
        memory: Memory[Tensor],
        numbers: Int[Tensor, "batch target"],
    ) -> Float[Tensor, "batch target source"]:
        """The weights of each step, within the window around p_i; ``numbers`` counts the steps."""
        scores = self.score.compare(queries, memory.keys)
        if self.attention == "global":
            return attention_weights(scores, memory.readable)
        centres = self.centres(queries, memory, numbers)
        source = memory.annotations.shape[1]
        window = masks.local_window(centres.detach(), source, self.half_width)
        if memory.readable is not None:
            window = window & memory.readable
        weights = attention_weights(scores, window)
        if self.attention == "local-p":
            weights = weights * _bell(centres, source, self.half_width / 2)
        return weights

    def step(
        self,
        previous_state: Carried,
        previous: Float[Tensor, "batch embedding"],
        memory: Memory[Tensor],
    ) -> Step[Carried]:
        """One step: move on to s_i, and only then look near p_i."""
        before, number, _ = previous_state
        state = self.move(before, previous.unsqueeze(1)).squeeze(1)  # s_i
        query = state if self.asks_with == "after" else before
        weights = self.look(query.unsqueeze(1), memory, number.unsqueeze(1))  # α_i
        context = context_vectors(weights, memory.annotations).squeeze(1)  # c_i
        return Step(Carried(state, number + 1), context, weights.squeeze(1))

    def logits(self, states: Tensor | Carried, contexts: Tensor) -> Tensor:
        """W_o tanh(W_c [c_i ; s_i]), for one step or for all."""
        return super().logits(states.state if isinstance(states, Carried) else states, contexts)

    def forward(
        self, memory: Memory[Tensor], inputs: Int[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target symbol"], Float[Tensor, "batch target source"]]:
        """All steps at once, each given the right previous symbol: logits and weights."""
        expect_inputs(memory, inputs, self.embedding)
        first = self.first_state(memory).state  # s_0
        states = self.move(first, self.embedding(inputs.long()))  # s_1 .. s_m
        numbers = torch.arange(inputs.shape[1], device=inputs.device).expand(inputs.shape)
        weights = self.look(self.queries(first, states), memory, numbers)
        contexts = context_vectors(weights, memory.annotations)
        return self.logits(states, contexts), weights


def _bell(
    centres: Float[Tensor, "batch target"], source: int, sigma: float | int
) -> Float[Tensor, "batch target source"]:
    """exp(-(j - p_i)² / (2 σ²)) for each position j of a source, 1 at the centre."""
    positions = torch.arange(source, dtype=centres.dtype, device=centres.device)
    return torch.exp(-((positions - centres.unsqueeze(-1)) ** 2) / (2 * sigma**2))
