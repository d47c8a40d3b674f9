"""Grade a folder of submissions, two at a time, so that a kill loses nothing.

Every child of the folder is one submission: a notebook or Python file, named after its student, or
a folder of that name that holds one. What is graded is appended to ``graded.jsonl``, one line each;
whoever starts again goes on where it stopped. A line is written once, after the submission is
graded, and a line that a kill cut short is graded again.
"""

import concurrent.futures
import hashlib
import json
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import torch

from attn_course.exercises.frame import Exercise
from attn_course.grading.lookup import exercise_of, expanded, refused
from attn_course.grading.marks import Mark, Submission, grade
from attn_course.grading.notebooks import LARGEST, Unusable, code_cells
from attn_course.grading.sandbox import Limits, Sandbox

AT_ONCE = 2
FORMAT = "2"  # of a record: what was written in another one is graded again
KINDS = (".ipynb", ".py")


class Handed(NamedTuple):
    """A submission on disk. ``key`` is other when its content is other."""

    student: str
    path: Path
    key: str


def collected(folder: Path) -> list[Handed]:
    """What was handed in, by student."""
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder of submissions")
    found = []
    for child in sorted(folder.iterdir()):
        if not child.name.startswith("."):
            path = _inside(child)
            found.append(Handed(_student(child), path, _key(child.name, path)))
    return found


def graded(
    folder: Path,
    results: Path,
    exercises: Sequence[str],
    seed: str,
    tell: Callable[[int, int], None] = lambda done, total: None,
    limits: Limits | None = None,
) -> list[dict]:
    """Grade what has not been graded yet. Returns one record a submission, in their order.

    ``tell`` hears how many of how many are done.
    """
    exercises = expanded(exercises)
    for name in exercises:
        exercise_of(name)
    setting = _digest(FORMAT, seed, *exercises)
    handed = collected(folder)
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
    record = {"key": handed.key, "student": handed.student, "warning": "", "marks": []}
    with Sandbox(limits) as sandbox:
        try:
            cells = code_cells(handed.path)
        except Unusable as error:
            marks = [_nothing(exercise_of(name), error.note, sandbox) for name in exercises]
            record["warning"] = error.warning
        else:
            sandbox.start()
            submission = Submission(handed.student, cells)
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


def _inside(child: Path) -> Path:
    """The file to be graded: the child itself, or the only one of its kind in the folder."""
    if child.is_symlink() or not child.is_dir():
        return child
    files = sorted(path for path in child.iterdir() if path.suffix.lower() in KINDS)
    return files[0] if len(files) == 1 else child


def _student(child: Path) -> str:
    name = child.stem if child.suffix.lower() in KINDS else child.name
    return name.encode("utf-8", "replace").decode()


def _key(name: str, path: Path) -> str:
    content = b"no file"
    if path.is_file() and not path.is_symlink():
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)  # of what is larger, nothing is graded
    return _digest(os.fsencode(name).hex(), hashlib.sha256(content).hexdigest())


def _digest(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}:{part}".encode("utf-8", "replace"))
    return digest.hexdigest()
