"""The attending decoder of Bahdanau, Cho and Bengio: look before each step."""

from jaxtyping import Float
from torch import Tensor

from attn_course.models.decoder import Memory, RecurrentDecoder
from attn_course.weights import attention_weights


class BahdanauDecoder(RecurrentDecoder):
    """Write one symbol after another, and look at the source before each.

        e_ij = a(s_{i-1}, h_j)     α_i = softmax_j(e_i)     c_i = Σ_j α_ij h_j
        s_i  = f(s_{i-1}, y_{i-1}, c_i)                        f is a GRU cell
        p(y_i) = softmax(W_o [s_i ; c_i])                      Bahdanau et al. 2015, section 3.1

    Looking comes first: the query is the state *before* the step, so the decoder must know in
    s_{i-1} what it will need next. (Luong's decoder queries with s_i.) Our readout omits the
    paper's maxout layer and y_{i-1}.

    The arguments are those of `AttendingDecoder`.
    """

    def look(
        self, previous_state: Float[Tensor, "batch state"], memory: Memory[Tensor]
    ) -> Float[Tensor, "batch 1 source"]:
        """Where to look before the step: α_i = softmax_j a(s_{i-1}, h_j)."""
        scores = self.score.compare(previous_state.unsqueeze(1), memory.keys)
        return attention_weights(scores, memory.readable)
