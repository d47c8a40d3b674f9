"""Exercise: how many bytes does a cache take, and how many if no head shared?

blocks, heads, groups, part, positions, bits, whole numbers
    ->   two numbers: bytes of the cache, bytes if each head had keys and values of its own
"""

from attn_class.exercises.frame import Answer, Draw, Exercise

exercise = Exercise(
    "cache(blocks, heads, groups, part, positions, bits)", minutes=5, difficulty="warm-up"
)
check = exercise.check


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


def _agrees(answer: Answer, inputs: dict, number: int) -> bool:
    return float(answer(**inputs)[number]) == solution(**inputs)[number]


@exercise.must_also(
    "Two numbers come back.",
    hint="First what is kept, then what would be, as in `return one, other`: a tuple, not a list "
    "or a tensor.",
)
def two_numbers(answer: Answer, draw: Draw) -> bool:
    result = answer(**_inputs(draw))
    return (
        isinstance(result, tuple) and len(result) == 2 and all(float(each) > 0 for each in result)
    )


@exercise.must(
    "With one byte a number, the cache takes as many bytes as it has numbers.",
    hint="Each block keeps a key and a value of `part` numbers, for each group and position. "
    "How many heads there are does not matter.",
)
def groups_are_kept(answer: Answer, draw: Draw) -> bool:
    return _agrees(answer, _inputs(draw) | {"bits": 8}, 0)


@exercise.must(
    "If no head shared, each would have keys and values of its own.",
    hint="The same count with `heads` in place of `groups`.",
)
def heads_of_their_own(answer: Answer, draw: Draw) -> bool:
    return _agrees(answer, _inputs(draw) | {"bits": 8}, 1)


@exercise.must(
    "Eight bits are a byte.",
    hint="`bits` is the size of one number, in bits. The result is in bytes.",
)
def bits_become_bytes(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw) | {"bits": 16}
    return _agrees(answer, inputs, 0) and _agrees(answer, inputs | {"bits": 4}, 1)
