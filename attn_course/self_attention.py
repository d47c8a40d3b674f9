"""Attention whose queries, keys and values may all come from one sequence: heads, positions, cache.

Three names recur: what asks is the *query*, what a query is compared with is the *key*, and what
is averaged is the *value*. Each is made from its vector by a matrix of its own. A decoder of 2015
asks with its state and reads annotations. If a sequence asks itself, all three come from the same
vectors.
"""

import math
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Real
from torch import Tensor, nn

from attn_course._check import expect_finite
from attn_course._signature import checked, expect
from attn_course._values import Count, Positive, describe, expect_multiple
from attn_course.weights import attention_weights

BASE = 10_000  # of the wavelengths, in both papers


class Kept(NamedTuple):
    """The keys and values of the positions read so far, by head: a cache.

    keys    (batch head source part)
    values  (batch head source part)
    """

    keys: Tensor
    values: Tensor

    def followed_by(self, later: "Kept") -> "Kept":
        """These positions, and after them those of ``later``."""
        return Kept(*(torch.cat(pair, dim=2) for pair in zip(self, later, strict=True)))


class MultiHeadAttention(nn.Module):
    """Ask with several narrow queries at once, and put together what they find.

        q_i^h = W_q^h x_i     k_j^h = W_k^h y_j     v_j^h = W_v^h z_j
        α^h   = softmax_j(q^h · k^h / √d_h)         d_h = size / heads
        out_i = W_o [Σ_j α_ij^1 v_j^1 ; .. ; Σ_j α_ij^H v_j^H]
                                                    Vaswani et al. 2017, section 3.2.2

    More heads add no parameters: each is narrower, and the matrices keep their size. Only the
    tables of scores become more. A head is a slice of ``size / heads`` consecutive entries, so
    without biases (``bias=False``, as in the paper) its score q · k is s · W h with a W of at most
    that rank. A bias of the keys changes no weight, since it adds the same to every score of a row.

    queries (batch target size), keys and values (batch source size), all floating point.
    ``readable`` is boolean, True = may be read (PyTorch's own module means the opposite). With
    three axes it is (batch target source), the same for all heads, as `masks.padding` makes it;
    otherwise it broadcasts to (batch head target source).
    Returns the output (batch target size) and the weights of each head (batch head target source),
    which are not stored. A ``size`` that ``heads`` does not divide, a row with nothing to read or a
    wrong shape is a ValueError.

    `forward` has three parts, for callers that do not need all of it each time: `ask`, `offer`
    (whose result can be kept: a cache) and `look`.
    """

    @checked
    def __init__(self, size: Count, heads: Count, bias: bool = True):
        super().__init__()
        self.size, self.heads = size, heads
        expect_multiple("size", size, "heads", heads)
        self.query_projection = nn.Linear(size, size, bias=bias)  # W_q
        self.key_projection = nn.Linear(size, size, bias=bias)  # W_k
        self.value_projection = nn.Linear(size, size, bias=bias)  # W_v
        self.output_projection = nn.Linear(size, size, bias=bias)  # W_o

    @checked
    def forward(
        self,
        queries: Float[Tensor, "batch target size={self.size}"],
        keys: Float[Tensor, "batch source size={self.size}"],
        values: Float[Tensor, "batch source size={self.size}"],
        readable: Bool[Tensor, "..."] | None = None,
    ) -> tuple[Float[Tensor, "batch target size"], Float[Tensor, "batch head target source"]]:
        """All three parts: ask, offer, look."""
        output, weights = self.look(self.ask(queries), self.offer(keys, values), readable)
        expect_finite("the output", output, "are all values finite, and not too large?")
        return output, weights

    def ask(
        self, queries: Float[Tensor, "batch target size"], positions: Tensor | None = None
    ) -> Float[Tensor, "batch head target part"]:
        """The query of each head, turned by its position if ``positions`` are given."""
        queries = self._split(self.query_projection(queries))
        return queries if positions is None else rotate(queries, positions)

    def offer(
        self,
        keys: Float[Tensor, "batch source size"],
        values: Float[Tensor, "batch source size"],
        positions: Tensor | None = None,
    ) -> Kept:
        """The keys and values of each head; values are never turned."""
        keys = self._split(self.key_projection(keys))
        if positions is not None:
            keys = rotate(keys, positions)
        return Kept(keys, self._split(self.value_projection(values)))

    def look(
        self,
        queries: Float[Tensor, "batch head target part"],
        cached: Kept,
        readable: Bool[Tensor, "..."] | None = None,
    ) -> tuple[Float[Tensor, "batch target size"], Float[Tensor, "batch head target source"]]:
        """Compare, weigh and average in each head; then W_o mixes the heads."""
        scores = queries @ cached.keys.transpose(-1, -2) / math.sqrt(self.size // self.heads)
        weights = attention_weights(scores, _for_all_heads(readable))
        contexts = weights @ cached.values  # (batch head target part)
        return self.output_projection(contexts.transpose(1, 2).flatten(2)), weights

    def _split(self, vectors: Tensor) -> Tensor:
        """(batch position size) -> (batch head position part): first the heads, then the swap."""
        return vectors.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def check(self, name: str, vectors: Tensor, axes: str = "batch source size") -> None:
        """Raise a ValueError or TypeError that says what was given and what was expected."""
        expect(Float[Tensor, f"{axes}={self.size}"], self, **{name: vectors})


@checked
def sinusoidal_positions(length: Count, size: Count) -> Float[Tensor, "{length} {size}"]:
    """A vector for each position, made of waves of different lengths, to be added to embeddings.

        P_{p, 2k} = sin(p / 10000^{2k/size})      P_{p, 2k+1} = cos(p / 10000^{2k/size})
                                                  Vaswani et al. 2017, section 3.5

    Position p + n is a rotation of position p that depends on n alone, so "n places further on" is
    the same matrix for all p. Nothing is learnt, and even a position that no training example
    reached has a vector; whether the model can use it is another matter.

    Positions count from 0. If ``size`` is odd, the last entry is a sine.
    """
    even = torch.arange(0, size, 2, dtype=torch.float64)
    angles = torch.arange(length, dtype=torch.float64)[:, None] * BASE ** (-even / size)
    waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :size]
    return waves.to(torch.get_default_dtype())


