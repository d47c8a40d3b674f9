"""The language model of the course's own file, opened once: that takes seconds."""

import json
import math
import os

import numpy as np
import pytest
import torch

from attn_book.commands.head_maps import SENTENCES, answers, changes_of
from attn_course.from_scratch import gpt
from attn_course.from_scratch.run import continue_text
from attn_course.models import language_file
from attn_course.models.language_model import Shape
from attn_course.patching import all_weights
from attn_course.views.widgets.wall import RUNS, STORED, HeadWall, stored, stored_runs, triangles

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def real() -> language_file.Loaded:
    for name in ("gguf", "tokenizers"):
        pytest.importorskip(name)
    if os.environ.get("ATTN_MODEL"):
        pytest.skip("these numbers are of the course's own file, and ATTN_MODEL names another")
    try:
        return language_file.load()
    except FileNotFoundError as missing:
        pytest.skip(str(missing))


@torch.inference_mode()
def test_it_knows_the_capital_of_france(real):
    symbols = real.text.read("The capital of France is")
    assert real.text.pieces(symbols[0]) == ["The", " capital", " of", " France", " is"]
    head, cache = real.model(symbols[:, :3])
    tail, _ = real.model(symbols[:, 3:], cache)
    logits, _ = real.model(symbols)
    assert real.text.pieces(logits[0, -1].argmax(0, True)) == [" Paris"]
    torch.testing.assert_close(torch.cat([head, tail], dim=1), logits, rtol=0, atol=1e-3)


def test_it_is_the_file_that_was_measured(real):
    assert real.digest.startswith("b179c9523d0e")
    assert real.model.shape == Shape(epsilon=real.model.shape.epsilon)
    assert math.isclose(real.model.shape.epsilon, 1e-5, rel_tol=1e-6)
    assert real.text.pieces(real.text.read("2005-04-03")[0]) == list("2005-04-03")


def test_the_command_of_the_model_in_one_file_says_paris(real, capsys, monkeypatch):
    monkeypatch.setattr(language_file, "load", lambda: real)
    pieces = gpt.Config, gpt.LanguageModel, gpt.generate
    continue_text(*pieces, ["The capital of France is", "--count", "2"])
    assert capsys.readouterr().out == "The capital of France is Paris.\n"


def test_the_maps_of_the_wall_are_what_it_reads(real):
    assert json.loads(STORED.read_text("utf-8"))["digest"] == real.digest
    maps = stored()
    assert [one.name for one in maps] == list(SENTENCES)
    one, text = maps[2], list(SENTENCES.values())[2]
    symbols = real.text.read(text)
    assert real.text.pieces(symbols[0]) == one.pieces
    weights = all_weights(real.model, symbols).numpy()
    assert np.abs(weights - one.weights).max() <= 0.5 / 255 + 1e-4
    assert triangles(one.weights) == HeadWall([one]).sentences[0]["weights"]


def test_the_answers_of_the_wall_are_its_answers(real):
    """One row of each kind, and all experiments: silenced, exchanged, hidden, out of the keys."""
    assert json.loads(RUNS.read_text("utf-8"))["digest"] == real.digest
    runs, experiments = stored_runs()
    all_tokens = real.text.pieces(torch.arange(real.model.shape.symbols))
    text, run = SENTENCES["A capital"], runs["A capital"]
    rows = (np.frombuffer(run.shares, "<u2") / 65_535).reshape(-1, len(run.tokens))
    swap = {"text": "".join(run.other), "source": 3, "position": 3, "part": "values", "from": 23}
    cases = [
        (text, {}, run.tokens, rows[0]),
        (text, {"silenced": [[23, 4]]}, run.tokens, rows[1 + 9 * 23 + 4]),
        (text, {"exchange": swap}, run.tokens, rows[1 + 270 + 30 + 23]),
    ]
    for one in experiments:
        cases.append((SENTENCES[one["sentence"]], one["changes"], one["tokens"], one["now"]))
    for text, changes, tokens, shares in cases:
        symbols = real.text.read(text)
        chances = answers(real, symbols, changes_of(real, symbols, **changes))[0]
        ids = [all_tokens.index(token) for token in tokens]
        np.testing.assert_allclose(shares, chances[ids], atol=1e-3)
