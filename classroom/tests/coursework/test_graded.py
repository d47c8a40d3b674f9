"""Assignments in the sandbox: what is handed in gets its marks, as anything else does."""

import json

import pytest
from sweeps import every

from attn_class.grading import lookup
from attn_class.grading.classroom import graded
from attn_class.grading.marks import Submission, grade
from attn_class.grading.sandbox import Limits, Sandbox


@pytest.fixture(scope="module")
def box():
    with Sandbox(Limits(call_seconds=5.0, submission_seconds=1e5)) as box:
        yield box


def cells(notebook):
    found = json.loads(notebook)["cells"]
    return ["".join(each["source"]) for each in found if each["cell_type"] == "code"]


SEED = "a seed for demonstration only"  # by which the solutions are ada's own
CHOSEN = [
    ("attention", "masked_softmax"),
    ("attention", "attend"),
    ("attention", "attend_backward"),
    ("attention", "decode"),
    ("bugs", "test_e"),
    ("reader", "encode"),
    ("reader", "train"),
    ("reader", "read"),
    ("bottleneck", "pairs"),
    ("defend", "verdict"),
    ("defend", "best_rates"),
    ("project", "split"),
    ("project", "error_kind"),
]


@pytest.mark.parametrize(("assignment", "function"), every(2, CHOSEN))
def test_solutions_get_full_marks_and_stubs_none(box, assignment, function, request, exercises_of):
    files = request.getfixturevalue(assignment)
    exercise = exercises_of(files)[function]
    name = next(name for name in files if "/" not in name)
    solved = Submission("ada", cells(files["private/solved.ipynb"]))
    refused = lookup.refused(f"grader.py:{function}")  # as `make grade` does
    mark = grade(exercise, solved, SEED, box, refused)
    assert mark.points == mark.maximum, mark
    untouched = grade(exercise, Submission("bob", cells(files[name])), SEED, box)
    assert (untouched.points, untouched.note.split(".")[0]) == (0, "Not attempted")


TABLES = ("WEIGHTS =", "RESULTS =", "PLAN =", "SETTINGS =", "CORPUS =")
HANDED_IN = [
    ("reader", "trained", 5),
    ("bottleneck", "handed_in", 10),
    ("defend", "planned", 5),
    ("defend", "handed_in", 4),
    ("project", "handed_in", 4),
]


@pytest.mark.parametrize(("assignment", "function", "least"), HANDED_IN)
def test_what_was_trained_or_measured_counts_for_its_own_student(
    box, assignment, function, least, request, exercises_of
):
    """The network as a text and the tables are in the notebook; another's gain little."""
    files = request.getfixturevalue(assignment)
    exercise = exercises_of(files)[function]
    solved = cells(files["private/solved.ipynb"])
    mark = grade(exercise, Submission("ada", solved), SEED, box)
    assert mark.points == mark.maximum, mark
    copied = grade(exercise, Submission("bob", solved), SEED, box)
    assert copied.points <= least
    assert "the code that was given to you" in str(copied)
    missing = [cell for cell in solved if not cell.startswith(TABLES)]
    without = grade(exercise, Submission("ada", missing), SEED, box)
    assert without.points == 0
    assert "is not defined" in str(without)


def test_cells_that_use_other_functions_are_no_part_of_an_answer(box, attention, exercises_of):
    """A cell that tries `attend`, still a stub, assigns names that this answer uses within."""
    answer = """
def softmax_backward(upstream, weights):
    values = upstream * weights
    contexts = values.sum(dim=-1, keepdim=True)
    return values - weights * contexts
"""
    student = cells(attention["attention-from-an-empty-file.ipynb"])
    exercise = exercises_of(attention)["softmax_backward"]
    mark = grade(exercise, Submission("ada", [*student, answer]), "seed", box)
    assert mark.points == mark.maximum, mark


def test_differentiation_by_torch_is_blocked_on_every_way(box, attention, exercises_of):
    """Also where the function under all others is called."""
    answer = """
import torch

def softmax_backward(upstream, weights):
    scores = weights.log().requires_grad_()
    total = (scores.softmax(-1) * upstream).sum()
    engine = torch.autograd.Variable._execution_engine
    return engine.run_backward((total,), (None,), False, False, (scores,), True, True)[0]
"""
    exercise = exercises_of(attention)["softmax_backward"]
    mark = grade(exercise, Submission("ada", [answer]), "seed", box)
    assert mark.points == 0


def test_an_empty_file_does_not_begin_with_an_import_of_the_course(attention, tmp_path):
    """Graded from a folder, as a class is; the same import is allowed in a chapter's exercise."""
    borrowed = """
from attn_course.weights import attention_weights

def masked_softmax(scores, mask):
    return attention_weights(scores, mask[:, None])
"""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.py").write_text(borrowed)
    (tmp_path / "grader.py").write_text(attention["private/grader.py"], encoding="utf-8")
    part = f"{tmp_path / 'grader.py'}:masked_softmax"
    (record,) = graded(tmp_path / "in", tmp_path / "out", [part], "seed")
    (mark,) = record["marks"]
    assert (mark["points"], mark["maximum"]) == (0, 7)
    assert "attn_course" in str(mark)
