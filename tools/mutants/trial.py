"""Tests on changed copies, side by side: each trial is a fork that has torch imported already."""

from __future__ import annotations

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
SECONDS = 30  # that a core may spend on a trial; how busy the machine is makes no difference
WAITING = 20  # times as long by the clock: for a trial that only waits
TOO_LONG = -signal.SIGXCPU  # an outcome, as pytest's exit codes are: 0 when no test has noticed


class Trial(NamedTuple):
    """One file with another text, and the tests that should notice."""

    path: Path
    source: str
    tests: list[str]


class _Running(NamedTuple):
    index: int
    trial: Trial
    folder: Path
    original: str
    started: float


@contextmanager
def copies(root: Path, number: int) -> Iterator[list[Path]]:
    """Copies of the working tree, as git sees it, in a scratch folder."""
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
    trials: Iterable[Trial], folders: list[Path], seconds: int = SECONDS
) -> Iterator[tuple[int, int]]:
    """Yield (index, outcome) of the trials as they end; one runs in each folder."""
    waiting, free = iter(enumerate(trials)), list(folders)
    running: dict[int, _Running] = {}
    try:
        while True:
            while free and (following := next(waiting, None)):
                one = _begin(*following, free.pop())
                running[_start(one, seconds)] = one
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


def prepare(tests: list[str], folder: Path) -> None:
    """Run the tests once, which must pass, and import whatever they need of others' libraries."""
    names = folder / "imported.json"
    if not (pid := os.fork()):
        outcome = _pytest(folder, tests)
        names.write_text(
            json.dumps([n for n in sys.modules if not n.startswith((*OURS, *PLUGINS))])
        )
        os._exit(outcome)
    if os.waitpid(pid, 0)[1]:
        raise ValueError(f"all tests must pass before anything is changed: {' '.join(tests)}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in json.loads(names.read_text()):
            with suppress(Exception):  # it comes with another one, or not at all
                importlib.import_module(name)


def _begin(index: int, trial: Trial, folder: Path) -> _Running:
    original = (folder / trial.path).read_text("utf-8")
    return _Running(index, trial, folder, original, time.monotonic())


def _start(one: _Running, seconds: int) -> int:
    """Start a trial; returns its process, the head of a group of its own."""
    (one.folder / one.trial.path).write_text(one.trial.source, "utf-8")
    shutil.rmtree(one.folder / ".hypothesis", ignore_errors=True)  # or one trial helps the next
    if not (pid := os.fork()):
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        sys.dont_write_bytecode = True
        os._exit(_pytest(one.folder, one.trial.tests))
    return pid


def _pytest(folder: Path, tests: list[str]) -> int:
    """Run tests in a folder, in this process and without a word; returns pytest's exit code."""
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    here = {"", os.getcwd()}
    os.chdir(folder)
    sys.path[:] = [str(folder), *(path for path in sys.path if path not in here)]
    os.environ |= {"PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    try:
        return int(pytest.main([*QUICKLY, *tests]))
    except BaseException:
        return int(pytest.ExitCode.INTERNAL_ERROR)


def _ended(running: dict[int, _Running], longest: float) -> tuple[int, int]:
    """Wait for one of the trials: its process and outcome. One that takes too long is ended."""
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
