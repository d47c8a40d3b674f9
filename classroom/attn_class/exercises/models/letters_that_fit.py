"""Exercise: how many random letters fit into so many bits?

    numbers: how many numbers the vector has; bits: of each; symbols: the size of the alphabet
    ->   the largest n with n · log2(symbols) ≤ numbers · bits            Shannon 1948, section 6

Independent letters cannot be shortened: each takes log2(symbols) bits, on average and at best.
"""

import math
from collections.abc import Callable

from attn_class.exercises.frame import Case, Draw, Exercise


def solution(numbers, bits, symbols):
    """All the bits there are, divided among the letters."""
    return math.floor(numbers * bits / math.log2(symbols))


def _of_bits(*symbols: int) -> Callable[[Draw], list[dict]]:
    """Draw vectors for alphabets of these sizes."""
    return lambda draw: [
        {"numbers": 3 + draw.integer(11), "bits": 5 + draw.integer(7), "symbols": size}
        for size in symbols
    ]


def _powers(draw: Draw) -> dict:
    bits = 2 + draw.integer(4)
    return {"numbers": 3 + draw.integer(11), "bits": 7 * bits, "symbols": 2**bits}


exercise = Exercise(
    "fit(numbers, bits, symbols)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "With two symbols a letter takes one bit, so as many letters fit as there are bits.",
            _of_bits(2),
            "A bit tells two symbols apart: log2(2) = 1. Count the bits of all the numbers "
            "together, and take the logarithm to the base 2.",
        ),
        Case(
            "In an alphabet of 2, 4, 8, 16, ... symbols each letter takes 1, 2, 3, 4, ... bits.",
            _powers,
            "A letter takes log2(symbols) bits: squaring the alphabet doubles them. Not symbols / "
            "2, and not one bit for each symbol.",
        ),
        Case(
            "It is a whole number of letters, rounded down.",
            _of_bits(3, 13, 29),
            "Half a letter does not count: use math.floor or int. round may give a letter too "
            "many. And round once, at the end, not for each number.",
        ),
    ],
    slips={
        "": [
            ("log2", "log"),
            ("math.log2(symbols)", "(symbols / 2)"),
            ("math.floor", "math.ceil"),
        ],
    },
)
check = exercise.check
