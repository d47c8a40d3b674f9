"""``python -m attn_course``: train, read, resume after a kill, and what is refused."""

import errno
import os
import re
import shlex
import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from capstone_corpora import ALONE, pairs, written

from attn_course import __version__, search, training
from attn_course.symbols import END
from attn_own import actions, command, designs, fitting, folder, trained
from attn_own.fitting import PATIENCE, Session, epochs_for
from attn_own.lines import Reading
from attn_own.options import _parser
from attn_own.own_corpus import TEST, TRAINING, Files, part_of, read_corpus
from attn_own.text_map import text_map

pytestmark = pytest.mark.slow

SMALL = [*ALONE, "--size", "8", "--epochs", "2", "--batch", "32"]
ALWAYS = ["--keep-every", "0.001"]
NAMES = ("example", "train", "read", "report")
NEW = [source for source, _ in pairs() if part_of(source, 0) == TEST][:2]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return written(tmp_path_factory.mktemp("corpus") / "words.tsv", pairs())


@pytest.fixture(scope="module")
def folders(corpus):
    """A folder for each model, trained by the command line for a few steps."""
    paths = {}
    for model in designs.MODELS:
        paths[model] = corpus.with_name(f"words-{model}")
        assert command.main(["train", str(corpus), "--model", model, *SMALL]) == 0
    return paths


@pytest.fixture
def read(say, folders):
    def run(*texts, model="bahdanau", **options):
        return say("read", folders[model], *texts, **options)

    return run


def files_in(where):
    """What a folder holds, besides the lock."""
    return sorted(path.name for path in where.iterdir() if path.name != "lock")


def card(where):
    return (where / "report.html").read_text("utf-8")


def as_one(one, other):
    """Two trainings that came to the same, and left the same files."""
    assert files_in(one) == files_in(other)
    models = [trained.load(path) for path in (one, other)]
    assert models[0].history == models[1].history
    for mine, theirs in zip(*(model.model.parameters() for model in models), strict=True):
        assert torch.equal(mine, theirs)


# ---- train and read


@pytest.mark.parametrize("model", designs.MODELS)
def test_a_trained_model_reads_as_it_did_before_it_was_saved(folders, model, read):
    assert files_in(folders[model]) == ["choices.json", "left-out.txt", "model.pt", "test.tsv"]
    loaded = trained.load(folders[model])
    assert loaded.choices["model"] == model
    output = read("abc", "e\u0301d", model=model).out
    for text, answer in zip(("abc", "éd"), loaded.ask(["abc", "éd"]), strict=True):
        assert f"{text} → {answer.text or '(nothing)'}" in output


SPACED = [(" ".join(source), " ".join(target)) for source, target in pairs()]
REPORTED = {  # rows, options, what the training prints, and what the card contains
    "lines left out": (
        [*pairs(), "one column", "x\ty\tz\t\t5"],
        SMALL,
        [
            "a.tsv: 150 pairs,",
            "2 lines are left out:\n  line 151: no tab between source and target\n",
            "s left",
            "are exactly right; with many more of them",
        ],
        [],
    ),
    "one epoch of one step": (
        pairs(least=4, most=4),
        [*ALONE, "--size", "8", "--epochs", "1", "--batch", "999"],
        [": 1 epoch of 1 step.\n"],
        ["1 epoch of batches of 999, 1 step, "],
    ),
    "repeats": (
        [*pairs(), *pairs()[:3], *pairs()[:2]],
        SMALL,
        ["Repeats of an earlier pair, each of which counts: 5."],
        ['<th scope="row">Pairs that repeat an earlier one</th><td>5</td>'],
    ),
    "words that never come again": (
        [(source, target) for (source, _), (_, target) in zip(pairs(), SPACED, strict=True)],
        ["--words", *SMALL],
        [
            "19 of the 19 test pairs (100.0%) have a source with symbols that the training",
            "--words target reads sources by letters",
        ],
        [],
    ),
    "how it was read": (
        [("e\u0301x", "Y", "g", "0-0 1-0"), *pairs()],
        SMALL,
        [
            "The first pair: “éx” → “Y”, group “g”, 1 link. The model does not read groups",
            "1 line had text that was composed (NFC)",
        ],
        [],
    ),
    "few": (pairs()[:12], SMALL, ["12 pairs are very few"], []),
}


@pytest.mark.parametrize("name", REPORTED)
def test_training_and_card_report_what_is_known_of_the_corpus(tmp_path, say, name):
    rows, options, words, on_the_card = REPORTED[name]
    output = say("train", written(tmp_path / "a.tsv", rows), *options).out
    say("report", tmp_path / "a-bahdanau")
    assert [phrase for phrase in words if phrase not in output] == []
    assert [phrase for phrase in on_the_card if phrase not in card(tmp_path / "a-bahdanau")] == []


