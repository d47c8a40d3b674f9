"""Translators that write together: the mean of their probabilities, at each step."""

import itertools

import pytest
import torch
from torch import nn

from attn_course.search import answer, beam, greedy
from attn_course.symbols import END, PADDING, START
from attn_course.tasks.vocabulary import Vocabulary
from attn_own import designs
from attn_own.ensemble import Ensemble

SYMBOLS = Vocabulary("abcdefg")
SOURCES = torch.tensor([[5, 6, 7], [4, 5, 0]])
LENGTHS = torch.tensor([3, 2])
TARGETS = torch.tensor([[4, 5, 2], [6, 2, 0]])


def member(model, seed):
    torch.manual_seed(seed)
    network = designs.build(model, 8, len(SYMBOLS), len(SYMBOLS)).eval()
    nn.init.normal_(network.decoder.readout.weight, std=2)  # so that the members disagree
    network.decoder.readout.bias.data[[PADDING, START]] = -99.0  # which beam search never writes
    return network


@pytest.fixture(params=designs.MODELS)
def members(request):
    return [member(request.param, seed) for seed in range(3)]


@torch.no_grad()
def test_the_probability_is_the_mean_of_the_members(members):
    logits, weights = Ensemble(members)(SOURCES, LENGTHS, TARGETS)
    alone = [model(SOURCES, LENGTHS, TARGETS) for model in members]
    mean = torch.stack([scores.softmax(dim=-1) for scores, _ in alone]).mean(dim=0)
    torch.testing.assert_close(logits.softmax(dim=-1), mean)
    torch.testing.assert_close(weights, torch.stack([own for _, own in alone]).mean(dim=0))


@torch.no_grad()
def test_step_by_step_it_is_the_same(members):
    model = Ensemble(members)
    decoder, memory = model.decoder, model.read(SOURCES, LENGTHS)
    state, logits = decoder.first_state(memory), []
    looked = []
    for symbol in (torch.full((2,), START), TARGETS[:, 0], TARGETS[:, 1]):
        state, context, weights = decoder.step(state, decoder.embedding(symbol), memory)
        logits.append(decoder.logits(state, context))
        looked.append(weights)
    for stepwise, together in zip((logits, looked), model(SOURCES, LENGTHS, TARGETS), strict=True):
        torch.testing.assert_close(torch.stack(stepwise, dim=1), together, atol=1e-4, rtol=1e-4)


def test_copies_of_one_model_answer_as_it_does(members):
    texts = ["abc", "g", "fedcba"]
    alone = answer(members[0], texts, SYMBOLS, SYMBOLS, longest=9)
    together = answer(Ensemble([members[0]] * 3), texts, SYMBOLS, SYMBOLS, longest=9)
    assert [output.text for output in together] == [output.text for output in alone]


def test_beam_search_with_one_beam_is_greedy(members):
    model = Ensemble(members)
    symbols = greedy(model, SOURCES, LENGTHS, 6)[0]
    hypotheses = beam(model, SOURCES, LENGTHS, beams=1, longest=6)
    for row, (best,) in zip(symbols.tolist(), hypotheses, strict=True):
        assert best.symbols == list(itertools.takewhile(lambda symbol: symbol != END, row))
