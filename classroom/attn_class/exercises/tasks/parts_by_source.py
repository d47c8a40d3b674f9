"""Exercise: divide a file of pairs so that no source is in both parts.

pairs, a list of (source, target), both texts
is_test(source) -> True if this source belongs to the test set
    ->   the pairs for training and those for the test, two lists in the order of the file

Two sources count as the same if " ".join(source.split()) is the same for both, and `is_test` is
asked about this form. No pair is dropped, doubled or rewritten.
"""

from collections.abc import Callable

from attn_class.exercises.frame import Case, Draw, Exercise, Size

SOURCES, WORDS = Size(5, 11), ("new", "New", "moon", "old", "sun", "star")


def solution(pairs, is_test):
    """Only `is_test` gets the form without superfluous spaces; the pair stays as it is."""
    parts = [], []
    for source, target in pairs:
        in_test = is_test(" ".join(source.split()))
        parts[1 if in_test else 0].append((source, target))
    return parts


def _sources(draw: Draw) -> list[str]:
    """Different sources of three words; the first two differ only in their capitals."""
    count, words = draw[SOURCES], [WORDS[draw.integer(len(WORDS))] for _ in range(2)]
    others = [f"{WORDS[draw.integer(len(WORDS))]} {words[1]} {number}" for number in range(count)]
    return [f"sun {words[0]} x", f"Sun {words[0]} x", *others]


def _some(draw: Draw, sources: list[str]) -> Callable[[str], bool]:
    """A function that is True for some of the sources, and for one of the first two."""
    drawn = draw.booleans(len(sources)).tolist()
    first = draw.integer(2)
    drawn[:4] = [first == 0, first == 1, True, False]
    chosen = {source for source, test in zip(sources, drawn, strict=True) if test}
    return lambda source: source in chosen


def _pairs(draw: Draw, sources: list[str]) -> list[tuple[str, str]]:
    """A pair for each of the sources, in any order; their targets differ."""
    order = draw.normal(len(sources)).argsort().tolist()
    return [(sources[place], f"t{number}") for number, place in enumerate(order)]


def _spaced(draw: Draw, source: str) -> str:
    """The source with additional spaces: between its words and, sometimes, around them."""
    first, *rest = source.split()
    ends = " " * draw.integer(2), " " * draw.integer(3)
    return f"{ends[0]}{first}{' ' * (2 + draw.integer(2))}{' '.join(rest)}{ends[1]}"


def _twice(draw: Draw) -> dict:
    sources = _sources(draw)
    return {"pairs": _pairs(draw, sources + sources), "is_test": _some(draw, sources)}


def _with_spaces(draw: Draw) -> dict:
    sources = _sources(draw)
    pairs = _pairs(draw, [text for source in sources for text in (source, _spaced(draw, source))])
    pairs.append(pairs[draw.integer(len(pairs))])
    return {"pairs": pairs, "is_test": _some(draw, sources)}


exercise = Exercise(
    "divide(pairs, is_test)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "The second list has the sources for which `is_test` is True, and no others.",
            _twice,
            "Training comes first, the test second. `is_test` decides, not the place in the file, "
            "and it is asked about the source, with its capitals.",
        ),
        Case(
            "Each pair of the file is in one of the lists, as often as in the file, and as it "
            "stands.",
            _with_spaces,
            "A dictionary keeps one target for each source, and a set keeps equal lines once. The "
            "form with single spaces is only for `is_test`: the pair keeps its own spaces.",
        ),
    ],
    slips={
        "First the pairs for training, then those for the test: `return training, test`. Each "
        "entry is a pair (source, target), not a source alone.": [
            lambda pairs, is_test: solution(pairs, is_test)[1]
        ],
        "Go through the file once, from its beginning, and put each pair at the end of its list.": [
            lambda pairs, is_test: solution(sorted(pairs), is_test),
            lambda pairs, is_test: solution(pairs[::-1], is_test),
        ],
        "Otherwise the model is tested on what it was trained on. `strip` takes only the spaces at "
        'the ends. Ask `is_test` about " ".join(source.split()), which has single spaces.': [
            ('" ".join(source.split())', "source"),
            ('" ".join(source.split())', "source.strip()"),
            ('" ".join(source.split())', 'source.replace("  ", " ")'),
        ],
        "": [
            lambda pairs, is_test: solution(pairs, is_test)[::-1],
            lambda pairs, is_test: solution(list(dict.fromkeys(pairs)), is_test),
        ],
    },
)
check = exercise.check