def test_training_and_card_report_the_ceiling_of_the_test_pairs(tmp_path, say):
    words = pairs()
    tested = [pair for pair in words if part_of(pair[0], 0) == TEST]
    others = [pair for pair in words if part_of(pair[0], 0) != TEST]
    shared = [(source, target + "A") for source, target in (tested[0], *others[:3])]
    output = say("train", written(tmp_path / "a.tsv", [*words, *shared]), *SMALL).out
    assert "8 of the pairs share their source with a pair that has another target." in output
    say("report", tmp_path / "a-bahdanau")
    count = len(tested) + 1
    for sentence in (
        f"2 of the {count} test pairs ({2 / count:.1%}) share their source",
        f"So no model can get more than {len(tested) / count:.1%} of the test pairs right.",
    ):
        assert sentence in output
        assert sentence in card(tmp_path / "a-bahdanau")
    output = say("train", written(tmp_path / "b.tsv", [*words, *shared[1:]]), *SMALL).out
    assert "6 of the pairs share" in output
    assert "no model can" not in output


def test_other_groups_and_links_need_no_other_training(tmp_path, say):
    path, into = written(tmp_path / "a.tsv", pairs()), tmp_path / "m"
    say("train", path, *SMALL, "--into", into)
    say("report", into)
    before, old = (into / "model.pt").read_bytes(), card(into)
    written(
        path, [(source, target, "a group", f"{len(source) - 1}-0") for source, target in pairs()]
    )
    output = say("train", path, *SMALL, "--into", into).out
    assert "already holds this training" in output
    assert "Groups or links have changed: the test pairs are written anew." in output
    assert (into / "model.pt").read_bytes() == before
    stored = trained.load_test(into, Reading())
    assert stored
    assert all(pair.links == ((len(pair.source) - 1, 0),) for pair in stored)
    assert {pair.group for pair in stored} == {"a group"}
    assert ["<bdi>a group</bdi>" in text for text in (old, card(into))] == [False, True]
    assert "have changed" not in say("train", path, *SMALL, "--into", into).out


def test_a_pipe_needs_a_folder_and_is_read_once(tmp_path, say):
    text = "".join(f"{a}\t{b}\tg{at % 5}\n" for at, (a, b) in enumerate(pairs())).encode()

    def piped(*options, **ending):
        reading, writing = os.pipe()
        os.write(writing, text)
        os.close(writing)
        output = say("train", f"/dev/fd/{reading}", *SMALL, *options, **ending)
        os.close(reading)
        return output

    assert "name a folder with --into" in piped(code=2).err
    output = piped("--into", tmp_path / "m", "--split-by", "group").out
    assert "150 pairs, 90 for training" in output


def test_two_models_are_compared_on_the_same_pairs(folders, corpus, tmp_path, say):
    one, other, into = folders["bahdanau"], folders["luong"], tmp_path / "card.html"
    output = say("report", one, "--against", other, "--into", into, "--json", tmp_path / "n").out
    assert folder.read_json(tmp_path / "n")["rivals"][-1]["name"] == f"the model in {other}"
    assert f"The model in {other} gets " in output
    assert "(exact sign test, p = " in output or "nothing to compare" in output
    assert "Beside another model" in into.read_text("utf-8")
    say("train", corpus, *SMALL, "--seed", 1, "--into", tmp_path / "m")
    output = say("report", one, "--against", tmp_path / "m", code=2).err
    assert "belong to the training or validation of the model in" in output


def test_a_report_on_other_pairs_finds_columns_by_their_names(folders, tmp_path, say):
    rows = [("n", "out", "in"), *[("7", target, source) for source, target in pairs()[:20]]]
    test = written(tmp_path / "n.tsv", rows)
    numbers = ["--json", tmp_path / "n.json", "--into", tmp_path / "n.html"]
    say("report", folders["luong"], "--on", test, "--columns", "in,out", *numbers)
    pair = folder.read_json(tmp_path / "n.json")["pairs"][0]
    assert pair["source"].upper() == pair["target"]
    output = say("report", folders["luong"], "--on", test, *numbers).err
    assert "n.tsv: The first pair: “n” → “out”, group “in”, no links. The model does not" in output
    assert "n.tsv: Column 3, the group, is another one in nearly every line" in output
    wide = written(tmp_path / "w.tsv", [(*row, *row) for row in rows])
    output = say("report", folders["luong"], "--on", wide, code=2).err
    assert "such as --columns 5,6" in output
    output = say("report", folders["luong"], "--on", test, "--columns", "in,aus", *numbers, code=2)
    assert "has no column “aus”: the names in its header are “n”, “out”, “in”" in output.err


def test_a_report_on_other_pairs_counts_those_of_the_training(folders, tmp_path, say):
    known = [row for row in pairs() if part_of(row[0], 0) == TRAINING][:3]
    test = written(tmp_path / "t.tsv", [*known, ("aaaaŵ", "X"), ("bbbbbb", "BBBBBB"), "no tab"])
    report = ["report", folders["luong"], "--on", test]
    assert "Left out of t.tsv: line 6: no tab" in say(*report).err
    path = folders["luong"] / "report-t.html"
    for sentence in (
        "3 of the 5 test pairs (60.0%) have a source that is in training or validation",
        "1 of the 5 test pairs (20.0%) have a source with symbols that",
        "tested on t.tsv",
    ):
        assert sentence in path.read_text("utf-8")
    path.unlink()
    for lost, more in ((10, []), (12, ["and 2 more"])):
        written(test, [*known, *["no tab"] * lost])
        lines = say(*report, "--anyway").err.splitlines()
        assert [line for line in lines if re.fullmatch(r"and \d+ more", line)] == more


