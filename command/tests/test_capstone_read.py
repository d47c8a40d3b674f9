"""Several answers to a text, texts that the training had, devices, and a model from Python."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from capstone_corpora import ALONE, pairs, written

from attn_course import search, training
from attn_own import designs, devices, load, questions, trained
from attn_own.command import main
from attn_own.own_corpus import TEST, part_of
from attn_own.text_map import text_map
from attn_own.wording import Refusal

pytestmark = pytest.mark.slow

MODELS = {model: [*ALONE, "--model", model] for model in designs.MODELS}
MODELS |= {"two": [*ALONE, "--ensemble", "2"], "few": []}  # the last as few pairs are trained
NOTE = "in training or validation, so a right answer may be memory, not skill."
NEW = [source for source, _ in pairs() if part_of(source, 0) == TEST]
README = Path(__file__).parents[2] / "README.md"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A folder for each model, for two together, and for five, guided, with four beams."""
    corpus = written(tmp_path_factory.mktemp("corpus") / "corpus.tsv", pairs())
    small = ["--size", "8", "--epochs", "2", "--batch", "32"]
    paths = {name: corpus.with_name(f"corpus-{name}") for name in MODELS}
    for name, options in MODELS.items():
        assert main(["train", str(corpus), *small, *options, "--into", str(paths[name])]) == 0
    return paths


# ---- several answers


def rows_of(output):
    return [line.split("\t") for line in output.out.splitlines()]


@pytest.mark.parametrize("name", MODELS)
def test_the_best_answers_are_those_of_the_beam_likeliest_first(folders, say, name):
    rows = rows_of(say("read", folders[name], "--beams", 4, "--best", 3, "--tsv", *NEW[:2]))
    model = load(folders[name])
    for at, text in enumerate(NEW[:2]):
        source = torch.tensor([model.source_vocabulary.encode(text)])
        length = torch.tensor([len(text)])
        (ended,) = search.beam(model.model, source, length, 4, model.longest)
        answers = [model.target_vocabulary.decode(one.symbols) for one in ended[:3]]
        own = rows[3 * at : 3 * at + 3]
        assert [row[:2] for row in own] == [[text, answer] for answer in answers]
        assert [row[3] for row in own] == ["1", "2", "3"]
        for row, one in zip(own, ended, strict=False):
            assert float(row[2]) == pytest.approx(np.exp(one.log_probability), abs=1e-4)
    assert len(rows) == 6
    assert len({answer for _, answer, *_ in rows[:3]}) == 3


def test_probabilities_are_those_of_whole_answers(folders):
    model = load(folders["luong"])
    for candidate in model.best(NEW[0], 5):
        answer = search.Answer(candidate.text, candidate.weights, np.ones(len(candidate.text)))
        if model.was_cut(candidate):
            continue
        symbols = torch.tensor([model.target_vocabulary.encode(candidate.text, end=True)])
        source = torch.tensor([model.source_vocabulary.encode(NEW[0])])
        logits, _ = model.model(source, torch.tensor([len(NEW[0])]), symbols)
        probabilities = logits.softmax(dim=-1).gather(-1, symbols.unsqueeze(-1))
        assert candidate.probability == pytest.approx(probabilities.prod().item(), rel=1e-3)
        assert answer.weights.shape == (len(candidate.text), len(NEW[0]))


def test_without_a_number_there_is_one_answer_and_no_rank(folders, say):
    (row,) = rows_of(say("read", folders["two"], "--tsv", NEW[0]))
    assert len(row) == 3
    (ranked,) = rows_of(say("read", folders["two"], "--tsv", "--best", 1, NEW[0]))
    assert ranked[3:] == ["1"]
    printed = say("read", folders["two"], "--best", 2, "--beams", 6, NEW[0]).out.splitlines()
    assert printed[0].startswith(f"{NEW[0]} → ")
    assert re.match(r"  2\. \S+   \(\d+% sure", printed[1])


def test_the_map_is_that_of_the_likeliest(folders, say, monkeypatch):
    looks = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
    first, second = (trained.Candidate("A", look, 0.5) for look in looks)
    monkeypatch.setattr(trained.Trained, "best", lambda *_: [first, second])
    printed = say("read", folders["two"], "--best", 2, "cb").out.splitlines()
    assert "\n".join(printed[2:-1]) == text_map([*"cb"], ["A"], first.weights)


def test_a_text_that_cannot_be_read_has_one_row_as_wide_as_the_others(folders, say):
    best = ["--tsv", "--best", 2, "--beams", 6]
    rows = rows_of(say("read", folders["two"], *best, stdin=f"\n{NEW[0]}\n"))
    assert [len(row) for row in rows] == [4, 4, 4]
    assert rows[0] == [""] * 4


