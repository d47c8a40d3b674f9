"""A process in which a student's code runs, and from which it reaches nothing.

With bubblewrap it has no network, no file of the course, of the teacher or of other students in
sight, a read-only root, an empty home, and process numbers of its own. Everywhere it has limits on
time, memory, processes, the size of files and of what it says. Where bubblewrap cannot run there is
a plain process with these limits, and every report says *not isolated*.
"""

import contextlib
import dataclasses
import functools
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import attn_course
from attn_course.exercises import calling
from attn_course.grading import course, extract, wire

ENVIRONMENT = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
SYSTEM = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache")
STARTING = 120.0  # seconds that the sandbox may take to load torch


@dataclasses.dataclass(frozen=True)
class Limits:
    """What an answer may use: seconds, bytes, and numbers of processes and threads.

    memory  bytes beyond those that PyTorch takes once it is loaded
    """

    call_seconds: float = 5.0
    grace: float = 3.0  # between the end of a call's time and the end of our patience
    cpu_seconds: int = 60
    wall_seconds: float = 90.0
    memory: int = 5 << 28
    processes: int = 16
    file_size: int = 1 << 20
    disk: int = 16 << 20
    returned: int = 64 << 20
    deaths: int = 2  # of the process, or calls without an end, until nothing more is tried
    nobody: int = 65534


class Died(Exception):
    """The process in the sandbox came to an end, or was ended; in words."""


class _Ended(Exception):
    """The answer is dead, with this status; the sandbox is ready for the next one."""


class NotStarted(Exception):
    """The sandbox itself does not work here. No student is to blame, so the run stops."""


