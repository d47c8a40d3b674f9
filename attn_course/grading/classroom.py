"""Grade a folder of submissions, two at a time, so that a kill loses nothing.

Every child of the folder is one submission: a notebook or Python file, named after its student, or
a folder of that name that holds one. Whoever handed in several gets a sentence instead of a guess
which of them counts. What is graded is appended to ``graded.jsonl``, one line each;
whoever starts again goes on where it stopped. A line is written once, after the submission is
graded, and a line that a kill cut short is graded again.
"""

import concurrent.futures
import hashlib
import json
import multiprocessing
import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import torch

from attn_course.exercises.frame import Exercise
from attn_course.grading.lookup import exercise_of, expanded, identity, refused
from attn_course.grading.marks import Mark, Submission, grade
from attn_course.grading.notebooks import LARGE, LARGEST, Unusable, code_cells
from attn_course.grading.sandbox import Limits, Sandbox

AT_ONCE = 2
FORMAT = "3"  # of a record: what was written in another one is graded again
KINDS = (".ipynb", ".py")
_ENDINGS = re.compile(r"(?<=.)(\.(ipynb|py|txt|json))+$", re.IGNORECASE)
_NOT_HANDED_IN = (".", "__MACOSX")


class Handed(NamedTuple):
    """A submission on disk. ``key`` is other when its content is other.

    ``several`` are the names of the files between which only the student can choose.
    """

    student: str
    path: Path
    key: str
    several: tuple[str, ...] = ()


def collected(folder: Path) -> list[Handed]:
    """What was handed in, by student."""
    if not folder.is_dir():
        raise ValueError(f"{folder} is not a folder of submissions")
    by_student: dict[str, list[Path]] = {}
    for child in sorted(folder.iterdir()):
        if not child.name.startswith(_NOT_HANDED_IN):
            by_student.setdefault(_student(child), []).append(child)
    return [_handed(student, children) for student, children in by_student.items()]


def _handed(student: str, children: list[Path]) -> Handed:
    files = [file for child in children for file in _inside(child)]
    several = tuple(file.name for file in files) if len(files) > 1 else ()
    path = files[0] if len(files) == 1 else children[0]
    names = [child.name for child in children]
    return Handed(student, path, _digest(*several, *(_key(name, path) for name in names)), several)


def record_of(
    student: str,
    place: Path,
    exercises: Sequence[str],
    seed: str,
    limits: Limits | None = None,
) -> dict:
    """Grade one submission, for a system that starts a grader for each: a file, or its folder."""
    return _record(_handed(student, [place]), expanded(exercises), seed, limits)


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
    setting = _digest(FORMAT, seed, *map(identity, exercises))
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
    record = {"key": handed.key, "student": handed.student, "warning": "", "note": "", "marks": []}
    with Sandbox(limits) as sandbox:
        try:
            cells = code_cells(_only(handed))
        except Unusable as error:
            marks = [_nothing(exercise_of(name), error.note, sandbox) for name in exercises]
            record["warning"] = error.warning
        else:
            record["warning"], record["note"] = _unusual(handed.path)
            sandbox.start(optimizers=any("optim" in cell for cell in cells))
            submission = Submission(handed.student, cells)
            marks = [
                grade(exercise_of(name), submission, seed, sandbox, refused(name))
                for name in exercises
            ]
    record["marks"] = [_written(mark) for mark in marks]
    return record


def _only(handed: Handed) -> Path:
    if handed.several:
        names = ", ".join(handed.several)
        raise Unusable(
            f"You handed in {len(handed.several)} files: {names}. Hand in the one that counts.",
            f"{len(handed.several)} files: {names}",
        )
    return handed.path


def _unusual(path: Path) -> tuple[str, str]:
    """What teacher and student should know about an unusual file that could be read."""
    warnings, size = [], path.stat().st_size
    if path.suffix not in KINDS:
        warnings.append(f"renamed to {path.name}, but read")
    if size <= LARGE:
        return "; ".join(warnings), ""
    warnings.append(f"{size / 2**20:.0f} MB, but read")
    note = (
        f"Your file takes {size / 2**20:.0f} MB. Clear the outputs of all cells before you hand in."
    )
    return "; ".join(warnings), note


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


def _inside(child: Path) -> list[Path]:
    """The files that may be meant: the child itself, or the notebooks in the folder.

    In a folder without a notebook any file will do, since systems and browsers rename them.
    """
    if child.is_symlink() or not child.is_dir():
        return [child]
    shown = [path for path in sorted(child.iterdir()) if not path.name.startswith(".")]
    files = [path for path in shown if path.is_symlink() or not path.is_dir()]
    return [path for path in files if path.suffix.lower() in KINDS] or files


def _student(child: Path) -> str:
    """Whose it is: the name without endings, such as the two of "ada.ipynb.txt"."""
    name = _ENDINGS.sub("", child.name) if child.is_symlink() or not child.is_dir() else child.name
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
