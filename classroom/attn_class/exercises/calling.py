"""One call of a learner's function: what came back, or what went wrong.

The check of a chapter calls the function in the notebook; a grader calls it in a sandbox, where the
course is out of reach. So this file imports nothing of the course, and both run the same lines.
"""

import contextlib
import dis
import gc
import itertools
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from numbers import Integral, Real
from types import FrameType
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

SECONDS = 10.0  # of a processor, for one call
_WIDER = 4.0  # times as many by the clock, for a machine that is busy
_INTERVAL = 0.2  # seconds between two signals
_SHORT = 300  # characters of an error's message
Upstream = Sequence[Tensor | None] | None  # for each floating-point tensor of a result, or for none
_DOES_NOTHING = {"RESUME", "NOP", "LOAD_CONST", "POP_TOP", "RETURN_VALUE", "RETURN_CONST"}


class Problem(NamedTuple):
    """Why there is no result.

    ``kinds`` are the names of the error's class and of its bases, ``where`` is the line of the
    learner's code that it came from. An ``unfinished`` function is still the stub.
    """

    kinds: tuple[str, ...]
    text: str
    where: str = ""
    unfinished: bool = False


class Outcome(NamedTuple):
    """What a call returned, the inputs as it left them, and the problem if there was one.

    ``gradients`` reach the inputs that require them; None if nobody asked, or the graph is cut.
    """

    returned: object = None
    inputs: Sequence[object] = ()
    problem: Problem | None = None
    gradients: Sequence[Tensor] | None = None


class Unreadable:
    """Stands for a result that is not a number, text, tensor or list of these. Equals nothing."""

    def __init__(self, kind: str):
        self.kind = kind

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = None

    def __repr__(self) -> str:
        return f"an object of type {self.kind}"


class Number(float):
    """A truth value or a whole number: a float, like all numbers here, but shown as it was."""

    def __new__(cls, was: bool | int):
        number = super().__new__(cls, was)
        number.was = was
        return number

    def __repr__(self) -> str:
        return repr(self.was)


class TooSlow(BaseException):
    """Raised in a function that does not return; no `except Exception` catches it."""


class Ended(BaseException):
    """Raised when a function tries to end the whole process."""


def attempt(
    function: Callable,
    values: Sequence[object],
    seconds: float | None = None,
    wall: float | None = None,
    file: str | None = None,
) -> Outcome:
    """Call the function; whatever it does, the result is an outcome.

    It may take this many seconds of a processor: in its own thread, and four times as many by the
    clock; or, where ``wall`` is given, in all threads, and ``wall`` by the clock. An error is told
    with its line in ``file``, by default the function's own.
    """
    file = file or getattr(getattr(function, "__code__", None), "co_filename", None)
    seconds = SECONDS if seconds is None else seconds
    gradients, process = torch.is_grad_enabled(), os.getpid()
    try:
        with _time_limit(seconds, wall) as late, _no_exit():
            try:
                returned = plain(function(*values))
            except (Exception, SystemExit) as error:
                return Outcome(problem=problem_of(TooSlow() if late else error, file))
        if late:  # it has caught what interrupted it
            return Outcome(problem=problem_of(TooSlow()))
    except (TooSlow, Ended) as error:
        return Outcome(problem=problem_of(error, file))
    finally:
        torch.set_grad_enabled(gradients)
        if os.getpid() != process:  # what the function has forked must not go on as this process
            os._exit(0)
    if returned is None or returned is ...:
        text = "The function returns nothing: is a `return` missing?"
        return Outcome(problem=Problem(("Nothing",), text, unfinished=_is_empty(function)))
    return Outcome(returned, values)


def with_gradients(
    outcome: Outcome,
    values: Sequence[object],
    upstream: Upstream,
    seconds: float | None = None,
    wall: float | None = None,
) -> Outcome:
    """The outcome of a call with these values, and what reaches them from ``upstream``."""
    if upstream is None or outcome.problem is not None:
        return outcome
    leaves = [tensor for tensor in tensors(values) if tensor.requires_grad]
    reached = attempt(pulled, [outcome.returned, leaves, upstream], seconds, wall)
    return outcome._replace(gradients=reached.returned)


def pulled(
    returned: object, leaves: Sequence[Tensor], upstream: Sequence[Tensor | None]
) -> tuple[Tensor, ...]:
    """The gradients that reach these leaves; a graph that is cut is a RuntimeError."""
    pairs = zip(floating(returned), upstream, strict=False)
    # a sum, since torch loads a library for algebra, for a second, when grad_outputs is given
    total = sum((result * sent).sum() for result, sent in pairs if sent is not None)
    gradients = torch.autograd.grad(total, leaves, allow_unused=True)
    reached = zip(gradients, leaves, strict=True)
    return tuple(torch.zeros_like(leaf) if one is None else one for one, leaf in reached)


