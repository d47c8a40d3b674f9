"""Experiments are found by name, and one command runs them all."""

import ast
import subprocess
import sys
from typing import NamedTuple

import pytest

from attn_lab import registry
from attn_lab.__main__ import main
from attn_lab.experiment import Experiment
from attn_lab.rates import RateSearch


class Run(NamedTuple):
    """A training run of a made-up model."""

    model: str
    rate: float


def measure(run, seed):
    return {"loss": abs(run.rate - 0.03) + seed / 1_000}


@pytest.fixture
def made_up(tmp_path, measured_here):
    """Search a rate, and measure two seeds with it; more of it is another model."""
    rates = RateSearch(Run, measure, tmp_path / "trials.json")
    plan, more = [([("one",)], (0, 1))], [([Run("two", 0.1)], [0])]
    path = tmp_path / "made_up.json"
    return Experiment("What is it?\n\nMade up.", measure, plan, path, Run, more, rates)


@pytest.mark.parametrize("name", registry.questions())
def test_each_has_a_question(name):
    experiment = registry.experiment(name)
    assert (experiment.name, experiment.question) == (name, registry.questions()[name])


def test_all_that_is_stored_belongs_to_one():
    paths = {registry.experiment(name).path for name in registry.questions()}
    trials = {
        what.path
        for name in registry.questions()
        for what in vars(registry.module(name)).values()
        if isinstance(what, RateSearch)
    }
    assert paths | trials == {*(registry.ROOM / "results").glob("*.json")}


def test_every_folder_has_a_question_and_a_chapter_shows_those_that_are_named():
    folders = {path.parent for path in registry.ROOM.glob("*/__init__.py")}
    assert registry.CHAPTERS.keys() <= {folder.name for folder in folders}
    for folder in folders:
        assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))[-1] == "?"


def test_no_two_modules_have_the_same_name():
    assert len(registry.files()) == len([*registry.ROOM.glob("*/[!_]*.py")])


def test_what_no_chapter_shows_is_listed_last(monkeypatch):
    folder = registry.files()["contexts"].parent.name
    monkeypatch.delitem(registry.CHAPTERS, folder)
    assert [*registry.by_chapter().items()][-1] == ("of no chapter", ["contexts"])


def test_a_rate_is_searched_before_it_is_used(made_up):
    made_up.run(workers=1)
    assert made_up.results("loss") == {Run("one", 0.024): [0.006, 0.007]}
    assert made_up.question == "What is it?"
    made_up.run(workers=1, everything=True)
    assert made_up.results("loss")[Run("two", 0.1)] == [0.07]
    assert made_up.by_row("loss") == {("one",): [0.006, 0.007]}, "at its own rate"
    assert made_up.of("loss", "one").tolist() == [0.006, 0.007]
    assert made_up.only([Run("two", 0.1)])("loss") == {Run("two", 0.1): [0.07]}


def test_a_rate_that_nobody_has_searched_is_told(made_up):
    with pytest.raises(ValueError, match="are still to be tried"):
        made_up.condition("one")


def test_no_results_yet_names_the_command(made_up):
    with pytest.raises(FileNotFoundError, match=r"python -m attn_lab made_up"):
        made_up.results("loss")


def test_the_list_of_them_waits_for_nothing_heavy():
    code = (
        "import sys; from attn_lab.__main__ import main; main(['--list']); "
        "sys.exit('torch' in sys.modules or 'numpy' in sys.modules)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    for name, question in registry.questions().items():
        assert name in process.stdout
        assert question in process.stdout


@pytest.mark.parametrize("words", [["contexs"], ["rates"], []])
def test_an_unknown_name_is_told_with_those_that_are_known(words, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    message = capsys.readouterr().err
    assert f"no experiment is called '{''.join(words)}'; there are " in message
    assert "contexts" in message


@pytest.mark.parametrize("everything", [False, True])
def test_the_command_runs_what_it_is_asked_for(everything, made_up, monkeypatch):
    from attn_lab import __main__ as command

    monkeypatch.setattr(command, "experiment", {"made_up": made_up}.get)
    assert main(["made_up", "--workers", "1", *["--all"] * everything]) == 0
    assert (Run("two", 0.1) in made_up.results("loss")) == everything
