"""Executes a notebook, statement by statement, as Jupyter would.

This is done in the sandbox, in a fork that has the limits of one answer. A statement that fails
does not end the others: the names that it would bind are missing, and their use is an error that
says why. Statements that a function needs share the time of a call; all others, such as a training
below it, may take half as much together. What is cut short is told wherever points are lost.
"""

import __future__

import ast
import asyncio
import builtins
import inspect
import linecache
import sys
import time
import types
from collections.abc import Callable

import bindings
import calling
import extract
import forbidden
import numpy as np

FILE = "your answer"
SHORTEST = 0.05, 0.2  # seconds, and by the clock, that a statement gets when all are used up
CUT = calling.problem_of(calling.TooSlow())
# what would not have stopped a statement in the student's own Jupyter
_DIFFERS = {"TooSlow", "ImportError", "OSError", "EOFError", "MemoryError", "NotHere"}
_NO_ROOM = "can't allocate memory"  # torch says so in a RuntimeError
_MISSING = {"NameError", "KeyError", "AttributeError", "ImportError"}


class Budget:
    """Seconds of a processor, and by the clock, that several statements share.

    Each may take a ``share`` of what those before it have left, or the shortest time; once as much
    again has gone, nothing more is executed.
    """

    def __init__(self, seconds: float, wall: float, share: float = 1.0):
        self.most, self.share = np.array([seconds, wall]), share
        self.left = self.most.copy()

    def attempt(self, run: Callable[[], object]) -> calling.Problem | None:
        """Run this within its share; the problem if it fails."""
        if (self.left < -self.most).any():
            return CUT
        limits = np.maximum(self.share * self.left, SHORTEST)
        start = _clocks()
        problem = calling.attempt(run, [], *limits.tolist(), FILE).problem
        self.left -= _clocks() - start
        return problem


def _clocks() -> np.ndarray:
    return np.array([time.process_time(), time.monotonic()])


class Loaded:
    """A function of a student's, and what to say of it.

    function  the function, or what else is bound to its name; None if nothing is
    problem   why a statement that it needs failed, or None
    """

    def __init__(self, answer: extract.Answer, seconds: float, wall: float, whole: bool = True):
        self.answer = answer
        self.problem: calling.Problem | None = None
        self.failed: list[list] = []  # the cell and the line of what failed, and the error
        self.cut: list[list] = []  # those of what was cut short, whatever it is about
        self._lost: set[str] = set()  # names that would be bound elsewhere, and are not here
        self._functions = {
            name: one.uses for one in answer.names if one.fixed for name in one.binds
        }
        self._names = _notebook()
        self._flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        lines = answer.text.splitlines(keepends=True)
        linecache.cache[FILE] = (len(answer.text), None, lines, FILE)
        time_for = {True: Budget(seconds, wall), False: Budget(seconds / 2, wall / 2, share=0.5)}
        parts = zip(answer.statements, answer.names, answer.needed, strict=True)
        for statement, names, needed in parts:
            if needed or whole:
                problem = time_for[needed].attempt(self._running(statement.node))
                if problem is not None:
                    self._note(problem, statement, names, needed)

    @property
    def function(self) -> object:
        return self._names.get(self.answer.name)

    def explained(self, problem: calling.Problem) -> calling.Problem:
        """A problem with its place in the notebook, and what was left out if a name is missing."""
        where, text = problem.where, problem.text
        head, colon, line = where.partition(": ")
        if colon and head.startswith("line "):
            where = f"{self.answer.place(int(head.removeprefix('line ')))}: {line}"
        if _MISSING & set(problem.kinds):
            aside = extract.failures(self.failed, self.answer.cells)
            texts = (text, aside, self.answer.aside, _installed(problem))
            text = "\n".join(filter(None, texts))
        return problem._replace(where=where, text=text)

    def _note(
        self,
        problem: calling.Problem,
        statement: extract.Statement,
        names: bindings.Names,
        needed: bool,
    ) -> None:
        """What to say of a statement that failed."""
        about = bindings.reached(names.uses, self._functions)
        is_cut = "TooSlow" in problem.kinds
        differs = _DIFFERS & set(problem.kinds) or _NO_ROOM in problem.text or about & self._lost
        if differs:
            self._lost |= names.binds
        if needed:
            self.problem = self.problem or self.explained(problem)
        if needed or (differs and self.answer.data & (names.binds | about)):
            raised = [] if is_cut else [problem.text, _installed(problem)]
            how = " ".join(filter(None, raised))
            self.failed.append([statement.cell, statement.line, how])
        elif is_cut:
            self.cut.append([statement.cell, statement.line])

    def _running(self, node: ast.stmt) -> Callable[[], str]:
        def run() -> str:
            code = compile(ast.Module([node], []), FILE, "exec", self._flags, dont_inherit=True)
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                features = [getattr(__future__, alias.name) for alias in node.names]
                for feature in features:
                    self._flags |= feature.compiler_flag
            result = eval(code, self._names)
            if inspect.iscoroutine(result):
                asyncio.run(result)
            return "executed"

        return run


def _notebook() -> dict:
    """The names of a notebook in which nothing has been executed."""
    module = types.ModuleType("__main__")
    module.__builtins__ = builtins
    sys.modules["__main__"] = module
    sys.breakpointhook = lambda *_, **__: None  # there is nobody who could go on from there
    module.get_ipython = _Shell
    module.display = lambda *_, **__: None
    return module.__dict__


class _Shell:
    """Stands for IPython's shell, in which magics and commands are executed elsewhere."""

    def __repr__(self) -> str:
        return "<ipykernel.zmqshell.ZMQInteractiveShell object>"

    def getoutput(self, command: str, *_: object) -> None:
        raise forbidden.NotHere(f"!{command} is not executed when graded")

    def run_line_magic(self, name: str, line: str = "", *_: object) -> None:
        raise forbidden.NotHere(f"%{name} {line} is not executed when graded")

    def run_cell_magic(self, name: str, line: str = "", *_: object) -> None:
        raise forbidden.NotHere(f"%%{name} {line} is not executed when graded")

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_, **__: None


def _installed(problem: calling.Problem) -> str:
    if "ModuleNotFoundError" not in problem.kinds:
        return ""
    return "If this module is a file of your own: put its code into the notebook."
