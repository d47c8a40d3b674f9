"""Exercise: divide a file of pairs so that no source is in both parts.

pairs, a list of (source, target), both texts
is_test(source) -> True if this source belongs to the test set
    ->   the pairs for training and those for the test, two lists in the order of the file

Two sources count as the same if " ".join(source.split()) is the same for both, and `is_test` is
asked about this form. No pair is dropped, doubled or rewritten.
"""

from collections import Counter
from collections.abc import Callable

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

SOURCES, WORDS = Size(5, 11), ("new", "New", "moon", "old", "sun", "star")
exercise = Exercise("divide(pairs, is_test)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(pairs, is_test):
    """Only `is_test` gets the form without superfluous spaces; the pair stays as it is."""
    parts = [], []
    for source, target in pairs:
        in_test = is_test(" ".join(source.split()))
        parts[1 if in_test else 0].append((source, target))
    return parts


@exercise.must_also(
    "It returns two lists of pairs.",
    hint="First the pairs for training, then those for the test: `return training, test`. Each "
    "entry is a pair (source, target), not a source alone.",
)
def two_lists_of_pairs(answer: Answer, draw: Draw) -> bool:
    sources = _sources(draw)
    parts = answer(pairs=_pairs(draw, sources), is_test=_some(draw, sources))
    return len(parts) == 2 and all(len(pair) == 2 for part in parts for pair in part)


@exercise.must(
    "Each pair of the file is in one of the lists, as often as in the file, and as it stands.",
    hint="A dictionary keeps one target for each source, and a set keeps equal lines once. The "
    "form with single spaces is only for `is_test`: the pair keeps its own spaces.",
)
def keeps_each_pair(answer: Answer, draw: Draw) -> bool:
    sources = _sources(draw)
    pairs = _pairs(draw, [each for source in sources for each in (source, _spaced(draw, source))])
    pairs.append(pairs[draw.integer(len(pairs))])
    training, test = _parts(answer(pairs=pairs, is_test=_some(draw, sources)))
    return Counter(training + test) == Counter(pairs)


@exercise.must_also(
    "The second list has the sources for which `is_test` is True, and no others.",
    hint="Training comes first, the test second. `is_test` decides, not the place in the file, and "
    "it is asked about the source, with its capitals.",
)
def is_test_decides(answer: Answer, draw: Draw) -> bool:
    sources = _sources(draw)
    is_test = _some(draw, sources)
    training, test = _parts(answer(pairs=_pairs(draw, sources), is_test=is_test))
    asked = [is_test(source) for source, _ in test], [is_test(source) for source, _ in training]
    return all(asked[0]) and not any(asked[1])


@exercise.must_also(
    "Both lists are in the order of the file.",
    hint="Go through the file once, from its beginning, and put each pair at the end of its list.",
)
def keeps_the_order(answer: Answer, draw: Draw) -> bool:
    sources = _sources(draw)
    pairs = _pairs(draw, sources + sources)
    parts = _parts(answer(pairs=pairs, is_test=_some(draw, sources)))
    left = [iter(pairs), iter(pairs)]
    return all(pair in rest for part, rest in zip(parts, left, strict=True) for pair in part)


@exercise.must_also(
    "A source that is repeated with different spaces is in the same list.",
    hint="Otherwise the model is tested on what it was trained on. `strip` takes only the spaces "
    'at the ends. Ask `is_test` about " ".join(source.split()), which has single spaces.',
)
def other_blanks_do_not_leak(answer: Answer, draw: Draw) -> bool:
    sources = _sources(draw)
    is_test = _some(draw, sources)
    pairs = _pairs(draw, [each for source in sources for each in (source, _spaced(draw, source))])
    training, test = _parts(answer(pairs=pairs, is_test=is_test))
    return all(
        is_test(" ".join(source.split())) == (part is test)
        for part in (training, test)
        for source, _ in part
    )


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


def _parts(result: object) -> list[list[tuple[str, str]]]:
    training, test = result
    return [[(source, target) for source, target in part] for part in (training, test)]
