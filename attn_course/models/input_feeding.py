"""Input feeding, of Luong, Pham and Manning: each step is given what the one before has seen."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_course._signature import checked
from attn_course._values import Count
from attn_course.alignment import Score
from attn_course.models.decoder import Memory, ScoreName, Sizes, Step, expect_inputs
from attn_course.models.local import Attention, Carried, LocalDecoder
from attn_course.models.luong import AsksWith


class InputFeedingDecoder(LocalDecoder):
    """Luong's decoder, in which each step is also given the attentional vector of the one before.

        s_i  = f(s_{i-1}, [y_{i-1} ; s~_{i-1}])                s~_0 = 0
        s~_i = tanh(W_c [c_i ; s_i])                           Luong et al. 2015, section 3.3

    Without it no state knows where the decoder has looked, so nothing but the symbols written
    keeps it from reading a position twice. The price is a loop: each state waits for the previous
    look, as in Bahdanau's decoder.

    The arguments are those of `LocalDecoder`; ``attention`` is "global" by default.
    """

    @checked
    def __init__(
        self,
        sizes: Sizes,
        score: ScoreName | Score = "general",
        asks_with: AsksWith = "after",
        attention: Attention = "global",
        half_width: Count = 2,
    ):
        super().__init__(sizes, score, asks_with, attention, half_width)
        state = sizes.state_size
        self.rnn = nn.GRU(sizes.embedding_size + state, state, batch_first=True)  # f

    def first_state(self, memory: Memory[Tensor]) -> Carried:
        """s_0, and an attentional vector of zeros, since nothing has been seen."""
        first = super().first_state(memory)
        return first._replace(attentional=torch.zeros_like(first.state))

    def step(
        self,
        previous_state: Carried,
        previous: Float[Tensor, "batch embedding"],
        memory: Memory[Tensor],
    ) -> Step[Carried]:
        """One step: move on with what was last seen, look, and keep s~_i for the next step."""
        fed = torch.cat([previous, _attentional(previous_state)], dim=-1)
        carried, context, weights = super().step(previous_state, fed, memory)
        attentional = self.attentional(carried.state, context)  # s~_i
        return Step(carried._replace(attentional=attentional), context, weights)

    def forward(
        self, memory: Memory[Tensor], inputs: Int[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target symbol"], Float[Tensor, "batch target source"]]:
        """All steps in turn, each given the right previous symbol: logits and weights."""
        expect_inputs(memory, inputs, self.embedding)
        carried = self.first_state(memory)
        attentional: list[Tensor] = []
        weights: list[Tensor] = []
        for previous in self.embedding(inputs.long()).unbind(dim=1):
            carried, _, step_weights = self.step(carried, previous, memory)
            attentional.append(_attentional(carried))
            weights.append(step_weights)
        return self.readout(torch.stack(attentional, dim=1)), torch.stack(weights, dim=1)


def _attentional(carried: Carried) -> Float[Tensor, "batch state"]:
    """s~_{i-1}, which `LocalDecoder` alone does without."""
    if carried.attentional is None:
        raise ValueError("the state holds no attentional vector; start from `first_state`")
    return carried.attentional
