"""Points for an answer: a chapter's check in another shape.

    with Sandbox() as sandbox:
        mark = grade(exercise, Submission("ada", cells), seed, sandbox)
    print(mark)

The same properties as in `exercise.check`, all of them, on inputs drawn from a seed that only the
teacher has, the student's name and the text handed in: other inputs for every student and for every
change of an answer, and the same mark whenever it is computed again.
"""

import contextlib
import re
import signal
import textwrap
import threading
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import NamedTuple

from torch import Tensor

from attn_class.exercises.calling import Outcome, Upstream, collects
from attn_class.exercises.frame import Call, Exercise, Finding, NotAttempted, shown
from attn_class.grading import course, runnable, variants
from attn_class.grading.remote import Absent, Remote
from attn_class.grading.sandbox import Sandbox
from attn_class.grading.secret import digest

LONGEST = 10_000  # characters of an example
OURS = 20.0  # seconds that the grader itself may compute for a property


class Submission(NamedTuple):
    """What a student handed in: the texts of its code cells, best as `notebooks.Cells`."""

    student: str
    cells: Sequence[str]


class Mark(NamedTuple):
    """Points for one exercise. ``note`` is for the student, ``warning`` for the teacher.

    ``properties`` are what a page shows of each: claim, points, maximum, what failed, what is said
    in place of the claim, hint and example. ``source`` is the answer with its names numbered: equal
    texts are the same answer. A ``slow`` one has run out of time.
    """

    call: str
    points: int
    maximum: int
    properties: Sequence[dict] = ()
    note: str = ""
    warning: str = ""
    isolated: bool = True
    source: str = ""
    slow: bool = False

    def __str__(self) -> str:
        stamp = "" if self.isolated else "  (not isolated)"
        lines = [f"{self.call}: {self.points} of {self.maximum} points{stamp}", self.note]
        shown_before = False
        for tried in self.properties:
            lines.append(f"[{tried['points']}/{tried['maximum']}] {tried['claim']}")
            raised = tried["failed"] == "runs"
            if raised and shown_before:
                lines.append("      As above: the function does not run.")
            elif tried["points"] < tried["maximum"]:
                shown_before |= raised
                parts = [tried["said"], tried["hint"], tried["example"]]
                lines += [textwrap.indent(part, "      ") for part in parts if part]
        return "\n".join(line for line in lines if line)


def nothing(exercise: Exercise, isolated: bool, note: str = "") -> Mark:
    """No points."""
    maximum = sum(tried.points for tried in exercise.properties)
    return Mark(exercise.call, 0, maximum, note=note, isolated=isolated)


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
    sandbox.offer(course.NAME not in refused)
    sandbox.start(submission.cells)
    none = nothing(exercise, sandbox.isolated)
    drawn = seed_of(exercise, submission, seed)
    remote = Remote(
        sandbox,
        submission.cells,
        exercise.function,
        exercise.without,
        refused,
        drawn,
        getattr(submission.cells, "written_in", ""),
    )
    own = variants.own(submission.student, seed)
    try:
        remote.open()
        findings, verdict = _found(exercise, remote, drawn, own)
        if remote.remembers():
            findings, verdict = _found(exercise, remote, drawn, own)
    except Absent as error:
        note = f"{error}{_elsewhere(exercise.function, submission.cells)}"
        return none._replace(note=note, warning=note, source=remote.source)
    except NotAttempted as error:
        return none._replace(note=f"Not attempted. {error}")
    finally:
        remote.close()
    points = sum(one["points"] for one in findings)
    lost = bool(verdict) or points < none.maximum
    late = f"{exercise.function} ran out of time." if remote.late and lost else ""
    warning = " ".join(filter(None, (remote.remark, remote.aside if lost else "", late)))
    note = " ".join(filter(None, (warning, remote.cut if lost else "")))
    none = none._replace(source=remote.source, slow=remote.slow, warning=warning)
    if verdict:
        lost_all = [one | {"points": 0} for one in findings]
        return none._replace(properties=lost_all, note=f"{verdict} {note}".strip())
    return none._replace(points=points, properties=findings, note=note)


def result_of(finding: Finding, call: str) -> dict:
    """What comes of a property, as JSON, with all that a page shows."""
    tried, example = finding.property, finding.example
    if len(example) > LONGEST:
        example = f"{example[:LONGEST]} ... ({len(example):,} characters)"
    return {
        "claim": tried.claim,
        "points": tried.points * finding.holds,
        "maximum": tried.points,
        "failed": finding.failed,
        "said": "" if finding.claim == tried.claim else finding.claim,
        "hint": finding.hint,
        "example": example,
        "code": runnable.code(call, finding.inputs) if finding.inputs else "",
    }


def _found(exercise: Exercise, remote: Remote, drawn: str, own: str) -> tuple[list[dict], str]:
    """What came out of each property, and what is wrong with the results as a whole."""
    varied, findings = Varied(remote), []
    results = exercise.findings(varied, drawn, own)
    while True:
        with _patience(OURS):
            finding = next(results, None)
        if finding is None:
            return findings, varied.verdict()
        findings.append(result_of(finding, exercise.call))


def _elsewhere(name: str, cells: Sequence[str]) -> str:
    """Where else a function may have been written."""
    others = getattr(cells, "others", ())
    if any(re.search(rf"^[^\S\n]*def\s+{name}\b", text, re.MULTILINE) for text in others):
        return f" A cell that is not a code cell holds `def {name}`: change its type to code."
    return ""


class Overlong(Exception):
    """What a student's values make the grader compute takes too long; the property fails."""


@contextlib.contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """Interrupt what this process itself computes for longer; waiting does not count."""
    usable = hasattr(signal, "setitimer")
    if not usable or threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        if collects(frame):
            return  # the timer comes again
        raise Overlong(f"it makes the grader compute for more than {seconds:g} seconds")

    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before or signal.SIG_DFL)


def seed_of(exercise: Exercise, submission: Submission, seed: object) -> str:
    return digest(seed, submission.student, exercise.call, *submission.cells)


class Varied:
    """A call that notes whether there was a result, and whether it changed with the inputs."""

    def __init__(self, call: Call):
        self._call = call
        self._inputs: set[str] = set()
        self._results: set[str] = set()
        self._reason = ""  # why the last call had no result

    def __call__(self, values: Sequence[object], upstream: Upstream = None) -> Outcome:
        outcome = self._call(values, upstream)
        if outcome.problem is None:
            self._inputs.add(_digest(list(values)))
            self._results.add(_digest(outcome.returned))
        else:
            self._reason = outcome.problem.text
        return outcome

    def verdict(self) -> str:
        """What is wrong with the results as a whole, or ""."""
        if not self._results:
            return f"The function never returned a result, so it gets no points. {self._reason}"
        if len(self._inputs) > 1 and len(self._results) == 1:
            same = "The function returns the same result for all inputs"
            return f"{same}, so it gets no points."
        return ""


def _digest(value: object) -> str:
    if isinstance(value, Tensor):
        return f"{tuple(value.shape)}{value.detach().cpu().double().numpy().tobytes().hex()}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_digest, value))}]"
    if isinstance(value, float):
        return float.__repr__(value)  # True and 1 are the same result
    return shown(value) if callable(value) else repr(value)
