"""The answers to an exercise: the functions of its file are right, but for those with a `_`.

`WRONG` are wrong answers by the property that they lack, or by "runs" if they raise an error. Each
is a function, or what is exchanged in the text of the solution, or of `OF`: a part and what comes
into its place, and so on in pairs, after another function if that is changed. `RIGHT` are changes
that are right, too.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import isfunction
from typing import NamedTuple

from attn_class.exercises.frame import changed


class Answers(NamedTuple):
    """Right answers beside the solution, and wrong ones by the property that they lack."""

    right: Sequence[Callable]
    wrong: dict[str, Sequence[Callable]]


def answers_to(exercise: str) -> Answers:
    """The answers to an exercise with a name such as "weights.safe_softmax"."""
    file = import_module(f"specimens.exercises.{exercise}")
    of = getattr(file, "OF", import_module(f"attn_class.exercises.{exercise}").solution)

    def answers(listed: Sequence[Callable | tuple]) -> list[Callable]:
        return [answer if callable(answer) else _changed(of, *answer) for answer in listed]

    functions = [
        value
        for name, value in vars(file).items()
        if isfunction(value) and value.__module__ == file.__name__ and name[0].islower()
    ]
    wrong = {name: answers(several) for name, several in getattr(file, "WRONG", {}).items()}
    return Answers([*functions, *answers(getattr(file, "RIGHT", ()))], wrong)


def _changed(of: Callable, first: Callable | str, *texts: str) -> Callable:
    return changed(first, *texts) if callable(first) else changed(of, first, *texts)
