"""Alignment scores: how well does what the decoder is looking for match position j of the source?

    e_ij = a(query_i, key_j)

Every score is a module called as ``score(queries, keys)``:

    queries  (batch target query)    what is looked for: in a translator, a decoder state s
    keys     (batch source key)      what is offered: in a translator, an annotation h_j
    scores   (batch target source)   any real numbers; `attention_weights` turns them into weights

A decoder asks at every target step, but the source stays the same. A score therefore comes in two
halves: ``prepare(keys)`` computes, once per source, whatever does not depend on the query, and
``compare(queries, prepared)`` does the rest. ``score(queries, keys)`` runs one after the other.
"""

import math
from abc import ABC, abstractmethod
from inspect import signature
from typing import TypeVar

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course._check import expect_finite
from attn_course._signature import checked
from attn_course._values import Count

Self = TypeVar("Self", bound="Score")


class Score(nn.Module, ABC):
    """What all score functions share: their two halves, and the sizes that they are made for.

    ``query_size`` and ``key_size`` are None where any size will do; ``one_size`` says whether both
    must be the same.
    """

    one_size = False
    query_size: int | None = None
    key_size: int | None = None

    @checked
    def forward(
        self,
        queries: Float[Tensor, "batch target {self.query_axis}"],
        keys: Float[Tensor, "batch source {self.key_axis}"],
    ) -> Float[Tensor, "batch target source"]:
        """Score each query against each key: e_ij for every target step i and position j."""
        scores = self.compare(queries, self.prepare(keys))
        expect_finite("scores", scores, "are all queries and keys finite, and not too large?")
        return scores

    def prepare(self, keys: Tensor) -> Tensor:
        """Compute, once per source, whatever does not depend on the query. Here: nothing."""
        return keys

    @abstractmethod
    def compare(self, queries: Tensor, prepared: Tensor) -> Tensor:
        """Score each query (batch target query) against the prepared keys."""

    @property
    def query_axis(self) -> str:
        """The query's axis, with its size if only one will do."""
        return f"query={self.query_size}" if self.query_size else "query"

    @property
    def key_axis(self) -> str:
        """The key's axis, with its size if only one will do."""
        if self.key_size:
            return f"key={self.key_size}"
        return "query" if self.one_size else "key"

    @classmethod
    def of_sizes(
        cls: type[Self], query_size: int, key_size: int, hidden_size: int, max_source: int
    ) -> Self:
        """Make a score for these sizes, of which the constructor gets only those that it takes."""
        if cls.one_size and query_size != key_size:
            raise ValueError(
                f"{cls.__name__} needs a query and a key of the same size; "
                f"got {query_size} and {key_size}"
            )
        sizes = {
            "query_size": query_size,
            "key_size": key_size,
            "hidden_size": hidden_size,
            "max_source": max_source,
        }
        taken = sizes.keys() & signature(cls).parameters
        return cls(**{size: sizes[size] for size in taken})

    @checked
    def check_keys(self, keys: Float[Tensor, "batch source {self.key_axis}"]) -> None:
        """Check what can be checked of the keys before there is a query."""

    def expect_sizes(self, query_size: int, key_size: int) -> None:
        """Raise a ValueError if the score was not made for queries and keys of these sizes."""
        fits = self.query_size in (None, query_size) and self.key_size in (None, key_size)
        if not fits or (self.one_size and query_size != key_size):
            raise ValueError(
                f"the {type(self).__name__} was not made for queries of {query_size} entries and "
                f"keys of {key_size}; it takes {self.query_size or 'any'} and "
                f"{self.key_size or 'any'}{', both of the same size' if self.one_size else ''}"
            )


