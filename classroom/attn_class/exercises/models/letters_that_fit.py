"""Exercise: how many random letters fit into so many bits?

    numbers: how many numbers the vector has; bits: of each; symbols: the size of the alphabet
    ->   the largest n with n · log2(symbols) ≤ numbers · bits            Shannon 1948, section 6

Independent letters cannot be shortened: each takes log2(symbols) bits, on average and at best.
"""

import math

from attn_class.exercises.frame import Answer, Draw, Exercise

exercise = Exercise("fit(numbers, bits, symbols)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(numbers, bits, symbols):
    """All the bits there are, divided among the letters."""
    return math.floor(numbers * bits / math.log2(symbols))


@exercise.must(
    "With two symbols a letter takes one bit, so as many letters fit as there are bits.",
    hint="A bit tells two symbols apart: log2(2) = 1. Count the bits of all the numbers together, "
    "and take the logarithm to the base 2.",
)
def two_symbols_take_a_bit(answer: Answer, draw: Draw) -> bool:
    numbers, bits = 3 + draw.integer(11), 5 + draw.integer(7)
    return answer.gives(float(numbers * bits), numbers=numbers, bits=bits, symbols=2)


@exercise.must(
    "In an alphabet of 2, 4, 8, 16, ... symbols each letter takes 1, 2, 3, 4, ... bits.",
    hint="A letter takes log2(symbols) bits: squaring the alphabet doubles them. Not symbols / 2, "
    "and not one bit for each symbol.",
)
def powers_of_two(answer: Answer, draw: Draw) -> bool:
    each, numbers = 2 + draw.integer(4), 3 + draw.integer(11)
    expected = float(numbers * 7)
    return answer.gives(expected, numbers=numbers, bits=7 * each, symbols=2**each)


@exercise.must(
    "It is a whole number of letters, rounded down.",
    hint="Half a letter does not count: use math.floor or int. round may give a letter too many. "
    "And round once, at the end, not for each number.",
)
def rounded_down(answer: Answer, draw: Draw) -> bool:
    for symbols in (3, 13, 29):
        numbers, bits = 3 + draw.integer(11), 5 + draw.integer(7)
        letters = 0
        while symbols ** (letters + 1) <= 2 ** (numbers * bits):
            letters += 1
        if not answer.gives(float(letters), numbers=numbers, bits=bits, symbols=symbols):
            return False
    return True
