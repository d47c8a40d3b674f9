"""An answer's memory is limited, and what PyTorch takes by itself is not the answer's."""

import sys
import tempfile
from pathlib import Path

import pytest
from handing_in import needs_walls, opened, said_of, sandboxes

from attn_class.exercises.context import contexts
from attn_class.grading import walls
from attn_class.grading.marks import Submission, grade
from attn_class.grading.sandbox import Limits, Sandbox

QUARTER = 1 << 28  # bytes: less than the smallest PyTorch has in use once it is loaded
GREEDY = """
import torch

def contexts_of(alpha, h):
    torch.empty({bytes}, dtype=torch.uint8)
    return alpha @ h
"""


box = sandboxes(Limits(memory=QUARTER))


def mark(box, size):
    return grade(contexts.exercise, Submission("ada", [GREEDY.format(bytes=size)]), "seed", box)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system limits no addresses")
def test_what_torch_takes_is_not_counted_and_more_than_the_limit_is_not_given(box):
    for _ in range(2):  # the sandbox serves on
        assert mark(box, 1 << 20).points == len(contexts.exercise.properties)
        assert mark(box, 2 * QUARTER).points == 0


# all processes together

TOGETHER = Limits(together=700 << 20, call_seconds=8.0, wall_seconds=40, submission_seconds=1e5)


@pytest.fixture(scope="module")
def together():
    with Sandbox(TOGETHER) as box:
        yield box


def told(source, box):
    """What is said of an answer's first call; the next answer must be served."""
    with opened(box, [source], "f") as answer:
        outcome = answer([1.0])
    with opened(box, ["def f(x):\n    return 2 * x\n"], "f") as honest:
        assert honest([1.0]).returned == 2.0
    return said_of(outcome)


FILL = "import time; kept = bytearray(b'x') * (300 << 20); time.sleep(99)"
SIX = """
import ctypes, os, subprocess, sys, threading, time

def fill():
    kept = bytearray(b"x") * (300 << 20)
    time.sleep(99)

def f(x):
    for _ in range(6):
        {}
    time.sleep(99)
"""
DIES, THREAD = "os.kill(os.getpid(), 9)", "threading.Thread(target=fill)"
END = "ctypes.CDLL(None).syscall({'x86_64': 60, 'aarch64': 93}[os.uname().machine], 0)"
MUCH = {  # six that take much: in processes, without a parent, without a first thread, programs
    "six processes": "os.fork() or fill()",
    "six processes without a parent": f"os.fork() or (os.setsid(), os.fork() or fill(), {DIES})",
    "six whose first thread has ended": f"os.fork() or ({THREAD}.start(), {END})",
    "six other programs": f"subprocess.Popen([sys.executable, '-c', {FILL!r}])",
}
SHARED = """
import os, time

kept = bytearray(b"x") * (300 << 20)

def f(x):
    started = []
    for _ in range(6):
        started.append(os.fork())
        if started[-1] == 0:
            time.sleep(1)
            os.kill(os.getpid(), 9)
    for each in started:
        os.waitpid(each, 0)
    return 3 * x
"""
# a busy machine counts late: many more would fill the memory first
FILES = """
import os, time

def f(x):
    for n in range(10_100):
        os.mkdir(f"/tmp/{n}")
    time.sleep(60)
"""


@needs_walls
@pytest.mark.parametrize("greedy", MUCH.values(), ids=MUCH)
def test_the_processes_of_an_answer_have_a_limit_together(greedy, together):
    assert "more than 0.7 GiB of memory" in told(SIX.format(greedy), together)


@needs_walls
def test_what_processes_share_is_counted_once_and_files_by_their_number(together):
    assert told(SHARED, together) == 3.0
    assert "more than 10000 files" in told(FILES, together)


@needs_walls
def test_files_of_the_machine_are_not_the_answers():
    """Until bubblewrap has its own root, the first process has the machine's."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(200):
            Path(folder, str(number)).touch()
        for _ in range(3):
            with Sandbox(Limits(files=100)) as box:
                assert told("def f(x):\n    return 3 * x\n", box) == 3.0


@needs_walls
def test_processes_are_counted_where_the_kernel_does_not(monkeypatch):
    """As before Linux 5.14, where a limit would count all processes of an ordinary user."""
    monkeypatch.setattr(walls, "limits_are_shared", lambda: True)
    bomb = SIX.format("[os.fork() or time.sleep(99) for _ in range(10)]")
    with Sandbox(TOGETHER) as box:
        assert "processes and threads" in told(bomb, box)
