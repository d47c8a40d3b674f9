"""Exercise: the one vector of each source in a padded batch.

states (batch source state), lengths (batch)  ->  c (batch state)
c = h_n, the state when the last real symbol has been read     Cho et al. 2014, section 2.2
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

BATCH, SOURCE, STATE = Size(1, 3), Size(4, 7), Size(2, 11)
exercise = Exercise("vector_of(states, lengths)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(states, lengths):
    """In row b, the state at position lengths[b] - 1."""
    return states[torch.arange(len(states)), lengths - 1]


@exercise.must_also(
    "There is one state for each source: the shape is (batch, state).",
    hint="One vector per source, as long as a state. The source axis is gone. To take "
    "another position in each row, index both axes: row b goes with position lengths[b] - 1.",
)
def one_vector_a_source(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[BATCH], draw[STATE])


@exercise.must(
    "Without padding, it is the last state of all.",
    hint="The encoder has read everything only at the last position. A mean, a maximum or the "
    "first state is another vector.",
)
def full_rows_give_their_last(answer: Answer, draw: Draw) -> bool:
    states = draw.normal(BATCH, SOURCE, STATE)
    lengths = torch.full((draw[BATCH],), draw[SOURCE])
    return answer.gives(states[:, -1], states=states, lengths=lengths)


@exercise.must_also(
    "What stands in the padding makes no difference.",
    hint="states[:, -1] is the last column. In a shorter source that is padding: the last real "
    "state stands at lengths - 1.",
)
def padding_does_not_matter(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before = answer(**inputs)
    states = inputs["states"].clone()
    for row, length in zip(states, inputs["lengths"].tolist(), strict=True):
        row[length:] += 1.0
    return same(before, answer(**inputs | {"states": states}))


@exercise.must(
    "Row b is the state at position lengths[b] - 1.",
    hint="Positions count from 0: of 3 symbols the last stands at 2. And each row has a length of "
    "its own.",
)
def each_row_gives_its_own_last(answer: Answer, draw: Draw, inputs: dict) -> bool:
    ends = zip(inputs["states"], inputs["lengths"].tolist(), strict=True)
    return answer.gives(torch.stack([row[length - 1] for row, length in ends]), **inputs)


@exercise.draws
def _inputs(draw: Draw) -> dict:
    start = draw.integer(draw[SOURCE] - 2)  # the first row is padded
    lengths = [2 + (start + row) % (draw[SOURCE] - 1) for row in range(draw[BATCH])]
    return {"states": draw.normal(BATCH, SOURCE, STATE), "lengths": torch.tensor(lengths)}


exercise.must_pass_gradients(solution, _inputs)
