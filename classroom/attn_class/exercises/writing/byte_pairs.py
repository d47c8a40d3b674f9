"""Exercise: find tokens by joining the commonest pair of neighbours, again and again.

words: how often each word occurs, by its text   count: how many joins
    ->   the pairs that were joined, in this order                  Sennrich et al. 2016, figure 1
"""

from collections import Counter
from itertools import pairwise

from attn_class.exercises.frame import Answer, Draw, Exercise

exercise = Exercise("learn(words, count)", minutes=25, difficulty="hard")
check = exercise.check


def solution(words, count):
    """Count all pairs anew after each join."""
    parts, merges = {word: list(word) for word in words}, []
    for _ in range(count):
        pairs = Counter()
        for word, times in words.items():
            for pair in pairwise(parts[word]):
                pairs[pair] += times
        a, b = max(pairs, key=pairs.get)
        merges.append((a, b))
        for word, old in parts.items():
            whole = []
            for part in old:
                if whole and whole[-1] == a and part == b:
                    whole[-1] = a + b
                else:
                    whole.append(part)
            parts[word] = whole
    return merges


@exercise.must_also(
    "It returns `count` pairs of texts.",
    hint="A list with a tuple (a, b) for each join, the first one first.",
)
def as_many_as_asked(answer: Answer, draw: Draw) -> bool:
    inputs = _words(draw, 3)
    merges = _pairs(answer(**inputs))
    return [[type(part) for part in pair] for pair in merges] == [[str, str]] * 3


@exercise.must(
    "The first pair is the commonest, and a word counts as often as it occurs.",
    hint="`words` says how often each word occurs: its pairs are that many. A pair stands inside a "
    "word; between two words there is none.",
)
def commonest_first(answer: Answer, draw: Draw) -> bool:
    inputs = _words(draw, 1)
    return _pairs(answer(**inputs)) == solution(**inputs)


@exercise.must(
    "What was joined is one part, and can be joined again.",
    hint="After a join the parts of each word have changed: (ab, c) may be the next pair, and "
    "pairs with a lone a or b have become rarer. Count what is there now.",
)
def joined_again(answer: Answer, draw: Draw) -> bool:
    a, b, c, d, *_ = draw.shuffled("abcdefgh")
    inputs = {"words": {a + b + c: 9 + draw.integer(5), b + c + d: 3, d + a: 2}, "count": 2}
    return _pairs(answer(**inputs)) in ([(b, c), (a, b + c)], [(a, b), (a + b, c)])


@exercise.must(
    "Of three equal letters the first two are joined, not twice two.",
    hint="Go from left to right, and never use a letter in two joins. In aaaa there are then two "
    "parts aa, and the next pair is (aa, aa).",
)
def left_to_right(answer: Answer, draw: Draw) -> bool:
    a, b, *_ = draw.shuffled("abcdefgh")
    inputs = {"words": {b + a * 5: 5 + draw.integer(9), a + b: 1}, "count": 3}
    # b a a a a a, then b aa aa a: each of its three pairs is there once
    merges = _pairs(answer(**inputs))
    return _allowed(merges, **inputs) and len(merges) == 3


@exercise.must(
    "Each pair is the commonest at its time.",
    hint="Join the pair in every word before you count again, wherever in the word it stands and "
    "however often. (Where several pairs are equally common, any of them will do.)",
)
def commonest_each_time(answer: Answer, draw: Draw) -> bool:
    inputs = _words(draw, 12)
    merges = _pairs(answer(**inputs))
    return len(merges) == 12 and _allowed(merges, **inputs)


def _words(draw: Draw, count: int) -> dict:
    """Words of five letters or more, each some times; at first one pair is commoner than all."""
    letters = draw.shuffled("abcdefgh")
    words = {}
    for _ in range(9):
        word = "".join(letters[draw.integer(5)] for _ in range(5 + draw.integer(4)))
        words[word] = 1 + draw.integer(20)
    first, second = letters[5:7]
    words[first + second + letters[0]] = 300 + draw.integer(50)
    words[letters[0] + first + second] = 20
    return {"words": words, "count": count}


def _pairs(result: object) -> list[tuple]:
    return [() if isinstance(pair, str) else tuple(pair) for pair in result]


def _allowed(merges: list[tuple], words: dict, count: int) -> bool:
    """Whether each pair was among the commonest when it was joined."""
    parts = {word: list(word) for word in words}
    for a, b in merges:
        pairs: Counter = Counter()
        for word, times in words.items():
            for pair in pairwise(parts[word]):
                pairs[pair] += times
        if pairs[a, b] < max(pairs.values()):
            return False
        for word, old in parts.items():
            text, at, new = old, 0, []
            while at < len(text):
                both = tuple(text[at : at + 2]) == (a, b)
                new.append(a + b if both else text[at])
                at += 1 + both
            parts[word] = new
    return True
