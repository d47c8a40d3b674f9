"""Exercise: one round of IBM's first model, which learns which word becomes which.

sources, targets: for each pair, a list of the numbers of its words
chances (source word, target word), rows that sum to one   ->   the same, after one round

    of a target word f, a word e of the same source is given   t(f | e) / Σ_e' t(f | e')
    t(f | e) is then what e was given of f, divided by all that e was given    Brown et al. 1993
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

SOURCE, TARGET, PAIRS = Size(3, 5), Size(7, 11), Size(2, 3)  # words, words, pairs
exercise = Exercise("learn(sources, targets, chances)", minutes=25, difficulty="hard")
check = exercise.check


def solution(sources, targets, chances):
    """Share each target word among the words of its source, then divide by the sums."""
    given = torch.zeros_like(chances)
    for source, target in zip(sources, targets, strict=True):
        for word in target:
            shares = chances[source, word]
            for place, share in zip(source, shares / shares.sum(), strict=True):
                given[place, word] += share
    return given / given.sum(dim=1, keepdim=True)


@exercise.must_also(
    "Each row of the result sums to one.",
    hint="A row belongs to a source word: divide what it was given of each target word by all that "
    "it was given.",
)
def rows_sum_to_one(answer: Answer, draw: Draw, inputs: dict) -> bool:
    result = answer(**inputs)
    shape = inputs["chances"].shape
    return result.shape == shape and torch.allclose(
        torch.as_tensor(result).sum(dim=1).double(), torch.ones(shape[0]).double(), atol=1e-5
    )


@exercise.must_also(
    "In pairs of one word each, a word becomes the word beside it, and no other.",
    hint="Only words of the same pair are joined. Begin with a table of zeros, and add to it.",
)
def one_word_each(answer: Answer, draw: Draw) -> bool:
    words = draw.shuffled(range(draw[SOURCE]))
    given = {"sources": [[word] for word in range(draw[SOURCE])], "targets": [[w] for w in words]}
    expected = torch.eye(draw[SOURCE])[words]
    return answer.gives(expected, **given, chances=_even(draw[SOURCE], draw[SOURCE]))


@exercise.must_also(
    "From equal chances, a target word is divided evenly among the words of its source.",
    hint="Two source words get a half each, in this pair. Divide by the sum over the words of this "
    "source, not over all words, and give no word all of it.",
)
def even_shares(answer: Answer, draw: Draw) -> bool:
    given = {"sources": [[0, 1], [0]], "targets": [[0, 1], [0]]}
    expected = torch.tensor([[0.75, 0.25], [0.5, 0.5]])
    return answer.gives(expected, **given, chances=_even(2, 2))


@exercise.must_also(
    "A word that stands twice in a source is given two shares.",
    hint="`given[source, word] += shares` adds only once where a number stands twice in `source`. "
    "Go through the places one by one, or use `index_add_`.",
)
def a_word_that_stands_twice(answer: Answer, draw: Draw) -> bool:
    given = {"sources": [[0, 0, 1], [0]], "targets": [[0], [1]]}
    expected = torch.tensor([[0.4, 0.6], [1.0, 0.0]])
    return answer.gives(expected, **given, chances=_even(2, 2))


@exercise.must(
    "It shares each target word in proportion to the chances, and adds up over all pairs.",
    hint="The simple cases are right. Is the share of a word its chance divided by the sum of the "
    "chances of all words of this source? Are all pairs counted before the rows are divided?",
)
def in_proportion(answer: Answer, draw: Draw, inputs: dict) -> bool:
    given: dict[tuple[int, int], float] = {}
    chances = inputs["chances"].tolist()
    for source, target in zip(inputs["sources"], inputs["targets"], strict=True):
        for f in target:
            total = sum(chances[e][f] for e in source)
            for e in source:
                given[e, f] = given.get((e, f), 0.0) + chances[e][f] / total
    rows = [[given.get((e, f), 0.0) for f in range(len(chances[0]))] for e in range(len(chances))]
    expected = torch.tensor([[each / sum(row) for each in row] for row in rows])
    return answer.gives(expected, **inputs)


def _even(source: int, target: int) -> Tensor:
    return torch.full((source, target), 1 / target)


@exercise.draws
def _inputs(draw: Draw) -> dict:
    """Pairs in which every source word stands somewhere, and a table of uneven chances."""
    words, others = draw[SOURCE], draw[TARGET]
    sources = [draw.shuffled(range(words))[: 2 + draw.integer(2)] for _ in range(draw[PAIRS])]
    sources.append(list(range(words)))
    targets = [draw.shuffled(range(others))[: 2 + draw.integer(3)] for _ in sources]
    chances = draw.normal(words, others, scale=1.0).softmax(dim=1)
    return {"sources": sources, "targets": targets, "chances": chances}
