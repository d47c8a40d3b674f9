"""Right and wrong answers to `attn_course.classroom.exercises.measures.best_reader`."""

import numpy as np


def by_loop(p):
    return sum(max(row) for row in p.tolist())


def in_numpy(p):
    return np.max(p.numpy(), axis=1).sum()


def by_argmax(p):
    return sum(row[row.argmax()] for row in p)


def one_for_each(p):
    return p.max(dim=1).values


def mean_of_rows(p):
    return p.max(dim=1).values.mean()


def given_the_wrong_word(p):
    return (p / p.sum(dim=1, keepdim=True)).max(dim=1).values.mean()


def over_columns(p):
    return p.max(dim=0).values.sum()


def the_largest_of_all(p):
    return p.max()


def everything(p):
    return p.sum()


def expected_share(p):
    return (p * p / p.sum(dim=1, keepdim=True).clamp(min=1e-9)).sum()


def always_the_commonest(p):
    return p.sum(dim=0).max()


def as_a_dictionary(p):
    return sum(max(row.values()) for row in p)


RIGHT = [by_loop, in_numpy, by_argmax]
WRONG = {
    one_for_each: "is_one_number",
    mean_of_rows: "nothing_ambiguous_is_one",
    the_largest_of_all: "nothing_ambiguous_is_one",
    over_columns: "nothing_ambiguous_is_one",
    always_the_commonest: "nothing_ambiguous_is_one",
    everything: "all_alike_is_one_in_as_many",
    given_the_wrong_word: "rare_words_count_little",
    expected_share: "is_the_definition",
    as_a_dictionary: "runs",
}
