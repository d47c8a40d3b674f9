"""Right and wrong answers to `attn_course.classroom.exercises.models.write_from_one_vector`."""

import torch

from specimens.answers import named


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


def with_the_first_state(vector, W_s, outputs, cell):
    start = torch.tanh(W_s @ vector).unsqueeze(0)
    return torch.cat([start, by_index(vector, W_s, outputs, cell)])


def unroll(vector, state, outputs, cell, told=None, join=lambda y, c: torch.cat([y, c])):
    states = []
    for previous in outputs:
        state = cell(join(previous, vector if told is None else told), state)
        states.append(state)
    return torch.stack(states)


def vector_before_output(vector, W_s, outputs, cell):
    start = torch.tanh(W_s @ vector)
    return unroll(vector, start, outputs, cell, join=lambda y, c: torch.cat([c, y]))


def state_not_carried(vector, W_s, outputs, cell):
    start = torch.tanh(W_s @ vector)
    return torch.stack([cell(torch.cat([each, vector]), start) for each in outputs])


def vector_at_the_first_step_alone(vector, W_s, outputs, cell):
    state, states, told = torch.tanh(W_s @ vector), [], vector
    for previous in outputs:
        state = cell(torch.cat([previous, told]), state)
        states.append(state)
        told = torch.zeros_like(vector)
    return torch.stack(states)


def two_steps_and_no_more(vector, W_s, outputs, cell):
    first = cell(torch.cat([outputs[0], vector]), torch.tanh(W_s @ vector))
    second = cell(torch.cat([outputs[1], vector]), first)
    return torch.stack([first, second] + [second] * (len(outputs) - 2))


def back_to_the_start_from_the_third_step_on(vector, W_s, outputs, cell):
    start = state = torch.tanh(W_s @ vector)
    states = []
    for step, previous in enumerate(outputs):
        state = cell(torch.cat([previous, vector]), state if step < 2 else start)
        states.append(state)
    return torch.stack(states)


RIGHT = [by_index, as_a_table, recursive]
WRONG = {
    "one_state_a_step": named(
        with_the_first_state,
        only_the_last=lambda vector, W_s, outputs, cell: by_index(vector, W_s, outputs, cell)[-1],
    ),
    "first_state_is_right": named(
        vector_before_output,
        starts_from_zeros=lambda vector, W_s, *others: unroll(
            vector, torch.zeros(len(W_s)), *others
        ),
        forgets_the_tanh=lambda vector, W_s, *others: unroll(vector, W_s @ vector, *others),
        tells_the_vector_at_the_start_alone=lambda vector, W_s, *others: unroll(
            vector, torch.tanh(W_s @ vector), *others, told=torch.zeros(len(vector))
        ),
        one_output_late=lambda vector, W_s, outputs, cell: unroll(
            vector, torch.tanh(W_s @ vector), outputs.flip(0), cell
        ),
    ),
    "state_is_carried": [state_not_carried],
    "later_states_are_right": named(
        vector_at_the_first_step_alone,
        two_steps_and_no_more,
        back_to_the_start_from_the_third_step_on,
        the_same_output_again=lambda vector, W_s, outputs, cell: unroll(
            vector, torch.tanh(W_s @ vector), outputs[:1].expand(len(outputs), -1), cell
        ),
    ),
    "runs": named(
        joins_on_a_new_axis=lambda vector, W_s, *others: unroll(
            vector, torch.tanh(W_s @ vector), *others, join=lambda y, c: y + c
        )
    ),
}
