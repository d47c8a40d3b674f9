"""Results that a build keeps for as long as everything that they depend on stays the same."""

import json
import os

import pytest

from attn_book.notebooks import build
from attn_book.site import answers, node

LOCK = "node_modules/.package-lock.json"
SCRIPT = """
const asked = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
require("node:fs").appendFileSync(asked.log, "x");
process.stdout.write(JSON.stringify(asked.number + 1));
"""


@pytest.fixture
def asking(tmp_path):
    """Ask a script for the next number; returns it, and how often the script was started."""
    (tmp_path / "node_modules").mkdir()
    (tmp_path / LOCK).write_text("{}")
    script, log = tmp_path / "script.cjs", tmp_path / "log"
    script.write_text(SCRIPT)
    log.write_text("")

    def ask(number: int) -> tuple[int, int]:
        answer = node.ask(tmp_path, script, {"number": number, "log": str(log)}, "no answer")
        return answer, len(log.read_text())

    return ask


def test_the_same_question_is_asked_once(asking):
    assert [asking(1), asking(1), asking(7), asking(1)] == [(2, 1), (2, 1), (8, 2), (2, 2)]


def test_another_script_package_or_node_is_asked_again(asking, tmp_path, monkeypatch):
    assert asking(1) == (2, 1)
    (tmp_path / "script.cjs").write_text(SCRIPT.replace("+ 1", "+ 2"))
    assert asking(1) == (3, 2)
    (tmp_path / LOCK).write_text('{"version": 2}')
    assert [asking(1), asking(1)] == [(3, 3)] * 2
    program = tmp_path / "node"
    program.write_text(f'#!/bin/sh\nexec "{node.node()}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setattr(node, "node", lambda: str(program))
    assert asking(1) == (3, 4)
    os.utime(program, ns=(1, 1))
    assert asking(1) == (3, 5)


def test_every_ground_counts_and_only_whole_answers_are_kept(tmp_path):
    def fail() -> str:
        raise ValueError("stopped")

    inputs = [["a", 1], ["a", 2], ["b", 1], ["a", [1]], [["a", 1]], ["a", 1, None]]
    for number, one in enumerate(inputs):
        with pytest.raises(ValueError, match="stopped"):
            answers.remembered(tmp_path, one, fail)
        answers.remembered(tmp_path, one, lambda number=number: f"é\r\n{number}")
    results = [answers.remembered(tmp_path, one, fail) for one in inputs]
    assert results == [f"é\r\n{number}" for number in range(len(inputs))]


def test_what_a_build_has_not_asked_for_goes_and_what_led_to_an_answer_stays(tmp_path):
    def outer(work_out=str) -> str:
        return answers.remembered(tmp_path, ["outer"], work_out)

    outer(lambda: answers.remembered(tmp_path, ["inner"], lambda: "in") + "out")
    answers._used.clear()  # as in the next build
    (tmp_path / answers.FOLDER / "old").write_text("old")
    assert outer() == "inout"
    answers.tidy(tmp_path)
    left = {path.read_text().partition("\n")[2] for path in (tmp_path / answers.FOLDER).iterdir()}
    assert left == {"in", "inout"}
    answers.tidy(tmp_path, sound=False)
    assert not [*(tmp_path / answers.FOLDER).iterdir()]


def test_an_interrupted_build_leaves_no_answers(tmp_path):
    answers.remembered(tmp_path, ["now"], lambda: json.dumps("now"))
    build.clear(tmp_path / "_build")
    assert not (tmp_path / answers.FOLDER).exists()
