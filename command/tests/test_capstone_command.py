"""``python -m attn_course``: train, read, resume after a kill, and what is refused."""

import errno
import io
import os
import resource
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from capstone_corpora import pairs, written

from attn_course import __version__, search, training
from attn_course.symbols import END
from attn_own import command, designs, fitting, folder, trained
from attn_own.command import main
from attn_own.fitting import (
    PATIENCE,
    FolderKeeper,
    Validation,
    _patient,
    epochs_for,
)
from attn_own.lines import Reading
from attn_own.own_corpus import TEST, TRAINING, Files, part_of, read_corpus
from attn_own.text_map import text_map

pytestmark = pytest.mark.slow

SMALL = ["--size", "8", "--epochs", "2", "--batch", "32"]
NAMES = ("example", "train", "read", "report")
PROGRAM = [sys.executable, "-m", "attn_course"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return written(tmp_path_factory.mktemp("corpus") / "words.tsv", pairs())


@pytest.fixture(scope="module")
def folders(corpus):
    """A folder for each model, trained by the command line for a few steps."""
    made = {}
    for model in designs.MODELS:
        made[model] = corpus.with_name(f"words-{model}")
        assert main(["train", str(corpus), "--model", model, *SMALL]) == 0
    return made


def run(*arguments, **options):
    """The program itself, in a process of its own."""
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        **{"capture_output": True, "text": True, "timeout": 600, **options},
    )


@pytest.fixture
def piped(monkeypatch, capsys):
    """The program in this process, with a text on its standard input."""

    def run_here(*arguments, text):
        given = io.TextIOWrapper(io.BytesIO(text.encode()))
        monkeypatch.setattr(sys, "stdin", given)
        code, said = main([*map(str, arguments)]), capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, said.out, said.err)

    return run_here


def held(where):
    """What a folder holds, besides the lock."""
    return sorted(path.name for path in where.iterdir() if path.name != "lock")


# ---- train and read


@pytest.mark.parametrize("model", designs.MODELS)
def test_a_trained_model_reads_as_it_did_before_it_was_saved(folders, model, capsys):
    assert held(folders[model]) == ["choices.json", "left-out.txt", "model.pt", "test.tsv"]
    loaded = trained.load(folders[model])
    assert loaded.choices["model"] == model
    assert main(["read", str(folders[model]), "abc", "e\u0301d"]) == 0
    said = capsys.readouterr().out
    answers = loaded.ask(["abc", "éd"])
    for text, answer in zip(("abc", "éd"), answers, strict=True):
        assert f"{text} → {answer.text or '(nothing)'}" in said


def test_training_tells_what_it_reads_how_far_it_is_and_what_came_of_it(tmp_path, capsys):
    path = written(tmp_path / "a.tsv", [*pairs(), "one column", "x\ty\tz\t\t5"])
    assert main(["train", str(path), *SMALL, "--into", str(tmp_path / "m")]) == 0
    said = capsys.readouterr().out
    assert "a.tsv: 150 pairs," in said
    assert "2 lines are left out:\n  line 151: no tab between source and target\n" in said
    assert "s left" in said
    assert "are exactly right; with many more of them" in said
    assert (tmp_path / "m" / "left-out.txt").read_text().startswith("line 151: no tab")
    assert main(["train", str(path), *SMALL, "--into", str(tmp_path / "m")]) == 0
    assert "already holds this training" in capsys.readouterr().out


def test_one_epoch_of_one_step_is_told_in_the_singular(tmp_path, capsys):
    path = written(tmp_path / "a.tsv", pairs(least=4, most=4))
    assert main(["train", str(path), "--size", "8", "--epochs", "1", "--batch", "999"]) == 0
    assert ": 1 epoch of 1 step.\n" in capsys.readouterr().out
    assert main(["report", str(tmp_path / "a-bahdanau")]) == 0
    card = (tmp_path / "a-bahdanau" / "report.html").read_text("utf-8")
    assert "1 epoch of batches of 999, 1 step, " in card


def test_the_ceiling_is_told_of_the_test_pairs(tmp_path, capsys):
    words = pairs()
    tested = [pair for pair in words if part_of(pair[0], 0) == TEST]
    others = [pair for pair in words if part_of(pair[0], 0) != TEST]
    shared = [(source, target + "A") for source, target in (tested[0], *others[:3])]
    path = written(tmp_path / "a.tsv", [*words, *shared])
    best = f"{len(tested) / (len(tested) + 1):.1%}"
    some = f"2 of the {len(tested) + 1} test pairs ({2 / (len(tested) + 1):.1%}) share their source"
    most = f"So no model can get more than {best} of the test pairs right."
    assert main(["train", str(path), *SMALL]) == 0
    said = capsys.readouterr().out
    assert "8 of the pairs share their source with a pair that has another target." in said
    assert main(["report", str(tmp_path / "a-bahdanau")]) == 0
    card = (tmp_path / "a-bahdanau" / "report.html").read_text("utf-8")
    for told in (some, most):
        assert told in said
        assert told in card
    path = written(tmp_path / "b.tsv", [*words, *shared[1:]])
    assert main(["train", str(path), *SMALL]) == 0
    said = capsys.readouterr().out
    assert "6 of the pairs share" in said
    assert "no model can" not in said


