"""No answer gets points by repeating, counting, guessing or recognising."""

import importlib
import random
from pathlib import Path

import pytest
import torch
from sweeps import every

from attn_class.exercises.calling import Number, Outcome
from attn_class.exercises.frame import CHANGED, Draw, Exercise, _copy, _here

pytest.importorskip("benchmarks")  # absent beside the wheel alone
if not Path(__file__).parents[2].joinpath("coursework").exists():
    pytest.skip("the assignments are kept elsewhere", allow_module_level=True)
benchmark = importlib.import_module("benchmarks.answers_by_memory")
by_memory = benchmark.by_memory
SEEDS, LUCKY = range(8), 2  # with 5 % in each seed, three of eight are one in two hundred
NAMES = (
    *("find-the-bug: test_a", "find-the-bug: test_e", "a-project: error_kind", "a-project: card"),
    *("defend-or-refute: verdict", "defend-or-refute: best_rates", "defend-or-refute: planned"),
    *("the-bottleneck: handed_in", "a-reader-of-dates: mean_loss"),
    *("attention-from-an-empty-file: real_positions", "weights.masked_weights"),
    *("interventions.four_questions", "models.map_size"),
)


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def above(audit, seeds=SEEDS, lucky=LUCKY):
    """Strategies that got a property in more seeds than chance allows."""
    return {
        (each, strategy.split()[0])
        for each, counts in audit.passed(seeds).items()
        for strategy, count in counts.items()
        if count > lucky
    }


@pytest.mark.parametrize("name", every(3, NAMES))
def test_nothing_is_above_chance(name):
    assert above(benchmark.audit(name)) == set()


# ---- what an answer gets, whatever the exercise

every_name = pytest.mark.parametrize("name", benchmark.names())


@every_name
def test_form_alone_earns_nothing(name):
    earned = benchmark.audit(name, runs=2).formed()
    assert {fill: names for fill, names in earned.items() if names} == {}


def findings(name, made):
    """What is found where the right answer is called as ``made`` says."""
    (right, code), exercise = benchmark.right(name), benchmark.exercise(name)
    own = by_memory.own(3, code)
    handing_in = (lambda: right(own)) if name in benchmark.coursework.TABLES else right
    torch.manual_seed(3)  # for what the answer draws
    return list(exercise.findings(_here(made(handing_in), exercise.without), 3, own))


def doubled(value):
    """The same numbers in double precision."""
    if isinstance(value, tuple | list):
        return type(value)(map(doubled, value))
    is_floating = isinstance(value, torch.Tensor) and value.is_floating_point()
    return value.double() if is_floating else value


@every_name
def test_a_right_answer_is_right_in_double_precision(name):
    found = findings(name, lambda right: lambda *inputs: doubled(right(*inputs)))
    assert [each.failed for each in found if not each.holds] == []


def spoil(value):
    """Whether a tensor or a list could be changed in place."""
    if isinstance(value, torch.Tensor) and value.numel():
        with torch.no_grad():
            value.logical_not_() if value.dtype == torch.bool else value.add_(1)
        return True
    return isinstance(value, list) and bool(value) and not value.clear()


@every_name
def test_a_right_answer_that_changes_its_inputs_loses_one_property(name):
    changed = []

    def spoiling(right):
        def answer(*inputs):
            copies = [_copy(each) for each in inputs]
            changed.extend(map(spoil, inputs))
            return right(*copies)

        return answer

    lost = [each.failed for each in findings(name, spoiling) if not each.holds]
    assert lost == [CHANGED] * any(changed)


def test_the_table_has_every_exercise_and_nothing_above_chance():
    found = benchmark.stored()
    assert list(found) == benchmark.names()
    for each, text in found.items():
        cells = text.strip("| ").split(" | ")
        properties, weak, calls = map(int, cells[1:4])
        assert weak < properties <= calls, each
        # the nearest text tells by length and letters what is missing: a part of an answer
        for cell in cells[4:7] if each == "measures.mistake_kinds" else cells[4:]:
            count, _, seeds = cell.partition(" of ")
            assert int(count) <= benchmark.SHARE * int(seeds or 20), (each, cell)


def test_weak_properties_stand_beside_others():
    for name in benchmark.names():
        exercise = benchmark.exercise(name)
        assert not all(each.weak for each in exercise.properties), name


