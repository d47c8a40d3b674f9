"""The source of an assignment: a Python file in cells, solved, with marked regions.

A cell begins with ``# %%``, or with ``# %% [markdown]`` if its lines are text, each after a ``#``.
Regions in it are marked as nbgrader marks them, and the student gets none of them:

    ### BEGIN SOLUTION         what is asked for
    ### STUB                   what the student finds instead (in code, after a #); without it,
                               "raise NotImplementedError" in a function, "# Your code" in a cell,
                               and in a text "*Your answer*"
    ### END SOLUTION
    ### BEGIN HIDDEN TESTS     the exercises, in the sense of `attn_class.exercises`
    ### END HIDDEN TESTS
    ### BEGIN RUBRIC           a line "- 2 points: what earns them" for each point of a question
    ### END RUBRIC

A line ``### INSERT run.py`` stands for the lines of a file, named from the source, and
``### INSERT RATES = rates.csv`` for a text of that name which holds these lines. What a file does
when it is run as a program stays behind.

A heading that ends in "(4 points)" begins a part.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from attn_class.exercises.frame import Exercise

SOLUTION, HIDDEN, RUBRIC = "SOLUTION", "HIDDEN TESTS", "RUBRIC"
KINDS = (SOLUTION, HIDDEN, RUBRIC)
_MARK = re.compile(r"\s*###\s*(BEGIN|END|STUB)\b\s*(.*?)\s*$")
_PROGRAM = 'if __name__ == "__main__":'
_INSERT = re.compile(r"\s*### INSERT (?:(?P<name>\w+) = )?(?P<file>\S+)\s*$")
_CELL = re.compile(r"# %%(?P<text> \[markdown\])?\s*$")
_POINTS = re.compile(r"^#+ (?P<title>.+) \((?P<points>\d+) points?\)$", re.M)
_CRITERION = re.compile(r"^- (?P<points>\d+) points?: \S")
_COMMENT = re.compile(r"^(\s*)# ?")


class Malformed(ValueError):
    """The source is malformed; the message says where, what came, and what was expected."""


class Region(NamedTuple):
    """Lines between two marks, and for a solution the lines of its stub."""

    kind: str
    lines: list[str]
    stub: list[str]


class Cell(NamedTuple):
    """A cell of code or text, as lines and regions in their order."""

    is_text: bool
    parts: list[str | Region]

    def student(self) -> str:
        return self._joined(lambda region: region.stub)

    def solved(self) -> str:
        return self._joined(lambda region: region.lines if region.kind == SOLUTION else [])

    def only(self, kind: str) -> str:
        """What stands in the regions of this kind."""
        regions = [part for part in self.parts if isinstance(part, Region) and part.kind == kind]
        return "\n".join(line for region in regions for line in region.lines).strip("\n")

    def _joined(self, chosen) -> str:
        lines = [
            line
            for part in self.parts
            for line in (chosen(part) if isinstance(part, Region) else [part])
        ]
        return "\n".join(lines).strip("\n")


class Part(NamedTuple):
    """What stands under one heading that gives points."""

    title: str
    points: int
    tests: str
    rubric: list[str]

    @property
    def rubric_points(self) -> int:
        return points_in(self.rubric)


class Assignment(NamedTuple):
    """A source, read and tried: all from which the files for students and graders are made.

    ``exercises`` are those of the hidden tests, by the function that they ask for, and ``grader``
    is the text of these tests.
    """

    name: str
    cells: list[Cell]
    parts: list[Part]
    exercises: dict[str, Exercise]
    grader: str


def tested(tests: str, exercises: dict[str, Exercise]) -> list[Exercise]:
    """The exercises that these hidden tests define, in their order."""
    names = re.findall(r"\bExercise\(\s*\"(\w+)\(", tests)
    return [exercises[name] for name in names if name in exercises]


def points_in(rubric: Iterable[str]) -> int:
    """The points of these lines of a rubric."""
    return sum(int(_CRITERION.match(line)["points"]) for line in rubric)


def read(path: Path) -> list[Cell]:
    """The cells of a source."""
    try:
        lines = _with_inserted(path, path.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise Malformed(f"{path} cannot be read: expected a text in UTF-8 ({error})") from None
    starts = [number for number, line in enumerate(lines) if _CELL.match(line)]
    if not starts or any(line.strip() for line in lines[: starts[0]]):
        raise Malformed(f"{path} does not begin with a cell: expected a line '# %%'")
    cells = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        is_text = bool(_CELL.match(lines[start])["text"])
        numbered = [(number + 1, lines[number]) for number in range(start + 1, end)]
        cells.append(Cell(is_text, list(_regions(path, numbered, is_text))))
        _parse(path, start, cells[-1])
    return cells


def _with_inserted(path: Path, lines: list[str]) -> list[str]:
    expanded = []
    for line in lines:
        mark = _INSERT.match(line)
        expanded += _inserted(path, mark) if mark else [line]
    return expanded


def _inserted(path: Path, mark: re.Match) -> list[str]:
    text = (path.parent / mark["file"]).read_text(encoding="utf-8").partition(_PROGRAM)[0]
    if mark["name"] and re.search(r'\\|"""', text):
        raise Malformed(f"{path}: {mark['file']} holds a backslash or three quotation marks")
    return (f'{mark["name"]} = """{text}"""' if mark["name"] else text).splitlines()


