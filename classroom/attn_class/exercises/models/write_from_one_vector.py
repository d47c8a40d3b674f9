"""Exercise: all the states of a decoder that is given one vector.

    s_0 = tanh(W_s c)
    s_i = f([y_{i-1} ; c], s_{i-1})                 Cho et al. 2014, section 2.2

vector (vector), W_s (state vector), outputs (target embedding) are y_0 .. y_{m-1}
cell(input, state) -> (state)      f, a GRU cell
    ->   states (target state), s_1 .. s_m
"""

import torch
from torch import nn

from attn_class.exercises.frame import Case, Draw, Exercise, Size

VECTOR, STATE, EMBEDDING, TARGET = Size(2, 11), Size(2, 11), Size(2, 7), Size(2, 5)


def solution(vector, W_s, outputs, cell):
    """Start from the vector, and read it again at every step."""
    state, states = torch.tanh(W_s @ vector), []
    for previous in outputs:
        state = cell(torch.cat([previous, vector]), state)
        states.append(state)
    return torch.stack(states)


def _inputs(draw: Draw) -> dict:
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(draw.integer(10_000))
        cell = nn.GRUCell(draw[EMBEDDING] + draw[VECTOR], draw[STATE]).requires_grad_(False)
    return {
        "vector": draw.normal(VECTOR, scale=1.0),
        "W_s": draw.normal(STATE, VECTOR),
        "outputs": draw.normal(TARGET, EMBEDDING, scale=1.0),
        "cell": cell,
    }


exercise = Exercise(
    "states(vector, W_s, outputs, cell)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Each later state is f([y_{i-1} ; c], s_{i-1}).",
            _inputs,
            "The same vector c at every step, with the output of that step before it: not y_0 "
            "again, and not the last state in place of c.",
        )
    ],
    slips={
        "Look at four things: does it start from tanh(W_s c), and not from zeros? Is tanh there? "
        "Does the cell read y_0 first and c after it? Is its second argument s_0?": [
            ("[previous, vector]", "[vector, previous]"),
            ("torch.tanh(W_s @ vector)", "torch.zeros(len(W_s))"),
            ("torch.tanh(W_s @ vector)", "W_s @ vector"),
        ],
        "The state must be carried: each step begins where the one before ended, not at s_0.": [
            ("vector]), state)", "vector]), torch.tanh(W_s @ vector))")
        ],
        "": [
            ("[previous, vector]", "[outputs[0], vector]"),
            ("previous, vector", "previous, vector * (not states)"),
        ],
    },
    gradients=_inputs,
    shape="Collect s_1 to s_m and stack them. s_0 is where the decoder begins, before it has "
    "written anything: it is not among them.",
)
check = exercise.check
