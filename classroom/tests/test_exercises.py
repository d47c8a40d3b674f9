"""Every check accepts right answers in any style, and says what is wrong with a wrong one."""

import copy
import gc
import importlib.util
import os
import pkgutil
import re
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from sweeps import every, examples

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
    changed,
    same,
    shown,
)
from specimens.answers import answers_to

ANSWERS = Path(specimens.__file__).parent / "exercises"
NAMES = [
    module.name.removeprefix("attn_class.exercises.")
    for module in pkgutil.walk_packages(
        attn_class.exercises.__path__, prefix="attn_class.exercises."
    )
    if not module.ispkg and not module.name.endswith((".frame", ".calling"))
]


def tried(exercise, answers):
    hints = {one.name: one.hint for one in exercise.exercise.properties}
    yield from ((answer, "", "") for answer in (exercise.solution, *answers.right))
    for failed, several in answers.wrong.items():
        yield from ((answer, failed, hints.get(failed)) for answer in several)
    yield from ((slip, None, hint) for hint, slip in exercise.exercise.slips)
    if shape := exercise.exercise.shape:
        yield (lambda *inputs: (exercise.solution(*inputs), 0)), None, shape


LOADED = {
    name: (importlib.import_module(f"attn_class.exercises.{name}"), answers_to(name))
    for name in NAMES
}
ANSWERS_TO = [  # each with the property that it fails, "" if it is right, and the hint that it gets
    pytest.param(name, answer, failed, hint, id=f"{name}-{answer.__name__}-{number}")
    for name, (exercise, answers) in LOADED.items()
    for number, (answer, failed, hint) in enumerate(tried(exercise, answers))
]
LEARNT_THROUGH = {"gradients_pass", "gradient_takes_every_way", "gradient_where_it_was_drawn"}
LEARNT_THROUGH |= {"gradient_passes_the_weights"}
LARGER = 20  # minutes
SEEDS = (3, 5)  # a check without a seed has new inputs every time
every_exercise = pytest.mark.parametrize("name", NAMES)


# ---- each exercise


@pytest.mark.slow
@pytest.mark.parametrize(("name", "answer", "failed", "hint"), every(3, ANSWERS_TO))
def test_right_answers_pass_and_wrong_ones_fail_with_their_hint(name, answer, failed, hint):
    for seed in SEEDS[: examples(2, 1)]:
        verdict = LOADED[name][0].check(answer, seed)
        assert verdict.status == ("right" if failed == "" else "wrong"), verdict
        assert failed is None or verdict.failed == failed, verdict
        assert failed == "" or (verdict.example and verdict.hint == (hint or verdict.hint) != "")


@every_exercise
def test_there_are_other_right_styles_and_a_wrong_answer_for_every_hint(name):
    module, answers = LOADED[name]
    exercise, cases = module.exercise, {case.claim for case in module.exercise.cases}
    larger = exercise.minutes >= LARGER
    assert len(answers.right) >= (4 if larger else 2), "beside the solution"
    assert len(exercise.slips) + sum(map(len, answers.wrong.values())) >= 8 * larger
    judged = {one.name for one in exercise.properties} - cases - {"gradients_pass"}
    wrong = set(answers.wrong)  # cases and gradients are tried by the tests below
    assert judged | (set() if cases else {"runs"}) <= wrong
    assert wrong <= judged | {"runs", "leaves_its_inputs_alone"}


@every_exercise
def test_each_case_catches_a_wrong_answer(name):
    module, answers = LOADED[name]
    waiting = {case.claim for case in module.exercise.cases}
    for wrong, failed, hint in tried(module, answers) if waiting else ():
        if failed != "" and (not hint or hint != module.exercise.shape):
            findings = module.exercise.findings(_here(wrong), seed=3)
            waiting -= {one.property.name for one in findings if one.failed == one.property.name}
    assert not waiting


