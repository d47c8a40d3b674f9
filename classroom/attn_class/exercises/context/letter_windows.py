"""Exercise: what stands around each place, and nothing else.

    row j = [x_{j-r} ; .. ; x_j ; .. ; x_{j+r}]          zeros for what lies outside

vectors (source size), reach r, a whole number   ->   (source, (2r + 1) size)
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

SOURCE, SIZE = Size(3, 7), Size(2, 11)


def solution(vectors, reach):
    """With zeros on both sides, the window of place j begins at row j."""
    nothing = torch.zeros(reach, vectors.shape[1])
    padded = torch.cat([nothing, vectors, nothing])
    return torch.stack([padded[j : j + 2 * reach + 1].flatten() for j in range(len(vectors))])


def _inputs(draw: Draw) -> dict:
    return {"vectors": draw.normal(SOURCE, SIZE), "reach": 1 + draw.integer(2)}


exercise = Exercise(
    "windows(vectors, reach)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Weak(
            "A reach of 0 gives the vectors themselves.",
            lambda draw: _inputs(draw) | {"reach": 0},
            "A slice such as x[r:-r] is empty for r = 0.",
        ),
        Case(
            "The place's own vector stands in the middle of each row.",
            _inputs,
            "The window of place j runs from j - r to j + r. Does yours begin at j?",
        ),
        Case(
            "A window may be wider than the word.",
            lambda draw: {"vectors": draw.normal(2, SIZE), "reach": 5},
            "With a reach longer than the word, each row still holds all of its letters, among "
            "zeros.",
        ),
    ],
    slips={
        "Within a row, x_{j-1} comes before x_j and x_{j+1} after it, each vector whole.": [
            ("+ 1].flatten()", "+ 1].flip(0).flatten()")
        ],
        "A negative index counts from the end, and a roll brings the end to the front: nothing "
        "stands before the first letter.": [
            ("[nothing, vectors, nothing]", "[vectors[-reach:], vectors, vectors[:reach]]"),
            (
                "[nothing, vectors, nothing]",
                "[vectors[:1]] * reach + [vectors] + [vectors[-1:]] * reach",
            ),
        ],
        "": [
            lambda vectors, reach: solution(vectors, reach) if reach else vectors[reach:-reach],
            ("[nothing, vectors, nothing]", "[vectors, nothing, nothing]"),
            lambda vectors, reach: solution(vectors, min(reach, len(vectors))),
        ],
    },
    gradients=_inputs,
    shape="A window reaches r places to either side of its own, so it holds 2r + 1 vectors. At the "
    "ends it is filled up, so that every place has a row.",
)
check = exercise.check
