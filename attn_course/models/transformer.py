"""The Transformer of Vaswani et al.: encoder and decoder without recurrence."""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_course import masks
from attn_course._check import expect_sources
from attn_course._signature import checked
from attn_course._values import Count
from attn_course.models.decoder import Memory, Step, expect_inputs
from attn_course.models.transformer_blocks import (
    BlockOutput,
    Design,
    Places,
    embedding,
    last_norm,
    stack,
)
from attn_course.self_attention import Kept

Layered = Memory[tuple[Kept, ...]]  # keys and values of the source, for each layer


class Cache(NamedTuple):
    """What one step passes to the next: the keys and values of all steps so far, by layer.

    layers  a `Kept` for each block; it has no positions before the first step
    """

    layers: tuple[Kept, ...]

    @property
    def written(self) -> int:
        """How many positions are kept: in a `TransformerDecoder`, the symbols given so far."""
        return self.layers[0].keys.shape[2]


class HeadWeights(NamedTuple):
    """The weights of all heads, one tensor for each layer.

    inside  (batch head target target) each: the sequence on itself
    across  (batch head target source) each: the decoder on the source; empty in an encoder
    """

    inside: list[Tensor]
    across: list[Tensor]


class TransformerEncoder(nn.Module):
    """Annotate each source symbol with what it found by asking all of them.

        x = embedding + place        x <- block(x), layer by layer        h_j = norm(x_j)
                                                    Vaswani et al. 2017, section 3.1

    Every pair of positions is one step apart, whatever lies between them, and all positions are
    computed at once. Without positions the encoder cannot tell "12" from "21": if the symbols are
    permuted, the annotations are permuted in the same way.

    Annotations of padded positions are zero.

    vocabulary_size  symbols, with padding as symbol 0
    layers           number of blocks
    design           what they are made of
    """

    @checked
    def __init__(self, vocabulary_size: Count, layers: Count = 2, design: Design | None = None):
        super().__init__()
        design = Design() if design is None else design
        self.annotation_size = design.size
        self.embedding = embedding(vocabulary_size, design.size)
        self.places = Places(design)
        self.blocks = stack(design, layers)
        self.norm = last_norm(design)

    def forward(
        self, sources: Int[Tensor, "batch source"], lengths: Int[Tensor, "batch"]
    ) -> Float[Tensor, "batch source annotation"]:
        """The annotations of each source; ``lengths`` says how much of a row is real."""
        annotations = self.norm(self._layers(sources, lengths)[-1].vectors)
        if (lengths == sources.shape[1]).all():
            return annotations
        return annotations * masks.padding(lengths, sources.shape[1]).transpose(1, 2)

    def head_weights(self, sources: Tensor, lengths: Tensor) -> HeadWeights:
        """Where each head of each layer looks, from each position of the source."""
        return HeadWeights([layer.inside for layer in self._layers(sources, lengths)], [])

    def _layers(self, sources: Tensor, lengths: Tensor) -> list[BlockOutput]:
        expect_sources(sources, lengths, self.embedding.num_embeddings)
        vectors, width = self.places(self.embedding(sources.long())), sources.shape[1]
        readable = None if (lengths == width).all() else masks.padding(lengths, width)
        positions, layers = torch.arange(width, device=sources.device), list[BlockOutput]()
        for block in self.blocks:
            layers.append(block(vectors, positions, readable=readable))
            vectors = layers[-1].vectors
        return layers


