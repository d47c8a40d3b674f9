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

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

LETTERS, ELSEWHERE, LENGTH = "abcdefghijklm", "xyz", Size(5, 11)


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


def _text(draw: Draw) -> str:
    """Letters that all differ."""
    order = draw.normal(len(LETTERS)).argsort().tolist()
    return "".join(LETTERS[place] for place in order[: draw[LENGTH]])


def _missing(draw: Draw) -> list[dict]:
    text = _text(draw)
    middle = 1 + draw.integer(len(text) - 2)
    shorter = ["", text[1:], text[:-1], text[:middle] + text[middle + 1 :], text[::2]]
    return _inputs(draw, [(wrong, text) for wrong in shorter], turned=True)


def _one_of_two(draw: Draw) -> list[dict]:
    text = _text(draw)
    place = draw.integer(len(text))
    twice = text[:place] + text[place] + text[place:]
    return _inputs(draw, [(text, twice), (text, text + text[place])], turned=True)


def _exchanged(draw: Draw) -> list[dict]:
    text = _text(draw)
    place = draw.integer(len(text) - 1)
    neighbours = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
    moved = [neighbours, text[-1] + text[1:-1] + text[0], text[::-1], text[2:] + text[:2]]
    return _inputs(draw, [(wrong, text) for wrong in [*moved, text[1:]]])


def _replaced(draw: Draw) -> list[dict]:
    text = _text(draw)
    place = 1 + draw.integer(len(text) - 1)
    one = text[:place] + ELSEWHERE[draw.integer(3)] + text[place + 1 :]
    known = text[:place] + text[0] + text[place + 1 :]
    both = text[1] + text[0] + "x" + text[3:]
    written = [(wrong, text) for wrong in (one, known, both, "z" * len(text), text[::-1])]
    return _inputs(draw, [*written, (text[0] + text, text[:2] + text[1:])])


def _other(draw: Draw) -> list[dict]:
    text = _text(draw)
    shorter = [text[:0:-1], "x" + text[2:], text[0] + text[:-2], text[2:] + text[0], text[1:]]
    return _inputs(draw, [(wrong, text) for wrong in shorter], turned=True)


def _equal(draw: Draw) -> list[dict]:
    text = _text(draw)
    return _inputs(draw, [(text, text), (text + "x", text + "x")])


def _inputs(draw: Draw, pairs: list[tuple[str, str]], turned: bool = False) -> list[dict]:
    """The pairs in an order that is drawn; if turned, also with their texts exchanged."""
    pairs = pairs + [(wanted, written) for written, wanted in pairs if turned]
    return [{"written": one, "wanted": other} for one, other in draw.shuffled(pairs)]


def _kind(**kinds: str):
    """The solution with other words for some kinds."""
    return lambda *texts: (kind := solution(*texts)) and kinds.get(kind, kind)


exercise = Exercise(
    "kind(written, wanted)",
    minutes=15,
    difficulty="moderate",
    solution=solution,
    cases=[
        Weak(
            "Two equal texts are right.",
            _equal,
            "Ask this first: a text is also itself with no symbol left out.",
        ),
        Case(
            "Symbols left out of what was wanted are missing; symbols added to it are superfluous.",
            _missing,
            "Which of the two is shorter? One symbol or several may be left out, anywhere, and "
            "even all of them. What is left keeps its order but need not stand side by side.",
        ),
        Case(
            "A symbol that occurs twice may be missing once.",
            _one_of_two,
            "Which symbols occur does not tell how often: the set of “aab” is that of “ab”.",
        ),
        Case(
            "The same symbols in another order are exchanged, wherever they went.",
            _exchanged,
            "Not only neighbours, and not only two symbols: are the symbols the same, and each as "
            "often? This is asked before “replaced”, since the length is the same too.",
        ),
        Case(
            "The same length with other symbols is replaced, however many they are.",
            _replaced,
            "Compare how often each symbol occurs: “abb” for “aab” is no exchange, though both are "
            "made of a and b. One place may differ, several, or all.",
        ),
        Case(
            "Anything else is other.",
            _other,
            "A shorter text is missing something only if all its symbols are found in the longer "
            "one, in their order, each place used once. “cb” for “abc” is other, and so is “aab” "
            "for “abcd”.",
        ),
    ],
    slips={
        "right, missing, superfluous, exchanged, replaced and other, as texts in small letters.": [
            lambda *texts: solution(*texts).upper(),
            _kind(superfluous="added"),
        ],
        "": [
            ('if written == wanted:\n        return "right"', ""),
            _kind(missing="superfluous", superfluous="missing"),
            ("all(symbol in rest for symbol in shorter)", "set(shorter) < set(longer)"),
            ("all(symbol in rest for symbol in shorter)", "shorter in longer"),
            _kind(exchanged="replaced"),
            (
                "Counter(written) == Counter(wanted)",
                "(len(written), set(written)) == (len(wanted), set(wanted))",
            ),
            _kind(other="replaced"),
            ("all(symbol in rest for symbol in shorter)", "Counter(shorter) < Counter(longer)"),
        ],
    },
)
check = exercise.check
