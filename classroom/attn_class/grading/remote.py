"""A function in the sandbox, called as if it were here: for the properties there is no difference.

Values go there and come back as arrays. Where an input requires a gradient, the result has one too:
the backward pass asks the sandbox for a product of vector and Jacobian. Functions among the inputs
stay here and are asked from there.
"""

import hashlib
import itertools
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from attn_class.exercises.calling import Outcome, Problem, Unreadable, plain
from attn_class.exercises.frame import same
from attn_class.grading import extract, wire
from attn_class.grading.sandbox import TOO_SLOW, Died, Sandbox

LONGEST = 4000  # characters of the source of an answer
TOLD = 1200  # characters on what could not be executed
_ONLY_NEEDED = "Only what the function needs was executed, since the whole notebook could not be:"
REPEATED = 6  # calls that are made again
IDLE = 0.05  # of the clock: what used less of a processor has waited, and would do so again
MOST_NUMBERS = 200_000  # that an answer may give to a function of ours
ASKED = 5000  # times that an answer may ask functions of ours in one call
_MALFORMED = (
    *(ValueError, RecursionError, KeyError, TypeError, RuntimeError, MemoryError),
    OverflowError,
)


class Absent(Exception):
    """There is no such function; says to the student what is wrong."""


class Remote:
    """The function ``name`` out of these cells.

    ``remark`` says what the student should know, and if points are lost ``aside`` what could not be
    executed and ``cut`` what was cut short; ``source`` is the answer with its names numbered.
    Chance in the sandbox is drawn from ``seed``, so that it is the same in each grading.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        cells: list[str],
        name: str,
        without: Sequence[str] = (),
        refused: Sequence[str] = (),
        seed: str = "",
        written_in: str = "",
    ):
        self.sandbox = sandbox
        self.remark = self.aside = self.cut = self.source = ""
        lists = {"cells": cells, "without": without, "refused": refused}
        self._begin = {"name": name, "written_in": written_in, "whole": True}
        self._begin |= {key: list(value) for key, value in lists.items()}
        self._seed = seed
        self._numbers = itertools.count()
        self._fork = "first"  # the process in which calls are made: see `child`
        self._made: list[tuple[int, Sequence[object], Outcome]] = []
        self._alone = ""  # why only what the function needs was executed
        self.late = False  # whether it has run out of time
        limits = sandbox.limits
        self._most = min(limits.wall_seconds, (limits.submission_seconds - sandbox.waited) / 2)
        self._deaths = 0
        self._running = False
        self._has_told = False
        self._waited = self._used = 0.0  # seconds by the clock, and of a processor
        self._last = Problem((), "")
        self._problem: Problem | None = None

    def open(self) -> None:
        """Let the sandbox read the answer; an answer without the function raises `Absent`.

        Where the whole notebook ends the process, only what the function needs is executed.
        """
        self.sandbox.received = 0
        try:
            reply = self._begun()
        except Died as error:
            if self._begin["whole"] and self._waited <= self._most:
                self._begin["whole"] = False
                self._alone = f"{_ONLY_NEEDED} {error} "
                self._note_slow(error)
                self.open()
            else:
                self._lost(error)
            return
        except _MALFORMED as error:
            self._lost(self._malformed(error))
            return
        if "absent" in reply:
            raise Absent(_printable(reply["absent"]))
        self._running = self._problem is None

    def _begun(self) -> dict:
        """What the notebook makes of the function.

        What is quoted by place is put into words here, and what is known before a line of the
        notebook runs is told before, because cells can write to the grader.
        """
        told = self._exchange(self._begin, times=2)
        if "absent" in told:
            self._await_end()
            return told
        self.source = _printable(told["source"], LONGEST)
        self.remark = (self._alone + _printable(told["remark"])).strip()
        reply = self._reply(self._patience(times=2))
        self._used += _seconds(reply)
        cells = self._begin["cells"]
        failed = [extract.failures(reply.get("failed", []), cells), told["aside"]]
        self.aside = _printable(" ".join(filter(None, failed)), TOLD)
        cut = extract.listed(extract.places(reply.get("cut", []), cells))
        self.cut = _printable(f"Not run to its end when graded: {cut}." if cut else "")
        if "problem" in reply:
            self._problem = _problem(reply["problem"])
        if not {"ready", "problem", "missing"} & reply.keys():
            raise ValueError(f"a false report: {', '.join(reply)[:80]}")
        if reply.get("ready") is not True:
            self._await_end()
        if "missing" in reply:
            name = self._begin["name"]
            is_none = extract.missing(name, cells)
            return {"absent": is_none if reply["missing"] else f"{name} is not a function."}
        return reply

    def close(self) -> None:
        """End the answer; the sandbox is ready for the next."""
        if self._running:
            self._running = False
            try:
                self.sandbox.send({"stop": True}, self.sandbox.limits.grace)
                self._await_end()
            except Died:
                pass

    def __call__(self, values: Sequence[object], again: int | None = None) -> Outcome:
        alive = self._running or self._deaths >= self.sandbox.limits.deaths
        if not alive and self._problem is None:
            self.open()
        if self._problem is not None:
            return Outcome(problem=self._problem)
        if not self._running:
            return Outcome(problem=self._last)
        try:
            return self._call(values, again)
        except Died as error:
            self._lost(error)
            return Outcome(problem=self._last)
        except _MALFORMED as error:
            self._lost(self._malformed(error))
            return Outcome(problem=self._last)

    def remembers(self) -> bool:
        """Whether a call comes out otherwise where the function has not been called before.

        A sample of the calls is made again, in another order and another process. Where one comes
        out otherwise, each call from now on is made in a process of its own.
        """
        chance = random.Random(self._seed)
        before, self._fork = (self._used, self._waited), "second"
        kept, late = (self._most, self._deaths, self._problem), self.late
        self._most, self._deaths, self._problem = math.inf, 0, None
        for tried, (number, values, outcome) in enumerate(
            chance.sample(self._made, min(REPEATED, len(self._made)))
        ):
            spent = zip((self._used, self._waited), before, strict=True)
            if tried >= 2 - late and any(now - then > max(then / 10, 1.0) for now, then in spent):
                break
            if not _agree(outcome, self(values, number)):
                self.close()  # and begin again with a process in which no call was made
                self._fork, self._most = "own", kept[0]
                return True
        self._most, self._deaths, self._problem = kept
        return False

    @property
    def slow(self) -> bool:
        """Whether it has run out of time while it computed: by more than it waited, or slept."""
        return self.late and self._used > IDLE * self._waited

    def gradients(self, number: int, upstream: Sequence[Tensor]) -> list[Tensor | None]:
        """The product of these vectors with the Jacobian of an earlier call."""
        message = {"gradient": number, "upstream": [wire.encode(each) for each in upstream]}
        try:
            reply = self._exchange(message)
        except Died as error:
            self._lost(error)
            raise RuntimeError("the gradient could not be computed") from error
        if "gradients" not in reply:
            raise RuntimeError("the gradient could not be computed")
        found = wire.decode(reply["gradients"])
        return [each if each.numel() else None for each in found]

    def _call(self, values: Sequence[object], again: int | None) -> Outcome:
        """Make a call, or one of this number again."""
        functions: list[Callable] = []

        def number_of(function: Callable) -> int:
            functions.append(function)
            return len(functions) - 1

        number = next(self._numbers)
        encoded = [wire.encode(each, number_of) for each in values]
        self._functions, self._asked = functions, {}
        drawn = hashlib.sha256(f"{self._seed}/{number if again is None else again}".encode())
        seed = int.from_bytes(drawn.digest()[:7], "big")
        message = {"call": number, "values": encoded, "seed": seed, "fork": self._fork}
        reply = self._exchange(message)
        self._used += _seconds(reply)
        if "died" in reply:
            return self._refused(Problem(("Died",), _ended(reply["died"])))
        outcome = self._outcome(number, values, reply)
        if self._fork == "first":
            self._made.append((number, values, outcome))
        return outcome

    def _outcome(self, number: int, values: Sequence[object], reply: dict) -> Outcome:
        if "problem" in reply:
            return self._refused(_problem(reply["problem"]))
        returned = _numbers(wire.decode(reply["returned"], unreadable=Unreadable))
        given = [
            None if callable(value) else wire.decode(each)
            for value, each in zip(values, reply["given"], strict=True)
        ]
        inputs = [each for each in tensors(list(values)) if each.requires_grad]
        if not any(each.requires_grad for each in tensors(returned)):
            return Outcome(returned, given)
        outputs = _Through.apply(self, number, tensors(returned), *inputs) if inputs else None
        detached = outputs or [each.detach() for each in tensors(returned)]
        return Outcome(replaced(returned, iter(detached)), given)

    def _exchange(self, message: dict, times: int = 1) -> dict:
        """Send, and receive the reply."""
        limits = self.sandbox.limits
        if self._waited > self._most or self._used > limits.cpu_seconds:
            if self._running:
                self.sandbox.reset()
            raise Died(self._out_of_time())
        patience = self._patience(times)
        self.sandbox.send(message, patience)
        return self._reply(patience)

    def _patience(self, times: int) -> float:
        """Seconds by the clock to wait for a reply."""
        limits = self.sandbox.limits
        most = times * limits.call_seconds * limits.wider
        return max(min(most, self._most - self._waited), 0.0) + limits.grace

    def _out_of_time(self) -> str:
        self.late = True
        most = f"{self.sandbox.limits.submission_seconds:g} seconds by the clock"
        return (
            f"Its time ran out: all functions together have {most}, and one may take half of what "
            "is left of them."
        )

    def _reply(self, patience: float) -> dict:
        """The next reply; what is asked meanwhile is answered."""
        start = time.monotonic()
        end = start + patience
        try:
            for _ in range(ASKED):
                reply = self.sandbox.receive(end - time.monotonic())
                if "ended" in reply:
                    if self._has_told:  # our last words may still be on their way to the dead
                        self.sandbox.close()
                    raise Died(_ended(reply["ended"]))
                self._has_told |= "ask" in reply or "ask_gradient" in reply
                if "ask" in reply:
                    self.sandbox.send(self._told(reply), self.sandbox.limits.grace)
                elif "ask_gradient" in reply:
                    self.sandbox.send(self._told_gradient(reply), self.sandbox.limits.grace)
                else:
                    return reply
        except Died as error:
            if self._waited + time.monotonic() - start > self._most:
                raise Died(self._out_of_time()) from error
            raise
        finally:
            self._waited += time.monotonic() - start
            self.sandbox.waited += time.monotonic() - start
        self.sandbox.reset()
        raise Died("It called the functions that it was given too often.")

    def _told(self, message: dict) -> dict:
        """What one of our functions says to values of the student's."""
        try:
            values = [wire.decode(each) for each in message["values"]]
            numbers = sum(each.numel() for each in tensors(values))
            if numbers > MOST_NUMBERS:
                raise ValueError(f"it was given {numbers:,} numbers; at most {MOST_NUMBERS:,}")
            returned = self._functions[message["ask"]](*values)
            number = len(self._asked)
            self._asked[number] = values, returned
            return {"told": wire.encode(returned), "number": number}
        except Exception as error:  # whatever a value of the student's does to our function
            return {"refused": type(error).__name__, "text": str(error)[:300]}

    def _told_gradient(self, message: dict) -> dict:
        try:
            values, returned = self._asked[message["ask_gradient"]]
            upstream = [wire.decode(each) for each in message["upstream"]]
            leaves = [each for each in tensors(values) if each.requires_grad]
            pairs = zip(tensors(returned), upstream, strict=True)
            with torch.enable_grad():  # which is off in the backward pass that asks for this
                total = sum((result * each).sum() for result, each in pairs)
            found = torch.autograd.grad(total, leaves, allow_unused=True, retain_graph=True)
            parts = tuple(torch.zeros(0) if each is None else each for each in found)
            return {"gradients": wire.encode(parts)}
        except Exception as error:
            return {"refused": type(error).__name__, "text": str(error)[:300]}

    def _await_end(self) -> None:
        reply = self.sandbox.receive(self.sandbox.limits.grace)
        if "ended" not in reply:
            self.sandbox.reset()

    def _malformed(self, error: Exception) -> Died:
        self.sandbox.reset()
        return Died(f"What it returned cannot be read: {_printable(error)}")

    def _refused(self, problem: Problem) -> Outcome:
        """What took too long, or ended the process, is tried only so often."""
        if {"TooSlow", "Died"} & set(problem.kinds):
            self.late |= "TooSlow" in problem.kinds
            self._deaths += 1
            if self._deaths >= self.sandbox.limits.deaths:
                self._problem = problem
        return Outcome(problem=problem)

    def _lost(self, error: Died) -> None:
        self._running = False
        self._deaths += 1
        self._note_slow(error)
        kind = "OutOfTime" if self._waited > self._most else "Died"
        self._last = Problem((kind,), str(error))

    def _note_slow(self, error: Died) -> None:
        self.late |= error.args[0] == TOO_SLOW