class TransformerDecoder(nn.Module):
    """Write one symbol after another; each step asks those before it, and then the source.

        x_i = embedding(y_{i-1}) + place
        x_i <- block(x_1 .. x_i, h), layer by layer     p(y_i) = softmax(W_o norm(x_i))
                                                    Vaswani et al. 2017, section 3.1

    Nothing is passed on but what was written. Given the right target, all steps are computed at
    once, and a causal mask keeps each from reading the symbols that it has yet to write. Step by
    step, the keys and values of earlier steps are kept and not computed again: this `Cache` is the
    decoder's "state". Unlike a recurrent state, it grows with each step.

    The weights that are returned are those of the last
    layer's attention to the source, averaged over the heads; `head_weights` returns all weights.

    vocabulary_size  target symbols
    layers           number of blocks
    design           what they are made of
    causal           False only to show what happens in training without the mask
    """

    @checked
    def __init__(
        self,
        vocabulary_size: Count,
        layers: Count = 1,
        design: Design | None = None,
        *,
        causal: bool = True,
    ):
        super().__init__()
        design = Design() if design is None else design
        self.causal = causal
        self.embedding = embedding(vocabulary_size, design.size)
        self.places = Places(design)
        self.blocks = stack(design, layers, across=True)
        self.norm = last_norm(design)
        self.readout = nn.Linear(design.size, vocabulary_size)  # W_o

    def read(self, annotations: Tensor, readable: Tensor | None = None) -> Layered:
        """The keys and values of the source, once for each layer; no step changes them."""
        return Memory(annotations, tuple(b.offer(annotations) for b in self.blocks), readable)

    def first_state(self, memory: Layered) -> Cache:
        """Nothing has been written: a cache without positions."""
        return Cache(tuple(Kept(*(part[:, :, :0] for part in layer)) for layer in memory.keys))

    def step(
        self, previous_state: Cache, previous: Float[Tensor, "batch embedding"], memory: Layered
    ) -> Step[Cache]:
        """One step: ask the earlier steps in the cache, then the source, and add this step to it.

        The "context" is x_i after the last block: all that `logits` needs.
        """
        layers = self._layers(previous.unsqueeze(1), memory, previous_state)
        vectors, weights = self.norm(layers[-1].vectors), layers[-1].on_source.mean(dim=1)
        cache = Cache(tuple(layer.cached for layer in layers))
        return Step(cache, vectors.squeeze(1), weights.squeeze(1))

    def logits(self, states: object, contexts: Tensor) -> Tensor:
        """W_o x_i, for one step or for all; the cache is no longer needed."""
        return self.readout(contexts)

    def forward(
        self, memory: Layered, inputs: Int[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target symbol"], Float[Tensor, "batch target source"]]:
        """All steps at once, each given the right previous symbol: logits and weights.

        ``inputs`` are the symbols y_0 .. y_{m-1}, where y_0 stands for the start. The result is the
        same as that of m calls of `step`, but without a loop and without a cache.
        """
        last = self._all_steps(memory, inputs)[-1]
        return self.readout(self.norm(last.vectors)), last.on_source.mean(dim=1)

    def head_weights(self, memory: Layered, inputs: Tensor) -> HeadWeights:
        """Where each head of each layer looks, at each step, given the right previous symbols."""
        layers = self._all_steps(memory, inputs)
        return HeadWeights([one.inside for one in layers], [one.on_source for one in layers])

    def _all_steps(self, memory: Layered, inputs: Tensor) -> list[BlockOutput]:
        expect_inputs(memory, inputs, self.embedding)
        return self._layers(self.embedding(inputs.long()), memory, self.first_state(memory))

    def _layers(self, embedded: Tensor, memory: Layered, cache: Cache) -> list[BlockOutput]:
        """Each block over the given steps, which follow those in the cache."""
        first, end = cache.written, cache.written + embedded.shape[1]
        positions = torch.arange(first, end, device=embedded.device)
        vectors, layers, readable = self.places(embedded, first), list[BlockOutput](), None
        if self.causal and end - first > 1:  # a single step may read all that was kept, and itself
            readable = masks.causal(end)[first:].to(embedded.device)
        for block, earlier, source in zip(self.blocks, cache.layers, memory.keys, strict=True):
            output: BlockOutput = block(
                vectors,
                positions,
                readable=readable,
                earlier=earlier,
                source=source,
                source_readable=memory.readable,
            )
            layers.append(output)
            vectors = output.vectors
        return layers
