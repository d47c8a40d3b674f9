"""Run tests on changed copies, side by side: each trial is a fork with torch already imported."""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

OURS = ("attn_course", "experiments", "tools", "tests", "conftest", "test_", "__main__")
PLUGINS = ("_hypothesis_pytestplugin",)  # pytest rewrites them itself, before they are imported
QUICKLY = (
    "-x",
    "--tb=no",
    "-p",
    "no:cacheprovider",
    "-p",
    "_hypothesis_pytestplugin",
    "--hypothesis-seed=0",
)
SECONDS = 30  # of CPU time for a trial, so that it does not matter how busy the machine is
WAITING = 20  # times as long in real time: the limit for a trial that only waits
SEEN = "seen.json"
TOO_LONG = (
    -signal.SIGXCPU
)  # an outcome beside pytest's exit codes, where 0 means that no test has noticed


class Trial(NamedTuple):
    """One file with changed text, and the tests that should notice."""

    path: Path
    source: str
    tests: list[str]


Seconds = dict[str, float]  # that each test took


class _Running(NamedTuple):
    index: int
    trial: Trial
    folder: Path
    original: str
    started: float


@contextmanager
def copies(root: Path, number: int) -> Iterator[list[Path]]:
    """Copies of the working tree, without ignored files, in a scratch folder."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=root, check=True, capture_output=True, text=True).stdout
    with TemporaryDirectory() as scratch:
        folders = [Path(scratch, str(place)) for place in range(number)]
        for folder in folders:
            for name in filter(None, names.split("\0")):
                if (root / name).is_file():
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(root / name, folder / name)
        yield folders


def run(
    trials: Iterable[Trial],
    folders: list[Path],
    seconds: int = SECONDS,
    took: Seconds | None = None,
) -> Iterator[tuple[int, int]]:
    """Yield (index, outcome) of the trials as they end; one trial runs in each folder.

    Given the time that each test ``took``, the quickest come first, since most changes are noticed
    by many tests.
    """
    waiting, free = iter(enumerate(trials)), list(folders)
    running: dict[int, _Running] = {}
    try:
        while True:
            while free and (following := next(waiting, None)):
                one = _begin(*following, free.pop())
                running[_start(one, seconds, took or {})] = one
            if not running:
                return
            pid, outcome = _ended(running, seconds * WAITING)
            one = running.pop(pid)
            (one.folder / one.trial.path).write_text(one.original, "utf-8")
            free.append(one.folder)
            yield one.index, outcome
    finally:
        for pid in running:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def prepare(tests: list[str], folders: list[Path]) -> Seconds:
    """Run the tests once, which must pass, and import the libraries that they need.

    The tests are divided among the folders. Each folder collects all of them, so that Python
    compiles every file there and a trial compiles only one. Returns how long each test took.
    """
    shares = [_Share(place, len(folders)) for place in range(len(folders))]
    pids = [_first_run(tests, *one) for one in zip(folders, shares, strict=True)]
    outcomes = [os.waitpid(pid, 0)[1] for pid in pids]
    imported, took, failed = {}, {}, []
    for folder in folders:
        names, seconds, wrong = json.loads((folder / SEEN).read_text())
        imported |= dict.fromkeys(names)
        took |= seconds
        failed += wrong
    if any(outcomes):
        which = ", ".join(failed) or "they could not be collected"
        raise ValueError(f"all tests must pass before anything is changed; failed: {which}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in imported:
            with suppress(Exception):  # imported along with another one, or not at all
                importlib.import_module(name)
    return took


def _first_run(tests: list[str], folder: Path, share: _Share) -> int:
    if not (pid := os.fork()):
        outcome = _pytest(folder, tests, share)
        names = [name for name in sys.modules if not name.startswith((*OURS, *PLUGINS))]
        (folder / SEEN).write_text(json.dumps([names, share.took, share.failed]))
        os._exit(outcome)
    return pid


class _Share:
    """A pytest plugin: runs a share of the tests, and records how long each takes with fixtures."""

    def __init__(self, place: int, number: int):
        self.place, self.number = place, number
        self.took: Seconds = {}
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = items[self.place :: self.number]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.took[report.nodeid] = self.took.get(report.nodeid, 0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)


class _QuickestFirst:
    """A pytest plugin: orders the tests by how long they took."""

    def __init__(self, took: Seconds):
        self.took = took

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self.took.get(item.nodeid, 0))


def _begin(index: int, trial: Trial, folder: Path) -> _Running:
    original = (folder / trial.path).read_text("utf-8")
    return _Running(index, trial, folder, original, time.monotonic())


def _start(one: _Running, seconds: int, took: Seconds) -> int:
    """Start a trial; returns its process, which leads a process group of its own."""
    (one.folder / one.trial.path).write_text(one.trial.source, "utf-8")
    shutil.rmtree(one.folder / ".hypothesis", ignore_errors=True)  # or one trial helps the next
    if not (pid := os.fork()):
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        sys.dont_write_bytecode = True
        os._exit(_pytest(one.folder, one.trial.tests, _QuickestFirst(took)))
    return pid


def _pytest(folder: Path, tests: list[str], plugin: object) -> int:
    """Run tests in a folder, in this process and silently; returns pytest's exit code."""
    gc.freeze()  # what the fork began with is not to be collected, which would copy all of it
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    here = {"", os.getcwd()}
    os.chdir(folder)
    sys.path[:] = [str(folder), *(path for path in sys.path if path not in here)]
    os.environ |= {"PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    try:
        return int(pytest.main([*QUICKLY, *tests], [plugin]))
    except BaseException:
        return int(pytest.ExitCode.INTERNAL_ERROR)


def _ended(running: dict[int, _Running], longest: float) -> tuple[int, int]:
    """Wait for one of the trials, ending any that take too long: its process and outcome."""
    while True:
        for pid, one in running.items():
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return pid, os.waitstatus_to_exitcode(status)
            if time.monotonic() > one.started + longest:
                os.killpg(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return pid, TOO_LONG
        time.sleep(0.02)
