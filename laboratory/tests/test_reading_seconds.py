"""The clock of `reading_seconds` counts training alone, and the bar is the first test above it."""

import pytest

from attn_lab.transformers import reading_seconds as seconds
from attn_lab.transformers import transformer_models
from attn_lab.transformers.transformer_models import Reader


@pytest.mark.parametrize("kind", seconds.READERS)
def test_each_reader_is_tested_after_as_many_dates(kind):
    made = seconds.settings_of(kind, 2)
    assert made.check_every * made.batch_size == seconds.CHECK
    if kind != "bahdanau":
        known = transformer_models.settings(Reader(kind, 2, made.learning_rate))
        assert (made.batch_size, made.warm_up) == (known.batch_size, known.warm_up)


def test_the_first_test_above_the_bar_counts():
    points = [[1.5, 0.2], [2.5, 0.9], [3.5, 0.8], [4.5, 0.97]]
    assert seconds.seconds_to(points, 0.9) == 2.5
    assert seconds.seconds_to(points, 0.91) == 4.5
    assert seconds.seconds_to(points, 0.98) == float("inf")


def test_the_clock_stops_while_a_reader_is_tested(monkeypatch):
    """Nor does it run while dates are drawn, for which the first reader would pay."""
    clock = iter([2.0, 10.0, 13.0, 20.0, 24.0, 30.0])

    def train(build, dates, look, **_):
        look("reader")
        look("reader")

    monkeypatch.setattr(seconds, "corpus", lambda seed: next(clock))
    monkeypatch.setattr(seconds, "unseen", lambda seed: ["date"] * seconds.DATES)
    monkeypatch.setattr(seconds, "exact", lambda model, test: 0.5)
    monkeypatch.setattr(seconds, "train", train)
    monkeypatch.setattr(seconds.time, "process_time", lambda: next(clock))
    assert seconds.curve("luong", 2, 0) == [[3.0, 0.5], [7.0, 0.5]]


def test_readers_take_turns_to_begin(monkeypatch):
    begun = []
    monkeypatch.setattr(seconds, "curve", lambda kind, epochs, seed: begun.append(kind))
    for seed in seconds.SEEDS:
        assert set(seconds.measure(seconds.Epochs(2), seed)) == set(seconds.READERS)
    assert {begun[0], begun[3], begun[6]} == set(seconds.READERS)