def test_repeats_are_told_at_training_and_on_the_card(tmp_path, capsys):
    path = written(tmp_path / "a.tsv", [*pairs(), *pairs()[:3], *pairs()[:2]])
    assert main(["train", str(path), *SMALL]) == 0
    told = "Repeats of an earlier pair, each of which counts: 5."
    assert told in capsys.readouterr().out
    assert main(["report", str(tmp_path / "a-bahdanau")]) == 0
    card = (tmp_path / "a-bahdanau" / "report.html").read_text("utf-8")
    assert '<th scope="row">Pairs that repeat an earlier one</th><td>5</td>' in card


def test_test_pairs_are_kept_with_groups_and_links(tmp_path):
    rows = [(source, target, "g", f"{len(source) - 1}-0") for source, target in pairs()]
    path = written(tmp_path / "a.tsv", rows)
    assert main(["train", str(path), *SMALL]) == 0
    kept = trained.load_test(tmp_path / "a-bahdanau", Reading())
    assert kept
    assert all(pair.links == ((len(pair.source) - 1, 0),) for pair in kept)
    assert {pair.group for pair in kept} == {"g"}


def test_other_groups_and_links_need_no_other_training(tmp_path, capsys):
    path = written(tmp_path / "a.tsv", pairs())
    into = ["--into", str(tmp_path / "m")]
    assert main(["train", str(path), *SMALL, *into]) == 0
    assert main(["report", str(tmp_path / "m")]) == 0
    model, card = (tmp_path / "m" / name for name in ("model.pt", "report.html"))
    before, old = model.read_bytes(), card.read_text("utf-8")
    rows = [(source, target, "a group", "0-0") for source, target in pairs()]
    written(path, rows)
    assert main(["train", str(path), *SMALL, *into]) == 0
    said = capsys.readouterr().out
    assert "already holds this training" in said
    assert "Groups or links have changed: the test pairs are written anew." in said
    assert model.read_bytes() == before
    assert {pair.group for pair in trained.load_test(tmp_path / "m", Reading())} == {"a group"}
    assert "<bdi>a group</bdi>" in card.read_text("utf-8")
    assert "<bdi>a group</bdi>" not in old
    assert main(["train", str(path), *SMALL, *into]) == 0
    assert "have changed" not in capsys.readouterr().out


def test_sources_of_words_that_never_come_again_are_told(tmp_path, capsys):
    rows = [(source, " ".join(target)) for source, target in pairs()]
    path = written(tmp_path / "a.tsv", rows)
    assert main(["train", str(path), "--words", *SMALL]) == 0
    said = capsys.readouterr().out
    assert "19 of the 19 test pairs (100.0%) have a source with symbols that the training" in said
    assert "--words target reads sources by letters" in said


def test_how_the_file_was_read_is_shown(tmp_path, capsys):
    rows = [("e\u0301x", "Y", "g", "0-0 1-0"), *pairs()]
    assert main(["train", str(written(tmp_path / "a.tsv", rows)), *SMALL]) == 0
    said = capsys.readouterr().out
    assert "The first pair: “éx” → “Y”, group “g”, 1 link. The model does not read groups" in said
    assert "1 line had text that was composed (NFC)" in said


def test_a_dozen_lines_train_with_a_warning(tmp_path, capsys):
    assert main(["train", str(written(tmp_path / "a.tsv", pairs()[:12])), *SMALL]) == 0
    assert "12 pairs are very few" in capsys.readouterr().out
    assert main(["report", str(tmp_path / "a-bahdanau")]) == 0


def test_a_pipe_needs_a_folder_and_is_read_once(tmp_path):
    text = "".join(
        f"{source}\t{target}\tg{at % 5}\n" for at, (source, target) in enumerate(pairs())
    )
    done = run("train", "/dev/stdin", *SMALL, input=text)
    assert done.returncode == 2
    assert "name a folder with --into" in done.stderr
    into = ["--into", str(tmp_path / "m"), "--split-by", "group"]
    done = run("train", "/dev/stdin", *SMALL, *into, input=text)
    assert done.returncode == 0, done.stderr
    assert "150 pairs, 90 for training" in done.stdout


def test_two_models_are_compared_on_the_same_pairs(folders, corpus, tmp_path, capsys):
    one, other = str(folders["bahdanau"]), str(folders["luong"])
    into = tmp_path / "card.html"
    assert main(["report", one, "--against", other, "--into", str(into)]) == 0
    said = capsys.readouterr().out
    assert f"The model in {other} gets " in said
    assert "(exact sign test, p = " in said or "nothing to compare" in said
    assert "Beside another model" in into.read_text("utf-8")
    seeded = ["--seed", "1", "--into", str(tmp_path / "m")]
    assert main(["train", str(corpus), *SMALL, *seeded]) == 0
    assert main(["report", one, "--against", str(tmp_path / "m")]) == 2
    assert "belong to the training or validation of the model in" in capsys.readouterr().err


def test_a_report_on_other_pairs_tells_which_of_them_were_seen(folders, tmp_path, capsys):
    seen = [row for row in pairs() if part_of(row[0], 0) == TRAINING][:3]
    rows = [*seen, ("aaaaŵ", "X"), ("bbbbbb", "BBBBBB"), "no tab"]
    test = written(tmp_path / "t.tsv", rows)
    assert main(["report", str(folders["luong"]), "--on", str(test)]) == 0
    assert "Left out of t.tsv: line 6: no tab" in capsys.readouterr().err
    card = (folders["luong"] / "report-t.html").read_text("utf-8")
    assert "3 of the 5 test pairs (60.0%) have a source that is in training or validation" in card
    assert "1 of the 5 test pairs (20.0%) have a source with symbols that" in card
    assert "tested on t.tsv" in card
    (folders["luong"] / "report-t.html").unlink()


