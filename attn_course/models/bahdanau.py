"""The attending decoder of Bahdanau, Cho and Bengio: look before each step."""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_course._check import expect_symbols, expect_tensor, is_whole
from attn_course._values import (
    describe,
    expect_choice,
    expect_count,
    expect_counts,
    expect_directions,
    expect_kind,
)
from attn_course.alignment import SCORES, Score
from attn_course.context import context_vectors
from attn_course.weights import attention_weights


class Memory(NamedTuple):
    """What a decoder may look at, computed once per source.

    annotations  (batch source annotation)    the h_j, which the context averages
    keys         (batch source key)           what the score prepares from them, U_a h_j
    readable     (batch 1 source) or None     boolean, False on padding; None if there is none
    """

    annotations: Tensor
    keys: Tensor
    readable: Tensor | None


class Step(NamedTuple):
    """One decoder step: the new state, the context that entered it, and the context's weights.

    state    (batch state); some decoders have a named tuple of tensors instead
    context  (batch annotation)
    weights  (batch source)
    """

    state: Tensor
    context: Tensor
    weights: Tensor


class AttendingDecoder(nn.Module):
    """What attending decoders share: symbols, a score, and a first state made from the source.

        s_0 = tanh(W_s h←_1)                       Bahdanau et al. 2015, A.2.2

    The backward half of the first annotation is the last state of the backward encoder, which by
    then has read the whole source. With an encoder of one direction, the last annotation takes its
    place: s_0 = tanh(W_s h_n).

    vocabulary_size  target symbols
    embedding_size   of a target symbol
    state_size       of s_i
    annotation_size  of h_j; with two directions its second half is the backward one
    score            a name in `SCORES`, or a `Score` made for these sizes
    hidden_size      of the score's network, if it has one
    max_source       longest source, needed only by the location score
    directions       of the encoder, 2 or 1
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int,
        state_size: int,
        annotation_size: int,
        score: str | Score,
        *,
        hidden_size: int = 64,
        max_source: int = 64,
        directions: int = 2,
    ):
        super().__init__()
        vocabulary_size, embedding_size, state_size = expect_counts(
            vocabulary_size=vocabulary_size, embedding_size=embedding_size, state_size=state_size
        )
        directions = expect_directions(directions)
        expect_count("annotation_size", annotation_size, least=directions)
        self.embedding = nn.Embedding(vocabulary_size, embedding_size)
        if isinstance(score, Score):
            score.expect_sizes(state_size, annotation_size)
        else:
            score = make_score(score, state_size, annotation_size, hidden_size, max_source)
        self.score = score
        self.directions = directions
        self.start = nn.Linear(annotation_size // directions, state_size)  # W_s

    def read(self, annotations: Tensor, readable: Tensor | None = None) -> Memory:
        """Compute, once per source, everything that is the same at all steps."""
        expect_tensor("annotations", annotations, "batch source annotation")
        self.score.check_keys(annotations)
        return Memory(annotations, self.score.prepare(annotations), readable)

    def first_state(self, memory: Memory) -> Float[Tensor, "batch state"]:
        """s_0 = tanh(W_s h←_1), or tanh(W_s h_n): from the encoder's state after all symbols."""
        if self.directions == 1:
            read_all = context_vectors(last_place(memory), memory.annotations).squeeze(1)
        else:
            read_all = memory.annotations[:, 0].chunk(2, dim=-1)[1]
        return torch.tanh(self.start(read_all))

    def check_inputs(self, memory: Memory, inputs: Tensor) -> None:
        """Check the given symbols y_0 .. y_{m-1}, and raise an error that says what is wrong."""
        expect_kind("memory", memory, Memory)
        if not is_whole(inputs) or inputs.dim() != 2 or inputs.shape[1] == 0:
            raise ValueError(
                f"inputs must be symbol numbers (batch target), at least one per target; "
                f"got {describe(inputs)}"
            )
        if len(inputs) != len(memory.annotations):
            raise ValueError(
                f"inputs must have the annotations' batch size, {len(memory.annotations)}; "
                f"got {describe(inputs)}"
            )
        expect_symbols("inputs", inputs, self.embedding.num_embeddings)


