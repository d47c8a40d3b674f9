"""Exercise: how likely is it, according to a pointer, that one word was meant?

    p(word | typed) = α_j p(word_j)        j the place where the two differ

weights (source), letters (26) the probabilities of a to z, typed and word one letter apart
    ->   one number
"""

from string import ascii_lowercase

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

LENGTH = Size(4, 9)
exercise = Exercise("chance(weights, letters, typed, word)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(weights, letters, typed, word):
    """The weight where the two differ, times the probability of the word's letter there."""
    (place,) = [j for j, (a, b) in enumerate(zip(typed, word, strict=True)) if a != b]
    return weights[place] * letters[ord(word[place]) - ord("a")]


@exercise.must_also(
    "The answer is one number.",
    hint="One place and one letter: index both tensors, so that a single entry of each is left.",
)
def is_one_number(answer: Answer, draw: Draw) -> bool:
    result = answer(**_inputs(draw))
    return isinstance(result, float) or shaped(result)


@exercise.must_also(
    "A place without weight makes the word impossible.",
    hint="Is the weight taken where the two words differ?",
)
def no_weight_no_chance(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["weights"][_place(inputs)] = 0.0
    return answer.gives(0.0, **inputs)


@exercise.must_also(
    "If place and letter are certain, so is the word.",
    hint="Use the letter of the word, not the one that was typed. The letter a has the number 0.",
)
def certain_is_one(answer: Answer, draw: Draw, inputs: dict) -> bool:
    place = _place(inputs)
    inputs["weights"] = torch.eye(draw[LENGTH])[place]
    inputs["letters"] = torch.eye(26)[ascii_lowercase.index(inputs["word"][place])]
    return answer.gives(1.0, **inputs)


@exercise.must(
    "It is the product of the two probabilities.",
    hint="The network names place and letter independently, so its two probabilities are "
    "multiplied, not added.",
)
def is_the_product(answer: Answer, draw: Draw, inputs: dict) -> bool:
    place = _place(inputs)
    letter = inputs["letters"][ascii_lowercase.index(inputs["word"][place])]
    return answer.gives((inputs["weights"][place] * letter).item(), **inputs)


@exercise.draws
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


def _place(inputs: dict) -> int:
    pairs = zip(inputs["typed"], inputs["word"], strict=True)
    return [a != b for a, b in pairs].index(True)
