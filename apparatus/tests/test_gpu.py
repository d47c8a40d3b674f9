"""On a GPU, the machine's own or a pretended one, nothing mixes devices: ``pytest -k gpu``."""

import importlib
import json
import os
import pkgutil
import signal
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

import matplotlib
import numpy as np
import pytest
import torch
from matplotlib import pyplot
from pretended_gpu import a_gpu, left
from sweeps import SAMPLE, sweep
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

import attn_class.exercises
import attn_course
from attn_class.exercises.weights import safe_softmax
from attn_course import model_file, training
from attn_course.models import glimpse, one_look, pointer, translator
from attn_course.models.gaussian_look import GaussianReader
from attn_course.models.hard_look import HardReader
from attn_course.search import answer, beam, exact
from attn_course.tasks import reversal
from attn_course.tasks.corpus import ByLength, Corpus, pad
from attn_course.training import Settings, train
from attn_lab import registry
from attn_lab.rates import RateSearch
from attn_own import command
from attn_own.ensemble import Ensemble

pytestmark = pytest.mark.slow

CHAPTERS = sorted((Path(__file__).parents[2] / "chapters").glob("*.ipynb"))
# no tensors; and a model of a file, which stays where it was read
ELSEWHERE = {"typo_ceiling", *registry.by_chapter()["12-a-language-model"]}
EXPERIMENTS = [name for name in registry.questions() if name not in ELSEWHERE]
# in four seconds, these come as far as their tensors: models alone, weights counted, a training
SAMPLED = ("attention_cost", "counted_links", "heads_removed")
EXERCISES = [
    module.name
    for module in pkgutil.walk_packages(attn_class.exercises.__path__, "attn_class.exercises.")
    if not module.ispkg and not module.name.endswith((".frame", ".calling"))
]
LETTERS = reversal.letter_vocabulary()
TEXTS = ["abc", "de"]
SOURCES, LENGTHS = pad([LETTERS.encode(text) for text in TEXTS]), torch.tensor([3, 2])
PAIRS = reversal.letter_pairs(24, seed=0, lengths=[3, 5], task="copy")
PLACES = ("same device", "to numpy", "device type", "on cpu or on", "CPU int64")  # in its errors
SECONDS = 4  # of the processor, for one condition of an experiment


@pytest.fixture
def gpu():
    with a_gpu():
        yield


# ---- what the pretended one refuses, as a real one does

MIXTURES = {
    "sum": lambda x: x + torch.ones(2, 3),
    "cat": lambda x: torch.cat([x, torch.ones(2, 3)]),
    "where": lambda x: torch.where(torch.ones(2, 3) > 0, x, 0.0),
    "embedding": lambda x: nn.functional.embedding(torch.tensor([1]), x),
    "gather": lambda x: x.gather(1, torch.zeros(2, 1, dtype=torch.long)),
    "a layer": lambda x: nn.Linear(3, 2)(x),
    "in place": lambda x: torch.ones(2, 3).add_(x),
    "indices": lambda x: torch.ones(2, 3)[torch.tensor([0], device="cuda")],
    "lengths": lambda x: pack_padded_sequence(x, torch.tensor([3], device="cuda")),
    "numpy": np.asarray,
    "generator": lambda x: torch.rand(3, device=x.device, generator=torch.Generator()),
}


@pytest.mark.parametrize("name", MIXTURES)
def test_what_mixes_devices_is_refused(name, gpu):
    there = torch.arange(6.0).view(2, 3).to("cuda")
    with pytest.raises((RuntimeError, TypeError)) as refused:
        MIXTURES[name](there)
    assert is_misplaced(refused.value)


def test_what_does_not_is_allowed(gpu):
    there = torch.arange(6.0).view(2, 3).to("cuda")
    moved = torch.ones(2).to(there), torch.from_numpy(np.ones(2)).cuda()
    new = torch.zeros(2, device="cuda"), torch.tensor([1.0], device="cuda"), there.new_tensor([1])
    for tensor in (
        *new,
        *moved,
        torch.zeros_like(there),
        there[torch.tensor([1, 0])],
        there + new[1],
    ):
        assert tensor.device.type == "cuda"
    assert (there + torch.tensor(1.0)).cpu().numpy().sum() == 21
    rnn = nn.GRU(3, 5, batch_first=True).to("cuda")
    packed = pack_padded_sequence(there[None], torch.tensor([2]), batch_first=True)
    output, sizes = pad_packed_sequence(rnn(packed)[0], batch_first=True)
    here = torch.ones(3, requires_grad=True)
    (here.to("cuda") * 2).cpu().sum().backward()
    assert output.device.type == "cuda"
    assert {sizes.device.type, here.grad.device.type} == {"cpu"}


