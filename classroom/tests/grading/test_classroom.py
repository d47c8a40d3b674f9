"""A whole class: nothing lost, nothing twice, no text of a student's is markup or a formula."""

import csv
import io
import json
import multiprocessing
import os
import random
import re
import select
import signal
import time
import warnings

import pytest

from attn_class.grading import classroom, extract, lookup, report
from attn_class.grading.classroom import collected, graded
from attn_class.grading.notebooks import LARGEST
from attn_class.grading.sandbox import isolation

NAME = "weights.safe_softmax"
FULL = 6  # points for it
SEED = "a secret of sixteen letters"
RIGHT = """
import torch

def my_softmax(scores, temperature):
    powers = torch.exp((scores - scores.max()) / temperature)
    return powers / powers.sum()
"""
NAIVE = RIGHT.replace(" - scores.max()", "")


def notebook(source):
    return json.dumps({"cells": [{"cell_type": "code", "source": source}]})


STUDENTS = {
    "ada.ipynb": notebook(RIGHT),
    "bob/answers.ipynb": notebook(NAIVE),
    "carol/carol.py.txt": RIGHT,
    "dan.ipynb": "no notebook",
    "=HYPERLINK(1).ipynb": notebook("def my_softmax(e, t):\n    raise ValueError('<script>')"),
    'O\'Neil, "Pat" \u202eeve.ipynb': notebook("def other(x):\n    return x"),
    "frank/nothing.txt": "",
    "hal.ipynb": notebook(RIGHT),
    "hal/again.ipynb": notebook(RIGHT),
    "iris/old.ipynb": notebook(RIGHT),
    "iris/new.ipynb": notebook(NAIVE),
    "iris/._new.ipynb": "of a Mac",
    "__MACOSX/._ada.ipynb": "of a Mac",
    "<b>gina.py": "def my_softmax(e, t):\n    raise NotImplementedError",
}

NAMES = {"ada", "bob", "carol", "dan", "=HYPERLINK(1)", 'O\'Neil, "Pat" \u202eeve', "frank", "hal"}
NAMES |= {"iris", "<b>gina", "link", "large", "huge"}


