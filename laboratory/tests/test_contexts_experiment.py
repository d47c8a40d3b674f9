"""The readers of the experiment `contexts` differ only as stated."""

import numpy as np
import pytest
import torch
from torch import nn

from attn_course.models.translator import Translator
from attn_course.search import Answer
from attn_course.tasks.dates import gold_sure
from attn_course.tasks.vocabulary import START
from attn_course.training import History
from attn_lab.context_vectors import context_models
from attn_lab.context_vectors import contexts as grid
from attn_lab.context_vectors.context_models import LONGEST, READERS, BackwardEncoder, Design

SYMBOLS, EMBEDDING, ANNOTATION, SMALL, TARGET = 23, 5, 14, 11, 7
LENGTHS = torch.tensor([13, 7, 1])


def sources():
    rows = torch.randint(4, SYMBOLS, (len(LENGTHS), int(LENGTHS.max())))
    return rows * (torch.arange(rows.shape[1]) < LENGTHS[:, None])


def test_turned_reads_each_row_from_its_end_and_leaves_its_padding():
    rows, turned = sources(), context_models.turned
    for row, back, length in zip(rows, turned(rows, LENGTHS), LENGTHS, strict=True):
        assert torch.equal(back[:length], row[:length].flip(0))
        assert torch.equal(back[length:], row[length:])
    vectors = torch.randn(*rows.shape, 3)
    assert torch.equal(turned(turned(vectors, LENGTHS), LENGTHS), vectors)


def test_backward_annotations_are_a_gru_over_the_turned_row_alone():
    encoder = BackwardEncoder(SYMBOLS, EMBEDDING, ANNOTATION, directions=1)
    rows = sources()
    annotations = encoder(rows, LENGTHS)
    assert annotations.shape == (*rows.shape, encoder.annotation_size)
    for row, length, row_annotations in zip(rows, LENGTHS, annotations, strict=True):
        states = encoder.rnn(encoder.embedding(row[:length].flip(0))[None])[0][0]
        torch.testing.assert_close(row_annotations[:length], states.flip(0))
        assert not row_annotations[length:].any()


def reader(name, encoder_seed=0):
    torch.manual_seed(encoder_seed)
    encoder = BackwardEncoder(SYMBOLS, EMBEDDING, ANNOTATION, directions=1)
    return Translator(encoder, READERS[name](TARGET, SMALL, ANNOTATION))


@pytest.mark.parametrize("name", READERS)
def test_a_reader_answers_alike_alone_and_in_a_padded_batch(name):
    model, rows = reader(name), sources()
    inputs = torch.randint(4, TARGET, (len(rows), 5))
    together, _ = model.decoder(model.read(rows, LENGTHS), inputs)
    for place, length in enumerate(LENGTHS):
        one = slice(place, place + 1)
        alone, _ = model.decoder(model.read(rows[one, :length], LENGTHS[one]), inputs[one])
        torch.testing.assert_close(together[one], alone)


def first_step(name):
    model, rows = reader(name), sources()
    memory = model.read(rows, LENGTHS)
    state = model.decoder.first_state(memory)
    previous = model.decoder.embedding(torch.full((len(rows),), START))
    return model, rows, memory, model.decoder.step(state, previous, memory)


def test_what_is_pooled():
    for name, how in (("mean", torch.mean), ("sum", torch.sum)):
        model, rows, _, step = first_step(name)
        annotations = model.encoder(rows, LENGTHS)
        for row, length, context in zip(annotations, LENGTHS, step.context, strict=True):
            torch.testing.assert_close(context, how(row[:length], dim=0))


def test_concatenated_annotations_go_through_one_matrix_with_a_place_for_each():
    model, rows, _, step = first_step("concatenate")
    filled = torch.zeros(len(rows), LONGEST, ANNOTATION)
    filled[:, : rows.shape[1]] = model.encoder(rows, LENGTHS)
    torch.testing.assert_close(step.context, model.decoder.places(filled.flatten(1)))
    with pytest.raises(ValueError, match=f"at most {LONGEST} annotations fit; got {LONGEST + 1}"):
        model.decoder.read(torch.zeros(1, LONGEST + 1, ANNOTATION))


