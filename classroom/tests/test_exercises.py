"""Every check accepts right answers in any style, and says what is wrong with a wrong one."""

import copy
import gc
import importlib.util
import inspect
import os
import pkgutil
import re
import sys
import time
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
import torch

import attn_class.exercises
import specimens
from attn_class.exercises import calling
from attn_class.exercises.frame import (
    DIFFICULTIES,
    Answer,
    Draw,
    Exercise,
    Size,
    _here,
    same,
    shown,
)
from specimens.answers import changed, named

ANSWERS = Path(specimens.__file__).parent / "exercises"
NAMES = [
    module.name.removeprefix("attn_class.exercises.")
    for module in pkgutil.walk_packages(
        attn_class.exercises.__path__, prefix="attn_class.exercises."
    )
    if not module.ispkg and not module.name.endswith((".frame", ".calling"))
]


def load(name):
    """An exercise, and the answers that were written to try it."""
    exercise = importlib.import_module(f"attn_class.exercises.{name}")
    spec = importlib.util.spec_from_file_location(
        f"answers_to_{name}", ANSWERS.joinpath(*name.split(".")).with_suffix(".py")
    )
    answers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(answers)
    return exercise, answers


LOADED = {name: load(name) for name in NAMES}
RIGHT = [
    pytest.param(name, answer, id=f"{name}-{answer.__name__}")
    for name, (exercise, answers) in LOADED.items()
    for answer in [exercise.solution, *answers.RIGHT]
]
WRONG = [
    pytest.param(name, answer, failed, id=f"{name}-{answer.__name__}")
    for name, (_, answers) in LOADED.items()
    for failed, wrong in answers.WRONG.items()
    for answer in wrong
]
LEARNT_THROUGH = {
    *("gradients_pass", "gradient_takes_every_way", "gradient_reaches_the_mask"),
    *("gradient_reaches_the_scores", "gradient_where_it_was_drawn", "has_a_gradient"),
}
LARGER = 20  # minutes
SEEDS = (3, 5)  # a check without a seed has new inputs every time
every_exercise = pytest.mark.parametrize("name", NAMES)


# ---- each exercise


@pytest.mark.slow
@pytest.mark.parametrize(("name", "answer"), RIGHT)
def test_right_answers_pass(name, answer):
    for seed in SEEDS:
        verdict = LOADED[name][0].check(answer, seed)
        assert verdict.status == "right", verdict


@pytest.mark.slow
@pytest.mark.parametrize(("name", "answer", "failed"), WRONG)
def test_wrong_answers_fail_with_the_hint_meant_for_them(name, answer, failed):
    for seed in SEEDS:
        _fails_as_meant(LOADED[name][0], answer, failed, seed)


def _fails_as_meant(exercise, answer, failed, seed):
    verdict = exercise.check(answer, seed)
    assert verdict.status == "wrong"
    assert verdict.failed == failed, verdict
    assert verdict.example
    hints = {each.name: each.hint for each in exercise.exercise.properties}
    assert verdict.hint == hints.get(failed, verdict.hint) != ""


@every_exercise
def test_there_are_two_other_right_styles_and_a_wrong_answer_for_every_hint(name):
    exercise, answers = LOADED[name]
    assert len(answers.RIGHT) >= 2
    properties = {each.name for each in exercise.exercise.properties}
    tried = set(answers.WRONG)
    meant = properties - {"gradients_pass"}  # tried on each by the test below
    assert meant | {"runs"} <= tried <= properties | {"runs", "leaves_its_inputs_alone"}


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, (exercise, _) in LOADED.items()
        if LEARNT_THROUGH & {each.name for each in exercise.exercise.properties}
    ],
)
def test_the_solution_without_gradients_is_wrong_where_a_model_learns_through_it(name):
    exercise, _ = LOADED[name]
    verdict = exercise.check(torch.no_grad()(exercise.solution))
    assert verdict.status == "wrong"
    assert verdict.failed in LEARNT_THROUGH | {"gradient_passes_the_weights"}


@every_exercise
def test_an_answer_that_was_written_down_is_no_answer(name):
    """It always returns what the solution gives for the first input."""
    exercise, _ = LOADED[name]
    first = []

    def written_down(*inputs):
        first.append(exercise.solution(*inputs))
        return first[0]

    assert exercise.check(written_down).status == "wrong"


