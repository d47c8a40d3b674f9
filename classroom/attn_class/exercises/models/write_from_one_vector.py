"""Exercise: all the states of a decoder that is given one vector.

    s_0 = tanh(W_s c)
    s_i = f([y_{i-1} ; c], s_{i-1})                 Cho et al. 2014, section 2.2

vector (vector), W_s (state vector), outputs (target embedding) are y_0 .. y_{m-1}
cell(input, state) -> (state)      f, a GRU cell
    ->   states (target state), s_1 .. s_m
"""

import torch
from torch import nn

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

VECTOR, STATE, EMBEDDING, TARGET = Size(2, 11), Size(2, 11), Size(2, 7), Size(2, 5)
exercise = Exercise("states(vector, W_s, outputs, cell)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(vector, W_s, outputs, cell):
    """Start from the vector, and read it again at every step."""
    state, states = torch.tanh(W_s @ vector), []
    for previous in outputs:
        state = cell(torch.cat([previous, vector]), state)
        states.append(state)
    return torch.stack(states)


@exercise.must_also(
    "There is one state for each output given: the shape is (target, state).",
    hint="Collect s_1 to s_m and stack them. s_0 is where the decoder begins, before it has "
    "written anything: it is not among them.",
)
def one_state_a_step(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[TARGET], draw[STATE])


@exercise.must(
    "The first state is f([y_0 ; c], s_0) with s_0 = tanh(W_s c).",
    hint="Look at four things: does it start from tanh(W_s c), and not from zeros? Is tanh there? "
    "Does the cell read y_0 first and c after it? Is its second argument s_0?",
)
def first_state_is_right(answer: Answer, draw: Draw, inputs: dict) -> bool:
    start = torch.tanh(inputs["W_s"] @ inputs["vector"])
    together = torch.cat([inputs["outputs"][0], inputs["vector"]])
    return same(answer(**inputs)[0], inputs["cell"](together, start))


@exercise.must_also(
    "Another first output changes the second state too.",
    hint="The state must be carried: each step begins where the one before ended, not at s_0.",
)
def state_is_carried(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before = answer(**inputs)
    outputs = inputs["outputs"].clone()
    outputs[0] = draw.normal(EMBEDDING)
    return not same(before[1], answer(**inputs | {"outputs": outputs})[1])


@exercise.must(
    "Each later state is f([y_{i-1} ; c], s_{i-1}).",
    hint="The same vector c at every step, with the output of that step before it: not y_0 again, "
    "and not the last state in place of c.",
)
def later_states_are_right(answer: Answer, draw: Draw, inputs: dict) -> bool:
    states = answer(**inputs).float()
    told = inputs["vector"].expand(draw[TARGET] - 1, -1)
    together = torch.cat([inputs["outputs"][1:], told], dim=-1)
    return same(states[1:], inputs["cell"](together, states[:-1]))


@exercise.draws
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


exercise.must_pass_gradients(solution, _inputs)
