"""What earns points in every exercise, of the chapters and of the assignments."""

import copy
import importlib
import pkgutil
from collections import Counter

import pytest
import torch
from sweeps import every
from torch import Tensor

import attn_class.exercises
from attn_class.exercises.calling import Number, plain
from attn_class.exercises.frame import CHANGED, Draw, Exercise, _copy, _form, _here
from attn_class.grading import variants
from specimens.coursework.tried import answers_by_assignment, findings, hidden_tests, lost

OWN = variants.own("ada", "a seed for demonstration only")


def tried():
    """Each exercise with an answer that is right."""
    for file in pkgutil.walk_packages(attn_class.exercises.__path__, "attn_class.exercises."):
        name = file.name.removeprefix("attn_class.exercises.")
        if not file.ispkg and name not in ("frame", "calling"):
            module = importlib.import_module(file.name)
            yield pytest.param(module.exercise, module.solution, id=name)
    for name, answers in answers_by_assignment().items():
        for function, (answer, *_) in answers.right.items():
            yield pytest.param(hidden_tests(name)[function], answer, id=f"{name}: {function}")


every_exercise = pytest.mark.parametrize(("exercise", "right"), every(2, tried()))


def formed(value, fill, inputs):
    """A value of the same form: one of the inputs, or one number, equal shares or drawn ones."""
    if isinstance(value, tuple | list):
        return tuple(formed(part, fill, inputs) for part in value)
    if fill == "an input":
        alike = [one for one in inputs if type(one) is type(value) and _form(one) == _form(value)]
        if alike:
            return alike[0]
    if isinstance(value, Tensor):
        share = 1 / value.shape[-1] if value.dim() and value.shape[-1] else 1.0
        number = share if fill is None else fill if isinstance(fill, float) else 0.0
        full = torch.full_like(value.detach(), number)
        if fill == "drawn" and value.dim() and full.is_floating_point():
            full += torch.randn(value.shape, generator=torch.Generator().manual_seed(3)).softmax(-1)
        learnt = [one for one in inputs if isinstance(one, Tensor) and one.requires_grad]
        return full + sum(0 * one.sum() for one in learnt) if full.is_floating_point() else full
    if isinstance(value, float):
        number = fill if isinstance(fill, float) else 0.5
        return type(value.was)(number) if isinstance(value, Number) else number
    if isinstance(value, str):
        return "a" * len(value) if fill else ""
    return value


def run(exercise, answer):
    """The findings for an answer that is told at which call of which round it is asked."""
    at, rounds = [], Counter()

    def placed(tried):
        def holds(answer, draw):
            rounds[tried.name] += 1
            at[:] = tried.name, rounds[tried.name], 0
            return tried.holds(answer, draw)

        return tried._replace(holds=holds)

    def asked(*inputs):
        at[2] += 1
        return answer(tuple(at), inputs)

    counted = copy.copy(exercise)
    counted._properties = [placed(one) for one in exercise.properties]
    return findings(counted, asked, OWN)


@every_exercise
def test_form_alone_earns_nothing(exercise, right):
    """An answer is told what the right one returns to each call, and keeps the form of that."""
    returned = {}

    def noting(place, inputs):
        result = right(*inputs)
        returned[place] = plain(result)
        return result

    assert lost(run(exercise, noting)) == set()
    for fill in (0.0, 1.0, 0.3, None, "drawn", "an input"):

        def filled(place, inputs, fill=fill):
            return formed(returned.get(place, 0.0), fill, inputs)

        results = run(exercise, filled)
        assert [(one.property.name, fill) for one in results if one.holds] == []


def doubled(value):
    """The same numbers in double precision."""
    if isinstance(value, tuple | list):
        return type(value)(map(doubled, value))
    return value.double() if isinstance(value, Tensor) and value.is_floating_point() else value


@every_exercise
def test_a_right_answer_is_right_in_double_precision(exercise, right):
    assert lost(findings(exercise, lambda *inputs: doubled(right(*inputs)), OWN)) == set()


def spoil(value):
    """Change a value in place; False if it cannot be."""
    if isinstance(value, tuple):
        return bool(value) and spoil(value[0])
    if isinstance(value, Tensor) and value.numel():
        with torch.no_grad():
            value.logical_not_() if value.dtype == torch.bool else value.add_(1)
        return True
    return isinstance(value, list | dict) and bool(value) and not value.clear()


@every_exercise
def test_a_right_answer_that_changes_an_input_loses_one_property(exercise, right):
    for place in range(exercise.call.count(",") + 1):
        spoilt = []

        def spoiling(*inputs, place=place, spoilt=spoilt):
            copies = [_copy(value) for value in inputs]
            spoilt.extend(map(spoil, inputs[place : place + 1]))
            return right(*copies)

        lacking = [one.failed for one in findings(exercise, spoiling, OWN) if not one.holds]
        assert lacking == [CHANGED] * any(spoilt), place


# ---- weak properties


@every_exercise
def test_weak_properties_stand_beside_others(exercise, right):
    assert not all(one.weak for one in exercise.properties)


def squares(numbers):
    return numbers * numbers


@pytest.fixture
def with_a_weak_one():
    exercise = Exercise("squares(numbers)")

    @exercise.must_also("It is as long.", hint="Square.")
    def is_as_long(answer, draw):
        return answer(numbers=draw.normal(3)).shape == (3,)

    @exercise.must("It is squared.", hint="Square.", points=2)
    def is_squared(answer, draw):
        numbers = draw.normal(3)
        return answer.gives(numbers * numbers, numbers=numbers)

    return exercise


@pytest.mark.parametrize(
    ("answer", "holding"), [(squares, [True, True]), (torch.abs, [False, False])]
)
def test_a_weak_property_counts_beside_another_only(with_a_weak_one, answer, holding):
    results = list(with_a_weak_one.findings(_here(answer), 3))
    assert [one.holds for one in results] == holding
    assert holding[0] or "It counts once another" in results[0].hint


def test_in_a_notebook_a_weak_property_holds(with_a_weak_one):
    verdict = with_a_weak_one.check(torch.abs, 3)
    assert (verdict.failed, verdict.passed) == ("is_squared", ("It is as long.",))


def test_items_are_put_into_every_order_and_each_seed_has_its_own():
    orders = [tuple(Draw(seed).shuffled("abc")) for seed in range(200)]
    assert {"".join(order) for order in orders} == {"abc", "acb", "bac", "bca", "cab", "cba"}
    assert max(map(orders.count, orders)) < 60
    assert Draw(3).shuffled(range(9)) == Draw(3).shuffled(range(9))
