"""Grade a folder of submissions, as many at once as there are cores, so that a kill loses nothing.

`handed_in` says which files are a submission, and whose it is. What is graded is appended to
``graded.jsonl``, one line each; a second run resumes where the first stopped. A line is written
once, after the submission is graded, and a line that a kill cut short is graded again.

Whatever happens to a submission is a record, never the end of the run. What ran out of time, or
ended the process that graded it, is graded once more at the end, alone; what fails again could not
be graded, which the teacher is told.
"""

import concurrent.futures
import contextlib
import json
import multiprocessing
import os
import platform
import queue
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import NamedTuple

import torch

from attn_class.grading.handed_in import Handed, collected, gathered, read
from attn_class.grading.lookup import exercise_of, expanded, identity, refused
from attn_class.grading.marks import Mark, Submission, grade, nothing
from attn_class.grading.notebooks import Unusable
from attn_class.grading.report import owners
from attn_class.grading.roster import UNGRADED
from attn_class.grading.sandbox import Hindered, Limits, NotStarted, Sandbox, isolation
from attn_class.grading.secret import digest

STORE = "graded.jsonl"
FORMAT = "6"  # of a record: what was written in another one is graded again
MEMORY = 4 << 30  # bytes that the grader's own process may take beyond what it has at first
PATIENCE = 300  # seconds for a submission beyond those that its functions may take
NOT_GRADED = "Your submission could not be graded. Your teacher has been told, and looks at it."


class Task(NamedTuple):
    """What is asked of each submission: exercises by name, from which seed, within which limits."""

    exercises: Sequence[str]
    seed: str
    limits: Limits | None = None


class Tried(NamedTuple):
    """A submission with its record, or with why there is none."""

    handed: Handed
    record: dict | None
    failure: str = ""


def record_of(
    student: str, place: Path, exercises: Sequence[str], seed: str, limits: Limits | None = None
) -> dict:
    """Grade one submission, for a system that starts a grader for each: a file, or its folder."""
    return _record(gathered(student, [place]), Task(expanded(exercises), seed, limits))


def graded(
    folder: Path,
    results: Path,
    exercises: Sequence[str],
    seed: str,
    tell: Callable[[int, int], None] = lambda finished, total: None,
    limits: Limits | None = None,
    own: Callable[[str], str] = lambda name: "",
    at_once: int | None = None,
    counts: Callable[[str, str], str] = lambda name, own: "",
) -> list[dict]:
    """Grade what has not been graded yet. Returns one record a submission, in their order.

    ``tell`` hears how many of how many are done. ``own`` says who a submission is by, where its
    name does not, and ``counts`` which of its files the teacher has chosen. So many are graded
    ``at_once``, by default as many as there are cores.
    """
    task = Task(expanded(exercises), seed, limits)
    at_once = cores() if at_once is None else at_once
    if at_once < 1:
        raise ValueError(f"{at_once} submissions cannot be graded at once; expected 1 or more")
    setting = _setting(task.exercises, seed)
    handed = collected(folder, own, counts)
    results.mkdir(mode=0o700, parents=True, exist_ok=True)
    store = results / STORE
    with _alone_in(results):
        records = {record["key"]: record for record in _stored(store, setting)}
        waiting = [one for one in handed if one.key not in records]
        before = len(handed) - len(waiting)
        tell(before, len(handed))
        with open(store, "a", encoding="utf-8", opener=owners) as file:
            for count, record in enumerate(_records(waiting, task, at_once), start=before + 1):
                line = json.dumps(record | {"setting": setting} | versions())
                file.write(line + "\n")
                file.flush()
                os.fsync(file.fileno())
                records[record["key"]] = json.loads(line)  # as a later run will read it
                tell(count, len(handed))
    return [records[one.key] for one in handed]


def all_graded(results: Path, exercises: Sequence[str], seed: str) -> dict[str, dict]:
    """Whatever was graded so in any run, by its key: earlier attempts, too."""
    records = _stored(results / STORE, _setting(expanded(exercises), seed))
    return {record["key"]: record for record in records}


def _setting(exercises: Sequence[str], seed: str) -> str:
    return digest(FORMAT, seed, *map(identity, exercises))


def cells(
    folder: Path, own: Callable[[str], str], counts: Callable[[str, str], str]
) -> Iterator[tuple[str, Sequence[str]]]:
    """Each student, with the texts of the cells that are no code, where these can be read."""
    for handed in collected(folder, own, counts):
        with contextlib.suppress(Unusable):
            yield handed.student, getattr(read(handed).cells, "others", ())


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def versions() -> dict[str, str]:
    """What a record is made with: another PyTorch may compute otherwise."""
    return {"python": platform.python_version(), "torch": torch.__version__}


@contextlib.contextmanager
def _alone_in(results: Path) -> Iterator[None]:
    """Two runs in one folder would grade everything twice."""
    try:
        import fcntl
    except ImportError:  # Windows, where there is no sandbox either
        yield
        return
    with open(results / "graded.lock", "w", opener=owners) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(
                f"another run is writing into {results}; expected its end, or another RESULTS="
            ) from None
        yield


