"""An answer may import what the course has built before its exercise, and nothing beyond that."""

import importlib
from pathlib import Path

import pytest
from handing_in import needs_walls, sandboxes

import attn_course
from attn_class import exercises
from attn_class.exercises.alignment import blind_score
from attn_class.exercises.context import contexts
from attn_class.exercises.frame import Exercise
from attn_class.exercises.models import read_canvas
from attn_class.exercises.weights import masked_weights
from attn_class.grading import course
from attn_class.grading.marks import Submission, grade
from attn_class.grading.sandbox import Limits, Sandbox

PACKAGE = Path(attn_course.__file__).parent
EXERCISES = sorted(
    f"{exercises.__name__}.{path.parent.name}.{path.stem}"
    for path in Path(exercises.__file__).parent.glob("*/[a-z]*.py")
)
WEIGHTS = """
def weights_of(scores, readable):
    {importing}
    return attention_weights(scores, readable)
"""


box = sandboxes(Limits(submission_seconds=1e5))


def marked(box, exercise, source, **options):
    return grade(exercise, Submission("ada", [source]), "seed", box, **options)


IMPORTS = [
    "from attn_course.weights import attention_weights",
    "from attn_course import weights; attention_weights = weights.attention_weights",
    "import attn_course.weights as w; attention_weights = w.attention_weights",
    "from attn_course.context import attention_weights",
    "from attn_course.models.bahdanau import attention_weights",
    *("import attn_class.exercises.weights.masked_weights as x", "import attn_class.exercises"),
    *("import attn_class.grading.marks", "import attn_lab", "import attn_own"),
    "from attn_course.views import plots",
]


@pytest.mark.parametrize("importing", IMPORTS)
def test_solutions_checks_and_what_the_exercise_is_about_are_refused_in_words(box, importing):
    mark = marked(box, masked_weights.exercise, WEIGHTS.format(importing=importing))
    assert mark.points == 0
    assert "may not be imported in an answer to this exercise" in str(mark)


def test_the_files_in_the_sandbox_are_those_that_are_offered(tmp_path):
    course.copy_to(tmp_path)
    copied = {path.relative_to(tmp_path / "attn_course") for path in tmp_path.rglob("*.py")}
    assert {path.parts[0].removesuffix(".py") for path in copied} == set(course.OFFERED)
    assert Path("models/bahdanau.py") in copied
    for path in copied:
        assert (tmp_path / "attn_course" / path).read_bytes() == (PACKAGE / path).read_bytes()
    assert all(path.stat().st_mode & 0o005 for path in tmp_path.rglob("*"))


def test_every_module_that_is_offered_can_be_imported_in_the_sandbox(box):
    names = sorted(set(course._offered()) - {"attn_course"})
    imports = "\n".join(f"import {name}" for name in names)
    source = f"{imports}\n\ndef contexts_of(alpha, h):\n    return alpha @ h\n"
    mark = marked(box, contexts.exercise, source, refused=[])
    assert mark.points == mark.maximum, mark


def test_an_answer_stands_on_what_was_built_before_unless_the_whole_course_is_refused(box):
    """`contexts` is about `context`; weights come earlier."""
    source = "from attn_course.weights import attention_weights\n"
    source += "def contexts_of(alpha, h):\n    return attention_weights(alpha.log()) @ h\n"
    mark = marked(box, contexts.exercise, source)
    assert mark.points > 0, mark
    mark = marked(box, contexts.exercise, source, refused=["attn_course"])
    assert (mark.points, "attn_course may not be imported" in str(mark)) == (0, True)


@pytest.mark.parametrize("name", EXERCISES)
def test_no_exercise_is_refused_what_its_own_file_imports(name):
    exercise = importlib.import_module(name).exercise
    refused = set(course.refused(exercise))
    topic = name.split(".")[2].replace("writing", "from_scratch")
    own = course._imports(Path(importlib.import_module(name).__file__))
    assert not own & refused
    assert any(module.startswith(f"attn_course.{topic}") for module in refused) or own
    assert {"attn_class", "attn_course.views", "attn_lab", "attn_own"} <= refused
    for module in set(course._offered()) - refused:  # else it could not be imported after all
        assert not course._imports(course._offered()[module]) & refused


def test_exceptions():
    refused = course.refused(read_canvas.exercise)
    assert "attn_course.models.glimpse" in refused
    assert "attn_course.models.trunk" not in refused
    assert "attn_course.alignment" not in course.refused(blind_score.exercise)


UNHOOKED = """
import sys, importlib
sys.meta_path[:] = [each for each in sys.meta_path if type(each).__name__ != "Refusing"]
sys.path.insert(0, "/grader")
masks = importlib.import_module("attn_course.masks")

def same_as(x):
    return x if masks.padding else None
"""


@needs_walls
def test_an_assignment_that_forbids_the_course_has_none_in_its_sandbox():
    exercise = Exercise("same_as(x)")
    exercise.must("It is x.", hint="x")(lambda answer, draw: answer.gives(x := draw.normal(3), x=x))
    with Sandbox() as box:
        marks = [
            marked(box, exercise, UNHOOKED, refused=refused) for refused in (["attn_course"], [])
        ]
    assert [mark.points for mark in marks] == [0, 1]
    assert "No module named 'attn_course'" in marks[0].warning
