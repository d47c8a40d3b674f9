"""A process in which a student's code runs, and from which it reaches nothing.

With bubblewrap (`walls`) it has no network, no file of the course, of the teacher or of other
students in sight, a read-only root, an empty home, process numbers and a user of its own.
Everywhere it has limits on time, memory, processes, the size of files and of what it says, and
`usage` watches what all its processes hold together. Where bubblewrap cannot run there is a plain
process with these limits, and every report says *not isolated*.
"""

import contextlib
import dataclasses
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from attn_class import forbidden
from attn_class.exercises import calling
from attn_class.grading import course, extract, walls, wire
from attn_class.grading.usage import Watch, kill, kill_group
from attn_class.grading.walls import isolation

STARTING = 120.0  # seconds that the sandbox may take to load torch
NOT_FORKED = b"\xff\xff\xff\xff"  # in the place of a status, by `child`


@dataclasses.dataclass(frozen=True)
class Limits:
    """What an answer may use: seconds, bytes, and numbers of processes and threads.

    Seconds are those of a processor, so that a busy machine gives the same mark. By the clock a
    call may take ``wider`` times as long, all functions of a submission ``submission_seconds``, and
    one of them half of what is left of these, at most ``wall_seconds``.

    memory    bytes of each process beyond those that PyTorch takes once it is loaded
    together  bytes of all processes at once, that of PyTorch among them
    nobody    the number of the user, where root grades; otherwise each sandbox has its own
    """

    call_seconds: float = 5.0
    grace: float = 3.0  # between the end of a call's time and the end of our patience
    wider: float = 4.0
    cpu_seconds: int = 120  # for all calls of a function
    wall_seconds: float = 60.0
    submission_seconds: float = 120.0
    memory: int = 5 << 28
    together: int = 2 << 30
    processes: int = 20  # three of them are the grader's own
    file_size: int = 1 << 20
    disk: int = 16 << 20
    files: int = 10_000
    returned: int = 64 << 20
    deaths: int = 2  # of the process, or calls without an end, until nothing more is tried
    nobody: int | None = None


class Died(Exception):
    """The process in the sandbox came to an end, or was ended; in words."""


class _Ended(Exception):
    """The answer is dead, with this status; the sandbox is ready for the next one."""


class NotStarted(Exception):
    """The sandbox itself does not work here. No student is to blame, so the run stops."""


class Hindered(NotStarted):
    """The machine had no process or memory left for the grader's own program: grade it again."""