# ---- what an audit finds


def always_in_the_same_order():
    """As find-the-bug once was: the same sound models in every round, and then the broken ones."""
    exercise = Exercise("test_a(model)")

    def model(draw, sound):
        numbers = draw.normal(3)

        def model(x):
            return x + numbers if sound else x * numbers

        return model

    @exercise.must("It tells them apart.", hint="Ask them.")
    def tells_them_apart(answer, draw):
        sound = [model(Draw("sound", draw.own, 0), True) for _ in range(8)]
        broken = [model(draw, False) for _ in range(3)]
        return all(bool(answer(model=each)) for each in sound) and not any(
            bool(answer(model=each)) for each in broken
        )

    return exercise


def adds(model):
    """A right answer: what it adds is the same for all inputs."""
    one, two = torch.randn(3), torch.randn(3)
    return torch.allclose(model(one) - one, model(two) - two, atol=1e-4)


def test_a_fixed_order_is_found():
    audit = by_memory.Audit("fixed", always_in_the_same_order(), adds)
    assert ("tells_them_apart", "counter") in above(audit)


def squares(numbers):
    return numbers * numbers


def repeated(holds, **more):
    exercise = Exercise("squares(numbers)")
    exercise.must("It holds.", hint="Square.", **more)(holds)
    return exercise


def test_what_everything_has_is_found():
    def as_long(answer, draw):
        return len(answer(numbers=draw.normal(3))) == 3

    kinds = {kind for _, kind in above(by_memory.Audit("long", repeated(as_long), squares))}
    assert kinds == {"constant", "counter", "random", "fingerprint"}


def test_inputs_that_come_again_are_found():
    def of_few(answer, draw):
        numbers = torch.full((2,), float(draw.integer(4)))
        return answer.gives(numbers * numbers, numbers=numbers)

    found = above(by_memory.Audit("few", repeated(of_few), squares))
    assert ("of_few", "fingerprint") in found


def test_what_is_computed_from_drawn_numbers_is_not():
    def is_squared(answer, draw):
        numbers = draw.normal(3)
        return answer.gives(numbers * numbers, numbers=numbers)

    assert above(by_memory.Audit("drawn", repeated(is_squared), squares)) == set()


def test_a_right_answer_that_is_wrong_is_refused():
    def never(answer, draw):
        return False

    with pytest.raises(ValueError, match=r"right answer to wrong has to pass \['never'\]"):
        by_memory.Audit("wrong", repeated(never), squares)


# ---- weak properties


def with_a_weak_one():
    exercise = repeated(
        lambda answer, draw: answer(numbers=draw.normal(3)).shape == (3,), weak=True
    )

    @exercise.must("It is squared.", hint="Square.", points=2)
    def is_squared(answer, draw):
        numbers = draw.normal(3)
        return answer.gives(numbers * numbers, numbers=numbers)

    return exercise


@pytest.mark.parametrize(("answer", "held"), [(squares, [True, True]), (torch.abs, [False, False])])
def test_a_weak_property_counts_beside_another_only(answer, held):
    found = list(with_a_weak_one().findings(_here(answer), 3))
    assert [each.holds for each in found] == held
    assert held[0] or "It counts once another" in found[0].hint


def test_in_a_notebook_a_weak_property_holds():
    verdict = with_a_weak_one().check(torch.abs, 3)
    assert (verdict.failed, verdict.held) == ("is_squared", ("It holds.",))


def test_items_are_put_into_every_order_and_each_seed_has_its_own():
    orders = [tuple(Draw(seed).shuffled("abc")) for seed in range(200)]
    assert {"".join(each) for each in orders} == {"abc", "acb", "bac", "bca", "cab", "cba"}
    assert max(map(orders.count, orders)) < 60
    assert Draw(3).shuffled(range(9)) == Draw(3).shuffled(range(9))


def test_a_coin_falls_as_often_as_it_says():
    coin = by_memory._coin(random.Random(0), 0.75)
    said = [coin(None, ()) for _ in range(1000)]
    assert all(isinstance(each, Outcome) and isinstance(each.returned, Number) for each in said)
    assert 700 < sum(each.returned for each in said) < 800
