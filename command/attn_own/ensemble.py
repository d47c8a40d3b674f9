"""Several translators that write one target together."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from attn_course._signature import checked
from attn_course._values import Some
from attn_course.models._modules import Modules
from attn_course.models.decoder import Decoder
from attn_course.models.translator import Translator


class Together(NamedTuple):
    """The decoders of an `Ensemble`, with the methods that a search calls.

    Memory, state, embedding and context are tuples with an entry for each decoder; the weights are
    the mean of theirs.
    """

    decoders: tuple[Decoder[Any, Any], ...]

    def first_state(self, memory: tuple[Any, ...]) -> tuple[Any, ...]:
        """The first state of each."""
        return tuple(d.first_state(m) for d, m in zip(self.decoders, memory, strict=True))

    def embedding(self, symbols: Tensor) -> tuple[Tensor, ...]:
        """Each decoder's own embedding of the symbols."""
        return tuple(decoder.embedding(symbols) for decoder in self.decoders)

    def step(
        self, previous_state: tuple[Any, ...], previous: tuple[Tensor, ...], memory: tuple[Any, ...]
    ) -> tuple[tuple[Any, ...], tuple[Tensor, ...], Tensor]:
        """A step of each: states, contexts, and the mean of the weights."""
        parts = zip(self.decoders, previous_state, previous, memory, strict=True)
        steps = [decoder.step(state, embedding, own) for decoder, state, embedding, own in parts]
        states = tuple(step.state for step in steps)
        contexts = tuple(step.context for step in steps)
        return states, contexts, torch.stack([step.weights for step in steps]).mean(dim=0)

    def logits(self, states: tuple[Any, ...], contexts: tuple[Tensor, ...]) -> Tensor:
        """The logarithm of the mean probability."""
        parts = zip(self.decoders, states, contexts, strict=True)
        return mixed([decoder.logits(state, context) for decoder, state, context in parts])


class Ensemble(nn.Module):
    """Translators that were trained from different seeds, and decide on each symbol together.

        p(y_i | y_1 .. y_{i-1}, x) = 1/K Σ_k p_k(y_i | y_1 .. y_{i-1}, x)

    Mistakes that come from the seed differ from model to model, so the mean has fewer (Hansen &
    Salamon 1990). All are given the symbols that were chosen together, which is why the mean is
    taken at each step and not over whole answers (Sutskever et al. 2014 decode in this way).

    members  at least one `Translator`; all have the same symbols
    """

    @checked
    def __init__(self, members: Some[Translator]):
        super().__init__()
        self.members: Modules[Translator] = Modules(members)

    @property
    def decoder(self) -> Together:
        """The decoder that a search calls."""
        return Together(tuple(member.decoder for member in self.members))

    def read(self, sources: Tensor, lengths: Tensor) -> tuple[Any, ...]:
        """The memory of each member."""
        return tuple(member.read(sources, lengths) for member in self.members)

    def forward(self, sources: Tensor, lengths: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and mean weights for each target step, given the target's earlier symbols."""
        outputs = [member(sources, lengths, targets) for member in self.members]
        logits, weights = zip(*outputs, strict=True)
        return mixed(logits), torch.stack(weights).mean(dim=0)


def mixed(logits: Sequence[Tensor]) -> Tensor:
    """ln 1/K Σ_k softmax(logits_k): logits of the mean probability."""
    logs = torch.stack([member.log_softmax(dim=-1) for member in logits])
    return logs.logsumexp(dim=0) - math.log(len(logits))
