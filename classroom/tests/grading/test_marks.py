"""The same properties in the sandbox as in the notebook: same findings, points and gradients."""

import importlib
import inspect
import sys

import pytest
import torch

from attn_class.exercises.alignment import additive_score, blind_score
from attn_class.exercises.frame import Exercise, Size
from attn_class.exercises.models import decoder_step
from attn_class.exercises.search import greedy_search
from attn_class.exercises.weights import masked_weights, safe_softmax
from attn_class.grading.marks import Submission, grade
from attn_class.grading.sandbox import Limits, Sandbox, isolation

NOT_ISOLATED = isolation()
needs_walls = pytest.mark.skipif(bool(NOT_ISOLATED), reason=f"no bubblewrap: {NOT_ISOLATED}")
LIMITS = Limits(call_seconds=3.0, submission_seconds=1e5)
NAMES = [
    *("alignment.additive_score", "alignment.general_score", "context.contexts"),
    *("gradients.path_count", "gradients.clip_by_norm", "measures.clipped_precision"),
    *("models.decoder_step", "models.write_from_one_vector", "search.beam_search"),
    *("search.greedy_search", "weights.masked_weights", "weights.causal_weights"),
]


@pytest.fixture(scope="module", params=["walls", "plain"])
def box(request):
    if request.param == "walls" and NOT_ISOLATED:
        pytest.skip(f"no bubblewrap: {NOT_ISOLATED}")
    with Sandbox(LIMITS, isolated=request.param == "walls") as box:
        yield box


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


WRONG = "def score(s, h, W_a, U_a, v):\n    return h @ U_a.T @ v\n"


def test_the_findings_are_those_of_the_check(box):
    """Here all properties are tried; the first that fails is the verdict of the chapter."""
    mark = grade(additive_score.exercise, Submission("ada", [WRONG]), "seed", box)
    failed = [each.failed for each in mark.findings if not each.holds]
    names = {}
    exec("import torch\n" + WRONG, names)
    assert failed[0] == additive_score.check(names["score"], seed=3).failed == "reads_the_state"
    assert "gradients_pass" in failed
    assert 0 < mark.points < mark.maximum
    assert mark.points == len(mark.findings) - len(failed)
    assert f"{mark.points} of {mark.maximum} points" in str(mark)
    assert "s_{i-1} is not used" in str(mark)


def test_the_same_mark_twice_and_other_inputs_for_another_student_or_text(box):
    def examples(student, cells, seed="seed"):
        mark = grade(additive_score.exercise, Submission(student, cells), seed, box)
        return [each.example for each in mark.findings if not each.holds]

    first = examples("ada", [WRONG])
    assert examples("ada", [WRONG]) == first
    assert examples("bob", [WRONG]) != first
    assert examples("ada", [WRONG + "# changed\n"]) != first
    assert examples("ada", [WRONG], "another seed") != first


def test_gradients_come_from_the_sandbox(box):
    cells = written(decoder_step.exercise, decoder_step.solution)
    cut = [each.replace("score(previous_state", "score(previous_state.detach()") for each in cells]
    mark = grade(decoder_step.exercise, Submission("ada", cut), "seed", box)
    failed = {each.failed for each in mark.findings if not each.holds}
    assert failed == {"gradient_passes_the_weights", "gradient_takes_every_way"}


def test_an_answer_under_no_grad_loses_the_points_for_gradients(box):
    cells = written(additive_score.exercise, additive_score.solution)
    cells[-1] = "@torch.no_grad()\n" + cells[-1]
    mark = grade(additive_score.exercise, Submission("ada", cells), "seed", box)
    assert [each.failed for each in mark.findings if not each.holds] == ["gradients_pass"]


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
    assert next(each.failed for each in mark.findings if not each.holds) == "stops"
    assert mark.points >= 3
    follows = """
import torch

def follows_the_query(score, queries, keys):
    weights = torch.softmax(score(queries, keys), dim=-1)
    return not torch.allclose(weights, weights[:, :1], atol=1e-6)
"""
    assert grade(blind_score.exercise, Submission("ada", [follows]), "seed", box).points == 5