@pytest.mark.parametrize("ensemble", [1, 2])
def test_the_probability_of_an_answer_is_that_of_its_end_too(corpus, tmp_path, say, ensemble):
    into = tmp_path / "m"
    say("train", corpus, *SMALL, "--ensemble", ensemble, "--into", into)
    model = trained.load(into)
    readouts = [member.decoder.readout for member in getattr(model.model, "members", [model.model])]

    def writes(end):
        """Whatever was read, A or the end, at these odds."""
        with torch.no_grad():
            for readout in readouts:
                readout.weight.zero_()
                readout.bias.fill_(-99.0)
                readout.bias[model.target_vocabulary.encode("A")[0]] = 0.0
                readout.bias[END] = np.log(end)
        (answer,) = model.ask(["abc"])
        return answer, model.probability("abc", answer)

    answer, sure = writes(end=3.0)
    assert (answer.text, sure) == ("", pytest.approx(0.75))
    answer, sure = writes(end=1 / 9)
    assert answer.text == "A" * model.longest
    assert sure == pytest.approx(0.9**model.longest, rel=1e-3)
    trained.save(model, into)
    cut = f"cut off at {model.longest} symbols"
    assert f"% sure, {cut})" in say("read", into, "abc").out
    assert say("read", into, "--tsv", "abc").err == f"Text 1: the answer is {cut}.\n"
    say("report", into)
    assert f"({cut}), not " in card(into)


UNKNOWN = "never seen in training, and read as “unknown”"


def test_read_prints_what_is_odd_about_a_text(read, folders, corpus, monkeypatch):
    monkeypatch.chdir(corpus.parent)
    longest = trained.load(folders["bahdanau"]).facts["longest_source"]
    assert longest == max(len(source) for source, _ in pairs() if part_of(source, 0) == TRAINING)
    for text, message in {
        "aŵbŵ": f"{UNKNOWN}: “ŵ”\n",
        "a\x1b[\rb": f"{UNKNOWN}: “\\x1b”, “[”, “\\r”\n",
        "a" * (longest + 1): "longer than any source in training: the longest has "
        f"{longest} symbols.\n",
    }.items():
        output = read("a" * longest, text)
        assert output.err == f"Text 2: {message}"
        assert "unknown" not in output.out
        assert not set(output.out + output.err) & {"\x1b", "\r"}
    output = read("words.tsv", "abc")
    assert "Text 1 is the name of a file, but read as a text: < words.tsv reads its" in output.err
    assert "Text 2 is" not in output.err
    assert "words.tsv → " in output.out
    assert read("字" * 90).err.startswith(f"Text 1: {UNKNOWN}: “字”\n")
    assert read("ab\udcff", code=2).err == "Text 1 is not UTF-8.\n"


def test_words_can_be_symbols(tmp_path, say):
    say("train", written(tmp_path / "a.tsv", SPACED), *SMALL, "--words")
    output = say("read", tmp_path / "a-bahdanau", "a  b xx")
    assert "a b xx → " in output.out
    assert "read as “unknown”: “xx”" in output.err


def test_an_unknown_symbol_is_named_beside_the_one_that_the_training_has(tmp_path, say):
    say("train", written(tmp_path / "a.tsv", [(f"{a}\u00a0x", b) for a, b in pairs()]), *SMALL)
    assert say("read", tmp_path / "a-bahdanau", "ab x", "ab\u200bx").err == (
        f"Text 1: {UNKNOWN}: space (the training has no-break space (U+00A0) instead)\n"
        f"Text 2: {UNKNOWN}: zero width space (U+200B)\n"
    )


def test_texts_may_stand_before_an_option_and_after_it(read):
    lines = read("ab", "--no-map", "cd", "ba").out.split("\n")
    assert [line[:4] for line in lines if line] == ["ab →", "cd →", "ba →"]