def spoil(value):
    """Change a value in place, or False if it cannot be."""
    if isinstance(value, torch.Tensor):
        value.logical_not_() if value.dtype == torch.bool else value.add_(1)
    elif isinstance(value, list | dict):
        value.clear()
    else:
        return isinstance(value, tuple) and spoil(value[0])
    return True


@every_exercise
def test_an_answer_that_changes_an_input_is_told_so(name):
    exercise, _ = LOADED[name]
    for number in range(len(inspect.signature(exercise.solution).parameters)):
        changed = []

        def spoiling(*inputs, number=number, changed=changed):
            result = exercise.solution(*inputs)
            changed.append(spoil(inputs[number]))
            return result

        verdict = exercise.check(spoiling)
        assert not any(changed) or verdict.failed == "leaves_its_inputs_alone", number


@every_exercise
def test_results_of_another_check_are_no_answer(name):
    """Inputs are new in every check, so whoever recorded the right results has the wrong ones."""
    exercise, _ = LOADED[name]
    recorded = []

    def recording(*inputs):
        recorded.append(exercise.solution(*inputs))
        return recorded[-1]

    exercise.check(recording, seed=3)
    results = iter(recorded * 3)
    assert exercise.check(lambda *inputs: next(results), seed=5).status == "wrong"


@every_exercise
@pytest.mark.parametrize("returned", [len, (len, len), [len] * 3, torch.nn.Tanh()], ids=repr)
def test_a_function_is_no_answer(name, returned):
    assert LOADED[name][0].check(lambda *inputs: returned).status == "wrong"


@every_exercise
def test_an_exercise_says_how_long_it_takes_and_how_hard_it_is(name):
    exercise = LOADED[name][0].exercise
    assert exercise.difficulty in DIFFICULTIES
    assert exercise.minutes in range(5, 61)
    assert (exercise.difficulty == "warm-up") == (exercise.minutes == 5)
    verdict = exercise.check(None)
    assert exercise.effort == f"About {exercise.minutes} minutes, {exercise.difficulty}."
    assert exercise.effort in repr(verdict)
    assert f'<p class="attn-effort">{exercise.effort}</p>' in verdict._repr_html_()


@every_exercise
def test_a_larger_exercise_was_tried_with_many_answers(name):
    exercise, answers = LOADED[name]
    if exercise.exercise.minutes >= LARGER:
        assert len(answers.RIGHT) >= 4, "and the solution is the fifth"
        assert sum(map(len, answers.WRONG.values())) >= 8


@every_exercise
def test_a_check_leaves_the_random_numbers_of_the_chapter_alone(name):
    exercise, _ = LOADED[name]
    torch.manual_seed(3)
    expected = torch.rand(5)
    torch.manual_seed(3)
    exercise.check(exercise.solution)
    assert torch.equal(torch.rand(5), expected)


@every_exercise
def test_a_check_with_the_same_seed_says_the_same_twice(name):
    exercise, answers = LOADED[name]
    for answer in list(chain(*answers.WRONG.values()))[:3]:
        assert repr(exercise.check(answer, seed=7)) == repr(exercise.check(answer, seed=7))


@pytest.mark.parametrize("name", ["weights.masked_weights", "models.decoder_step"])
def test_hardly_a_softmax_saturates_or_is_flat(name):
    """Otherwise a hard choice, or no choice at all, would pass. Every check draws anew."""
    exercise, _ = LOADED[name]
    highest = []

    def spy(*inputs):
        result = exercise.solution(*inputs)
        weights = result[2] if name == "models.decoder_step" else result
        if name == "models.decoder_step" or inputs[1].all():
            highest.append((weights.max(dim=-1).values.mean().item(), weights.shape[-1]))
        return result

    exercise.check(spy)
    used = [share for share, size in highest if share > 1.2 / size]
    assert len(used) >= 6
    assert sum(share < 0.9 for share in used) > 0.9 * len(used)


def test_each_exercise_has_answers_and_each_answer_an_exercise():
    found = (path.relative_to(ANSWERS).with_suffix("") for path in ANSWERS.rglob("*.py"))
    assert {".".join(path.parts) for path in found} == set(NAMES)
    assert len(NAMES) >= 4


def squared(x):
    return x * x + x


