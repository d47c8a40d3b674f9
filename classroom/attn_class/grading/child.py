"""The program inside the sandbox: it loads torch once, and forks for each answer.

    python child.py LIMITS CONTROL RESET   the fields of `sandbox.Limits` as JSON; two descriptors

A student's code is only ever run in a fork, which has the limits of one answer and is dead, with
all that it started, before the next one begins. It ends by itself or because the grader asks for
that over RESET; this program confirms it on CONTROL. What arrives and what is sent back are
messages of `wire`. Nothing in here knows an expected value, so there is nothing to find.
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
import socket
import sys
import time
from collections.abc import Callable
from typing import NoReturn

import calling
import extract
import forbidden
import loading
import numpy as np
import torch
import wire

SHOWN = 4000  # characters of an answer, for the teacher
KEPT = 8  # calls whose graph is kept for gradients
NO_ROOM = "The processes that it has started leave no room for another call."
NOT_FORKED = b"\xff\xff\xff\xff"  # in the place of a status: no answer was begun
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
    _warm_up(limits["uses"])
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


def _warm_up(uses: list[str]) -> None:
    """What is loaded when it is first used, so that no fork has to wait for it."""
    one = torch.ones(2, 2, requires_grad=True)
    torch.autograd.grad(torch.softmax(one @ one, dim=-1).sum(), one)
    _sow(0)  # NumPy loads its generators when they are first asked for
    if "optim" in uses:
        torch.optim.AdamW([one])
    if "assert_close" in uses:
        torch.testing.assert_close(one, one)
    for use, module in (("matplotlib", "matplotlib.pyplot"), ("torch.compile", "torch._dynamo")):
        if use in uses:
            with contextlib.suppress(ImportError):
                importlib.import_module(module)
    if "jupyter" in uses:
        extract.transformed("%pass")


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
    above = [os.sep.join(each.split(os.sep)[:depth]) for each in folders for depth in range(2, 99)]
    return all(os.stat(each).st_mode & 0o005 == 0o005 for each in above)


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
        told = {"failed": loaded.failed, "cut": loaded.cut, "seconds": time.process_time()}
        if callable(loaded.function):
            channel.send(ready=True, **told)
            Server(Caller(channel, loaded, limits), limits["isolated"]).serve()
        elif loaded.problem is not None:
            channel.send(problem=_listed(loaded.problem), **told)
        else:
            channel.send(missing=loaded.function is None)


def _times(limits: dict) -> tuple[float, float]:
    """The seconds that a call may take: of a processor, and by the clock."""
    return limits["call_seconds"], limits["call_seconds"] * limits["wider"]


def _shown(answer: extract.Answer) -> str:
    try:
        return extract.normalised(answer.source, answer.name)[:SHOWN]
    except (RecursionError, SyntaxError, ValueError):
        return ""


def _forked(clear: Callable[[], None]) -> int:
    """Fork, though processes that earlier calls have left behind may take up the room."""
    for _ in range(50):
        with contextlib.suppress(OSError):
            return os.fork()
        clear()
        time.sleep(0.02)  # the dead are counted until they have been waited for
    return os.fork()


def _obey(caller: "Caller", line: Channel) -> NoReturn:
    """In a fork: do what is asked for over this line, until nobody asks any more."""
    try:
        lasts = True
        while lasts:
            lasts = caller.handle(line.receive())
            line.send(lasts=lasts)
    finally:  # whatever happens, this process must not go on as the one that it was made of
        os._exit(0)


class Fork:
    """Another process with the same answer, as this one sees it: its number, and a line to it."""

    def __init__(self, caller: "Caller", clear: Callable[[], None]):
        self.channel = caller.channel
        ours, theirs = socket.socketpair()
        self.number = _forked(clear)
        if self.number == 0:
            ours.close()
            _obey(caller, Channel(theirs.fileno(), theirs.fileno()))
        theirs.close()
        self._socket = ours
        self._line = Channel(ours.fileno(), ours.fileno())

    def handles(self, message: dict) -> bool:
        """Let it answer the grader; then whether it is of any more use."""
        self._line.send(**message)
        with contextlib.suppress(OSError, AttributeError):
            ended = os.pidfd_open(self.number)
            ready = select.select([self._socket, ended], [], [])[0]
            os.close(ended)
            if self._socket not in ready:
                return self._died()
        try:
            return self._line.receive()["lasts"]
        except EOFError:
            return self._died()

    def _died(self) -> bool:
        status = os.waitpid(self.number, 0)[1]
        self.number = 0
        self.channel.send(died=status)
        return False

    def end(self) -> None:
        self._socket.close()
        if self.number:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.number, signal.SIGKILL)
            os.waitpid(self.number, 0)


class Server:
    """The process that has loaded the answer: it makes calls, and lets forks of it make some.

    The grader says which one is meant: "first", which is this process, one call after the other;
    "second", a fork that was made before the first call, for calls that are made once more; or
    "own", a fork for one call, from a process in which none has been made.
    """

    def __init__(self, caller: "Caller", isolated: bool):
        self.caller, self.channel, self.isolated = caller, caller.channel, isolated
        self.second: Fork | None = None
        self.own: dict[int, Fork] = {}

    def serve(self) -> None:
        while True:
            message = self.channel.receive()
            try:
                if not self._serves(message):
                    return
            except OSError:
                self.channel.send(problem=[["Died"], NO_ROOM, "", False])

    def _serves(self, message: dict) -> bool:
        if "gradient" in message and message["gradient"] in self.own:
            self._by_its_own(message["gradient"], message)
        elif "gradient" in message:
            self.caller.handle(message)
        elif "call" not in message:
            return False
        elif message["fork"] == "own":
            self.own[message["call"]] = Fork(self.caller, self.clear)
            self._by_its_own(message["call"], message)
        else:
            self.second = self.second or Fork(self.caller, self.clear)
            if message["fork"] == "first":
                self.caller.handle(message)
            elif not self.second.handles(message):
                self.second.end()
                self.second = None
        return True

    def _by_its_own(self, number: int, message: dict) -> None:
        if not self.own[number].handles(message):
            self.own.pop(number).end()
        for oldest in sorted(self.own)[:-KEPT]:
            self.own.pop(oldest).end()

    def clear(self) -> None:
        """End whatever earlier calls have left running."""
        if not self.isolated:
            return
        forks = [*self.own.values(), *([self.second] if self.second else [])]
        ours = {1, os.getppid(), os.getpid(), *(each.number for each in forks)}
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) not in ours:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(int(name), signal.SIGKILL)


class Caller:
    """Calls of the function, and gradients through those calls."""

    def __init__(self, channel: Channel, loaded: loading.Loaded, limits: dict):
        self.channel, self.loaded = channel, loaded
        self.seconds, self.wall = _times(limits)
        self.most = math.ceil(self.seconds + limits["grace"])
        self.graphs: dict[int, tuple[list, list]] = {}

    def handle(self, message: dict) -> bool:
        """Answer the grader; then whether this process may be asked for more."""
        _allow(self.most)
        if "call" not in message:
            self._gradient(message)
            return True
        self._call(message)
        return message["fork"] != "own" or message["call"] in self.graphs

    def _call(self, message: dict) -> None:
        start = time.process_time()
        _sow(message["seed"])
        values = [wire.decode(each, self._asked) for each in message["values"]]
        leaves = [each for each in _tensors(values) if each.requires_grad]
        given = [_cloned(each) for each in values]
        outcome = calling.attempt(
            self.loaded.function, given, self.seconds, self.wall, loading.FILE
        )
        if outcome.problem is not None:
            problem = _listed(self.loaded.explained(outcome.problem))
            self.channel.send(problem=problem, seconds=time.process_time() - start)
            return
        results = [each for each in _tensors(outcome.returned) if each.requires_grad]
        if leaves and results:
            self.graphs[message["call"]] = leaves, results
            for oldest in sorted(self.graphs)[:-KEPT]:
                del self.graphs[oldest]
        try:
            encoded = wire.encode(outcome.returned)
            reply = {"returned": encoded, "given": [_without_graph(each) for each in given]}
            wire.packed(reply)
        except (ValueError, RecursionError, OverflowError) as error:
            self.channel.send(problem=[["ValueError"], f"The result is too large: {error}", "", 0])
            return
        self.channel.send(**reply, seconds=time.process_time() - start)

    def _gradient(self, message: dict) -> None:
        leaves, results = self.graphs[message["gradient"]]
        upstream = [wire.decode(each) for each in message["upstream"]]
        outcome = calling.attempt(_pulled, [results, leaves, upstream], self.seconds, self.wall)
        if outcome.problem is None:
            self.channel.send(gradients=wire.encode(outcome.returned))
        else:
            self.channel.send(problem=_listed(outcome.problem))

    def _asked(self, number: int):
        """A function that the grader holds, such as a score, as a function in here."""

        def asked(*values: object) -> object:
            return ask(self.channel, number, values)

        return asked


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


def _pulled(results, leaves, upstream):
    # a sum, since torch loads a library for algebra, for a second, when grad_outputs is given
    total = sum((result * each).sum() for result, each in zip(results, upstream, strict=True))
    found = torch.autograd.grad(total, leaves, allow_unused=True, retain_graph=True)
    return tuple(torch.zeros(0) if each is None else each.detach() for each in found)


def ask(channel: Channel, number: int, values: tuple) -> object:
    """Let the grader call a function of its own; gradients pass through it."""
    values = [each if _travels(each) else calling.plain(each) for each in values]
    channel.send(ask=number, values=[wire.encode(each) for each in values])
    message = channel.receive()
    if "told" not in message:
        raise _raised(message)
    returned = wire.decode(message["told"])
    given = [each for each in _tensors(values) if each.requires_grad]
    if not given or not any(each.requires_grad for each in _tensors(returned)):
        return _detached(returned)
    outputs = _Asked.apply(channel, message["number"], returned, *given)
    return _replaced(returned, iter(outputs))


class _Asked(torch.autograd.Function):
    """The grader's function on the tape of this process."""

    @staticmethod
    def forward(ctx, channel, number, returned, *given):
        ctx.channel, ctx.number = channel, number
        outputs = [each.detach() for each in _tensors(returned)]
        return tuple(outputs)

    @staticmethod
    def backward(ctx, *upstream):
        ctx.channel.send(ask_gradient=ctx.number, upstream=[wire.encode(each) for each in upstream])
        found = wire.decode(ctx.channel.receive()["gradients"])
        return (None, None, None, *(each if each.numel() else None for each in found))


def _raised(message: dict) -> Exception:
    """The error that the grader's function raised, under its own name."""
    name, text = str(message.get("refused", "RuntimeError")), str(message.get("text", ""))
    kind = getattr(__builtins__, name, None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = type(name, (Exception,), {})
    return kind(text)


def _travels(value: object) -> bool:
    return isinstance(value, torch.Tensor | int | float | str | list | tuple)


def _tensors(value: object) -> list:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, list | tuple):
        return [each for part in value for each in _tensors(part)]
    return []


def _replaced(value: object, tensors) -> object:
    if isinstance(value, torch.Tensor):
        return next(tensors)
    if isinstance(value, list | tuple):
        return type(value)(_replaced(part, tensors) for part in value)
    return value


def _detached(value: object) -> object:
    return _replaced(value, iter([each.detach() for each in _tensors(value)]))


def _cloned(value: object) -> object:
    return _replaced(value, iter([each.clone() for each in _tensors(value)]))


def _without_graph(value: object) -> object:
    return wire.encode(_detached(value)) if not callable(value) else None


def _listed(problem: "calling.Problem") -> list:
    return [list(problem.kinds), problem.text, problem.where, problem.unfinished]


if __name__ == "__main__":
    main()
