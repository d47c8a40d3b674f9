"""The attending decoder, compared with the equations written as loops."""

import pytest
import torch

from attn_course import masks
from attn_course.alignment import SCORES
from attn_course.models import bahdanau
from attn_course.models import decoder as parts
from attn_course.models.bahdanau import BahdanauDecoder, make_score

SYMBOLS, EMBEDDING, STATE, ANNOTATION, HIDDEN, SOURCE, TARGET = 11, 3, 14, 14, 5, 7, 13


def decoder(score="additive"):
    return BahdanauDecoder(
        SYMBOLS, EMBEDDING, STATE, ANNOTATION, score, hidden_size=HIDDEN, max_source=SOURCE
    )


def by_hand(model, annotations, inputs):
    """The additive decoder for one sentence, with the equations as loops."""
    score, cell, size = model.score, model.cell, STATE
    state = torch.tanh(model.start.weight @ annotations[0, ANNOTATION // 2 :] + model.start.bias)
    logits, weights = [], []
    for symbol in inputs:
        scores = [
            score.energy.weight[0]
            @ torch.tanh(
                score.query_projection.weight @ state + score.key_projection.weight @ annotation
            )
            for annotation in annotations
        ]
        total = sum(one.exp() for one in scores)
        alpha = [one.exp() / total for one in scores]
        context = sum(a * h for a, h in zip(alpha, annotations, strict=True))
        given = torch.cat([model.embedding.weight[symbol], context])
        inside = cell.weight_ih @ given + cell.bias_ih
        back = cell.weight_hh @ state + cell.bias_hh
        reset = torch.sigmoid(inside[:size] + back[:size])
        update = torch.sigmoid(inside[size : 2 * size] + back[size : 2 * size])
        new = torch.tanh(inside[2 * size :] + reset * back[2 * size :])
        state = (1 - update) * new + update * state
        logits.append(model.readout.weight @ torch.cat([state, context]) + model.readout.bias)
        weights.append(torch.stack(alpha))
    return torch.stack(logits), torch.stack(weights)


def test_equals_the_equations_by_hand():
    model = decoder()
    annotations = torch.randn(1, SOURCE, ANNOTATION)
    inputs = torch.randint(SYMBOLS, (1, TARGET))
    logits, weights = model(model.read(annotations), inputs)
    expected_logits, expected_weights = by_hand(model, annotations[0], inputs[0])
    torch.testing.assert_close(logits[0], expected_logits)
    torch.testing.assert_close(weights[0], expected_weights)


@pytest.mark.parametrize("score", SCORES)
def test_any_score_fits_in(score):
    model = decoder(score)
    memory = model.read(torch.randn(2, SOURCE, ANNOTATION))
    logits, weights = model(memory, torch.randint(SYMBOLS, (2, TARGET)))
    assert logits.shape == (2, TARGET, SYMBOLS)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, TARGET))


@pytest.mark.parametrize("score", SCORES)
def test_padding_is_never_read(score):
    model = decoder(score)
    readable = masks.padding(torch.tensor([3, SOURCE]), SOURCE)
    inputs = torch.randint(SYMBOLS, (2, TARGET))
    annotations = torch.randn(2, SOURCE, ANNOTATION)
    logits, weights = model(model.read(annotations, readable), inputs)
    assert (weights[0, :, 3:] == 0).all()
    annotations[0, 3:] = 7.0
    torch.testing.assert_close(model(model.read(annotations, readable), inputs)[0], logits)


def test_the_first_context_already_reaches_the_first_state():
    # s_1 is computed with c_1: moving the annotations' forward half, which s_0 does not see,
    # must move the first logits by way of the state as well
    model = decoder()
    annotations = torch.randn(1, SOURCE, ANNOTATION)
    state = model.first_state(model.read(annotations))
    moved = annotations.clone()
    moved[:, :, : ANNOTATION // 2] += 1
    previous = torch.zeros(1, EMBEDDING)
    one = model.step(state, previous, model.read(annotations))
    other = model.step(state, previous, model.read(moved))
    assert not torch.allclose(one.state, other.state)


def test_the_score_asks_with_the_state_before_the_step():
    model = decoder()
    memory = model.read(torch.randn(1, SOURCE, ANNOTATION))
    state = torch.randn(1, STATE)
    one = model.step(state, torch.randn(1, EMBEDDING), memory)
    other = model.step(state, torch.randn(1, EMBEDDING), memory)
    torch.testing.assert_close(one.weights, other.weights)  # y_{i-1} comes after the look
    assert not torch.allclose(one.state, other.state)


def test_a_later_input_does_not_change_an_earlier_step():
    model = decoder()
    memory = model.read(torch.randn(1, SOURCE, ANNOTATION))
    inputs = torch.randint(SYMBOLS, (1, TARGET))
    before, _ = model(memory, inputs)
    inputs[0, 5] = (inputs[0, 5] + 1) % SYMBOLS
    after, _ = model(memory, inputs)
    torch.testing.assert_close(before[0, :5], after[0, :5])
    assert not torch.allclose(before[0, 5:], after[0, 5:])


def test_make_score_says_what_it_wants():
    with pytest.raises(ValueError, match=r"additive.*'adative'"):
        make_score("adative", 3, 5, 7, 11)
    with pytest.raises(ValueError, match="got 3 and 5"):
        make_score("dot", 3, 5, 7, 11)


def test_parts_of_the_first_edition_can_be_imported_from_here():
    for name in bahdanau.__all__:
        assert getattr(bahdanau, name) is getattr(parts, name, BahdanauDecoder)
