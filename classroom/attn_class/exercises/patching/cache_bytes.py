"""Exercise: how many bytes does a cache take, and how many if no head shared?

blocks, heads, groups, part, positions, bits, whole numbers
    ->   two numbers: bytes of the cache, bytes if each head had keys and values of its own
"""

from attn_class.exercises.frame import Case, Draw, Exercise


def solution(blocks, heads, groups, part, positions, bits):
    """A key and a value of ``part`` numbers for each group, block and position."""
    numbers = 2 * blocks * part * positions
    return numbers * groups * bits / 8, numbers * heads * bits / 8


def _inputs(draw: Draw) -> dict:
    """So many possible sizes that nobody can have seen all results."""
    groups, part = 2 + draw.integer(7), 8 * (2 + draw.integer(30))
    return {
        "blocks": 2 + draw.integer(60),
        "heads": groups * (2 + draw.integer(7)),
        "groups": groups,
        "part": part,
        "positions": 17 + draw.integer(4000),
        "bits": 8 * (1 + draw.integer(4)),
    }


def _of_bits(*bits: int):
    return lambda draw: [_inputs(draw) | {"bits": width} for width in bits]


exercise = Exercise(
    "cache(blocks, heads, groups, part, positions, bits)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "With one byte a number, the cache takes as many bytes as it has numbers.",
            _of_bits(8),
            "Each block keeps a key and a value of `part` numbers, for each group and position. "
            "How many heads there are does not matter.",
            part=0,
        ),
        Case(
            "If no head shared, each would have keys and values of its own.",
            _of_bits(8),
            "The same count with `heads` in place of `groups`.",
            part=1,
        ),
        Case(
            "Eight bits are a byte.",
            _of_bits(16, 4),
            "`bits` is the size of one number, in bits. The result is in bytes.",
        ),
    ],
    slips={
        "": [
            ("part * positions", "part"),
            ("numbers * heads", "numbers * groups * groups"),
            ("groups * bits / 8", "groups", "* bits / 8", ""),
        ],
    },
    shape="First what is kept, then what would be, as in `return one, other`: a tuple, not a list "
    "or a tensor.",
)
check = exercise.check
