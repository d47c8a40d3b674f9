"""Right and wrong answers to `attn_course.classroom.exercises.models.letters_that_fit`."""

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


def base_e(numbers, bits, symbols):
    return math.floor(numbers * bits / math.log(symbols))


def one_number_only(numbers, bits, symbols):
    return math.floor(bits / math.log2(symbols))


def counts_the_numbers(numbers, bits, symbols):
    return math.floor(numbers / math.log2(symbols))


def states_not_bits(numbers, bits, symbols):
    return 2 ** (numbers * bits)


def half_the_alphabet(numbers, bits, symbols):
    return math.floor(numbers * bits / (symbols / 2))


def times_the_logarithm(numbers, bits, symbols):
    return math.floor(numbers * bits * math.log2(symbols))


def rounds(numbers, bits, symbols):
    return round(numbers * bits / math.log2(symbols))


def not_whole(numbers, bits, symbols):
    return numbers * bits / math.log2(symbols)


def rounds_up(numbers, bits, symbols):
    return math.ceil(numbers * bits / math.log2(symbols))


def whole_bits_a_letter(numbers, bits, symbols):
    return numbers * bits // math.ceil(math.log2(symbols))


def looks_for_a_length(numbers, bits, symbols):
    return len(numbers)


RIGHT = [by_counting, with_numpy, natural_logarithms]
WRONG = {
    base_e: "two_symbols_take_a_bit",
    one_number_only: "two_symbols_take_a_bit",
    counts_the_numbers: "two_symbols_take_a_bit",
    states_not_bits: "two_symbols_take_a_bit",
    half_the_alphabet: "powers_of_two",
    times_the_logarithm: "powers_of_two",
    rounds: "rounded_down",
    not_whole: "rounded_down",
    rounds_up: "rounded_down",
    whole_bits_a_letter: "rounded_down",
    looks_for_a_length: "runs",
}
