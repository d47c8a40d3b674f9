"""On a GPU, though a pretended one: chapters, models, exercises and the command line.

No number is tried here but the CPU's waits for the GPU; only whether all tensors are where they are
needed. See `pretended_gpu`.
"""

import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from pretended_gpu import PretendedGpu
from sweeps import every

import attn_class.exercises
from attn_class.exercises.frame import Exercise
from attn_course import model_file
from attn_course.models import glimpse, one_look, pointer, translator
from attn_course.models.ensemble import Ensemble
from attn_course.models.gaussian_look import GaussianReader
from attn_course.models.hard_look import HardReader
from attn_course.search import answer, beam, exact, greedy
from attn_course.tasks import reversal
from attn_course.tasks.corpus import Corpus, pad
from attn_course.tasks.dates import date_pairs
from attn_course.training import Settings, teacher_forced_loss, train
from attn_lab import registry
from attn_lab.faithful_maps import faithful_models

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
CHAPTERS = sorted(HERE.parent.joinpath("chapters").glob("*.ipynb"))
# no tensors; and a model of a file, which stays where it was read
ELSEWHERE = {"typo_ceiling", *registry.by_chapter()["13-a-language-model"]}
EXPERIMENTS = [name for name in registry.questions() if name not in ELSEWHERE]
LETTERS = reversal.letter_vocabulary()
PAIRS = reversal.letter_pairs(24, seed=0, lengths=[3, 5], task="copy")
TRANSLATORS = {
    "bahdanau": lambda *sizes: translator.bahdanau(*sizes),
    "one direction, LSTM": lambda *sizes: translator.bahdanau(*sizes, directions=1, cell="lstm"),
    "fixed": lambda *sizes: translator.fixed_context(*sizes),
    "luong": lambda *sizes: translator.luong(*sizes),
    "local-m": lambda *sizes: translator.luong(*sizes, attention="local-m"),
    "local-m, fed": lambda *sizes: translator.luong(
        *sizes, attention="local-m", input_feeding=True
    ),
    "local-p": lambda *sizes: translator.luong(*sizes, attention="local-p"),
    "transformer": lambda *sizes: translator.transformer(*sizes),
    "learned": lambda *sizes: translator.transformer(*sizes, positions="learned", norm="post"),
    "one sequence": lambda *sizes: translator.one_sequence(*sizes),
}