# ---- models: they take what they read from anywhere, and compute what they do on the CPU

TRANSLATORS = {
    "bahdanau": translator.bahdanau,
    "LSTM": lambda *sizes: translator.bahdanau(*sizes, directions=1, cell="lstm"),
    "fixed": translator.fixed_context,
    "luong": translator.luong,
    "local-m": lambda *sizes: translator.luong(*sizes, attention="local-m"),
    "fed": lambda *sizes: translator.luong(*sizes, attention="local-m", input_feeding=True),
    "local-p": lambda *sizes: translator.luong(*sizes, attention="local-p"),
    "transformer": translator.transformer,
    "learned": lambda *sizes: translator.transformer(*sizes, positions="learned", norm="post"),
    "one sequence": translator.one_sequence,
    "ensemble": lambda *sizes: Ensemble([translator.bahdanau(*sizes), translator.luong(*sizes)]),
}
WORDS = {
    "pointer": pointer.PointerReader,
    "reach": lambda size: pointer.PointerReader(size, reach=1),
    "flattened": lambda size: pointer.FlattenedReader(size, longest=4),
}
CANVASES = {
    "mask": one_look.MaskReader,
    "average": one_look.AverageReader,
    "max": one_look.MaxReader,
    "hard": HardReader,
    "Gaussian": GaussianReader,
    "Gaussian, linear": lambda: GaussianReader(centre="linear"),
    **{looks: lambda looks=looks: glimpse.GlimpseReader(looks=looks) for looks in glimpse.LOOKS},
}


def translated(model):
    texts = [output.text for output in answer(model, TEXTS, LETTERS, LETTERS, longest=5)]
    ranked = beam(model, SOURCES, LENGTHS, 3, 5, 1.0, 1.0)
    strings = [[one.symbols for one in hypotheses] for hypotheses in ranked]
    return texts, strings, len(exact(model, SOURCES, LENGTHS, 4))


@pytest.mark.parametrize("name", TRANSLATORS)
def test_a_translator_on_a_gpu(name):
    def build():
        torch.manual_seed(0)
        return TRANSLATORS[name](len(LETTERS), len(LETTERS))

    expected = translated(build().eval())
    with a_gpu():
        assert translated(build().to("cuda").eval()) == expected
        if name != "ensemble":
            settings = Settings(epochs=1, batch_size=8)
            model, _ = train(build, Corpus(PAIRS, LETTERS, LETTERS), settings=settings)
            assert next(model.parameters()).device.type == "cuda"


@pytest.mark.parametrize("name", WORDS)
def test_a_reader_of_words_on_a_gpu(name):
    model = WORDS[name](len(LETTERS))
    expected = [output.text for output in pointer.mend(model, TEXTS, LETTERS)]
    with a_gpu():
        model.to("cuda")
        for at in ("cpu", "cuda"):
            logits, weights = model(SOURCES.to(at), LENGTHS.to(at))
            (logits.sum() + weights.square().sum()).backward()
        assert [output.text for output in pointer.mend(model, TEXTS, LETTERS)] == expected


@pytest.mark.parametrize("name", CANVASES)
def test_a_reader_of_canvases_on_a_gpu(name):
    pixels, digits = torch.rand(2, 8, 12), torch.tensor([[3], [5]])
    model, recurrent = CANVASES[name]().eval(), name in glimpse.LOOKS
    read = (lambda: glimpse.read(model, pixels, 3)[1]) if recurrent else lambda: model(pixels)[1]
    expected = read().detach()
    with a_gpu():
        model.to("cuda")
        torch.testing.assert_close(read().detach().cpu(), expected)
        for at in ("cpu", "cuda"):
            model.loss(pixels.to(at), digits.to(at)).backward()


