"""The same properties in the sandbox as in the notebook: same findings, points and gradients."""

import importlib
import inspect
import sys

import pytest
import torch
from handing_in import opened, sandboxes

from attn_class.exercises.alignment import additive_score, blind_score
from attn_class.exercises.frame import Exercise, Size
from attn_class.exercises.models import decoder_step
from attn_class.exercises.search import greedy_search
from attn_class.exercises.weights import masked_weights, safe_softmax
from attn_class.grading.marks import Submission, grade
from attn_class.grading.sandbox import Limits

# torch.compile takes too long to load where many tests run at once
box = sandboxes(Limits(call_seconds=3.0, submission_seconds=1e5), "torch.compile")
NAMES = [
    *("alignment.additive_score", "alignment.general_score", "context.contexts"),
    *("gradients.path_count", "gradients.clip_by_norm", "measures.clipped_precision"),
    *("models.decoder_step", "models.write_from_one_vector", "search.beam_search"),
    *("search.greedy_search", "weights.masked_weights", "weights.causal_weights"),
]


def written(exercise, solution):
    """A solution as a student would hand it in, in a cell of its own below the imports."""
    module = inspect.getmodule(solution)
    source = inspect.getsource(solution).replace("def solution(", f"def {exercise.function}(")
    head = [
        line
        for line in inspect.getsource(module).split("\n")
        if line.startswith(("import ", "from ")) and "attn_course" not in line
    ]
    return ["\n".join(head), source]


def test_solutions_get_full_marks(box):
    for name in NAMES:
        module = importlib.import_module(f"attn_class.exercises.{name}")
        cells = written(module.exercise, module.solution)
        mark = grade(module.exercise, Submission("ada", cells), "seed", box)
        assert mark.points == mark.maximum == len(module.exercise.properties), mark
        assert mark.isolated == box.isolated


def lost(mark):
    """What failed."""
    return [tried["failed"] for tried in mark.properties if not tried["points"]]


WRONG = "def weights_of(scores, readable):\n    return scores.softmax(dim=-1)\n"


def test_the_findings_are_those_of_the_check(box):
    """Here all properties are tried; the first that fails is the verdict of the chapter."""
    mark = grade(masked_weights.exercise, Submission("ada", [WRONG]), "seed", box)
    failed = lost(mark)
    names = {}
    exec("import torch\n" + WRONG, names)
    assert failed[0] == masked_weights.check(names["weights_of"], seed=3).failed
    assert failed[0] == "The weights are a softmax over what may be read."
    assert "gradients_pass" in failed
    assert 0 < mark.points < mark.maximum
    assert mark.points == len(mark.properties) - len(failed)
    assert f"{mark.points} of {mark.maximum} points" in str(mark)
    assert "The mask is not used" in str(mark)


def test_the_same_mark_twice_and_other_inputs_for_another_student_or_text(box):
    def examples(student, cells, seed="seed"):
        mark = grade(masked_weights.exercise, Submission(student, cells), seed, box)
        return [tried["example"] for tried in mark.properties if not tried["points"]]

    first = examples("ada", [WRONG])
    assert examples("ada", [WRONG]) == first
    assert examples("bob", [WRONG]) != first
    assert examples("ada", [WRONG + "# changed\n"]) != first
    assert examples("ada", [WRONG], "another seed") != first


def test_functions_of_ours_can_be_asked_and_raise_their_own_errors(box):
    endless = """
def write(first_state, step, start, end, longest):
    state, symbol, written = first_state, start, []
    while True:
        state, probabilities = step(state, symbol)
        symbol = int(probabilities.argmax())
        if symbol == end:
            return written
        written.append(symbol)
"""
    mark = grade(greedy_search.exercise, Submission("ada", [endless]), "seed", box)
    assert lost(mark)[0].startswith("It stops")
    assert mark.points >= 3


def test_what_stands_twice_or_cannot_be_imported_is_said(box):
    twice = "def my_softmax(e, t):\n    return e / t\n"
    mark = grade(safe_softmax.exercise, Submission("ada", [twice, twice]), "a seed", box)
    assert mark.note == mark.warning == "my_softmax is defined 2 times; the last one was graded."
    cells = ["import nowhere\n\ndef my_softmax(e, t):\n    return nowhere.softmax(e / t)\n"]
    mark = grade(safe_softmax.exercise, Submission("ada", cells), "seed", box)
    assert mark.points == 0
    assert str(mark).count("No module named 'nowhere'") == 3, "why, in the remark, where it matters"


