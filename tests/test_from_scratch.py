"""The two files of the chapters against the package's classes, with the same weights."""

import ast
import sys
from pathlib import Path

import pytest
import torch

from attn_course.from_scratch import gpt, run, seq2seq
from attn_course.models.language_model import LanguageModel, Shape
from attn_course.models.translator import bahdanau
from attn_course.symbols import END, PADDING, START

MOST = {seq2seq: 80, gpt: 100}  # lines that are not blank


def take(model, theirs, names):
    """Give a model the weights of the package's."""
    model.load_state_dict(run.renamed(dict(theirs.named_parameters()), names))
    return model.double()


@pytest.fixture
def translators():
    theirs = bahdanau(13, 11)
    return take(seq2seq.Translator(13, 11), theirs, run.TRANSLATOR), theirs.double()


def padded(lengths, tokens, first=3):
    rows = torch.zeros(len(lengths), max(lengths), dtype=torch.long)
    for row, length in zip(rows, lengths, strict=True):
        row[:length] = torch.randint(first, tokens, (length,))
    return rows


@pytest.mark.parametrize("module", MOST, ids=lambda module: module.__name__.rpartition(".")[2])
def test_a_file_is_short_and_needs_torch_alone(module):
    code = Path(module.__file__).read_text("utf-8")
    assert sum(bool(line.strip()) for line in code.splitlines()) <= MOST[module]
    tree = ast.parse(code).body
    named = {alias.name for node in tree if isinstance(node, ast.Import) for alias in node.names}
    named |= {node.module for node in tree if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in named} <= {"torch", *sys.stdlib_module_names}


def test_the_translator_is_the_package_s(translators):
    ours, theirs = translators
    lengths = [3, 5, 2]
    source, target = padded(lengths, 13), padded([4, 4, 4], 11)
    for mine, right in zip(
        ours(source, target), theirs(source, torch.tensor(lengths), target), strict=True
    ):
        torch.testing.assert_close(mine, right)
    assert (seq2seq.PADDING, seq2seq.START, seq2seq.END) == (PADDING, START, END)


def test_the_package_takes_the_translator_s_weights(translators):
    ours, theirs = translators
    back = run.packaged(ours.float()).state_dict()
    assert back.keys() == theirs.state_dict().keys()
    for name, weight in theirs.float().state_dict().items():
        assert back[name].equal(weight)


def test_untold_it_is_told_what_it_would_say(translators):
    ours, _ = translators
    source = padded([3, 5, 2], 13)
    logits, weights = ours(source, longest=7)
    again = ours(source, logits.argmax(-1))
    torch.testing.assert_close([logits, weights], again)


@pytest.mark.slow
def test_it_learns_what_it_is_shown():
    source = padded([3] * 64, 9)
    target = torch.cat([source.flip(1), torch.full((64, 1), END)], 1)
    model = seq2seq.Translator(9, 9)
    seq2seq.train(model, [(source, target)] * 150)
    assert (model(source, longest=4)[0].argmax(-1) == target).all(1).float().mean() > 0.9


@pytest.fixture
def language_models():
    sizes = {"blocks": 2, "size": 36, "heads": 6, "groups": 3, "base": 50.0}
    theirs = LanguageModel(Shape(symbols=11, hidden_size=7, epsilon=1e-5, **sizes))
    ours = gpt.LanguageModel(gpt.Config(tokens=11, hidden=7, **sizes))
    return take(ours, theirs, run.LANGUAGE_MODEL), theirs.double()


def test_the_language_model_is_the_package_s(language_models):
    ours, theirs = language_models
    tokens = torch.randint(11, (3, 7))
    logits, cache = ours(tokens)
    torch.testing.assert_close(logits, theirs(tokens).logits)
    head, cache = ours(tokens[:, :4])
    tail, _ = ours(tokens[:, 4:], cache)
    torch.testing.assert_close(torch.cat([head, tail], 1), logits)


def test_generation_takes_the_likeliest_or_draws(language_models):
    ours, _ = language_models
    start = torch.randint(11, (2, 3))
    greedy = gpt.generate(ours, start, 5)
    for end in range(3, 8):
        assert greedy[:, end].equal(ours(greedy[:, :end])[0][:, -1].argmax(-1))
    assert gpt.generate(ours, start, 5, temperature=0.8, top=1).equal(greedy)
    many = start[:1].expand(20_000, -1)
    drawn = gpt.generate(ours, many, 1, temperature=0.5, top=4)[:, -1]
    likely = (ours(start[:1])[0][0, -1] / 0.5).topk(4)
    shares = torch.bincount(drawn, minlength=11).double()[likely.indices] / len(drawn)
    assert (shares - likely.values.softmax(-1)).abs().max() < 0.02
    assert set(drawn.tolist()) <= set(likely.indices.tolist())


@pytest.mark.slow
def test_the_translator_s_command_trains_and_reads(capsys):
    run.read_dates(seq2seq.Translator, seq2seq.train, ["--pairs", "300", "3 May 1998", "1/2/03"])
    output = capsys.readouterr().out
    assert "300 dates" in output
    assert "2,000 dates" in output
    assert [line.partition(" -> ")[0] for line in output.splitlines()[-2:]] == [
        "3 May 1998",
        "1/2/03",
    ]


WRONG = {
    ("--pairs", "300", ""): "a date must have a character",
    ("--pairs", "300", "3 May \N{SNOWMAN}"): "\N{SNOWMAN}",
    ("--pairs", "0"): "got 0",
}.items()


@pytest.mark.parametrize(("arguments", "words"), WRONG)
def test_the_translator_s_command_names_what_is_wrong(arguments, words, capsys):
    with pytest.raises(SystemExit):
        run.read_dates(seq2seq.Translator, seq2seq.train, list(arguments))
    assert words in capsys.readouterr().err


@pytest.mark.slow
def test_the_language_model_s_command_names_what_is_wrong(capsys, monkeypatch, tmp_path):
    small = pytest.importorskip("small_language_file")
    for path, text, words in (
        (small.write(tmp_path / "small.gguf"), "", "the text must have a symbol"),
        (small.write(tmp_path / "own.gguf", own_readout=True), "a", "has a readout of its own"),
        ("none.gguf", "a", "none.gguf"),
    ):
        monkeypatch.setenv("ATTN_MODEL", str(path))
        with pytest.raises(SystemExit):
            run.continue_text(gpt.Config, gpt.LanguageModel, gpt.generate, [text])
        assert words in capsys.readouterr().err
