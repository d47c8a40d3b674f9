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


def as_a_fraction(links, sure, possible):
    agree = int((links & sure).sum() + (links & possible).sum())
    return 1 - Fraction(agree, int(links.sum() + sure.sum()))