def test_what_the_text_forbids_is_blocked_and_only_there(box):
    short = "import torch\n\ndef NAME(e, t):\n    return torch.softmax(e / t, dim=0)\n"
    forbidden = Submission("ada", [short.replace("NAME", "my_softmax")])
    mark = grade(safe_softmax.exercise, forbidden, "seed", box)
    assert mark.points == 0
    assert "PyTorch's softmax may not be used" in mark.note
    free = Exercise("free(scores, temperature)")

    @free.must("It is a softmax.", hint="exp")
    def is_a_softmax(answer, draw):
        scores = draw.normal(LENGTH)
        return answer.gives(scores.softmax(dim=0), scores=scores, temperature=1.0)

    allowed = Submission("ada", [short.replace("NAME", "free")])
    assert grade(free, allowed, "seed", box).points == 1


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([], "no function my_softmax"),
        (["def my_softmax(e, t):\n    raise NotImplementedError"], "Not attempted"),
        (["def my_softmax(e, t):\n    '''Later.'''"], "Not attempted"),
        (["def my_softmax(e, t)\n    return e"], "line 1 in code cell 1"),
        (["my_softmax = 3"], "is not a function"),
        (["def my_softmax(e, t):\n    return 0.2"], "the same result for all inputs"),
        (["def my_softmax(e, t):\n    raise ValueError"], "never returned a result"),
    ],
)
def test_what_is_no_answer_gets_nothing_and_a_sentence(box, cells, said):
    mark = grade(safe_softmax.exercise, Submission("ada", cells), "seed", box)
    assert mark.points == 0
    assert mark.maximum == 9
    assert said in mark.note
    assert said in str(mark)


def test_raising_the_error_that_one_property_asks_for_gains_nothing(box):
    cells = [f"def {masked_weights.exercise.function}(*a):\n    raise ValueError('no')"]
    mark = grade(masked_weights.exercise, Submission("ada", cells), "seed", box)
    assert (mark.points, len(mark.findings)) == (0, mark.maximum)


def test_two_functions_of_one_name_are_said_to_the_student_and_to_the_teacher(box):
    twice = "def my_softmax(scores, temperature):\n    return scores / temperature\n"
    mark = grade(safe_softmax.exercise, Submission("ada", [twice, twice]), "a seed", box)
    assert mark.note == mark.warning == "my_softmax is defined 2 times; the last one was graded."


def test_an_error_while_it_is_read_is_told_with_its_line(box):
    cells = [
        "import nowhere_at_all\n\ndef my_softmax(e, t):\n    return nowhere_at_all.softmax(e / t)\n"
    ]
    mark = grade(safe_softmax.exercise, Submission("ada", cells), "seed", box)
    assert mark.points == 0
    assert "No module named 'nowhere_at_all'" in str(mark)
    assert str(mark).count("No module named") == 3, "why, in the remark, and where it matters"


LENGTH = Size(2, 19)
weighted = Exercise("double(x)")


@weighted.must("It has the shape of x.", hint="Keep it.")
def keeps_the_shape(answer, draw):
    return answer(x=draw.normal(LENGTH)).shape == (draw[LENGTH],)


@weighted.must("It is twice x.", hint="Times two.", points=4)
def doubles(answer, draw):
    x = draw.normal(LENGTH)
    return answer.gives(2 * x, x=x)


def test_properties_have_their_points(box):
    mark = grade(weighted, Submission("ada", ["def double(x):\n    return 3 * x\n"]), "seed", box)
    assert (mark.points, mark.maximum) == (1, 5)
    assert "[0/4] It is twice x." in str(mark)


def test_inputs_that_were_changed_are_named_and_cost_one_property(box):
    cells = ["def double(x):\n    x *= 2\n    return x\n"]
    mark = grade(weighted, Submission("ada", cells), "seed", box)
    assert [each.failed for each in mark.findings] == ["leaves_its_inputs_alone", ""]
    assert mark.points == 4


@pytest.mark.parametrize(
    "line",
    ["@torch.compile", "@torch.compile(dynamic=True)", "@torch.compiler.disable"],
)
def test_a_decorator_for_the_compiler_changes_no_mark(box, line):
    cells = written(safe_softmax.exercise, safe_softmax.solution)
    cells[-1] = f"{line}\n{cells[-1]}"
    box.start(cells)
    mark = grade(safe_softmax.exercise, Submission("ada", cells), "seed", box)
    assert mark.points == mark.maximum, mark