def test_a_changed_answer_differs_in_one_place():
    assert named(cubed=changed(squared, "x * x", "x**3"))[0](2) == 10
    assert (
        named(zero=changed(squared, "x * x", "0", "+ x", ""), one=lambda x: 1)[1].__name__ == "one"
    )
    for text, times in (("x + x * x", 0), ("x", 4)):
        with pytest.raises(ValueError, match=rf"'{re.escape(text)}' is {times} times in squared"):
            changed(squared, text, "1")


# ---- the frame


def test_a_difficulty_is_one_of_three():
    with pytest.raises(ValueError, match=r"'warm-up', 'moderate', 'hard'.*got 'easy'"):
        Exercise("double(x)", minutes=5, difficulty="easy")


def test_minutes_that_nobody_knows_are_not_shown():
    assert "About" not in repr(Exercise("double(x)")) + Exercise("double(x)").effort


exercise = Exercise("double(x)")


@exercise.must("The result is as long as x.", hint="Keep the <shape>.")
def keeps_the_shape(answer, draw):
    return answer(x=draw.normal(3)).shape == (3,)


@exercise.must("Every entry is twice that of x.", hint="Times two.")
def doubles(answer, draw):
    x = draw.normal(3)
    return answer.gives(2 * x, x=x)


def test_right_says_what_was_tried():
    verdict = exercise.check(lambda x: x + x)
    assert verdict.status == "right"
    assert verdict.held == ("The result is as long as x.", "Every entry is twice that of x.")
    assert "All 2 properties hold" in repr(verdict)
    assert "<li>Every entry is twice that of x.</li>" in verdict._repr_html_()


def test_wrong_shows_the_input_what_came_and_what_was_expected():
    verdict = exercise.check(lambda x: x * 3)
    assert (verdict.status, verdict.failed, verdict.hint) == ("wrong", "doubles", "Times two.")
    assert [line.split(" = ")[0] for line in verdict.example.split("\n")] == [
        "x",
        "returned",
        "expected",
    ]
    assert verdict.held == ("The result is as long as x.",)


def unfinished(x):
    raise NotImplementedError


def only_a_docstring(x):
    """Return twice x."""


def only_dots(x):
    return ...


@pytest.mark.parametrize("stub", [None, ..., unfinished, only_a_docstring, only_dots])
def test_a_stub_is_not_attempted_and_no_error(stub):
    verdict = exercise.check(stub)
    assert verdict.status == "not attempted"
    assert "double(x)" in repr(verdict)
    assert "Not attempted yet." in verdict._repr_html_()


def not_implemented_by_torch(x):
    return torch.empty(3, device="meta").cpu()


def without_a_forward(x):
    return torch.nn.Module()(x)


def forgets_a_branch(x):
    if x.sum() > 1e6:
        return 2 * x


def stops_at_the_second_call(x, calls=[]):  # noqa: B006
    calls.append(x)
    if len(calls) > 1:
        raise NotImplementedError
    return 2 * x


@pytest.mark.parametrize(
    "answer",
    [not_implemented_by_torch, without_a_forward, forgets_a_branch, stops_at_the_second_call],
)
def test_only_the_stub_is_not_attempted(answer):
    verdict = exercise.check(answer)
    assert (verdict.status, verdict.failed) == ("wrong", "runs")


@pytest.mark.parametrize("answer", [not_implemented_by_torch, without_a_forward])
def test_torch_raises_what_the_stub_raises(answer):
    with pytest.raises(NotImplementedError):
        answer(torch.ones(3))


class EqualToEverything:
    def __eq__(self, other):
        return True

    def __getattr__(self, name):
        return self

    def __call__(self, *arguments, **named):
        return self

    __hash__ = None


@every_exercise
def test_what_is_equal_to_everything_is_no_answer(name):
    assert LOADED[name][0].check(lambda *inputs: EqualToEverything()).status == "wrong"


def test_a_loop_without_an_end_is_a_verdict(monkeypatch):
    monkeypatch.setattr(calling, "SECONDS", 0.1)

    def endless(x):
        while True:
            try:
                while True:
                    x = x + 1
            except Exception:
                pass

    verdict = exercise.check(endless)
    assert verdict.failed == "runs"
    assert "did not come to an end" in verdict.example


