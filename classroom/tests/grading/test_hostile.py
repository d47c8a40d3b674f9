"""No answer gains a point by anything but its results, reads a file, or stops the run."""

import contextlib
import os
import socket
import tempfile
import time
from pathlib import Path

import pytest
from handing_in import needs_walls
from sweeps import every

import attn_course
from attn_class.exercises.frame import Exercise, Size, same
from attn_class.grading.marks import Submission, grade
from attn_class.grading.sandbox import Limits, Sandbox
from specimens.hostile import ANSWERS as HOSTILE

LENGTH = Size(2, 19)
TOKEN = "TOKEN-" + os.urandom(8).hex()
# the user's number marks the processes of this run
NOBODY = 60_000 + os.getpid() % 5_000
LIMITS = Limits(
    *(0.5, 1.0),  # for a call, and in which to end
    **{"cpu_seconds": 2, "wall_seconds": 60, "submission_seconds": 1e5, "deaths": 1},
    nobody=NOBODY,
)
HONEST = ["def double(x):\n    return x + x\n"]

exercise = Exercise("double(x)")


@exercise.must("It is twice x.", hint="Times two.")
def is_twice(answer, draw):
    x = draw.normal(LENGTH)
    return answer.gives(2 * x, x=x)


@exercise.must("It is twice x, for large numbers too.", hint="Times two.")
def large_ones_too(answer, draw):
    x = 100 + draw.normal(LENGTH, LENGTH)
    return answer.gives(2 * x, x=x)


@exercise.must("Gradients are doubled.", hint="Do not cut the graph.")
def gradients_pass(answer, draw):
    return answer.passes_gradients(lambda x: 2 * x, draw, x=draw.normal(LENGTH))


@pytest.fixture(scope="module")
def box():
    with Sandbox(LIMITS) as box:
        yield box


@pytest.fixture(scope="module")
def machine():
    """What is to be found on the machine of the grader, each with the token in it.

    Everybody may read it, unlike a folder of pytest's: only the walls are in between.
    """
    holder = tempfile.TemporaryDirectory(prefix="machine-")
    folder = Path(holder.name)
    folder.chmod(0o755)
    for name in ("secret.txt", "other.ipynb", "notes/marks.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(TOKEN)
    os.environ["GRADING_SEED"] = TOKEN
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield folder, listener
    del os.environ["GRADING_SEED"]
    holder.cleanup()


def submitted(source, machine):
    folder, listener = machine
    paths = {"SECRET": "secret.txt", "NOTES": "notes", "OTHER": "other.ipynb"}
    paths = {name: folder / path for name, path in paths.items()}
    paths |= {"COURSE": Path(attn_course.__file__).parent, "PORT": listener.getsockname()[1]}
    for name, path in paths.items():
        source = source.replace(name, str(path))
    return Submission("mallory", [source])


@needs_walls
@pytest.mark.parametrize("name", every(3, HOSTILE))
def test_nothing_is_gained_read_reached_or_stopped(name, box, machine):
    folder, listener = machine
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    start = time.process_time()
    mark = grade(exercise, submitted(HOSTILE[name], machine), "seed", box)
    assert mark.points == 0, mark
    assert mark.maximum == 3
    text = str(mark)
    assert TOKEN not in text
    assert "FOUND" not in text
    assert len(text) < 20_000
    assert not {"\x1b", "\x07", "\u202e", "\u2066"} & set(text)
    assert "Traceback" not in text
    assert mark.note or len(mark.properties) == 3, "said in words"
    assert time.process_time() - start < 60, "the grader itself is made to compute"
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    with pytest.raises(BlockingIOError):
        listener.accept()
    honest = graded_honestly(box)
    assert honest.points == 3, honest


FORGED = """
import json, os, struct
for number in range(3, 64):
    try:
        text = json.dumps(TOLD).encode()
        os.write(number, struct.pack(">I", len(text)) + text)
    except OSError:
        pass
"""
PRAISE = "full marks confirmed"


@pytest.mark.parametrize(
    "message",
    [
        {"source": PRAISE, "remark": PRAISE, "aside": PRAISE},
        {"ready": True, "source": PRAISE, "remark": PRAISE, "aside": PRAISE, "cut": PRAISE},
        {"ready": True, "failed": [[1, 1, PRAISE]], "cut": []},
        {"absent": PRAISE},
        {"missing": PRAISE},
    ],
)
def test_no_cell_writes_a_source_or_a_remark(message, box):
    cells = [FORGED.replace("TOLD", repr(message).replace("True", "1 > 0")), *HONEST]
    mark = grade(exercise, Submission("mallory", cells), "seed", box)
    assert mark.points == 0
    assert mark.source.startswith("def double(v1)")
    quoted = f"Code cell 1, line 1:  raised {PRAISE}"  # as what is raised with these words is
    assert PRAISE not in mark.warning.replace(quoted, "")
    assert PRAISE not in mark.note.replace(quoted, "")


def graded_honestly(box):
    """Again if it ran out of time, as on a busy machine, and as a run of the grader does."""
    for _ in range(5):
        mark = grade(exercise, Submission("ada", HONEST), "seed", box)
        if not mark.slow:
            break
    return mark


SERVED_ON = ("channel: a pickle", "channel: a forged end", "using: an endless loop that catches")


@needs_walls
@pytest.mark.parametrize("name", [name for name in HOSTILE if name.startswith(SERVED_ON)])
def test_only_the_answer_is_ended_and_the_sandbox_serves_on(name, box, machine):
    box.start()
    before = box._process
    grade(exercise, submitted(HOSTILE[name], machine), "seed", box)
    assert box._process is before
    assert graded_honestly(box).points == 3


@needs_walls
def test_nothing_is_left_running(box, machine):
    daemons = HOSTILE["using: daemons left behind"]
    grade(exercise, submitted(daemons, machine), "seed", box)
    box.close()
    end = time.monotonic() + 90  # the kernel ends them one after the other
    while is_left() and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_left()


def is_left():
    """Whether a process on this machine has the mark of these sandboxes in its command."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            command = path.read_bytes()
            if b"child.py" in command and str(NOBODY).encode() in command:
                return True
    return False


def test_results_are_compared_as_numbers_here():
    """The exercise itself can tell: otherwise the table above would prove nothing."""
    assert exercise.check(lambda x: 2 * x).status == "right"
    assert not same(0.0, 1.0)


def test_without_walls_the_token_is_found(machine):
    """The same texts do find it where there is no sandbox to speak of, and the mark says so."""
    source = HOSTILE["looking: a secret file"]
    with Sandbox(LIMITS, isolated=False) as plain:
        mark = grade(exercise, submitted(source, machine), "seed", plain)
    assert TOKEN in str(mark)
    assert "not isolated" in str(mark)
    assert mark.points == 0
