"""Exercise: find tokens by joining the commonest pair of neighbours, again and again.

words: how often each word occurs, by its text   count: how many joins
    ->   the pairs that were joined, in this order                  Sennrich et al. 2016, figure 1
"""

from collections import Counter
from itertools import pairwise

from attn_class.exercises.frame import Case, Draw, Exercise, changed


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


def _words(count: int):
    """Draw words of five letters or more, each some times, until one pair is always commonest."""

    def words(draw: Draw) -> dict:
        letters, inputs = draw.shuffled("abcdefgh"), None
        first, second = letters[5:7]
        while inputs is None or _has_ties(**inputs):
            words = {}
            for _ in range(9):
                word = "".join(letters[draw.integer(5)] for _ in range(5 + draw.integer(4)))
                words[word] = 1 + draw.integer(20)
            words[first + second + letters[0]] = 300 + draw.integer(50)
            words[letters[0] + first + second] = 20
            inputs = {"words": words, "count": count}
        return inputs

    return words


def _has_ties(words: dict[str, int], count: int) -> bool:
    """Whether the last of several equally common pairs leads elsewhere than the first."""
    last = changed(solution, "max(pairs,", "max(reversed(pairs),")
    return last(words, count) != solution(words, count)


def _again(draw: Draw) -> dict:
    a, b, c, d, *_ = draw.shuffled("abcdefgh")
    return {"words": {a + b + c: 9 + draw.integer(5), b + c + d: 3, d + a: 2}, "count": 2}


def _equal_letters(draw: Draw) -> list[dict]:
    """After a join of two: b aa a, and b aa aa a."""
    a, b, *_ = draw.shuffled("abcdefgh")
    times = 5 + draw.integer(9)
    some = [{b + a * n: times, a * m: 3, a + b: 1} for n, m in ((3, 3), (5, 4))]
    return [{"words": words, "count": 2} for words in some]


exercise = Exercise(
    "learn(words, count)",
    minutes=25,
    difficulty="hard",
    solution=solution,
    cases=[
        Case(
            "The first pair is the commonest, and a word counts as often as it occurs.",
            _words(1),
            "`words` says how often each word occurs: its pairs are that many. A pair stands "
            "inside a word; between two words there is none.",
        ),
        Case(
            "What was joined is one part, and can be joined again.",
            _again,
            "After a join the parts of each word have changed: (ab, c) may be the next pair, and "
            "pairs with a lone a or b have become rarer. Count what is there now.",
        ),
        Case(
            "Of three equal letters the first two are joined, not twice two.",
            _equal_letters,
            "Go from left to right, and never use a letter in two joins. In aaaa there are then "
            "two parts aa, and the next pair is (aa, aa).",
        ),
        Case(
            "Each pair is the commonest at its time.",
            _words(6),
            "Join the pair in every word before you count again, wherever in the word it stands "
            "and however often. (Where several pairs are equally common, any of them will do.)",
        ),
    ],
    slips={
        "": [
            ("+= times", "+= 1"),
            ("max(pairs", "min(pairs"),
            ("merges.append((a, b))", "merges.append((b, a))"),
            lambda words, count: solution(words, count + 1)[1:],
            (
                "pairwise(parts[word])",
                "pairwise(word)",
                "pairs[pair] += times",
                "pairs[pair] += times * (pair not in merges)",
            ),
            ("parts[word] = whole", "pass"),
            ("whole[-1] = a + b", "whole[-1] = b + a"),
            ("whole[-1] = a + b", "whole[-1:] = [a + b, b][: 1 + (a == b)]"),
            ("part == b:", "part == b and a + b not in whole:"),
            ("part == b:", "part == b and sum(old.count(a + b) for old in parts.values()) < 2:"),
            ("whole.append(part)", "whole.append(token)"),
        ],
    },
    shape="A list with a tuple (a, b) for each join, the first one first.",
)
check = exercise.check
