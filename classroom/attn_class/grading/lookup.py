"""Exercises by their names.

"weights.safe_softmax" is one of the package. "folder/grader.py:decode" is that of the function
`decode` in a file which `make coursework` has made, and "folder/grader.py" stands for all in there.
"""

import functools
import hashlib
import importlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path

from attn_class.exercises.frame import Exercise
from attn_class.grading import course


def expanded(names: Sequence[str]) -> list[str]:
    """The names, with each file replaced by the exercises in it."""
    return [
        exercise
        for name in names
        for exercise in (_in_file(name) if name.endswith(".py") else [name])
    ]


def exercise_of(name: str) -> Exercise:
    """The exercise of this name; a name that nothing has is a ValueError."""
    file, _, part = name.rpartition(":")
    if file.endswith(".py"):
        exercises = _parts(file)
        if part not in exercises:
            raise ValueError(
                f"{file} has no exercise {part!r}; expected one of {', '.join(exercises)}"
            )
        return exercises[part]
    try:
        return importlib.import_module(f"attn_class.exercises.{name}").exercise
    except (ImportError, AttributeError):
        raise ValueError(
            f"no exercise is called {name!r}; expected a name such as weights.safe_softmax, or the "
            "grader.py of an assignment"
        ) from None


def identity(name: str) -> str:
    """A text that identifies an exercise; a ValueError if there is none.

    A file counts by what it holds, wherever it lies and whenever it was made again.
    """
    exercise_of(name)
    file, _, part = name.rpartition(":")
    if not file.endswith(".py"):
        return name
    return f"{hashlib.sha256(Path(file).read_bytes()).hexdigest()}:{part}"


def refused(name: str) -> list[str] | None:
    """The modules that answers may not import: an assignment begins without the course."""
    return [course.NAME] if name.rpartition(":")[0].endswith(".py") else None


def _in_file(file: str) -> list[str]:
    return [f"{file}:{part}" for part in _parts(file)]


@functools.cache
def _parts(file: str) -> dict[str, Exercise]:
    if not Path(file).is_file():
        raise ValueError(f"there is no file {file}; expected a grader.py made by make coursework")
    spec = importlib.util.spec_from_file_location("grader", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    exercises = [value for value in vars(module).values() if isinstance(value, Exercise)]
    if not exercises:
        raise ValueError(f"{file} holds no exercise; expected the grader.py of an assignment")
    return {exercise.function: exercise for exercise in exercises}