class BahdanauDecoder(AttendingDecoder):
    """Write one symbol after another, and look at the source before each.

        e_ij = a(s_{i-1}, h_j)     α_i = softmax_j(e_i)     c_i = Σ_j α_ij h_j
        s_i  = f(s_{i-1}, y_{i-1}, c_i)                        f is a GRU cell
        p(y_i) = softmax(W_o [s_i ; c_i])                      Bahdanau et al. 2015, section 3.1

    Looking comes first: the query is the state *before* the step, so the decoder must know in
    s_{i-1} what it will need next. (Luong's decoder queries with s_i.) Our readout omits the
    paper's maxout layer and y_{i-1}.

    The arguments are those of `AttendingDecoder`.
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int,
        state_size: int,
        annotation_size: int,
        score: str | Score = "additive",
        *,
        hidden_size: int = 64,
        max_source: int = 64,
        directions: int = 2,
    ):
        super().__init__(
            vocabulary_size,
            embedding_size,
            state_size,
            annotation_size,
            score,
            hidden_size=hidden_size,
            max_source=max_source,
            directions=directions,
        )
        self.cell = nn.GRUCell(embedding_size + annotation_size, state_size)  # f
        self.readout = nn.Linear(state_size + annotation_size, vocabulary_size)  # W_o

    def look(
        self, previous_state: Float[Tensor, "batch state"], memory: Memory
    ) -> Float[Tensor, "batch 1 source"]:
        """Where to look before the step: α_i = softmax_j a(s_{i-1}, h_j)."""
        scores = self.score.compare(previous_state.unsqueeze(1), memory.keys)
        return attention_weights(scores, memory.readable)

    def step(
        self,
        previous_state: Float[Tensor, "batch state"],
        previous: Float[Tensor, "batch embedding"],
        memory: Memory,
    ) -> Step:
        """One step: look, average what is seen, and only then move on to s_i."""
        weights = self.look(previous_state, memory)  # α_i
        context = context_vectors(weights, memory.annotations).squeeze(1)  # c_i
        state = self.cell(torch.cat([previous, context], dim=-1), previous_state)  # s_i
        return Step(state, context, weights.squeeze(1))

    def logits(self, states: Tensor, contexts: Tensor) -> Tensor:
        """W_o [s_i ; c_i], for one step or for all."""
        return self.readout(torch.cat([states, contexts], dim=-1))

    def forward(
        self, memory: Memory, inputs: Int[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target symbol"], Float[Tensor, "batch target source"]]:
        """All steps, each given the right previous symbol (teacher forcing): logits and weights.

        ``inputs`` are the symbols y_0 .. y_{m-1}, where y_0 stands for the start.
        """
        self.check_inputs(memory, inputs)
        state = self.first_state(memory)
        steps = []
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


def last_place(memory: Memory) -> Float[Tensor, "batch 1 source"]:
    """All the weight on the last position that may be read."""
    batch, source, _ = memory.annotations.shape
    if memory.readable is None:
        last = torch.full((batch,), source - 1, device=memory.annotations.device)
    else:
        last = memory.readable.squeeze(1).sum(dim=-1) - 1
    one_hot = nn.functional.one_hot(last, source).to(memory.annotations.dtype)
    return one_hot.unsqueeze(1)


def make_score(
    name: str, query_size: int, key_size: int, hidden_size: int, max_source: int
) -> Score:
    """The score of this name in `SCORES`, made for these sizes."""
    expect_choice("score", name, SCORES)
    expect_count("hidden_size", hidden_size, least=0)  # 0 is for a score that has none
    expect_count("max_source", max_source, least=0)
    return SCORES[name].of_sizes(query_size, key_size, hidden_size, max_source)
