"""The program inside the sandbox: it loads torch once, and forks for each answer.

    python child.py LIMITS CONTROL RESET   the fields of `sandbox.Limits` as JSON; two descriptors

A student's code is only ever run in a fork, which has the limits of one answer and is dead, with
all that it started, before the next one begins. It ends by itself or because the grader asks for
that over RESET; this program confirms it on CONTROL. What arrives and what is sent back are
messages of `wire`. Nothing in here knows an expected value, so there is nothing to find.

The process that has executed the notebook makes no call itself. A fork of it makes them, until the
grader asks for one in which no call was made before.
"""

import contextlib
import ctypes
import gc
import importlib
import importlib.abc
import json
import math
import os
import random
import select
import signal
import sys
import time
from collections.abc import Callable

import calling
import extract
import forbidden
import loading
import numpy as np
import torch
import wire

LONGEST = 4000  # characters of an answer, for the teacher
NO_ROOM = "The processes that it has started leave no room for another call."
NOT_FORKED = b"\xff\xff\xff\xff"  # in the place of a status: no answer was begun
AFRESH = 77  # how a fork ends where another is to make the next call
NOBODY = 65534
PR_SET_DUMPABLE = 4


class Channel:
    """Messages over two file descriptors."""

    def __init__(self, read_from: int, write_to: int):
        self.read_from, self.write_to = read_from, write_to

    def send(self, **message: object) -> None:
        left = memoryview(wire.packed(message))
        while left:
            left = left[os.write(self.write_to, left) :]

    def receive(self) -> dict:
        return wire.unpacked(self._bytes(wire.length(self._bytes(wire.HEADER))))

    def _bytes(self, count: int) -> bytes:
        parts = []
        while count:
            part = os.read(self.read_from, min(count, 1 << 20))
            if not part:
                raise EOFError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


