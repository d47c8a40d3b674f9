"""From scores to attention weights: a distribution over the source for each target step.

Rows are target steps. The weights of a row are not negative and sum to one. There are three ways to
get them, `attention_weights` (a softmax), `sparsemax` and `hard_choice`, and for the first two the
Jacobian, which says how the weights respond to a change of the scores.
"""

import torch
from jaxtyping import Float, Shaped
from torch import Tensor

from attn_course._check import expect_mask
from attn_course._values import describe, expect_number

_ROUNDING = 0.01  # how far the sum of a row may be from one: bfloat16 has three significant digits


def attention_weights(
    scores: Float[Tensor, "... source"],
    readable: Shaped[Tensor, "..."] | None = None,
    temperature: float | int = 1.0,
) -> Float[Tensor, "... source"]:
    """Turn scores into weights by a softmax over the source, hiding what may not be read.

        α_ij = exp(e_ij / τ) / Σ_k exp(e_ik / τ)   Bahdanau et al. 2015, equation 6 (τ = 1)

    Only differences between scores matter: adding a constant to a row changes nothing. Every
    readable position gets *some* weight, however small, and therefore some gradient.

    ``readable`` is boolean, True = may be read, and broadcasts to the scores; hidden positions
    get a weight of exactly 0. The ``temperature`` τ > 0 sharpens the weights below 1 and flattens
    them above; infinity makes all readable weights equal.

    A row with nothing to read is a ValueError that names the row: there is no distribution over
    nothing, and NaN or uniform weights would hide the mistake. A score that is NaN or +∞ is a
    ValueError too, even where it is hidden.
    """
    temperature = expect_number("temperature", temperature)
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0; got {temperature:g}")
    scores = _readable_scores(scores, readable)
    if temperature != 1:
        scores = _tempered(scores, temperature)
    return torch.softmax(scores, dim=-1)


def sparsemax(
    scores: Float[Tensor, "... source"], readable: Shaped[Tensor, "..."] | None = None
) -> Float[Tensor, "... source"]:
    """Turn scores into weights, many of which are exactly zero.

        α_i = argmin over distributions p of ‖p - e_i‖²
            = max(e_ij - τ_i, 0), τ_i such that Σ_j α_ij = 1      Martins & Astudillo 2016, eq. 1

    This is the distribution nearest to the scores. Where softmax gives every position a little,
    sparsemax gives the losers nothing, and therefore no gradient either. Shapes and errors are
    those of `attention_weights`.
    """
    scores = _readable_scores(scores, readable)
    scores = scores - scores.amax(dim=-1, keepdim=True)  # changes no weight and keeps 1 + s exact
    ordered = scores.sort(dim=-1, descending=True).values
    count = torch.arange(1, scores.shape[-1] + 1, device=scores.device, dtype=scores.dtype)
    total = ordered.cumsum(dim=-1)
    # the k largest share the weight, for the largest k that leaves each of them some
    support = (1 + count * ordered > total).sum(dim=-1, keepdim=True)
    threshold = (total.gather(-1, support - 1) - 1) / support
    return (scores - threshold).clamp(min=0)


def hard_choice(
    scores: Float[Tensor, "... source"], readable: Shaped[Tensor, "..."] | None = None
) -> Float[Tensor, "... source"]:
    """Give all weight to the highest score: 1 there, 0 everywhere else.

        α_ij = 1 for j = argmax_k e_ik, otherwise 0

    Unless scores are equal, this is the limit of `attention_weights` as the temperature goes to 0.
    A small change of the scores hardly ever changes it, so its gradient is zero and nothing can be
    learnt through it. Of equal scores, the first wins. Shapes and errors are those of
    `attention_weights`.
    """
    scores = _readable_scores(scores, readable)
    best = scores.argmax(dim=-1, keepdim=True)
    return torch.zeros_like(scores).scatter(-1, best, 1.0)


def softmax_jacobian(weights: Float[Tensor, "... source"]) -> Float[Tensor, "... source source"]:
    """How each weight of a softmax responds to each score, computed from the weights alone.

        ∂α_ij / ∂e_ik = α_ij ([j = k] - α_ik)      that is, diag(α_i) - α_i α_iᵀ, at temperature 1

    Each row and each column sums to zero: what one position gains, the others lose. A weight near
    0 or near 1 hardly responds to any score, not even its own: there the softmax is *saturated*.
    If the temperature is not 1, divide by it.
    """
    _expect_weights(weights)
    return torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)


