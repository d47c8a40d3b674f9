"""Executes what `extract` has found for a function, statement by statement, as Jupyter would.

This is done in the sandbox, in a fork that has the limits of one answer. A statement that fails
does not end the others: the names that it would bind are missing, and their use is an error that
says why.
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

import calling
import extract

FILE = "your answer"
SHORTEST = 0.05  # seconds that a statement gets when all the time is used up
# what would not have stopped a statement in the student's own Jupyter
_DIFFERS = {"TooSlow", "ImportError", "OSError"}
_MISSING = {"NameError", "KeyError", "AttributeError", "ImportError"}


class Loaded:
    """A function of a student's, and what to say of it.

    function  the function, or what else is bound to its name; None if nothing is
    problem   why a statement that it needs failed, or None
    """

    def __init__(self, answer: extract.Answer, seconds: float, wall: float):
        self.answer = answer
        self.problem: calling.Problem | None = None
        self._failed: list[str] = []
        self._names = _notebook()
        self._flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        lines = answer.text.splitlines(keepends=True)
        linecache.cache[FILE] = (len(answer.text), None, lines, FILE)
        left = {True: seconds, False: seconds / 2}  # what is not needed must not take all the time
        for statement, needed in zip(answer.statements, answer.needed, strict=True):
            start = time.process_time()
            self._execute(statement, needed, max(left[needed], SHORTEST), wall)
            left[needed] -= time.process_time() - start

    @property
    def function(self) -> object:
        return self._names.get(self.answer.name)

    @property
    def remark(self) -> str:
        return " ".join(part for part in (self.answer.remark, *self._failed) if part)

    def explained(self, problem: calling.Problem) -> calling.Problem:
        """A problem with its place in the notebook, and what was left out if a name is missing."""
        where, text = problem.where, problem.text
        head, colon, line = where.partition(": ")
        if colon and head.startswith("line "):
            where = f"{self.answer.place(int(head.removeprefix('line ')))}: {line}"
        missing = [*self._failed, self.answer.aside]
        if _MISSING & set(problem.kinds):
            text = "\n".join(part for part in (text, *missing, _installed(problem)) if part)
        return problem._replace(where=where, text=text)

    def _execute(
        self, statement: extract.Statement, needed: bool, seconds: float, wall: float
    ) -> None:
        run = self._running(statement.node)
        problem = calling.attempt(run, [], seconds, wall, FILE).problem
        if problem is None:
            return
        problem = self.explained(problem)
        if needed or _DIFFERS & set(problem.kinds):
            self._failed.append(f"{_capital(str(statement))} raised {problem.text}")
        if needed:
            self.problem = self.problem or problem

    def _running(self, node: ast.stmt) -> Callable[[], str]:
        def run() -> str:
            code = compile(ast.Module([node], []), FILE, "exec", self._flags, dont_inherit=True)
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                features = [getattr(__future__, each.name) for each in node.names]
                for each in features:
                    self._flags |= each.compiler_flag
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
    module.get_ipython = _Shell
    module.display = lambda *_, **__: None
    return module.__dict__


class _Shell:
    """Stands for IPython's shell, in which magics and commands are executed elsewhere."""

    def __repr__(self) -> str:
        return "<ipykernel.zmqshell.ZMQInteractiveShell object>"

    def getoutput(self, command: str, *_: object) -> None:
        raise RuntimeError(f"!{command} is not executed when graded")

    def run_line_magic(self, name: str, line: str = "", *_: object) -> None:
        raise RuntimeError(f"%{name} {line} is not executed when graded")

    def run_cell_magic(self, name: str, line: str = "", *_: object) -> None:
        raise RuntimeError(f"%%{name} {line} is not executed when graded")

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_, **__: None


def _installed(problem: calling.Problem) -> str:
    if "ModuleNotFoundError" not in problem.kinds:
        return ""
    return "If this module is a file of your own: put its code into the notebook."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
