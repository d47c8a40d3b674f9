"""Luong's windows, compared with the equations written as loops."""

import math

import pytest
import torch
from stepping import assert_step_by_step_is_all_at_once

from attn_course import masks
from attn_course.alignment import SCORES
from attn_course.models.input_feeding import InputFeedingDecoder
from attn_course.models.local import ATTENTIONS, Carried, LocalDecoder
from attn_course.models.luong import LuongDecoder
from attn_course.models.translator import luong
from attn_course.search import beam, greedy

SYMBOLS, EMBEDDING, STATE, ANNOTATION, SOURCE, TARGET, WIDTH = 11, 3, 14, 14, 7, 13, 2
every_attention = pytest.mark.parametrize("attention", ATTENTIONS)
every_window = pytest.mark.parametrize("attention", ["local-m", "local-p"])
both_ways = pytest.mark.parametrize("asks_with", ["after", "before"])


def decoder(attention="local-p", kind=LocalDecoder, score="general", **options):
    sizes = (SYMBOLS, EMBEDDING, STATE, ANNOTATION, score)
    made = kind(*sizes, attention=attention, max_source=SOURCE, **options)
    if hasattr(made, "place"):  # so that the centres lie far apart
        torch.nn.init.normal_(made.place.weight, std=2.0)
    return made


def some(batch=2):
    return torch.randn(batch, SOURCE, ANNOTATION), torch.randint(SYMBOLS, (batch, TARGET))


@every_attention
@both_ways
@pytest.mark.parametrize("score", ["general", "additive", "location"])
def test_step_by_step_equals_all_at_once(attention, asks_with, score):
    model = decoder(attention, score=score, asks_with=asks_with)
    annotations, inputs = some()
    readable = masks.padding(torch.tensor([3, SOURCE]), SOURCE)
    memory = model.read(annotations, readable)
    states = assert_step_by_step_is_all_at_once(model, memory, inputs)
    assert [state.number.tolist() for state in states] == [[i + 1] * 2 for i in range(TARGET)]


@every_attention
@both_ways
def test_padding_has_no_weight_and_bad_inputs_are_named(attention, asks_with):
    model = decoder(attention, asks_with=asks_with)
    annotations, inputs = some()
    memory = model.read(annotations, masks.padding(torch.tensor([3, SOURCE]), SOURCE))
    weights = model(memory, inputs)[1]
    assert not weights[0, :, 3:].any()
    assert weights[1, :, 3:].any()
    with pytest.raises(ValueError, match=rf"inputs must .* got .*{SYMBOLS}"):
        model(memory, torch.full_like(inputs, SYMBOLS))
    with pytest.raises(ValueError, match=r"^inputs must "):
        model(memory, inputs[:1])


def centre_by_hand(model, state, number, length):
    if model.attention == "local-m":
        return min(number, length - 1)
    hidden = [math.tanh(sum(w * s for w, s in zip(row, state, strict=True))) for row in
              model.place_hidden.weight.tolist()]  # fmt: skip
    inner = sum(v * h for v, h in zip(model.place.weight[0].tolist(), hidden, strict=True))
    return length / (1 + math.exp(-inner))  # equation 9


def weights_by_hand(model, state, number, annotations, width):
    """One row, position by position, in plain numbers: equations 7 and 10."""
    centre = centre_by_hand(model, state.tolist(), number, len(annotations))
    scores = [(state @ model.score.key_projection(h)).item() for h in annotations]
    inside = [j for j in range(len(annotations)) if abs(j - centre) <= width]
    total = sum(math.exp(scores[j]) for j in inside)
    row = [math.exp(e) / total if j in inside else 0.0 for j, e in enumerate(scores)]
    if model.attention == "local-p":
        sigma = width / 2
        row = [a * math.exp(-((j - centre) ** 2) / (2 * sigma**2)) for j, a in enumerate(row)]
    return row


@every_window
@pytest.mark.parametrize("width", [1, 2, 3])
def test_equals_the_equations_by_hand(attention, width):
    model = decoder(attention, half_width=width)
    annotations, inputs = some(batch=3)
    lengths = torch.tensor([SOURCE, 5, 1])
    memory = model.read(annotations, masks.padding(lengths, SOURCE))
    logits, weights = model(memory, inputs)
    states = model.move(model.first_state(memory).state, model.embedding(inputs))
    for b, length in enumerate(lengths.tolist()):
        for i in range(TARGET):
            given = (model, states[b, i], i, annotations[b, :length], width)
            expected = torch.tensor(weights_by_hand(*given))
            torch.testing.assert_close(weights[b, i, :length], expected)
            assert (weights[b, i, length:] == 0).all()
            context = expected @ annotations[b, :length]
            both = torch.cat([context, states[b, i]])
            readout = model.readout(torch.tanh(model.combine.weight @ both + model.combine.bias))
            torch.testing.assert_close(logits[b, i], readout)


