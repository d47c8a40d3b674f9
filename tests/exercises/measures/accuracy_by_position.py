"""Right and wrong answers to `attn_course.exercises.measures.accuracy_by_position`."""

from fractions import Fraction
from itertools import zip_longest

import numpy as np
import torch


def with_numpy(written, targets):
    length = len(targets[0])
    table = np.array([list(text[:length].ljust(length, "\0")) for text in written])
    return (table == np.array([list(text) for text in targets])).mean(axis=0)


def with_torch(written, targets):
    right = torch.zeros(len(targets[0]))
    for given, target in zip(written, targets, strict=True):
        for i, letter in enumerate(target):
            if i < len(given) and given[i] == letter:
                right[i] += 1
    return right / len(targets)


def with_columns(written, targets):
    pairs = [
        list(zip_longest(given, target)) for given, target in zip(written, targets, strict=True)
    ]
    length = len(targets[0])
    columns = zip(*(pair[:length] for pair in pairs), strict=True)
    return [sum(a == b for a, b in column) / len(column) for column in columns]


def one_number(written, targets):
    return [sum(a == b for a, b in zip(written, targets, strict=True)) / len(targets)]


def by_text(written, targets):
    pairs = zip(written, targets, strict=True)
    return [sum(a == b for a, b in zip(*pair, strict=False)) / len(pair[1]) for pair in pairs]


def share_wrong(written, targets):
    return [1 - share for share in with_numpy(written, targets)]


def counts(written, targets):
    return [share * len(targets) for share in with_numpy(written, targets)]


def in_percent(written, targets):
    return [share * 100 for share in with_numpy(written, targets)]


def exact_match_everywhere(written, targets):
    share = one_number(written, targets)[0]
    return [share] * len(targets[0])


def right_up_to_here(written, targets):
    length = len(targets[0])
    pairs = list(zip(written, targets, strict=True))
    return [sum(a[: i + 1] == b[: i + 1] for a, b in pairs) / len(pairs) for i in range(length)]


def letter_anywhere(written, targets):
    length = len(targets[0])
    pairs = list(zip(written, targets, strict=True))
    return [sum(b[i] in a for a, b in pairs) / len(pairs) for i in range(length)]


def missing_is_not_counted(written, targets):
    shares = []
    for i in range(len(targets[0])):
        pairs = [(a, b) for a, b in zip(written, targets, strict=True) if len(a) > i]
        shares.append(sum(a[i] == b[i] for a, b in pairs) / len(pairs) if pairs else 1.0)
    return shares


def missing_breaks_it(written, targets):
    length = len(targets[0])
    pairs = list(zip(written, targets, strict=True))
    return [sum(a[i] == b[i] for a, b in pairs) / len(pairs) for i in range(length)]


def from_the_end(written, targets):
    length = len(targets[0])
    pairs = list(zip(written, targets, strict=True))
    shares = [sum(a[-i:][:1] == b[-i] for a, b in pairs) / len(pairs) for i in range(1, length + 1)]
    return shares[::-1]


def too_long_is_wrong(written, targets):
    pairs = list(zip(written, targets, strict=True))
    fits = [(a if len(a) <= len(b) else "", b) for a, b in pairs]
    return with_numpy(*map(list, zip(*fits, strict=True)))


def anything_that_is_there(written, targets):
    letters = [
        [text[i : i + 1] not in ("", "!") for text in written] for i in range(len(targets[0]))
    ]
    return [sum(column) / len(written) for column in letters]


def some_target_has_it_there(written, targets):
    known = [{text[i] for text in targets} for i in range(len(targets[0]))]
    return [
        sum(text[i : i + 1] in letters for text in written) / len(written)
        for i, letters in enumerate(known)
    ]


def as_fractions(written, targets):
    pairs = list(zip(written, targets, strict=True))
    return [
        Fraction(sum(text[i : i + 1] == target[i] for text, target in pairs), len(pairs))
        for i in range(len(targets[0]))
    ]


RIGHT = [as_fractions, with_numpy, with_torch, with_columns]
WRONG = {
    one_number: "one_share_a_position",
    by_text: "one_share_a_position",
    share_wrong: "all_right_is_one",
    counts: "all_right_is_one",
    in_percent: "all_right_is_one",
    exact_match_everywhere: "a_mistake_counts_where_it_stands",
    right_up_to_here: "a_mistake_counts_where_it_stands",
    letter_anywhere: "a_mistake_counts_where_it_stands",
    missing_is_not_counted: "what_is_missing_is_wrong",
    from_the_end: "what_is_missing_is_wrong",
    too_long_is_wrong: "what_is_too_much_is_ignored",
    missing_breaks_it: "runs",
    anything_that_is_there: "a_mistake_counts_where_it_stands",
    some_target_has_it_there: "a_mistake_counts_where_it_stands",
}
