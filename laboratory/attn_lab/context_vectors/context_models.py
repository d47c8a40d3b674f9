"""The date readers of the experiment `contexts`, and the dates that they read.

Each reader differs in one place from the model of Bahdanau et al. 2015, as `attn_course.models` has
it: in the annotations, in what is made of them, or in where the result goes.
"""

from functools import cache, lru_cache
from typing import NamedTuple

import torch
from torch import Tensor, nn

from attn_course.context import context_vectors
from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.decoder import Memory, Sizes, Step, Unasked
from attn_course.models.encoder import Encoder
from attn_course.models.translator import Translator
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.dates import DatePair, date_pairs, date_vocabularies
from attn_course.tasks.vocabulary import Vocabulary
from attn_lab.measuring import parameters

LOCALES = ("de", "en_GB", "es", "fr", "pl", "ru")  # all put the day before the month
EMBEDDING, ANNOTATION, STATE = 32, 64, 64
LONGEST = 40  # the longest source that fits when all annotations are concatenated


class Design(NamedTuple):
    """How one reader differs from the others.

    encoder  from which side the annotations are made: "both", "forward" or "backward"
    pool     what is made of them: "attention", "mean", "sum" or "concatenate"
    entry    where the context enters: "cell and readout", "cell", "readout" or "tanh"
    """

    encoder: str = "both"
    pool: str = "attention"
    entry: str = "cell and readout"


DESIGNS = {
    "attention": Design(),
    "mean": Design(pool="mean"),
    "sum": Design(pool="sum"),
    "concatenate": Design(pool="concatenate"),
    "forward": Design(encoder="forward"),
    "backward": Design(encoder="backward"),
    "cell": Design(entry="cell"),
    "readout": Design(entry="readout"),
    "tanh": Design(entry="tanh"),
}
DIRECTIONS = ("attention", "forward", "backward")
POOLS = ("attention", "mean", "sum", "concatenate")
ENTRIES = ("attention", "cell", "readout", "tanh")


class BackwardEncoder(Encoder):
    """Annotate each symbol with what comes after it: one direction, from the end."""

    def forward(self, sources: Tensor, lengths: Tensor) -> Tensor:
        """The annotations of the reversed source, put back in order."""
        return turned(super().forward(turned(sources, lengths), lengths), lengths)


def turned(rows: Tensor, lengths: Tensor) -> Tensor:
    """Each row (source ...) of a batch read from its end; padding stays where it is."""
    index = torch.arange(rows.shape[1], device=rows.device)
    index = torch.where(index < lengths[:, None], lengths[:, None] - 1 - index, index)
    return rows.gather(1, index) if rows.dim() == 2 else rows.take_along_dim(index[..., None], 1)


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

    So all that it knows of the source comes through the contexts.
    """

    def __init__(self, symbols: int, state_size: int, annotation_size: int, score="additive"):
        super().__init__(Sizes(symbols, 16, state_size, annotation_size, 32), score)
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
    """Every readable position weighs the same, whatever the state is."""

    def look(self, previous_state, memory):
        """α_ij = 1 / n."""
        return uniform(memory)


class ConcatenateReader(Reader):
    """The decoder is given all annotations at every step, one written after the other.

    A linear map first shrinks them to the size of 3 states. Its product with the cell's own matrix
    has the highest rank that the cell can use, so nothing is lost by not giving them to the cell
    directly.
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
        """There is only one thing to look at."""
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
    "cell and readout": Reader,
    "cell": CellReader,
    "readout": ReadoutReader,
    "tanh": TanhReader,
}


def build(design: Design, state_size: int | None = None) -> Translator:
    """One untrained reader, by default with the state size of its design."""
    if design not in DESIGNS.values():
        raise ValueError(f"design must be one of DESIGNS; got {design!r}")
    source, target = (len(vocabulary) for vocabulary in vocabularies())
    if design.encoder == "both":
        encoder = Encoder(source, EMBEDDING, ANNOTATION // 2)
    else:  # one direction has the annotation to itself
        kind = BackwardEncoder if design.encoder == "backward" else Encoder
        encoder = kind(source, EMBEDDING, ANNOTATION, directions=1)
    decoder = READERS[design.entry if design.pool == "attention" else design.pool]
    size = state_size or state_sizes()[design]
    return Translator(encoder, decoder(target, size, ANNOTATION))


@cache
def state_sizes() -> dict[Design, int]:
    """The state size of each design; those in `ENTRIES` have nearly as many parameters."""
    sizes, tried = dict.fromkeys(DESIGNS.values(), STATE), range(STATE, 2 * STATE)
    with torch.random.fork_rng():  # leaves the caller's random numbers alone
        wanted = parameters(build(Design(), STATE))
        for name in ENTRIES:
            design = DESIGNS[name]
            sizes[design] = min(
                tried, key=lambda size: abs(parameters(build(design, size)) - wanted)
            )
    return sizes


# ---- the dates: a seed redraws all of them


@cache
def vocabularies() -> tuple[Vocabulary, Vocabulary]:
    """The vocabularies of source and target, which do not depend on a seed."""
    return date_vocabularies(LOCALES)


@lru_cache(maxsize=4)
def training_pairs(seed: int) -> list[DatePair]:
    """The 16,000 dates that a seed trains on."""
    return date_pairs(16_000, seed=seed, locales=LOCALES)


@lru_cache(maxsize=4)
def corpus(seed: int) -> Corpus:
    """The same dates as a corpus."""
    return Corpus(training_pairs(seed), *vocabularies())


@lru_cache(maxsize=4)
def test_pairs(seed: int) -> list[DatePair]:
    """2,000 dates of days that are never trained on."""
    return date_pairs(2_000, seed=1_000 + seed, days="test", locales=LOCALES)


def validation_pairs(seed: int) -> list[DatePair]:
    """About 2,000 dates that are not among the training dates of a seed; no test days."""
    trained_on = {pair.source for pair in training_pairs(seed)}
    drawn = date_pairs(4_000, seed=1_000 + seed, locales=LOCALES)
    return [pair for pair in drawn if pair.source not in trained_on][:2_000]
