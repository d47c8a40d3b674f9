"""Exercise: how many numbers do attention and a matrix keep of a source?

attention   groups · (d_k + d_v) for each position that is still in the window
matrix      groups · d_k · d_v, whatever the number of positions

positions, groups, key_size, value_size, whole numbers   window, a whole number or None
    ->   two whole numbers: kept by attention, kept by a matrix
"""

from attn_class.exercises.frame import Case, Draw, Exercise


def solution(positions, groups, key_size, value_size, window):
    """One grows with the source until the window is full; the other does not grow."""
    read = positions if window is None else min(positions, window)
    return groups * read * (key_size + value_size), groups * key_size * value_size


def _inputs(draw: Draw, window: int | None) -> dict:
    """So many possible sizes that nobody can have seen all results."""
    sizes = {"key_size": 2 + draw.integer(60), "value_size": 2 + draw.integer(90)}
    positions, groups = 13 + draw.integer(50), 2 + draw.integer(9)
    return {"positions": positions, "groups": groups, **sizes, "window": window}


def _of_any_length(draw: Draw) -> list[dict]:
    inputs = _inputs(draw, None)
    return [inputs | {"positions": times * inputs["positions"]} for times in (1, 100)]


exercise = Exercise(
    "kept(positions, groups, key_size, value_size, window)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "Attention keeps a key and a value for each position and group.",
            lambda draw: _inputs(draw, None),
            "A key has key_size numbers, a value has value_size. Both are kept: add the two sizes.",
            part=0,
        ),
        Case(
            "A matrix keeps the product of the two sizes for each group, however long the source "
            "is.",
            _of_any_length,
            "v kᵀ has value_size rows and key_size columns. Does your number depend on the "
            "positions?",
            part=1,
        ),
        Case(
            "A window keeps no more positions than it is wide.",
            lambda draw: _inputs(draw, 11),
            "What has left the window may be forgotten: min(positions, window).",
        ),
        Case(
            "A window that is wider than the source keeps the whole source.",
            lambda draw: _inputs(draw, 1000),
            "There are no more positions than the source has: min(positions, window).",
        ),
    ],
    slips={
        "": [
            ("(key_size + value_size)", "key_size"),
            (", groups * key_size", ", positions * groups * key_size"),
            ("min(positions, window)", "positions"),
            ("min(positions, window)", "window"),
        ],
    },
    shape="First what attention keeps, then what a matrix keeps, as in `return one, other`: a "
    "tuple, not a list or a tensor.",
)
check = exercise.check
