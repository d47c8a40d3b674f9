"""Right and wrong answers to `attn_course.classroom.exercises.measures.alignment_error`."""

from fractions import Fraction

import numpy as np


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


def by_row(A, S, P):
    return 1 - ((A & S).sum(1) + (A & P).sum(1)) / (A.sum(1) + S.sum(1)).clamp(min=1)


def a_pair(A, S, P):
    return (by_loop(A, S, P), by_loop(A, S, S))


def agreement_not_error(A, S, P):
    return 1 - by_loop(A, S, P)


def counted_once(A, S, P):
    return 1 - (A & S).sum() / (A.sum() + S.sum())


def union_for_intersection(A, S, P):
    return 1 - ((A | S).sum() + (A | P).sum() + 1) / (A.sum() + S.sum())


def accuracy_of_cells(A, S, P):
    return (A != S).float().mean()


def possible_left_out(A, S, P):
    return 1 - 2 * (A & S).sum() / (A.sum() + S.sum())


def divided_by_possible(A, S, P):
    return 1 - ((A & S).sum() + (A & P).sum()) / (A.sum() + P.sum())


def wrong_share_of_links(A, S, P):
    return 1 - (A & P).sum() / A.sum().clamp(min=1)


def missed_share_of_sure(A, S, P):
    return 1 - (A & S).sum() / S.sum()


def mean_of_precision_and_recall(A, S, P):
    precision = (A & P).sum() / A.sum().clamp(min=1)
    return 1 - (precision + (A & S).sum() / S.sum()) / 2


def jaccard_distance(A, S, P):
    return 1 - ((A & S).sum() + (A & P).sum()) / ((A | S).sum() + (A & P).sum())


def in_place(A, S, P):
    A &= S
    return by_loop(A, S, P)


def keyword_forgotten(A, S):
    return possible_left_out(A, S, S)


def as_a_fraction(links, sure, possible):
    agree = int((links & sure).sum() + (links & possible).sum())
    return 1 - Fraction(agree, int(links.sum() + sure.sum()))


RIGHT = [as_a_fraction, by_loop, in_floats, in_numpy, by_sets]
WRONG = {
    by_row: "is_one_number",
    a_pair: "is_one_number",
    agreement_not_error: "perfect_is_zero",
    counted_once: "perfect_is_zero",
    union_for_intersection: "perfect_is_zero",
    accuracy_of_cells: "all_wrong_is_one",
    possible_left_out: "possible_is_harmless",
    divided_by_possible: "possible_is_harmless",
    wrong_share_of_links: "missing_a_sure_link_costs",
    missed_share_of_sure: "a_wrong_link_costs",
    mean_of_precision_and_recall: "is_the_definition",
    jaccard_distance: "possible_is_harmless",
    in_place: "leaves_its_inputs_alone",
    keyword_forgotten: "runs",
}