def hand_in(folder):
    for name, content in STUDENTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "link.ipynb").symlink_to(folder / "ada.ipynb")
    large = notebook(RIGHT)[:-1].encode() + b', "metadata": "%s"}'
    (folder / "large.ipynb").write_bytes(large % (b"x" * (LARGEST - len(large) + 2)))
    with open(folder / "huge.ipynb", "wb") as file:
        file.truncate(LARGEST + 1)
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The class is graded once, and its reports are written."""
    folder = hand_in(tmp_path_factory.mktemp("submissions"))
    results = tmp_path_factory.mktemp("results")
    progress = []

    def tell(finished, total):
        """Each record is on the disk before the next one is waited for: a kill loses none."""
        store = results / "graded.jsonl"
        written = store.read_bytes().count(b"\n") if store.exists() else 0
        progress.append((finished, total, written))

    records = graded(folder, results, [NAME], SEED, tell)
    report.write(records, results)
    return folder, results, records, progress


def by_name(records):
    return {record["student"]: record for record in records}


def test_everybody_has_a_mark(run):
    _, _, records, progress = run
    marks = {name: record["marks"][0] for name, record in by_name(records).items()}
    assert set(marks) == NAMES
    assert marks["ada"]["points"] == marks["carol"]["points"] == marks["large"]["points"] == FULL
    assert FULL / 3 <= marks["bob"]["points"] < FULL
    for student in set(marks) - {"ada", "bob", "carol", "large"}:
        assert marks[student]["points"] == 0
        assert marks[student]["note"] or marks[student]["properties"]
    assert progress == [(finished, len(NAMES), finished) for finished in range(len(NAMES) + 1)]
    assert all(mark["isolated"] == (isolation() == "") for mark in marks.values())


@pytest.mark.parametrize(
    ("student", "words", "warned"),
    [
        ("hal", "2 files: again.ipynb, hal.ipynb", "2 files: again.ipynb, hal.ipynb"),
        ("iris", "2 files: new.ipynb, old.ipynb", "2 files: new.ipynb, old.ipynb"),
        ("large", "50 MB. Clear the outputs", "50 MB, but read"),
        ("huge", "50 MB; 50 are allowed", "50 MB"),
        ("frank", "is empty", "empty"),
        ("dan", "not a notebook", "not JSON"),
        ("carol", "", "renamed to carol.py.txt"),
        ("link", "is a link", ""),
        ("bob", "subtract the largest score", ""),
        ("bob", "temperature = ", ""),
    ],
)
def test_what_is_unusual_is_said_to_the_student_and_to_the_teacher(run, student, words, warned):
    _, results, records, _ = run
    record = by_name(records)[student]
    assert warned in record["warning"]
    page = (results / "students" / report.page_name(student)).read_text("utf-8")
    assert words in page
    assert warned in (results / "report.html").read_text("utf-8")


def test_what_is_graded_is_not_graded_again(run):
    folder, results, records, _ = run
    before = (results / "graded.jsonl").read_bytes()
    progress = []
    assert graded(folder, results, [NAME], SEED, lambda *counts: progress.append(counts)) == records
    assert progress == [(len(NAMES), len(NAMES))]
    assert (results / "graded.jsonl").read_bytes() == before


def test_the_table_has_no_formula_and_a_line_for_each(run):
    _, results, records, _ = run
    text = (results / "marks.csv").read_text("utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(records)
    assert {"'=HYPERLINK(1)", 'O\'Neil, "Pat" eve'} <= {row["student"] for row in rows}
    full = {row["student"] for row in rows if row["points"] == str(FULL)}
    assert full == {"ada", "carol", "large"}
    assert "not JSON" in next(row["remark"] for row in rows if row["student"] == "dan")


def test_only_their_owner_may_read_the_results(run):
    _, results, _, _ = run
    for path in (results, *results.rglob("*")):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


def test_pages_are_text_whatever_the_students_wrote(run):
    _, results, records, _ = run
    pages = [results / "report.html", *(results / "students").iterdir()]
    assert len(pages) == len(records) + 1
    for path in pages:
        text = path.read_text("utf-8")
        assert "<script" not in text
        assert "<b>" not in text
        assert "default-src &#x27;none" in text or "default-src 'none'" in text
        assert path.name.isascii()
        assert ".." not in path.name
    assert "<title>Marks for &lt;b&gt;gina</title>" in report.page(by_name(records)["<b>gina"])
    whole = (results / "report.html").read_text("utf-8")
    assert "<title>Marks of the class</title>" in whole
    assert "Adding 100 to every score changes nothing." in whole
    assert "dan" in whole


def test_an_error_that_takes_several_properties_is_told_once(run):
    _, results, records, _ = run
    name = "=HYPERLINK(1)"
    text = (results / "students" / report.page_name(name)).read_text("utf-8")
    mark = by_name(records)[name]["marks"][0]
    lost = [tried for tried in mark["properties"] if tried["points"] < tried["maximum"]]
    assert text.count("Read the last line first") == 1
    assert text.count("The same error, at the same line") == len(lost) - 1 > 0


def test_another_line_or_another_kind_of_error_is_told_as_well():
    one = {"claim": "a", "points": 0, "maximum": 1, "said": "It runs.", "hint": "hint"}
    raised = ["line 2: x = y\nNameError: y", "line 3: x = y\nNameError: y"]
    raised += ["line 3: x = y\nValueError: 1", "x = 1\nline 3: x = y\nValueError: 2"]
    again = report._again([one | {"example": text} for text in raised])
    assert again == [False, False, False, True]
    no_error = one | {"said": "", "example": raised[0]}
    assert not any(report._again([no_error] * 2))


def test_the_commonest_wrong_answer_of_a_property_is_shown(run):
    _, _, records, _ = run
    bob = by_name(records)["bob"]
    assert bob["marks"][0]["source"] == extract.normalised(NAIVE, "my_softmax")
    other = json.loads(json.dumps(bob | {"student": "ben"}))
    other["marks"][0]["source"] = "def my_softmax(v1, v2):\n    return '<i>'"
    several = [other, bob, bob | {"student": "bea"}]
    failures = report._failures(several)
    text = report.overview(several)
    lost = sum(tried["points"] < tried["maximum"] for tried in bob["marks"][0]["properties"])
    assert len(failures) == lost > 0
    assert all(failure.count == 2 for failure in failures)
    assert text.count("The commonest wrong answer (2 of 3, 2 different)") == lost
    assert "<i>" not in text
    assert "v1 / v2" in text.replace("(", "").replace(")", "")


def test_the_class_is_drawn_and_each_exercise_summed_up(run):
    _, _, records, _ = run
    text = report.overview(records)
    students = [
        int(number) for number in re.findall(r"<td><bdi>\d+ to .*?<td><bdi>(\d+)</bdi>", text)
    ]
    assert sum(students) == len(records)
    assert students[-1] == 3
    assert re.search(r"(?<!█)█{10}(?!█)", text)
    assert re.search(rf"my_softmax\(.*?<bdi>0 of {FULL}</bdi>.*?<bdi>3</bdi>.*?<bdi>9</bdi>", text)


def test_names_of_pages_never_collide():
    names = ["a b", "a-b", "a/b", "../a", "A-b", "", "ä", "ö", "x" * 500]
    pages = {report.page_name(name) for name in names}
    assert len(pages) == len(names)
    assert all("/" not in page and len(page) < 60 for page in pages)


def test_a_kill_loses_nothing_and_nothing_is_graded_twice(run, tmp_path, monkeypatch):
    """It may cut the file anywhere; in the end it is as if nothing had happened."""
    folder, results, records, _ = run
    whole = (results / "graded.jsonl").read_bytes()
    again = []

    def instead(waiting, *_):
        for one in waiting:
            again.append(one.student)
            former = next(record for record in records if record["key"] == one.key)
            yield {name: value for name, value in former.items() if name != "setting"}

    monkeypatch.setattr(classroom, "_records", instead)
    for length in (*random.sample(range(len(whole)), 12), len(whole) - 1):
        (tmp_path / "graded.jsonl").write_bytes(whole[:length])
        again.clear()
        assert graded(folder, tmp_path, [NAME], SEED) == records
        assert len(again) == len(records) - whole[:length].count(b"\n")
        assert len((tmp_path / "graded.jsonl").read_bytes().splitlines()) == len(records)


def test_another_seed_is_another_grading(run):
    _, results, records, _ = run
    setting = records[0]["setting"]
    assert list(classroom._stored(results / "graded.jsonl", setting))
    assert not list(classroom._stored(results / "graded.jsonl", "another"))


def test_a_grader_is_known_by_its_content(tmp_path):
    """Made again with the same content it is the same one, and a changed one is another."""
    text = "from attn_class.exercises.frame import Exercise\n_f = Exercise('f(x)')\n"
    for name, more in (("one", ""), ("two", ""), ("three", "# changed\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "grader.py").write_text(text + more)
    one, two, three = (
        lookup.identity(f"{tmp_path / name / 'grader.py'}:f") for name in ("one", "two", "three")
    )
    assert one == two != three
    assert lookup.identity(NAME) == NAME
    with pytest.raises(ValueError, match="no exercise"):
        lookup.identity(f"{tmp_path / 'one' / 'grader.py'}:g")


def test_the_workers_of_a_run_that_is_killed_end_too():
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads: the fork uses none of them
        process = os.fork()
    if process == 0:
        try:
            _working(writer)
        finally:
            os._exit(1)
    assert os.read(reader, 1) == b"!"
    os.close(writer)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    assert select.select([reader], [], [], 90)[0], "the worker still holds the other end"
    assert os.read(reader, 1) == b""
    os.close(reader)


def _working(writer):
    """A run with one worker, both without an end."""

    def work():
        classroom._prepare()
        os.write(writer, b"!")
        time.sleep(600)

    multiprocessing.get_context("fork").Process(target=work).start()
    time.sleep(600)


def test_students_are_named_after_their_files(tmp_path):
    assert {one.student for one in collected(hand_in(tmp_path))} == NAMES
    for name in ("ada.ipynb.txt", "bob.IPYNB", "carol.d.py.json", ".ipynb"):
        (tmp_path / "other" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "other" / name).touch()
    names = [one.student for one in collected(tmp_path / "other")]
    assert names == ["ada", "bob", "carol.d"]
