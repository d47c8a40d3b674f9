"""Right and wrong answers to `attn_class.exercises.models.write_from_one_vector`."""

from functools import partial

import torch

from attn_class.exercises.models.write_from_one_vector import solution
from specimens.answers import changed, named


def by_index(vector, W_s, outputs, cell):
    states = [torch.tanh(W_s @ vector)]
    for i in range(len(outputs)):
        states.append(cell(torch.cat((outputs[i], vector)), states[i]))
    return torch.stack(states[1:])


def as_a_table(vector, W_s, outputs, cell):
    state = (vector @ W_s.T).tanh()
    inputs = torch.cat([outputs, vector.expand(len(outputs), -1)], dim=1)
    table = torch.empty(len(outputs), len(state))
    for i, given in enumerate(inputs):
        table[i] = state = cell(given, state)
    return table


def recursive(vector, W_s, outputs, cell):
    if not len(outputs):
        return torch.empty(0, len(W_s))
    before = recursive(vector, W_s, outputs[:-1], cell)
    last = before[-1] if len(before) else torch.tanh(W_s @ vector)
    now = cell(torch.cat([outputs[-1], vector]), last)
    return torch.cat([before, now.unsqueeze(0)])


but = partial(changed, solution)
RIGHT = [by_index, as_a_table, recursive]
WRONG = {
    "one_state_a_step": named(
        with_the_first_state=but("(states)", "([torch.tanh(W_s @ vector), *states])"),
        only_the_last=but("torch.stack(states)", "states[-1]"),
    ),
    "first_state_is_right": named(
        vector_before_output=but("[previous, vector]", "[vector, previous]"),
        starts_from_zeros=but("torch.tanh(W_s @ vector)", "torch.zeros(len(W_s))"),
        forgets_the_tanh=but("torch.tanh(W_s @ vector)", "W_s @ vector"),
        tells_the_vector_at_the_start_alone=but("[previous, vector]", "[previous, 0 * vector]"),
        one_output_late=but("in outputs", "in outputs.flip(0)"),
    ),
    "state_is_carried": named(
        state_not_carried=but("vector]), state)", "vector]), torch.tanh(W_s @ vector))")
    ),
    "later_states_are_right": named(
        vector_at_the_first_step_alone=but("previous, vector", "previous, vector * (not states)"),
        two_steps_and_no_more=but("(state)", "(state if len(states) < 2 else states[1])"),
        back_to_the_start_from_the_third_step_on=but(
            "vector]), state)", "vector]), state if len(states) < 2 else torch.tanh(W_s @ vector))"
        ),
        the_same_output_again=but("[previous, vector]", "[outputs[0], vector]"),
    ),
    "runs": named(joins_on_a_new_axis=but("torch.cat([previous, vector])", "previous + vector")),
}
