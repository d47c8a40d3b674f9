"""Right and wrong answers to `attn_class.exercises.tasks.one_letter_away`."""

from string import ascii_lowercase

from specimens.answers import named


def by_loop(typed, words):
    found = []
    for word in words:
        if len(word) != len(typed):
            continue
        differ = 0
        for k in range(len(word)):
            differ += word[k] != typed[k]
        if differ == 1:
            found.append(word)
    return found


def by_edits(typed, words):
    near = {
        typed[:k] + letter + typed[k + 1 :]
        for k in range(len(typed))
        for letter in ascii_lowercase
        if letter != typed[k]
    }
    return tuple(word for word in words if word in near)


def at_most_one(typed, words):
    return [
        word
        for word in words
        if len(word) == len(typed) and sum(a != b for a, b in zip(typed, word)) <= 1  # noqa: B905
    ]


def two_will_do(typed, words):
    return [
        word
        for word in words
        if len(word) == len(typed) and sum(a != b for a, b in zip(typed, word)) in (1, 2)  # noqa: B905
    ]


def length_forgotten(typed, words):
    return [word for word in words if sum(a != b for a, b in zip(typed, word)) == 1]  # noqa: B905


def as_a_sorted_list(typed, words):
    return sorted(by_loop(typed, words), key=lambda w: [a == b for a, b in zip(w, typed)])  # noqa: B905


RIGHT = [by_loop, by_edits]
WRONG = {
    "finds_one_change": named(
        only_the_first=lambda typed, words: by_loop(typed, words)[:1],
        first_letter_not_compared=lambda typed, words: by_loop(
            typed[1:], [word[1:] for word in words]
        ),
        backwards=lambda typed, words: by_loop(typed, words)[::-1],
    ),
    "leaves_out_the_word_itself": named(at_most_one, whole_list=lambda typed, words: list(words)),
    "leaves_out_two_changes": named(
        two_will_do,
        by_letters_as_sets=lambda typed, words: [
            w
            for w in words
            if len(w) == len(typed) and len(set(w) ^ set(typed)) <= 2 and w != typed
        ],
    ),
    "leaves_out_other_lengths": [length_forgotten],
    "keeps_the_order": [as_a_sorted_list],
    "may_find_none": named(never_none=lambda typed, words: by_loop(typed, words) or [typed]),
    "runs": named(the_list_forgotten=lambda typed: by_loop(typed, [])),
}
