"""Attention with a state of fixed size: what has been read is written into one matrix.

Attention keeps every key and every value, so what it keeps grows with the source. There are two
ways to make it cheaper:

1. Keep keys and values, but never have all the scores at once (`online_attention`), or keep fewer
   of them for each position (`shared_attention`). With a window (`masks.local_window`), older ones
   are no longer needed.
2. Keep a matrix. Without its softmax, attention is a sum of outer products, v_j k_jᵀ, and the sum
   has the same size however many there are (`linear_attention`, and `LinearMemory` step by step).

`online_attention` gives the same result as plain attention. A matrix changes what can be read back,
because pairs whose keys are alike are added together: `attn_course.crosstalk` says what that costs.
"""

import math
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from attn_course._check import expect_above, expect_between, expect_finite
from attn_course._signature import checked, expect_like
from attn_course._values import Count, Share, SomeShare, expect_multiple
from attn_course.masks import causal
from attn_course.weights import Mask, attention_weights

Rule = Literal["sum", "delta"]
_FINITE = "are all queries, keys and values finite, and not too large?"


@checked
def online_attention(
    queries: Float[Tensor, "batch target key"],
    keys: Float[Tensor, "batch source key"],
    values: Float[Tensor, "batch source value"],
    block: Count,
) -> Float[Tensor, "batch target value"]:
    """Attend to a source block by block, without ever having all the scores.

        m' = max(m, max_j e_ij)    Z' = exp(m - m') Z + Σ_j exp(e_ij - m')
        c' = exp(m - m') c + Σ_j exp(e_ij - m') v_j               over the j of one block;
        at the end c_i = c / Z                     Milakov & Gimelshein 2018, algorithm 3;
                                                   Rabe & Staats 2021; Dao et al. 2022
    with e_ij = q_i · k_j / √d, as in `attn_course.alignment.ScaledDotScore`.

    The softmax seems to need all scores before it can give the first weight. It does not: when a
    larger score turns up, whatever was added before is scaled down to fit. For any ``block`` of 1
    or more, the result is the same as when attending to the whole source, up to rounding.

    The largest tensor of scores has target x block entries. What is kept from block to block is
    about the size of the output and does not depend on the source. Where gradients are recorded,
    autograd keeps the scores of every block, though: FlashAttention computes them again instead.
    """
    highest = queries.new_full((*queries.shape[:2], 1), -torch.inf)
    total = torch.zeros_like(highest)
    mixed = queries.new_zeros(*queries.shape[:2], values.shape[-1])
    for some_keys, some_values in zip(keys.split(block, 1), values.split(block, 1), strict=True):
        scores = queries @ some_keys.mT / math.sqrt(keys.shape[-1])
        before, highest = highest, torch.maximum(highest, scores.amax(dim=-1, keepdim=True))
        powers = torch.exp(scores - highest)
        shrunk = torch.exp(before - highest)
        total = shrunk * total + powers.sum(dim=-1, keepdim=True)
        mixed = shrunk * mixed + powers @ some_values
    output = mixed / total
    expect_finite("the output", output, _FINITE)
    return output


@checked
def shared_attention(
    queries: Float[Tensor, "batch head target key"],
    keys: Float[Tensor, "batch group source key"],
    values: Float[Tensor, "batch group source value"],
    readable: Mask | None = None,
) -> Float[Tensor, "batch head target value"]:
    """Let several heads read the same keys and values.

        c_hi = Σ_j softmax_j(q_hi · k_gj / √d) v_gj     with group g = ⌊h · groups / heads⌋
                                                   Shazeer 2019 (one group); Ainslie et al. 2023

    This is *grouped-query* attention. With as many groups as heads it is multi-head attention, and
    with one group *multi-query* attention. For each position, ``group`` keys and values are kept
    instead of ``head``. The arithmetic does not shrink: each head still scores every position.

    ``readable`` is boolean, True = may be read, and broadcasts to (batch head target source).
    Heads that cannot be divided among the groups are a ValueError.
    """
    output = shared_contexts(shared_weights(queries, keys, readable), values)
    expect_finite("the output", output, _FINITE)
    return output


@checked
def shared_weights(
    queries: Float[Tensor, "batch head target key"],
    keys: Float[Tensor, "batch group source key"],
    readable: Mask | None = None,
) -> Float[Tensor, "batch head target source"]:
    """The first half of `shared_attention`: where each head looks."""
    scores = _by_group(queries, keys.shape[1]) @ keys.mT / math.sqrt(keys.shape[-1])
    return attention_weights(scores.reshape(*queries.shape[:-1], keys.shape[2]), readable)


