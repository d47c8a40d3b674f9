"""Exercise: which date's field was written after a swap?

Two dates differ in one field. Some annotations were swapped, and something was written. A pair
counts only if the model reads both of its dates right when nothing is swapped.

written, one, other, read_one, read_other: lists of texts with an entry for each pair: what was
written after the swap, the right answers for the two dates, and what the model writes for each of
them without a swap
start, stop: where the field stands in these texts
    ->   the share of counted pairs with the other date's field, and with this date's own
"""

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

PAIRS = Size(5, 11)


def solution(written, one, other, read_one, read_other, start, stop):
    """Count only pairs of which both dates are read right."""
    own = theirs = counted = 0
    for text, a, b, ra, rb in zip(written, one, other, read_one, read_other, strict=True):
        if ra == a and rb == b:
            counted += 1
            own += text[start:stop] == a[start:stop]
            theirs += text[start:stop] == b[start:stop]
    return theirs / counted, own / counted


def _digits(draw: Draw, count: int) -> str:
    return "".join(str(draw.integer(10)) for _ in range(count))


def _inputs(draw: Draw, wrong: bool = False, elsewhere: bool = False) -> dict:
    """Pairs that differ in a field of two digits, and answers of each kind."""
    start, stop = 2, 4
    lists: dict[str, list[str]] = {name: [] for name in ("written", "one", "other")}
    read_one, read_other = [], []
    kinds = draw.shuffled([0, 1, 2, *(draw.integer(3) for _ in range(draw[PAIRS] - 3))])
    for number, kind in enumerate(kinds):
        own, front, back = draw.integer(50), _digits(draw, 2), _digits(draw, 3)
        fields = [f"{own:02}", f"{own + 13:02}", f"{own + 29:02}"]
        one, other, third = (front + field + back for field in fields)
        text = [other, one, third][kind]
        if elsewhere:
            front, after = (int(text[:2]) + 1) % 100, (int(text[4]) + 1) % 10
            text = f"{front:02}{text[2:4]}{after}{text[5:]}"
        lists["written"].append(text)
        lists["one"].append(one)
        lists["other"].append(other)
        read_one.append(third if wrong and number % 4 == 1 else one)
        read_other.append(third if wrong and number % 4 == 2 else other)
    return lists | {"read_one": read_one, "read_other": read_other, "start": start, "stop": stop}


def _all_of(which: str, draw: Draw) -> dict:
    inputs = _inputs(draw)
    return inputs | {"written": list(inputs[which])}


def _followed_or_not(draw: Draw) -> list[dict]:
    return [_all_of(which, draw) for which in draw.shuffled(["other", "one"])]


exercise = Exercise(
    "votes(written, one, other, read_one, read_other, start, stop)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Weak(
            "Two shares are returned: first the other date's, then this date's own.",
            _followed_or_not,
            "If every answer follows the swap, the result is (1, 0).",
        ),
        Case(
            "A third field counts for neither.",
            _inputs,
            "A field that is not the other date's need not be this date's own: the two shares may "
            "sum to less than 1.",
        ),
        Case(
            "Only the field is compared.",
            lambda draw: _inputs(draw, elsewhere=True),
            "A swap may disturb other characters, too. Compare only the part from start to stop.",
        ),
        Case(
            "Pairs of which the model misreads one date are left out.",
            lambda draw: _inputs(draw, wrong=True),
            "Both dates must be read right without a swap, and the shares are shares of those "
            "pairs.",
        ),
    ],
    slips={
        "": [
            lambda *inputs: solution(*inputs)[::-1],
            ("own / counted", "1 - theirs / counted"),
            ("b[start:stop]", "b", "theirs += text[start:stop]", "theirs += text"),
            ("if ra == a and rb == b", "if ra == a"),
        ],
    },
    shape="If every answer follows the swap, the result is (1, 0).",
)
check = exercise.check
