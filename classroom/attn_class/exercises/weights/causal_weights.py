"""Exercise: weights for whole batches, which read neither padding nor the future.

α_bij = exp(e_bij) / Σ_k exp(e_bik), over the k ≤ i with k < length_b
                                             Vaswani et al. 2017, section 3.2.3

scores (batch target source), as many targets as sources   lengths (batch), whole numbers
    ->   weights (batch target source)
"""

from collections.abc import Callable

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, same

BATCH, SOURCE = Size(1, 2), Size(3, 5)  # so few that the numbers are shown


def solution(scores: Tensor, lengths: Tensor) -> Tensor:
    """Two masks of different shapes; broadcasting joins them."""
    size = scores.shape[-1]
    places = torch.arange(size)
    before = places <= places.unsqueeze(1)  # (target, source)
    real = places < lengths.view(-1, 1, 1)  # (batch, 1, source)
    return torch.softmax(scores.masked_fill(~(before & real), -torch.inf), dim=-1)


def _whole(draw: Draw) -> dict[str, Tensor]:
    lengths = torch.full((draw[BATCH],), draw[SOURCE])
    return {"scores": draw.normal(BATCH, SOURCE, SOURCE), "lengths": lengths}


def _padded(draw: Draw) -> dict[str, Tensor]:
    """Different lengths, all shorter than the source, the longest first."""
    start = draw.integer(SOURCE)
    lengths = [1 + (start + row) % (draw[SOURCE] - 1) for row in range(draw[BATCH])]
    return _whole(draw) | {"lengths": torch.tensor(sorted(lengths, reverse=True))}


def _hidden(score: float) -> Callable[[Draw], dict[str, Tensor]]:
    """Draw the same, with this score wherever nothing may be read."""

    def hidden(draw: Draw) -> dict[str, Tensor]:
        inputs = _padded(draw)
        return inputs | {"scores": inputs["scores"].masked_fill(solution(**inputs) == 0, score)}

    return hidden


def _alike(result: Tensor, expected: Tensor) -> bool:
    """A padded target may have the weights that it would have, or none: nobody reads its row."""
    padded = (expected > 0).sum(dim=-1) <= torch.arange(expected.shape[-1])
    none = (padded & (result == 0).all(dim=-1)).unsqueeze(-1)
    return same(torch.where(none, expected.to(result.dtype), result), expected)


_HIDDEN = (
    "A padded position may hold any number. Set its score to -∞: multiplying it by 0 leaves "
    "exp(0) = 1, and subtracting something may not be enough."
)
exercise = Exercise(
    "weights_behind(scores, lengths)",
    minutes=15,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Each target reads itself and what came before: a softmax of these scores.",
            _whole,
            "α = exp(e) over the sum of exp(e). Rows are targets i, columns are sources j, and "
            "j ≤ i may be read.",
        ),
        Case(
            "With padding, each row of weights still sums to one, and is a softmax of what may be "
            "read.",
            _padded,
            "α = exp(e) over the sum of exp(e), over the readable positions alone. Both masks "
            "belong before the softmax, joined by &.",
            alike=_alike,
        ),
        Case(
            "What is hidden does not matter, whatever its score.",
            _hidden(3e4),
            _HIDDEN,
            alike=_alike,
        ),
        Case(
            "It may even be infinite.", _hidden(torch.inf), _HIDDEN, may_refuse=True, alike=_alike
        ),
    ],
    slips={
        _HIDDEN: [
            ("scores.masked_fill(~(before & real), -torch.inf)", "scores - 1e3 * ~(before & real)"),
        ],
        "In row b of the batch only j < length_b may be read, by every target. Are the lengths "
        "used, compared with the source positions, and each with its own row of the batch?": [
            ("before & real", "before"),
            ("lengths.view", "(lengths + 1).view"),
            ("places < lengths", "places[:, None] < lengths", "-torch.inf", "-1e9"),
            ("lengths.view", "lengths[:1].view"),
        ],
        "A row with nothing but -∞ becomes NaN. Position 0 may always be read here: is the mask "
        "the wrong way round, or does a position not see itself?": [
            ("places <= places", "places < places"),
            ("~(before & real)", "before & real"),
        ],
        "Rows are targets i, columns are sources j, and j ≤ i may be read. Is the causal mask "
        "missing, transposed or one place off?": [
            ("places <= places.unsqueeze(1)", "places <= places.unsqueeze(1) + 1"),
            ("places <=", "places >=", "-torch.inf", "-1e9"),
            ("before & real", "real"),
        ],
        "j = i may be read too: if the diagonal were hidden, the first row would have nothing.": [
            ("places <= places.unsqueeze(1)", "places < places.unsqueeze(1).clamp(min=1)"),
            lambda scores, lengths: torch.eye(scores.shape[-1]).expand_as(scores).clone(),
        ],
        "The softmax goes over the source, the last axis (dim=-1), and the masks come before it. "
        "A mask that comes after takes weight away and gives it to nobody.": [
            ("dim=-1", "dim=1"),
            (
                "scores.masked_fill(~(before & real), -torch.inf), dim=-1)",
                "scores, dim=-1) * (before & real)",
            ),
        ],
        "": [
            ("scores.masked", "(scores * (1 + (lengths < size).view(-1, 1, 1))).masked"),
            ("(before & real), -torch.inf), dim=-1)", "before, -torch.inf), dim=-1) * real"),
            ("lengths.view(-1, 1, 1)", "lengths"),
        ],
    },
    gradients=_whole,
    shape="The result has the shape of the scores, (batch, target, source). What is hidden keeps "
    "its place, with the weight 0.",
)
check = exercise.check