@checked
def shared_contexts(
    weights: Float[Tensor, "batch head target source"],
    values: Float[Tensor, "batch group source value"],
) -> Float[Tensor, "batch head target value"]:
    """The second half of `shared_attention`: what each head finds there."""
    contexts = _by_group(weights, values.shape[1]) @ values
    return contexts.reshape(*weights.shape[:-1], values.shape[-1])


def _by_group(of_heads: Tensor, groups: int) -> Tensor:
    """(batch head target any) -> (batch group row any): the rows of all heads that read a group."""
    expect_multiple("the number of heads", of_heads.shape[1], "that of groups", groups)
    return of_heads.unflatten(1, (groups, -1)).flatten(2, 3)


@checked
def positive_features(vectors: Float[Tensor, "*any"]) -> Float[Tensor, "*any"]:
    """Map every entry to a positive number, so that a sum of products can serve as a divisor.

        φ(x) = elu(x) + 1                          Katharopoulos et al. 2020, equation 7

    That is x + 1 above zero and eˣ below. Weights φ(q)·φ(k) are positive, as those of a softmax
    are, but they do not differ as much as exponentials do: this attention is much flatter.
    """
    expect_finite("vectors", vectors, "there is no feature of it")
    return F.elu(vectors) + 1


@checked
def linear_attention(
    queries: Float[Tensor, "batch position key"],
    keys: Float[Tensor, "batch position key"],
    values: Float[Tensor, "batch position value"],
    rule: Rule,
    decay: Float[Tensor, "batch position"] | SomeShare = 1.0,
    strength: Float[Tensor, "batch position"] | Share = 1.0,
    normalised: bool = False,
) -> Float[Tensor, "batch position value"]:
    """Read a memory at every position of a sequence, after writing that position into it.

        "sum"     S_t = λ_t S_{t-1} + β_t v_t k_tᵀ                        Katharopoulos et al. 2020
        "delta"   S_t = λ_t S_{t-1} + β_t (v_t - λ_t S_{t-1} k_t) k_tᵀ    Schlag et al. 2021
        both      c_t = S_t q_t

    computed for all positions at once, without the states: c = ((Q Kᵀ) ∘ D) U, where D_tj is the
    product of the decays from j + 1 to t, and 0 for j > t. The rows of U are the values times β
    (sum), or β times what is new about them (delta), found by solving one triangular system
    (Yang et al. 2024). `LinearMemory` does the same step by step.

    The "weight" of a pair is just a product of query and key, with no softmax whose weights could
    be shown: it may be negative, and the weights of a row need not sum to one.

    decay       λ, above 0 and at most 1: how much is kept at each step. One number, or (batch
                position)
    strength    β, 0 to 1: how much is written at each step. One number, or (batch position). With
                the delta rule, keys of length 1 and β = 1, a pair that has just been written reads
                back exactly
    normalised  divide by Σ_j (q_t · k_j) D_tj β_j, which must be positive: see `positive_features`.
                Only for "sum"
    """
    _expect_normalisable(rule, normalised)
    decays, share = _decays(decay, keys), _shares("strength", strength, keys)
    news = _news(keys, values, rule, decays, share)
    weights = (queries @ keys.mT) * decays
    output = weights @ news
    if normalised:
        output = output / _divisor(weights @ share.unsqueeze(-1))
    expect_finite("the output", output, _FINITE)
    return output


@checked
def memory_state(
    keys: Float[Tensor, "batch position key"],
    values: Float[Tensor, "batch position value"],
    rule: Rule,
    decay: Float[Tensor, "batch position"] | SomeShare = 1.0,
    strength: Float[Tensor, "batch position"] | Share = 1.0,
) -> Float[Tensor, "batch value key"]:
    """The matrix after all pairs have been written, computed without the matrices before it.

        S_n = Σ_j D_nj u_j k_jᵀ                    with D and u as in `linear_attention`

    It has value x key numbers, after three pairs as after three thousand.
    """
    decays = _decays(decay, keys)
    news = _news(keys, values, rule, decays, _shares("strength", strength, keys))
    state = news.mT @ (decays[..., -1, :, None] * keys)
    expect_finite("the state", state, _FINITE)
    return state


