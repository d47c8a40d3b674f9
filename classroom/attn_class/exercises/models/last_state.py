"""Exercise: the one vector of each source in a padded batch.

states (batch source state), lengths (batch)  ->  c (batch state)
c = h_n, the state when the last real symbol has been read     Cho et al. 2014, section 2.2
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

BATCH, SOURCE, STATE = Size(1, 3), Size(4, 7), Size(2, 11)


def solution(states, lengths):
    """In row b, the state at position lengths[b] - 1."""
    return states[torch.arange(len(states)), lengths - 1]


def _inputs(draw: Draw) -> dict:
    start = draw.integer(draw[SOURCE] - 2)  # the first row is padded
    lengths = [2 + (start + row) % (draw[SOURCE] - 1) for row in range(draw[BATCH])]
    return {"states": draw.normal(BATCH, SOURCE, STATE), "lengths": torch.tensor(lengths)}


def _whole(draw: Draw) -> dict:
    return _inputs(draw) | {"lengths": torch.full((draw[BATCH],), draw[SOURCE])}


exercise = Exercise(
    "vector_of(states, lengths)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "Without padding, it is the last state of all.",
            _whole,
            "The encoder has read everything only at the last position. A mean, a maximum or the "
            "first state is another vector.",
        ),
        Case(
            "Row b is the state at position lengths[b] - 1.",
            _inputs,
            "Positions count from 0: of 3 symbols the last stands at 2. And each row has a length "
            "of its own.",
        ),
    ],
    slips={
        "states[:, -1] is the last column. In a shorter source that is padding: the last real "
        "state stands at lengths - 1.": [
            lambda states, lengths: states[:, -1],
            ("lengths - 1", "lengths.max() - 1"),
        ],
        "": [
            lambda states, lengths: states[:, 0],
            ("lengths - 1", "lengths - 1 - (lengths < states.shape[1]).long()"),
        ],
    },
    gradients=_inputs,
    shape="One vector per source, as long as a state. The source axis is gone. To take another "
    "position in each row, index both axes: row b goes with position lengths[b] - 1.",
)
check = exercise.check
