"""Grade a folder of submissions, two at a time, so that a kill loses nothing.

`handed_in` says which files are a submission, and whose it is. What is graded is appended to
``graded.jsonl``, one line each; whoever starts again goes on where it stopped. A line is written
once, after the submission is graded, and a line that a kill cut short is graded again.
"""

import concurrent.futures
import json
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import torch

from attn_course.exercises.frame import Exercise
from attn_course.grading.handed_in import Handed, collected, digest, gathered, read
from attn_course.grading.lookup import exercise_of, expanded, identity, refused
from attn_course.grading.marks import Mark, Submission, grade
from attn_course.grading.notebooks import Unusable
from attn_course.grading.sandbox import Limits, Sandbox

AT_ONCE = 2
FORMAT = "3"  # of a record: what was written in another one is graded again


def record_of(
    student: str,
    place: Path,
    exercises: Sequence[str],
    seed: str,
    limits: Limits | None = None,
) -> dict:
    """Grade one submission, for a system that starts a grader for each: a file, or its folder."""
    return _record(gathered(student, [place]), expanded(exercises), seed, limits)


def graded(
    folder: Path,
    results: Path,
    exercises: Sequence[str],
    seed: str,
    tell: Callable[[int, int], None] = lambda done, total: None,
    limits: Limits | None = None,
    own: Callable[[str], str] = lambda name: "",
) -> list[dict]:
    """Grade what has not been graded yet. Returns one record a submission, in their order.

    ``tell`` hears how many of how many are done. ``own`` says who a submission is by, where its
    name does not.
    """
    exercises = expanded(exercises)
    setting = digest(FORMAT, seed, *map(identity, exercises))
    handed = collected(folder, own)
    results.mkdir(parents=True, exist_ok=True)
    store = results / "graded.jsonl"
    records = {record["key"]: record for record in _stored(store, setting)}
    waiting = [each for each in handed if each.key not in records]
    tell(len(handed) - len(waiting), len(handed))
    with open(store, "a", encoding="utf-8") as file:
        for done, record in enumerate(_records(waiting, exercises, seed, limits), start=1):
            record["setting"] = setting
            file.write(json.dumps(record) + "\n")
            file.flush()
            os.fsync(file.fileno())
            records[record["key"]] = record
            tell(len(handed) - len(waiting) + done, len(handed))
    return [records[each.key] for each in handed]


def _records(
    waiting: Sequence[Handed], exercises: Sequence[str], seed: str, limits: Limits | None
) -> Iterator[dict]:
    """Processes that have never seen a student's code, since that runs in their sandboxes."""
    if not waiting:
        return
    context = multiprocessing.get_context("spawn")
    pool = concurrent.futures.ProcessPoolExecutor(AT_ONCE, context, _prepare)
    with pool:
        tasks = [pool.submit(_record, each, exercises, seed, limits) for each in waiting]
        for task in concurrent.futures.as_completed(tasks):
            yield task.result()


def _prepare() -> None:
    torch.set_num_threads(1)
    threading.Thread(target=_end_with_the_run, daemon=True).start()


def _end_with_the_run() -> None:
    """A run that is killed tells nobody; a sandbox ends with the process that started it."""
    multiprocessing.parent_process().join()
    os._exit(1)


def _record(
    handed: Handed, exercises: Sequence[str], seed: str, limits: Limits | None = None
) -> dict:
    """Grade one submission in a sandbox of its own."""
    record = {"key": handed.key, "student": handed.student, "warning": "", "note": "", "marks": []}
    with Sandbox(limits) as sandbox:
        try:
            cells, record["warning"], record["note"] = read(handed)
        except Unusable as error:
            marks = [_nothing(exercise_of(name), error.note, sandbox) for name in exercises]
            record["warning"] = error.warning
        else:
            sandbox.start(optimizers=any("optim" in cell for cell in cells))
            submission = Submission(handed.whose, cells)
            marks = [
                grade(exercise_of(name), submission, seed, sandbox, refused(name))
                for name in exercises
            ]
    record["marks"] = [_written(mark) for mark in marks]
    return record


def _nothing(exercise: Exercise, note: str, sandbox: Sandbox) -> Mark:
    maximum = sum(each.points for each in exercise.properties)
    return Mark(exercise.call, 0, maximum, note=note, isolated=sandbox.isolated)


def _written(mark: Mark) -> dict:
    """A mark as JSON, with all that its page shows."""
    properties = [
        {
            "claim": each.property.claim,
            "points": each.property.points if each.holds else 0,
            "maximum": each.property.points,
            "said": "" if each.claim == each.property.claim else each.claim,
            "hint": each.hint,
            "example": each.example,
        }
        for each in mark.findings
    ]
    plain = {name: value for name, value in mark._asdict().items() if name != "findings"}
    return plain | {"properties": properties}


def _stored(store: Path, setting: str) -> Iterator[dict]:
    """The records of this seed and these exercises; a line that was cut short is none."""
    if not store.exists():
        return
    text = store.read_bytes()
    if text and not text.endswith(b"\n"):
        whole = text[: text.rfind(b"\n") + 1]
        store.write_bytes(whole)
        text = whole
    for line in text.splitlines():
        record = json.loads(line)
        if record["setting"] == setting:
            yield record
