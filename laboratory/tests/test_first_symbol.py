"""The experiment `first_symbol`: whose weights are measured."""

import pytest
import torch

from attn_course.symbols import UNKNOWN
from attn_course.tasks.dates import date_pairs
from attn_lab.reading_dates.learnt_models import vocabularies
from attn_lab.transformers import first_symbol as first
from attn_lab.transformers.transformer_models import build

PAIRS = date_pairs(6, seed=1)


def test_weights_are_those_of_the_reader_itself():
    model = build("one sequence").eval()
    pair = first.given(PAIRS[:1], "empty")
    sources, lengths, targets = first.batch(pair)
    reading, writing = first.parted(model, sources, targets)
    theirs = model(sources, lengths, targets)[1][..., : first.EARLY]
    torch.testing.assert_close(writing[-1].mean(dim=1), theirs)
    assert reading.shape[3] == sources.shape[1] - first.LATER
    assert first.weights_on_first(model, pair)[1] == [
        [[pytest.approx(each) for each in head] for head in layer]
        for layer in writing[:, 0].mean(dim=2).tolist()
    ]


def test_the_empty_symbol_is_the_same_and_no_character():
    source, _ = vocabularies()
    rows = [source.encode(pair.source) for pair in first.given(PAIRS, "empty")]
    plain = [source.encode(pair.source) for pair in first.given(PAIRS, "date")]
    assert [row[1:] for row in rows] == plain
    assert {row[0] for row in rows} == {UNKNOWN}
    assert not any(UNKNOWN in row for row in plain)