@pytest.mark.parametrize(
    ("returned", "said"),
    [("True", "True"), ("0 > 1", "False"), ("1", "1"), ("1.0", "1.0"), ("(True, 2)", "[True, 2]")],
)
def test_the_report_shows_what_was_returned_as_what_it_was(box, returned, said):
    cells = [f"def double(x):\n    return {returned}\n"]
    mark = grade(weighted, Submission("ada", cells), "seed", box)
    examples = [each.example.split("\nreturned = ")[1].split("\n")[0] for each in mark.findings]
    assert (mark.points, examples) == (0, [said] * 2)


@pytest.mark.parametrize("returned", ["10**400", "[10**400, 1]", "{1: True}", "1j"])
def test_what_is_no_number_of_ours_costs_the_points_and_nothing_else(box, returned):
    mark = grade(
        weighted, Submission("ada", [f"def double(x):\n    return {returned}\n"]), "seed", box
    )
    assert (mark.points, mark.maximum) == (0, 5)


def test_without_walls_every_mark_says_so(box):
    mark = grade(weighted, Submission("ada", ["def double(x):\n    return 2 * x\n"]), "seed", box)
    assert ("not isolated" in str(mark)) == (not box.isolated)


def test_an_answer_that_was_never_run_here(box):
    """The grader's process has not seen a line of it."""
    seen = "import sys\n\nclass Seen:\n    sys.seen_by_the_grader = True\n"
    cells = [seen, "def double(x, seen=Seen):\n    return 2 * x\n"]
    assert grade(weighted, Submission("ada", cells), "seed", box).points == 5
    assert not hasattr(sys, "seen_by_the_grader")
    assert torch.is_grad_enabled()


def test_functions_of_ours_take_no_more_numbers_than_they_have_any_use_for(box):
    from attn_class.grading.remote import Remote

    asks = "import torch\ndef f(g, n):\n    return g(torch.zeros(int(n)))"
    remote = Remote(box, [asks], "f")
    remote.open()
    assert remote([lambda x: x.sum() + 1, 99.0]).returned == 1
    told = remote([lambda x: x.sum() + 1, 300_000.0]).problem
    assert "it was given 300,000 numbers; at most 200,000" in told.text
    remote.close()


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


def test_a_counter_is_asked_again_where_it_has_not_counted(box):
    mark = grade(told_apart, Submission("ada", [COUNTS]), "seed", box)
    assert mark.points == 0
    assert "always asked in the same order" in str(mark)


def test_an_answer_that_remembers_what_is_right_is_right(box):
    mark = grade(told_apart, Submission("ada", [CACHES]), "seed", box)
    assert mark.points == mark.maximum == 1, mark


@pytest.mark.parametrize("answer", [GUESSES, NEW_CHANCE])
def test_chance_wins_nothing(box, answer):
    marks = [grade(told_apart, Submission("ada", [answer]), seed, box).points for seed in range(6)]
    assert sum(marks) <= 1


def test_chance_is_the_same_whenever_it_is_graded(box):
    marks = [str(grade(told_apart, Submission("ada", [GUESSES]), "seed", box)) for _ in range(2)]
    assert marks[0] == marks[1]
    assert "returned" in marks[0]


def test_what_was_cut_short_is_said_where_points_are_lost(box):
    endless = "while True:\n    pass"
    right = written(safe_softmax.exercise, safe_softmax.solution)
    mark = grade(safe_softmax.exercise, Submission("ada", [endless, *right]), "seed", box)
    assert (mark.points, mark.note, mark.warning) == (mark.maximum, "", "")
    wrong = "def my_softmax(e, t):\n    return e / t"
    mark = grade(safe_softmax.exercise, Submission("ada", [endless, wrong]), "seed", box)
    assert mark.points < mark.maximum
    said = "Not run to its end when graded: code cell 1, line 1: while True:."
    assert said in mark.note
    assert said not in mark.warning  # all who lose points in a chapter have one of its trainings
