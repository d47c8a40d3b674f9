"""What all processes of one sandbox use together, and an end to them if that is too much.

Limits of the kernel hold for each process alone, so the grader looks from outside, where nothing in
the sandbox can stop it, fifty times a second: at memory that belongs to no file, at the number of
processes and threads, and at that of files.
"""

import contextlib
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

INTERVAL = 0.02  # seconds; two cores fill about 60 MB in it
_PLACES = ("tmp", "dev/shm")
_ROUGH = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap):\s*(\d+) kB", re.MULTILINE)
_SHARED_OUT = re.compile(rb"^(?:Pss_Anon|Pss_Shmem|SwapPss):\s*(\d+) kB", re.MULTILINE)


class Watch:
    """Looks at a process and its descendants until it is stopped, or they used too much.

    ``exceeded`` then says what, in words for the student. ``end`` puts an end to them.
    """

    def __init__(
        self,
        process: int,
        end: Callable[[int], None],
        memory: int,
        tasks: int | None = None,
        files: int | None = None,
    ):
        self.exceeded = ""
        self._process, self._end = process, end
        self._memory, self._tasks, self._files = memory, tasks, files
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Must come before the process is waited for, since its number may then be another's."""
        self._stopped.set()
        self._thread.join()

    def _look(self) -> None:
        pause = INTERVAL
        while not self._stopped.wait(pause):
            start = time.monotonic()
            self.exceeded = self._too_much()
            if self.exceeded:
                self._end(self._process)
                return
            pause = max(INTERVAL, time.monotonic() - start)  # half a core at most

    def _too_much(self) -> str:
        alive = list(descendants(self._process))
        if memory_of(alive, self._memory) > self._memory:
            size = f"{self._memory / 2**30:.1f} GiB"
            return f"It was stopped: with all its processes it used more than {size} of memory."
        count = sum(len(tasks) for _, tasks in alive)
        if self._tasks is not None and count > self._tasks:
            return f"It was stopped: it had more than {self._tasks} processes and threads."
        if self._files is not None and files_of(alive) > self._files:
            return f"It was stopped: it made more than {self._files} files."
        return ""


Alive = list[tuple[int, list[str]]]


def kill(process: int) -> None:
    """End what this process has started, or its group if that is nothing.

    Bubblewrap ends by itself once the first process behind its walls has, and the kernel ends that
    one's descendants with it. To end bubblewrap alone is not enough: it may not kill the processes
    of another user.
    """
    children = _children(process)
    for child in children:
        with contextlib.suppress(OSError):
            watched = os.pidfd_open(child)
            if child in _children(process):  # so the number is not yet another's
                signal.pidfd_send_signal(watched, signal.SIGKILL)
            os.close(watched)
    if not children:
        kill_group(process)


def kill_group(process: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)


def _children(process: int) -> list[int]:
    return [*map(int, _content(f"/proc/{process}/task/{process}/children").split())]


def descendants(process: int) -> Iterator[tuple[int, list[str]]]:
    """The processes that this one has started, and their descendants, each with its threads."""
    waiting = [process]
    while waiting:
        number = waiting.pop()
        with contextlib.suppress(OSError):
            threads = os.listdir(f"/proc/{number}/task")
            yield number, threads
            for thread in threads:
                children = _content(f"/proc/{number}/task/{thread}/children")
                waiting += map(int, children.split())


def memory_of(alive: Alive, enough: int) -> int:
    """Bytes that belong to no file. What processes share is counted once if that matters."""
    rough = sum(_bytes(one, "status", _ROUGH) for one in alive)
    if rough <= enough:
        return rough
    return sum(
        _bytes(one, "smaps_rollup", _SHARED_OUT) or _bytes(one, "status", _ROUGH) for one in alive
    )


def files_of(alive: Alive) -> int:
    """The files in the folders of the sandbox that can be written, if we may look there."""
    for number, _ in alive[1:2]:  # after bubblewrap itself, the first process behind the walls
        with contextlib.suppress(OSError):
            places = [os.statvfs(f"/proc/{number}/root/{place}") for place in _PLACES]
            return sum(place.f_files - place.f_ffree for place in places)
    return 0


def _bytes(process: tuple[int, list[str]], file: str, fields: re.Pattern) -> int:
    """Of the first thread that has memory: the thread that a process began with may have ended."""
    number, threads = process
    for thread in threads:
        sizes = fields.findall(_content(f"/proc/{number}/task/{thread}/{file}"))
        if sizes:
            return sum(map(int, sizes)) << 10
    return 0


def _content(path: str) -> bytes:
    with contextlib.suppress(OSError):
        return Path(path).read_bytes()
    return b""
