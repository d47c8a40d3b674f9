"""Right and wrong answers to `attn_course.classroom.exercises.models.word_chance`."""

from string import ascii_lowercase


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


def the_letter_alone(weights, letters, typed, word):
    return letters[ascii_lowercase.index(word[differs(typed, word)])]


def the_weight_alone(weights, letters, typed, word):
    return weights[differs(typed, word)]


def mean_of_both(weights, letters, typed, word):
    j = differs(typed, word)
    return (weights[j] > 0) * (weights[j] + letters[ascii_lowercase.index(word[j])]) / 2


def all_weights(weights, letters, typed, word):
    return weights * letters[ascii_lowercase.index(word[differs(typed, word)])]


def wrongly_ordered(letters, weights, typed, word):
    return by_loop(weights, letters, typed, word)


RIGHT = [by_loop, over_all_places]
WRONG = {
    all_weights: "is_one_number",
    at_the_largest_weight: "no_weight_no_chance",
    the_letter_alone: "no_weight_no_chance",
    letter_as_typed: "certain_is_one",
    numbered_from_one: "certain_is_one",
    the_weight_alone: "is_the_product",
    mean_of_both: "is_the_product",
    wrongly_ordered: "runs",
}
