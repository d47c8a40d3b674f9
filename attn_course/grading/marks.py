"""Points for an answer: a chapter's check in another shape.

    with Sandbox() as sandbox:
        mark = grade(exercise, Submission("ada", cells), seed, sandbox)
    print(mark)

The same properties as in `exercise.check`, all of them, on inputs drawn from a seed that only the
teacher has, the student's name and the text handed in: other inputs for every student and for every
change of an answer, and the same mark whenever it is computed again.
"""

import hashlib
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor

from attn_course.exercises.calling import Outcome
from attn_course.exercises.frame import Call, Exercise, Finding, NotAttempted, shown
from attn_course.grading import course, variants
from attn_course.grading.remote import Absent, Remote
from attn_course.grading.sandbox import Sandbox


class Submission(NamedTuple):
    """What a student handed in: the texts of its code cells."""

    student: str
    cells: Sequence[str]


class Mark(NamedTuple):
    """Points for one exercise. ``note`` is for the student, ``warning`` for the teacher.

    ``source`` is the answer with its names numbered: equal texts are the same answer.
    """

    call: str
    points: int
    maximum: int
    findings: tuple[Finding, ...] = ()
    note: str = ""
    warning: str = ""
    isolated: bool = True
    source: str = ""

    def __str__(self) -> str:
        stamp = "" if self.isolated else "  (not isolated)"
        lines = [f"{self.call}: {self.points} of {self.maximum} points{stamp}", self.note]
        shown_before = False
        for each in self.findings:
            points = each.property.points
            lines.append(f"[{points if each.holds else 0}/{points}] {each.property.claim}")
            if each.failed == "runs" and shown_before:
                lines.append("      As above: the function does not run.")
            elif not each.holds:
                shown_before |= each.failed == "runs"
                said = "" if each.claim == each.property.claim else each.claim
                parts = [said, each.hint, each.example]
                lines += [textwrap.indent(part, "      ") for part in parts if part]
        return "\n".join(line for line in lines if line)


def grade(
    exercise: Exercise,
    submission: Submission,
    seed: object,
    sandbox: Sandbox,
    refused: Sequence[str] | None = None,
) -> Mark:
    """Try every property of the exercise on the student's function, in the sandbox.

    A sandbox is for one student: what one answer leaves behind, the next one could find.
    ``refused`` names the modules that an answer may not import: by default those that `course`
    names, and ["attn_course"] for an assignment that begins with an empty file.
    """
    refused = course.refused(exercise) if refused is None else refused
    maximum = sum(each.points for each in exercise.properties)
    none = Mark(exercise.call, 0, maximum, isolated=sandbox.isolated)
    remote = Remote(sandbox, submission.cells, exercise.function, exercise.without, refused)
    varied = Varied(remote)
    try:
        remote.open()
        own = variants.own(submission.student, seed)
        findings = tuple(exercise.findings(varied, seed_of(exercise, submission, seed), own))
    except Absent as error:
        return none._replace(note=str(error), warning=str(error))
    except NotAttempted as error:
        return none._replace(note=f"Not attempted. {error}")
    finally:
        remote.close()
    none = none._replace(source=remote.source)
    if varied.verdict():
        note = f"{varied.verdict()}, so it gets no points."
        return none._replace(findings=_all_failed(findings), note=note)
    points = sum(each.property.points for each in findings if each.holds)
    return none._replace(
        points=points, findings=findings, note=remote.remark, warning=remote.remark
    )


def seed_of(exercise: Exercise, submission: Submission, seed: object) -> str:
    parts = [seed, submission.student, exercise.call, *submission.cells]
    digest = hashlib.sha256()
    for part in parts:
        text = str(part).encode("utf-8", "replace")
        digest.update(len(text).to_bytes(8, "big") + text)
    return digest.hexdigest()


def _all_failed(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(each._replace(holds=False) for each in findings)


class Varied:
    """A call that notes whether there was a result, and whether it changed with the inputs."""

    def __init__(self, call: Call):
        self._call = call
        self._inputs: set[str] = set()
        self._results: set[str] = set()

    def __call__(self, values: Sequence[object]) -> Outcome:
        outcome = self._call(values)
        if outcome.problem is None:
            self._inputs.add(_digest(list(values)))
            self._results.add(_digest(outcome.returned))
        return outcome

    def verdict(self) -> str:
        """What is wrong with the results as a whole, or ""."""
        if not self._results:
            return "The function never returned a result"
        if len(self._inputs) > 1 and len(self._results) == 1:
            return "The function returns the same result for all inputs"
        return ""


def _digest(value: object) -> str:
    if isinstance(value, Tensor):
        return f"{tuple(value.shape)}{value.detach().cpu().double().numpy().tobytes().hex()}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_digest, value))}]"
    if isinstance(value, float):
        return float.__repr__(value)  # True and 1 are the same result
    return shown(value) if callable(value) else repr(value)
