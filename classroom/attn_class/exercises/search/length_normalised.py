"""Exercise: rank hypotheses with length normalisation.

log_probabilities, lengths: a number for each hypothesis; alpha
->   their indices, the best first, by ln P / ((5 + length) / 6)^alpha    Wu et al. 2016
"""

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

COUNT = Size(6, 11)
exercise = Exercise("rank(log_probabilities, lengths, alpha)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(log_probabilities, lengths, alpha):
    """Dividing a negative number by something larger than 1 brings it nearer to zero."""
    scores = [
        log / ((5 + length) / 6) ** alpha
        for log, length in zip(log_probabilities, lengths, strict=True)
    ]
    return sorted(range(len(scores)), key=lambda place: -scores[place])


@exercise.must_also(
    "Each index occurs once.",
    hint="Return indices, counted from 0, not scores: [2, 0, 1] says that the third is best.",
)
def each_place_once(answer: Answer, draw: Draw) -> bool:
    return sorted(_places(answer(**_inputs(draw), alpha=0.7))) == list(range(draw[COUNT]))


@exercise.must(
    "With alpha = 0 the likeliest comes first.",
    hint="Anything to the power of 0 is 1. Log-probabilities are negative: the best is the "
    "largest.",
)
def without_alpha_the_likeliest_first(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    places = _places(answer(**inputs, alpha=0.0))
    logs = inputs["log_probabilities"]
    return [logs[place] for place in places] == sorted(logs, reverse=True)


@exercise.must_also(
    "Of two that are equally likely, the longer one ranks higher if alpha is above 0.",
    hint="A longer one is divided by more. A negative number that is divided by more lies nearer "
    "to zero. Do you multiply by the length, or subtract it, by mistake?",
)
def the_longer_of_two(answer: Answer, draw: Draw) -> bool:
    log, length = -1.0 - draw.integer(5), 3 + draw.integer(5)
    given = {"log_probabilities": [log, log], "lengths": [length, length + 2]}
    return _places(answer(**given, alpha=0.8)) == [1, 0]


@exercise.must_also(
    "The order is that of ln P / ((5 + length) / 6)^alpha.",
    hint="The length alone as a divisor is another rule. Are the 5 and the 6 there, and the power "
    "around the whole fraction?",
)
def the_order_is_that_of_the_score(answer: Answer, draw: Draw) -> bool:
    lengths = [1 + place + draw.integer(2) for place in range(0, 3 * draw[COUNT], 3)]
    alpha = 0.4 + 0.2 * draw.integer(4)
    order = sorted(range(draw[COUNT]), key=lambda place: (place * 5 + 3) % draw[COUNT])  # a shuffle
    scores = [0.0] * draw[COUNT]
    for rank, place in enumerate(order):
        scores[place] = -2.0 - 0.05 * rank  # close together, so that another rule differs
    logs = [
        score * ((5 + length) / 6) ** alpha for score, length in zip(scores, lengths, strict=True)
    ]
    given = {"log_probabilities": logs, "lengths": lengths}
    return _places(answer(**given, alpha=alpha)) == order


@exercise.must_also(
    "Of equal scores the smaller index comes first.",
    hint="Python's sort keeps the order of equals, even with reverse=True; turning a sorted list "
    "round does not.",
)
def equals_keep_their_order(answer: Answer, draw: Draw) -> bool:
    given = {"log_probabilities": [-2.0, -1.0, -1.0, -2.0], "lengths": [4, 3, 3, 4]}
    return _places(answer(**given, alpha=0.5)) == [1, 2, 0, 3]


def _inputs(draw: Draw) -> dict:
    logs = [float(each) - 3 for each in draw.normal(COUNT)]
    return {"log_probabilities": logs, "lengths": [2 + draw.integer(9) for _ in range(draw[COUNT])]}


def _places(result: object) -> list[int]:
    return [int(place) for place in result]