def _to_the_grader() -> Channel:
    """The student's code does not find the descriptors as 0, 1 and 2."""
    channel = Channel(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    return channel


def main() -> None:
    limits, control, reset = json.loads(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    channel = _to_the_grader()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # which the first process ignores
    _become_nobody(limits)
    _close_memory()
    _limit(limits, "RLIMIT_FSIZE", limits["file_size"])
    _limit(limits, "RLIMIT_NPROC", limits["processes"])
    _limit(limits, "RLIMIT_CORE", 0)
    _limit(limits, "RLIMIT_NOFILE", 64)
    torch.set_num_threads(1)
    _warm_up(limits["slow"])
    if limits["memory"] is not None:
        _limit(limits, "RLIMIT_AS", _mapped() + limits["memory"])
    gc.freeze()  # or each fork would copy the pages of all objects to mark them
    channel.send(ready=True)
    while True:
        try:
            message = channel.receive()
        except EOFError:
            return  # the grader is gone
        if "cells" not in message:
            continue  # it was meant for an answer that is dead
        _drain(reset)  # of what was meant for an answer that had come to its end
        try:
            fork = os.fork()
        except OSError:  # all answers are dead, so it is the machine that has no room
            os.write(control, NOT_FORKED)
            continue
        if fork == 0:
            os.close(control)  # only this program says that an answer has ended
            os.close(reset)
            try:
                _answer(channel, limits, message)
            finally:
                os._exit(0)
        status = _end_of(fork, reset)
        if limits["isolated"]:
            _kill_all_others()
        _drain(channel.read_from)  # what the answer has left unread
        os.write(control, status.to_bytes(4, "big"))


def _drain(pipe: int) -> None:
    while select.select([pipe], [], [], 0)[0] and os.read(pipe, 1 << 20):
        pass


def _end_of(fork: int, reset: int) -> int:
    """Wait until the answer ends, or end it as soon as the grader has had enough of it."""
    with contextlib.suppress(AttributeError, OSError):  # not every kernel has it
        watched, ready = os.pidfd_open(fork), []
        while not ready:
            ready = select.select([watched, reset], [], [], 0.05)[0]
            _bury(fork)
        if reset in ready:
            os.kill(fork, signal.SIGKILL)
        os.close(watched)
    return os.waitpid(fork, 0)[1]


def _bury(but: int) -> None:
    """Wait for processes that have lost their parent and ended: they count until then."""
    with contextlib.suppress(OSError):
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while (dead := os.waitid(os.P_ALL, 0, flags)) and dead.si_pid != but:
            os.waitpid(dead.si_pid, 0)


def _warm_up(slow: list[str]) -> None:
    """What is loaded when it is first used, so that no fork has to wait for it."""
    one = torch.ones(2, 2, requires_grad=True)
    torch.autograd.grad(torch.softmax(one @ one, dim=-1).sum(), one)
    _sow(0)  # NumPy loads its generators when they are first asked for
    for module in slow:
        with contextlib.suppress(ImportError):
            importlib.import_module(module)


def _mapped() -> int:
    """The bytes of addresses that are in use: a torch for GPUs takes gigabytes before any answer.

    Where the system does not say, those of such a torch.
    """
    try:
        with open("/proc/self/statm") as sizes:
            return int(sizes.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 4 << 30


def _become_nobody(limits: dict) -> None:
    """Root has no limit on its processes, and may write whatever the grader may.

    So without walls, too, an answer cannot write where only root can: the results of a grading
    system that runs everything as root. That needs a Python that others than root may read.
    """
    if os.getuid() == 0 and (limits["isolated"] or _is_for_all(sys.base_prefix, sys.prefix)):
        for number in (limits["nobody"], NOBODY):  # not every container has each number
            with contextlib.suppress(OSError):
                os.setgroups([])
                os.setgid(number)
                os.setuid(number)
                return


def _close_memory() -> None:
    """Other processes of this user may not read or write this one, nor what it forks."""
    with contextlib.suppress(OSError, AttributeError):  # elsewhere than on Linux
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def _is_for_all(*folders: str) -> bool:
    """Whether everybody may enter these folders and all above them."""
    above = [
        os.sep.join(folder.split(os.sep)[:depth]) for folder in folders for depth in range(2, 99)
    ]
    return all(os.stat(folder).st_mode & 0o005 == 0o005 for folder in above)


def _limit(limits: dict, name: str, value: int | None) -> None:
    if value is None:
        return
    import resource

    with contextlib.suppress(ValueError, OSError, AttributeError):
        resource.setrlimit(getattr(resource, name), (value, value))


def _kill_all_others() -> None:
    """Whatever the answer left running; this process and the first one are spared."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        while True:
            os.kill(-1, signal.SIGKILL)
            os.waitpid(-1, 0)
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


class Refusing(importlib.abc.MetaPathFinder):
    """Says of some modules that an answer may not import them, whether they are here or not."""

    def __init__(self, names: list[str]):
        self.names = frozenset(names)

    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            raise ImportError(f"{name} may not be imported in an answer to this exercise")
        return None


def _answer(channel: Channel, limits: dict, message: dict) -> None:
    """In the fork: read the student's code, then answer calls until told to stop."""
    _limit(limits, "RLIMIT_CPU", limits["cpu_seconds"])
    _allow(math.ceil(2 * limits["call_seconds"] + limits["grace"]))
    sys.meta_path.insert(0, Refusing(message["refused"]))
    name = message["name"]
    try:
        answer = extract.answer_in(message["cells"], name, message["written_in"])
        # told before a line of it runs: from then on the answer could write here, too
        channel.send(source=_shown(answer), remark=answer.remark, aside=answer.aside)
    except extract.NoAnswer as error:
        channel.send(absent=str(error))
        return
    except (RecursionError, MemoryError):
        channel.send(absent=f"{name} cannot be read: it is nested too deeply.")
        return
    with forbidden.without(*message["without"]):
        loaded = loading.Loaded(answer, *_times(limits), message["whole"])
        report = {"failed": loaded.failed, "cut": loaded.cut, "seconds": time.process_time()}
        if callable(loaded.function):
            channel.send(ready=True, **report)
            _serve(channel, loaded, limits)
        elif loaded.problem is not None:
            channel.send(problem=_listed(loaded.problem), **report)
        else:
            channel.send(missing=loaded.function is None)


def _times(limits: dict) -> tuple[float, float]:
    """The seconds that a call may take: of a processor, and by the clock."""
    return limits["call_seconds"], limits["call_seconds"] * limits["wider"]


def _shown(answer: extract.Answer) -> str:
    try:
        return extract.normalised(answer.source, answer.name)[:LONGEST]
    except (RecursionError, SyntaxError, ValueError):
        return ""


def _serve(channel: Channel, loaded: loading.Loaded, limits: dict) -> None:
    """Have calls made. Where a fork dies in one, this process ends as it did."""
    while "stop" not in (message := channel.receive()):
        if "call" not in message:
            continue  # no fork has made a call yet
        try:
            fork = _forked(limits["isolated"])
        except OSError:
            channel.send(problem=[["Died"], NO_ROOM, "", False])
            continue
        if fork == 0:
            with contextlib.suppress(BaseException):  # nothing may go on as the process above
                while "call" in message:
                    _call(channel, loaded, limits, message)
                    message = channel.receive()
                os._exit(AFRESH if "afresh" in message else 0)
            os._exit(0)
        status = os.waitpid(fork, 0)[1]
        if status != AFRESH << 8:
            os.kill(os.getpid(), status & 127)  # of no effect where it was no signal
            return


def _forked(isolated: bool) -> int:
    """Fork; where processes that earlier calls have left behind take up the room, end these."""
    for _ in range(50):
        with contextlib.suppress(OSError):
            return os.fork()
        if isolated:
            with contextlib.suppress(OSError):
                os.kill(-1, signal.SIGKILL)  # but the first process and this one
        time.sleep(0.02)  # the dead are counted until they have been waited for
    return os.fork()


def _call(channel: Channel, loaded: loading.Loaded, limits: dict, message: dict) -> None:
    """Call the function, and send what came of it."""
    start = time.process_time()
    seconds, wall = _times(limits)
    upstream = wire.decode(message["upstream"])
    _allow(math.ceil((1 + (upstream is not None)) * seconds + limits["grace"]))
    _sow(message["seed"])

    def numbered(number: int) -> Callable[..., object]:
        """A function that the grader has, such as a score, as a function in here."""
        return lambda *values: ask(channel, number, values)

    values = [wire.decode(value, numbered) for value in message["call"]]
    inputs = [_cloned(value) for value in values]
    outcome = calling.attempt(loaded.function, inputs, seconds, wall, loading.FILE)
    outcome = calling.with_gradients(outcome, values, upstream, seconds, wall)
    used = time.process_time() - start
    if outcome.problem is not None:
        channel.send(problem=_listed(loaded.explained(outcome.problem)), seconds=used)
        return
    try:
        reply = {
            "returned": wire.encode(_detached(outcome.returned)),
            "given": [_without_graph(value) for value in inputs],
            "gradients": wire.encode(outcome.gradients),
        }
        wire.packed(reply)
    except (ValueError, RecursionError, OverflowError) as error:
        channel.send(problem=[["ValueError"], f"The result is too large: {error}", "", 0])
        return
    channel.send(**reply, seconds=used)


def _allow(seconds: int) -> None:
    """What catches every exception, and goes on, is ended by the system."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        used = math.ceil(time.process_time())
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        soft = used + seconds if hard < 0 else min(used + seconds, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _sow(seed: int) -> None:
    """Chance is drawn from the grader's seed, so that it is the same whenever it is graded."""
    torch.default_generator.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed % 2**32)


def ask(channel: Channel, number: int, values: tuple) -> object:
    """Let the grader call a function of its own; gradients pass through it."""
    values = tuple(value if _travels(value) else calling.plain(value) for value in values)
    question = {"ask": number, "values": [wire.encode(value) for value in values]}
    returned = _answer_to(channel, question)
    leaves = [tensor for tensor in calling.tensors(values) if tensor.requires_grad]
    if not leaves or not any(tensor.requires_grad for tensor in calling.tensors(returned)):
        return _detached(returned)
    return _replaced(returned, iter(_GradersFunction.apply(channel, question, returned, *leaves)))


def _answer_to(channel: Channel, question: dict) -> object:
    channel.send(**question)
    message = channel.receive()
    if "told" not in message:
        raise _raised(message)
    return wire.decode(message["told"])


class _GradersFunction(torch.autograd.Function):
    """The grader's function on the tape of this process."""

    @staticmethod
    def forward(ctx, channel, question, returned, *leaves):
        ctx.channel, ctx.question, ctx.results = channel, question, calling.tensors(returned)
        return tuple(result.detach() for result in ctx.results)

    @staticmethod
    def backward(ctx, *upstream):
        upstream = [
            wire.encode(gradient if result.requires_grad else None)
            for gradient, result in zip(upstream, ctx.results, strict=True)
            if result.is_floating_point()
        ]
        return None, None, None, *_answer_to(ctx.channel, ctx.question | {"upstream": upstream})


def _raised(message: dict) -> Exception:
    """The error that the grader's function raised, under its own name."""
    name, text = str(message.get("refused", "RuntimeError")), str(message.get("text", ""))
    kind = getattr(__builtins__, name, None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = type(name, (Exception,), {})
    return kind(text)


def _travels(value: object) -> bool:
    return isinstance(value, torch.Tensor | int | float | str | list | tuple)


def _replaced(value: object, tensors) -> object:
    if isinstance(value, torch.Tensor):
        return next(tensors)
    if isinstance(value, list | tuple):
        return type(value)(_replaced(part, tensors) for part in value)
    return value


def _detached(value: object) -> object:
    return _replaced(value, iter([tensor.detach() for tensor in calling.tensors(value)]))


def _cloned(value: object) -> object:
    return _replaced(value, iter([tensor.clone() for tensor in calling.tensors(value)]))


def _without_graph(value: object) -> object:
    return wire.encode(_detached(value)) if not callable(value) else None


def _listed(problem: "calling.Problem") -> list:
    return [list(problem.kinds), problem.text, problem.where, problem.unfinished]


if __name__ == "__main__":
    main()
