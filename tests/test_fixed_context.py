"""The decoder before attention, compared with its equations and with the attending decoder."""

import pytest
import torch
from torch import nn

from attn_course import masks
from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.encoder import Encoder
from attn_course.models.fixed_context import FixedContextDecoder
from attn_course.models.translator import bahdanau, fixed_context
from attn_course.search import answer
from attn_course.tasks.vocabulary import Vocabulary

SYMBOLS, EMBEDDING, STATE, VECTOR, SOURCE, TARGET = 11, 3, 13, 17, 7, 5
LETTERS = Vocabulary("abcdefg")
LIKE_FIXED = {"embedding_size": 5, "encoder_size": STATE, "state_size": STATE, "directions": 1}


def decoder(every_step=True):
    return FixedContextDecoder(SYMBOLS, EMBEDDING, STATE, VECTOR, every_step)


def by_hand(model, vector, inputs):
    """One target from one vector, with only a GRU cell of torch."""
    told = torch.zeros(VECTOR) if not model.every_step else vector
    state = torch.tanh(model.start.weight @ vector + model.start.bias)
    cell = nn.GRUCell(EMBEDDING + VECTOR, STATE)
    cell.load_state_dict(model.cell.state_dict())
    logits = []
    for symbol in inputs:
        state = cell(torch.cat([model.embedding.weight[symbol], told]), state)
        logits.append(model.readout.weight @ torch.cat([state, told]) + model.readout.bias)
    return torch.stack(logits)


@pytest.mark.parametrize("every_step", [True, False])
def test_equals_the_equations_by_hand(every_step):
    model = decoder(every_step)
    annotations = torch.randn(1, SOURCE, VECTOR)
    inputs = torch.randint(SYMBOLS, (1, TARGET))
    logits, _ = model(model.read(annotations), inputs)
    torch.testing.assert_close(logits[0], by_hand(model, annotations[0, -1], inputs[0]))


@pytest.mark.parametrize("every_step", [True, False])
def test_only_the_last_readable_state_matters(every_step):
    model = decoder(every_step)
    lengths = torch.tensor([4, SOURCE, 1])
    readable = masks.padding(lengths, SOURCE)
    annotations = torch.randn(3, SOURCE, VECTOR)
    inputs = torch.randint(SYMBOLS, (3, TARGET))
    before, _ = model(model.read(annotations, readable), inputs)
    last = torch.nn.functional.one_hot(lengths - 1, SOURCE).bool()
    annotations[~last] += 5.0
    after, _ = model(model.read(annotations, readable), inputs)
    torch.testing.assert_close(before, after)
    annotations[last] += 5.0
    assert not torch.allclose(model(model.read(annotations, readable), inputs)[0], before)


def test_its_weights_say_where_its_context_is_from():
    model = decoder()
    lengths = torch.tensor([2, SOURCE])
    memory = model.read(torch.randn(2, SOURCE, VECTOR), masks.padding(lengths, SOURCE))
    step = model.step(torch.randn(2, STATE), torch.randn(2, EMBEDDING), memory)
    assert step.weights.argmax(dim=-1).tolist() == [1, SOURCE - 1]
    torch.testing.assert_close(step.weights.sum(dim=-1), torch.ones(2))
    expected = torch.einsum("bs,bsa->ba", step.weights, memory.annotations)
    torch.testing.assert_close(step.context, expected)


def test_without_every_step_it_looks_nowhere():
    model = decoder(every_step=False)
    memory = model.read(torch.randn(2, SOURCE, VECTOR))
    step = model.step(torch.randn(2, STATE), torch.randn(2, EMBEDDING), memory)
    assert (step.weights == 0).all()
    assert (step.context == 0).all()


def test_the_attending_model_is_the_same_to_the_last_parameter():
    models = []
    for build in (
        lambda: fixed_context(SYMBOLS, 13, embedding_size=5, state_size=STATE),
        lambda: bahdanau(SYMBOLS, 13, "dot", **LIKE_FIXED),
    ):
        torch.manual_seed(3)
        models.append(build())
    fixed, attending = (model.state_dict() for model in models)
    assert fixed.keys() == attending.keys()
    assert all(torch.equal(fixed[name], attending[name]) for name in fixed)
    assert FixedContextDecoder.step is BahdanauDecoder.step


def test_both_start_from_the_last_state():
    fixed = fixed_context(SYMBOLS, 13, embedding_size=5, state_size=STATE)
    attending = bahdanau(SYMBOLS, 13, "dot", **LIKE_FIXED)
    attending.load_state_dict(fixed.state_dict())
    sources, lengths = torch.randint(4, SYMBOLS, (3, SOURCE)), torch.tensor([2, SOURCE, 5])
    states = [m.decoder.first_state(m.read(sources, lengths)) for m in (fixed, attending)]
    torch.testing.assert_close(*states)
    last = fixed.encoder(sources, lengths)[range(3), lengths - 1]
    torch.testing.assert_close(states[0], torch.tanh(fixed.decoder.start(last)))


@pytest.mark.parametrize("every_step", [True, False])
def test_one_source_alone_is_as_in_a_batch(every_step):
    model = fixed_context(
        len(LETTERS), len(LETTERS), embedding_size=5, state_size=STATE, every_step=every_step
    ).eval()
    for part in model.parameters():
        nn.init.normal_(part, std=0.7)
    texts = ["abc", "g", "gfedcba", "bb"]
    together = answer(model, texts, LETTERS, LETTERS, longest=9)
    for text, given in zip(texts, together, strict=True):
        [alone] = answer(model, [text], LETTERS, LETTERS, longest=9)
        assert alone.text == given.text
        assert given.weights.shape == (len(given.text), len(text))


def test_an_encoder_of_one_direction_knows_nothing_of_what_comes():
    encoder = Encoder(SYMBOLS, EMBEDDING, VECTOR, directions=1)
    assert encoder.annotation_size == VECTOR
    sources, lengths = torch.randint(4, SYMBOLS, (1, SOURCE)), torch.tensor([SOURCE])
    before = encoder(sources, lengths)
    sources[0, 4] = 4 + (sources[0, 4] - 3) % (SYMBOLS - 4)
    after = encoder(sources, lengths)
    torch.testing.assert_close(before[:, :4], after[:, :4])
    assert not torch.allclose(before[:, 4:], after[:, 4:])
