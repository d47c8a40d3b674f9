"""Every recurrent decoder, in every variant, beside one loop that writes their equations out."""

import math

import pytest
import torch
from decoders import assert_step_by_step_is_all_at_once
from torch import nn

from attn_course import masks
from attn_course.alignment import SCORES
from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.decoder import Sizes, make_score
from attn_course.models.fixed_context import FixedContextDecoder
from attn_course.models.input_feeding import InputFeedingDecoder
from attn_course.models.local import LocalDecoder
from attn_course.models.luong import LuongDecoder
from attn_course.models.translator import bahdanau, fixed_context

SYMBOLS, EMBEDDING, SIZE, SOURCE, TARGET = 11, 3, 14, 7, 10
LENGTHS = torch.tensor([SOURCE, 3, 1])
ASKS = ("after", "before")
TABLE = [
    *((BahdanauDecoder, {"score": score}) for score in SCORES),
    *((LuongDecoder, {"score": score, "asks_with": asks}) for score in SCORES for asks in ASKS),
    *((LocalDecoder, {"score": score}) for score in ("additive", "location")),
    *((kind, {"attention": attention, "asks_with": asks, "half_width": width})
      for kind in (LocalDecoder, InputFeedingDecoder)
      for attention, width in (("global", 2), ("local-m", 1), ("local-m", 3), ("local-p", 2))
      for asks in ASKS),
    *((kind, {"directions": 1}) for kind in (BahdanauDecoder, LuongDecoder, InputFeedingDecoder)),
    *((FixedContextDecoder, {"every_step": every_step}) for every_step in (True, False)),
]  # fmt: skip
every = pytest.mark.parametrize(
    ("kind", "options"), TABLE, ids=lambda v: v.__name__ if isinstance(v, type) else str(v)
)


@pytest.fixture(autouse=True)
def in_double_precision():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def built(kind, options, symbols=SYMBOLS, embedding=EMBEDDING, size=SIZE):
    torch.manual_seed(7)
    directions = options.get("directions", 2)
    sizes = Sizes(symbols, embedding, size, size, 5, SOURCE, directions)
    model = kind(sizes, **{name: v for name, v in options.items() if name != "directions"})
    for part in model.parameters():
        nn.init.normal_(part, std=0.5)
    if hasattr(model, "place"):
        nn.init.normal_(model.place.weight, std=2.0)  # so that the centres lie far apart
    return model


def batch():
    readable = masks.padding(LENGTHS, SOURCE)
    return torch.randn(3, SOURCE, SIZE), readable, torch.randint(SYMBOLS, (3, TARGET))


def window_of(model, query, number, length):
    """How much of its weight each position keeps: equations 7, 9 and 10 of Luong et al."""
    attention = getattr(model, "attention", "global")
    if attention == "global":
        return [1.0] * length
    centre = min(number, length - 1)
    if attention == "local-p":
        inner = model.place.weight @ torch.tanh(model.place_hidden.weight @ query)
        centre = length * torch.sigmoid(inner).item()
    sigma = model.half_width / 2
    bell = [math.exp(-((j - centre) ** 2) / (2 * sigma**2)) for j in range(length)]
    shares = bell if attention == "local-p" else [1.0] * length
    return [share * (abs(j - centre) <= model.half_width) for j, share in enumerate(shares)]