@checked
def rotate(
    vectors: Float[Tensor, "batch head position size"],
    positions: Real[Tensor, "position"] | Real[Tensor, "batch position"],
    base: Positive = BASE,
) -> Float[Tensor, "batch head position size"]:
    """Turn each pair of entries by an angle that grows with the position: rotary positions.

        [x_{2k}, x_{2k+1}] -> turned by p · base^{-2k/size}
        rotate(q, i) · rotate(k, j) depends on i - j alone      Su et al. 2021, section 3.2.2

    The position affects the *comparison* of a query with a key and nothing else: lengths do not
    change, and a value that is not rotated does not say where it came from.

    ``positions`` are numbers (position), or (batch position) if they differ between the rows of a
    batch; they may be negative or fractional. The ``base`` is 10,000 in the paper; a larger one
    turns slower. An odd ``size`` is a ValueError.
    """
    expect_finite("positions", positions, "an angle is a number")
    if vectors.shape[-1] % 2:
        raise ValueError(f"vectors are turned in pairs of entries; got {describe(vectors)}")
    precise = torch.promote_types(vectors.dtype, torch.float32)
    even = torch.arange(0, vectors.shape[-1], 2, dtype=precise, device=vectors.device)
    angles = positions.to(precise)[..., None] * base ** (-even / vectors.shape[-1])
    turns = torch.polar(torch.ones_like(angles), angles).unsqueeze(-3)  # the same for all heads
    pairs = torch.view_as_complex(vectors.to(precise).unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * turns).flatten(-2).to(vectors.dtype)


def _for_all_heads(readable: Tensor | None) -> Tensor | None:
    """(batch target source) -> (batch 1 target source); any other mask broadcasts as it is."""
    return readable.unsqueeze(1) if readable is not None and readable.dim() == 3 else readable