class Sandbox:
    """Starts when it is needed first, and again after it died. Use it as a context manager."""

    def __init__(self, limits: Limits | None = None, isolated: bool | None = None):
        self.limits = limits or Limits()
        self.isolated = isolation() == "" if isolated is None else isolated
        self._process: subprocess.Popen | None = None
        self._folder: tempfile.TemporaryDirectory | None = None
        self._unread = b""
        self._optimizers = False
        self.received = 0  # bytes, since the answer began

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, optimizers: bool = False) -> None:
        """Begin to load torch; nobody has to wait for it yet.

        With ``optimizers`` torch.optim is loaded too. On a busy machine its first use takes longer
        than a call may, and an answer that uses none should not wait for it.
        """
        self._optimizers |= optimizers
        if self._process is not None:
            return
        self._folder = tempfile.TemporaryDirectory(prefix="grading-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        folder.chmod(0o755)
        for source in (Path(__file__).with_name("child.py"), *_MODULES):
            shutil.copyfile(source, folder / source.name)
            (folder / source.name).chmod(0o644)
        course.copy_to(folder)
        limits = dataclasses.asdict(self.limits) | {"isolated": self.isolated}
        limits["optimizers"] = self._optimizers
        if not self.isolated:
            limits["processes"] = None  # it would count the teacher's other processes
        command = _command(folder, self.limits.disk) if self.isolated else _python(folder)
        self._control, control = os.pipe()
        reset, self._reset = os.pipe()
        self._process = subprocess.Popen(
            [*command, json.dumps(limits), str(control), str(reset)],
            pass_fds=[control, reset],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
            cwd=folder,
            start_new_session=True,
        )
        os.close(control)
        os.close(reset)
        for pipe in (self._process.stdin.fileno(), self._process.stdout.fileno(), self._control):
            os.set_blocking(pipe, False)
        self._unread = b""
        self._loading = True

    def send(self, message: dict, seconds: float) -> None:
        self.start()
        if self._loading:
            self._loading = False
            try:
                self.receive(STARTING)
            except Died as error:
                raise NotStarted(f"the sandbox did not start: {error}") from error
        left, end = memoryview(wire.packed(message)), time.monotonic() + seconds
        pipe = self._process.stdin.fileno()
        while left:
            _, ready, _ = select.select([], [pipe], [], max(end - time.monotonic(), 0))
            if not ready:
                raise self._died(_TOO_SLOW)
            try:
                left = left[os.write(pipe, left) :]
            except OSError:
                raise self._died(_ENDED) from None

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
        """End the answer and all that it started; whoever comes next need not wait for torch.

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
        pipe, told = self._process.stdout.fileno(), False
        while not told or select.select([pipe], [], [], 0)[0]:
            pipes = [pipe, self._control]
            ready, _, _ = select.select(pipes, [], [], max(end - time.monotonic(), 0))
            parts = [os.read(each, 1 << 20) for each in ready]
            if b"" in parts or not ready:
                raise BrokenPipeError
            told = told or self._control in ready
        self._unread = b""

    def close(self) -> None:
        """End the process and all that it started."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        os.close(self._control)
        os.close(self._reset)
        self._folder.cleanup()
        self._process = self._folder = None

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
                raise self._died(_TOO_SLOW if part is None else _ENDED)
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
            raise self._died(_ENDED)
        raise _Ended(int.from_bytes(status, "big"))

    def _died(self, reason: str) -> Died:
        self.reset()
        return Died(reason)


_TOO_SLOW = "It did not come to an end, and was stopped."
_ENDED = "It ended the process in which it ran."
_MODULES = [Path(module.__file__) for module in (calling, extract, wire)]


@functools.cache
def isolation() -> str:
    """Why bubblewrap cannot be used here, or "" if it can."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed"
    reasons = [_refusal(way) for way in _ways()]
    return "" if "" in reasons else reasons[-1]


def _ways() -> list[list[str]]:
    """Root can do without a namespace of users, and is then held to a limit on processes."""
    as_root = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    return [as_root, ["--unshare-user"]] if os.getuid() == 0 else [["--unshare-user"]]


@functools.cache
def _refusal_of(way: tuple[str, ...]) -> str:
    command = [*_walls(list(way)), *_seen(Path(tempfile.gettempdir())), sys.executable, "-c", ""]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    return "" if done.returncode == 0 else done.stderr.strip()[-300:] or "bubblewrap failed"


def _refusal(way: list[str]) -> str:
    return _refusal_of(tuple(way))


def _command(folder: Path, disk: int) -> list[str]:
    way = next(way for way in _ways() if not _refusal(way))
    return [*_walls(way, disk), *_seen(folder), *_python(Path("/grader"))]


def _python(folder: Path) -> list[str]:
    return [sys.executable, "-E", "-s", "-B", str(folder / "child.py")]


def _walls(way: list[str], disk: int = 1 << 20) -> list[str]:
    apart = ["ipc", "pid", "net", "uts", "cgroup-try"]
    environment = [part for pair in ENVIRONMENT.items() for part in ("--setenv", *pair)]
    size = ["--size", str(disk), "--perms", "1777", "--tmpfs"]
    return [
        *("bwrap", "--die-with-parent", "--new-session", "--clearenv", *environment),
        *(f"--unshare-{each}" for each in apart),
        *way,
        *("--proc", "/proc", "--dev", "/dev", *size, "/tmp", *size, "/dev/shm"),
    ]


def _seen(folder: Path) -> list[str]:
    """The mounts: what Python, torch and the system's libraries need, and this folder."""
    shown = {Path(sys.base_prefix), Path(sys.prefix), Path(os.path.realpath(sys.executable)).parent}
    shown |= {Path(each) for each in SYSTEM if Path(each).exists()}
    outer = [each for each in shown if not any(other in each.parents for other in shown)]
    mounts = []
    for parent in sorted({parent for each in outer for parent in each.parents}):
        if parent != Path("/"):
            mounts += ["--perms", "0755", "--dir", str(parent)]
    for each in sorted(outer):
        link = each.is_symlink()
        mounts += ["--symlink", os.readlink(each)] if link else ["--ro-bind", str(each)]
        mounts.append(str(each))
    for each in _hidden():
        if any(other in each.parents for other in outer):
            mounts += ["--tmpfs", str(each), "--remount-ro", str(each)]
    return [*mounts, "--ro-bind", str(folder), "/grader", "--remount-ro", "/", "--chdir", "/tmp"]


def _hidden() -> list[Path]:
    """The course itself, should it lie within the folders that Python needs."""
    package = Path(attn_course.__file__).resolve().parent
    project = package.parent
    return [project] if (project / "pyproject.toml").exists() else [package]
