"""Right and wrong answers to `attn_class.exercises.measures.best_reader`."""

import numpy as np

from specimens.answers import named


def by_loop(p):
    return sum(max(row) for row in p.tolist())


def in_numpy(p):
    return np.max(p.numpy(), axis=1).sum()


def by_argmax(p):
    return sum(row[row.argmax()] for row in p)


RIGHT = [by_loop, in_numpy, by_argmax]
WRONG = {
    "is_one_number": named(one_for_each=lambda p: p.max(dim=1).values),
    "nothing_ambiguous_is_one": named(
        mean_of_rows=lambda p: p.max(dim=1).values.mean(),
        the_largest_of_all=lambda p: p.max(),
        over_columns=lambda p: p.max(dim=0).values.sum(),
        always_the_commonest=lambda p: p.sum(dim=0).max(),
    ),
    "all_alike_is_one_in_as_many": named(everything=lambda p: p.sum()),
    "rare_words_count_little": named(
        given_the_wrong_word=lambda p: (p / p.sum(dim=1, keepdim=True)).max(dim=1).values.mean()
    ),
    "is_the_definition": named(
        expected_share=lambda p: (p * p / p.sum(dim=1, keepdim=True).clamp(min=1e-9)).sum()
    ),
    "runs": named(as_a_dictionary=lambda p: sum(max(row.values()) for row in p)),
}