@every_exercise
def test_the_solution_without_gradients_is_wrong_where_a_model_learns_through_it(name):
    exercise = LOADED[name][0].exercise
    learns = LEARNT_THROUGH & {one.name for one in exercise.properties}
    verdict = exercise.check(torch.no_grad()(LOADED[name][0].solution))
    assert (verdict.failed in LEARNT_THROUGH) == bool(learns), verdict


class EqualToEverything:
    def __eq__(self, other):
        return True

    def __getattr__(self, name):
        return self

    def __call__(self, *arguments, **named):
        return self

    __hash__ = None


@every_exercise
def test_what_was_not_computed_is_no_answer(name):
    """The first result again, the results of another check, functions, what equals everything."""
    exercise, _ = LOADED[name]
    first, recorded = [], []

    def written_down(*inputs):
        first.append(exercise.solution(*inputs))
        return first[0]

    def recording(*inputs):
        recorded.append(exercise.solution(*inputs))
        return recorded[-1]

    exercise.check(recording, seed=3)
    later = iter(recorded * 3)
    returned = (len, (len, len), [len] * 3, torch.nn.Tanh(), EqualToEverything())
    same = [lambda *_, result=result: result for result in returned]
    for answer in (written_down, lambda *_: next(later), *same):
        assert exercise.check(answer, seed=5).status == "wrong"


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
def test_a_check_draws_its_own_random_numbers_and_with_a_seed_the_same(name):
    exercise, answers = LOADED[name]
    torch.manual_seed(3)
    expected = torch.rand(5)
    torch.manual_seed(3)
    exercise.check(exercise.solution)
    assert torch.equal(torch.rand(5), expected), "those of the chapter are left alone"
    for answer in [answer for answer, failed, _ in tried(exercise, answers) if failed != ""][:3]:
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

    for _ in range(3):
        exercise.check(spy)
    used = [share for share, size in highest if share > 1.2 / size]
    assert len(used) >= 6
    assert sum(share < 0.9 for share in used) > 0.9 * len(used)


def test_each_exercise_has_answers_and_each_answer_an_exercise():
    paths = (path.relative_to(ANSWERS).with_suffix("") for path in ANSWERS.rglob("*.py"))
    assert {".".join(path.parts) for path in paths} == set(NAMES)
    assert len(NAMES) >= 4


def squared(x):
    return x * x + x


def test_a_changed_answer_differs_in_one_place():
    assert changed(squared, "x * x", "x**3")(2) == 10
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


def unfinished(x):
    raise NotImplementedError


def only_a_docstring(x):
    """Return twice x."""


def only_dots(x):
    return ...


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


def in_place(x):
    x *= 2
    return x


def broken(x):
    def helper(x):
        return x.no_such_thing

    doubled = helper(x)
    return doubled


def hostile(x):
    raise ValueError("<script>alert(1)</script>")


def unchanged(x):
    return x


def doubled(x):
    return 2 * x


STUB = ("Not attempted yet.", "double(x)")
LINE = "'Tensor' object has no attribute 'no_such_thing'"
HOLDS = "<li>The result is as long as x.</li>"
VERDICTS = {  # what is said of which answers, and in which words
    "right": {
        (lambda x: x + x): ("Right. All 2 properties hold", "<li>Every entry is twice that of x."),
        doubled: (),
    },
    "not attempted": {
        **dict.fromkeys((None, ..., unfinished, only_dots), STUB),
        only_a_docstring: (*STUB, "is a `return` missing?"),
    },
    "doubles": {
        (lambda x: x * 3): (
            "Not right yet.",
            "Times two.",
            "x = [",
            "returned =",
            "expected",
            HOLDS,
        ),
        unchanged: ("<details open><summary>On this",),
    },
    "keeps_the_shape": {
        (lambda x: x[:2]): ("Keep the &lt;shape&gt;.",),
        **{
            lambda x, result=result: result: ()
            for result in ("text", {}, {1}, object(), (), [None], print, 3, "3")
        },
    },
    "leaves_its_inputs_alone": {in_place: ("x before: [",)},
    "runs": {
        broken: ("AttributeError", LINE, "x is numbers (3,)", "return x.no_such_thing"),
        hostile: ("&lt;script&gt;",),
        **dict.fromkeys((not_implemented_by_torch, without_a_forward, forgets_a_branch), ()),
        stops_at_the_second_call: (),
        (lambda: 1): (),
        (lambda x, y: 1): (),
        (lambda x: x @ torch.ones(11)): (),
        (lambda x: exit()): (),
        (lambda x: 1 / 0): (),
        (lambda x: (lambda again: again(again))(lambda again: again(again))): (),
    },
}
VERDICTS = [(failed, *pair) for failed, of in VERDICTS.items() for pair in of.items()]


