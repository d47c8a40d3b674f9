"""Exercise: turn scores into weights without looking at what may not be read.

    α_ij = exp(e_ij) / Σ_k exp(e_ik), over the readable k       Bahdanau et al. 2015, equation 6

    scores (batch source)   readable (batch source), True = may be read
        ->   weights (batch source)

A row in which nothing may be read has no weights: it raises a ValueError.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

BATCH, SOURCE = Size(1, 3), Size(4, 7)


def solution(scores: Tensor, readable: Tensor) -> Tensor:
    """exp(-∞) is 0: a score of -∞ is the one that gets no weight at all."""
    if not readable.any(dim=-1).all():
        raise ValueError("in one row nothing may be read")
    return torch.softmax(scores.masked_fill(~readable, -torch.inf), dim=-1)


def _everything(draw: Draw) -> dict[str, Tensor]:
    return {"scores": draw.normal(BATCH, SOURCE), "readable": torch.ones(draw[BATCH, SOURCE]) > 0}


def _some(draw: Draw) -> dict[str, Tensor]:
    """A mask whose rows differ, each with something to read and something hidden."""
    scores, readable = draw.normal(BATCH, SOURCE), draw.booleans(BATCH, SOURCE)
    for row in range(draw[BATCH]):
        readable[row, [row % draw[SOURCE], (row + 1) % draw[SOURCE]]] = True
        readable[row, (row + 2) % draw[SOURCE]] = False
    return {"scores": scores, "readable": readable}


def _hidden(score: float) -> Callable[[Draw], dict[str, Tensor]]:
    """Draw the same, with this score wherever nothing may be read."""

    def hidden(draw: Draw) -> dict[str, Tensor]:
        inputs = _some(draw)
        return inputs | {"scores": inputs["scores"].masked_fill(~inputs["readable"], score)}

    return hidden


def _large(draw: Draw) -> dict[str, Tensor]:
    inputs = _some(draw)
    return inputs | {"scores": inputs["scores"] + 100}


def _one_row_empty(draw: Draw) -> dict[str, Tensor]:
    inputs = _some(draw)
    inputs["readable"][draw.integer(BATCH)] = False
    return inputs


_HIDDEN = (
    "A hidden place may hold any number. A softmax of all the scores can give it everything, and "
    "then nothing is left to divide by. Set its score to -∞ before the softmax: subtracting "
    "something may not be enough, and ∞ · 0 is not a number."
)
exercise = Exercise(
    "weights_of(scores, readable)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Where everything may be read, the weights are a softmax.",
            _everything,
            "α_j = exp(e_j) / Σ_k exp(e_k). Is it exp, of the scores themselves, with nothing "
            "multiplied or divided before?",
        ),
        Case(
            "The weights are a softmax over what may be read.",
            _some,
            "The weight that hidden positions give up goes to the others in proportion to "
            "exp(e_j), not in equal parts.",
        ),
        Case(
            "Adding 100 to every score changes nothing.",
            _large,
            "exp(100) is beyond the largest float32, and ∞ / ∞ is not a number. Only differences "
            "of scores matter: subtract the row's maximum first, as torch.softmax does.",
        ),
        Case("What is hidden does not matter, whatever its score.", _hidden(3e4), _HIDDEN),
        Case("It may even be infinite.", _hidden(torch.inf), _HIDDEN, may_refuse=True),
        Weak(
            "A row in which nothing may be read raises a ValueError.",
            _one_row_empty,
            "There is no distribution over nothing. With -∞ the softmax gives NaN, with a large "
            "negative number it gives equal weights on padding; both hide a mistake. Look for such "
            "a row first, and raise ValueError.",
        ),
    ],
    slips={
        "Your ValueError came although every row has something to read. One hidden position is no "
        "reason for it, only a row in which all are hidden.": [
            ("readable.any(dim=-1)", "readable")
        ],
        "True means “may be read”. Is the mask used the wrong way round?": [
            ("~readable, -torch.inf", "readable, -torch.inf"),
        ],
        "Each row divides one unit among its own positions: sum along the last axis, dim=-1, not "
        "over the batch.": [("-torch.inf), dim=-1", "-torch.inf), dim=0")],
        "The mask is not used, or one row's mask is used for another, or a hidden score became 0 "
        "or some other number. exp(0) is 1, which is no small weight: only exp(-∞) is 0.": [
            (".masked_fill(~readable, -torch.inf)", ""),
            (".masked_fill(~readable, -torch.inf)", " * readable"),
            ("-torch.inf", "-5.0"),
            ("(~readable", "(~readable[:1]"),
        ],
        "The weight that the hidden positions would have had is lost. Hide them before the "
        "softmax, with a score of -∞.": [
            lambda scores, readable: torch.softmax(scores, dim=-1) * readable,
        ],
        "": [
            ("scores.masked", "(2 * scores).masked"),
            lambda scores, readable: (
                (weights := torch.softmax(scores, dim=-1) * readable)
                + (1 - weights.sum(-1, True)) * readable / readable.sum(-1, True)
            ),
            lambda scores, readable: (
                (powers := scores.exp() * readable) / powers.sum(dim=-1, keepdim=True)
            ),
            lambda scores, readable: (
                (weights := torch.softmax(scores, dim=-1) * readable)
                / weights.sum(dim=-1, keepdim=True)
            ),
            ("scores.masked_fill(~readable, -torch.inf)", "scores * readable - 1e9 * ~readable"),
            ("not readable.any(dim=-1).all()", "False"),
            ("-torch.inf", "-1e9", "not readable.any(dim=-1).all()", "False"),
        ],
    },
    gradients=_some,
    shape="The result has the shape of the scores, (batch, source). A hidden position keeps its "
    "place, with the weight 0.",
)
check = exercise.check
