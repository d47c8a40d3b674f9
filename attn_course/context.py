"""Context vectors: what attention passes on.

However long the source is, the result has the size of a single annotation.
"""

from collections.abc import Callable

from jaxtyping import Float
from torch import Tensor

from attn_course._check import expect_finite
from attn_course._signature import checked
from attn_course.weights import Mask, attention_weights


@checked
def context_vectors(
    weights: Float[Tensor, "batch target source"],
    annotations: Float[Tensor, "batch source annotation"],
) -> Float[Tensor, "batch target annotation"]:
    """Average the annotations by their weights.

        c_i = Σ_j α_ij h_j                         Bahdanau et al. 2015, equation 5

    If α_ij is read as the probability that target i is aligned with source j, then c_i is the
    *expected annotation*. An average cannot leave the convex hull of what it averages, so attention
    can choose and mix, but never extrapolate.

    A wrong shape or device is a ValueError, and a wrong dtype a TypeError. A weight or an
    annotation that is NaN or infinite is a ValueError, even where the weight is 0, since 0 times
    NaN is NaN. Whether the weights sum to one is not checked here.
    """
    contexts = weights @ annotations
    expect_finite("contexts", contexts, "are all weights and annotations finite?")
    return contexts


@checked
def attend(
    queries: Float[Tensor, "batch target query"],
    keys: Float[Tensor, "batch source key"],
    values: Float[Tensor, "batch source annotation"],
    score: Callable[[Tensor, Tensor], Tensor],
    readable: Mask | None = None,
) -> tuple[Float[Tensor, "batch target annotation"], Float[Tensor, "batch target source"]]:
    """The whole of attention in three lines: score, weigh, average.

        e_ij = a(query_i, key_j)    α_i = softmax_j(e_i)    c_i = Σ_j α_ij value_j

    Keys decide *where* to look, values *what is seen* there. In the translators of 2015 both are
    the annotations h_j; keeping them apart costs nothing and leads to self-attention.

    ``score`` is a score of `attn_course.alignment`; ``readable`` is a mask that broadcasts to
    (batch target source). Returns the contexts and the weights; nothing is stored. Errors are
    those of the score, of `attention_weights` and of `context_vectors`.
    """
    scores = score(queries, keys)
    weights = attention_weights(scores, readable)
    return context_vectors(weights, values), weights
