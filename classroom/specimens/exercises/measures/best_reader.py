import numpy as np


def by_loop(p):
    return sum(max(row) for row in p.tolist())


def in_numpy(p):
    return np.max(p.numpy(), axis=1).sum()


def by_argmax(p):
    return sum(row[row.argmax()] for row in p)