def gradient(output, memory):
    """How much an output depends on the annotations if only the path by the context is open."""
    return torch.autograd.grad(
        output.sum(), memory.annotations, retain_graph=True, allow_unused=True
    )[0]


@pytest.mark.parametrize(("name", "cell", "readout"), [
    ("cell and readout", True, True),
    ("cell", True, False),
    ("readout", False, True),
    ("tanh", False, True),
])  # fmt: skip
def test_the_context_enters_where_it_should(name, cell, readout):
    model, _, memory, step = first_step(name)
    slope = gradient(step.state, memory)
    assert (slope is not None and bool(slope.any())) == cell
    context = step.context.detach().requires_grad_()
    logits = model.decoder.logits(step.state.detach(), context)
    assert logits.requires_grad
    slope = torch.autograd.grad(logits.sum(), context, allow_unused=True)[0]
    assert (slope is not None and bool(slope.any())) == readout


def test_the_first_state_knows_nothing_of_the_source():
    model, rows, memory, _ = first_step("cell and readout")
    state = model.decoder.first_state(memory)
    assert state.shape == (len(rows), SMALL)
    assert torch.equal(state, state[:1].expand_as(state))


# ---- what is measured


def test_the_probe_finds_what_is_there_and_nothing_else():
    random = np.random.default_rng(0)
    classes = random.integers(5, size=(200, 3))
    there = np.eye(5)[classes] @ random.normal(size=(5, 9)) + 2
    assert grid.linear_reading(there, classes) == 1
    assert grid.linear_reading(random.normal(size=(200, 3, 9)), classes) < 0.35


def test_the_probe_reads_each_neighbour_where_it_stands():
    class Shifted(nn.Module):
        """Annotations that contain only the right neighbour."""

        embedding = nn.Embedding.from_pretrained(torch.eye(200))

        def forward(self, sources, lengths):
            return self.embedding(sources.roll(-1, dims=1))

    shares = grid.probe(Shifted(), seed=0, strings=120)
    assert shares.pop(1) == 1
    assert max(shares.values()) < 0.25


def test_where_the_largest_weight_lies_is_counted_from_the_copied_digit():
    pair = context_models.test_pairs(0)[0]
    sure = gold_sure(pair)
    for shift, name in ((-1, "before"), (0, "on it"), (1, "behind")):
        weights = np.zeros(sure.shape)
        for i, j in np.argwhere(sure):
            weights[i, min(max(j + shift, 0), sure.shape[1] - 1)] = 1
        shares = grid.looks([pair], [Answer(pair.target, weights, np.ones(10))])
        assert sum(shares.values()) == pytest.approx(1)
        assert shares[name] > 0.7


def test_looks_for_the_day_tell_days_of_one_digit_from_days_of_two():
    pairs = context_models.test_pairs(0)
    one = next(pair for pair in pairs if pair.target[8] == "0" and pair.source[0] != "0")
    two = next(pair for pair in pairs if pair.target[8] == "2")
    assert [gold_sure(pair)[grid.DAY :].sum() for pair in (one, two)] == [1, 2]
    for shifts in ((1, 0), (0, 1)):  # one of the two looks behind its digit
        looks = [
            Answer(pair.target, np.roll(gold_sure(pair), shift, axis=1).astype(float), np.ones(10))
            for pair, shift in zip((one, two), shifts, strict=True)
        ]
        names = ("behind, one-digit day", "behind, two-digit day")
        expected = dict(zip(names, shifts, strict=True))
        assert grid.looks_for_days([one, two], looks) == expected


def test_who_asks_for_a_reader_again_gets_the_same_one(monkeypatch):
    monkeypatch.setattr(grid, "train", lambda *_, **__: (object(), History()))
    grid._trained.cache_clear()
    condition = grid.Condition(*Design(), 2, 0.012)
    first = grid.trained(condition, 0)
    assert first is grid.trained(condition, seed=0) is grid.trained(seed=0, condition=condition)
    grid._trained.cache_clear()


def test_directions_are_those_of_the_plan():
    assert set(grid.results("trained -1")) <= set(grid.DIRECTIONS)