def test_who_waits_for_a_processor_has_more_time(monkeypatch):
    monkeypatch.setattr(calling, "_WIDER", 1000)
    done = calling.attempt(lambda: time.sleep(0.5) or 2.0, [], seconds=0.1)
    assert (done.returned, done.problem) == (2.0, None)


def test_who_waits_without_an_end_is_interrupted():
    assert "TooSlow" in calling.attempt(lambda: time.sleep(3600), [], seconds=0.1).problem.kinds


def test_an_interruption_is_not_lost_in_the_garbage_collector(monkeypatch):
    lost = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)

    def called(phase, info):
        return sorted(range(100_000))  # so that it is here that most signals arrive

    def endless():
        while True:
            gc.collect(0)

    gc.callbacks.append(called)
    try:
        problem = calling.attempt(endless, [], seconds=0.1).problem
    finally:
        gc.callbacks.remove(called)
    assert "TooSlow" in problem.kinds
    assert not lost


@pytest.mark.parametrize("end", [lambda: os._exit(0), os.abort])
def test_an_answer_cannot_end_the_notebook(end):
    before = os._exit, os.abort
    verdict = exercise.check(lambda x: getattr(os, end.__name__, end)())
    assert verdict.failed == "runs"
    assert (os._exit, os.abort) == before


def test_an_answer_that_switches_gradients_off_leaves_them_on():
    exercise.check(lambda x: torch.set_grad_enabled(False) or x)
    assert torch.is_grad_enabled()


def test_the_properties_cannot_be_taken_away():
    with pytest.raises(AttributeError):
        exercise.properties.clear()
    with pytest.raises(ValueError, match="no properties"):
        Exercise("nothing(x)").check(len)


def test_every_draw_has_other_sizes_and_a_batch_of_one_comes_first():
    batch, source, size = Size(1, 5), Size(3, 7), Size(2, 11)
    draws = [Draw("seed", "name", round_) for round_ in range(30)]
    shapes = {tuple(draw.normal(batch, source, size).shape) for draw in draws}
    assert len(shapes) > 10
    assert draws[0][batch] == 1
    assert all(len(set(shape)) == 3 for shape in shapes)
    assert draws[1][source, size] == (draws[1][source], draws[1][size])


def test_a_return_that_is_missing_is_named():
    assert "is a `return` missing?" in exercise.check(only_a_docstring).hint


def test_an_error_is_a_verdict_with_its_line():
    def helper(x):
        return x.no_such_thing

    def broken(x):
        doubled = helper(x)
        return doubled

    verdict = exercise.check(broken)
    assert (verdict.status, verdict.failed) == ("wrong", "runs")
    assert "AttributeError: 'Tensor' object has no attribute 'no_such_thing'" in verdict.example
    assert "x is numbers (3,)" in verdict.example
    assert "return x.no_such_thing" in verdict.example


@pytest.mark.parametrize(
    "answer",
    [
        lambda: 1,
        lambda x, y: 1,
        lambda x: x @ torch.ones(11),
        lambda x: exit(),
        lambda x: 1 / 0,
        lambda x: (lambda again: again(again))(lambda again: again(again)),
    ],
)
def test_whatever_is_raised_the_notebook_goes_on(answer):
    assert exercise.check(answer).failed == "runs"


@pytest.mark.parametrize("result", ["text", {}, {1}, object(), (), [None], print, 3, "3"])
def test_whatever_comes_back_the_notebook_goes_on(result):
    assert exercise.check(lambda x: result).failed == "keeps_the_shape"


def test_the_result_instead_of_the_function():
    verdict = exercise.check(torch.ones(3))
    assert verdict.status == "wrong"
    assert "without brackets" in verdict.hint


def test_inputs_are_copies_and_changing_them_is_named():
    def in_place(x):
        x *= 2
        return x

    verdict = exercise.check(in_place)
    assert verdict.failed == "leaves_its_inputs_alone"
    assert "x before: [" in verdict.example


def test_a_property_that_cannot_read_the_result_does_not_hold():
    assert exercise.check(lambda x: "abc").failed == "keeps_the_shape"


def test_text_of_the_learner_is_never_markup():
    def hostile(x):
        raise ValueError("<script>alert(1)</script>")

    page = exercise.check(hostile)._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "Keep the &lt;shape&gt;." in exercise.check(lambda x: x[:2])._repr_html_()