@pytest.mark.parametrize(
    ("count", "steps"), [(40, 4000), (3200, 4000), (12_800, 8000), (80_000, 15 * 80_000 / 32)]
)
def test_few_pairs_are_trained_for_many_epochs_and_many_for_few(count, steps):
    class Counted(list):
        def count_batches(self, size):
            return -(-len(self) // size)

    listed = Counted(range(count))
    epochs = epochs_for(SimpleNamespace(training=listed), 32)
    assert steps <= epochs * listed.count_batches(32) < steps + listed.count_batches(32)


def test_the_defaults():
    assert _parser().parse_args(["train", "a.tsv"]).dropout == fitting.DROPOUT
    assert designs.usual("bahdanau", 3_999) == designs.MODELS["bahdanau"]
    for model, guide in (("bahdanau", 1), ("transformer", 1), ("fixed_context", 0)):
        assert designs.usual(model, 2_000)[-3:] == (0, 1, 1)
        assert designs.usual(model, 1_999)[-3:] == (guide, 5, 4)
    assert designs.usual("luong", 4_000)[:2] == (128, 3e-3)
    assert designs.usual("transformer", 4_000) == designs.MODELS["transformer"]


PHONES = [(source, " ".join(source)) for source, _ in pairs()]
TINY = ["--size", "8", "--epochs", "1", "--batch", "99"]
FIRST = {"ensemble": 1, "guide": 0.0, "beams": 1, "words": "none"}


def test_few_pairs_get_help_and_the_output_names_it(tmp_path, say):
    path = written(tmp_path / "a.tsv", PHONES)
    text = say("train", path, *TINY).out
    choices = trained.load(tmp_path / "a-bahdanau").choices
    assert choices | {"ensemble": 5, "guide": 1, "beams": 4, "words": "target"} == choices
    assert "is on: --ensemble 5 --guide 1 --beams 4. 5 models answer together" in text
    assert "5 times as long as --ensemble 1. Attention is taught where to look" in text
    assert "Targets are read as symbols with spaces between them" in text
    say("report", tmp_path / "a-bahdanau")
    assert "Attention was taught where to look" in card(tmp_path / "a-bahdanau")


def test_an_explicit_option_wins(tmp_path, say):
    path = written(tmp_path / "a.tsv", PHONES)
    text = say("train", path, *TINY, "--ensemble", 2, "--guide", 0, "--words", "none").out
    choices = trained.load(tmp_path / "a-bahdanau").choices
    assert choices | {"ensemble": 2, "guide": 0, "beams": 4, "words": "none"} == choices
    assert "is on: --beams 4." in text
    for never in ("answer together", "taught where", "spaces between"):
        assert never not in text
    text = say("train", path, *TINY, *ALONE, "--into", tmp_path / "alone").out
    assert "is on" not in text
    text = say("train", path, *TINY, "--words", "both", "--model", "fixed_context").out
    assert "is on: --ensemble 5 --beams 4." in text
    assert "spaces between" not in text


def test_too_many_symbols_for_a_guide_leave_it_off(tmp_path, say, monkeypatch):
    monkeypatch.setattr(actions, "MOST_ENTRIES", 50)
    say("train", written(tmp_path / "a.tsv", PHONES), *TINY)
    assert trained.load(tmp_path / "a-bahdanau").choices["guide"] == 0


@pytest.mark.parametrize("left", ["checkpoint.pt", "model.pt"])
def test_a_training_of_other_defaults_goes_on_with_them(tmp_path, say, killed, monkeypatch, left):
    path, into = written(tmp_path / "a.tsv", PHONES), tmp_path / "m"
    first = ["train", path, "--size", "8", "--batch", "32", "--into", into]
    with monkeypatch.context() as patch:  # as that version did
        patch.setattr(actions, "DEFAULTS", {})
        alone = [*first, *ALONE, "--epochs", "9", "--words", "none"]
        say(*alone) if left == "model.pt" else killed(left, *alone, *ALWAYS)
    text = say(*first).out
    assert ("already holds this training" if left == "model.pt" else "Resuming after") in text
    assert "is on" not in text
    assert trained.load(into).choices | FIRST == trained.load(into).choices
    assert "other settings (guide)" in say(*first, "--guide", 1, code=2).err


def test_the_weights_with_most_right_are_kept_and_waiting_ends(monkeypatch):
    losses = iter([3.0, 1.0, 1.5, 1.2, *[2.0] * PATIENCE])
    scores = iter([0.1, 0.3, 0.4, 0.4, *[0.2] * PATIENCE])  # the third and fourth alike
    monkeypatch.setattr(fitting, "loss_on", lambda *_: next(losses))
    monkeypatch.setattr(fitting, "right_share", lambda *_: next(scores))
    monkeypatch.setattr(fitting, "Corpus", lambda *_: [])
    corpus = SimpleNamespace(validation=[], source_vocabulary=None, target_vocabulary=None)
    session, model = Session(corpus, None, {}), torch.nn.Linear(1, 1)
    for step in range(3 + PATIENCE):
        torch.nn.init.constant_(model.weight, step)
        session.validate(model)
        assert not session.waited_enough
    session.validate(model)
    assert session.waited_enough
    assert session.best["weight"].item() == 3.0


def test_a_training_that_only_gets_worse_ends_early_with_its_best_weights(tmp_path, say):
    shuffled = [
        (source, "".join(reversed(other)))
        for (source, _), (_, other) in zip(pairs(), reversed(pairs()), strict=True)
    ]
    path = written(tmp_path / "a.tsv", shuffled)  # there is nothing to learn but by heart
    options = [*ALONE, "--size", "32", "--epochs", "60", "--batch", "16", "--dropout", "0"]
    output = say("train", path, *options, "--rate", "0.01").out
    model, read = trained.load(tmp_path / "a-bahdanau"), read_corpus(Files(path))
    losses, steps = model.history["validation_losses"], len(model.history["losses"])
    best, least = trained.best_check(model.history["scores"], losses), losses.index(min(losses))
    assert len(losses) - 1 - max(best, least) == PATIENCE
    assert model.facts["steps"] == steps < 60 * read.training.count_batches(16)
    assert f"was lowest at step {model.history['checked_at'][least]:,}" in output
    loss = fitting.loss_on(model.model, Session(read, None, {}).pairs)
    assert loss == pytest.approx(losses[best])


def test_the_output_reports_that_the_loss_was_still_falling(corpus, tmp_path, say):
    options = [*ALONE, "--size", "8", "--batch", "32"]
    output = say("train", corpus, *options, "--epochs", "4", "--into", tmp_path / "m").out
    losses = trained.load(tmp_path / "m").history["validation_losses"]
    assert losses[-1] < min(losses[:-1])
    assert "was still falling at the end: a longer training may" in output
    # what is advised can be done
    advised = output.split("well do better (")[1].split(")")[0].split()
    assert advised == ["--epochs", "8", "--into", "words-bahdanau-8-epochs"]
    advised[-1] = str(tmp_path / advised[-1])
    say("train", corpus, *options, *advised)
    assert trained.load(tmp_path / "words-bahdanau-8-epochs").choices["epochs"] == 8


@pytest.mark.parametrize("other", [["--epochs", "3"], ["--seed", "1"], ["--rate", "search"]])
def test_a_refusal_names_a_folder_that_is_free(folders, corpus, say, monkeypatch, other):
    monkeypatch.setattr(fitting, "RATES", (1e-2,))
    output = say("train", corpus, *SMALL, *other, code=2).err
    assert f"with other settings ({other[0][2:]}): choose another folder, such as --into" in output
    into = output.split("such as ")[1].rstrip(".\n").split()
    say("train", corpus, *SMALL, *other, *into)


# ---- several models


def test_an_ensemble_is_trained_from_several_seeds_and_answers_together(corpus, tmp_path, say):
    into = tmp_path / "m"
    output = say("train", corpus, *SMALL, "--ensemble", 2, "--into", into).out
    assert "2 epochs of" in output
    assert ", 2 times." in output
    assert files_in(into) == ["choices.json", "left-out.txt", "model.pt", "test.tsv"]
    loaded = trained.load(into)
    assert len(loaded.model.members) == 2
    for seed, member in enumerate(loaded.model.members):
        choices = loaded.choices | {"seed": seed, "ensemble": 1}
        place = _folder(tmp_path / f"{seed}")
        alone = fitting.fit(read_corpus(Files(corpus)), choices, place).model
        for one, two in zip(member.parameters(), alone.parameters(), strict=True):
            assert torch.equal(one, two)
    assert f"abc → {loaded.ask(['abc'])[0].text or '(nothing)'}" in say("read", into, "abc").out
    say("report", into)
    assert "2 models that answer together" in card(into)
    assert "The first of the 2 models" in card(into)


def test_the_card_names_the_beam_that_training_chose(corpus, tmp_path, say):
    into = tmp_path / "m"
    say("train", corpus, *SMALL, "--beams", 3, "--into", into)
    model, texts = trained.load(into), ["abc", "dé", "eacba", "bb"]
    best = [answer.text for answer in model.ask(texts)]
    for text, answer in zip(texts, best, strict=True):
        source, length = model.source_vocabulary.encode(text), torch.tensor([len(text)])
        ((first, *_),) = search.beam(model.model, torch.tensor([source]), length, 3, model.longest)
        assert answer == model.target_vocabulary.decode(first.symbols)
    greedy = model._replace(choices=model.choices | {"beams": 1}).ask(texts)
    assert [answer.text for answer in greedy] != best
    rows = say("read", into, "--tsv", *texts).out.splitlines()
    assert [row.split("\t")[1] for row in rows] == best
    say("report", into)
    assert "beam search, with 3 beams" in card(into)
    assert "elsewhere answers are the best of a beam of 3" in card(into)


def test_a_search_takes_the_rate_of_the_smallest_loss(corpus, tmp_path, say, monkeypatch):
    monkeypatch.setattr(fitting, "RATES", (1e-6, 2e-2, 1e-5))
    output = say("train", corpus, *SMALL, "--rate", "search", "--into", tmp_path / "a").out
    assert "bahdanau, trying the rate 0.02 (2 of 3): step " in output
    assert "The best is 0.02." in output
    say("train", corpus, *SMALL, "--rate", "0.02", "--into", tmp_path / "b")
    searched, alone = (trained.load(tmp_path / name) for name in "ab")
    assert searched.facts["rate"] == 2e-2
    assert searched.history == alone.history
    tried = folder.read_json(tmp_path / "a" / "rates.json")
    checks = alone.history["scores"], alone.history["validation_losses"]
    assert tried["0.02"] == checks[1][trained.best_check(*checks)]
    validation_pairs = Session(read_corpus(Files(corpus)), None, {}).pairs
    assert tried["0.02"] == fitting.loss_on(alone.model, validation_pairs)
    assert files_in(tmp_path / "a") == [*files_in(tmp_path / "b")[:-1], "rates.json", "test.tsv"]


def test_a_best_rate_at_the_edge_names_the_next(corpus, tmp_path, say, monkeypatch):
    monkeypatch.setattr(fitting, "RATES", (1e-6, 2e-2))
    output = say("train", corpus, *SMALL, "--rate", "search", "--into", tmp_path / "m").out
    assert "It is the highest rate tried: try --rate 0.04 too." in output


# ---- help


@pytest.mark.parametrize("arguments", ["", "--help", *(f"{name} --help" for name in NAMES)])
def test_help_teaches(arguments, say):
    output = say(*arguments.split()).out
    assert len(output.split()) > 35
    assert max(map(len, output.splitlines())) < 110


def test_the_version_is_that_of_the_textbook(say):
    assert say("--version").out == f"attn-course {__version__}\n"


def test_the_example_is_written_and_trained_and_no_other_file_is_overwritten(
    tmp_path, say, monkeypatch
):
    path, trainings = tmp_path / "dates.tsv", []
    monkeypatch.setattr(actions, "train", trainings.append)
    for _ in range(2):
        say("example", path)
    assert path.read_text("utf-8").startswith("Jan 7, 2033\t2033-01-07\tyMMMd\n")
    assert [options.corpus for options in trainings] == [path, path]
    assert all(vars(options) | FIRST == vars(options) for options in trainings)
    path.write_text("mine")
    say("example", path, code=2)
    assert path.read_text() == "mine"


# ---- resuming

STOPPED = {  # options of the training, the file after which it is killed, and what is printed later
    "alone": ([], "checkpoint.pt", ["Resuming after step"], ""),
    "an ensemble trains no member twice": (
        ["--ensemble", "2"],
        "checkpoint-2.pt",
        ["Resuming after step", "bahdanau, 2 of 2"],
        "bahdanau, 1 of 2",
    ),
    "a search goes on in the middle of a rate": (
        ["--rate", "search"],
        "trying-0.003.pt",
        ["Resuming after step", "trying the rate 0.003"],
        "trying the rate 0.0015",
    ),
}


@pytest.mark.parametrize("name", STOPPED)
def test_a_killed_training_goes_on_and_ends_as_one_that_was_not(
    corpus, tmp_path, say, killed, monkeypatch, name
):
    options, checkpoint, messages, never = STOPPED[name]
    where, whole = tmp_path / "killed", tmp_path / "whole"
    monkeypatch.setattr(fitting, "RATES", (0.0015, 0.003, 0.006))
    killed(checkpoint, "train", corpus, *SMALL, *ALWAYS, *options, "--into", where)
    assert "model.pt" not in files_in(where)
    assert checkpoint in files_in(where)
    output = say("train", corpus, *SMALL, *options, "--into", where).out
    places = [output.index(message) for message in messages]
    assert places == sorted(places)
    assert not never or never not in output
    say("train", corpus, *SMALL, *options, "--into", whole)
    as_one(where, whole)
    if "search" in options:
        tried = [folder.read_json(path / "rates.json") for path in (where, whole)]
        assert tried[0] == tried[1]


@pytest.mark.parametrize(
    ("options", "checkpoint"), [([], "checkpoint.pt"), (["--rate", "search"], "trying-0.0015.pt")]
)
def test_an_interrupt_keeps_the_state_and_exits_with_130(
    corpus, tmp_path, say, once_saved, options, checkpoint
):
    where = tmp_path / "m"
    once_saved(checkpoint, lambda: signal.raise_signal(signal.SIGINT))
    output = say("train", corpus, *SMALL, *ALWAYS, *options, "--into", where, code=130).err
    assert "the same command goes on" in output
    assert files_in(where) == sorted([checkpoint, "choices.json", "left-out.txt", "test.tsv"])
    assert len(folder.read_tensors(where / checkpoint)["state"]["history"]["losses"]) >= 1
    assert "did not finish: run the same command again" in say("read", where, "ab", code=2).err


@pytest.mark.parametrize(("name", "goes_on"), [("train", True), ("example", True), ("read", False)])
def test_only_a_training_offers_to_go_on(name, goes_on, monkeypatch, say):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(actions, name, interrupted)
    output = say(name, *["anything"] * (name != "example"), code=130).err
    assert ("the same command goes on" in output) == goes_on


def test_a_second_interrupt_stops_at_once(tmp_path, capsys):
    session, before = Session(None, tmp_path / "c.pt", {}), signal.getsignal(signal.SIGINT)
    with session.patient():
        os.kill(os.getpid(), signal.SIGINT)
        assert session.stop
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_checkpoint_of_another_training_is_not_taken_up(tmp_path):
    folder.write_tensors(tmp_path / "c.pt", {"choices": {"seed": 1}, "state": {}})
    with pytest.raises(folder.Refusal, match="belongs to another training"):
        Session(None, tmp_path / "c.pt", {"seed": 2}).begin()


def test_the_best_weights_so_far_are_kept_with_the_state(tmp_path):
    before, after = (Session(None, tmp_path / "c.pt", {"seed": 1}, 1e-9) for _ in range(2))
    before.losses, before.best = [2.0, 1.0, 3.0], {"weight": torch.ones(2)}
    before.scores = [0.1, 0.2, 0.2]
    state = {"history": {"losses": [1.0], "scores": before.scores}}
    before.after(7, lambda: state)
    assert after.begin() == state
    assert (after.losses, after.scores) == (before.losses, before.scores)
    assert torch.equal(after.best["weight"], before.best["weight"])


def test_a_folder_is_one_trainings_own(corpus, tmp_path, say):
    left = [".checkpoint.pt.7.part", "kept.part", "kept.pt"]
    for name in left:
        (_folder(tmp_path / "m") / name).touch()
    with folder.locked(tmp_path / "m"):
        assert files_in(tmp_path / "m") == left[1:]  # without what a killed training half wrote
        output = say("train", corpus, *SMALL, "--into", tmp_path / "m", code=2).err
    assert output == f"another training is running in {tmp_path / 'm'}.\n"
    assert files_in(tmp_path / "m") == left[1:]


# ---- bad input: a sentence, the exit code 2, and nothing half written


REFUSED = {
    "train": "corpus",
    "train a.tsv --model gpt": "invalid choice: 'gpt'",
    "train a.tsv --epochs 0": "whole number from 1 to 1,000,000; got '0'",
    "train a.tsv --epochs 1000001": "whole number from 1 to 1,000,000; got '1000001'",
    "train a.tsv --size 8.5": "whole number from 1 to 1,000,000; got '8.5'",
    "train a.tsv --rate nan": "expected a rate above 0 and at most 1",
    "train a.tsv --rate 0": "a rate above 0 and at most 1, or \"search\"; got '0'",
    "train a.tsv --rate 1.01": "a rate above 0 and at most 1",
    "train a.tsv --dropout 1": "share from 0 to below 1; got '1'",
    "train a.tsv --dropout x": "share from 0 to below 1; got 'x'",
    "train a.tsv --ensemble 0": "whole number from 1 to 99; got '0'",
    "train a.tsv --seed -1": "whole number from 0 to 4,294,967,295; got '-1'",
    "train a.tsv --keep-every 0": "a number of seconds above 0; got '0'",
    "train a.tsv --guide=-1": "expected a number from 0 to 100; got '-1'",
    "train a.tsv --guide=101": "expected a number from 0 to 100; got '101'",
    "train a.tsv --guide=nan": "expected a number from 0 to 100; got 'nan'",
    "train a.tsv --encoding utf-7": "such as windows-1252; got 'utf-7'",
    "train a.tsv --encoding klingon": "an encoding that Python knows, such as windows-1252; got",
    "train a.tsv --model transformer --size 20": "--size must be a multiple of 8 for a transformer",
    "train a.tsv --model fixed_context --guide 1": "--guide teaches attention, and fixed_context",
    "train ''": "argument corpus: expected a name; got an empty one",
    "train a.tsv --into ''": "argument --into: expected a name; got an empty one",
    "read ''": "argument folder: expected a name",
    "report m --into ''": "argument --into: expected a name",
    "read m --maps ab": "unrecognized arguments: --maps",
    "report m ab": "unrecognized arguments: ab",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_a_bad_option_is_refused(arguments, say):
    assert REFUSED[arguments] in say(*shlex.split(arguments), code=2).err


BAD_PLACES = [  # what lies at m, the command, and what it says
    (None, "train m", "there is no file m.\n"),
    (b"kept", "train {corpus} --into m", "m is a file; expected a folder to train into.\n"),
    (None, "read m ab", "there is no folder"),
    (None, f"read {'m' * 300} ab", "m cannot be opened: File name too long.\n"),
    (None, f"train {'m' * 300}", "m cannot be opened: File name too long.\n"),
    (b"", "read m ab", "is a file; expected the folder that train made"),
    ({}, "read m ab", "no model is in"),
    ({"model.pt": b"nonsense"}, "read m ab", "is damaged, or was not written by this program"),
    ({"model.pt": b""}, "read m ab", "cannot be read"),
    ({"model.pt": {"a": 1}}, "read m ab", "is not a model of"),
]


@pytest.mark.parametrize(("lies", "arguments", "words"), BAD_PLACES)
def test_a_bad_place_is_refused_in_a_sentence(
    corpus, tmp_path, monkeypatch, say, lies, arguments, words
):
    monkeypatch.chdir(tmp_path)
    files = (
        {"m": lies} if isinstance(lies, bytes) else {f"m/{name}": lies[name] for name in lies or ()}
    )
    if isinstance(lies, dict):
        (tmp_path / "m").mkdir()
    for name, contents in files.items():
        write = folder.write_whole if isinstance(contents, bytes) else folder.write_tensors
        write(tmp_path / name, contents)

    def there():
        return {path: path.is_dir() or path.read_bytes() for path in tmp_path.rglob("*")}

    before = there()
    assert words in say(*arguments.format(corpus=corpus).split(), code=2).err
    assert there() == before


def test_a_model_of_another_version_is_refused_in_a_sentence(folders, tmp_path, say):
    stored = folder.read_tensors(folders["bahdanau"] / "model.pt")
    for part, names in (("facts", trained.FACTS), ("choices", trained.CHOICES)):
        for name in names:
            lacking = {key: value for key, value in stored[part].items() if key != name}
            at = _folder(tmp_path / name)
            folder.write_tensors(at / "model.pt", stored | {part: lacking})
            output = say("read", at, "ab", code=2).err
            assert f"lacks {name}: train it again, into a new folder" in output, output


def _folder(at):
    at.mkdir(exist_ok=True)
    return at


def _full(*_, **__):
    raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate")


def _nan(model, *_):
    return next(model.parameters()).sum() * float("nan")


@pytest.mark.parametrize(
    ("place", "breaks", "options", "words"),
    [
        ((designs, "build"), _full, [], "not enough memory: try a smaller --batch or --size.\n"),
        ((training, "teacher_forced_loss"), _nan, [], "the training stopped: the loss is nan"),
        (
            (training, "teacher_forced_loss"),
            _nan,
            ["--rate", "search"],
            "stopped at each of the rates",
        ),
    ],
)
def test_a_failed_training_prints_why_and_frees_its_folder(
    corpus, tmp_path, say, monkeypatch, place, breaks, options, words
):
    with monkeypatch.context() as broken:
        broken.setattr(*place, breaks)
        failed = say(
            "train", corpus, *SMALL, *options, "--seed", 1, "--into", tmp_path / "m", code=2
        )
    assert words in failed.err
    if not options:
        say("train", corpus, *SMALL, "--into", tmp_path / "m")


@pytest.mark.parametrize(
    ("call", "write"), [("fsync", folder.write_tensors), ("replace", folder.write_json)]
)
def test_a_full_disk_leaves_the_old_file_as_it_was(tmp_path, monkeypatch, call, write):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "file"
    folder.write_whole(path, b"before")
    monkeypatch.setattr(os, call, full)
    with pytest.raises(folder.Refusal, match="file could not be written: No space left on device"):
        write(path, {})
    assert path.read_bytes() == b"before"
    assert files_in(tmp_path) == ["file"]


# ---- batches


def test_read_reports_the_texts_that_it_cannot_read(read):
    output = read("ab" * 51, code=2).err
    assert output == (
        "Text 1 has 102 symbols; this model was trained with --longest 100 and takes no more: "
        "skipped.\n1 text could not be read.\n"
    )
    assert "expected UTF-8" in read(stdin="ab\n".encode("utf-16"), code=2).err
    last = NEW[1]
    for texts in (["a", " ", last], []):
        output = read("--no-map", *texts, stdin=f"a\n\n{last}\n")
        rows = [line.partition(" →")[0] for line in output.out.splitlines()]
        assert rows == ["a", "", last]
        assert output.err == f"{'Text' if texts else 'Line'} 2 is empty: skipped.\n"


def test_no_line_of_a_batch_stops_the_rest_and_each_has_its_line(folders, read):
    first, last = NEW
    batch = f"\ufeff{first}\n" + "x" * 101 + f"\n\na\tb\naŵ\n{last}"
    for option in ("--no-map", "--tsv"):
        output = read(option, stdin=batch)
        rows = output.out.split("\n")
        assert len(rows) == 7
        assert rows[-1] == ""
        assert rows[0].startswith(first)
        assert rows[5].startswith(last)
        notes = [note for note in output.err.splitlines() if "cut off" not in note]
        assert [note.split()[1].strip(":") for note in notes] == ["2", "3", "4", "5"]
        assert "Line 2 has 101 symbols" in notes[0]
    cells = [row.split("\t") for row in rows[:-1]]
    assert [len(row) for row in cells] == [3] * 6
    assert cells[3][0] == "a\\tb"
    loaded = trained.load(folders["bahdanau"])
    (expected,) = loaded.ask([last])
    assert cells[5] == [last, expected.text, f"{loaded.probability(last, expected):.4f}"]
    assert [cell[1:] for cell in (cells[1], cells[2])] == [["", ""]] * 2


def test_lines_of_a_batch_end_as_those_of_a_file_do(folders, read):
    for text, count in (("ab\r\ncd\r\n", 2), ("ab\rcd\r", 2), ("a\rb\ncd\n", 2), ("", 0)):
        assert read("--tsv", stdin=text).out.count("\n") == count
    process = subprocess.run(  # the program itself, through a real pipe
        [sys.executable, "-m", "attn_course", "read", folders["luong"], "--tsv"],
        **{"input": b"ab\r\nc\rd\n", "capture_output": True, "timeout": 600},
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout.count(b"\n") == 2


# ---- the map as text


@pytest.mark.parametrize(
    ("source", "target", "weights", "expected"),
    [
        ("a b", "XY", [[1.0, 0, 0], [0, 0.5, 0.5]], ["   a ␣ b", " X █", " Y   ▒ ▒"]),
        ("\x1bb", "X", [[0.7, 0.3]], ["   \\x1b b", " X ▓▓▓▓ ░"]),
        (["a\x1b", "b"], "X", [[0.7, 0.3]], ["X ← a\\x1b 0.70, b 0.30"]),
        (
            ["one", "two", "three"],
            ["eins", "x"],
            [[0.9, 0.1, 0], [0, 0.01, 0.99]],
            ["eins ← one 0.90, two 0.10", "   x ← three 0.99"],
        ),
    ],
)
def test_a_map_has_a_row_for_each_symbol_written(source, target, weights, expected):
    assert text_map(list(source), list(target), np.array(weights)).splitlines() == expected