def test_more_answers_take_more_beams_and_fewer_beams_are_refused(folders, say):
    for options in ([], ["--beams", 5]):
        rows = rows_of(say("read", folders["luong"], "--tsv", "--best", 5, *options, NEW[0]))
        assert len(rows) == 5
    output = say("read", folders["luong"], "--beams", 2, "--best", 3, NEW[0], code=2).err
    assert output == "--best 3 needs --beams 3 or more; got --beams 2.\n"


def test_beams_alone_change_the_search_and_not_the_format(folders, say):
    model = load(folders["luong"])
    wide = [model.best(text, 1, beams=5)[0].text for text in NEW]
    rows = rows_of(say("read", folders["luong"], "--tsv", "--beams", 5, *NEW))
    assert [row[1] for row in rows] == wide
    assert model.read(NEW) != wide


# ---- memory is no skill


def test_read_marks_texts_of_training_and_validation(folders, say):
    model, sources = load(folders["luong"]), [source for source, _ in pairs()]
    assert model.has_seen(sources).tolist() == [source not in NEW for source in sources]
    assert model.has_seen([f" {sources[0]} ", "abcabcabc"]).tolist() == [
        sources[0] not in NEW,
        False,
    ]
    known = next(source for source in sources if source not in NEW)
    output = say("read", folders["luong"], NEW[0], known)
    assert output.err == f"Text 2: {NOTE}\n"


# ---- devices


class AnotherDevice(Exception):
    """A model went to a device that this machine does not have."""


@pytest.fixture
def two_gpus(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "get_rng_state", lambda *_: torch.zeros(16, dtype=torch.uint8))
    monkeypatch.setattr(torch.cuda, "set_rng_state", lambda *_: None)


def test_a_device_that_is_not_there_is_refused_with_those_that_are(two_gpus, folders, say):
    assert devices.named_device("auto") is None
    for name in ("cpu", "cuda", "cuda:0", "cuda:1"):
        assert devices.named_device(name) == torch.device(name)
    for name in ("cuda:2", "mps", "gpu", ""):
        with pytest.raises(Refusal, match=r"expected auto, cpu, cuda, cuda:0, cuda:1$"):
            devices.named_device(name)
    for command in (["read", folders["two"], "ab"], ["report", folders["two"]], ["train", "a.tsv"]):
        assert "there is no device “mps” here" in say(*command, "--device", "mps", code=2).err


def test_the_mac_gpu_is_there_where_torch_has_it(monkeypatch):
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert devices.named_device("mps") == torch.device("mps")


def test_a_model_goes_to_the_device_that_is_named(two_gpus, folders, monkeypatch, say, tmp_path):
    def to(_, device):
        raise AnotherDevice(str(device))

    monkeypatch.setattr(torch.nn.Module, "to", to)
    for command in (["read", folders["two"], "ab"], ["report", folders["two"]]):
        with pytest.raises(AnotherDevice, match="cuda:1"):
            say(*command, "--device", "cuda:1")
    with pytest.raises(AnotherDevice, match="cuda:1"):
        load(folders["two"], "cuda:1")
    corpus = written(tmp_path / "a.tsv", pairs())
    with pytest.raises(AnotherDevice, match="cuda:1"):
        say("train", corpus, "--device", "cuda:1")
    assert training.device().type != "cuda:1"


def test_the_device_is_the_chosen_one_only_inside():
    before = training.device()
    with training.on_device(torch.device("meta")):
        assert training.device().type == "meta"
        with training.on_device(None):
            assert training.device() == before
        assert training.device().type == "meta"
    assert training.device() == before


def test_texts_go_to_where_the_model_is(folders, monkeypatch):
    model = load(folders["luong"])
    with torch.no_grad():
        elsewhere = model._replace(model=model.model.to("meta"))
    assert [part.device.type for part in elsewhere._encoded("abc")] == ["meta", "meta"]
    batches = []
    monkeypatch.setattr(questions, "walked", lambda _, batch, __: batches.append(batch) or 1 / 0)
    listed = [SimpleNamespace(source="ab", target="AB")]
    vocabularies = model.source_vocabulary, model.target_vocabulary
    with pytest.raises(ZeroDivisionError):
        questions.ask(elsewhere.model, listed, *vocabularies)
    assert {part.device.type for part in batches[0] if part is not None} == {"meta"}


# ---- from Python


def test_the_lines_in_the_readme_load_a_model_and_ask_it(folders, monkeypatch, capsys):
    _, code = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.M | re.S)
    assert len(code.splitlines()) <= 5
    monkeypatch.chdir(folders["bahdanau"].parent)
    exec(code, {})
    first = capsys.readouterr().out.splitlines()[0]
    assert first == repr(load("corpus-bahdanau").read(["Jan 7, 2033", "a text of yours"]))


def test_one_text_is_no_list_of_texts(folders):
    model = load(str(folders["luong"]))
    with pytest.raises(TypeError, match="a list of texts; got the text 'abc'"):
        model.read("abc")
    assert model.read(["abc"]) == [model.ask(["abc"])[0].text]
    with pytest.raises(trained.Refusal, match="there is no folder nowhere"):
        load("nowhere")
