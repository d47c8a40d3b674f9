"""A Transformer without an encoder: source, separator and target in one sequence."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_course import masks
from attn_course._check import expect_sources
from attn_course._signature import checked
from attn_course._values import Count
from attn_course.models.decoder import Memory, Step, expect_inputs
from attn_course.models.transformer import Cache, Layered
from attn_course.models.transformer_blocks import BlockOutput, Design, embedding, last_norm, stack
from attn_course.self_attention import Kept


class EmbeddedSource(nn.Module):
    """The source as it stands: one vector for each symbol, independent of all the others."""

    @checked
    def __init__(self, vocabulary_size: Count, design: Design | None = None):
        super().__init__()
        design = Design() if design is None else design
        self.annotation_size = design.size
        self.embedding = embedding(vocabulary_size, design.size)

    def forward(
        self, sources: Int[Tensor, "batch source"], lengths: Int[Tensor, "batch"]
    ) -> Float[Tensor, "batch source annotation"]:
        """The embeddings of each source."""
        expect_sources(sources, lengths, self.embedding.num_embeddings)
        return self.embedding(sources.long())


class OneSequenceDecoder(nn.Module):
    """Continue a sequence that begins with the source, as a language model does.

        x_1 .. x_n, START, y_1 .. y_m      x_i <- block(x_1 .. x_i), layer by layer
        p(y_i) = softmax(W_o norm(x_{n+i}))                    Liu et al. 2018, section 4.2.3

    There is one attention where `TransformerDecoder` has two, and one set of blocks for reading and
    for writing; START separates the two. The mask is causal throughout, so no symbol of the source
    can read those after it: the first ones are annotated blind. With ``prefix``, the symbols of the
    source read each other freely, and only what is written is masked (a *prefix* language model).
    Reading the source fills the cache, and each step adds to it. Positions count from the
    separator, so that padding, which follows a source, moves nothing: the last source symbol is at
    -1 and START at 0.

    Weights are those of the last layer on the source,
    averaged over the heads; the rest of each row lies on what has been written.

    vocabulary_size  target symbols
    layers           number of blocks
    design           what they are made of; positions are "rotary" or "none", which need no origin
    prefix           whether a symbol of the source may read those after it
    """

    @checked
    def __init__(
        self,
        vocabulary_size: Count,
        layers: Count = 3,
        design: Design | None = None,
        *,
        prefix: bool = False,
    ):
        super().__init__()
        design = Design() if design is None else design
        if design.positions not in ("rotary", "none"):
            raise ValueError(
                f"positions from either side of the separator must be 'rotary' or 'none'; "
                f"got {design.positions!r}"
            )
        self.prefix = prefix
        self.embedding = embedding(vocabulary_size, design.size)
        self.blocks = stack(design, layers)
        self.norm = last_norm(design)
        self.readout = nn.Linear(design.size, vocabulary_size)  # W_o

    def read(self, annotations: Tensor, readable: Tensor | None = None) -> Layered:
        """Go through the source once, and keep its keys and values in each layer."""
        next(iter(self.blocks)).inside.check("annotations", annotations, "batch source annotation")
        source = annotations.shape[1]
        may = masks.causal(source).to(annotations.device) | self.prefix
        if readable is None:
            lengths = torch.full((len(annotations),), source, device=annotations.device)
        else:
            may, lengths = may & readable, readable.squeeze(1).sum(dim=-1)
        places = torch.arange(source, device=annotations.device) - lengths.unsqueeze(1)
        vectors, layers = annotations, list[Kept]()
        for block in self.blocks:
            output: BlockOutput = block(vectors, places, readable=may)
            vectors = output.vectors
            layers.append(output.cached)
        return Memory(annotations, tuple(layers), readable)

    def first_state(self, memory: Layered) -> Cache:
        """The cache holds the source."""
        return Cache(memory.keys)

    def step(
        self, previous_state: Cache, previous: Float[Tensor, "batch embedding"], memory: Layered
    ) -> Step[Cache]:
        """One step: ask all that came before. The "context" is all that `logits` needs."""
        layers = self._layers(previous.unsqueeze(1), memory, previous_state)
        cache = Cache(tuple(layer.cached for layer in layers))
        last = layers[-1]
        return Step(cache, self.norm(last.vectors).squeeze(1), _on_source(memory, last).squeeze(1))

    def logits(self, states: object, contexts: Tensor) -> Tensor:
        """W_o x_i, for one step or for all; the cache is no longer needed."""
        return self.readout(contexts)

    def forward(
        self, memory: Layered, inputs: Int[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target symbol"], Float[Tensor, "batch target source"]]:
        """All steps at once, each given the right previous symbol: logits and weights."""
        expect_inputs(memory, inputs, self.embedding)
        layers = self._layers(self.embedding(inputs.long()), memory, self.first_state(memory))
        return self.readout(self.norm(layers[-1].vectors)), _on_source(memory, layers[-1])

    def _layers(self, embedded: Tensor, memory: Layered, cache: Cache) -> list[BlockOutput]:
        """Each block over the given steps, which follow the source and those in the cache."""
        batch, source, _ = memory.annotations.shape
        first = cache.written - source
        end = first + embedded.shape[1]
        written = masks.causal(end)[first:].to(embedded.device).expand(batch, -1, -1)
        read = memory.readable
        if read is None:
            read = written.new_ones(batch, 1, source)
        readable = torch.cat([read.expand(-1, end - first, -1), written], dim=-1)
        vectors, layers = embedded, list[BlockOutput]()
        places = torch.arange(first, end, device=embedded.device)
        for block, earlier in zip(self.blocks, cache.layers, strict=True):
            layers.append(block(vectors, places, readable=readable, earlier=earlier))
            vectors = layers[-1].vectors
        return layers


def _on_source(memory: Layered, output: BlockOutput) -> Float[Tensor, "batch target source"]:
    """The weights on the source, averaged over the heads."""
    return output.inside.mean(dim=1)[..., : memory.annotations.shape[1]]