def test_words_can_be_symbols(tmp_path, capsys):
    rows = [(" ".join(source), " ".join(target)) for source, target in pairs()]
    path = written(tmp_path / "a.tsv", rows)
    assert main(["train", str(path), *SMALL, "--words"]) == 0
    assert main(["read", str(tmp_path / "a-bahdanau"), "a  b xx"]) == 0
    said = capsys.readouterr()
    assert "a b xx → " in said.out
    assert "read as “unknown”: “xx”" in said.err


@pytest.mark.parametrize("ensemble", [1, 2])
def test_the_probability_of_an_answer_is_that_of_its_end_too(corpus, tmp_path, capsys, ensemble):
    several = ["--ensemble", str(ensemble), "--into", str(tmp_path / "m")]
    assert main(["train", str(corpus), *SMALL, *several]) == 0
    made = trained.load(tmp_path / "m")
    for member in getattr(made.model, "members", [made.model]):  # A or the end, whatever was read
        with torch.no_grad():
            member.decoder.readout.weight.zero_()
            bias = member.decoder.readout.bias.data.fill_(-99.0)
            bias[made.target_vocabulary.encode("A")[0]], bias[END] = 0.0, np.log(3.0)
    (found,) = made.ask(["abc"])
    assert found.text == ""
    assert made.probability("abc", found) == pytest.approx(0.75)
    bias[END] = np.log(1 / 9)
    for member in getattr(made.model, "members", [made.model]):
        member.decoder.readout.bias.data.copy_(bias)
    (found,) = made.ask(["abc"])
    assert found.text == "A" * made.longest
    assert made.probability("abc", found) == pytest.approx(0.9**made.longest, rel=1e-3)
    trained.save(made, tmp_path / "m")
    capsys.readouterr()
    assert main(["read", str(tmp_path / "m"), "abc"]) == 0
    cut = f"cut off at {made.longest} symbols"
    assert f"% sure, {cut})" in capsys.readouterr().out
    assert main(["read", str(tmp_path / "m"), "--tsv", "abc"]) == 0
    assert capsys.readouterr().err == f"Text 1: the answer is {cut}.\n"
    assert main(["report", str(tmp_path / "m")]) == 0
    card = (tmp_path / "m" / "report.html").read_text("utf-8")
    assert f"(cut off at {made.longest} symbols), not " in card


def test_unknown_characters_are_named(folders, capsys):
    assert main(["read", str(folders["bahdanau"]), "aŵbŵ", "a"]) == 0
    said = capsys.readouterr()
    assert said.err == "Text 1: never seen in training, and read as “unknown”: “ŵ”\n"
    assert "unknown" not in said.out


def test_an_unknown_symbol_is_named_beside_the_one_that_the_training_has(tmp_path, capsys):
    path = written(tmp_path / "a.tsv", [(f"{a}\u00a0x", b) for a, b in pairs()])
    assert main(["train", str(path), *SMALL]) == 0
    capsys.readouterr()
    assert main(["read", str(tmp_path / "a-bahdanau"), "ab x", "ab\u200bx"]) == 0
    assert capsys.readouterr().err == (
        "Text 1: never seen in training, and read as “unknown”: space (the training has no-break "
        "space (U+00A0) instead)\n"
        "Text 2: never seen in training, and read as “unknown”: zero width space (U+200B)\n"
    )


def test_a_files_name_that_is_read_as_a_text_is_told(folders, corpus, capsys, monkeypatch):
    monkeypatch.chdir(corpus.parent)
    assert main(["read", str(folders["bahdanau"]), "words.tsv", "abc"]) == 0
    said = capsys.readouterr()
    assert "Text 1 is the name of a file, but read as a text: < words.tsv reads its" in said.err
    assert "Text 2 is" not in said.err
    assert "words.tsv → " in said.out


def test_a_text_longer_than_any_of_the_training_is_told(folders, capsys):
    longest = trained.load(folders["bahdanau"]).facts["longest_source"]
    assert longest == max(len(source) for source, _ in pairs() if part_of(source, 0) == TRAINING)
    assert main(["read", str(folders["bahdanau"]), "a" * longest, "a" * (longest + 1)]) == 0
    told = f"longer than any source in training: the longest has {longest} symbols.\n"
    assert capsys.readouterr().err == f"Text 2: {told}"


