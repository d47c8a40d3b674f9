"""Exercise: what kind of mistake is it?

written, wanted: texts   ->   the first of these words that fits

right         they are equal
missing       written is wanted without some of its symbols, the others in their order
superfluous   wanted is written without some of its symbols
exchanged     the same symbols, each as often, in another order
replaced      the same length, with other symbols in some places
other         none of these
"""

from collections import Counter

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

KINDS = ("right", "missing", "superfluous", "exchanged", "replaced", "other")
LETTERS, ELSEWHERE, LENGTH = "abcdefghijklm", "xyz", Size(5, 11)
Case = tuple[str, str, str]  # written, wanted, and the kind
exercise = Exercise("kind(written, wanted)", minutes=15, difficulty="moderate")
check = exercise.check


def solution(written, wanted):
    """`in` goes through the longer text once, each time from where it found the last symbol."""

    def left_out(shorter, longer):
        rest = iter(longer)
        return all(symbol in rest for symbol in shorter)

    if written == wanted:
        return "right"
    if left_out(written, wanted):
        return "missing"
    if left_out(wanted, written):
        return "superfluous"
    if Counter(written) == Counter(wanted):
        return "exchanged"
    return "replaced" if len(written) == len(wanted) else "other"


@exercise.must_also(
    "It returns one of the six words.",
    hint="right, missing, superfluous, exchanged, replaced and other, as texts in small letters.",
)
def one_of_six_words(answer: Answer, draw: Draw) -> bool:
    texts = _text(draw), _text(draw)[2:], _text(draw) + "x", ""
    return all(answer(written=one, wanted=other) in KINDS for one in texts for other in texts)


@exercise.must_also(
    "Two equal texts are right.",
    hint="Ask this first: a text is also itself with no symbol left out.",
)
def equal_is_right(answer: Answer, draw: Draw) -> bool:
    text = _text(draw)
    return _all(answer, draw, [(text, text, "right"), (text + "x", text + "x", "right")])


@exercise.must_also(
    "Symbols left out of what was wanted are missing; symbols added to it are superfluous.",
    hint="Which of the two is shorter? One symbol or several may be left out, anywhere, and even "
    "all of them. What is left keeps its order but need not stand side by side.",
)
def missing_or_superfluous(answer: Answer, draw: Draw) -> bool:
    text = _text(draw)
    middle = 1 + draw.integer(len(text) - 2)
    shorter = ["", text[1:], text[:-1], text[:middle] + text[middle + 1 :], text[::2]]
    missing = [(each, text, "missing") for each in shorter]
    return _all(answer, draw, missing + _turned(missing, "superfluous"))


@exercise.must(
    "A symbol that occurs twice may be missing once.",
    hint="Which symbols occur does not tell how often: the set of “aab” is that of “ab”.",
)
def one_of_two_may_be_missing(answer: Answer, draw: Draw) -> bool:
    text = _text(draw)
    place = draw.integer(len(text))
    twice = text[:place] + text[place] + text[place:]
    missing = [(text, twice, "missing"), (text, text + text[place], "missing")]
    return _all(answer, draw, missing + _turned(missing, "superfluous"))


@exercise.must(
    "The same symbols in another order are exchanged, wherever they went.",
    hint="Not only neighbours, and not only two symbols: are the symbols the same, and each as "
    "often? This is asked before “replaced”, since the length is the same too.",
)
def another_order_is_exchanged(answer: Answer, draw: Draw) -> bool:
    text = _text(draw)
    place = draw.integer(len(text) - 1)
    neighbours = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
    moved = [neighbours, text[-1] + text[1:-1] + text[0], text[::-1], text[2:] + text[:2]]
    cases = [(each, text, "exchanged") for each in moved]
    return _all(answer, draw, [*cases, (text[1:], text, "missing")])


@exercise.must(
    "The same length with other symbols is replaced, however many they are.",
    hint="Compare how often each symbol occurs: “abb” for “aab” is no exchange, though both are "
    "made of a and b. One place may differ, several, or all.",
)
def other_symbols_are_replaced(answer: Answer, draw: Draw) -> bool:
    text = _text(draw)
    place = 1 + draw.integer(len(text) - 1)
    one = text[:place] + ELSEWHERE[draw.integer(3)] + text[place + 1 :]
    known = text[:place] + text[0] + text[place + 1 :]
    both = text[1] + text[0] + "x" + text[3:]
    written = [one, known, both, "z" * len(text)]
    cases = [(each, text, "replaced") for each in written]
    cases.append((text[0] + text, text[:2] + text[1:], "replaced"))
    return _all(answer, draw, [*cases, (text[::-1], text, "exchanged")])


@exercise.must(
    "Anything else is other.",
    hint="A shorter text is missing something only if all its symbols are found in the longer one, "
    "in their order, each place used once. “cb” for “abc” is other, and so is “aab” for “abcd”.",
)
def the_rest_is_other(answer: Answer, draw: Draw) -> bool:
    text = _text(draw)
    shorter = [text[:0:-1], "x" + text[2:], text[0] + text[:-2], text[2:] + text[0]]
    cases = [(each, text, "other") for each in shorter]
    return _all(answer, draw, [*cases, *_turned(cases, "other"), (text[1:], text, "missing")])


def _text(draw: Draw) -> str:
    """Letters that all differ."""
    order = draw.normal(len(LETTERS)).argsort().tolist()
    return "".join(LETTERS[place] for place in order[: draw[LENGTH]])


def _turned(cases: list[Case], kind: str) -> list[Case]:
    """What was written and what was wanted exchanged."""
    return [(wanted, written, kind) for written, wanted, _ in cases]


def _all(answer: Answer, draw: Draw, cases: list[Case]) -> bool:
    """Whether each case is told, in an order that is drawn."""
    order = draw.normal(len(cases)).argsort().tolist()
    drawn = (cases[place] for place in order)
    return all(answer.gives(kind, written=one, wanted=other) for one, other, kind in drawn)
