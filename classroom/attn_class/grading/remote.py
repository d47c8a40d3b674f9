"""A function in the sandbox, called as if it were here: for the properties there is no difference.

Values go there and come back as arrays, one message each way; with gradients that are sent up to
the result, those that reach the inputs come back as well. Functions among the inputs stay here and
are asked from there.
"""

import hashlib
import math
import random
import time
from collections.abc import Callable, Sequence

from attn_class.exercises.calling import (
    Outcome,
    Problem,
    Unreadable,
    Upstream,
    plain,
    pulled,
    tensors,
)
from attn_class.exercises.frame import alike
from attn_class.grading import extract, wire
from attn_class.grading.sandbox import TOO_SLOW, Died, Sandbox

LONGEST = 4000  # characters of the source of an answer
LONGEST_ASIDE = 1200  # characters on what could not be executed
_ONLY_NEEDED = "Only what the function needs was executed, since the whole notebook could not be:"
REPEATED = 6  # calls that are made again
IDLE = 0.05  # of the clock: what used less of a processor has waited, and would do so again
MOST_NUMBERS = 200_000  # that an answer may give to a function of ours
MOST_QUESTIONS = 5000  # times that an answer may ask functions of ours in one call
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
        self._made: list[tuple[int, Sequence[object], Outcome]] = []
        self._afresh = False  # whether each call is to be the first of its process
        self._alone = ""  # why only what the function needs was executed
        self.late = False  # whether it has run out of time
        limits = sandbox.limits
        self._most = min(limits.wall_seconds, (limits.submission_seconds - sandbox.waited) / 2)
        self._deaths = 0
        self._running = False
        self._has_answered = False
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
        report = self._exchange(self._begin, times=2)
        if "absent" in report:
            self._await_end()
            return report
        self.source = _printable(report["source"], LONGEST)
        self.remark = (self._alone + _printable(report["remark"])).strip()
        reply = self._reply(self._patience(times=2))
        self._used += _seconds(reply)
        cells = self._begin["cells"]
        failed = [extract.failures(reply.get("failed", []), cells), report["aside"]]
        self.aside = _printable(" ".join(filter(None, failed)), LONGEST_ASIDE)
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

    def __call__(
        self,
        values: Sequence[object],
        upstream: Upstream = None,
        number: int | None = None,
    ) -> Outcome:
        """Make a call, or one of this number again."""
        alive = self._running or self._deaths >= self.sandbox.limits.deaths
        if not alive and self._problem is None:
            self.open()
        if self._problem is not None:
            return Outcome(problem=self._problem)
        if not self._running:
            return Outcome(problem=self._last)
        try:
            number = len(self._made) if number is None else number
            outcome = self._call(values, upstream, number)
            self._made.append((number, values, outcome))
            return outcome
        except Died as error:
            self._lost(error)
        except _MALFORMED as error:
            self._lost(self._malformed(error))
        return Outcome(problem=self._last)

    def remembers(self) -> bool:
        """Whether a call comes out otherwise where the function has not been called before.

        A sample of the calls is made again, in another order and another process. Where one comes
        out otherwise, each call from now on is made in a process of its own.
        """
        before, calls = (self._used, self._waited), self._made
        limits, late = (self._most, self._deaths, self._problem), self.late
        self._most, self._deaths, self._problem, self._made = math.inf, 0, None, []
        sample = random.Random(self._seed).sample(calls, min(REPEATED, len(calls)))
        for tried, (number, values, outcome) in enumerate(sample):
            spent = zip((self._used, self._waited), before, strict=True)
            if tried >= 2 - late and any(now - then > max(then / 10, 1.0) for now, then in spent):
                break
            self._afresh = tried == 0
            if not alike(outcome, self(values, number=number)):
                self.close()  # and begin again without what the calls have left behind
                self._most, self._afresh = limits[0], True
                return True
        self._most, self._deaths, self._problem = limits
        return False

    @property
    def slow(self) -> bool:
        """Whether it has run out of time while it computed: by more than it waited, or slept."""
        return self.late and self._used > IDLE * self._waited

    def _call(self, values: Sequence[object], upstream: Upstream, number: int) -> Outcome:
        self._functions: list[Callable] = []

        def number_of(function: Callable) -> int:
            self._functions.append(function)
            return len(self._functions) - 1

        if self._afresh and self._running:
            self.sandbox.send({"afresh": True}, self.sandbox.limits.grace)
        drawn = hashlib.sha256(f"{self._seed}/{number}".encode())
        message = {
            "call": [wire.encode(value, number_of) for value in values],
            "upstream": wire.encode(upstream),
            "seed": int.from_bytes(drawn.digest()[:7], "big"),
        }
        reply = self._exchange(message, times=1 + (upstream is not None))
        self._used += _seconds(reply)
        if "problem" in reply:
            return self._refused(_problem(reply["problem"]))
        returned = _numbers(wire.decode(reply["returned"], unreadable=Unreadable))
        inputs = [
            None if callable(value) else wire.decode(after)
            for value, after in zip(values, reply["given"], strict=True)
        ]
        gradients = wire.decode(reply["gradients"])  # compared with the solution's, as results are
        return Outcome(returned, inputs, None, gradients)

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
            for _ in range(MOST_QUESTIONS):
                reply = self.sandbox.receive(end - time.monotonic())
                if "ended" in reply:
                    if self._has_answered:  # our last words may still be on their way to the dead
                        self.sandbox.close()
                    raise Died(_ended(reply["ended"]))
                if "ask" not in reply:
                    return reply
                self._has_answered = True
                self.sandbox.send(self._answered(reply), self.sandbox.limits.grace)
        except Died as error:
            if self._waited + time.monotonic() - start > self._most:
                raise Died(self._out_of_time()) from error
            raise
        finally:
            self._waited += time.monotonic() - start
            self.sandbox.waited += time.monotonic() - start
        self.sandbox.reset()
        raise Died("It called the functions that it was given too often.")

    def _answered(self, message: dict) -> dict:
        """What one of our functions says to values of the student's, or what gradients reach them.

        Those are asked for with the same values, and what is sent up to the results.
        """
        try:
            values = [wire.decode(value) for value in message["values"]]
            numbers = sum(tensor.numel() for tensor in tensors(values))
            if numbers > MOST_NUMBERS:
                raise ValueError(f"it was given {numbers:,} numbers; at most {MOST_NUMBERS:,}")
            answer = self._functions[message["ask"]](*values)
            if "upstream" in message:
                upstream = [wire.decode(gradient) for gradient in message["upstream"]]
                leaves = [tensor for tensor in tensors(values) if tensor.requires_grad]
                answer = pulled(answer, leaves, upstream)
            return {"told": wire.encode(answer)}
        except Exception as error:  # whatever a value of the student's does to our function
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
    letters = (
        letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}"
        for letter in str(text)[:longest]
    )
    return "".join(letters)


def _seconds(reply: dict) -> float:
    """What a call has used of a processor, by its own account; the clock is ours."""
    seconds = reply.get("seconds", 0.0)
    return max(seconds, 0.0) if isinstance(seconds, float) else 0.0


def _ended(status: object) -> str:
    names = {24: "It used up its time.", 9: "It was stopped: it ran out of time or memory."}
    number = status & 127 if isinstance(status, int) else 0
    return names.get(number, "It ended the process in which it ran.")
