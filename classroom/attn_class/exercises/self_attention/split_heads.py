"""Exercise: vectors cut into heads.

vectors (position size), number of heads   ->   (head position part), part = size / heads
                                                Vaswani et al. 2017, section 3.2.2
"""

from attn_class.exercises.frame import Case, Draw, Exercise, Size

POSITION, HEADS, PART = Size(4, 7), Size(2, 3), Size(4, 5)


def solution(vectors, heads):
    """First cut the last axis in two, then bring the heads to the front."""
    return vectors.unflatten(-1, (heads, -1)).transpose(0, 1)


def _inputs(draw: Draw) -> dict:
    heads, part = draw[HEADS, PART]
    return {"vectors": draw.normal(POSITION, heads * part), "heads": heads}


exercise = Exercise(
    "split(vectors, heads)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "Head h is the slice of entries from h · part on.",
            _inputs,
            "Heads lie side by side in the vector: the first head has the first entries. Every "
            "third entry, say, would be another choice, and trained weights would not fit it.",
        )
    ],
    slips={
        "The right shape is not enough: view(heads, position, part) takes the numbers as they lie "
        "in memory, and mixes positions. Cut the last axis first, then swap two axes.": [
            lambda vectors, heads: vectors.reshape(heads, len(vectors), -1),
        ],
        "": [
            lambda vectors, heads: solution(vectors, heads).flip(0),
            lambda vectors, heads: vectors.unflatten(-1, (-1, heads)).permute(2, 0, 1),
        ],
    },
    gradients=_inputs,
    shape="part = size / heads. Each head has all positions, and a slice of the entries.",
)
check = exercise.check