class AdditiveScore(Score):
    """Score by a small network with one hidden layer.

        e_ij = v · tanh(W_a s_i + U_a h_j)        Bahdanau et al. 2015, section 3.1 and A.1.2

    The query and the key meet *inside* the tanh. This is what lets the weights depend on the
    query; `StackedScore` shows what happens when they do not meet.

    Bahdanau scores with the state before the step, s_{i-1}. U_a h_j does not depend on the query,
    so it is computed once per source.
    """

    @checked
    def __init__(self, query_size: Count, key_size: Count, hidden_size: Count):
        super().__init__()
        self.query_size, self.key_size = query_size, key_size
        self.query_projection = nn.Linear(query_size, hidden_size, bias=False)  # W_a
        self.key_projection = nn.Linear(key_size, hidden_size, bias=False)  # U_a
        self.energy = nn.Linear(hidden_size, 1, bias=False)  # v

    def prepare(self, keys: Tensor) -> Tensor:
        """U_a h_j for every position: (batch source hidden)."""
        return self.key_projection(keys)

    def compare(self, queries: Tensor, prepared: Tensor) -> Tensor:
        """v · tanh(W_a s_i + U_a h_j) for every pair."""
        query = self.query_projection(queries).unsqueeze(2)  # (batch target 1 hidden)
        key = prepared.unsqueeze(1)  # (batch 1 source hidden)
        return self.energy(torch.tanh(query + key)).squeeze(-1)


class ConcatScore(Score):
    """Score by one layer that reads the query and the key, concatenated.

        e_ij = v · tanh(W [s_i ; h_j])             Luong et al. 2015, section 3.1

    This is `AdditiveScore` under another name: with W = [W_a U_a] both give the same numbers, since
    W [s ; h] = W_a s + U_a h. Written like this, it builds every pair before it multiplies, so for
    a source of n positions it costs about n times as much.
    """

    @checked
    def __init__(self, query_size: Count, key_size: Count, hidden_size: Count):
        super().__init__()
        self.query_size, self.key_size = query_size, key_size
        self.pair_projection = nn.Linear(query_size + key_size, hidden_size, bias=False)  # W
        self.energy = nn.Linear(hidden_size, 1, bias=False)  # v

    def compare(self, queries: Tensor, prepared: Tensor) -> Tensor:
        """v · tanh(W [s_i ; h_j]) for every pair."""
        target, source = queries.shape[1], prepared.shape[1]
        query = queries.unsqueeze(2).expand(-1, -1, source, -1)
        key = prepared.unsqueeze(1).expand(-1, target, -1, -1)
        pairs = torch.cat([query, key], dim=-1)  # (batch target source query+key)
        return self.energy(torch.tanh(self.pair_projection(pairs))).squeeze(-1)


class StackedScore(Score):
    """A score whose weights cannot depend on the query. Kept as a lesson.

        e_ij = v · tanh([W_1 s_i ; W_2 h_j])       as some course notes write it

    The tanh acts on each half alone, so with v = [v_1 ; v_2]

        e_ij = v_1 · tanh(W_1 s_i) + v_2 · tanh(W_2 h_j)

    and the first term is the same for every j. A softmax does not change when a constant is added
    to a row, so the weights are the same for every query. The slip is easy to miss: the network
    still trains, and the weights still sum to one.
    """

    @checked
    def __init__(self, query_size: Count, key_size: Count, hidden_size: Count):
        super().__init__()
        self.query_size, self.key_size = query_size, key_size
        self.query_projection = nn.Linear(query_size, hidden_size, bias=False)  # W_1
        self.key_projection = nn.Linear(key_size, hidden_size, bias=False)  # W_2
        self.energy = nn.Linear(2 * hidden_size, 1, bias=False)  # v

    def prepare(self, keys: Tensor) -> Tensor:
        """tanh(W_2 h_j) for every position: (batch source hidden)."""
        return torch.tanh(self.key_projection(keys))

    def compare(self, queries: Tensor, prepared: Tensor) -> Tensor:
        """v · tanh([W_1 s_i ; W_2 h_j]) for every pair."""
        target, source = queries.shape[1], prepared.shape[1]
        query = torch.tanh(self.query_projection(queries)).unsqueeze(2).expand(-1, -1, source, -1)
        key = prepared.unsqueeze(1).expand(-1, target, -1, -1)
        return self.energy(torch.cat([query, key], dim=-1)).squeeze(-1)