def sparsemax_jacobian(weights: Float[Tensor, "... source"]) -> Float[Tensor, "... source source"]:
    """How each weight of a sparsemax responds to each score, computed from the weights alone.

        ∂α_ij / ∂e_ik = [j = k] - 1/n  for j and k among the n positions with weight, otherwise 0
                                                   Martins & Astudillo 2016, section 2.5

    It does not matter how large a weight is, only whether it is zero: a small weight responds as
    much as a large one. A position without weight gets no gradient at all, and neither does one
    with all the weight, since 1 - 1/1 = 0. Where a weight has just become zero there is no
    derivative; what is returned there is the one-sided derivative for staying at zero.
    """
    _expect_weights(weights)
    support = (weights > 0).to(weights.dtype)
    shared = support.unsqueeze(-1) * support.unsqueeze(-2)
    return torch.diag_embed(support) - shared / support.sum(dim=-1)[..., None, None]


def entropy(weights: Float[Tensor, "... source"]) -> Float[Tensor, "..."]:
    """How spread out each row of weights is, in nats.

        H(α_i) = -Σ_j α_ij ln α_ij                 Shannon 1948

    0 when all the weight lies on one position, ln n when n positions share it equally; exp(H) reads
    as "how many positions are looked at". Entropy says how sharp the attention is, not whether it
    is right.
    """
    _expect_weights(weights)
    return torch.special.entr(weights).sum(dim=-1)


def effective_positions(weights: Float[Tensor, "... source"]) -> Float[Tensor, "..."]:
    """How many positions are looked at, counted as if they all shared the weight equally.

        n_i = exp(H(α_i))                          the perplexity of α_i

    1 when all the weight lies on one position, n when n positions share it equally, and otherwise
    in between. It need not be a whole number, and it does not say *which* positions they are.
    """
    return entropy(weights).exp()


def _tempered(scores: Tensor, temperature: float) -> Tensor:
    """(e_ij - max_k e_ik) / τ: the same weights as e_ij / τ, and no quotient can overflow to +∞."""
    behind = scores - scores.amax(dim=-1, keepdim=True).detach()  # a constant of the row
    # τ must not become 0 or ∞ in PyTorch's dtype: 0 / 0 and -∞ / ∞ are NaN
    range_ = torch.finfo(torch.promote_types(scores.dtype, torch.float32))
    return behind / min(max(temperature, range_.tiny), range_.max)


def _expect_weights(weights: Tensor) -> None:
    _expect_rows("weights", weights)
    if not ((weights >= 0) & (weights < torch.inf)).all():
        raise ValueError(f"weights must not be negative, infinite or NaN; got {describe(weights)}")
    total = weights.detach().sum(dim=-1, dtype=torch.float64)
    if not ((total - 1).abs() < _ROUNDING).all():
        raise ValueError(
            f"each row of weights must sum to one; got {describe(weights)} with sums from "
            f"{total.min():.4g} to {total.max():.4g}"
        )


def _expect_rows(name: str, value: Tensor) -> None:
    if not isinstance(value, Tensor) or not value.is_floating_point():
        raise TypeError(f"{name} must be floating point (... source); got {describe(value)}")
    if value.dim() == 0 or value.shape[-1] == 0:
        raise ValueError(f"{name} must have a source of 1 or more; got {describe(value)}")


def _readable_scores(scores: Tensor, readable: Tensor | None) -> Tensor:
    """The scores, with -∞ where nothing may be read, once both have been checked."""
    _expect_rows("scores", scores)
    shown = scores
    if readable is not None:
        expect_mask(readable, scores)
        shown = scores.masked_fill(~readable, -torch.inf)
    fits = scores < torch.inf  # NaN is not below infinity either
    empty = (shown == -torch.inf).all(dim=-1, keepdim=True)
    if not (fits & ~empty).all():  # one test for both, since a GPU is waited for
        if not fits.all():
            raise ValueError(f"scores must not be NaN or +∞; {_row(~fits)} has one")
        raise ValueError(f"{_row(empty)} has nothing to read: its weights cannot sum to one")
    return shown


def _row(marked: Tensor) -> str:
    """Name the first row in which an entry is marked."""
    place = marked.any(dim=-1).nonzero()[0].tolist()
    if len(place) == 2:
        return f"row (batch {place[0]}, target {place[1]})"
    return f"row {tuple(place)}" if place else "the only row"
