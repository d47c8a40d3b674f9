"""Right and wrong answers to `attn_class.exercises.models.letters_that_fit`."""

import math

import numpy as np

from specimens.answers import changed, named


def by_counting(numbers, bits, symbols):
    letters = 0
    while symbols ** (letters + 1) <= 2 ** (numbers * bits):
        letters += 1
    return letters


def with_numpy(numbers, bits, symbols):
    return np.floor(numbers * bits / np.log2(symbols))


def natural_logarithms(numbers, bits, symbols):
    return int(numbers * bits * math.log(2) / math.log(symbols) + 1e-9)


RIGHT = [by_counting, with_numpy, natural_logarithms]
WRONG = {
    "two_symbols_take_a_bit": named(
        base_e=lambda numbers, bits, symbols: math.floor(numbers * bits / math.log(symbols)),
        one_number_only=lambda numbers, bits, symbols: math.floor(bits / math.log2(symbols)),
        counts_the_numbers=lambda numbers, bits, symbols: math.floor(numbers / math.log2(symbols)),
        states_not_bits=lambda numbers, bits, symbols: 2 ** (numbers * bits),
    ),
    "powers_of_two": named(
        half_the_alphabet=lambda numbers, bits, symbols: math.floor(numbers * bits / (symbols / 2)),
        times_the_logarithm=changed(with_numpy, "return np", "return math", "/ np", "* math"),
    ),
    "rounded_down": named(
        rounds=lambda numbers, bits, symbols: round(numbers * bits / math.log2(symbols)),
        not_whole=lambda numbers, bits, symbols: numbers * bits / math.log2(symbols),
        rounds_up=lambda numbers, bits, symbols: math.ceil(numbers * bits / math.log2(symbols)),
        whole_bits_a_letter=lambda numbers, bits, symbols: (
            numbers * bits // math.ceil(math.log2(symbols))
        ),
    ),
    "runs": named(looks_for_a_length=lambda numbers, bits, symbols: len(numbers)),
}
