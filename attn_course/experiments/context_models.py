"""The date readers of the experiment `contexts`: what is averaged, and where the result goes.

Each differs in one place from the model of Bahdanau et al. 2015, as `attn_course.models` has it.
"""

import torch
from torch import Tensor, nn

from attn_course.context import context_vectors
from attn_course.models.bahdanau import BahdanauDecoder, Memory, Step, Unasked
from attn_course.models.encoder import Encoder

LONGEST = 40  # the longest source that there is a place for when all are concatenated


class BackwardEncoder(Encoder):
    """Annotate each symbol with what stands behind it: one direction, from the end."""

    def forward(self, sources: Tensor, lengths: Tensor) -> Tensor:
        """The annotations: those of the turned source, turned back."""
        return turned(super().forward(turned(sources, lengths), lengths), lengths)


def turned(rows: Tensor, lengths: Tensor) -> Tensor:
    """Each row (source ...) of a batch read from its end; padding stays behind."""
    place = torch.arange(rows.shape[1], device=rows.device)
    place = torch.where(place < lengths[:, None], lengths[:, None] - 1 - place, place)
    return rows.gather(1, place) if rows.dim() == 2 else rows.take_along_dim(place[..., None], 1)


def ones(memory: Memory) -> Tensor:
    """(batch 1 source): 1 for every readable position, 0 for padding."""
    weights = torch.ones_like(memory.annotations[:, None, :, 0])
    return weights if memory.readable is None else weights * memory.readable


def uniform(memory: Memory) -> Tensor:
    """(batch 1 source): 1 / (number of readable positions) for each of them."""
    weights = ones(memory)
    return weights / weights.sum(dim=-1, keepdim=True)


class Reader(BahdanauDecoder):
    """Bahdanau's decoder, but its first state knows nothing of the source.

    So all that it learns of the source comes through the contexts.
    """

    def __init__(self, symbols: int, state_size: int, annotation_size: int, score="additive"):
        super().__init__(symbols, 16, state_size, annotation_size, score, hidden_size=32)
        self.start = nn.Parameter(torch.zeros(state_size))

    def first_state(self, memory):
        """s_0 is the same for every source."""
        return torch.tanh(self.start).expand(len(memory.annotations), -1)


class SumReader(Reader):
    """The annotations are added up: there is no score, and all the weights are one."""

    def __init__(self, symbols: int, state_size: int, annotation_size: int):
        super().__init__(symbols, state_size, annotation_size, Unasked())

    def look(self, previous_state, memory):
        """α_ij = 1."""
        return ones(memory)


class MeanReader(SumReader):
    """Every readable position weighs the same, whatever the state wants."""

    def look(self, previous_state, memory):
        """α_ij = 1 / n."""
        return uniform(memory)


class ConcatenateReader(Reader):
    """The decoder is given all annotations at every step, one written after the other.

    A linear map takes them into 3 states' room first. Its product with the cell's own matrix has
    the rank that the cell can use, so nothing is lost against handing all of them to the cell.
    """

    def __init__(self, symbols: int, state_size: int, annotation_size: int):
        super().__init__(symbols, state_size, 3 * state_size, Unasked())
        self.places = nn.Linear(LONGEST * annotation_size, 3 * state_size)

    def read(self, annotations, readable=None):
        """W [h_1 ; h_2 ; ... ; h_LONGEST], zero where the source has ended."""
        missing = LONGEST - annotations.shape[1]
        if missing < 0:
            raise ValueError(f"at most {LONGEST} annotations fit; got {annotations.shape[1]}")
        filled = nn.functional.pad(annotations, (0, 0, 0, missing))  # padding is zero already
        return super().read(self.places(filled.flatten(1)).unsqueeze(1))

    def look(self, previous_state, memory):
        """There is but one thing to look at."""
        return torch.ones_like(memory.annotations[:, None, :, 0])


class CellReader(Reader):
    """The context enters the cell only: s_i = f(s_{i-1}, [y_{i-1} ; c_i]), p = softmax(W s_i)."""

    def __init__(self, symbols: int, state_size: int, annotation_size: int):
        super().__init__(symbols, state_size, annotation_size)
        self.readout = nn.Linear(state_size, symbols)

    def logits(self, states, contexts):
        """W_o s_i."""
        return self.readout(states)


class ReadoutReader(Reader):
    """The context enters the readout only: s_i = f(s_{i-1}, y_{i-1}), p = softmax(W [s_i; c_i])."""

    def __init__(self, symbols: int, state_size: int, annotation_size: int):
        super().__init__(symbols, state_size, annotation_size)
        self.cell = nn.GRUCell(16, state_size)

    def step(self, previous_state, previous, memory):
        """Look, average, and move on without what was seen."""
        weights = self.look(previous_state, memory)
        context = context_vectors(weights, memory.annotations).squeeze(1)
        return Step(self.cell(previous, previous_state), context, weights.squeeze(1))


class TanhReader(ReadoutReader):
    """The readout reads Luong's attentional vector: p = softmax(W_s tanh(W_c [c_i ; s_i]))."""

    def __init__(self, symbols: int, state_size: int, annotation_size: int):
        super().__init__(symbols, state_size, annotation_size)
        self.combine = nn.Linear(annotation_size + state_size, state_size, bias=False)
        self.readout = nn.Linear(state_size, symbols)

    def logits(self, states, contexts):
        """W_s tanh(W_c [c_i ; s_i])."""
        return self.readout(torch.tanh(self.combine(torch.cat([contexts, states], dim=-1))))


READERS = {
    "mean": MeanReader,
    "sum": SumReader,
    "concatenate": ConcatenateReader,
    "cell": CellReader,
    "readout": ReadoutReader,
    "tanh": TanhReader,
}