LENGTH = Size(2, 19)
weighted = Exercise("double(x)")


@weighted.must("It has the shape of x.", hint="Keep it.")
def keeps_the_shape(answer, draw):
    return answer(x=draw.normal(LENGTH)).shape == (draw[LENGTH],)


@weighted.must("It is twice x.", hint="Times two.", points=4)
def doubles(answer, draw):
    x = draw.normal(LENGTH)
    return answer.gives(2 * x, x=x)


@pytest.mark.parametrize(
    ("returned", "text"),
    [("True", "True"), ("0 > 1", "False"), ("1", "1"), ("1.0", "1.0"), ("(True, 2)", "[True, 2]")],
)
def test_the_report_shows_what_was_returned_as_what_it_was(box, returned, text):
    cells = [f"def double(x):\n    return {returned}\n"]
    mark = grade(weighted, Submission("ada", cells), "seed", box)
    examples = [
        tried["example"].split("\nreturned = ")[1].split("\n")[0] for tried in mark.properties
    ]
    assert (mark.points, examples) == (0, [text] * 2)


def test_an_answer_that_was_never_run_here(box):
    """The grader's process has not seen a line of it."""
    marked = "import sys\n\nclass Seen:\n    sys.seen_by_the_grader = True\n"
    cells = [marked, "def double(x, seen=Seen):\n    return 2 * x\n"]
    assert grade(weighted, Submission("ada", cells), "seed", box).points == 5
    assert not hasattr(sys, "seen_by_the_grader")
    assert torch.is_grad_enabled()


def test_functions_of_ours_take_no_more_numbers_than_they_have_any_use_for(box):
    asks = "import torch\ndef f(g, n):\n    return g(torch.zeros(int(n)))"
    with opened(box, [asks], "f") as answer:
        assert answer([lambda x: x.sum() + 1, 99.0]).returned == 1
        problem = answer([lambda x: x.sum() + 1, 300_000.0]).problem
    assert "it was given 300,000 numbers; at most 200,000" in problem.text


# ---- what is remembered from call to call


told_apart = Exercise("says(x)")


@told_apart.must("It tells what is positive, always asked in the same order.", hint="Look at x.")
def tells(answer, draw):
    signs = [1, -1, 1, 1, -1, -1]
    return all(bool(answer(x=sign * (1 + draw.normal(3).abs()))) == (sign > 0) for sign in signs)


COUNTS = """
calls = 0

def says(x):
    global calls
    calls += 1
    return (calls - 1) % 6 in (0, 2, 3)
"""
CACHES = """
import functools

@functools.cache
def says_of(first):
    return first > 0

def says(x):
    return says_of(float(x[0]))
"""
GUESSES = """
import random
import numpy as np
import torch

def says(x):
    return bool(torch.rand(()) + np.random.rand() + random.random() < 1.5)
"""
NEW_CHANCE = """
import os

def says(x):
    return os.urandom(1)[0] < 128
"""


SOFTMAX = safe_softmax.exercise
SHORT = "import torch\n\ndef NAME(e, t):\n    return torch.softmax(e / t, dim=0)\n"
FOLLOWS = """
import torch

def follows_the_query(score, queries, keys):
    weights = torch.softmax(score(queries, keys), dim=-1)
    return not torch.allclose(weights, weights[:, :1], atol=1e-6)
"""
STEP, SCORE, RIGHT = (
    written(module.exercise, module.solution)
    for module in (decoder_step, additive_score, safe_softmax)
)
CUT = [line.replace("score(previous_state", "score(previous_state.detach()") for line in STEP]
EMPTY = "def my_softmax(e, t):\n    "
free = Exercise("free(scores, temperature)")


@free.must("It is a softmax.", hint="exp")
def is_a_softmax(answer, draw):
    scores = draw.normal(LENGTH)
    return answer.gives(scores.softmax(dim=0), scores=scores, temperature=1.0)