def _records(waiting: Sequence[Handed], task: Task, at_once: int) -> Iterator[dict]:
    """A record of each, in the order in which they are done."""
    workers: queue.LifoQueue[Worker] = queue.LifoQueue()  # first those that have started
    for _ in range(at_once):
        workers.put(Worker())

    def grade_one(handed: Handed) -> Tried:
        worker = workers.get()
        try:
            return worker.grade(handed, task)
        finally:
            workers.put(worker)

    again = []
    threads = concurrent.futures.ThreadPoolExecutor(at_once)
    try:
        futures = [threads.submit(grade_one, one) for one in waiting]
        for future in concurrent.futures.as_completed(futures):
            tried = future.result()
            if tried.failure or _is_slow(tried.record):
                again.append(tried)
            else:
                yield tried.record
        for first in again:
            yield _settled(first, grade_one(first.handed), task.exercises)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for _ in range(at_once):
            workers.get().close()


class Worker:
    """A process that has never run a student's code: that runs in the sandboxes which it starts.

    When it dies, another one takes its place.
    """

    def __init__(self):
        self._pool: concurrent.futures.ProcessPoolExecutor | None = None

    def grade(self, handed: Handed, task: Task) -> Tried:
        """Grade a submission. Raises `NotStarted` if the sandbox does not work here at all."""
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = concurrent.futures.ProcessPoolExecutor(1, context, _prepare)
        try:
            return Tried(handed, self._pool.submit(_timed_record, handed, task).result())
        except BrokenProcessPool:
            self.close()
            return Tried(handed, None, "the grader's process ended, by lack of memory or of time")
        except Hindered as error:
            return Tried(handed, None, str(error))
        except NotStarted:
            raise
        except Exception as error:  # a fault of the grader's, which must not end the run
            return Tried(handed, None, f"{type(error).__name__}: {error}"[:300])

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def _is_slow(record: dict) -> bool:
    return any(mark["slow"] for mark in record["marks"])


def _settled(first: Tried, second: Tried, exercises: Sequence[str]) -> dict:
    """What counts of a submission that was graded a second time, alone."""
    if second.record is None and first.record is None:
        return _not_graded(first.handed, second.failure, exercises)
    record = second.record or first.record
    why = "ran out of time and" if first.record else f"failed ({first.failure}) and"
    record["warning"] = _joined(record["warning"], f"{why} was graded again, alone")
    return record


def _not_graded(handed: Handed, failure: str, exercises: Sequence[str]) -> dict:
    marks = _nothing(exercises, NOT_GRADED, isolation() == "")
    fields = {"warning": f"{UNGRADED}: {failure}", "marks": [*map(Mark._asdict, marks)]}
    return _empty(handed) | fields


def _nothing(exercises: Sequence[str], note: str, isolated: bool) -> list[Mark]:
    return [nothing(exercise_of(name), isolated, note) for name in exercises]


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _prepare() -> None:
    torch.set_num_threads(1)
    _limit_memory()
    threading.Thread(target=_end_with_the_run, daemon=True).start()


def _limit_memory() -> None:
    """A student's values may make the grader compute; it refuses before the machine is full."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm") as sizes:
            mapped = int(sizes.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, hard))


def _end_with_the_run() -> None:
    """A run that is killed tells nobody; a sandbox ends with the process that started it."""
    multiprocessing.parent_process().join()
    os._exit(1)


def _timed_record(handed: Handed, task: Task) -> dict:
    """A record in time: the system ends what hangs where nothing else could interrupt it."""
    most = (task.limits or Limits()).submission_seconds + PATIENCE
    with contextlib.suppress(AttributeError):
        signal.alarm(round(most))
    record = _record(handed, task)
    with contextlib.suppress(AttributeError):
        signal.alarm(0)
    return record


def _record(handed: Handed, task: Task) -> dict:
    """Grade one submission in a sandbox of its own."""
    record = _empty(handed)
    with Sandbox(task.limits) as sandbox:
        try:
            cells, record["warning"], record["note"] = read(handed)
        except Unusable as error:
            marks = _nothing(task.exercises, error.note, sandbox.isolated)
            record["warning"] = error.warning
        else:
            submission = Submission(handed.whose, cells)
            marks = [
                grade(exercise_of(name), submission, task.seed, sandbox, refused(name))
                for name in task.exercises
            ]
    record["marks"] = [mark._asdict() for mark in marks]
    return record


def _empty(handed: Handed) -> dict:
    record = {"key": handed.key, "student": handed.student, "warning": "", "note": "", "marks": []}
    return record | {"several": True} if handed.several else record


def _stored(store: Path, setting: str) -> Iterator[dict]:
    """The records of this seed and these exercises; a line that was cut short is none."""
    if not store.exists():
        return
    text = store.read_bytes()
    if text and not text.endswith(b"\n"):
        whole = text[: text.rfind(b"\n") + 1]
        store.write_bytes(whole)
        text = whole
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            record = json.loads(line)
            is_of_this_run = record["setting"] == setting
        except (ValueError, TypeError, KeyError):
            raise ValueError(
                f"{store}, line {number} is damaged; remove it, and its submission is graded again"
            ) from None
        if is_of_this_run and not record.get("warning", "").startswith(UNGRADED):
            yield record