def test_texts_may_stand_before_an_option_and_after_it(folders, capsys):
    assert main(["read", str(folders["bahdanau"]), "ab", "--no-map", "cd", "ba"]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert [line[:4] for line in lines if line] == ["ab →", "cd →", "ba →"]
    for wrong, unknown in (
        (["read", "m", "--maps", "ab"], "--maps"),
        (["report", "m", "ab"], "ab"),
    ):
        with pytest.raises(SystemExit):
            main(wrong)
        assert f"unrecognized arguments: {unknown}" in capsys.readouterr().err


class Counted(list):
    """So many training pairs."""

    def count_batches(self, size):
        return -(-len(self) // size)


@pytest.mark.parametrize(
    ("pairs_", "steps"), [(40, 2000), (800, 2000), (3200, 4000), (80_000, 15 * 80_000 / 32)]
)
def test_few_pairs_are_trained_for_many_epochs_and_many_for_few(pairs_, steps):
    one = Counted(range(pairs_)).count_batches(32)
    epochs = epochs_for(SimpleNamespace(training=Counted(range(pairs_))), 32)
    assert steps <= epochs * one < steps + one


def test_the_default_dropout_is_that_of_the_benchmark():
    assert command._parser().parse_args(["train", "a.tsv"]).dropout == fitting.DROPOUT


def test_many_pairs_get_a_larger_model():
    assert designs.usual("bahdanau", 3_999) == designs.MODELS["bahdanau"]
    assert designs.usual("luong", 4_000)[:2] == (128, 3e-3)
    assert designs.usual("transformer", 4_000) == designs.MODELS["transformer"]


def test_the_weights_with_most_right_are_kept_and_waiting_ends(monkeypatch):
    losses = iter([3.0, 1.0, 1.5, 1.2, *[2.0] * PATIENCE])
    scores = iter([0.1, 0.3, 0.4, 0.4, *[0.2] * PATIENCE])  # the third and fourth alike
    monkeypatch.setattr(fitting, "loss_on", lambda *_: next(losses))
    monkeypatch.setattr(fitting, "right_share", lambda *_: next(scores))
    monkeypatch.setattr(fitting, "Corpus", lambda *_: [])
    corpus = SimpleNamespace(validation=[], source_vocabulary=None, target_vocabulary=None)
    validation, model = Validation(corpus), torch.nn.Linear(1, 1)
    for step in range(3 + PATIENCE):
        torch.nn.init.constant_(model.weight, step)
        validation(model)
        assert not validation.waited_enough
    validation(model)
    assert validation.waited_enough
    assert validation.best["weight"].item() == 3.0


def test_a_training_that_only_gets_worse_ends_early_with_its_best_weights(tmp_path, capsys):
    shuffled = [
        (source, "".join(reversed(other)))
        for (source, _), (_, other) in zip(pairs(), reversed(pairs()), strict=True)
    ]
    path = written(tmp_path / "a.tsv", shuffled)  # there is nothing to learn but by heart
    options = ["--size", "32", "--epochs", "60", "--batch", "16", "--dropout", "0"]
    assert main(["train", str(path), *options, "--rate", "0.01"]) == 0
    said = capsys.readouterr().out
    found = trained.load(tmp_path / "a-bahdanau")
    losses, steps = found.history["validation_losses"], len(found.history["losses"])
    kept = trained.kept_check(found.history["scores"], losses)
    assert len(losses) - 1 - max(kept, losses.index(min(losses))) == PATIENCE
    assert found.facts["steps"] == steps < 60 * read_corpus(Files(path)).training.count_batches(16)
    assert f"was lowest at step {found.history['checked_at'][losses.index(min(losses))]:,}" in said
    validation_pairs = fitting.Validation(read_corpus(Files(path))).pairs
    assert fitting.loss_on(found.model, validation_pairs) == pytest.approx(losses[kept])


def test_it_is_told_at_the_end_that_the_loss_was_still_falling(corpus, tmp_path, capsys):
    options = ["--size", "8", "--epochs", "4", "--batch", "32", "--into", str(tmp_path / "m")]
    assert main(["train", str(corpus), *options]) == 0
    losses = trained.load(tmp_path / "m").history["validation_losses"]
    assert losses[-1] < min(losses[:-1])
    said = capsys.readouterr().out
    assert "was still falling at the end: a longer training may" in said
    # what is advised can be done
    advised = said.split("well do better (")[1].split(")")[0].split()
    assert advised == ["--epochs", "8", "--into", "words-bahdanau-8-epochs"]
    advised[-1] = str(tmp_path / advised[-1])
    assert main(["train", str(corpus), *options[:2], *options[4:6], *advised]) == 0
    assert trained.load(tmp_path / "words-bahdanau-8-epochs").choices["epochs"] == 8


@pytest.mark.parametrize("other", [["--epochs", "3"], ["--seed", "1"], ["--rate", "search"]])
def test_a_refusal_names_a_folder_that_is_free(folders, corpus, capsys, monkeypatch, other):
    monkeypatch.setattr(fitting, "RATES", (1e-2,))
    assert main(["train", str(corpus), *SMALL, *other]) == 2
    said = capsys.readouterr().err
    into = said.split("such as ")[1].rstrip(".\n").split()
    assert main(["train", str(corpus), *SMALL, *other, *into]) == 0


# ---- several models


def test_an_ensemble_is_trained_from_several_seeds_and_answers_together(corpus, tmp_path, capsys):
    into = tmp_path / "m"
    assert main(["train", str(corpus), *SMALL, "--ensemble", "2", "--into", str(into)]) == 0
    assert "2 epochs of" in (said := capsys.readouterr().out)
    assert ", 2 times." in said
    assert held(into) == ["choices.json", "left-out.txt", "model.pt", "test.tsv"]
    found, members = trained.load(into), []
    for seed in (0, 1):
        choices = found.choices | {"seed": seed, "ensemble": 1}
        members.append(
            fitting.fit(read_corpus(Files(corpus)), choices, _made(tmp_path / f"{seed}")).model
        )
    assert len(found.model.members) == 2
    for member, alone in zip(found.model.members, members, strict=True):
        for one, two in zip(member.parameters(), alone.parameters(), strict=True):
            assert torch.equal(one, two)
    assert main(["read", str(into), "abc"]) == 0
    assert f"abc → {found.ask(['abc'])[0].text or '(nothing)'}" in capsys.readouterr().out
    assert main(["report", str(into)]) == 0
    card = (into / "report.html").read_text("utf-8")
    assert "2 models that answer together" in card
    assert "The first of the 2 models" in card


def test_a_beam_is_asked_for_at_training_and_told_on_the_card(corpus, tmp_path, capsys):
    into = tmp_path / "m"
    assert main(["train", str(corpus), *SMALL, "--beams", "3", "--into", str(into)]) == 0
    found, texts = trained.load(into), ["abc", "dé", "eacba", "bb"]
    best = found.ask(texts)
    sources, targets = found.source_vocabulary, found.target_vocabulary
    for text, given in zip(texts, best, strict=True):
        source = torch.tensor([sources.encode(text)])
        [[first, *_]] = search.beam(
            found.model, source, torch.tensor([len(text)]), 3, found.longest
        )
        assert given.text == targets.decode(first.symbols)
    greedy = found._replace(choices=found.choices | {"beams": 1}).ask(texts)
    assert [each.text for each in greedy] != [each.text for each in best]
    capsys.readouterr()
    assert main(["read", str(into), "--tsv", *texts]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [row[1] for row in rows] == [each.text for each in best]
    assert main(["report", str(into)]) == 0
    card = (into / "report.html").read_text("utf-8")
    assert "beam search, with 3 beams" in card
    assert "elsewhere answers are the best of a beam of 3" in card


def test_an_ensemble_that_was_killed_trains_no_member_twice(corpus, tmp_path, capfd):
    several = [*SMALL[:2], "--epochs", "3", "--batch", "16", "--ensemble", "2"]
    always = ["train", corpus, *several, "--keep-every", "0.001", "--into"]
    where = tmp_path / "killed"
    process = begun([*always, where], where, "checkpoint-2.pt")
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert "member-1.pt" in held(where)
    main([str(each) for each in [*always, where]])
    said = capfd.readouterr().out
    assert "bahdanau, 1 of 2" not in said
    assert said.index("Resuming after step") < said.index("bahdanau, 2 of 2")
    assert main(["train", str(corpus), *several, "--into", str(tmp_path / "whole")]) == 0
    one, two = (trained.load(tmp_path / name) for name in ("killed", "whole"))
    assert one.history == two.history
    for mine, other in zip(one.model.parameters(), two.model.parameters(), strict=True):
        assert torch.equal(mine, other)
    assert held(where) == held(tmp_path / "whole")


def test_a_search_takes_the_rate_of_the_smallest_loss(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(fitting, "RATES", (1e-6, 2e-2, 1e-5))
    path = written(tmp_path / "a.tsv", pairs())
    assert main(["train", str(path), *SMALL, "--rate", "search"]) == 0
    said = capsys.readouterr().out
    assert "bahdanau, trying the rate 0.02 (2 of 3): step " in said
    assert "The best is 0.02." in said
    found = trained.load(tmp_path / "a-bahdanau")
    assert found.facts["rate"] == 2e-2
    assert main(["train", str(path), *SMALL, "--rate", "0.02", "--into", str(tmp_path / "b")]) == 0
    alone = trained.load(tmp_path / "b")
    assert found.history == alone.history
    tried = folder.read_json(tmp_path / "a-bahdanau" / "rates.json")
    checks = alone.history["scores"], alone.history["validation_losses"]
    assert tried["0.02"] == checks[1][trained.kept_check(*checks)]
    validation_pairs = fitting.Validation(read_corpus(Files(path))).pairs
    assert tried["0.02"] == fitting.loss_on(alone.model, validation_pairs)
    assert held(tmp_path / "a-bahdanau") == [*held(tmp_path / "b")[:-1], "rates.json", "test.tsv"]


def test_a_search_in_which_every_rate_breaks_off_is_refused(corpus, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(training, "teacher_forced_loss", lambda model, *_: _nan(model))
    into = ["--rate", "search", "--into", str(tmp_path / "m")]
    assert main(["train", str(corpus), *SMALL, *into]) == 2
    assert "stopped at each of the rates" in capsys.readouterr().err


def test_a_best_rate_at_the_edge_names_the_next(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(fitting, "RATES", (1e-6, 2e-2))
    assert (
        main(["train", str(written(tmp_path / "a.tsv", pairs())), *SMALL, "--rate", "search"]) == 0
    )
    assert "It is the highest rate tried: try --rate 0.04 too." in capsys.readouterr().out


@pytest.mark.parametrize("command", ["", "--help", *(f"{name} --help" for name in NAMES)])
def test_help_teaches(command, capsys):
    with pytest.raises(SystemExit) as left:
        main(command.split())
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert len(said.split()) > 35
    assert max(map(len, said.splitlines())) < 110


def test_the_version_is_that_of_the_textbook(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"attn-course {__version__}\n"


def test_the_example_is_written_and_trained_and_no_other_file_is_overwritten(tmp_path, monkeypatch):
    path, asked = tmp_path / "dates.tsv", []
    monkeypatch.setattr(command, "_train", asked.append)
    for _ in range(2):
        assert main(["example", str(path)]) == 0
    assert path.read_text("utf-8").startswith("Jan 7, 2033\t2033-01-07\tyMMMd\n")
    assert [given.corpus for given in asked] == [path, path]
    path.write_text("mine")
    assert main(["example", str(path)]) == 2
    assert path.read_text() == "mine"


# ---- resuming


# the program, which waits for a signal once it has kept its first state in the file of this name
WAITING = """
import signal, sys
from attn_own import fitting
from attn_own.command import main

name, keep = sys.argv.pop(1), fitting.write_tensors

def keep_and_wait(path, kept):
    keep(path, kept)
    if path.name == name:
        fitting.write_tensors = keep
        signal.pause()

fitting.write_tensors = keep_and_wait
sys.exit(main())
"""


def begun(arguments, where, kept="checkpoint.pt"):
    """A training in a process of its own, once it has kept its first state."""
    command = [sys.executable, "-c", WAITING, kept, *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    until = time.monotonic() + 600
    while not (where / kept).exists():
        assert process.poll() is None, "the training ended too early"
        assert time.monotonic() < until
        time.sleep(0.02)
    return process


def test_a_killed_training_goes_on_and_ends_as_one_that_was_not(corpus, tmp_path, capfd):
    several = [*SMALL[:2], "--epochs", "3", "--batch", "16"]
    always = ["train", corpus, *several, "--keep-every", "0.001", "--into"]
    process = begun([*always, tmp_path / "killed"], tmp_path / "killed")
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert "model.pt" not in held(tmp_path / "killed")
    main([str(each) for each in [*always, tmp_path / "killed"]])
    assert "Resuming after step" in capfd.readouterr().out
    assert main(["train", str(corpus), *several, "--into", str(tmp_path / "whole")]) == 0
    one, two = (trained.load(tmp_path / name) for name in ("killed", "whole"))
    assert one.history == two.history
    for mine, other in zip(one.model.parameters(), two.model.parameters(), strict=True):
        assert torch.equal(mine, other)
    assert held(tmp_path / "killed") == held(tmp_path / "whole")


def test_a_search_that_was_killed_goes_on_in_the_middle_of_a_rate(corpus, tmp_path, capfd):
    several = [*SMALL[:2], "--epochs", "3", "--batch", "16", "--rate", "search"]
    always = ["train", corpus, *several, "--keep-every", "0.001", "--into"]
    process = begun([*always, tmp_path / "killed"], tmp_path / "killed", "trying-0.003.pt")
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert list(folder.read_json(tmp_path / "killed" / "rates.json")) == ["0.0015"]
    main([str(each) for each in [*always, tmp_path / "killed"]])
    said = capfd.readouterr().out
    assert "trying the rate 0.0015" not in said
    assert said.index("Resuming after step") < said.index("trying the rate 0.003")
    assert main(["train", str(corpus), *several, "--into", str(tmp_path / "whole")]) == 0
    one, two = (trained.load(tmp_path / name) for name in ("killed", "whole"))
    assert one.facts["rate"] == two.facts["rate"]
    assert one.history == two.history
    assert held(tmp_path / "killed") == held(tmp_path / "whole")
    tried = [folder.read_json(tmp_path / name / "rates.json") for name in ("killed", "whole")]
    assert tried[0] == tried[1]


def test_an_interrupt_in_a_search_is_no_rate_that_was_tried(corpus, tmp_path):
    many = [*SMALL[:2], "--epochs", "800", "--rate", "search", "--keep-every", "0.001"]
    where = tmp_path / "m"
    process = begun(["train", corpus, *many, "--into", where], where, "trying-0.0015.pt")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    assert process.returncode == 130
    assert held(where) == ["choices.json", "left-out.txt", "test.tsv", "trying-0.0015.pt"]


def test_an_interrupt_keeps_the_state_and_exits_with_130(corpus, tmp_path):
    many = [*SMALL[:2], "--epochs", "400", "--keep-every", "0.001", "--into", tmp_path / "m"]
    process = begun(["train", corpus, *many], tmp_path / "m")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    assert process.returncode == 130
    assert held(tmp_path / "m") == ["checkpoint.pt", "choices.json", "left-out.txt", "test.tsv"]
    kept = folder.read_tensors(tmp_path / "m" / "checkpoint.pt")
    assert len(kept["state"]["history"]["losses"]) >= 1
    done = run("read", tmp_path / "m", "ab")
    assert done.returncode == 2
    assert "did not finish: run the same command again" in done.stderr


@pytest.mark.parametrize(
    ("command", "goes_on"), [("train", True), ("example", True), ("read", False)]
)
def test_only_a_training_is_said_to_go_on(command, goes_on, monkeypatch, capsys):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(f"attn_own.command._{command}", interrupted)
    assert main([command, *["anything"] * (command != "example")]) == 130
    assert ("the same command goes on" in capsys.readouterr().err) == goes_on


def test_a_second_interrupt_stops_at_once(tmp_path, capsys):
    keeper = FolderKeeper(tmp_path / "c.pt", {}, Validation(None))
    with _patient(keeper):
        os.kill(os.getpid(), signal.SIGINT)
        assert keeper.stop
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is not keeper


def test_a_checkpoint_of_another_training_is_not_taken_up(tmp_path):
    folder.write_tensors(tmp_path / "c.pt", {"choices": {"seed": 1}, "state": {}})
    with pytest.raises(folder.Refusal, match="belongs to another training"):
        FolderKeeper(tmp_path / "c.pt", {"seed": 2}, Validation(None)).begin()


def test_the_best_weights_so_far_are_kept_with_the_state(tmp_path):
    before, after = Validation(None), Validation(None)
    before.losses, before.best = [2.0, 1.0, 3.0], {"weight": torch.ones(2)}
    before.scores = [0.1, 0.2, 0.2]
    state = {"history": {"losses": [1.0], "scores": before.scores}}
    FolderKeeper(tmp_path / "c.pt", {"seed": 1}, before, every=1e-9).after(7, lambda: state)
    assert FolderKeeper(tmp_path / "c.pt", {"seed": 1}, after).begin() == state
    assert (after.losses, after.scores) == (before.losses, before.scores)
    assert torch.equal(after.best["weight"], before.best["weight"])


def test_two_trainings_do_not_share_a_folder(corpus, tmp_path):
    with folder.locked(tmp_path / "m"):
        done = run("train", corpus, *SMALL, "--into", tmp_path / "m")
    assert done.returncode == 2
    assert done.stderr == f"another training is running in {tmp_path / 'm'}.\n"
    assert held(tmp_path / "m") == []


def test_what_a_killed_training_had_half_written_is_deleted(tmp_path):
    names = [".checkpoint.pt.7.part", "kept.part", "kept.pt"]
    for name in names:
        (tmp_path / name).touch()
    with folder.locked(tmp_path):
        assert held(tmp_path) == names[1:]


def test_a_folder_with_another_training_is_refused(folders, corpus, capsys):
    into = ["--into", str(folders["luong"])]
    assert main(["train", str(corpus), "--model", "luong", *SMALL, "--seed", "1", *into]) == 2
    assert (
        "with other settings (seed): choose another folder, such as --into"
        in capsys.readouterr().err
    )


def test_a_file_is_no_folder_to_train_into(corpus, tmp_path, capsys):
    (tmp_path / "m").write_text("kept")
    assert main(["train", str(corpus), *SMALL, "--into", str(tmp_path / "m")]) == 2
    said = f"{tmp_path / 'm'} is a file; expected a folder to train into.\n"
    assert capsys.readouterr().err == said
    assert (tmp_path / "m").read_text() == "kept"


# ---- bad input: a sentence, the exit code 2, and nothing half written


@pytest.mark.parametrize(
    ("contents", "words"),
    [
        (None, "there is no file"),
        (b"", "is empty"),
        (b"a\nb\nc\n", "3 are left out, 3 of them for this reason: no tab between"),
        (b"\x7fELF\0\0\0\0", "is not a text file"),
        (b"x" * 10_000_000, "no good lines; 1 is left out for this reason: longer than 65,536"),
    ],
)
def test_a_bad_corpus_is_refused_in_a_sentence(tmp_path, capsys, contents, words):
    path = tmp_path / "bad.tsv"
    if contents is not None:
        path.write_bytes(contents)
    assert main(["train", str(path)]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert held(tmp_path) == ["bad.tsv"] * (contents is not None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["train"], "corpus"),
        (["train", "a.tsv", "--model", "gpt"], "invalid choice: 'gpt'"),
        (["train", "a.tsv", "--epochs", "0"], "whole number from 1 to 1,000,000; got '0'"),
        (["train", "a.tsv", "--rate", "nan"], "expected a rate above 0 and at most 1"),
        (["train", "a.tsv", "--dropout", "1"], "share from 0 to below 1; got '1'"),
        (["train", "a.tsv", "--ensemble", "0"], "whole number from 1 to 99; got '0'"),
        (["train", "a.tsv", "--seed", "-1"], "whole number from 0 to 4,294,967,295; got '-1'"),
        (["train", ""], "argument corpus: expected a name; got an empty one"),
        (["train", "a.tsv", "--into", ""], "argument --into: expected a name; got an empty one"),
        (["read", ""], "argument folder: expected a name"),
        (["report", "m", "--into", ""], "argument --into: expected a name"),
    ],
)
def test_a_bad_option_is_refused(arguments, words, capsys):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda at: None, "there is no folder"),
        (lambda at: at.touch(), "is a file; expected the folder that train made"),
        (lambda at: at.mkdir(), "no model is in"),
        (lambda at: _put(at, b"nonsense"), "is damaged, or was not written by this program"),
        (lambda at: _put(at, b""), "cannot be read"),
        (lambda at: folder.write_tensors(_made(at) / "model.pt", {"a": 1}), "is not a model of"),
    ],
)
def test_a_bad_folder_is_refused_in_a_sentence(tmp_path, make, words, capsys):
    make(tmp_path / "m")
    assert main(["read", str(tmp_path / "m"), "ab"]) == 2
    assert words in capsys.readouterr().err


def test_a_model_of_another_version_is_refused_in_a_sentence(folders, tmp_path, capsys):
    for name in trained.FACTS:
        kept = folder.read_tensors(folders["bahdanau"] / "model.pt")
        del kept["facts"][name]
        at = _made(tmp_path / name)
        folder.write_tensors(at / "model.pt", kept)
        assert main(["read", str(at), "ab"]) == 2
        error = capsys.readouterr().err
        assert f"lacks {name}: train it again, into a new folder" in error, error
    for name in trained.CHOICES:
        kept = folder.read_tensors(folders["bahdanau"] / "model.pt")
        del kept["choices"][name]
        folder.write_tensors(_made(tmp_path / name) / "model.pt", kept)
        assert main(["read", str(tmp_path / name), "ab"]) == 2
        assert f"lacks {name}: train it again" in capsys.readouterr().err


def _made(at):
    at.mkdir()
    return at


def _put(at, contents):
    (_made(at) / "model.pt").write_bytes(contents)


def test_a_transformer_needs_a_size_that_its_heads_divide(corpus, capsys):
    assert main(["train", str(corpus), "--model", "transformer", "--size", "20"]) == 2
    assert "--size must be a multiple of 8" in capsys.readouterr().err


def test_too_little_memory_is_told_and_the_folder_is_free_again(
    corpus, tmp_path, capsys, monkeypatch
):
    train_it = ["train", str(corpus), *SMALL, "--into", str(tmp_path / "m")]

    def full(*_, **__):
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate")

    with monkeypatch.context() as lacking:
        lacking.setattr(designs, "build", full)
        assert main([*train_it, "--seed", "1"]) == 2
    assert capsys.readouterr().err == "not enough memory: try a smaller --batch or --size.\n"
    assert main(train_it) == 0


def test_a_text_that_is_too_long_is_refused(folders, capsys):
    assert main(["read", str(folders["bahdanau"]), "ab" * 51]) == 2
    assert capsys.readouterr().err == (
        "Text 1 has 102 symbols; this model was trained with --longest 100 and takes no more: "
        "skipped.\n1 text could not be read.\n"
    )


def test_an_empty_text_is_skipped_as_an_empty_line_is(folders, piped):
    for given in (["ab", " ", "cd"], []):
        done = piped("read", folders["luong"], "--no-map", *given, text="ab\n\ncd\n")
        assert done.returncode == 0
        assert [line[:4] for line in done.stdout.splitlines()] == ["ab →", "", "cd →"]
        assert done.stderr == f"{'Text' if given else 'Line'} 2 is empty: skipped.\n"


def test_no_line_of_a_batch_stops_the_rest_and_each_has_its_line(folders, piped):
    batch = "\ufeffab\n" + "x" * 101 + "\n\na\tb\naŵ\ncd"
    for option in ("--no-map", "--tsv"):
        done = piped("read", folders["luong"], option, text=batch)
        assert done.returncode == 0
        rows = done.stdout.split("\n")
        assert len(rows) == 7
        assert rows[-1] == ""
        assert rows[0].startswith("ab")
        assert rows[5].startswith("cd")
        told = [note for note in done.stderr.splitlines() if "cut off" not in note]
        assert [note.split()[1].strip(":") for note in told] == ["2", "3", "4", "5"]
        assert "Line 2 has 101 symbols" in told[0]
    cells = [row.split("\t") for row in rows[:-1]]
    assert [len(each) for each in cells] == [3] * 6
    assert cells[3][0] == "a\\tb"
    loaded = trained.load(folders["luong"])
    (expected,) = loaded.ask(["cd"])
    assert cells[5] == ["cd", expected.text, f"{loaded.probability('cd', expected):.4f}"]
    assert [cell[1:] for cell in (cells[1], cells[2])] == [["", ""]] * 2


def test_lines_of_a_batch_end_as_those_of_a_file_do(folders, piped):
    for text, count in (("ab\r\ncd\r\n", 2), ("ab\rcd\r", 2), ("a\rb\ncd\n", 2), ("", 0)):
        done = piped("read", folders["luong"], "--tsv", text=text)
        assert done.stdout.count("\n") == count
    done = run("read", folders["luong"], "--tsv", input=b"ab\r\nc\rd\n", text=False)
    assert done.stdout.count(b"\n") == 2, "through a real pipe"


def test_a_batch_in_utf_16_is_refused(folders):
    done = run("read", folders["luong"], input="ab\n".encode("utf-16"), text=False)
    assert done.returncode == 2
    assert b"expected UTF-8" in done.stderr


def test_control_characters_of_a_text_do_not_reach_the_terminal(folders, capsys):
    assert main(["read", str(folders["bahdanau"]), "a\x1b[31m\rb"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("a\\x1b[31m\\rb → ")
    assert "“\\x1b”" in said.err
    assert not set(said.out + said.err) & {"\x1b", "\r"}


def test_a_loss_that_is_no_number_is_told(corpus, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(training, "teacher_forced_loss", lambda model, *_: _nan(model))
    assert main(["train", str(corpus), *SMALL, "--into", str(tmp_path / "m")]) == 2
    assert "the training stopped: the loss is nan" in capsys.readouterr().err


def _nan(model):
    return next(model.parameters()).sum() * float("nan")


def test_a_file_that_finds_no_room_leaves_the_old_one_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "file"
    folder.write_whole(path, b"before")

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(folder.Refusal, match="No space left on device"):
        folder.write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert held(tmp_path) == ["file"]


def test_a_full_disk_ends_a_training_with_a_sentence(corpus, tmp_path):
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))  # noqa: E731
    options = ["--size", "16", *SMALL[2:], "--into", tmp_path / "m"]
    no_checkpoints = ["--keep-every", "1e6"]  # which are larger than the model, on a slow machine
    done = run("train", corpus, *options, *no_checkpoints, preexec_fn=limit)
    assert done.returncode == 2, done.stderr
    assert "model.pt could not be written" in done.stderr
    assert held(tmp_path / "m") == ["choices.json", "left-out.txt", "test.tsv"]


# ---- the map as text


def test_a_map_has_a_row_for_each_symbol_written():
    weights = np.array([[1.0, 0, 0], [0, 0.5, 0.5]])
    assert text_map(list("a b"), list("XY"), weights).splitlines() == [
        "   a ␣ b",
        " X █",
        " Y   ▒ ▒",
    ]


def test_a_map_of_words_names_what_was_read():
    weights = np.array([[0.9, 0.1, 0], [0, 0.01, 0.99]])
    shown = text_map(["one", "two", "three"], ["eins", "x"], weights)
    assert shown.splitlines() == ["eins ← one 0.90, two 0.10", "   x ← three 0.99"]


@pytest.mark.parametrize("words", [False, True])
def test_a_map_has_no_control_characters(words):
    source = ["a\x1b", "b"] if words else ["\x1b", "b"]
    shown = text_map(source, ["X"], np.array([[0.7, 0.3]])).splitlines()
    assert shown == (["X ← a\\x1b 0.70, b 0.30"] if words else ["   \\x1b b", " X ▓▓▓▓ ░"])