@pytest.mark.parametrize(("failed", "answer", "words"), VERDICTS)
def test_a_verdict_says_what_failed_and_the_notebook_goes_on(failed, answer, words):
    """A stub is no error; torch raises NotImplementedError too, where it is one."""
    verdict = exercise.check(answer)
    page = verdict._repr_html_()
    if failed in ("right", "not attempted"):
        assert (verdict.status, verdict.failed) == (failed, "")
    else:
        assert (verdict.status, verdict.failed) == ("wrong", failed)
    assert not [word for word in words if word not in f"{verdict!r} {page}"]
    assert "<script" not in page, "what a learner has written is never markup"
    if answer in (not_implemented_by_torch, without_a_forward):
        with pytest.raises(NotImplementedError):
            answer(torch.ones(3))


@every_exercise
def test_a_stub_is_no_attempt_whatever_is_asked_first(name):
    """Of an error that is asked for, too: NotImplementedError is no refusal."""
    assert LOADED[name][0].exercise.check(unfinished_of_any).status == "not attempted"


def unfinished_of_any(*inputs):
    raise NotImplementedError("write it")


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
    outcome = calling.attempt(lambda: time.sleep(0.5) or 2.0, [], seconds=0.1)
    assert (outcome.returned, outcome.problem) == (2.0, None)


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


def test_the_result_instead_of_the_function():
    verdict = exercise.check(torch.ones(3))
    assert verdict.status == "wrong"
    assert "without brackets" in verdict.hint


def test_a_long_example_is_folded():
    @(longer := Exercise("f(x)")).must("It is zero.", hint="Zero.")
    def is_zero(answer, draw):
        return not answer(x=draw.normal(17, 2)).any()

    assert "<details><summary>On this" in longer.check(unchanged)._repr_html_()


def test_gradients_pass_through_the_copies():
    x = torch.ones(3, requires_grad=True)
    Answer(_here(doubled))(x=x).sum().backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_other_inputs_for_every_check_every_property_and_every_round():
    assert torch.equal(Draw(5).normal(3), Draw(5).normal(3))
    assert not torch.equal(Draw(5).normal(3), Draw(6).normal(3))
    drawn = []
    for _ in range(2):
        exercise.check(lambda x: drawn.append(x.tolist()) or 2 * x)
    assert len(set(map(tuple, drawn))) == len(drawn) == 12


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


@pytest.mark.parametrize(("returned", "text"), RETURNED, ids=lambda value: repr(value))
def test_what_was_returned_is_shown_as_what_it_was(returned, text):
    """All numbers count as floats, but whoever returned True must not read 1.0."""
    exercise = Exercise("f(x)")
    exercise.must("It is the word.", hint="Return the word.")(
        lambda answer, draw: answer(x=draw.normal(2)) == "word"
    )
    assert exercise.check(lambda x: returned).example.endswith(f"\nreturned = {text}")


@pytest.mark.parametrize("value", [True, False, 3, 10**20])
def test_a_number_is_a_float_whatever_it_was(value):
    number = calling.plain(value)
    assert isinstance(number, float)
    assert (number, number + 0.5) == (value, value + 0.5)
    assert same(number, float(value))
    assert same(torch.tensor((number, 1.0)), torch.tensor([float(value), 1.0]))
    assert repr(copy.deepcopy(number)) == repr(value)