def tensors(value: object) -> list[Tensor]:
    """All tensors in a value, in their order."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, list | tuple):
        return [tensor for part in value for tensor in tensors(part)]
    return []


def floating(value: object) -> list[Tensor]:
    """The floating-point tensors in a value, in their order."""
    return [tensor for tensor in tensors(value) if tensor.is_floating_point()]


def plain(result: object) -> object:
    """The same value in the types that can be compared, on the CPU.

    Arrays and lists of numbers become tensors, other lists tuples, numbers of any kind floats.
    """
    if result is None or result is ...:
        return result
    if isinstance(result, Tensor):
        return result.cpu()  # an answer may compute on a GPU; it is compared here
    if isinstance(result, str):
        return str.__str__(result)
    if isinstance(result, np.ndarray) and result.dtype.kind in "biuf":
        return torch.from_numpy(np.ascontiguousarray(result).copy().reshape(result.shape))
    if isinstance(result, bool | np.bool_):
        return Number(bool(result))
    if isinstance(result, Integral):
        return Number(int(result))
    if isinstance(result, Real | Decimal | np.number):
        return float(result)
    if isinstance(result, list):
        with contextlib.suppress(RuntimeError, TypeError, ValueError):  # no table of numbers
            parts = [part if isinstance(part, bool) else plain(part) for part in result]
            return torch.stack([torch.as_tensor(part) for part in parts])
    if isinstance(result, list | tuple):
        return tuple(plain(part) for part in result)
    return Unreadable(type(result).__name__)


def problem_of(error: BaseException, file: str | None = None) -> Problem:
    """An error raised by the learner's code, with the line that it came from."""
    kinds = tuple(kind.__name__ for kind in type(error).__mro__)
    if isinstance(error, TooSlow):
        text = "It did not come to an end. Is there a loop whose condition stays true?"
    elif isinstance(error, Ended):
        text = "It tried to end the process in which it runs."
    else:
        with contextlib.suppress(Exception):  # a message may be written by the learner's code
            text = f"{type(error).__name__}: {error}"
            return Problem(kinds, _shortened(text), _line(error, file), _is_stubs(error))
        text = type(error).__name__
    return Problem(kinds, _shortened(text), _line(error, file))


def _shortened(text: str) -> str:
    return text if len(text) <= _SHORT else text[:_SHORT] + " ..."


def _line(error: BaseException, file: str | None) -> str:
    trace = traceback.extract_tb(error.__traceback__)
    lines = [f"line {entry.lineno}: {entry.line}" for entry in trace if entry.filename == file]
    return _shortened(lines[-1]) if lines else ""


def _is_stubs(error: BaseException) -> bool:
    """Whether this NotImplementedError was raised by a `raise` of the learner's, not by torch."""
    trace = error.__traceback__
    if type(error) is not NotImplementedError or trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code.co_code
    raised = code[trace.tb_lasti] == dis.opmap["RAISE_VARARGS"]
    return raised and not _is_of_torch(trace.tb_frame.f_globals.get("__name__", ""))


def _is_of_torch(name: object) -> bool:
    return str(name).split(".")[0] == "torch"


def _is_empty(function: Callable) -> bool:
    """Whether the body is a docstring, `pass` or `...`."""
    code = getattr(function, "__code__", None)
    return code is not None and {step.opname for step in dis.get_instructions(code)} <= (
        _DOES_NOTHING
    )


@contextlib.contextmanager
def _time_limit(seconds: float, wall: float | None) -> Iterator[list]:
    """Interrupt what takes too long, repeatedly if need be; without signals there is no limit.

    What it gives is empty until then.
    """
    late: list[bool] = []
    usable = hasattr(signal, "setitimer")
    if not usable or threading.current_thread() is not threading.main_thread():
        yield late
        return

    begun, signals = time.thread_time(), itertools.count(1)

    def interrupt(number: int, frame: FrameType | None) -> None:
        clock = seconds + next(signals) * _INTERVAL  # but not while the computer sleeps
        used = time.thread_time() - begun
        has_time = wall is None and used < seconds and clock < _WIDER * seconds
        if has_time or collects(frame):
            return  # the timer comes again
        late.append(True)
        raise TooSlow

    clocks = [(signal.ITIMER_REAL, signal.SIGALRM, seconds if wall is None else wall)]
    if wall is not None:
        clocks.append((signal.ITIMER_PROF, signal.SIGPROF, seconds))
    before = [signal.signal(number, interrupt) for _, number, _ in clocks]
    running = [signal.setitimer(timer, limit, _INTERVAL) for timer, _, limit in clocks]
    try:
        yield late
    finally:
        for (timer, number, _), handler, rest in zip(clocks, before, running, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler or signal.SIG_DFL)
            signal.setitimer(timer, *rest)  # of an alarm that somebody else has set


def collects(frame: FrameType | None) -> bool:
    """Whether the garbage collector is calling, by which an error raised here would be lost."""
    called = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    return any(caller.f_code in called for caller, _ in traceback.walk_stack(frame))


@contextlib.contextmanager
def _no_exit() -> Iterator[None]:
    """Keep the function from ending the process, which in a notebook is the kernel."""

    process = os.getpid()
    names = [name for name in ("_exit", "abort") if hasattr(os, name)]
    before = {name: getattr(os, name) for name in names}

    def refusing(name: str) -> Callable[..., None]:
        def refuse(*status: object) -> None:
            if os.getpid() != process:  # a worker, which ends when its work is done
                before[name](*status)
            raise Ended

        return refuse

    for name in names:
        setattr(os, name, refusing(name))
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(os, name, function)