def parts(path: Path, cells: list[Cell]) -> list[Part]:
    """The parts that give points, in their order."""
    scored: list[Part] = []
    for cell in cells:
        heading = _POINTS.search(cell.student()) if cell.is_text else None
        if heading:
            scored.append(Part(heading["title"], int(heading["points"]), "", []))
        tests, rubric = cell.only(HIDDEN), cell.only(RUBRIC).splitlines()
        if (tests or rubric) and not scored:
            raise Malformed(f"{path}: tests or a rubric before any heading with '(4 points)'")
        for line in rubric:
            if not _CRITERION.match(line):
                raise Malformed(
                    f"{path}, rubric of {scored[-1].title!r}: got {line!r}; expected a line such "
                    "as '- 2 points: names the cause'"
                )
        if scored:
            last = scored[-1]
            joined = "\n".join(text for text in (last.tests, tests) if text)
            scored[-1] = last._replace(tests=joined, rubric=last.rubric + rubric)
    return scored


def _regions(path: Path, numbered, is_text: bool) -> Iterator[str | Region]:
    open_, stubbed = None, False
    for number, line in numbered:
        text = _without_comment(path, number, line) if is_text else line
        mark = _MARK.match(text)
        if not mark and re.match(r"\s*###\s*[A-Z]{3,}\b", text):
            raise _wrong(path, number, text, "BEGIN, STUB or END")
        if not mark and open_ is None:
            yield text
        elif not mark:
            (open_.stub if stubbed else open_.lines).append(
                _uncommented(path, number, text) if stubbed and not is_text else text
            )
        elif mark[1] == "BEGIN":
            if open_ is not None:
                raise _wrong(path, number, text, f"the end of {open_.kind}, which is still open")
            if mark[2] not in KINDS:
                raise _wrong(path, number, text, f"BEGIN with one of {', '.join(KINDS)}")
            open_, stubbed, began = Region(mark[2], [], []), False, number
        elif mark[1] == "STUB":
            if open_ is None or open_.kind != SOLUTION or stubbed:
                raise _wrong(path, number, text, "STUB once, within a SOLUTION")
            stubbed = True
        else:
            if open_ is None or mark[2] != open_.kind:
                kind = open_.kind if open_ else "nothing"
                raise _wrong(path, number, text, f"the end of what is open, which is {kind}")
            if open_.kind == SOLUTION and not stubbed:
                open_.stub.append(_usual_stub(open_.lines, is_text))
            if open_.kind == SOLUTION and not any(line.strip() for line in open_.stub):
                raise _wrong(path, number, text, "### STUB with lines before the end of a SOLUTION")
            yield open_
            open_ = None
    if open_ is not None:
        raise Malformed(
            f"{path}, line {began}: {open_.kind} has no end; expected ### END {open_.kind} in the "
            "same cell"
        )


def _usual_stub(solution: list[str], is_text: bool) -> str:
    if is_text:
        return "*Your answer*"
    indent = re.match(r"\s*", solution[0] if solution else "")[0]
    return f"{indent}raise NotImplementedError" if indent else "# Your code"


def _wrong(path: Path, number: int, text: str, expected: str) -> Malformed:
    return Malformed(f"{path}, line {number}: got {text.strip()!r}; expected {expected}")


def _without_comment(path: Path, number: int, line: str) -> str:
    if line.strip() and not line.startswith("#"):
        raise _wrong(path, number, line, "text after a # in a cell of text")
    return _COMMENT.sub("", line)


def _uncommented(path: Path, number: int, line: str) -> str:
    if line.strip() and not line.lstrip().startswith("#"):
        raise _wrong(path, number, line, "the lines of a stub after a #")
    return _COMMENT.sub(r"\1", line)


def _parse(path: Path, start: int, cell: Cell) -> None:
    """Both versions of a cell of code must be Python."""
    for version in [] if cell.is_text else ["student", "solved"]:
        try:
            ast.parse(getattr(cell, version)())
        except SyntaxError as error:
            raise Malformed(
                f"{path}, the cell at line {start + 1}: the {version} version is not Python: "
                f"{error.msg}, line {error.lineno} of the cell; expected whole statements"
            ) from None
