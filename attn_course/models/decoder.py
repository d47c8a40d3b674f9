"""The interface of every decoder, and what attending decoders share."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Protocol, TypeVar, runtime_checkable

import torch
from jaxtyping import Float, Int, Integer
from torch import Tensor, nn

from attn_course._check import expect_symbols
from attn_course._signature import checked, expect
from attn_course._values import Count, CountOrZero, Directions, describe, expect_count, one_of
from attn_course.alignment import SCORES, Score
from attn_course.context import context_vectors
from attn_course.models._modules import SeesParts

ScoreName = Annotated[str, one_of(SCORES)]
K = TypeVar("K")  # the keys: a tensor, or keys and values for each layer
S = TypeVar("S")  # the state: a tensor, or a named tuple of tensors


@dataclass(frozen=True)
class Memory(Generic[K]):
    """What a decoder may look at, computed once per source.

    annotations  (batch source annotation)    the h_j, which the context averages
    keys         (batch source key)           what the score prepares from them, U_a h_j; in a
                                              Transformer keys and values, for each layer
    readable     (batch 1 source) or None     boolean, False on padding; None if there is none
    """

    annotations: Tensor
    keys: K
    readable: Tensor | None


@dataclass(frozen=True)
class Step(Generic[S]):
    """One decoder step: the new state, the context of this step, and its weights on the source.

        state, context, weights = decoder.step(...)

    state    (batch state); some decoders have a named tuple of tensors instead
    context  (batch annotation)
    weights  (batch source)
    """

    state: S
    context: Tensor
    weights: Tensor

    def __iter__(self) -> Iterator[Any]:
        """The three, in this order."""
        return iter((self.state, self.context, self.weights))


@runtime_checkable
class Writer(Protocol, metaclass=SeesParts):
    """What a search calls; it passes memory, state and embedding on without looking inside."""

    def embedding(self, symbols: Tensor, /) -> Any:
        """What `step` is given of the symbols (batch) written last."""
        ...

    def first_state(self, memory: Any) -> Any:
        """The state before the first step."""
        ...

    def step(self, previous_state: Any, previous: Any, memory: Any) -> Iterable[Any]:
        """The new state, its context and the weights (batch source)."""
        ...

    def logits(self, states: Any, contexts: Any) -> Tensor:
        """(batch symbol): what to write, given what a step has returned."""
        ...


@runtime_checkable
class Decoder(Writer, Protocol[K, S]):
    """What a `Translator`, training and search need of a decoder, which is a module too.

    K is the type of what it prepares from the annotations, S that of its state.
    """

    def read(self, annotations: Tensor, readable: Tensor | None = None) -> Memory[K]:
        """Compute, once per source, everything that is the same at all steps."""
        ...

    def first_state(self, memory: Memory[K]) -> S:
        """The state before the first step."""
        ...

    def step(self, previous_state: S, previous: Tensor, memory: Memory[K]) -> Step[S]:
        """One step, given the embedding (batch embedding) of the symbol before."""
        ...

    def logits(self, states: S, contexts: Tensor) -> Tensor:
        """(batch symbol): what to write, given what `step` has returned."""
        ...

    def forward(self, memory: Memory[K], inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (batch target symbol) and weights (batch target source) of all steps."""
        ...

    def __call__(self, memory: Memory[K], inputs: Tensor) -> tuple[Tensor, Tensor]:
        """``forward``, as of every module."""
        ...


@checked
@dataclass(frozen=True)
class Sizes:
    """The sizes of a recurrent decoder.

    vocabulary_size  target symbols
    embedding_size   of a target symbol
    state_size       of s_i
    annotation_size  of h_j; with two directions its second half is the backward one
    hidden_size      of the score's network, if it has one
    max_source       longest source, needed only by the location score
    directions       of the encoder, 2 or 1
    """

    vocabulary_size: Count
    embedding_size: Count
    state_size: Count
    annotation_size: Count
    hidden_size: CountOrZero = 64
    max_source: CountOrZero = 64
    directions: Directions = 2

    def __post_init__(self):
        expect_count("annotation_size", self.annotation_size, least=self.directions)


