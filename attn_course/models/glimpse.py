"""A reader that looks several times: one digit after another, from left to right, until the end."""

from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course._signature import checked, expect
from attn_course._values import Count
from attn_course.alignment import AdditiveScore
from attn_course.context import context_vectors
from attn_course.models.one_look import DIGITS, expect_digits
from attn_course.models.trunk import FEATURES, Trunk, position_code
from attn_course.weights import attention_weights

END = DIGITS  # said when nothing is left to read
Looks = Literal["state", "step", "blind"]
LOOKS: tuple[Looks, ...] = ("state", "step", "blind")


class GlimpseReader(nn.Module):
    """Read the digits of a canvas from left to right, each after a look of its own.

        h_j  = [Trunk(pixels)_j ; p_j]                   p_j says where cell j is
        e_ij = v · tanh(W_a s_{i-1} + U_a h_j)           Bahdanau et al. 2015
        c_i  = Σ_j α_ij h_j    s_i = GRU(c_i, s_{i-1})    p(y_i) = softmax(W_o [c_i ; s_i] + b)

    This is the decoder of chapter 05 with another source: cells of an image in place of characters
    (Xu et al. 2015, section 3.1). The difference: a digit that was read is *not* fed back. All that
    the reader knows of the canvas comes from its looks, so s_{i-1} can tell where to look next only
    from what the looks have seen, and the reader runs in training as it does in use.

    looks      "state": the next place depends on the state before, as above. "step": it depends on
               the number of the step alone, whose embedding replaces s_{i-1} in the score. "blind":
               no choice, each look is the mean of all cells
    position   whether p_j is there; without it, h_j does not say where cell j is
    normalise  see `Trunk`
    longest    the largest number of looks with "step"
    """

    @checked
    def __init__(
        self,
        *,
        looks: Looks = "state",
        position: bool = True,
        normalise: bool = True,
        state_size: Count = 64,
        longest: Count = 8,
    ):
        super().__init__()
        self.looks, self.position, self.longest = looks, position, longest
        size = FEATURES + 4 * position
        self.trunk = Trunk(normalise=normalise)
        self.start = nn.Parameter(torch.zeros(state_size))  # s_0
        if looks != "blind":
            self.score = AdditiveScore(state_size, size, state_size)
        if looks == "step":
            self.steps = nn.Embedding(longest, state_size)
        self.cell = nn.GRUCell(size, state_size)
        self.readout = nn.Linear(size + state_size, DIGITS + 1)

    def forward(
        self, pixels: Float[Tensor, "batch row column"], steps: int
    ) -> tuple[Float[Tensor, "batch step symbol"], Float[Tensor, "batch step cell"]]:
        """The logits after each look, of the ten digits and `END`, and the weights of the cells."""
        annotations = self.annotate(pixels)
        prepared = self.score.prepare(annotations) if self.looks != "blind" else None
        state = self.begin(len(pixels))
        logits: list[Tensor] = []
        weights: list[Tensor] = []
        expect(Count, steps=steps)
        for step in range(steps):
            step_weights = self.look(annotations, state, step, prepared)
            state, step_logits = self.take_in(step_weights, annotations, state)
            logits.append(step_logits)
            weights.append(step_weights)
        return torch.stack(logits, dim=1), torch.cat(weights, dim=1)

    def annotate(
        self, pixels: Float[Tensor, "batch row column"]
    ) -> Float[Tensor, "batch cell annotation"]:
        """h_j, row by row."""
        features = self.trunk(pixels)
        flat = features.flatten(1, 2)
        if not self.position:
            return flat
        code = position_code(*features.shape[1:3], like=flat)
        return torch.cat([flat, code.expand(len(flat), -1, -1)], dim=-1)

    @checked
    def begin(self, count: Count) -> Float[Tensor, "batch state"]:
        """s_0, which is learnt and the same for every canvas."""
        return self.start.expand(count, -1)

    def look(
        self, annotations: Tensor, state: Tensor, step: int, prepared: Tensor | None = None
    ) -> Float[Tensor, "batch 1 cell"]:
        """α_i for the look with this number, counted from 0, given s_{i-1} (batch state)."""
        if self.looks == "blind":
            count = annotations.shape[1]
            return torch.full_like(annotations[..., :1], 1 / count).transpose(1, 2)
        if self.looks == "step":
            if step >= self.longest:
                raise ValueError(
                    f"step must be below {self.longest}, for which there are queries; got {step}"
                )
            state = self.steps.weight[step].expand(len(annotations), -1)
        prepared = self.score.prepare(annotations) if prepared is None else prepared
        return attention_weights(self.score.compare(state.unsqueeze(1), prepared))

    def take_in(
        self, weights: Tensor, annotations: Tensor, state: Tensor
    ) -> tuple[Float[Tensor, "batch state"], Float[Tensor, "batch symbol"]]:
        """s_i and the logits of what is said after the look, given α_i and s_{i-1}."""
        context = context_vectors(weights, annotations)[:, 0]
        state = self.cell(context, state)
        return state, self.readout(torch.cat([context, state], dim=-1))

    def loss(
        self, pixels: Float[Tensor, "batch row column"], digits: Int[Tensor, "batch object"]
    ) -> Tensor:
        """The mean cross-entropy of the digits and the end, in nats."""
        wanted = targets(expect_digits(digits, len(pixels)))
        logits = self(pixels, wanted.shape[1])[0]
        wanted = wanted.to(logits.device)
        return F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=-1)


def targets(digits: Int[Tensor, "batch object"]) -> Int[Tensor, "batch step"]:
    """What is to be said: the digits, `END`, and -1 for steps that do not count."""
    digits = expect_digits(digits)
    symbols = F.pad(digits, (0, 1), value=-1)
    count = (digits >= 0).sum(dim=1, keepdim=True)
    return symbols.scatter(1, count, END)


@checked
@torch.no_grad()
def read(
    model: GlimpseReader, pixels: Float[Tensor, "batch row column"], longest: Count = 6
) -> tuple[list[list[int]], Float[Tensor, "batch step cell"]]:
    """Look until the end is said, or ``longest`` times: the digits of each canvas, and the weights.

    The weights have as many rows as the longest reading has looks; for a canvas that ended earlier,
    the rest are 0. If the end is said at once, the list of digits is empty.
    """
    logits, weights = model(pixels, longest)
    symbols = logits.argmax(dim=-1)
    ended = (symbols == END).cumsum(dim=1) > 0
    digits = [row[~end].tolist() for row, end in zip(symbols, ended, strict=True)]
    after = F.pad(ended[:, :-1], (1, 0))  # the look that says the end still counts
    most = int((~after).sum(dim=1).max())
    return digits, weights.masked_fill(after.unsqueeze(-1), 0.0)[:, :most]