class GeneralScore(Score):
    """Score by a bilinear form: a learnt way to compare two spaces.

        e_ij = s_i · W h_j                         Luong et al. 2015, section 3.1

    W maps the key into the query's space, so the two may have different sizes. It can also be read
    as the product of a query projection and a key projection, the form in which the heads of a
    Transformer learn it.
    """

    @checked
    def __init__(self, query_size: Count, key_size: Count):
        super().__init__()
        self.query_size, self.key_size = query_size, key_size
        self.key_projection = nn.Linear(key_size, query_size, bias=False)  # W

    def prepare(self, keys: Tensor) -> Tensor:
        """W h_j for every position: (batch source query)."""
        return self.key_projection(keys)

    def compare(self, queries: Tensor, prepared: Tensor) -> Tensor:
        """s_i · W h_j for every pair."""
        return queries @ prepared.transpose(1, 2)


class DotScore(Score):
    """Score by the dot product. It has no parameters, so the two spaces must learn to agree.

        e_ij = s_i · h_j                           Luong et al. 2015, section 3.1

    A long key scores high with every query that points its way, even if it is only noise: the
    product measures agreement *and* length. A query and a key must have the same size; otherwise
    it is a ValueError.
    """

    one_size = True

    def compare(self, queries: Tensor, prepared: Tensor) -> Tensor:
        """s_i · h_j for every pair."""
        return queries @ prepared.transpose(1, 2)


class ScaledDotScore(DotScore):
    """Score by the dot product, rescaled so that its spread does not grow with the size d.

        e_ij = s_i · h_j / √d                      Vaswani et al. 2017, equation 1

    For independent entries of variance 1 the dot product has variance d, and a softmax over
    numbers that far apart is nearly hard, with hardly any gradient. Dividing by √d brings the
    variance back to 1, at least at the start of training.
    """

    def compare(self, queries: Tensor, prepared: Tensor) -> Tensor:
        """s_i · h_j / √d for every pair."""
        return super().compare(queries, prepared) / math.sqrt(queries.shape[-1])


class CosineScore(DotScore):
    """Score by the angle alone: content-based addressing.

        e_ij = cos(s_i, h_j)                       Graves et al. 2014, equation 6

    Every score lies in [-1, 1], so the largest weight over n positions is at most
    e² / (e² + n - 1): without a temperature, cosine attention *cannot* become sharp. Graves
    multiplies by a learnt sharpness β; here that is 1 / τ, with the temperature τ of
    `attention_weights`, which is given and not learnt.
    """

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score each query against each key, if their lengths are finite."""
        scores = super().forward(queries, keys)
        for name, vectors in (("queries", queries), ("keys", keys)):
            expect_finite(f"the lengths of the {name}", vectors.norm(dim=-1), "too large a vector?")
        return scores

    def compare(self, queries: Tensor, prepared: Tensor) -> Tensor:
        """cos(s_i, h_j) for every pair."""
        return F.normalize(queries, dim=-1) @ F.normalize(prepared, dim=-1).transpose(1, 2)


class LocationScore(Score):
    """Score by position alone: the query says where to look, and the keys are ignored.

        e_ij = (W s_i)_j                           Luong et al. 2015, equation 8

    Since the keys are not read, a query looks in the same places whatever the source holds there. W
    has one row per position, so a source longer than ``max_source`` is a ValueError.
    """

    @checked
    def __init__(self, query_size: Count, max_source: Count):
        super().__init__()
        self.query_size, self.max_source = query_size, max_source
        self.position_projection = nn.Linear(query_size, max_source, bias=False)  # W

    def compare(self, queries: Tensor, prepared: Tensor) -> Tensor:
        """Entry j of W s_i, for as many positions as the source has."""
        if prepared.shape[1] > self.max_source:
            raise ValueError(
                f"the source has {prepared.shape[1]} positions, "
                f"but LocationScore was made for max_source={self.max_source}"
            )
        return self.position_projection(queries)[..., : prepared.shape[1]]


SCORES: dict[str, type[Score]] = {
    "additive": AdditiveScore,
    "concat": ConcatScore,
    "stacked": StackedScore,
    "general": GeneralScore,
    "dot": DotScore,
    "scaled_dot": ScaledDotScore,
    "cosine": CosineScore,
    "location": LocationScore,
}
