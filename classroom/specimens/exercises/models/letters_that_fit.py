import math

import numpy as np


def by_counting(numbers, bits, symbols):
    letters = 0
    while symbols ** (letters + 1) <= 2 ** (numbers * bits):
        letters += 1
    return letters


def with_numpy(numbers, bits, symbols):
    return np.floor(numbers * bits / np.log2(symbols))


def natural_logarithms(numbers, bits, symbols):
    return int(numbers * bits * math.log(2) / math.log(symbols) + 1e-9)
