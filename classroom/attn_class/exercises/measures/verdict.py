"""Exercise: better, worse, level or not settled, with a bound that was set before the run.

    within a seed: gain = theirs - ours, file by file; its mean ± 2 std / √files

    losses ours and theirs (seed file), margin >= 0   ->   one of four words

In each seed the interval must lie above the margin ("better"), below its negative ("worse") or
between the two ("level"); otherwise it is "not settled".
"""

from collections.abc import Callable

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size

SEEDS, FILES, MARGIN = Size(3, 5), Size(20, 40), 0.05


def solution(ours: Tensor, theirs: Tensor, margin: float) -> str:
    """All seeds must agree, and each with its whole interval."""
    gain = theirs - ours
    error = 2 * gain.std(1) / gain.shape[1] ** 0.5
    low, high = gain.mean(1) - error, gain.mean(1) + error
    if (low > margin).all():
        return "better"
    if (high < -margin).all():
        return "worse"
    level = (low > -margin).all() and (high < margin).all()
    return "level" if level else "not settled"


def _gains(draw: Draw, mean: float, odd: float, spread: float) -> dict:
    """Gains with exactly these means, of all seeds but one and of that one, and this deviation.

    Files are easy or hard for both, which by itself says nothing.
    """
    files, noise = 9 * draw.normal(SEEDS, FILES), draw.normal(SEEDS, FILES)
    noise = (noise - noise.mean(1, True)) / noise.std(1, keepdim=True)
    means = torch.full((draw[SEEDS], 1), mean)
    means[draw.integer(SEEDS)] = odd
    return {"ours": files, "theirs": files + means + spread * noise, "margin": MARGIN}


def _in_any_order(*kinds: tuple[float, float, float]) -> Callable[[Draw], list[dict]]:
    return lambda draw: [_gains(draw, *kind) for kind in draw.shuffled([*kinds, *kinds])]


_AGREE = (
    "One seed that disagrees leaves the question open. Take means and errors within a seed, over "
    "its files; then ask all seeds, with .all(). Whoever does not agree is not level."
)
_INTERVAL = (
    "Other files would have given another mean. Its standard error is std / √files; twice that on "
    "either side makes the interval, and all of it must lie on one side of the bound."
)
exercise = Exercise(
    "judge(ours, theirs, margin)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Where all seeds agree, they say better, worse or level.",
            _in_any_order((0.2, 0.2, 0.1), (-0.2, -0.2, 0.1), (0.0, 0.0, 0.02)),
            "A smaller loss is better: the gain is theirs - ours. Subtract file by file, since an "
            "easy file is easy for both. Level are intervals between -margin and margin.",
        ),
        Case(
            "If one seed disagrees, nothing is settled.",
            _in_any_order((0.2, 0.0, 0.02), (0.2, -0.2, 0.02), (0.0, 0.2, 0.02), (-0.2, 0.0, 0.02)),
            _AGREE,
        ),
        Case(
            "An interval that reaches across the bound settles nothing.",
            _in_any_order((0.06, 0.06, 0.1), (-0.06, -0.06, 0.1), (0.04, 0.04, 0.1)),
            _INTERVAL,
        ),
    ],
    slips={
        "A smaller loss is better: which of the two is subtracted?": [
            ("theirs - ours", "ours - theirs")
        ],
        _INTERVAL: [
            ("error = 2 * gain.std(1) / gain.shape[1] ** 0.5", "error = 0 * gain.std(1)"),
            ("2 * gain.std(1)", "0.2 * gain.std(1)"),
            ("low > margin", "low > 0"),
            ("high < -margin", "high < 0"),
        ],
        "Compare file by file: the error is that of the gains, not that of the losses.": [
            ("gain.std(1)", "(ours.std(1) + theirs.std(1))"),
        ],
        _AGREE: [
            lambda ours, theirs, margin: solution(
                ours.flatten()[None], theirs.flatten()[None], margin
            ),
            lambda ours, theirs, margin: solution(ours.mean(1)[None], theirs.mean(1)[None], margin),
            ('else "not settled"', 'else "level"'),
            ("(low > margin).all()", "(low > margin).any()"),
            ("(high < -margin).all()", "(high < -margin).any()"),
            ("(low > -margin).all() and (high < margin).all()", "(low > -margin).all()"),
            ("(low > -margin).all() and (high < margin).all()", "(high < margin).all()"),
        ],
    },
)
check = exercise.check