@pytest.fixture(scope="module")
def runner():
    """A process that runs these; it patches the course, so it is not this one."""
    with subprocess.Popen(
        [sys.executable, HERE / "chapter_on_a_gpu.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        yield process


@pytest.mark.parametrize("chapter", every(8, CHAPTERS), ids=lambda path: path.stem)
def test_every_cell_of_every_chapter(chapter, runner):
    if model_file.__name__ in chapter.read_text("utf-8"):
        try:
            model_file.model_file()
        except FileNotFoundError as missing:
            pytest.skip(str(missing))
    assert not (faults := faults_of(chapter, runner)), "\n\n".join(faults)


@pytest.mark.parametrize("name", every(12, EXPERIMENTS))
def test_what_an_experiment_measures(name, runner):
    pytest.importorskip("sacrebleu")  # these belong to the extra that the experiments need
    pytest.importorskip("sklearn")
    assert not (faults := faults_of(name, runner)), "\n\n".join(faults)


def faults_of(what, runner):
    print(what, file=runner.stdin, flush=True)
    told = runner.stdout.readline()
    assert told, "the process that runs them has ended"
    return json.loads(told)


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
    likeliest = [each.hypothesis.symbols for each in exact(here, sources, lengths, 4)]
    with PretendedGpu():
        model = built(name).to("cuda").eval()
        symbols, weights, _ = greedy(model, sources, lengths, 5)
        found = beam(model, sources, lengths, 3, 5, 1.0, 1.0)
        best = exact(model, sources, lengths, 4)
        model(sources, lengths, sources)[0].sum().backward()
        assert symbols.device.type == "cuda"
        assert torch.equal(symbols.cpu(), asked[0][0])
        torch.testing.assert_close(weights.cpu(), asked[0][1])
    assert [[one.symbols for one in each] for each in found] == [
        [one.symbols for one in each] for each in asked[1]
    ]
    assert [each.hypothesis.symbols for each in best] == likeliest


def test_together_they_write_from_sources_elsewhere():
    texts = ["abc", "de"]
    ensemble = Ensemble([built("bahdanau"), built("transformer")]).eval()
    asked = [each.text for each in answer(ensemble, texts, LETTERS, LETTERS, longest=5)]
    with PretendedGpu():
        found = answer(ensemble.to("cuda"), texts, LETTERS, LETTERS, longest=5)
    assert [each.text for each in found] == asked


@pytest.mark.parametrize("name", ["single characters", "forbidden"])
def test_a_reader_of_the_experiments_takes_sources_from_anywhere(name):
    corpus = faithful_models.corpus(date_pairs(2, seed=0), name)
    batch, *_ = corpus.batches(2, np.random.default_rng(0))
    with PretendedGpu():
        model = faithful_models.build(name).to("cuda")
        logits, _ = model(batch.sources, batch.lengths, batch.targets)
        assert logits.device.type == "cuda"


WORDS = {
    "pointer": lambda size: pointer.PointerReader(size),
    "reach": lambda size: pointer.PointerReader(size, reach=1),
    "flattened": lambda size: pointer.FlattenedReader(size, longest=4),
}


@pytest.mark.parametrize("name", WORDS)
def test_a_reader_of_words_takes_them_from_anywhere(name):
    texts = ["abc", "de"]
    sources, lengths = pad([LETTERS.encode(text) for text in texts]), torch.tensor([3, 2])
    model = WORDS[name](len(LETTERS))
    asked = pointer.mend(model, texts, LETTERS)
    with PretendedGpu():
        model.to("cuda")
        for at in ("cpu", "cuda"):
            logits, weights = model(sources.to(at), lengths.to(at))
            (logits.sum() + weights.square().sum()).backward()
            assert weights.device.type == "cuda"
        found = pointer.mend(model, texts, LETTERS)
    assert [each.text for each in found] == [each.text for each in asked]


CANVASES = {
    "mask": one_look.MaskReader,
    "average": one_look.AverageReader,
    "max": one_look.MaxReader,
    "hard": HardReader,
    "Gaussian": GaussianReader,
    "Gaussian, linear": lambda: GaussianReader(centre="linear"),
    **{looks: lambda looks=looks: glimpse.GlimpseReader(looks=looks) for looks in glimpse.LOOKS},
}


@pytest.mark.parametrize("name", CANVASES)
def test_a_reader_of_canvases_takes_them_from_anywhere(name):
    pixels, digits = torch.rand(2, 8, 12), torch.tensor([[3], [5]])
    model, recurrent = CANVASES[name]().eval(), name in glimpse.LOOKS
    read = (lambda: glimpse.read(model, pixels, 3)[1]) if recurrent else lambda: model(pixels)[1]
    asked = read().detach()
    with PretendedGpu():
        model.to("cuda")
        torch.testing.assert_close(read().detach().cpu(), asked)
        for at in ("cpu", "cuda"):
            model.loss(pixels.to(at), digits.to(at)).backward()
            if not recurrent:
                assert model.evidence(pixels.to(at)).device.type == "cuda"


def test_the_command_line(tmp_path, capsys):
    from attn_own import command

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


# ---- exercises: a check draws on the CPU, and an answer may compute where it likes

EXERCISES = [
    module.name
    for module in pkgutil.walk_packages(
        attn_class.exercises.__path__, prefix="attn_class.exercises."
    )
    if not module.ispkg and not module.name.endswith((".frame", ".calling"))
]
doubling = Exercise("double(x)")


@doubling.must("Every entry is twice that of x.", hint="Times two.")
def doubles(answer, draw):
    x = draw.normal(3)
    return answer.gives(2 * x, x=x)


doubling.must_pass_gradients(lambda x: 2 * x, lambda draw: {"x": draw.normal(3)})


def uploaded(result):
    if isinstance(result, list | tuple):
        return type(result)(map(uploaded, result))
    return result.to("cuda") if isinstance(result, torch.Tensor) else result


@pytest.mark.parametrize("name", EXERCISES)
def test_a_right_answer_may_come_from_the_gpu(name):
    exercise = importlib.import_module(name)
    with PretendedGpu():
        verdict = exercise.check(lambda *inputs: uploaded(exercise.solution(*inputs)), seed=3)
    assert verdict.status == "right", verdict


def test_gradients_come_back_from_the_gpu():
    with PretendedGpu():
        assert doubling.check(lambda x: 2 * x.to("cuda")).status == "right"


@pytest.mark.parametrize(
    "answer", [lambda x: x + torch.ones(3, device="cuda"), lambda x: (2 * x.to("cuda")).numpy()]
)
def test_what_is_elsewhere_than_the_inputs_is_told_as_that(answer):
    with PretendedGpu():
        verdict = doubling.check(answer)
    assert verdict.failed == "runs"
    assert "device=x.device" in verdict.hint


def test_a_check_has_its_inputs_on_the_cpu_whatever_the_default():
    with torch.device("meta"):
        assert doubling.check(lambda x: x + x).status == "right"
        assert doubling.check(lambda x: x * torch.tensor(2.0)).status == "right"


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
