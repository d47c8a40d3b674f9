"""Right and wrong answers to `attn_course.classroom.exercises.tasks.one_letter_away`."""

from string import ascii_lowercase


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


def by_letters_as_sets(typed, words):
    return [
        w for w in words if len(w) == len(typed) and len(set(w) ^ set(typed)) <= 2 and w != typed
    ]


def length_forgotten(typed, words):
    return [word for word in words if sum(a != b for a, b in zip(typed, word)) == 1]  # noqa: B905


def as_a_sorted_list(typed, words):
    return sorted(by_loop(typed, words), key=lambda w: [a == b for a, b in zip(w, typed)])  # noqa: B905


def backwards(typed, words):
    return by_loop(typed, words)[::-1]


def only_the_first(typed, words):
    return by_loop(typed, words)[:1]


def first_letter_not_compared(typed, words):
    return by_loop(typed[1:], [word[1:] for word in words])


def whole_list(typed, words):
    return list(words)


def never_none(typed, words):
    return by_loop(typed, words) or [typed]


def the_list_forgotten(typed):
    return by_loop(typed, [])


RIGHT = [by_loop, by_edits]
WRONG = {
    only_the_first: "finds_one_change",
    first_letter_not_compared: "finds_one_change",
    backwards: "finds_one_change",
    at_most_one: "leaves_out_the_word_itself",
    whole_list: "leaves_out_the_word_itself",
    two_will_do: "leaves_out_two_changes",
    by_letters_as_sets: "leaves_out_two_changes",
    length_forgotten: "leaves_out_other_lengths",
    as_a_sorted_list: "keeps_the_order",
    never_none: "may_find_none",
    the_list_forgotten: "runs",
}
