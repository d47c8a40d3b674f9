"""Input feeding, compared with a loop, and what a state can then depend on."""

import pytest
import torch
from stepping import assert_step_by_step_is_all_at_once, luong_by_hand

from attn_course import masks
from attn_course.models.input_feeding import InputFeedingDecoder
from attn_course.models.local import ATTENTIONS

SYMBOLS, EMBEDDING, STATE, ANNOTATION, SOURCE, TARGET = 11, 3, 14, 10, 7, 5
every_attention = pytest.mark.parametrize("attention", ATTENTIONS)
both_ways = pytest.mark.parametrize("asks_with", ["after", "before"])


def decoder(**options):
    return InputFeedingDecoder(SYMBOLS, EMBEDDING, STATE, ANNOTATION, **options)


def some(batch=2):
    return torch.randn(batch, SOURCE, ANNOTATION), torch.randint(SYMBOLS, (batch, TARGET))


@every_attention
@both_ways
def test_step_by_step_equals_all_at_once(attention, asks_with):
    model = decoder(attention=attention, asks_with=asks_with)
    annotations, inputs = some()
    memory = model.read(annotations, masks.padding(torch.tensor([3, SOURCE]), SOURCE))
    assert_step_by_step_is_all_at_once(model, memory, inputs)


def test_options_reach_the_decoder_that_looks():
    """A memory of one direction, and a window of three positions on each side."""
    model = decoder(attention="local-m", half_width=3, directions=1)
    annotations, inputs = some()
    _, weights = model(model.read(annotations), inputs)
    assert [row.nonzero().flatten().tolist() for row in weights[0, :3]] == [
        list(range(i + 4)) for i in range(3)
    ]
    assert model.start.in_features == ANNOTATION  # of two directions, half


def test_equals_the_equations_by_hand():
    model = decoder()
    annotations, inputs = some(batch=1)
    logits, weights = model(model.read(annotations), inputs)
    for i, (row, alpha) in enumerate(luong_by_hand(model, annotations[0], inputs[0], feeding=True)):
        torch.testing.assert_close(logits[0, i], row)
        torch.testing.assert_close(weights[0, i], alpha)


def test_a_state_knows_where_the_decoder_has_looked():
    model = decoder()
    annotations, inputs = some(batch=1)
    one, other = model.read(annotations), model.read(annotations + 1)
    first = model.first_state(one)
    states = []
    for memory in (one, other):
        carried = first
        for symbol in inputs.unbind(dim=1)[:2]:
            carried, _, _ = model.step(carried, model.embedding(symbol), memory)
            states.append(carried.state)
    torch.testing.assert_close(states[0], states[2])  # the first has seen nothing yet
    assert not torch.allclose(states[1], states[3])


@every_attention
def test_a_later_input_does_not_change_an_earlier_step(attention):
    model = decoder(attention=attention)
    annotations, inputs = some()
    before, _ = model(model.read(annotations), inputs)
    inputs[0, 3] = (inputs[0, 3] + 1) % SYMBOLS
    after, _ = model(model.read(annotations), inputs)
    torch.testing.assert_close(before[0, :3], after[0, :3])
    assert not torch.allclose(before[0, 3:], after[0, 3:])
