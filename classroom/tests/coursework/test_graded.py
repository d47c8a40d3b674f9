"""Assignments in the sandbox: what is handed in gets its marks, as anything else does."""

import pytest
from courseworks import SEED, code_of, made
from sweeps import every

from attn_class.grading import lookup
from attn_class.grading.classroom import graded
from attn_class.grading.marks import Submission, grade
from attn_class.grading.sandbox import Limits, Sandbox
from specimens.coursework.tried import hidden_tests

ATTENTION = "attention-from-an-empty-file"


@pytest.fixture(scope="module")
def box():
    with Sandbox(Limits(call_seconds=5.0, submission_seconds=1e5)) as box:
        yield box


CHOSEN = [
    *((ATTENTION, name) for name in ("masked_softmax", "attend", "attend_backward", "decode")),
    ("find-the-bug", "test_e"),
    *(("gpt-from-an-empty-file", name) for name in ("attended", "read", "trained", "compared")),
    *(("find-the-circuit", name) for name in ("mapped", "effect", "routed")),
    ("the-bottleneck", "pairs"),
    *(("defend-or-refute", name) for name in ("verdict", "best_rates")),
    *(("a-project", name) for name in ("split", "error_kind")),
]


@pytest.mark.parametrize(("assignment", "function"), every(2, CHOSEN))
def test_solutions_get_full_marks_and_stubs_none(box, assignment, function):
    exercise, files = hidden_tests(assignment)[function], made(assignment)
    solved = Submission("ada", code_of(files["private/solved.ipynb"]))
    refused = lookup.refused(f"grader.py:{function}")  # as `make grade` does
    mark = grade(exercise, solved, SEED, box, refused)
    assert mark.points == mark.maximum, mark
    stubs = Submission("bob", code_of(files[f"{assignment}.ipynb"]))
    untouched = grade(exercise, stubs, SEED, box)
    assert (untouched.points, untouched.note.split(".")[0]) == (0, "Not attempted")


TABLES = ("VARIANT =", "RESULTS =", "PLAN =", "SETTINGS =", "CORPUS =")
HANDED_IN = [
    ("find-the-circuit", "circuit", 0),
    ("the-bottleneck", "handed_in", 10),
    ("defend-or-refute", "planned", 5),
    ("defend-or-refute", "handed_in", 4),
    ("a-project", "handed_in", 4),
]


@pytest.mark.parametrize(("assignment", "function", "least"), HANDED_IN)
def test_what_was_trained_or_measured_counts_for_its_own_student(box, assignment, function, least):
    """Another's tables, or names of heads, gain little."""
    exercise = hidden_tests(assignment)[function]
    solved = code_of(made(assignment)["private/solved.ipynb"])
    mark = grade(exercise, Submission("ada", solved), SEED, box)
    assert mark.points == mark.maximum, mark
    copied = grade(exercise, Submission("bob", solved), SEED, box)
    assert copied.points <= least
    assert "the code that was given to you" in str(copied)
    missing = [cell for cell in solved if not cell.startswith(TABLES)]
    without = grade(exercise, Submission("ada", missing), SEED, box)
    assert without.points == 0
    assert "is not defined" in str(without)


WITHOUT_TORCH = """
def softmax_backward(upstream, weights):
    values = upstream * weights
    contexts = values.sum(dim=-1, keepdim=True)
    return values - weights * contexts
"""
THE_ENGINE = """
import torch

def softmax_backward(upstream, weights):
    scores = weights.log().requires_grad_()
    total = (scores.softmax(-1) * upstream).sum()
    engine = torch.autograd.Variable._execution_engine
    return engine.run_backward((total,), (None,), False, False, (scores,), True, True)[0]
"""


@pytest.mark.parametrize(("answer", "holds"), [(WITHOUT_TORCH, True), (THE_ENGINE, False)])
def test_differentiation_by_torch_is_blocked_on_every_way_and_nothing_else(box, answer, holds):
    """Cells that try other functions, still stubs, assign names that the right answer uses."""
    student = code_of(made(ATTENTION)[f"{ATTENTION}.ipynb"])
    exercise = hidden_tests(ATTENTION)["softmax_backward"]
    mark = grade(exercise, Submission("ada", [*student, answer]), "seed", box)
    assert mark.points == mark.maximum * holds, mark


def test_an_empty_file_does_not_begin_with_an_import_of_the_course(tmp_path):
    """Graded from a folder, as a class is; the same import is allowed in a chapter's exercise."""
    borrowed = """
from attn_course.weights import attention_weights

def masked_softmax(scores, mask):
    return attention_weights(scores, mask[:, None])
"""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.py").write_text(borrowed)
    (tmp_path / "grader.py").write_text(made(ATTENTION)["private/grader.py"], encoding="utf-8")
    part = f"{tmp_path / 'grader.py'}:masked_softmax"
    (record,) = graded(tmp_path / "in", tmp_path / "out", [part], "seed")
    (mark,) = record["marks"]
    assert (mark["points"], mark["maximum"]) == (0, 7)
    assert "attn_course" in str(mark)
