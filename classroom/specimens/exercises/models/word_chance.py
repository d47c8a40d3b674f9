"""Right and wrong answers to `attn_class.exercises.models.word_chance`."""

from string import ascii_lowercase

from specimens.answers import named


def differs(typed, word):
    return [a != b for a, b in zip(typed, word, strict=True)].index(True)


def by_loop(weights, letters, typed, word):
    for j in range(len(typed)):
        if typed[j] != word[j]:
            return float(weights[j]) * float(letters[ascii_lowercase.index(word[j])])
    return 0.0


def over_all_places(weights, letters, typed, word):
    total = 0.0
    for j, letter in enumerate(word):
        total = total + (letter != typed[j]) * weights[j] * letters[ord(letter) - 97]
    return total


def at_the_largest_weight(weights, letters, typed, word):
    j = int(weights.argmax())
    return weights[j] * letters[ascii_lowercase.index(word[j])]


def letter_as_typed(weights, letters, typed, word):
    j = differs(typed, word)
    return weights[j] * letters[ascii_lowercase.index(typed[j])]


def numbered_from_one(weights, letters, typed, word):
    j = differs(typed, word)
    return weights[j] * letters[(ascii_lowercase.index(word[j]) + 1) % 26]


def mean_of_both(weights, letters, typed, word):
    j = differs(typed, word)
    return (weights[j] > 0) * (weights[j] + letters[ascii_lowercase.index(word[j])]) / 2


RIGHT = [by_loop, over_all_places]
WRONG = {
    "is_one_number": named(
        all_weights=lambda weights, letters, typed, word: (
            weights * letters[ascii_lowercase.index(word[differs(typed, word)])]
        )
    ),
    "no_weight_no_chance": named(
        at_the_largest_weight,
        the_letter_alone=lambda weights, letters, typed, word: letters[
            ascii_lowercase.index(word[differs(typed, word)])
        ],
    ),
    "certain_is_one": [letter_as_typed, numbered_from_one],
    "is_the_product": named(
        mean_of_both,
        the_weight_alone=lambda weights, letters, typed, word: weights[differs(typed, word)],
    ),
    "runs": named(
        wrongly_ordered=lambda letters, weights, typed, word: by_loop(weights, letters, typed, word)
    ),
}
