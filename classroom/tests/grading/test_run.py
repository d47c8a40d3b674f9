"""Whatever happens to one submission, the run goes on, and the mark is the same."""

import json
import os
import shutil
import sys
import time

import pytest

from attn_class.grading import classroom
from attn_class.grading.__main__ import _made_elsewhere
from attn_class.grading.classroom import graded
from attn_class.grading.handed_in import read
from attn_class.grading.sandbox import Limits

SEED = "a secret of sixteen letters"
GRADER = """
import os, signal, time
from pathlib import Path
from attn_class.exercises.frame import Exercise

exercise = Exercise("answer(x)")


@exercise.must("It is x.", hint="Return x.")
def is_x(answer, draw):
    x = draw.normal(3)
    found = answer(x=x)
    if isinstance(found, str):
        found = found.split("|")[0]
        once = Path(__file__).with_name(f"once {found}")
        first = not once.exists()
        once.touch()
        if found == "hangs":
            while True:
                pass
        if found == "asks for everything":
            bytearray(1 << 45)
        if found == "dies" or (found == "dies once" and first):
            os.kill(os.getpid(), signal.SIGKILL)
        return True
    return answer.gives(x, x=x)


@exercise.must("It changes with x.", hint="Return x.")
def changes(answer, draw):
    one, two = answer(x=draw.normal(3)), answer(x=draw.normal(3))
    return isinstance(one, str) or not (one == two).all()
"""
RIGHT = "def answer(x):\n    return x"


@pytest.fixture
def exercise(tmp_path):
    (tmp_path / "grader").mkdir()
    file = tmp_path / "grader" / "grader.py"
    file.write_text(GRADER)
    return f"{file}:answer"


def hand_in(folder, **answers):
    folder.mkdir()
    for name, source in answers.items():
        (folder / f"{name}.py").write_text(source)
    return folder


def points(records):
    return {record["student"]: [mark["points"] for mark in record["marks"]] for record in records}


def test_what_ends_the_grader_is_a_record_or_graded_again_and_the_others_are_graded(
    tmp_path, exercise
):
    """And a record has a size, whatever was returned."""
    says = "def answer(x):\n    return '{}'"
    folder = hand_in(
        tmp_path / "in",
        ada="def answer(x):\n    return ('x' * 99_999,) * 9",
        ben=says.format("dies"),
        cem=says.format("asks for everything"),
        dia=RIGHT,
        eve="def answer(x):\n    return f'dies once|{x}'",
    )
    records = graded(folder, tmp_path / "out", [exercise], SEED)
    assert points(records) == {"ada": [0], "ben": [0], "cem": [0], "dia": [2], "eve": [2]}
    ada, ben, *_, eve = records
    assert "was graded again, alone" in eve["warning"]
    assert max(len(tried["example"]) for tried in ada["marks"][0]["properties"]) < 11_000
    assert len(json.dumps(ada)) < 100_000
    assert ben["warning"].startswith("could not be graded: the grader's process ended")
    assert ben["marks"][0]["note"] == classroom.NOT_GRADED
    assert len((tmp_path / "out" / "graded.jsonl").read_text().splitlines()) == 5


def test_what_makes_the_grader_compute_too_long_fails(tmp_path, exercise, monkeypatch):
    from attn_class.grading import marks
    from attn_class.grading.marks import Submission, grade
    from attn_class.grading.sandbox import Sandbox

    monkeypatch.setattr(marks, "OURS", 0.5)
    with Sandbox() as box:
        cells = ["def answer(x):\n    return 'hangs'"]
        exercise = classroom.exercise_of(exercise)
        mark = grade(exercise, Submission("ada", cells), SEED, box)
        assert not mark.properties[0]["points"]
        assert grade(exercise, Submission("ada", [RIGHT]), SEED, box).points == 2


WAITS = "import time\ndef {}(x):\n    time.sleep({})\n    return x\n"


def test_what_was_found_before_the_time_ran_out_counts(tmp_path, exercise):
    folder = hand_in(tmp_path / "in", ada=WAITS.format("answer", 1))
    limits = Limits(call_seconds=1.0, submission_seconds=20.0)
    (record,) = graded(folder, tmp_path / "out", [exercise], SEED, limits=limits)
    (mark,) = record["marks"]
    assert [tried["points"] for tried in mark["properties"]] == [1, 0]
    assert "have 20 seconds by the clock" in mark["properties"][1]["example"]
    assert mark["warning"] == mark["note"] == "answer ran out of time."
    assert record["warning"] == "", "it would wait again"