class Sandbox:
    """Starts when it is needed first, and again after it died. Use it as a context manager."""

    def __init__(self, limits: Limits | None = None, isolated: bool | None = None):
        self.limits = limits or Limits()
        self.isolated = isolation() == "" if isolated is None else isolated
        self._process: subprocess.Popen | None = None
        self._watch: Watch | None = None
        self._folder: tempfile.TemporaryDirectory | None = None
        self._unread = b""
        self._slow: set[str] = set()  # modules
        self._has_course = True
        self.received = 0  # bytes, since the answer began
        self.waited = 0.0  # seconds by the clock, for all answers

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def offer(self, has_course: bool) -> None:
        """Whether the course lies in there, from the next start on; another one begins anew."""
        if has_course != self._has_course:
            self.close()
        self._has_course = has_course

    def start(self, cells: Sequence[str] = ()) -> None:
        """Begin to load torch; nobody has to wait for it yet.

        What these cells use besides and takes a second is loaded too, torch.optim or IPython's way
        to read a cell, so that it need not be loaded for each answer. Others do not wait for it.
        """
        text = "\n".join(cells)
        slow = {module for module, words in _SLOW.items() if any(word in text for word in words)}
        if any(map(extract.is_jupyters, cells)):
            slow.add("IPython.core.inputtransformer2")
        self._slow |= slow
        if self._process is not None:
            return
        self._folder = tempfile.TemporaryDirectory(prefix="grading-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        folder.chmod(0o755)
        for source in (Path(__file__).with_name("child.py"), *_MODULES):
            shutil.copyfile(source, folder / source.name)
            (folder / source.name).chmod(0o644)
        if self._has_course:
            course.copy_to(folder)
        limits = dataclasses.asdict(self.limits) | {"isolated": self.isolated}
        limits["slow"] = sorted(self._slow)
        limits["nobody"] = walls.user() if self.limits.nobody is None else self.limits.nobody
        if not self.isolated or walls.limits_are_shared():
            limits["processes"] = None  # it would count the teacher's other processes
        self._control, control = os.pipe()
        reset, self._reset = os.pipe()
        calls = walls.handed_over(walls.call_filter()) if self.isolated else None
        command = walls.python(folder)
        if self.isolated:
            command = walls.command(folder, self.limits.disk, calls)
        lent = [one for one in (control, reset, calls) if one is not None]
        self._process = subprocess.Popen(
            [*command, json.dumps(limits), str(control), str(reset)],
            pass_fds=lent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=walls.ENVIRONMENT,
            cwd=folder,
            start_new_session=True,
        )
        for one in lent:
            os.close(one)
        for pipe in (self._process.stdin.fileno(), self._process.stdout.fileno(), self._control):
            os.set_blocking(pipe, False)
        self._unread = b""
        self._loading = True

    def _watched(self) -> Watch:
        limits, ours = self.limits, 2  # bubblewrap, and the program that forks
        if not self.isolated:
            return Watch(self._process.pid, kill_group, limits.together)
        counted = limits.processes + ours, limits.files
        return Watch(self._process.pid, kill, limits.together, *counted)

    def send(self, message: dict, seconds: float) -> None:
        self.start()
        if self._loading:
            self._loading = False
            try:
                self.receive(STARTING)
            except Died as error:
                raise NotStarted(f"the sandbox did not start: {error}") from error
            self._watch = self._watched()  # until now there is nobody to watch
        left, end = memoryview(wire.packed(message)), time.monotonic() + seconds
        pipe = self._process.stdin.fileno()
        while left:
            _, ready, _ = select.select([], [pipe], [], max(end - time.monotonic(), 0))
            if not ready:
                raise self._died(TOO_SLOW)
            try:
                left = left[os.write(pipe, left) :]
            except OSError:
                raise self._died(self._end()) from None

    def receive(self, seconds: float) -> dict:
        """The next message, or {"ended": status} if the answer is dead.

        Whatever is no message ends the process.
        """
        end = time.monotonic() + seconds
        try:
            size = wire.length(self._bytes(wire.HEADER, end))
            self.received += size
            if self.received > self.limits.returned:
                raise ValueError("its results together are too large")
            message = wire.unpacked(self._bytes(size, end))
            if "ended" in message:
                raise ValueError("a false report of an end")
            return message
        except _Ended as error:
            return {"ended": error.args[0]}
        except ValueError as error:
            raise self._died(f"It wrote to the grader's channel: {error}.") from None

    def reset(self) -> None:
        """End the answer and all that it started; the next one need not wait for torch.

        If the program in the sandbox does not say in time that it is so, everything is ended.
        """
        if self._process is None:
            return
        with contextlib.suppress(OSError):
            if self.isolated and not self._loading and os.write(self._reset, b"!"):
                self._discard(time.monotonic() + self.limits.grace)
                return
        self.close()

    def _discard(self, end: float) -> None:
        """Read past all that the dead have said. Raises an OSError if their end is not told."""
        pipe, ended = self._process.stdout.fileno(), False
        while not ended or select.select([pipe], [], [], 0)[0]:
            pipes = [pipe, self._control]
            ready, _, _ = select.select(pipes, [], [], max(end - time.monotonic(), 0))
            parts = [os.read(one, 1 << 20) for one in ready]
            if b"" in parts or not ready:
                raise BrokenPipeError
            ended = ended or self._control in ready
        self._unread = b""

    def close(self) -> None:
        """End the process and all that it started."""
        if self._process is None:
            return
        if self._watch:
            self._watch.stop()
        if self.isolated:
            kill(self._process.pid)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(self.limits.grace)
        if self._process.poll() is None:
            kill_group(self._process.pid)
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        os.close(self._control)
        os.close(self._reset)
        self._folder.cleanup()
        self._process = self._folder = self._watch = None

    def _bytes(self, count: int, end: float) -> bytes:
        pipe = self._process.stdout.fileno()
        parts = [self._unread]
        have = len(self._unread)
        while have < count:
            pipes = [pipe, self._control]
            ready, _, _ = select.select(pipes, [], [], max(end - time.monotonic(), 0))
            if ready == [self._control]:
                self._answer_ended()
            part = os.read(pipe, 1 << 20) if ready else None
            if not part:
                raise self._died(TOO_SLOW if part is None else self._end())
            parts.append(part)
            have += len(part)
        whole = b"".join(parts)
        self._unread = whole[count:]
        return whole[:count]

    def _answer_ended(self) -> None:
        """The program in the sandbox is alive, and all that the answer had started is dead."""
        status = os.read(self._control, 4)
        self._unread = b""
        if len(status) < 4:
            raise self._died(self._end())
        if status == NOT_FORKED:
            self.close()
            raise Hindered("there was no process left for the grader's own program")
        raise _Ended(int.from_bytes(status, "big"))

    def _end(self) -> str:
        """Why there is no process any more."""
        return self._watch.exceeded if self._watch and self._watch.exceeded else _ENDED

    def _died(self, reason: str) -> Died:
        self.reset()
        return Died(reason)


TOO_SLOW = "It did not come to an end, and was stopped."
_ENDED = "It ended the process in which it ran."
# the words of what loads a module that takes a second when it is first called
_SLOW = {
    "matplotlib.pyplot": ("matplotlib",),
    "torch._dynamo": ("optim", "assert_close", "torch.compile"),
}
_IN_THERE = ("bindings", "extract", "loading", "wire")
_MODULES = [
    *(Path(module.__file__) for module in (calling, forbidden)),
    *(Path(__file__).with_name(f"{name}.py") for name in _IN_THERE),
]
