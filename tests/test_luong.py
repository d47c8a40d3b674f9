"""Luong's decoder: all steps at once, compared with single steps and with loops."""

import pytest
import torch
from stepping import assert_step_by_step_is_all_at_once, luong_by_hand
from torch.nn import functional as F

from attn_course import masks
from attn_course.alignment import SCORES
from attn_course.models.luong import LuongDecoder
from attn_course.models.translator import bahdanau, luong
from attn_course.search import greedy
from attn_course.tasks.corpus import Batch
from attn_course.training import teacher_forced_loss

SYMBOLS, EMBEDDING, STATE, ANNOTATION, HIDDEN, SOURCE, TARGET = 11, 3, 14, 14, 5, 7, 13
every_score = pytest.mark.parametrize("score", SCORES)
both_ways = pytest.mark.parametrize("asks_with", ["after", "before"])


def decoder(score="general", **options):
    sizes = (SYMBOLS, EMBEDDING, STATE, ANNOTATION, score)
    return LuongDecoder(*sizes, hidden_size=HIDDEN, max_source=SOURCE, **options)


def some(batch=2):
    return torch.randn(batch, SOURCE, ANNOTATION), torch.randint(SYMBOLS, (batch, TARGET))


@every_score
@both_ways
def test_step_by_step_equals_all_at_once(score, asks_with):
    model = decoder(score, asks_with=asks_with)
    annotations, inputs = some()
    readable = masks.padding(torch.tensor([3, SOURCE]), SOURCE)
    memory = model.read(annotations, readable)
    assert_step_by_step_is_all_at_once(model, memory, inputs)


def test_equals_the_equations_by_hand():
    model = decoder()
    annotations, inputs = some(batch=1)
    logits, weights = model(model.read(annotations), inputs)
    expected = luong_by_hand(model, annotations[0], inputs[0])
    for i, (row, alpha) in enumerate(expected):
        torch.testing.assert_close(logits[0, i], row)
        torch.testing.assert_close(weights[0, i], alpha)


def test_with_the_scaled_dot_product_it_is_torch_s_own_attention():
    model = decoder("scaled_dot")
    annotations, inputs = some(batch=3)
    readable = masks.padding(torch.tensor([3, SOURCE, 1]), SOURCE)
    memory = model.read(annotations, readable)
    states = model.move(model.first_state(memory), model.embedding(inputs))
    contexts = F.scaled_dot_product_attention(states, annotations, annotations, readable)
    torch.testing.assert_close(model(memory, inputs)[0], model.logits(states, contexts))


@every_score
def test_padding_is_never_read(score):
    model = decoder(score)
    annotations, inputs = some()
    readable = masks.padding(torch.tensor([3, SOURCE]), SOURCE)
    logits, weights = model(model.read(annotations, readable), inputs)
    assert (weights[0, :, 3:] == 0).all()
    annotations[0, 3:] = 7.0
    torch.testing.assert_close(model(model.read(annotations, readable), inputs)[0], logits)


def test_it_asks_with_the_state_after_the_step_or_before_it():
    annotations, _ = some(batch=1)
    state, one, other = torch.randn(1, STATE), torch.randn(1, EMBEDDING), torch.randn(1, EMBEDDING)
    for asks_with, same in [("after", False), ("before", True)]:
        model = decoder(asks_with=asks_with)
        memory = model.read(annotations)
        first, second = (model.step(state, previous, memory) for previous in (one, other))
        assert torch.allclose(first.weights, second.weights) == same  # y_{i-1} is in s_i alone
        assert not torch.allclose(first.state, second.state)


def test_no_state_knows_where_the_decoder_has_looked():
    model = decoder()
    annotations, inputs = some(batch=1)
    first = torch.randn(1, STATE)
    states = model.move(first, model.embedding(inputs))
    memory = model.read(annotations)
    state, previous = states[:, 4], torch.randn(1, EMBEDDING)
    moved = model.read(annotations + 1)
    one, other = model.step(state, previous, memory), model.step(state, previous, moved)
    torch.testing.assert_close(one.state, other.state)
    assert not torch.allclose(one.context, other.context)


@both_ways
def test_a_later_input_does_not_change_an_earlier_step(asks_with):
    model = decoder(asks_with=asks_with)
    annotations, inputs = some()
    before, _ = model(model.read(annotations), inputs)
    inputs[0, 5] = (inputs[0, 5] + 1) % SYMBOLS
    after, _ = model(model.read(annotations), inputs)
    torch.testing.assert_close(before[0, :5], after[0, :5])
    assert not torch.allclose(before[0, 5:], after[0, 5:])


@every_score
def test_the_gradient_is_right_in_double_precision(score):
    model = LuongDecoder(5, 2, 4, 4, score, hidden_size=3, max_source=3).double()
    annotations = torch.randn(1, 3, 4, dtype=torch.float64, requires_grad=True)
    inputs = torch.tensor([[1, 4]])
    assert torch.autograd.gradcheck(lambda h: model(model.read(h), inputs), annotations)


def test_search_and_training_take_it_as_they_take_bahdanau_s():
    for build in (luong, bahdanau):
        model = build(SYMBOLS, SYMBOLS, embedding_size=3, encoder_size=7, state_size=STATE)
        sources, lengths = torch.randint(4, SYMBOLS, (2, SOURCE)), torch.tensor([SOURCE, 5])
        symbols, weights, _ = greedy(model, sources, lengths, longest=5)
        assert weights.shape == (*symbols.shape, SOURCE)
        batch = Batch(sources, lengths, symbols)
        assert teacher_forced_loss(model, batch).isfinite()


def test_bad_choices_are_named():
    with pytest.raises(ValueError, match=r"score must be .* one of.*'generall'"):
        decoder("generall")
    with pytest.raises(ValueError, match="got 14 and 6"):
        LuongDecoder(5, 2, 14, 6, "dot")
    model = decoder("location")
    with pytest.raises(ValueError, match="max_source=7"):
        model(model.read(torch.randn(1, SOURCE + 1, ANNOTATION)), torch.tensor([[1, 2]]))