class AttendingDecoder(nn.Module):
    """What attending decoders share: symbols, a score, and a first state made from the source.

        s_0 = tanh(W_s h←_1)                       Bahdanau et al. 2015, A.2.2

    The backward half of the first annotation is the last state of the backward encoder, which by
    then has read the whole source. With an encoder of one direction, the last annotation takes its
    place: s_0 = tanh(W_s h_n).

    sizes  `Sizes`
    score  a name in `SCORES`, or a `Score` made for these sizes
    """

    @checked
    def __init__(self, sizes: Sizes, score: ScoreName | Score):
        super().__init__()
        query, key = sizes.state_size, sizes.annotation_size
        self.embedding = nn.Embedding(sizes.vocabulary_size, sizes.embedding_size)
        if isinstance(score, Score):
            score.expect_sizes(query, key)
        else:
            score = make_score(score, query, key, sizes.hidden_size, sizes.max_source)
        self.score = score
        self.directions = sizes.directions
        self.start = nn.Linear(key // sizes.directions, query)  # W_s

    def read(self, annotations: Tensor, readable: Tensor | None = None) -> Memory[Tensor]:
        """Compute, once per source, everything that is the same at all steps."""
        expect(Float[Tensor, "batch source annotation"], annotations=annotations)
        self.score.check_keys(annotations)
        return Memory(annotations, self.score.prepare(annotations), readable)

    def begin(self, memory: Memory[Tensor]) -> Float[Tensor, "batch state"]:
        """s_0 = tanh(W_s h←_1), or tanh(W_s h_n): from the encoder's state after all symbols."""
        if self.directions == 1:
            read_all = context_vectors(last_place(memory), memory.annotations).squeeze(1)
        else:
            read_all = memory.annotations[:, 0].chunk(2, dim=-1)[1]
        return torch.tanh(self.start(read_all))


class RecurrentDecoder(AttendingDecoder):
    """Look at the source before each step; subclasses say where, in ``look``.

        c_i = Σ_j α_ij h_j         s_i = f(s_{i-1}, y_{i-1}, c_i)         f is a GRU cell
        p(y_i) = softmax(W_o [s_i ; c_i])

    The arguments are those of `AttendingDecoder`.
    """

    @checked
    def __init__(self, sizes: Sizes, score: ScoreName | Score = "additive"):
        super().__init__(sizes, score)
        state, annotation = sizes.state_size, sizes.annotation_size
        self.cell = nn.GRUCell(sizes.embedding_size + annotation, state)  # f
        self.readout = nn.Linear(state + annotation, sizes.vocabulary_size)  # W_o

    def first_state(self, memory: Memory[Tensor]) -> Float[Tensor, "batch state"]:
        """s_0."""
        return self.begin(memory)

    def look(
        self, previous_state: Float[Tensor, "batch state"], memory: Memory[Tensor]
    ) -> Float[Tensor, "batch 1 source"]:
        """α_i, where to look before the step."""
        raise NotImplementedError(f"{type(self).__name__} does not say where it looks")

    def step(
        self,
        previous_state: Float[Tensor, "batch state"],
        previous: Float[Tensor, "batch embedding"],
        memory: Memory[Tensor],
    ) -> Step[Tensor]:
        """One step: look, average what is seen, and only then move on to s_i."""
        weights = self.look(previous_state, memory)  # α_i
        context = context_vectors(weights, memory.annotations).squeeze(1)  # c_i
        state = self.cell(torch.cat([previous, context], dim=-1), previous_state)  # s_i
        return Step(state, context, weights.squeeze(1))

    def logits(self, states: Tensor, contexts: Tensor) -> Tensor:
        """W_o [s_i ; c_i], for one step or for all."""
        return self.readout(torch.cat([states, contexts], dim=-1))

    def forward(
        self, memory: Memory[Tensor], inputs: Int[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target symbol"], Float[Tensor, "batch target source"]]:
        """All steps, each given the right previous symbol (teacher forcing): logits and weights.

        ``inputs`` are the symbols y_0 .. y_{m-1}, where y_0 stands for the start.
        """
        expect_inputs(memory, inputs, self.embedding)
        state = self.first_state(memory)
        steps: list[Step[Tensor]] = []
        for previous in self.embedding(inputs.long()).unbind(dim=1):
            steps.append(self.step(state, previous, memory))
            state = steps[-1].state
        states, contexts, weights = (torch.stack(part, dim=1) for part in zip(*steps, strict=True))
        return self.logits(states, contexts), weights


class Unasked(Score):
    """In place of a score, for a decoder that looks without one."""

    def compare(self, queries: Tensor, prepared: Tensor) -> Tensor:
        """Refuse: there is nothing to compare."""
        raise TypeError("this decoder looks without a score, so it cannot compare")


@checked
def make_score(
    name: ScoreName,
    query_size: Count,
    key_size: Count,
    hidden_size: CountOrZero,
    max_source: CountOrZero,
) -> Score:
    """The score of this name in `SCORES`, made for these sizes; 0 for any it does not take."""
    return SCORES[name].of_sizes(query_size, key_size, hidden_size, max_source)


def last_place(memory: Memory[Any]) -> Float[Tensor, "batch 1 source"]:
    """All the weight on the last position that may be read."""
    source = memory.annotations.shape[1]
    one_hot = nn.functional.one_hot(real_lengths(memory) - 1, source)
    return one_hot.to(memory.annotations.dtype).unsqueeze(1)


def real_lengths(memory: Memory[Any]) -> Int[Tensor, "batch"]:
    """How many positions of each source are real."""
    if memory.readable is not None:
        return memory.readable.squeeze(1).sum(dim=-1)
    batch, source, _ = memory.annotations.shape
    return torch.full((batch,), source, device=memory.annotations.device)


@checked
def expect_inputs(
    memory: Memory[Any], inputs: Integer[Tensor, "batch target"], embedding: nn.Embedding
) -> None:
    """Check the given symbols y_0 .. y_{m-1}, and raise an error that says what is wrong."""
    if inputs.shape[1] == 0:
        raise ValueError(f"inputs must hold at least 1 symbol per target; got {describe(inputs)}")
    if len(inputs) != len(memory.annotations):
        raise ValueError(
            f"inputs must have the annotations' batch size, {len(memory.annotations)}; "
            f"got {describe(inputs)}"
        )
    expect_symbols("inputs", inputs, embedding.num_embeddings)