def test_functions_that_wait_leave_time_for_the_others(tmp_path):
    names = [f"f{number}" for number in range(4)]
    parts = [
        GRADER.replace('Exercise("answer(', f'Exercise("{name}(')
        .replace("exercise = ", f"{name} = ")
        .replace("@exercise", f"@{name}")
        for name in names
    ]
    grader = tmp_path / "grader.py"
    grader.write_text("\n".join(parts))
    cells = [WAITS.format(name, 60) for name in names[:3]] + ["def f3(x):\n    return x"]
    limits, start = Limits(call_seconds=1.0, submission_seconds=40.0), time.monotonic()
    folder = hand_in(tmp_path / "in", ada="\n".join(cells))
    (record,) = graded(folder, tmp_path / "out", [str(grader)], SEED, limits=limits)
    assert [mark["points"] for mark in record["marks"]] == [0, 0, 0, 2]
    assert time.monotonic() - start < 90


def test_what_computes_too_long_is_tried_again_alone_and_what_only_waits_has_more_time(
    tmp_path, exercise
):
    """So a busy machine, on which everything waits, gives the same mark."""
    computes = (
        "import time\ndef answer(x):\n    end = time.process_time() + 0.6\n"
        "    while time.process_time() < end:\n        pass\n    return x"
    )
    slow = "def answer(x):\n    while True:\n        pass"
    answers = {"ada": WAITS.format("answer", 0.6), "ben": computes, "cem": slow, "dia": RIGHT}
    limits = Limits(call_seconds=0.3, wider=200.0)
    folder = hand_in(tmp_path / "in", **answers)
    records = graded(folder, tmp_path / "out", [exercise], SEED, limits=limits)
    assert points(records) == {"ada": [2], "ben": [0], "cem": [0], "dia": [2]}
    *_, cem, dia = records
    assert cem["warning"].startswith("ran out of time and was graded again, alone")
    assert dia["warning"] == ""


@pytest.fixture
def at_once(monkeypatch):
    """Grades without a process or a sandbox, which another test has."""

    def record(waiting, *_):
        for one in waiting:
            yield {"key": one.key, "student": one.student, "text": read(one).cells}

    monkeypatch.setattr(classroom, "_records", record)


def test_several_machines_give_the_records_of_one(tmp_path, exercise, at_once):
    whole = hand_in(tmp_path / "in", **{f"student{k}": RIGHT + " " * k for k in range(3)})
    expected = graded(whole, tmp_path / "alone", [exercise], SEED)
    joined = tmp_path / "joined" / "graded.jsonl"
    joined.parent.mkdir()
    for at, path in enumerate(sorted(whole.iterdir())):
        part = tmp_path / ("one" if at % 2 else "two")
        part.mkdir(exist_ok=True)
        shutil.copy(path, part / path.name)
    for part in ("one", "two"):
        graded(tmp_path / part, tmp_path / f"{part}-marks", [exercise], SEED)
        with open(joined, "a") as file:
            file.write((tmp_path / f"{part}-marks" / "graded.jsonl").read_text())
    progress = []
    records = graded(
        whole, joined.parent, [exercise], SEED, lambda *counts: progress.append(counts)
    )
    assert progress == [(3, 3)], "nothing is graded again"
    assert records == expected


def test_two_runs_do_not_share_a_folder(tmp_path, exercise, at_once):
    fcntl = pytest.importorskip("fcntl")
    folder, out = hand_in(tmp_path / "in", ada=RIGHT), tmp_path / "out"
    out.mkdir()
    with open(out / "graded.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(ValueError, match="another run is writing"):
            graded(folder, out, [exercise], SEED)
    assert len(graded(folder, out, [exercise], SEED)) == 1


@pytest.mark.parametrize("line", ["{", "[]", "{}", "null", "\ufeff\x00"])
def test_a_damaged_line_is_named_with_its_file(tmp_path, exercise, line):
    folder, out = hand_in(tmp_path / "in", ada=RIGHT), tmp_path / "out"
    out.mkdir()
    (out / "graded.jsonl").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"graded\.jsonl, line 1 is damaged; remove it"):
        graded(folder, out, [exercise], SEED)


def test_a_record_knows_its_versions(tmp_path, exercise, at_once):
    (record,) = graded(hand_in(tmp_path / "in", ada=RIGHT), tmp_path / "out", [exercise], SEED)
    assert record["python"] == ".".join(map(str, sys.version_info[:3]))
    assert _made_elsewhere([record]) == []
    (warning,) = _made_elsewhere([record, record | {"torch": "1.0"}])
    assert warning.startswith(
        f"1 of 2 records were made with python {record['python']}, torch 1.0;"
    )


@pytest.mark.parametrize("number", [0, -1])
def test_at_least_one_is_graded_at_once(tmp_path, exercise, number):
    with pytest.raises(ValueError, match="expected 1 or more"):
        graded(
            hand_in(tmp_path / "in", ada=RIGHT), tmp_path / "out", [exercise], SEED, at_once=number
        )
    assert classroom.cores() == len(os.sched_getaffinity(0)) if sys.platform == "linux" else True
