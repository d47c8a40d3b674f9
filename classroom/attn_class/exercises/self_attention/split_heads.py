"""Exercise: vectors cut into heads.

vectors (position size), number of heads   ->   (head position part), part = size / heads
                                                Vaswani et al. 2017, section 3.2.2
"""

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

POSITION, HEADS, PART = Size(4, 7), Size(2, 3), Size(4, 5)
exercise = Exercise("split(vectors, heads)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(vectors, heads):
    """First cut the last axis in two, then bring the heads to the front."""
    return vectors.unflatten(-1, (heads, -1)).transpose(0, 1)


@exercise.must_also(
    "The result has the axes (head, position, part).",
    hint="part = size / heads. Each head has all positions, and a slice of the entries.",
)
def has_the_axes(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), *draw[HEADS, POSITION, PART])


@exercise.must(
    "Position i of a head is made from position i alone.",
    hint="The right shape is not enough: view(heads, position, part) takes the numbers as they lie "
    "in memory, and mixes positions. Cut the last axis first, then swap two axes.",
)
def keeps_positions_apart(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before = answer(**inputs)
    place = draw.integer(POSITION)
    changed = inputs["vectors"].clone()
    changed[place] += 1
    moved = (answer(vectors=changed, heads=inputs["heads"]) != before).any(dim=-1).any(dim=0)
    return moved.nonzero().flatten().tolist() == [place]


@exercise.must(
    "Head h is the slice of entries from h · part on.",
    hint="Heads lie side by side in the vector: the first head has the first entries. Every third "
    "entry, say, would be another choice, and trained weights would not fit it.",
)
def heads_are_slices(answer: Answer, draw: Draw, inputs: dict) -> bool:
    parts = inputs["vectors"].split(draw[PART], dim=-1)
    result = answer(**inputs)
    return all(result[head].equal(part) for head, part in enumerate(parts))


@exercise.draws
def _inputs(draw: Draw) -> dict:
    heads, part = draw[HEADS, PART]
    return {"vectors": draw.normal(POSITION, heads * part), "heads": heads}


exercise.must_pass_gradients(solution, _inputs)
