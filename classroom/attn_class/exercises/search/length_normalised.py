"""Exercise: rank hypotheses with length normalisation.

log_probabilities, lengths: a number for each hypothesis; alpha
->   their indices, the best first, by ln P / ((5 + length) / 6)^alpha    Wu et al. 2016
"""

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

COUNT = Size(6, 11)


def solution(log_probabilities, lengths, alpha):
    """Dividing a negative number by something larger than 1 brings it nearer to zero."""
    scores = [
        log / ((5 + length) / 6) ** alpha
        for log, length in zip(log_probabilities, lengths, strict=True)
    ]
    return sorted(range(len(scores)), key=lambda place: -scores[place])


def _inputs(draw: Draw) -> dict:
    logs = [float(log) - 3 for log in draw.normal(COUNT)]
    return {"log_probabilities": logs, "lengths": [2 + draw.integer(9) for _ in range(draw[COUNT])]}


def _two_alike(draw: Draw) -> dict:
    log, length = -1.0 - draw.integer(5), 3 + draw.integer(5)
    return {"log_probabilities": [log, log], "lengths": [length, length + 2], "alpha": 0.8}


def _close(draw: Draw) -> dict:
    """Scores so close together that another rule has another order."""
    alpha = 0.4 + 0.2 * draw.integer(4)
    lengths = [1 + place + draw.integer(2) for place in range(0, 3 * draw[COUNT], 3)]
    scores = [-2.0 - 0.05 * rank for rank in draw.shuffled(range(draw[COUNT]))]
    pairs = zip(scores, lengths, strict=True)
    logs = [score * ((5 + length) / 6) ** alpha for score, length in pairs]
    return {"log_probabilities": logs, "lengths": lengths, "alpha": alpha}


_EQUAL = {"log_probabilities": [-2.0, -1.0, -1.0, -2.0], "lengths": [4, 3, 3, 4], "alpha": 0.5}
exercise = Exercise(
    "rank(log_probabilities, lengths, alpha)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "With alpha = 0 the likeliest comes first.",
            lambda draw: _inputs(draw) | {"alpha": 0.0},
            "Anything to the power of 0 is 1. Log-probabilities are negative: the best is the "
            "largest.",
        ),
        Weak(
            "Of two that are equally likely, the longer one ranks higher if alpha is above 0.",
            _two_alike,
            "A longer one is divided by more. A negative number that is divided by more lies "
            "nearer to zero. Do you multiply by the length, or subtract it, by mistake?",
        ),
        Case(
            "The order is that of ln P / ((5 + length) / 6)^alpha.",
            _close,
            "The length alone as a divisor is another rule. Are the 5 and the 6 there, and the "
            "power around the whole fraction?",
        ),
        Weak(
            "Of equal scores the smaller index comes first.",
            lambda draw: _EQUAL,
            "Python's sort keeps the order of equals, even with reverse=True; turning a sorted "
            "list round does not.",
        ),
    ],
    slips={
        "Return indices, counted from 0, not scores: [2, 0, 1] says that the third is best.": [
            ("range(len(scores)), key=lambda place: -scores[place]", "scores, reverse=True"),
        ],
        "": [
            ("-scores[place]", "scores[place]"),
            ("((5 + length) / 6) ** alpha", "1"),
            ("((5 + length) / 6) ** alpha", "((5 + length**alpha) / 6)"),
            ("-scores[place])", "scores[place])[::-1]"),
        ],
    },
)
check = exercise.check
