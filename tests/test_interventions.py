"""Interventions change what they name, and nothing else."""

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
def sources():
    return torch.randint(4, SYMBOLS, (BATCH, SOURCE))


@pytest.fixture
def targets():
    return torch.randint(4, SYMBOLS, (BATCH, TARGET))


@pytest.fixture
def lengths():
    return torch.full((BATCH,), SOURCE)


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


def test_unchanged_weights_change_nothing(model, sources, lengths, targets):
    before, weights = model(sources, lengths, targets)
    with reweighted(model.decoder, lambda weights, first: weights):
        after, same = model(sources, lengths, targets)
    assert torch.equal(before, after)
    assert torch.equal(weights, same)


def test_weights_are_changed_before_anything_is_averaged(model, sources, lengths, targets):
    changed = some_weights(BATCH, TARGET, SOURCE)
    memory = model.read(sources, lengths)
    with reweighted(model.decoder, lambda w, first: changed[:, first : first + w.shape[1]]):
        _, weights = model(sources, lengths, targets)
        assert torch.equal(weights, changed)
    with reweighted(model.decoder, lambda w, first: changed[:, first : first + w.shape[1]]):
        state = model.decoder.first_state(memory)
        for step in range(2):
            state, context, _ = model.decoder.step(
                state, torch.randn(BATCH, 16, dtype=torch.float64), memory
            )
            wanted = (changed[:, step, :, None] * memory.annotations).sum(dim=1)
            torch.testing.assert_close(context, wanted)


def test_weights_of_another_shape_are_refused(model, sources, lengths, targets):
    with (
        reweighted(model.decoder, lambda weights, first: weights[..., 1:]),
        pytest.raises(ValueError, match="must return weights"),
    ):
        model(sources, lengths, targets)


def test_an_order_is_drawn_where_the_generator_is():
    weights, generator = some_weights(BATCH, TARGET, SOURCE), torch.Generator()
    with torch.device("meta"):  # what is made without saying where would be there, without a value
        mixed = permuted(weights, generator)
    torch.testing.assert_close(mixed.sort(dim=-1).values, weights.sort(dim=-1).values)


def test_what_is_hidden_has_no_weight_and_the_rest_keeps_its_proportions():
    weights = some_weights(BATCH, TARGET, SOURCE)
    places = torch.rand(weights.shape) < 0.4
    places[..., 0] = False
    result = hidden(weights, places)
    assert (result[places] == 0).all()
    torch.testing.assert_close(result.sum(dim=-1), torch.ones(BATCH, TARGET).double())
    for row, gone, old in zip(*(x.flatten(0, 1) for x in (result, places, weights)), strict=True):
        ratio = row[~gone] / old[~gone]
        torch.testing.assert_close(ratio, ratio[:1].expand_as(ratio))


def test_a_row_of_which_all_is_hidden_is_empty():
    weights = some_weights(1, 2, SOURCE)
    places = torch.zeros(1, 2, SOURCE, dtype=torch.bool)
    places[0, 1] = True
    assert hidden(weights, places)[0, 1].tolist() == [0] * SOURCE
    torch.testing.assert_close(hidden(weights, places)[0, 0], weights[0, 0])


def test_a_permuted_row_has_the_same_weights_elsewhere():
    weights = some_weights(BATCH, TARGET, 53)
    result = permuted(weights, torch.Generator().manual_seed(2))
    torch.testing.assert_close(result.sort(dim=-1).values, weights.sort(dim=-1).values)
    same_place = (result.argmax(dim=-1) == weights.argmax(dim=-1)).float().mean()
    assert same_place < 0.5
    orders = result.argsort(dim=-1)[0].argsort(dim=-1)
    assert not torch.equal(orders[0], orders[1]), "each row is permuted by itself"


# ---- other annotations


def test_exchanged_places_come_from_the_other_source_and_the_rest_stays(model, lengths):
    one, other = (model.read(torch.randint(4, SYMBOLS, (BATCH, SOURCE)), lengths) for _ in range(2))
    places = torch.rand(BATCH, SOURCE) < 0.5
    mixed = exchanged(one, other, places)
    for part in ("annotations", "keys"):
        new, here, there = (getattr(memory, part) for memory in (mixed, one, other))
        assert torch.equal(new[places], there[places])
        assert torch.equal(new[~places], here[~places])
    assert mixed.readable is one.readable


def test_with_every_place_exchanged_the_other_source_is_read(model, sources, lengths):
    one = model.read(torch.randint(4, SYMBOLS, (BATCH, SOURCE)), lengths)
    other = model.read(sources, lengths)
    everywhere = torch.ones(BATCH, SOURCE, dtype=torch.bool)
    answer = greedy(model, sources, lengths, TARGET)[0]
    assert torch.equal(
        written(model.decoder, exchanged(one, other, everywhere), None, TARGET), answer
    )


def test_the_first_state_is_the_given_one(model, sources, lengths):
    memory = model.read(sources, lengths)
    states = []

    def step(state, *arguments):
        states.append(state)
        return type(model.decoder).step(model.decoder, state, *arguments)

    state = model.decoder.first_state(model.read(sources.flip(1), lengths))
    with replaced(model.decoder, step=step):
        written(model.decoder, memory, state, 1)
    assert states[0] is state
    assert "first_state" not in vars(model.decoder)


# ---- what is measured


def test_probabilities_are_those_of_the_right_symbols(model, sources, lengths, targets):
    chances = symbol_probabilities(model, sources, lengths, targets)
    shares = model(sources, lengths, targets)[0].softmax(dim=-1)
    for b in range(BATCH):
        for i in range(TARGET):
            assert chances[b, i] == shares[b, i, targets[b, i]]


def test_divergence_is_the_mean_of_two_of_torch_s():
    one, other = some_weights(BATCH, TARGET, SOURCE), some_weights(BATCH, TARGET, SOURCE)
    middle = ((one + other) / 2).log()
    wanted = sum(F.kl_div(middle, part, reduction="none").sum(dim=-1) for part in (one, other)) / 2
    torch.testing.assert_close(divergence(one, other), wanted)
    torch.testing.assert_close(divergence(one, one), torch.zeros(BATCH, TARGET).double())


# ---- bad input


@pytest.mark.parametrize("wrong", [torch.ones(1, 2, 3), torch.tensor([[[1.5, -0.5]]])])
def test_what_are_no_weights_is_refused(wrong):
    with pytest.raises(ValueError, match=r"must sum to one|negative"):
        hidden(wrong, torch.zeros(wrong.shape, dtype=torch.bool))
    with pytest.raises(ValueError, match=r"must sum to one|negative"):
        permuted(wrong, torch.Generator())
    with pytest.raises(ValueError, match=r"must sum to one|negative"):
        divergence(wrong, wrong)


def test_what_is_exchanged_must_fit(model, sources, lengths):
    memory = model.read(sources, lengths)
    longer = model.read(torch.cat([sources, sources], dim=1), lengths * 2)
    with pytest.raises(ValueError, match=r"others must be .*\(batch=3 source=7 "):
        exchanged(memory, longer, torch.ones(BATCH, SOURCE, dtype=torch.bool))
