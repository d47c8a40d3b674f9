"""A decoder's steps taken one by one: with its own method, and with the equations as loops."""

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


def luong_by_hand(model, annotations, inputs, feeding=False):
    """A decoder that looks after each step, for one sentence, with the equations as loops.

    feeding  whether the attentional state is fed into the next step
    """
    rnn, W = model.rnn, model.score.key_projection.weight
    backward = annotations[0, annotations.shape[1] // 2 :]
    state = torch.tanh(model.start.weight @ backward + model.start.bias)
    size = len(state)
    attentional = torch.zeros(size)
    for symbol in inputs:
        given = model.embedding.weight[symbol]
        if feeding:
            given = torch.cat([given, attentional])
        inside = rnn.weight_ih_l0 @ given + rnn.bias_ih_l0
        back = rnn.weight_hh_l0 @ state + rnn.bias_hh_l0
        reset, update = torch.sigmoid(inside + back)[: 2 * size].split(size)
        new = torch.tanh(inside[2 * size :] + reset * back[2 * size :])
        state = (1 - update) * new + update * state
        powers = [(state @ W @ annotation).exp() for annotation in annotations]
        alpha = torch.stack([power / sum(powers) for power in powers])
        context = sum(a * h for a, h in zip(alpha, annotations, strict=True))
        both = torch.cat([context, state])
        attentional = torch.tanh(model.combine.weight @ both + model.combine.bias)
        yield model.readout.weight @ attentional + model.readout.bias, alpha
