"""Exercise: which words differ from what was typed in exactly one letter?

typed a text, words texts   ->   the words of the same length that differ in one place, in order
"""

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

LETTERS, LENGTH = "abc", Size(5, 9)
exercise = Exercise("possible(typed, words)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(typed, words):
    """Leave out words of another length before comparing letters."""
    alike = [word for word in words if len(word) == len(typed)]
    return [word for word in alike if sum(a != b for a, b in zip(typed, word, strict=True)) == 1]


@exercise.must(
    "Words that differ in one letter are found, wherever that letter stands, in the order of the "
    "list.",
    hint="Compare the letters in the same places, the first and the last included. If all words "
    "are found, look at their order: do not sort or reverse them.",
)
def finds_one_change(answer: Answer, draw: Draw) -> bool:
    typed = _text(draw, draw[LENGTH])
    words = [_changed(typed, place) for place in range(draw[LENGTH])]
    return _listed(answer(typed=typed, words=words)) == words


@exercise.must(
    "The word itself is not one letter away.",
    hint="Exactly one letter must differ; here none does.",
)
def leaves_out_the_word_itself(answer: Answer, draw: Draw) -> bool:
    typed = _text(draw, draw[LENGTH])
    other = _changed(typed, draw.integer(LENGTH))
    return _listed(answer(typed=typed, words=[typed, other])) == [other]


@exercise.must(
    "A word that differs in two letters is not found.",
    hint="Count the places that differ. Sets of letters show neither how many differ nor where: "
    "if two letters have changed places, two places differ.",
)
def leaves_out_two_changes(answer: Answer, draw: Draw) -> bool:
    typed = "abc" + _text(draw, draw[LENGTH] - 3)
    swapped, other = "bac" + typed[3:], _changed(typed, draw.integer(LENGTH))
    twice = _changed(_changed(typed, 0), 1 + draw.integer(draw[LENGTH] - 1))
    return _listed(answer(typed=typed, words=[swapped, other, twice])) == [other]


@exercise.must(
    "A word of another length is not found.",
    hint="zip stops at the end of the shorter word, so a longer word can look the same. Compare "
    "the lengths first.",
)
def leaves_out_other_lengths(answer: Answer, draw: Draw) -> bool:
    typed = _text(draw, draw[LENGTH])
    other = _changed(typed, draw.integer(LENGTH))
    words = [other + "a", typed + "a", typed[:-1], other, other[:-1]]
    return _listed(answer(typed=typed, words=words)) == [other]


@exercise.must(
    "The words come in the order of the list.",
    hint="Go through the list once, from its beginning, and do not sort.",
)
def keeps_the_order(answer: Answer, draw: Draw) -> bool:
    typed = _text(draw, draw[LENGTH])
    places = [2, 0, 4, 1]
    words = [_changed(typed, place) for place in places]
    return _listed(answer(typed=typed, words=words)) == words


@exercise.must_also(
    "If there is no such word, the answer is an empty list.",
    hint="Return the list even if it is empty.",
)
def may_find_none(answer: Answer, draw: Draw) -> bool:
    return not _listed(answer(typed=_text(draw, draw[LENGTH]), words=["zzzzz", "a"]))


def _text(draw: Draw, length: int) -> str:
    return "".join(LETTERS[draw.integer(3)] for _ in range(length))


def _changed(word: str, place: int) -> str:
    other = LETTERS[(LETTERS.index(word[place]) + 1) % 3]
    return word[:place] + other + word[place + 1 :]


def _listed(result: object) -> list[str]:
    if isinstance(result, str):
        raise TypeError("expected a list of texts; got a single text")
    return [str(word) for word in result]
