"""Hard attention: one cell is drawn, and nothing else is seen."""

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from attn_course._signature import checked
from attn_course._values import Amount
from attn_course.models.one_look import MaskReader, expect_digits
from attn_course.weights import hard_choice


class HardReader(MaskReader):
    """Draw one cell by the mask's weights, and read the digit off this cell alone.

        j ~ α    p(digit) = softmax(W_o h_j + b_o)    R = 1 if the digit is right, otherwise 0
        ∇ E[R] = E[(R - b) ∇ ln α_j]               Williams 1992, theorem 1 (REINFORCE)

    No gradient passes through a draw. The mask's own parameters learn from the reward (a cell that
    was drawn and did better than expected becomes likelier) and from the entropy of α. The readout
    learns only from the cross-entropy of what was seen (Mnih et al. 2014, section 3.1), and the
    trunk learns from all of these. The gradient is right on average and noisy at each draw. b, a
    running mean of R, takes away some of the noise and does not change the average.

    baseline  whether b is subtracted
    entropy   how much of the entropy of α is added to what is maximised (Xu et al. 2015,
              section 4.1), so that the reader does not settle on one cell too early

    In use, the likeliest cell is taken. The weights that are returned are α.
    """

    @checked
    def __init__(self, *, normalise: bool = True, baseline: bool = True, entropy: Amount = 0.01):
        super().__init__(normalise=normalise)
        self.subtracts, self.entropy = baseline, entropy
        self.register_buffer("expected", torch.tensor(0.1))  # b, at first that of blind guessing

    def look(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """The likeliest cell, read out."""
        weights = self.weights(features)
        return self.logits_at(features, weights.argmax(dim=-1)), weights

    def shares(self, features: Tensor) -> Tensor:
        """1 for the likeliest cell, otherwise 0."""
        return hard_choice(self.weights(features)).transpose(1, 2)

    def logits_at(
        self, features: Float[Tensor, "batch row column channel"], cells: Int[Tensor, "batch 1"]
    ) -> Float[Tensor, "batch 1 digit"]:
        """The logits, given the one cell that is looked at on each canvas."""
        flat = features.flatten(1, 2)
        canvases = torch.arange(len(flat), device=flat.device)[:, None]
        return self.readout(flat[canvases, cells])

    def loss(
        self, pixels: Float[Tensor, "batch row column"], digits: Int[Tensor, "batch object"]
    ) -> Tensor:
        """A loss whose gradient is that of the mean cross-entropy and of -E[R], as drawn.

            L = -ln p(digit) - (R - b) ln α_j - entropy · H(α)

        Its value measures nothing. The call also moves b towards the mean R of these canvases.
        """
        digits = expect_digits(digits, len(pixels), most=1)
        features = self.trunk(pixels)
        weights = self.weights(features)[:, 0]
        cells = torch.multinomial(weights.detach(), 1)
        logits = self.logits_at(features, cells)[:, 0]
        digits = digits.to(logits.device)
        reward = (logits.detach().argmax(dim=-1) == digits[:, 0]).to(weights.dtype)
        better = reward - self.expected if self.subtracts else reward
        log_weights = weights.clamp(min=1e-9).log()
        reinforced = (better * log_weights.gather(1, cells)[:, 0]).mean()
        spread = -(weights * log_weights).sum(dim=-1).mean()
        self.expected += 0.1 * (reward.mean() - self.expected)
        return F.cross_entropy(logits, digits[:, 0]) - reinforced - self.entropy * spread