@both_ways
def test_looking_everywhere_is_the_decoder_without_a_window(asks_with):
    model, plain = decoder("global", asks_with=asks_with), None
    plain = LuongDecoder(SYMBOLS, EMBEDDING, STATE, ANNOTATION, asks_with=asks_with)
    plain.load_state_dict(model.state_dict())
    annotations, inputs = some()
    for one, other in zip(
        model(model.read(annotations), inputs), plain(plain.read(annotations), inputs), strict=True
    ):
        torch.testing.assert_close(one, other)


def test_a_wide_window_reads_everywhere():
    model, everywhere = decoder("local-m", half_width=SOURCE), decoder("global")
    everywhere.load_state_dict(model.state_dict())
    annotations, inputs = some()
    torch.testing.assert_close(
        model(model.read(annotations), inputs)[1],
        everywhere(everywhere.read(annotations), inputs)[1],
    )


def test_local_m_follows_the_source_and_stays_at_its_end():
    model = decoder("local-m", half_width=1)
    annotations, inputs = some(batch=1)
    memory = model.read(annotations, masks.padding(torch.tensor([5]), SOURCE))
    read = model(memory, inputs)[1][0] > 0
    for i, row in enumerate(read):
        centre = min(i, 4)
        assert row.nonzero().flatten().tolist() == [
            j for j in (centre - 1, centre, centre + 1) if 0 <= j < 5
        ]


def test_only_local_p_s_weights_leave_some_of_their_sum():
    annotations, inputs = some()
    for attention in ATTENTIONS:
        model = decoder(attention)
        sums = model(model.read(annotations), inputs)[1].sum(dim=-1)
        if attention == "local-p":
            assert ((sums > 0) & (sums < 1)).all()
        else:
            torch.testing.assert_close(sums, torch.ones_like(sums))


def test_the_centre_learns_through_the_bell():
    model = decoder()
    annotations, inputs = some(batch=1)
    model(model.read(annotations), inputs)[1][0, 3].max().backward()
    for part in (model.place.weight, model.place_hidden.weight):
        assert part.grad.abs().sum() > 0


@pytest.mark.parametrize("far", [-1e4, 1e4])
def test_a_centre_at_either_edge_still_reads_something(far):
    model = decoder(half_width=1)
    model.place_hidden.weight.data.fill_(1.0)
    model.place.weight.data.fill_(far)
    memory = model.read(torch.randn(1, SOURCE, ANNOTATION))
    numbers = torch.zeros(1, 1).long()
    weights = model.look(torch.ones(1, 1, STATE), memory, numbers)
    assert weights[0, 0].nonzero().flatten().tolist() == ([0, 1] if far < 0 else [SOURCE - 1])


@every_attention
@pytest.mark.parametrize("kind", [LocalDecoder, InputFeedingDecoder])
def test_the_gradient_is_right_in_double_precision(attention, kind):
    model = kind(5, 2, 4, 4, attention=attention, half_width=1).double()
    annotations = torch.randn(1, 3, 4, dtype=torch.float64, requires_grad=True)
    inputs = torch.tensor([[1, 4]])
    assert torch.autograd.gradcheck(lambda h: model(model.read(h), inputs), annotations)


@every_attention
@pytest.mark.parametrize("input_feeding", [False, True])
def test_search_takes_it_as_it_takes_any(attention, input_feeding):
    model = luong(
        *(SYMBOLS, SYMBOLS), embedding_size=3, encoder_size=7, state_size=STATE,
        attention=attention, input_feeding=input_feeding,
    )  # fmt: skip
    sources, lengths = torch.randint(4, SYMBOLS, (2, SOURCE)), torch.tensor([SOURCE, 5])
    model.decoder.readout.bias.data[:2] = -100.0
    symbols, weights, _ = greedy(model, sources, lengths, longest=5)
    assert weights.shape == (*symbols.shape, SOURCE)
    found = beam(model, sources, lengths, beams=1, longest=5)
    for row, [best] in enumerate(found):
        assert best.symbols == [s for s in symbols[row].tolist() if s > 2]
    assert len(beam(model, sources, lengths, 3, 5)[0]) <= 3


def test_the_model_is_built_as_asked():
    kinds = {
        (): LuongDecoder,
        (("attention", "local-m"),): LocalDecoder,
        (("input_feeding", True),): InputFeedingDecoder,
        (("attention", "local-p"), ("input_feeding", True), ("half_width", 3)): InputFeedingDecoder,
    }
    for options, kind in kinds.items():
        made = luong(SYMBOLS, SYMBOLS, **dict(options)).decoder
        assert type(made) is kind
        for name, value in options:
            assert name == "input_feeding" or getattr(made, name) == value
    assert LocalDecoder(5, 2, 4, 4).attention == "local-p"
    assert LocalDecoder(5, 2, 4, 4).half_width == InputFeedingDecoder(5, 2, 4, 4).half_width == 2
    assert InputFeedingDecoder(5, 2, 4, 4).attention == "global"
    assert luong(SYMBOLS, SYMBOLS, directions=1).encoder.annotation_size == 48
    assert set(SCORES) >= {"dot", "general", "concat", "location"}  # those of the paper


def test_what_is_carried_says_so():
    assert Carried._fields == ("state", "number", "attentional")
    memory = (model := decoder()).read(some()[0])
    assert model.first_state(memory).attentional is None
