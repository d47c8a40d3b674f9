"""Exercise: which words differ from what was typed in exactly one letter?

typed a text, words texts   ->   the words of the same length that differ in one place, in order
"""

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

LETTERS, LENGTH = "abc", Size(5, 9)


def solution(typed, words):
    """Leave out words of another length before comparing letters."""
    alike = [word for word in words if len(word) == len(typed)]
    return [word for word in alike if sum(a != b for a, b in zip(typed, word, strict=True)) == 1]


def _text(draw: Draw, length: int) -> str:
    return "".join(LETTERS[draw.integer(3)] for _ in range(length))


def _changed(word: str, place: int) -> str:
    other = LETTERS[(LETTERS.index(word[place]) + 1) % 3]
    return word[:place] + other + word[place + 1 :]


def _typed(draw: Draw, *words: str | int) -> dict:
    """What was typed, and words: a place is the word that differs there, a text one like it."""
    typed = "abc" + _text(draw, draw[LENGTH] - 3)
    known = [_changed(typed, word) if isinstance(word, int) else word for word in words]
    return {"typed": typed, "words": [word.replace("*", typed) for word in known]}


def _two_changes(draw: Draw) -> dict:
    inputs = _typed(draw, draw.integer(LENGTH))
    typed = inputs["typed"]
    twice = _changed(_changed(typed, 0), 1 + draw.integer(draw[LENGTH] - 1))
    return inputs | {"words": ["bac" + typed[3:], *inputs["words"], twice]}


def _other_lengths(draw: Draw) -> dict:
    inputs = _typed(draw, draw.integer(LENGTH))
    typed, (other,) = inputs.values()
    return inputs | {"words": [other + "a", typed + "a", typed[:-1], other, other[:-1]]}


exercise = Exercise(
    "possible(typed, words)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "Words that differ in one letter are found, wherever that letter stands, in the order "
            "of the list.",
            lambda draw: _typed(draw, *range(draw[LENGTH])),
            "Compare the letters in the same places, the first and the last included. If all words "
            "are found, look at their order: do not sort or reverse them.",
        ),
        Case(
            "The word itself is not one letter away.",
            lambda draw: _typed(draw, "*", draw.integer(LENGTH)),
            "Exactly one letter must differ; here none does.",
        ),
        Case(
            "A word that differs in two letters is not found.",
            _two_changes,
            "Count the places that differ. Sets of letters show neither how many differ nor where: "
            "if two letters have changed places, two places differ.",
        ),
        Case(
            "A word of another length is not found.",
            _other_lengths,
            "zip stops at the end of the shorter word, so a longer word can look the same. Compare "
            "the lengths first.",
        ),
        Case(
            "The words come in the order of the list.",
            lambda draw: _typed(draw, 2, 0, 4, 1),
            "Go through the list once, from its beginning, and do not sort.",
        ),
        Weak(
            "If there is no such word, the answer is an empty list.",
            lambda draw: _typed(draw, "zzzzz", "a"),
            "Return the list even if it is empty.",
        ),
    ],
    slips={
        "": [
            lambda typed, words: solution(typed, words)[:1],
            ("== 1", "<= 1"),
            ("== 1", "in (1, 2)"),
            ("len(word) == len(typed)", "True", "strict=True", "strict=False"),
            lambda typed, words: sorted(
                solution(typed, words),
                key=lambda word: [a == b for a, b in zip(word, typed, strict=True)],
            ),
            lambda typed, words: solution(typed, words) or [typed],
        ],
    },
)
check = exercise.check
