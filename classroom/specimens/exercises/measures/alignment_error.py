"""Right and wrong answers to `attn_class.exercises.measures.alignment_error`."""

from fractions import Fraction

import numpy as np

from specimens.answers import named


def by_loop(A, S, P):
    agree = size = 0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            agree += bool(A[i, j] and S[i, j]) + bool(A[i, j] and P[i, j])
            size += bool(A[i, j]) + bool(S[i, j])
    return 1 - agree / size


def in_floats(A, S, P):
    A, S, P = A.double(), S.double(), P.double()
    return 1 - ((A * S).sum() + (A * P).sum()) / (A.sum() + S.sum())


def in_numpy(A, S, P):
    A, S, P = A.numpy(), S.numpy(), P.numpy()
    return 1 - (np.sum(A & S) + np.sum(A & P)) / (np.sum(A) + np.sum(S))


def by_sets(A, S, P):
    A, S, P = (set(map(tuple, table.nonzero().tolist())) for table in (A, S, P))
    return 1 - (len(A & S) + len(A & P)) / (len(A) + len(S))


def possible_left_out(A, S, P):
    return 1 - 2 * (A & S).sum() / (A.sum() + S.sum())


def mean_of_precision_and_recall(A, S, P):
    precision = (A & P).sum() / A.sum().clamp(min=1)
    return 1 - (precision + (A & S).sum() / S.sum()) / 2


def as_a_fraction(links, sure, possible):
    agree = int((links & sure).sum() + (links & possible).sum())
    return 1 - Fraction(agree, int(links.sum() + sure.sum()))


RIGHT = [as_a_fraction, by_loop, in_floats, in_numpy, by_sets]
WRONG = {
    "is_one_number": named(
        by_row=lambda A, S, P: (
            1 - ((A & S).sum(1) + (A & P).sum(1)) / (A.sum(1) + S.sum(1)).clamp(min=1)
        ),
        a_pair=lambda A, S, P: (by_loop(A, S, P), by_loop(A, S, S)),
    ),
    "perfect_is_zero": named(
        agreement_not_error=lambda A, S, P: 1 - by_loop(A, S, P),
        counted_once=lambda A, S, P: 1 - (A & S).sum() / (A.sum() + S.sum()),
        union_for_intersection=lambda A, S, P: (
            1 - ((A | S).sum() + (A | P).sum() + 1) / (A.sum() + S.sum())
        ),
    ),
    "all_wrong_is_one": named(accuracy_of_cells=lambda A, S, P: (A != S).float().mean()),
    "possible_is_harmless": named(
        possible_left_out,
        divided_by_possible=lambda A, S, P: (
            1 - ((A & S).sum() + (A & P).sum()) / (A.sum() + P.sum())
        ),
        jaccard_distance=lambda A, S, P: (
            1 - ((A & S).sum() + (A & P).sum()) / ((A | S).sum() + (A & P).sum())
        ),
    ),
    "missing_a_sure_link_costs": named(
        wrong_share_of_links=lambda A, S, P: 1 - (A & P).sum() / A.sum().clamp(min=1)
    ),
    "a_wrong_link_costs": named(missed_share_of_sure=lambda A, S, P: 1 - (A & S).sum() / S.sum()),
    "is_the_definition": [mean_of_precision_and_recall],
    "runs": named(keyword_forgotten=lambda A, S: possible_left_out(A, S, S)),
}