ENDS = "import ctypes\n\ndef double(x):\n    ctypes.CDLL(None)._exit(0)\n"
MARKS = [  # an answer, its points (-1: all but one), and what is said of it or has failed
    (SOFTMAX, [], 0, "no function my_softmax"),
    (SOFTMAX, [f"{EMPTY}raise NotImplementedError"], 0, "Not attempted"),
    (SOFTMAX, [f"{EMPTY}'''Later.'''"], 0, "Not attempted"),
    (SOFTMAX, ["def my_softmax(e, t)\n    return e"], 0, "line 1 in code cell 1"),
    (SOFTMAX, ["my_softmax = 3"], 0, "is not a function"),
    (SOFTMAX, [f"{EMPTY}return 0.2"], 0, "the same result for all inputs"),
    (SOFTMAX, [f"{EMPTY}raise ValueError"], 0, "never returned a result"),
    (SOFTMAX, [SHORT.replace("NAME", "my_softmax")], 0, "PyTorch's softmax may not be used"),
    (free, [SHORT.replace("NAME", "free")], 1, ""),
    (masked_weights.exercise, ["def weights_of(*a):\n    raise ValueError('no')"], 0, ""),
    (blind_score.exercise, [FOLLOWS], len(blind_score.exercise.cases), ""),
    (decoder_step.exercise, CUT, -2, {"gradient_passes_the_weights", "gradient_takes_every_way"}),
    (additive_score.exercise, [SCORE[0], f"@torch.no_grad()\n{SCORE[1]}"], -1, {"gradients_pass"}),
    (weighted, ["def double(x):\n    return 3 * x"], 1, "[0/4] It is twice x."),
    (weighted, ["def double(x):\n    x *= 2\n    return x"], 4, {"leaves_its_inputs_alone"}),
    *(
        (weighted, [f"def double(x):\n    return {what}"], 0, "")
        for what in ("10**400", "[10**400, 1]", "{1: True}", "1j")
    ),
    *(
        (SOFTMAX, [RIGHT[0], f"@torch.{line}\n{RIGHT[1]}"], len(SOFTMAX.cases), "")
        for line in ("compile", "compile(dynamic=True)", "compiler.disable")
    ),
    (weighted, [ENDS], 0, "It ended the process in which it ran."),
    (told_apart, [COUNTS], 0, "always asked in the same order"),
    (told_apart, [CACHES], 1, ""),
]


@pytest.mark.parametrize(("exercise", "cells", "points", "words"), MARKS)
def test_points_and_what_is_said(box, exercise, cells, points, words):
    """A mark without walls always says so; what PyTorch loads late is loaded beforehand."""
    mark = grade(exercise, Submission("ada", cells), "seed", box)
    maximum = sum(one.points for one in exercise.properties)
    assert (mark.points, mark.maximum) == (points + maximum * (points < 0), maximum)
    if isinstance(words, set):
        assert {*lost(mark)} == words
    else:
        assert words in (mark.note if exercise is SOFTMAX else str(mark))
        assert mark.note in str(mark)
    assert ("not isolated" in str(mark)) == (not box.isolated)


@pytest.mark.parametrize("answer", [GUESSES, NEW_CHANCE])
def test_chance_wins_nothing_and_is_the_same_whenever_it_is_graded(box, answer):
    marks = [grade(told_apart, Submission("ada", [answer]), seed, box) for seed in range(6)]
    assert sum(mark.points for mark in marks) <= 1
    again = grade(told_apart, Submission("ada", [answer]), 0, box)
    assert answer == NEW_CHANCE or str(again) == str(marks[0])


def test_what_was_cut_short_is_said_where_points_are_lost(box):
    endless, wrong = "while True:\n    pass", "def my_softmax(e, t):\n    return e / t"
    mark = grade(SOFTMAX, Submission("ada", [endless, *RIGHT]), "seed", box)
    assert (mark.points, mark.note, mark.warning) == (mark.maximum, "", "")
    mark = grade(SOFTMAX, Submission("ada", [endless, wrong]), "seed", box)
    note = "Not run to its end when graded: code cell 1, line 1: while True:."
    assert note in mark.note
    assert note not in mark.warning  # all who lose points in a chapter have one of its trainings
