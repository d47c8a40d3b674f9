"""Input feeding, of Luong, Pham and Manning: the decoder is told what it has seen."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_course.alignment import Score
from attn_course.models.bahdanau import Memory, Step
from attn_course.models.local import Carried, LocalDecoder


class InputFeedingDecoder(LocalDecoder):
    """Luong's decoder, in which each step is also given the attentional vector of the one before.

        s_i  = f(s_{i-1}, [y_{i-1} ; s~_{i-1}])                s~_0 = 0
        s~_i = tanh(W_c [c_i ; s_i])                           Luong et al. 2015, section 3.3

    Without it no state knows where the decoder has looked, so nothing but the symbols written
    keeps it from reading a place twice. The price is a loop: each state waits for the previous
    look, as in Bahdanau's decoder.

    The arguments are those of `LocalDecoder`; ``attention`` is "global" by default.
    """

    def __init__(
        self,
        *arguments: int | str | Score,
        attention: str = "global",
        **options: int | str | Score,
    ):
        super().__init__(*arguments, attention=attention, **options)
        embedding_size, state_size = self.embedding.embedding_dim, self.combine.out_features
        self.rnn = nn.GRU(int(embedding_size + state_size), int(state_size), batch_first=True)  # f

    def first_state(self, memory: Memory) -> Carried:
        """s_0, and an attentional vector of zeros, since nothing has been seen."""
        first = super().first_state(memory)
        return first._replace(attentional=torch.zeros_like(first.state))

    def step(
        self,
        previous_state: Carried,
        previous: Float[Tensor, "batch embedding"],
        memory: Memory,
    ) -> Step:
        """One step: move on with what was last seen, look, and keep s~_i for the next step."""
        fed = torch.cat([previous, previous_state.attentional], dim=-1)
        carried, context, weights = super().step(previous_state, fed, memory)
        attentional = self.attentional(carried.state, context)  # s~_i
        return Step(carried._replace(attentional=attentional), context, weights)

    def forward(
        self, memory: Memory, inputs: Int[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target symbol"], Float[Tensor, "batch target source"]]:
        """All steps in turn, each given the right previous symbol: logits and weights."""
        self.check_inputs(memory, inputs)
        carried = self.first_state(memory)
        attentional, weights = [], []
        for previous in self.embedding(inputs.long()).unbind(dim=1):
            carried, _, looked = self.step(carried, previous, memory)
            attentional.append(carried.attentional)
            weights.append(looked)
        return self.readout(torch.stack(attentional, dim=1)), torch.stack(weights, dim=1)