def test_a_long_example_is_folded():
    @(longer := Exercise("f(x)")).must("It is zero.", hint="Zero.")
    def is_zero(answer, draw):
        return not answer(x=draw.normal(17, 2)).any()

    assert "<details open><summary>On this" in exercise.check(unchanged)._repr_html_()
    assert "<details><summary>On this" in longer.check(unchanged)._repr_html_()


def test_status_is_in_words_not_only_in_colour():
    for answer, words in [
        (None, "Not attempted"),
        (lambda x: x, "Not right yet"),
        (doubled, "Right."),
    ]:
        assert words in exercise.check(answer)._repr_html_()


def unchanged(x):
    return x


def doubled(x):
    return 2 * x


def test_gradients_pass_through_the_copies():
    x = torch.ones(3, requires_grad=True)
    Answer(_here(doubled))(x=x).sum().backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_other_inputs_for_every_check_every_property_and_every_round():
    assert torch.equal(Draw(5).normal(3), Draw(5).normal(3))
    assert not torch.equal(Draw(5).normal(3), Draw(6).normal(3))
    seen = []
    for _ in range(2):
        exercise.check(lambda x: seen.append(x.tolist()) or 2 * x)
    assert len(set(map(tuple, seen))) == len(seen) == 12


def test_same_is_strict_about_shape_and_not_about_precision():
    one = torch.tensor([1.0, 2.0])
    assert same(one, one.double() + 1e-6)
    assert not same(one, one + 1e-3)
    assert not same(one, one.unsqueeze(0))
    assert not same(one, torch.tensor([1.0, torch.nan]))
    assert not same(torch.tensor([torch.nan]), torch.tensor([torch.nan]))
    assert same((one, 1.0), (one, torch.tensor(1.0)))
    assert not same((one,), (one, one))


def test_small_values_are_shown_and_large_ones_described():
    assert shown(torch.tensor([0.12345, 1.0])) == "[0.123, 1.   ]"
    assert shown(torch.zeros(7, 11)) == "numbers (7, 11)"
    assert shown(torch.eye(2) > 0) == "\n  ■·\n  ·■"
    assert shown(torch.zeros(2, 2)) == "\n  [[0., 0.],\n   [0., 0.]]"
    assert shown(torch.nn.GRUCell(2, 3)) == "GRUCell(2, 3)"
    assert shown(doubled) == "doubled"
    assert shown((3.0, 0.5)) == "[3, 0.5]"
    assert shown((calling.Number(3), 0.5)) == "[3, 0.5]"
    assert shown("a" * 300) == repr("a" * 300)
    assert shown("a" * 5000) == "'" + "a" * 999 + " ... (5,002 characters)"
    assert shown(["a"] * 1000) == repr(["a"] * 1000)


RETURNED = [
    (True, "True"),
    (np.bool_(False), "False"),
    (1, "1"),
    (np.int64(1), "1"),
    (10**20, "100000000000000000000"),
    (1.0, "1.0"),
    ("1", "'1'"),
    ((True, 0.5), "[True, 0.5]"),
    (["a", 100, [0.5, False]], "\n  'a'\n  100\n  [0.5, 0. ]"),
    (("a", 100, 0.5, False), "\n  'a'\n  100\n  0.5\n  False"),
    (torch.tensor(True), "True"),
]


@pytest.mark.parametrize(("returned", "said"), RETURNED, ids=lambda value: repr(value))
def test_what_was_returned_is_shown_as_what_it_was(returned, said):
    """All numbers count as floats, but whoever returned True must not read 1.0."""
    exercise = Exercise("f(x)")
    exercise.must("It is the word.", hint="Return the word.")(
        lambda answer, draw: answer(x=draw.normal(2)) == "word"
    )
    assert exercise.check(lambda x: returned).example.endswith(f"\nreturned = {said}")


@pytest.mark.parametrize("value", [True, False, 3, 10**20])
def test_a_number_is_a_float_whatever_it_was(value):
    number = calling.plain(value)
    assert isinstance(number, float)
    assert (number, number + 0.5) == (value, value + 0.5)
    assert same(number, float(value))
    assert same(torch.tensor((number, 1.0)), torch.tensor([float(value), 1.0]))
    assert repr(copy.deepcopy(number)) == repr(value)
