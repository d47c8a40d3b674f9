"""Exercise: one round of IBM's first model, which learns which word becomes which.

sources, targets: for each pair, a list of the numbers of its words
chances (source word, target word), rows that sum to one   ->   the same, after one round

    of a target word f, a word e of the same source is given   t(f | e) / Σ_e' t(f | e')
    t(f | e) is then what e was given of f, divided by all that e was given    Brown et al. 1993
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

SOURCE, TARGET, PAIRS = Size(3, 5), Size(7, 11), Size(2, 3)  # words, words, pairs


def solution(sources, targets, chances):
    """Share each target word among the words of its source, then divide by the sums."""
    given = torch.zeros_like(chances)
    for source, target in zip(sources, targets, strict=True):
        for word in target:
            shares = chances[source, word]
            for place, share in zip(source, shares / shares.sum(), strict=True):
                given[place, word] += share
    return given / given.sum(dim=1, keepdim=True)


def _even(source: int, target: int) -> Tensor:
    return torch.full((source, target), 1 / target)


def _inputs(draw: Draw) -> dict:
    """Pairs in which every source word stands somewhere, and a table of uneven chances."""
    words, others = draw[SOURCE], draw[TARGET]
    sources = [draw.shuffled(range(words))[: 2 + draw.integer(2)] for _ in range(draw[PAIRS])]
    sources.append(list(range(words)))
    targets = [draw.shuffled(range(others))[: 2 + draw.integer(3)] for _ in sources]
    chances = draw.normal(words, others, scale=1.0).softmax(dim=1)
    return {"sources": sources, "targets": targets, "chances": chances}


def _one_word_each(draw: Draw) -> dict:
    words = [[word] for word in range(draw[SOURCE])]
    chances = _even(draw[SOURCE], draw[SOURCE])
    return {"sources": words, "targets": draw.shuffled(words), "chances": chances}


def _small(sources: list, targets: list):
    return lambda draw: {"sources": sources, "targets": targets, "chances": _even(2, 2)}


exercise = Exercise(
    "learn(sources, targets, chances)",
    minutes=25,
    difficulty="hard",
    solution=solution,
    cases=[
        Weak(
            "In pairs of one word each, a word becomes the word beside it, and no other.",
            _one_word_each,
            "Only words of the same pair are joined. Begin with a table of zeros, and add to it.",
        ),
        Weak(
            "From equal chances, a target word is divided evenly among the words of its source.",
            _small([[0, 1], [0]], [[0, 1], [0]]),
            "Two source words get a half each, in this pair. Divide by the sum over the words of "
            "this source, not over all words, and give no word all of it.",
        ),
        Weak(
            "A word that stands twice in a source is given two shares.",
            _small([[0, 0, 1], [0]], [[0], [1]]),
            "`given[source, word] += shares` adds only once where a number stands twice in "
            "`source`. Go through the places one by one, or use `index_add_`.",
        ),
        Case(
            "It shares each target word in proportion to the chances, and adds up over all pairs.",
            _inputs,
            "The simple cases are right. Is the share of a word its chance divided by the sum of "
            "the chances of all words of this source? Are all pairs counted before the rows are "
            "divided?",
        ),
    ],
    slips={
        "A row belongs to a source word: divide what it was given of each target word by all that "
        "it was given.": [
            (" / given.sum(dim=1, keepdim=True)", ""),
            ("given.sum(dim=1, keepdim=True)", "given.sum(dim=0).clamp(min=1e-9)"),
        ],
        "": [
            ("torch.zeros_like(chances)", "chances.clone()"),
            ("shares / shares.sum()", "torch.eye(len(source))[shares.argmax()] + 1e-9"),
            ("given[place, word] += share", "given[place, word] = max(share, given[place, word])"),
            ("= chances[source, word]", "= torch.ones(len(source))"),
            ("shares / shares.sum()", "shares / chances[:, word].sum()"),
            ("+= share", "+= 1"),
            lambda sources, targets, chances: chances,
        ],
    },
)
check = exercise.check
