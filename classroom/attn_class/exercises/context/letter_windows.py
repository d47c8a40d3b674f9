"""Exercise: what stands around each place, and nothing else.

    row j = [x_{j-r} ; .. ; x_j ; .. ; x_{j+r}]          zeros for what lies outside

vectors (source size), reach r, a whole number   ->   (source, (2r + 1) size)
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

SOURCE, SIZE = Size(3, 7), Size(2, 11)
exercise = Exercise("windows(vectors, reach)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(vectors, reach):
    """With zeros on both sides, the window of place j begins at row j."""
    nothing = torch.zeros(reach, vectors.shape[1])
    padded = torch.cat([nothing, vectors, nothing])
    return torch.stack([padded[j : j + 2 * reach + 1].flatten() for j in range(len(vectors))])


@exercise.must_also(
    "There is a row for each place, with (2r + 1) vectors in it.",
    hint="A window reaches r places to either side of its own, so it holds 2r + 1 vectors. At the "
    "ends it is filled up, so that every place has a row.",
)
def has_its_shape(answer: Answer, draw: Draw) -> bool:
    reach = 1 + draw.integer(2)
    result = answer(vectors=draw.normal(SOURCE, SIZE), reach=reach)
    return shaped(result, draw[SOURCE], (2 * reach + 1) * draw[SIZE])


@exercise.must_also(
    "A reach of 0 gives the vectors themselves.",
    hint="A slice such as x[r:-r] is empty for r = 0.",
)
def no_reach_is_the_vectors(answer: Answer, draw: Draw) -> bool:
    vectors = draw.normal(SOURCE, SIZE)
    return answer.gives(vectors, vectors=vectors, reach=0)


@exercise.must(
    "The place's own vector stands in the middle of each row.",
    hint="The window of place j runs from j - r to j + r. Does yours begin at j?",
)
def own_vector_in_the_middle(answer: Answer, draw: Draw) -> bool:
    vectors, reach = draw.normal(SOURCE, SIZE), 1 + draw.integer(2)
    rows = answer(vectors=vectors, reach=reach)
    return same(rows[:, reach * draw[SIZE] : (reach + 1) * draw[SIZE]], vectors)


@exercise.must(
    "The neighbours stand in their order, from left to right.",
    hint="Within a row, x_{j-1} comes before x_j and x_{j+1} after it, each vector whole.",
)
def neighbours_in_order(answer: Answer, draw: Draw) -> bool:
    vectors = draw.normal(SOURCE, SIZE)
    rows = answer(vectors=vectors, reach=1)[1:-1]
    return same(rows[:, : draw[SIZE]], vectors[:-2]) and same(rows[:, -draw[SIZE] :], vectors[2:])


@exercise.must_also(
    "What lies outside the word is zero.",
    hint="A negative index counts from the end, and a roll brings the end to the front: nothing "
    "stands before the first letter.",
)
def outside_is_zero(answer: Answer, draw: Draw) -> bool:
    rows = answer(vectors=draw.normal(SOURCE, SIZE), reach=2)
    zeros = torch.zeros(draw[SIZE])
    first, last = rows[0].view(5, draw[SIZE]), rows[-1].view(5, draw[SIZE])
    return all(same(row, zeros) for row in (first[0], first[1], last[3], last[4]))


@exercise.must(
    "A window may be wider than the word.",
    hint="With a reach longer than the word, each row still holds all of its letters, among zeros.",
)
def may_be_wider(answer: Answer, draw: Draw) -> bool:
    vectors = draw.normal(2, SIZE)
    row = answer(vectors=vectors, reach=5)[0]
    expected = torch.zeros(11, draw[SIZE])
    expected[5:7] = vectors
    return same(row, expected.flatten())


exercise.must_pass_gradients(
    solution, lambda draw: {"vectors": draw.normal(SOURCE, SIZE), "reach": 1 + draw.integer(2)}
)