# ---- all the rest: every cell, what every experiment measures, every exercise, the command line


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    "chapter", CHAPTERS[3:4] if SAMPLE else CHAPTERS, ids=lambda path: path.stem
)
def test_every_cell_of_a_chapter_on_a_gpu(chapter, gpu, monkeypatch):
    """As `make nbval` does, and with the same numbers, so that its claims hold, too."""

    def train_briefly(build, *others, train=training.train, **options):
        with left():  # a step of it is tried above
            model, history = train(build, *others, **options)
        return model.to("cuda"), history

    monkeypatch.setattr(training, "train", train_briefly)
    monkeypatch.setattr(attn_course, "check_shapes", lambda: None)  # conftest has called it
    if model_file.__name__ in (text := chapter.read_text("utf-8")):
        try:
            model_file.model_file()
        except FileNotFoundError as missing:
            pytest.skip(str(missing))
    monkeypatch.chdir(chapter.parent)
    monkeypatch.setattr(matplotlib, "get_backend", lambda: "agg")
    names = {"__name__": "__main__", "display": lambda *_: None}
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
            pyplot.close("all")


def conditions(what):
    """Conditions, with a seed of each: whichever has a text, or a flag, that none before it has."""
    kind, covered = what.kind, set()
    for cell in json.loads(what.path.read_text("utf-8"))["cells"]:
        stored = cell["condition"]
        fields = stored if isinstance(stored, dict) else {"": stored}
        own = {field for field in fields.items() if isinstance(field[1], str | bool)}
        if not covered or own - covered:
            covered |= own or {None}
            yield kind(**stored) if isinstance(stored, dict) else stored, cell["seed"]


def is_misplaced(error):
    return any(words in str(error) for words in PLACES)


@pytest.mark.parametrize("name", sweep(EXPERIMENTS, SAMPLED))
def test_what_an_experiment_measures_on_a_gpu(name, gpu, monkeypatch):
    """Only where its tensors are: trainings are short, and what takes long is cut off."""
    pytest.importorskip("sacrebleu")  # these belong to the extra that the experiments need
    pytest.importorskip("sklearn")
    experiment, batches = registry.experiment(name), ByLength.batches
    monkeypatch.setattr(ByLength, "batches", lambda *arguments: islice(batches(*arguments), 2))
    to_measure = [(experiment.measure, *pair) for pair in conditions(experiment)]
    with suppress(ValueError):  # a rate that is not known
        searches = {what for what, _ in experiment.parts() if isinstance(what, RateSearch)}
        to_measure += [(search.measure, *next(conditions(search))) for search in searches]

    for measure, condition, seed in to_measure:
        try:
            with at_most(SECONDS):
                measure(condition, seed)
        except Exception as error:  # what has learnt nothing may fail, but not for a place
            if is_misplaced(error):
                raise


@contextmanager
def at_most(seconds):
    """So many seconds of the processor, then a TimeoutError."""

    def late(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def uploaded(result):
    if isinstance(result, list | tuple):
        return type(result)(map(uploaded, result))
    return result.to("cuda") if isinstance(result, torch.Tensor) else result


@pytest.mark.parametrize("name", EXERCISES)
def test_a_right_answer_may_come_from_the_gpu(name, gpu):
    exercise = importlib.import_module(name)
    verdict = exercise.check(lambda *inputs: uploaded(exercise.solution(*inputs)), seed=3)
    assert verdict.status == "right", verdict


@pytest.mark.parametrize(
    "answer", [lambda x, *_: x + torch.ones(7, device="cuda"), lambda x, *_: x.to("cuda").numpy()]
)
def test_the_hint_for_mixed_devices_says_how_not_to(answer, gpu):
    verdict = safe_softmax.exercise.check(answer)
    assert verdict.failed == "runs"
    assert "device=x.device" in verdict.hint


def test_the_command_line_on_a_gpu(gpu, tmp_path, capsys):
    pairs = reversal.letter_pairs(60, seed=1, lengths=[3, 4, 5], task="reversal")
    lines = "".join(f"{pair.source}\t{pair.target}\n" for pair in pairs)
    (tmp_path / "corpus.tsv").write_text(lines, encoding="utf-8")
    into = os.fspath(tmp_path / "model")
    for words in (
        ["train", f"{tmp_path}/corpus.tsv", "--into", into, "--epochs", "1"],
        ["report", into],
        ["read", into, "abc"],
    ):
        assert not command.main(words), capsys.readouterr()