def gru(rnn, x, state):
    """One step of a GRU, gate by gate."""
    W, U, b, d = (
        getattr(rnn, name if isinstance(rnn, nn.GRUCell) else f"{name}_l0")
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    (r, z, n), (r_back, z_back, n_back) = (W @ x + b).split(SIZE), (U @ state + d).split(SIZE)
    z = torch.sigmoid(z + z_back)
    return (1 - z) * torch.tanh(n + torch.sigmoid(r + r_back) * n_back) + z * state


def by_hand(model, annotations, inputs):
    """Logits and weights of one sentence, a step and a position at a time."""
    length = len(annotations)
    last = annotations[-1] if model.directions == 1 else annotations[0, SIZE // 2 :]
    state, attentional = torch.tanh(model.start(last)), torch.zeros(SIZE)
    moves_first = hasattr(model, "rnn")
    for number, symbol in enumerate(inputs):
        x, before = model.embedding.weight[symbol], state
        if isinstance(model, InputFeedingDecoder):
            x = torch.cat([x, attentional])
        if moves_first:
            state = gru(model.rnn, x, state)
        query = state if moves_first and model.asks_with == "after" else before
        if isinstance(model, FixedContextDecoder):
            weights = [float(model.every_step and j == length - 1) for j in range(length)]
        else:
            powers = model.score(query[None, None], annotations[None])[0, 0].exp().tolist()
            shares = window_of(model, query, number, length)
            total = sum(power for power, share in zip(powers, shares, strict=True) if share)
            weights = [s * power / total for power, s in zip(powers, shares, strict=True)]
        context = sum(a * h for a, h in zip(weights, annotations, strict=True))
        if moves_first:
            attentional = torch.tanh(model.combine(torch.cat([context, state])))
            yield model.readout(attentional), torch.tensor(weights)
        else:
            state = gru(model.cell, torch.cat([x, context]), state)
            yield model.readout(torch.cat([state, context])), torch.tensor(weights)


@every
def test_a_padded_batch_gives_each_sentence_what_the_equations_give_it_alone(kind, options):
    model, (annotations, readable, inputs) = built(kind, options), batch()
    logits, weights = model(model.read(annotations, readable), inputs)
    for row, length in enumerate(LENGTHS.tolist()):
        assert not weights[row, :, length:].any()
        for i, (one, alpha) in enumerate(by_hand(model, annotations[row, :length], inputs[row])):
            torch.testing.assert_close(logits[row, i], one)
            torch.testing.assert_close(weights[row, i, :length], alpha)
    bare = model(model.read(annotations[:1]), inputs[:1])
    torch.testing.assert_close(bare, (logits[:1], weights[:1]))


@every
def test_steps_one_by_one_are_all_at_once_and_a_later_input_changes_nothing_before(kind, options):
    model, (annotations, readable, inputs) = built(kind, options), batch()
    memory = model.read(annotations, readable)
    logits, _ = model(memory, inputs)
    states = assert_step_by_step_is_all_at_once(model, memory, inputs)
    if kind is LocalDecoder:
        assert [state.number.tolist() for state in states] == [[i + 1] * 3 for i in range(TARGET)]
        assert model.first_state(memory).attentional is None
    inputs[:, 4] = (inputs[:, 4] + 1) % SYMBOLS
    after, _ = model(memory, inputs)
    torch.testing.assert_close(after[:, :4], logits[:, :4])
    assert not torch.allclose(after[:, 4:], logits[:, 4:])


@every
def test_gradients_are_right_also_those_of_the_centre(kind, options):
    model = built(kind, options, symbols=5, embedding=2, size=4)
    centre = (model.place.weight, model.place_hidden.weight) if hasattr(model, "place") else ()
    inputs = (torch.randn(1, 3, 4, requires_grad=True), *centre)
    assert torch.autograd.gradcheck(
        lambda h, *_: model(model.read(h), torch.tensor([[1, 4]])), inputs, fast_mode=True
    )


def test_what_nothing_is_said_of():
    sizes = Sizes(5, 2, 4, 4)
    assert (sizes.hidden_size, sizes.max_source, sizes.directions) == (64, 64, 2)
    assert LocalDecoder(sizes).attention == "local-p"
    assert InputFeedingDecoder(sizes).attention == "global"
    assert FixedContextDecoder(sizes).every_step
    assert fixed_context(5, 5).decoder.every_step
    assert {kind(sizes).half_width for kind in (LocalDecoder, InputFeedingDecoder)} == {2}


@pytest.mark.parametrize("far", [-1e4, 1e4])
def test_a_centre_at_either_edge_still_looks_at_something(far):
    model = built(LocalDecoder, {"half_width": 1})
    model.place_hidden.weight.data.fill_(1.0)
    model.place.weight.data.fill_(far)
    memory = model.read(torch.randn(1, SOURCE, SIZE))
    weights = model.look(torch.ones(1, 1, SIZE), memory, torch.zeros(1, 1).long())
    assert weights[0, 0].nonzero().flatten().tolist() == ([0, 1] if far < 0 else [SOURCE - 1])


def test_the_fixed_context_is_the_attending_model_to_the_last_parameter():
    like = {"embedding_size": 5, "encoder_size": SIZE, "state_size": SIZE, "directions": 1}
    torch.manual_seed(3)
    fixed = fixed_context(SYMBOLS, 13, embedding_size=5, state_size=SIZE)
    torch.manual_seed(3)
    attending = bahdanau(SYMBOLS, 13, "dot", **like)
    torch.testing.assert_close(fixed.state_dict(), attending.state_dict(), rtol=0, atol=0)
    assert FixedContextDecoder.step is BahdanauDecoder.step


REFUSED = {None: [
    (lambda: LuongDecoder(Sizes(5, 2, 4, 4), "generall"), r"score must be .* one of.*'generall'"),
    (lambda: LuongDecoder(Sizes(5, 2, 14, 6), "dot"), "got 14 and 6"),
    (lambda: BahdanauDecoder(Sizes(5, 2, 3, 4), SCORES["general"](5, 4)), "made for queries of 3"),
    (lambda: make_score("adative", 3, 5, 7, 11), "additive.*'adative'"),
    (lambda: make_score("dot", 3, 5, 7, 11), "got 3 and 5"),
    (lambda: (m := built(LuongDecoder, {"score": "location"})).read(torch.randn(1, 8, SIZE)) and
     m(m.read(torch.randn(1, SOURCE + 1, SIZE)), torch.tensor([[1, 2]])), "max_source=7"),
]}  # fmt: skip
