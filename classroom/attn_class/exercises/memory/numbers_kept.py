"""Exercise: how many numbers do attention and a matrix keep of a source?

attention   groups · (d_k + d_v) for each position that is still in the window
matrix      groups · d_k · d_v, whatever the number of positions

positions, groups, key_size, value_size, whole numbers   window, a whole number or None
    ->   two whole numbers: kept by attention, kept by a matrix
"""

from attn_class.exercises.frame import Answer, Draw, Exercise

exercise = Exercise(
    "kept(positions, groups, key_size, value_size, window)", minutes=5, difficulty="warm-up"
)
check = exercise.check


def solution(positions, groups, key_size, value_size, window):
    """One grows with the source until the window is full; the other does not grow."""
    read = positions if window is None else min(positions, window)
    return groups * read * (key_size + value_size), groups * key_size * value_size


def _inputs(draw: Draw, window: int | None) -> dict:
    """So many possible sizes that nobody can have seen all results."""
    sizes = {"key_size": 2 + draw.integer(60), "value_size": 2 + draw.integer(90)}
    positions, groups = 13 + draw.integer(50), 2 + draw.integer(9)
    return {"positions": positions, "groups": groups, **sizes, "window": window}


def _first(answer: Answer, inputs: dict) -> bool:
    return answer.agrees(solution, **inputs)


@exercise.must_also(
    "Two whole numbers come back.",
    hint="First what attention keeps, then what a matrix keeps, as in `return one, other`: a "
    "tuple, not a list or a tensor.",
)
def two_numbers(answer: Answer, draw: Draw) -> bool:
    result = answer(**_inputs(draw, None))
    return isinstance(result, tuple) and len(result) == 2 and all(int(n) == n for n in result)


@exercise.must(
    "Attention keeps a key and a value for each position and group.",
    hint="A key has key_size numbers, a value has value_size. Both are kept: add the two sizes.",
)
def attention_keeps_pairs(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, None)
    return answer(**inputs)[0] == solution(**inputs)[0]


@exercise.must(
    "A matrix keeps the product of the two sizes for each group, however long the source is.",
    hint="v kᵀ has value_size rows and key_size columns. Does your number depend on the positions?",
)
def a_matrix_does_not_grow(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, None)
    longer, shortest = ({"positions": count} for count in (100 * inputs["positions"], 1))
    cases = (inputs, inputs | longer, inputs | shortest)
    return all(answer(**each)[1] == solution(**each)[1] for each in cases)


@exercise.must(
    "A window keeps no more positions than it is wide.",
    hint="What has left the window may be forgotten: min(positions, window).",
)
def a_window_keeps_its_positions(answer: Answer, draw: Draw) -> bool:
    return _first(answer, _inputs(draw, 11))


@exercise.must(
    "A window that is wider than the source keeps the whole source.",
    hint="There are no more positions than the source has: min(positions, window).",
)
def a_wide_window_keeps_the_source(answer: Answer, draw: Draw) -> bool:
    return _first(answer, _inputs(draw, 1000))
