"""Interventions change what they name, and nothing else."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from attn_course.interventions import (
    divergence,
    exchanged,
    hidden,
    permuted,
    replaced,
    reweighted,
    symbol_probabilities,
    written,
)
from attn_course.models.translator import bahdanau, luong
from attn_course.search import greedy

BATCH, TARGET, SOURCE = 3, 5, 7
SYMBOLS = 11
MODELS = {
    "bahdanau": lambda: bahdanau(SYMBOLS, SYMBOLS, encoder_size=5, state_size=7),
    "luong": lambda: luong(SYMBOLS, SYMBOLS, encoder_size=5, state_size=7),
    "local-m": lambda: luong(
        SYMBOLS, SYMBOLS, encoder_size=5, state_size=7, attention="local-m", half_width=4
    ),
}


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]().double().eval()


@pytest.fixture
def inputs():
    """Sources, their lengths, and targets."""
    sources = torch.randint(4, SYMBOLS, (BATCH, SOURCE))
    return sources, torch.full((BATCH,), SOURCE), torch.randint(4, SYMBOLS, (BATCH, TARGET))


def some_weights(*shape):
    return torch.randn(*shape, dtype=torch.float64).softmax(dim=-1)


# ---- other methods, for a while


def test_a_method_is_replaced_for_the_time_of_the_block_even_if_it_fails(model):
    decoder = model.decoder
    with pytest.raises(ZeroDivisionError), replaced(decoder, look=lambda *_: 1 / 0):
        decoder.look(None, None)
    assert "look" not in vars(decoder)


def test_replacements_nest(model):
    decoder = model.decoder
    with replaced(decoder, look=lambda: 1):
        with replaced(decoder, look=lambda: 2):
            assert decoder.look() == 2
        assert decoder.look() == 1


def test_only_methods_that_exist_are_replaced(model):
    with pytest.raises(ValueError, match="no method 'loook'"), replaced(model.decoder, loook=len):
        pass
    with pytest.raises(TypeError, match="look must be a function"), replaced(model.decoder, look=1):
        pass
    assert "look" not in vars(model.decoder)


# ---- other weights


def test_unchanged_weights_change_nothing(model, inputs):
    before = model(*inputs)
    with reweighted(model.decoder, lambda weights, first: weights):
        assert all(map(torch.equal, before, model(*inputs)))


def test_weights_are_changed_before_anything_is_averaged(model, inputs):
    changed, memory = some_weights(BATCH, TARGET, SOURCE), model.read(*inputs[:2])
    steps = torch.randn(2, BATCH, 16, dtype=torch.float64)

    def change(weights, first):
        return changed[:, first : first + weights.shape[1]]

    with reweighted(model.decoder, change):
        assert torch.equal(model(*inputs)[1], changed)
    with reweighted(model.decoder, change):
        state = model.decoder.first_state(memory)
        for step, previous in enumerate(steps):
            state, context, _ = model.decoder.step(state, previous, memory)
            expected = (changed[:, step, :, None] * memory.annotations).sum(dim=1)
            torch.testing.assert_close(context, expected)


def test_weights_of_another_shape_are_refused(model, inputs):
    fewer = reweighted(model.decoder, lambda weights, first: weights[..., 1:])
    with fewer, pytest.raises(ValueError, match="must return weights"):
        model(*inputs)


def test_an_order_is_drawn_where_the_generator_is():
    weights, generator = some_weights(BATCH, TARGET, SOURCE), torch.Generator()
    with torch.device("meta"):  # what is made without saying where would be there, without a value
        mixed = permuted(weights, generator)
    torch.testing.assert_close(mixed.sort(dim=-1).values, weights.sort(dim=-1).values)


def test_what_is_hidden_has_no_weight_and_the_rest_keeps_its_proportions():
    weights = some_weights(BATCH, TARGET, SOURCE)
    places = torch.rand(weights.shape) < 0.4
    places[..., 0], places[1, 2] = False, True  # of one row, all
    left = weights.masked_fill(places, 0)
    expected = left / left.sum(dim=-1, keepdim=True)
    torch.testing.assert_close(hidden(weights, places), expected.nan_to_num())


def test_a_permuted_row_has_the_same_weights_elsewhere():
    weights = some_weights(BATCH, TARGET, 53)
    result = permuted(weights, torch.Generator().manual_seed(2))
    torch.testing.assert_close(result.sort(dim=-1).values, weights.sort(dim=-1).values)
    same_place = (result.argmax(dim=-1) == weights.argmax(dim=-1)).float().mean()
    assert same_place < 0.5
    orders = result.argsort(dim=-1)[0].argsort(dim=-1)
    assert not torch.equal(orders[0], orders[1]), "each row is permuted by itself"


# ---- other annotations


def test_exchanged_places_come_from_the_other_source_and_the_rest_stays(model, inputs):
    sources, lengths, _ = inputs
    one, other = (model.read(symbols, lengths) for symbols in (sources, sources.flip(1)))
    places = torch.rand(BATCH, SOURCE) < 0.5
    mixed = exchanged(one, other, places)
    for part in ("annotations", "keys"):
        new, here, there = (getattr(memory, part) for memory in (mixed, one, other))
        assert torch.equal(new, torch.where(places[..., None], there, here))
    assert mixed.readable is one.readable


def test_with_every_place_exchanged_the_other_source_is_read(model, inputs):
    sources, lengths, _ = inputs
    one, other = model.read(sources.flip(1), lengths), model.read(sources, lengths)
    mixed = exchanged(one, other, torch.ones(BATCH, SOURCE, dtype=torch.bool))
    answer = greedy(model, sources, lengths, TARGET)[0]
    assert torch.equal(written(model.decoder, mixed, None, TARGET), answer)


def test_the_first_state_is_the_one_that_is_passed(model, inputs):
    sources, lengths, _ = inputs
    memory, states = model.read(sources, lengths), []
    state = model.decoder.first_state(model.read(sources.flip(1), lengths))
    step = model.decoder.step
    with replaced(model.decoder, step=lambda s, *rest: states.append(s) or step(s, *rest)):
        written(model.decoder, memory, state, 1)
    assert states[0] is state
    assert "first_state" not in vars(model.decoder)


# ---- what is measured


def test_probabilities_are_those_of_the_right_symbols(model, inputs):
    shares = model(*inputs)[0].softmax(dim=-1)
    probabilities = symbol_probabilities(model, *inputs)
    for b, i in np.ndindex(BATCH, TARGET):
        assert probabilities[b, i] == shares[b, i, inputs[2][b, i]]


def test_divergence_is_the_mean_of_two_of_torch_s():
    one, other = some_weights(BATCH, TARGET, SOURCE), some_weights(BATCH, TARGET, SOURCE)
    middle = ((one + other) / 2).log()
    wanted = sum(F.kl_div(middle, part, reduction="none").sum(dim=-1) for part in (one, other)) / 2
    torch.testing.assert_close(divergence(one, other), wanted)
    torch.testing.assert_close(divergence(one, one), torch.zeros(BATCH, TARGET).double())


# ---- bad input


def test_what_is_exchanged_must_fit(model, inputs):
    sources, lengths, _ = inputs
    memory = model.read(sources, lengths)
    longer = model.read(torch.cat([sources, sources], dim=1), lengths * 2)
    with pytest.raises(ValueError, match=r"others must be .*\(batch=3 source=7 "):
        exchanged(memory, longer, torch.ones(BATCH, SOURCE, dtype=torch.bool))


BAD = torch.ones(1, 2, 3), torch.tensor([[[1.5, -0.5]]])
REFUSED = {
    call: [((bad, *more(bad)), r"must sum to one|negative") for bad in BAD]
    for call, more in {
        hidden: lambda bad: [torch.zeros(bad.shape, dtype=torch.bool)],
        permuted: lambda bad: [torch.Generator()],
        divergence: lambda bad: [bad],
    }.items()
}
