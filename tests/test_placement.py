"""On a GPU, though a pretended one: chapters, models, exercises and the command line.

No number is tried here but the CPU's waits for the GPU; only whether all tensors are where they are
needed. See `pretended_gpu`.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from pretended_gpu import PretendedGpu

from attn_course.models import translator
from attn_course.search import answer, beam, greedy
from attn_course.tasks import reversal
from attn_course.tasks.corpus import Corpus, pad
from attn_course.training import Settings, teacher_forced_loss, train

HERE = Path(__file__).parent
CHAPTERS = sorted(HERE.parent.joinpath("chapters").glob("*.ipynb"))
LETTERS = reversal.letter_vocabulary()
PAIRS = reversal.letter_pairs(24, seed=0, lengths=[3, 5], task="copy")
TRANSLATORS = {
    "bahdanau": lambda *sizes: translator.bahdanau(*sizes),
    "one direction, LSTM": lambda *sizes: translator.bahdanau(*sizes, directions=1, cell="lstm"),
    "fixed": lambda *sizes: translator.fixed_context(*sizes),
    "luong": lambda *sizes: translator.luong(*sizes),
    "local-m, fed": lambda *sizes: translator.luong(
        *sizes, attention="local-m", input_feeding=True
    ),
    "local-p": lambda *sizes: translator.luong(*sizes, attention="local-p"),
    "transformer": lambda *sizes: translator.transformer(*sizes),
    "learned": lambda *sizes: translator.transformer(*sizes, positions="learned", norm="post"),
    "one sequence": lambda *sizes: translator.one_sequence(*sizes),
}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_every_cell_of_every_chapter(chapter):
    run = subprocess.run(
        [sys.executable, HERE / "chapter_on_a_gpu.py", chapter],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stdout + run.stderr[-2000:]


def built(name):
    torch.manual_seed(0)
    return TRANSLATORS[name](len(LETTERS), len(LETTERS))


@pytest.mark.parametrize("name", TRANSLATORS)
def test_a_translator_is_trained_and_writes(name):
    with PretendedGpu():
        settings = Settings(epochs=1, batch_size=8)
        model, _ = train(lambda: built(name), Corpus(PAIRS, LETTERS, LETTERS), settings=settings)
        assert next(model.parameters()).device.type == "cuda"
        written = answer(model, [pair.source for pair in PAIRS[:5]], LETTERS, LETTERS, longest=6)
    assert len(written) == 5


@pytest.mark.parametrize("name", TRANSLATORS)
def test_sources_may_be_elsewhere(name):
    """As in a chapter that hands a model what its vocabulary gave."""
    sources = pad([LETTERS.encode(text) for text in ("abc", "de")])
    lengths = torch.tensor([3, 2])
    here = built(name).eval()
    asked = greedy(here, sources, lengths, 5), beam(here, sources, lengths, 3, 5, 1.0, 1.0)
    with PretendedGpu():
        model = built(name).to("cuda").eval()
        symbols, weights, _ = greedy(model, sources, lengths, 5)
        found = beam(model, sources, lengths, 3, 5, 1.0, 1.0)
        model(sources, lengths, sources)[0].sum().backward()
        assert symbols.device.type == "cuda"
        assert torch.equal(symbols.cpu(), asked[0][0])
        torch.testing.assert_close(weights.cpu(), asked[0][1])
    assert [[one.symbols for one in each] for each in found] == [
        [one.symbols for one in each] for each in asked[1]
    ]


def test_the_command_line(tmp_path, capsys):
    from attn_course.capstone import command

    corpus = tmp_path / "corpus.tsv"
    lines = [
        f"{pair.source}\t{pair.target}\n"
        for pair in reversal.letter_pairs(60, seed=1, lengths=[3, 4, 5], task="reversal")
    ]
    corpus.write_text("".join(lines), encoding="utf-8")
    into = tmp_path / "model"
    with PretendedGpu():
        for words in (
            ["train", str(corpus), "--into", str(into), "--epochs", "1"],
            ["report", str(into)],
            ["read", str(into), "abc"],
        ):
            assert not command.main(words), capsys.readouterr()


# ---- how often the CPU waits for the GPU


def counted(name, *, longest, do):
    sources = pad([LETTERS.encode("abcd")] * 4)
    with PretendedGpu() as gpu:
        model = built(name).to("cuda").eval()
        lengths = torch.full((4,), 4, device="cuda")
        sources = sources.to("cuda")
        gpu.waits.clear()
        do(model, sources, lengths, longest)
        return gpu.waits.total()


@pytest.mark.parametrize("name", ["bahdanau", "luong", "transformer"])
def test_a_step_of_greedy_search_waits_three_times_at_most(name):
    few, many = (counted(name, longest=n, do=greedy) for n in (4, 8))
    assert many - few <= 4 * 3


@pytest.mark.parametrize("name", ["bahdanau", "luong", "transformer"])
def test_a_step_of_beam_search_waits_as_often_whatever_is_found(name):
    """Not once for each hypothesis and each source."""
    few, many = (counted(name, longest=n, do=search) for n in (4, 8))
    assert many - few <= 4 * 5


def search(model, sources, lengths, longest):
    beam(model, sources, lengths, beams=5, longest=longest)


@pytest.mark.parametrize(("name", "most"), [("bahdanau", 17), ("luong", 7), ("transformer", 10)])
def test_a_step_of_training_waits_rarely(name, most):
    corpus = Corpus(PAIRS, LETTERS, LETTERS)
    (batch, *_) = corpus.batches(8, np.random.default_rng(0))
    with PretendedGpu() as gpu:
        model, batch = built(name).to("cuda"), batch.to("cuda")
        teacher_forced_loss(model, batch).backward()
        assert gpu.waits.total() <= most
