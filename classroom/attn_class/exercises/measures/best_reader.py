"""Exercise: how often is the best possible reader right?

    ceiling = Σ_x max_y p(x, y)                     the Bayes-optimal decision

chances (wrong word, right word), joint probabilities that sum to one   ->   one number
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

WRONG, RIGHT = Size(3, 7), Size(3, 11)
exercise = Exercise("ceiling(chances)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(chances):
    """The reader names the likeliest right word for each wrong one, and is right that often."""
    return chances.max(dim=1).values.sum()


@exercise.must_also(
    "The answer is one number.",
    hint="Add up over the wrong words: one share, not one for each of them.",
)
def is_one_number(answer: Answer, draw: Draw) -> bool:
    result = answer(chances=_chances(draw))
    return isinstance(result, float) or shaped(result)


@exercise.must_also(
    "If each wrong word comes from one word only, the reader is always right.",
    hint="Then nothing is ambiguous, and the ceiling is 1. Are the probabilities added, not "
    "averaged? And is the largest taken in each row, that is, for each wrong word?",
)
def nothing_ambiguous_is_one(answer: Answer, draw: Draw) -> bool:
    chances = torch.zeros(draw[WRONG], draw[RIGHT])
    for x in range(draw[WRONG]):
        chances[x, draw.integer(RIGHT)] = 1 / draw[WRONG]
    return answer.gives(1.0, chances=chances)


@exercise.must_also(
    "If all right words are equally likely whatever is seen, the ceiling is one over their number.",
    hint="There are as many columns as right words. The reader names one for each row.",
)
def all_alike_is_one_in_as_many(answer: Answer, draw: Draw) -> bool:
    wrong, right = draw[WRONG, RIGHT]
    chances = torch.full((wrong, right), 1 / (wrong * right))
    return answer.gives(1 / right, chances=chances)


@exercise.must_also(
    "What is rarely seen counts little.",
    hint="A wrong word that hardly ever occurs must not weigh as much as a frequent one: p(x, y) "
    "already holds how often x occurs, so do not divide by it.",
)
def rare_words_count_little(answer: Answer, draw: Draw) -> bool:
    chances = torch.zeros(draw[WRONG], draw[RIGHT])
    chances[0, 0], chances[1:, :] = 0.93, 0.07 / ((draw[WRONG] - 1) * draw[RIGHT])
    return answer.gives(0.93 + 0.07 / draw[RIGHT], chances=chances)


@exercise.must(
    "It is the sum of the largest probabilities, one for each wrong word.",
    hint="The largest of each row: the reader sees the wrong word and names a right one.",
)
def is_the_definition(answer: Answer, draw: Draw) -> bool:
    chances = _chances(draw)
    expected = sum(max(row) for row in chances.tolist())
    return answer.gives(expected, chances=chances)


def _chances(draw: Draw) -> Tensor:
    numbers = draw.normal(WRONG, RIGHT, scale=2.0)
    return numbers.flatten().softmax(dim=0).view_as(numbers)
