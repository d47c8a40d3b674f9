"""From scores to attention weights: a distribution over the source for each target step.

Rows are target steps. The weights of a row are not negative and sum to one. There are three ways to
get them, `attention_weights` (a softmax), `sparsemax` and `hard_choice`, and for the first two the
Jacobian, which says how the weights respond to a change of the scores.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from attn_course._check import expect_something_to_read, expect_weighed, expect_weights
from attn_course._rows import softmax
from attn_course._signature import checked
from attn_course._values import Positive

Mask = Bool[Tensor, "*#rows #source"]  # "#": where the size is 1, it serves for all
_ROUNDING = 0.01  # how far the sum of a row may be from one: bfloat16 has three significant digits


@checked
def attention_weights(
    scores: Float[Tensor, "*rows source"],
    readable: Mask | None = None,
    temperature: Positive = 1.0,
) -> Float[Tensor, "*rows source"]:
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
    masked = scores if readable is None else scores.masked_fill(~readable, -torch.inf)
    weights = softmax(_tempered(masked, temperature))
    expect_weighed(weights, scores, masked)
    return weights


@checked
def sparsemax(
    scores: Float[Tensor, "*rows source"], readable: Mask | None = None
) -> Float[Tensor, "*rows source"]:
    """Turn scores into weights, some of which may be exactly zero.

        α_i = argmin over distributions p of ‖p - e_i‖²
            = max(e_ij - τ_i, 0), τ_i such that Σ_j α_ij = 1      Martins & Astudillo 2016, (2), (3)

    This is the distribution nearest to the scores. Where softmax gives every position a little,
    sparsemax gives the losers nothing, and therefore no gradient either. Shapes and errors are
    those of `attention_weights`.
    """
    masked = scores if readable is None else scores.masked_fill(~readable, -torch.inf)
    expect_something_to_read(scores, masked)
    masked = masked - masked.amax(dim=-1, keepdim=True)  # changes no weight and keeps 1 + s exact
    ordered = masked.sort(dim=-1, descending=True).values
    count = torch.arange(1, masked.shape[-1] + 1, device=masked.device, dtype=masked.dtype)
    total = ordered.cumsum(dim=-1)
    # the k largest share the weight, for the largest k that leaves each of them some
    support = (1 + count * ordered > total).sum(dim=-1, keepdim=True)
    threshold = (total.gather(-1, support - 1) - 1) / support
    return (masked - threshold).clamp(min=0)


@checked
def hard_choice(
    scores: Float[Tensor, "*rows source"], readable: Mask | None = None
) -> Float[Tensor, "*rows source"]:
    """Give all weight to the highest score: 1 there, 0 everywhere else.

        α_ij = 1 for j = argmax_k e_ik, otherwise 0

    Unless scores are equal, this is the limit of `attention_weights` as the temperature goes to 0.
    A small change of the scores hardly ever changes it, so its gradient is zero and nothing can be
    learnt through it. Of equal scores, the first wins. Shapes and errors are those of
    `attention_weights`.
    """
    masked = scores if readable is None else scores.masked_fill(~readable, -torch.inf)
    expect_something_to_read(scores, masked)
    best = masked.argmax(dim=-1, keepdim=True)
    return torch.zeros_like(scores).scatter(-1, best, 1.0)


@checked
def softmax_jacobian(
    weights: Float[Tensor, "*rows source"],
) -> Float[Tensor, "*rows source source"]:
    """How each weight of a softmax responds to each score, computed from the weights alone.

        ∂α_ij / ∂e_ik = α_ij ([j = k] - α_ik)      that is, diag(α_i) - α_i α_iᵀ, at temperature 1

    Each row and each column sums to zero: what one position gains, the others lose. A weight near
    0 or near 1 hardly responds to any score, not even its own: there the softmax is *saturated*.
    If the temperature is not 1, divide by it. Rows that do not sum to one, or hold negative
    weights, are a ValueError, as in the three functions below.
    """
    expect_weights(weights, within=_ROUNDING)
    return torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)


@checked
def sparsemax_jacobian(
    weights: Float[Tensor, "*rows source"],
) -> Float[Tensor, "*rows source source"]:
    """How each weight of a sparsemax responds to each score, computed from the weights alone.

        ∂α_ij / ∂e_ik = [j = k] - 1/n  for j and k among the n positions with weight, otherwise 0
                                                   Martins & Astudillo 2016, section 2.5

    It does not matter how large a weight is, only whether it is zero: a small weight responds as
    much as a large one. A position without weight gets no gradient at all, and neither does one
    with all the weight, since 1 - 1/1 = 0. Where a weight has just become zero there is no
    derivative; what is returned there is the one-sided derivative for staying at zero.
    """
    expect_weights(weights, within=_ROUNDING)
    support = (weights > 0).to(weights.dtype)
    shared = support.unsqueeze(-1) * support.unsqueeze(-2)
    return torch.diag_embed(support) - shared / support.sum(dim=-1)[..., None, None]


@checked
def entropy(weights: Float[Tensor, "*rows source"]) -> Float[Tensor, "*rows"]:
    """How spread out each row of weights is, in nats.

        H(α_i) = -Σ_j α_ij ln α_ij                 Shannon 1948

    0 when all the weight lies on one position, ln n when n positions share it equally; exp(H) reads
    as "how many positions are looked at". Entropy says how sharp the attention is, not whether it
    is right.
    """
    expect_weights(weights, within=_ROUNDING)
    return torch.special.entr(weights).sum(dim=-1)


@checked
def effective_positions(weights: Float[Tensor, "*rows source"]) -> Float[Tensor, "*rows"]:
    """How many positions are looked at, counted as if they all shared the weight equally.

        n_i = exp(H(α_i))                          the perplexity of α_i

    1 when all the weight lies on one position, n when n positions share it equally, and otherwise
    in between. It need not be a whole number, and it does not say *which* positions they are.
    """
    return entropy(weights).exp()


def _tempered(scores: Tensor, temperature: float) -> Tensor:
    """(e_ij - max_k e_ik) / τ: the same weights as e_ij / τ, and no quotient can overflow to +∞."""
    if temperature == 1:
        return scores
    behind = scores - scores.amax(dim=-1, keepdim=True).detach()  # a constant of the row
    # τ must not become 0 or ∞ in PyTorch's dtype: 0 / 0 and -∞ / ∞ are NaN
    range_ = torch.finfo(torch.promote_types(scores.dtype, torch.float32))
    return behind / min(max(temperature, range_.tiny), range_.max)
