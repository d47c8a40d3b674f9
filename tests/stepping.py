"""A decoder that takes all its steps at once, held against itself, one step after the other."""

import torch


def assert_step_by_step_is_all_at_once(model, memory, inputs):
    """Weights and logits agree at each step. Returns the states, one after each step."""
    logits, weights = model(memory, inputs)
    state, states = model.first_state(memory), []
    for i, symbol in enumerate(inputs.unbind(dim=1)):
        state, context, looked = model.step(state, model.embedding(symbol), memory)
        torch.testing.assert_close(looked, weights[:, i])
        torch.testing.assert_close(model.logits(state, context), logits[:, i])
        states.append(state)
    assert len(states) == inputs.shape[1] > 1
    return states