class LinearMemory:
    """A memory that is a single matrix, written and read step by step.

        >>> memory = LinearMemory(3, 2, rule="delta")
        >>> memory.write(torch.tensor([[0.0, 1, 0]]), torch.tensor([[5.0, 7]]))
        >>> memory.read(torch.tensor([[0.0, 1, 0]]))
        tensor([[5., 7.]])

    The equations and the results are those of `linear_attention`. A step costs as much after a
    million pairs as after one, and the memory does not grow: this is a recurrent network whose
    state is a matrix. Unlike a GRU's, its readings at all positions can be computed at once: by
    `linear_attention`.

    ``state`` is (batch value key). In a normalised memory ``total`` is the sum of the keys, each
    faded and weighted like its pair, (batch key); otherwise it is None. Neither is ever changed in
    place, so gradients pass.
    """

    @checked
    def __init__(
        self,
        key_size: Count,
        value_size: Count,
        rule: Rule = "sum",
        decay: SomeShare = 1.0,
        normalised: bool = False,
        batch: Count = 1,
        dtype: torch.dtype = torch.float32,
    ):
        if not dtype.is_floating_point:
            raise TypeError(f"dtype must be floating point; got {dtype}")
        _expect_normalisable(rule, normalised)
        self.batch, self.value_size, self.key_size = batch, value_size, key_size
        self.rule, self.decay = rule, decay
        self.state = torch.zeros(batch, value_size, key_size, dtype=dtype)
        self.total = torch.zeros(batch, key_size, dtype=dtype) if normalised else None

    @property
    def numbers(self) -> int:
        """How many numbers one memory of the batch holds."""
        return self.state[0].numel() + (0 if self.total is None else self.total.shape[1])

    @checked
    def write(
        self,
        key: Float[Tensor, "batch={self.batch} key={self.key_size}"],
        value: Float[Tensor, "batch={self.batch} value={self.value_size}"],
        strength: Share = 1.0,
    ) -> None:
        """Write one pair into each memory of the batch, with a ``strength`` from 0 to 1."""
        expect_like("the key", key, "the state", self.state)
        state = self.decay * self.state
        if self.rule == "delta":
            value = value - (state @ key.unsqueeze(-1)).squeeze(-1)
        state = state + strength * value.unsqueeze(-1) * key.unsqueeze(-2)
        expect_finite("the state", state, _FINITE)
        self.state = state
        if self.total is not None:
            self.total = self.decay * self.total + strength * key

    @checked
    def read(
        self, query: Float[Tensor, "batch={self.batch} key={self.key_size}"]
    ) -> Float[Tensor, "batch={self.batch} value={self.value_size}"]:
        """What each memory of the batch returns for a query. Reading does not change the memory."""
        expect_like("the query", query, "the state", self.state)
        recalled = (self.state @ query.unsqueeze(-1)).squeeze(-1)
        if self.total is not None:
            recalled = recalled / _divisor((self.total * query).sum(dim=-1, keepdim=True))
        expect_finite("what was read", recalled, _FINITE)
        return recalled


def _expect_normalisable(rule: Rule, normalised: bool) -> None:
    if normalised and rule != "sum":
        raise ValueError(f"only the rule 'sum' can be normalised; got {rule!r}")


def _shares(name: str, value: Tensor | float, keys: Tensor) -> Tensor:
    """A decay or a strength for each position: the same everywhere if it is one number."""
    if not isinstance(value, Tensor):
        return keys.new_full(keys.shape[:2], value)
    expect_between(name, value, 0, 1)
    return value


def _decays(decay: Tensor | float | int, keys: Tensor) -> Float[Tensor, "batch position position"]:
    """D_tj: what is left at t of a pair written at j; 0 for j > t."""
    shares = _shares("decay", decay, keys)
    expect_above("decay", shares, 0)
    summed = shares.log().cumsum(dim=-1)
    since = summed.unsqueeze(-1) - summed.unsqueeze(-2)
    future = ~causal(keys.shape[1]).to(keys.device)
    return since.masked_fill(future, -torch.inf).exp()


def _news(
    keys: Tensor, values: Tensor, rule: str, decays: Tensor, strength: Tensor
) -> Float[Tensor, "batch position value"]:
    """u_j, whose outer product with k_j is what pair j adds. For "delta", β_j times what is new.

    u_t = β_t (v_t - Σ_{j<t} D_tj (k_j · k_t) u_j) for "delta": a triangular system for all u.
    """
    written = strength.unsqueeze(-1)
    if rule == "sum":
        return written * values
    before = (written * decays * (keys @ keys.mT)).tril(diagonal=-1)
    # unitriangular: the ones on the diagonal are implied
    return torch.linalg.solve_triangular(before, written * values, upper=False, unitriangular=True)


def _divisor(total: Tensor) -> Tensor:
    if not (total > 0).all():
        raise ValueError(
            "a normalised memory divides by the sum of its weights, which must be positive: map "
            "queries and keys by positive_features, and write before you read"
        )
    return total
