"""Exercise: how likely is it, according to a pointer, that one word was meant?

    p(word | typed) = α_j p(word_j)        j the place where the two differ

weights (source), letters (26) the probabilities of a to z, typed and word one letter apart
    ->   one number
"""

from string import ascii_lowercase

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

LENGTH = Size(4, 9)


def solution(weights, letters, typed, word):
    """The weight where the two differ, times the probability of the word's letter there."""
    (place,) = [j for j, (a, b) in enumerate(zip(typed, word, strict=True)) if a != b]
    return weights[place] * letters[ord(word[place]) - ord("a")]


def _inputs(draw: Draw) -> dict:
    typed = "".join(ascii_lowercase[draw.integer(26)] for _ in range(draw[LENGTH]))
    place = draw.integer(LENGTH)
    letter = ascii_lowercase[(ascii_lowercase.index(typed[place]) + 1 + draw.integer(25)) % 26]
    return {
        "weights": torch.softmax(draw.normal(LENGTH, scale=1.0), dim=0),
        "letters": torch.softmax(draw.normal(26, scale=1.0), dim=0),
        "typed": typed,
        "word": typed[:place] + letter + typed[place + 1 :],
    }


exercise = Exercise(
    "chance(weights, letters, typed, word)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "It is the product of the two probabilities.",
            _inputs,
            "The network names place and letter independently, so its two probabilities are "
            "multiplied, not added.",
        )
    ],
    slips={
        "Is the weight taken where the two words differ?": [
            ("weights[place]", "weights.max()"),
            ("weights[place] * ", ""),
        ],
        "Use the letter of the word, not the one that was typed. The letter a has the number 0.": [
            ("word[place]", "typed[place]"),
            ('ord("a")]', 'ord("b")]'),
        ],
        "": [("weights[place] * letters", "weights[place] + letters")],
    },
    shape="One place and one letter: index both tensors, so that a single entry of each is left.",
)
check = exercise.check
