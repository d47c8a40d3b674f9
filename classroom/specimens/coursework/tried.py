"""Answers to an assignment, sorted by function, and what its hidden tests find wrong with one."""

import functools
from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import isfunction
from pathlib import Path

from attn_class.assignments.__main__ import assignment
from attn_class.exercises.frame import Exercise, Finding, _here

COURSEWORK = Path(__file__).resolve().parents[2] / "coursework"


class Answers:
    """Right and wrong answers, each named after its function and its style: decode__in_lists.

    Functions with such a name that are not noted as wrong are right.

    name   of the assignment, whose folder in coursework/ has this name
    right  answers by function
    wrong  answers by function, each with the properties that it must not have; the first of these
           has the hint that is meant for it
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.right: dict[str, list] = {}
        self.wrong: dict[str, dict] = {}

    def good(self, answer: Callable) -> None:
        """Note a right answer."""
        self.right.setdefault(function_of(answer), []).append(answer)

    def bad(self, *failed: str) -> Callable:
        """Note wrong answers, by name or as a decorator: they fail these properties alone."""

        def note(*answers: Callable, **named: Callable) -> Callable | None:
            for name, answer in named.items():
                answer.__name__ = name
            for answer in (*answers, *named.values()):
                self.wrong.setdefault(function_of(answer), {})[answer] = failed
            return answers[0] if answers else None

        return note

    def all_right(self) -> list[Callable]:
        return [answer for answers in self.right.values() for answer in answers]

    def all_wrong(self) -> list[tuple[Callable, tuple[str, ...]]]:
        return [pair for answers in self.wrong.values() for pair in answers.items()]


class Changed(Answers):
    """Answers that are the solved notebook with parts of its text exchanged.

    One of them answers each function. ``code`` says which cells of the notebook are needed, by
    default those that define a function which takes something; ``names`` are what they need beside.
    """

    def __init__(self, name: str, code: Callable[[str], bool] | None = None, **names: object):
        super().__init__(name)
        solved = assignment(COURSEWORK / name / "assignment.py", name)
        self.exercises, self.names = solved.exercises, names
        texts = [cell.solved() for cell in solved.cells if not cell.is_text]
        self.cells = {
            function: next(text for text in texts if f"def {function}(" in text)
            for function, exercise in self.exercises.items()
            if not exercise.call.endswith("()")
        }
        self.code = list(filter(code, texts)) if code else list(self.cells.values())

    def changed(
        self, style: str, *texts: str, more: str = "", function: str = ""
    ) -> dict[str, Callable]:
        """By function, what is graded if parts are exchanged, in pairs, and ``more`` is added.

        Where a function is named, they are parts of its cell.
        """
        code = "\n\n\n".join([*self.code, more])
        part = before = self.cells[function] if function else code
        for old, new in zip(texts[::2], texts[1::2], strict=True):
            if part.count(old) != 1:
                raise ValueError(f"{style}: {old!r} is {part.count(old)} times in the solution")
            part = part.replace(old, new)
        names: dict = {"__name__": style, **self.names}
        exec(compile(code.replace(before, part), f"{style} of {self.name}", "exec"), names)
        return {function: names[function] for function in self.exercises if function in names}

    def note(self, style: str, answers: dict, lost: str = "", but: Sequence[str] = ()) -> None:
        """Note them as wrong where properties are lost, and as right elsewhere, but for some."""
        for function, answer in answers.items():
            has = {one.name for one in self.exercises[function].properties}
            failed = tuple(name for name in lost.split() if name in has)
            answer.__name__ = f"{function}__{style}"
            if failed:
                self.wrong.setdefault(function, {})[answer] = failed
            elif function not in but:
                self.good(answer)

    def note_wrong(self, text: str, but: Sequence[str] = ()) -> None:
        """Note wrong answers, each below the properties that it loses, by what is exchanged:

        MANY = names of properties, for which MANY stands below
        read:                             only this function is changed from here on
        is_read MANY                      the first has the hint that is meant; or: nothing
            style: this → that
                and this → that
            other_style: one line
                | and the next
                → a new line
                |     and the next
        """
        names: dict[str, str] = {}
        function, lost, rows, is_new = "", "", [], True
        for line in filter(None, text.splitlines()):
            if line.startswith(" " * 8):
                rows[-1][-1].append(line[8:])
                continue
            if line.startswith(" " * 4):
                style, _, change = line.strip().partition(": ")
                rows.append((function, lost, style, [change]))
                is_new = True
                continue
            words = " ".join(names.get(word, word) for word in line.split())
            if words.endswith(":"):
                function = words[:-1]
            elif " = " in words:
                name, names[name] = words.split(" = ")
            else:
                lost, is_new = words if is_new else f"{lost} {words}", False
        for function, lost, style, lines in rows:
            answers = self.changed(style, *_exchanged(lines), function=function)
            self.note(style, {function: answers[function]} if function else answers, lost, but)


def _exchanged(lines: Sequence[str]) -> list[str]:
    """What is there, what comes into its place, and so on in pairs."""
    texts: list[str] = []
    for line in lines:
        if line.startswith("|"):
            texts[-1] += "\n" + line[2:]
        else:
            texts += [text.strip() for text in line.removeprefix("→").split("→")]
    return texts


def function_of(answer: Callable) -> str:
    return answer.__name__.split("__")[0]


@functools.cache
def answers_by_assignment() -> dict[str, Answers]:
    """The answers of every module in this folder whose name ends with ``_answers``."""
    by_assignment = {}
    for path in sorted(Path(__file__).parent.glob("*_answers.py")):
        module = import_module(f"specimens.coursework.{path.stem}")
        answers = by_assignment[module.ANSWERS.name] = module.ANSWERS
        wrong = dict(answers.all_wrong())
        for name, answer in vars(module).items():
            if "__" in name.strip("_") and isfunction(answer) and answer not in wrong:
                answers.good(answer)
    return by_assignment


@functools.cache
def hidden_tests(name: str) -> dict[str, Exercise]:
    """What the hidden tests of an assignment ask for, by function."""
    return assignment(COURSEWORK / name / "assignment.py", name).exercises


def findings(exercise: Exercise, answer: Callable, own: str = "", seed: int = 3) -> list[Finding]:
    """What the hidden tests say of an answer, for the student with this variant."""
    return list(exercise.findings(_here(answer, exercise.without), seed, own))


def lost(results: list[Finding]) -> set[str]:
    """The properties that an answer lacks."""
    return {one.property.name for one in results if not one.holds}


def meant(exercise: Exercise, failed: tuple[str, ...]) -> set[str]:
    """The properties that cost points: without a strong one, the weak ones do as well."""
    strong = {one.name for one in exercise.properties if not one.weak}
    weak = {one.name for one in exercise.properties if one.weak}
    return {*failed} | (weak if strong <= {*failed} else set())