class _Through(torch.autograd.Function):
    """A call in the sandbox, as one operation on the tape of this process."""

    @staticmethod
    def forward(ctx, remote: Remote, number: int, outputs: list[Tensor], *inputs: Tensor):
        ctx.remote, ctx.number = remote, number
        ctx.kept = [each.requires_grad for each in outputs]
        ctx.inputs = [each.shape for each in inputs]
        results = tuple(each.detach() for each in outputs)
        ctx.mark_non_differentiable(
            *(each for each, kept in zip(results, ctx.kept, strict=True) if not kept)
        )
        return results

    @staticmethod
    def backward(ctx, *upstream: Tensor):
        sent = [each for each, kept in zip(upstream, ctx.kept, strict=True) if kept]
        found = ctx.remote.gradients(ctx.number, sent)
        if [each.shape for each in found if each is not None] != [
            shape for each, shape in zip(found, ctx.inputs, strict=True) if each is not None
        ]:
            raise RuntimeError("gradients of another shape")
        return (None, None, None, *found)


def tensors(value: object) -> list[Tensor]:
    """All tensors in a value, in their order."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, list | tuple):
        return [each for part in value for each in tensors(part)]
    return []


def replaced(value: object, others: Iterator[Tensor]) -> object:
    """The value with other tensors in the place of its own."""
    if isinstance(value, Tensor):
        return next(others)
    if isinstance(value, list | tuple):
        return type(value)(replaced(part, others) for part in value)
    return value


def _numbers(value: object) -> object:
    """The returned value, whose numbers are what `plain` makes of them in the sandbox."""
    if isinstance(value, bool | int):
        return plain(value)
    if isinstance(value, list | tuple):
        return type(value)(map(_numbers, value))
    return value


def _problem(listed: object) -> Problem:
    kinds, text, where, unfinished = listed  # a list of the sandbox's, or a ValueError
    kinds = tuple(str(kind)[:100] for kind in list(kinds)[:20])
    return Problem(kinds, _printable(text), _printable(where), bool(unfinished))


def _printable(text: object, longest: int = 400) -> str:
    """A student's text without characters that control a terminal or reverse the writing."""
    shown = (
        each if each.isprintable() or each == "\n" else "\N{REPLACEMENT CHARACTER}"
        for each in str(text)[:longest]
    )
    return "".join(shown)


def _agree(one: Outcome, two: Outcome) -> bool:
    if one.problem is None and two.problem is None:
        return _alike(one.returned, two.returned)
    return (one.problem and one.problem.kinds) == (two.problem and two.problem.kinds)


def _alike(one: object, two: object) -> bool:
    """Whether two results are the same, also where there is no number or nothing to compare."""
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(_alike, one, two))
    if isinstance(one, Tensor | float) and isinstance(two, Tensor | float):
        one, two = (torch.as_tensor(each).nan_to_num(1e9, 1e10, -1e10) for each in (one, two))
    return repr(one) == repr(two) if isinstance(one, Unreadable) else same(one, two)


def _seconds(reply: dict) -> float:
    """What a call has used of a processor, by its own account; the clock is ours."""
    seconds = reply.get("seconds", 0.0)
    return max(seconds, 0.0) if isinstance(seconds, float) else 0.0


def _ended(status: object) -> str:
    names = {24: "It used up its time.", 9: "It was stopped: it ran out of time or memory."}
    number = status & 127 if isinstance(status, int) else 0
    return names.get(number, "It ended the process in which it ran.")
