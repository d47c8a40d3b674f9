"""A language model of the Llama family: one sequence that goes on, without an encoder.

Two parts are new, `RootMeanSquareNorm` and `GatedNetwork`. The rest is the course's own: rotations,
heads that share keys and values, the causal mask, and a cache.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course._check import expect_finite, expect_symbols
from attn_course._signature import checked, expect, expect_like, unchecked
from attn_course._values import (
    Count,
    CountOrZero,
    Positive,
    describe,
    expect_below,
    expect_choice,
    expect_multiple,
)
from attn_course.memory import shared_contexts, shared_weights
from attn_course.models._modules import Modules
from attn_course.models.transformer import Cache
from attn_course.self_attention import Kept

Part = Literal[
    "residual",  # (batch position size) what enters a block
    "for queries",  # (batch position size) the same, as the queries are made from it
    "for keys",  # (batch position size)
    "for values",  # (batch position size)
    "queries",  # (batch head position part) turned by their positions
    "keys",  # (batch group position part) turned, of the new positions only
    "values",  # (batch group position part)
    "weights",  # (batch head target source)
    "found",  # (batch head position part) what each head has averaged, before W_o mixes the heads
]
PARTS: tuple[Part, ...] = get_args(Part)
Place = tuple[str, int]  # a `Part` of a block; blocks count from 0
Change = Callable[[Tensor], Tensor]
Changes = Mapping[Place, Change]


@checked
@dataclass(frozen=True)
class Shape:
    """The sizes of a language model; those of SmolLM2-135M, unless told otherwise.

    symbols       in the vocabulary
    blocks        their number
    size          of the residual vectors
    heads         queries of a position in each block; their number divides ``size``
    groups        keys and values of a position in each block; their number divides ``heads``
    hidden_size   of the gated network
    base          of the rotary wavelengths
    epsilon       what keeps a norm from dividing by 0
    longest       positions that the model was trained on; more are refused
    """

    symbols: Count = 49_152
    blocks: Count = 30
    size: Count = 576
    heads: Count = 9
    groups: Count = 3
    hidden_size: Count = 1_536
    base: Positive = 100_000.0
    epsilon: Positive = 1e-5
    longest: Count = 8_192

    def __post_init__(self):
        expect_multiple("size", self.size, "heads", self.heads)
        expect_multiple("heads", self.heads, "groups", self.groups)

    @property
    def part(self) -> int:
        """The entries of one head."""
        return self.size // self.heads


class Read(NamedTuple):
    """What a language model returns.

    logits  (batch position symbol) of the symbol that follows each position
    cache   the keys and values of all positions so far, by block
    """

    logits: Tensor
    cache: Cache


class RootMeanSquareNorm(nn.Module):
    """Give every vector one length, and each entry a weight.

        norm(x) = g ∘ x / √(Σ_k x_k² / size + ε)              Zhang & Sennrich 2019, equation 4

    Unlike layer normalisation, it subtracts no mean.
    """

    def __init__(self, size: int, epsilon: float):
        super().__init__()
        self.weight, self.epsilon = nn.Parameter(torch.ones(size)), epsilon

    def forward(self, vectors: Float[Tensor, "*any size"]) -> Float[Tensor, "*any size"]:
        """Vectors whose entries have a mean square of 1, times the weights."""
        square = vectors.square().mean(dim=-1, keepdim=True)
        return self.weight * vectors * torch.rsqrt(square + self.epsilon)


class GatedNetwork(nn.Module):
    """A feed-forward network in which one half says how much of the other half passes.

        W_2 (silu(W_g x) ∘ W_1 x)     silu(a) = a / (1 + e^-a)    Shazeer 2020, equation 6

    W_1 and W_g lead to ``hidden_size`` entries, and W_2 leads back. There are no biases.
    """

    def __init__(self, size: int, hidden_size: int):
        super().__init__()
        self.gate = nn.Linear(size, hidden_size, bias=False)  # W_g
        self.up = nn.Linear(size, hidden_size, bias=False)  # W_1
        self.down = nn.Linear(hidden_size, size, bias=False)  # W_2

    def forward(self, vectors: Float[Tensor, "*any size"]) -> Float[Tensor, "*any size"]:
        """Each position on its own."""
        return self.down(F.silu(self.gate(vectors)) * self.up(vectors))


class LanguageBlock(nn.Module):
    """Attention whose heads share keys and values, then a gated network; both before a sum.

        q = rotate(W_q norm(x))    k = rotate(W_k norm(x))    v = W_v norm(x)
        c_h = Σ_j softmax_j(q_h · k_gj / √part) v_gj
        x <- x + W_o [c_1 ; .. ; c_H]
        x <- x + network(norm(x))

    g is the group that head h belongs to. W_q makes the queries of all heads, W_k and W_v the keys
    and values of all groups.
    """

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape, shared = shape, shape.groups * shape.part
        self.norm = RootMeanSquareNorm(shape.size, shape.epsilon)
        self.query_projection = nn.Linear(shape.size, shape.size, bias=False)  # W_q
        self.key_projection = nn.Linear(shape.size, shared, bias=False)  # W_k
        self.value_projection = nn.Linear(shape.size, shared, bias=False)  # W_v
        self.output_projection = nn.Linear(shape.size, shape.size, bias=False)  # W_o
        self.network_norm = RootMeanSquareNorm(shape.size, shape.epsilon)
        self.network = GatedNetwork(shape.size, shape.hidden_size)

    def forward(
        self,
        vectors: Float[Tensor, "batch position size"],
        rotations: Tensor,
        earlier: Kept,
        readable: Tensor | None,
        at: Callable[[Part, Tensor], Tensor],
    ) -> tuple[Float[Tensor, "batch position size"], Kept]:
        """The vectors for the next block, and the keys and values of all positions so far.

        ``at`` is given each part on its way, and returns what goes on instead.
        """
        vectors = at("residual", vectors)
        normed = self.norm(vectors)

        def heads(part: Part, projection: nn.Linear) -> Tensor:
            """(batch head position part)"""
            changed = at(part, vectors)
            read = normed if changed is vectors else self.norm(changed)
            return projection(read).unflatten(-1, (-1, self.shape.part)).transpose(1, 2)

        queries = heads("for queries", self.query_projection)
        keys = heads("for keys", self.key_projection)
        values = heads("for values", self.value_projection)
        both = _turned(torch.cat([queries, keys], 1), rotations)
        queries, keys = both.split([self.shape.heads, self.shape.groups], 1)
        queries, keys = at("queries", queries), at("keys", keys)
        cached = earlier.followed_by(Kept(keys, at("values", values)))
        weights = at("weights", shared_weights(queries, cached.keys, readable))
        contexts = at("found", shared_contexts(weights, cached.values))
        vectors = vectors + self.output_projection(contexts.transpose(1, 2).flatten(2))
        return vectors + self.network(self.network_norm(vectors)), cached


class LanguageModel(nn.Module):
    """Predict the symbol that follows each position of a text.

        x = embedding(y)     x <- block(x), block by block     p(y_{i+1}) = softmax(E norm(x_i))
                                                    Touvron et al. 2023; Allal et al. 2025

    E is the matrix of embeddings once more, unless ``own_readout``. There is no start symbol.
    Rotary positions tell only distances, so the causal mask alone shows which position is the
    first: it can read nothing but itself.

    >>> tiny = LanguageModel(Shape(symbols=11, blocks=2, size=12, heads=3, groups=1, hidden_size=7))
    >>> tiny(torch.tensor([[3, 1, 4, 1]])).logits.shape
    torch.Size([1, 4, 11])

    `attn_course.models.language_file` reads the weights of a trained one.
    """

    @checked
    def __init__(self, shape: Shape, own_readout: bool = False):
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.symbols, shape.size)
        self.blocks = Modules(LanguageBlock(shape) for _ in range(shape.blocks))
        self.norm = RootMeanSquareNorm(shape.size, shape.epsilon)
        self.readout = nn.Linear(shape.size, shape.symbols, bias=False)
        if not own_readout:
            self.readout.weight = self.embedding.weight

    @checked
    def empty(self, batch: CountOrZero) -> Cache:
        """A cache of no positions."""
        sizes = (batch, self.shape.groups, 0, self.shape.part)
        nothing = self.embedding.weight.new_empty(sizes)
        return Cache(tuple(Kept(nothing, nothing) for _ in self.blocks))

    def forward(
        self,
        symbols: Integer[Tensor, "batch position"],
        cache: Cache | None = None,
        changes: Changes | None = None,
    ) -> Read:
        """Read symbols, which follow those in the cache.

        ``changes`` maps a place, such as ``("found", 17)``, to a function. It is given what block
        17 computes there and returns what is to be used instead, a tensor of the same shape. One
        that returns what it was given only looks (see `attn_course.patching.recorded`). All blocks
        count from 0; the shapes of all parts stand beside `Part`.

        Symbols may be on any device. Symbols outside the vocabulary, no symbols, more positions
        than ``longest``, a cache of another number of texts, an unknown place and a change of shape
        are a ValueError.
        """
        expect(Integer[Tensor, "batch position"], symbols=symbols)
        expect(Cache | None, cache=cache)
        expect(Changes | None, changes=changes)
        symbols = symbols.to(self.embedding.weight.device)
        cache, changes = self.empty(len(symbols)) if cache is None else cache, changes or {}
        self._check(symbols, cache, changes)
        turns, readable = self.places(cache.written, cache.written + symbols.shape[1])
        vectors, layers = self.embedding(symbols.long()), list[Kept]()
        with ExitStack() as others:
            for number, (block, earlier) in enumerate(zip(self.blocks, cache.layers, strict=True)):
                if number == 1:
                    others.enter_context(unchecked())  # all blocks are alike
                at = _Changed(number, changes)
                vectors, cached = block(vectors, turns, earlier, readable, at)
                layers.append(cached)
        return Read(self.readout(self.norm(vectors)), Cache(tuple(layers)))

    def places(self, first: int, end: int) -> tuple[Tensor, Tensor | None]:
        """The rotations of the positions from ``first`` to ``end``, and what each may read.

        They are the same in every block. The causal mask says what may be read; None is everything,
        which is what a position may read that comes alone.
        """
        every = torch.arange(end, device=self.embedding.weight.device)
        precise = torch.promote_types(self.embedding.weight.dtype, torch.float32)
        even = torch.arange(0, self.shape.part, 2, dtype=precise, device=every.device)
        asking, speeds = every[first:, None], self.shape.base ** (-even / self.shape.part)
        angles = asking.to(precise) * speeds  # as in `rotate`
        readable = None if end - first == 1 else every <= asking
        return torch.polar(torch.ones_like(angles), angles), readable

    def _check(self, symbols: Tensor, cache: Cache, changes: Changes) -> None:
        if not symbols.numel():
            raise ValueError(f"there must be a symbol to read; got {describe(symbols)}")
        expect_symbols("symbols", symbols, self.shape.symbols)
        if (texts := len(cache.layers[0].keys)) != len(symbols):
            raise ValueError(
                f"the cache is of {texts} texts; got {describe(symbols)} to go on with"
            )
        end = cache.written + symbols.shape[1]
        if end > self.shape.longest:
            raise ValueError(f"the model reads {self.shape.longest} positions at most; got {end}")
        for part, block in changes:
            expect_choice("part", part, PARTS)
            expect_below("block", block, self.shape.blocks)


def _turned(vectors: Tensor, rotations: Tensor) -> Tensor:
    """Each pair of entries, as a complex number, times its rotation, which is e^{i · angle}."""
    pairs = torch.view_as_complex(vectors.to(rotations.real.dtype).unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * rotations).flatten(-2).to(vectors.dtype)


class _Changed(NamedTuple):
    """What passes through one block, changed where asked."""

    block: int
    changes: Changes

    def __call__(self, part: Part, before: Tensor) -> Tensor:
        change = self.changes.get((part, self.block))
        if change is None:
            return before
        after, name = change(before), f"the change at {(part, self.block)}"
        if not isinstance(after, Tensor) or after.shape != before.shape:
            raise ValueError(f"{name} must return {tuple(before.shape)}; got {describe(after)}")
        if after is not before:
            expect_like(name, after, "what it is given", before)
            expect_finite(name, after, "nothing can be read behind it")
        return after
