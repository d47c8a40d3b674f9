"""Exercise: at which positions are the mistakes?

    written, targets: texts, the targets all of one length
    ->   for each position of the target, the share of texts that are right there

A text that ended too early has nothing at the remaining positions, so it is wrong there.
"""

import numpy as np

from attn_course.exercises.frame import Answer, Draw, Exercise, Size

LENGTH, TEXTS, LETTERS = Size(4, 9), Size(3, 11), "abc"
exercise = Exercise("right_at_each_position(written, targets)")
check = exercise.check


def solution(written, targets):
    """Compare each position of each text with its target."""
    shares, pairs = [], list(zip(written, targets, strict=True))
    for i in range(len(targets[0])):
        right = [given[i : i + 1] == target[i] for given, target in pairs]
        shares.append(sum(right) / len(pairs))
    return shares


@exercise.must(
    "There is one share for each position of the target.",
    hint="As many numbers as a target has letters, however many texts there are, and however "
    "long what was written is.",
)
def one_share_a_position(answer: Answer, draw: Draw) -> bool:
    targets = _texts(draw)
    return len(answer(written=_spoilt(draw, targets), targets=targets)) == draw[LENGTH]


@exercise.must(
    "If everything is right, each share is 1.",
    hint="A share is a part of the whole: count what is right and divide by the number of texts.",
)
def all_right_is_one(answer: Answer, draw: Draw) -> bool:
    targets = _texts(draw)
    return answer.gives((1.0,) * draw[LENGTH], written=list(targets), targets=targets)


@exercise.must(
    "A mistake at one position lowers the share there, and nowhere else.",
    hint="Position i of what was written is compared with position i of its own target. Is a text "
    "with one mistake counted as wrong everywhere?",
)
def a_mistake_counts_where_it_stands(answer: Answer, draw: Draw) -> bool:
    targets = _texts(draw)
    place, text = draw.integer(LENGTH), draw.integer(TEXTS)
    written = list(targets)
    written[text] = (
        written[text][:place] + _another(written[text][place]) + written[text][place + 1 :]
    )
    expected = [1.0] * draw[LENGTH]
    expected[place] -= 1 / draw[TEXTS]
    return answer.gives(tuple(expected), written=written, targets=targets)


@exercise.must(
    "A text that ended too early is wrong at the positions that it lacks.",
    hint="zip stops at the shorter of two texts, so what is missing is not counted at all. Divide "
    "by the number of texts, not by the number of letters that are there.",
)
def what_is_missing_is_wrong(answer: Answer, draw: Draw) -> bool:
    targets = _texts(draw)
    written = [text[: draw.integer(LENGTH)] for text in targets]
    expected = [sum(len(text) > i for text in written) / draw[TEXTS] for i in range(draw[LENGTH])]
    return answer.gives(tuple(expected), written=written, targets=targets)


@exercise.must(
    "What was written beyond the target's end changes nothing.",
    hint="Go over the positions of the target, not over those of what was written.",
)
def what_is_too_much_is_ignored(answer: Answer, draw: Draw) -> bool:
    targets = _texts(draw)
    written = _spoilt(draw, targets)
    columns = zip(zip(*written, strict=True), zip(*targets, strict=True), strict=True)
    shares = [np.mean([a == b for a, b in zip(*column, strict=True)]) for column in columns]
    return answer.gives(tuple(shares), written=[text + "ab" for text in written], targets=targets)


def _texts(draw: Draw) -> list[str]:
    letters = [[LETTERS[draw.integer(3)] for _ in range(draw[LENGTH])] for _ in range(draw[TEXTS])]
    return ["".join(text) for text in letters]


def _spoilt(draw: Draw, texts: list[str]) -> list[str]:
    """The same length, with about every third letter replaced by another."""
    return ["".join(x if draw.integer(3) else _another(x) for x in text) for text in texts]


def _another(letter: str) -> str:
    return LETTERS[(LETTERS.index(letter) + 1) % len(LETTERS)]
