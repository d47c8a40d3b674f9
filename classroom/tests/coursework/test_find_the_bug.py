"""Assignment 5: a test counts if it fails on the fault and passes on every sound model."""

import pytest
import torch

from attn_class.exercises.frame import _here
from specimens.coursework import bug_answers
from specimens.coursework.tried import findings, hidden_tests, lost

PARTS = hidden_tests("find-the-bug")


def test_one_point_for_a_sound_test_and_three_for_the_fault():
    points = [[one.points for one in exercise.properties] for exercise in PARTS.values()]
    assert points == [[1, 3]] * 6


def asked(seed):
    """Whether each model was sound, in the order in which they were asked, and what it says."""
    order, sums = [], {}

    def by_name(model):
        torch.manual_seed(0)
        context = model(*bug_answers.drawn(), 1)[1]
        order.append("sound" in model.__name__)
        sums.setdefault(order[-1], []).append(round(float(context.sum()), 4))
        return order[-1]

    findings = list(PARTS["test_f"].findings(_here(by_name), seed, "own"))
    assert all(one.holds for one in findings)
    return order, sums


def test_no_model_is_asked_in_two_rounds():
    for seed in range(3):
        _, sums = asked(seed)
        for numbers in sums.values():  # in the first property each is asked twice
            assert max(map(numbers.count, numbers)) == 2
            assert len(set(numbers)) >= 20


def test_order_and_number_of_the_models_are_drawn():
    orders = [tuple(asked(seed)[0]) for seed in range(16)]
    assert len(set(orders)) == 16
    assert len(set(map(len, orders))) > 3
    for order in zip(*orders, strict=False):
        assert 0 < sum(order) < len(order), "a place where all are sound, or all are broken"


def test_odd_inputs_do_not_tell_which_models_are_sound():
    """Errors and shapes are those of the style, whether or not there is a fault."""
    outcomes = {}

    def test_f(model):
        state, annotations, lengths = bug_answers.drawn()
        kind, _, style = model.__name__.partition(" (")
        odd = {
            "no step": (state, annotations, lengths, 0),
            "no sentence": (state[:0], annotations[:0], lengths[:0], 1),
            "256 positions": (state, annotations.repeat(1, 60, 1)[:, :256], lengths, 1),
            "a wide state": (torch.randn(3, 7), annotations, lengths, 1),
            "a narrow annotation": (state, annotations[..., :5], lengths, 1),
            "too long": (state, annotations, lengths + 9, 1),
            "one length": (state, annotations, lengths[:1], 1),
            "no length": (state, annotations, lengths * 0, 1),
            "a fraction of a length": (state, annotations, lengths / 2, 1),
            "half": (state.half(), annotations.half(), lengths, 1),
        }
        for name, inputs in odd.items():
            try:
                outcome = str([tensor.shape for tensor in model(*inputs)])
            except Exception as error:
                outcome = type(error).__name__
            outcomes.setdefault((name, style), {}).setdefault(outcome, set()).add(kind)
        return "sound" in model.__name__

    for seed in range(3):
        list(PARTS["test_f"].findings(_here(test_f), seed, "own"))
    telling = {at: kinds for at, kinds in outcomes.items() if len(kinds) > 1}
    assert len(outcomes) == 10 * 4
    assert not telling


def test_a_test_cannot_make_the_grader_compute_for_long():
    def test_f(model):
        state, annotations, lengths = bug_answers.drawn()
        for inputs in (
            (state, annotations, lengths, 10**12),
            (*(tensor.repeat_interleave(10_000, 0) for tensor in (state, annotations, lengths)), 1),
            (state, annotations.repeat(1, 10_000, 1), lengths, 1),
        ):
            with pytest.raises(ValueError, match=r"was given \d+ .* takes 1 to"):
                model(*inputs)
        return bug_answers.test_f__alone_as_in_the_batch(model)

    assert lost(findings(PARTS["test_f"], test_f)) == set()


def test_large_numbers_in_the_padding_do_no_harm_to_a_sound_model():
    def test_e(model):
        torch.manual_seed(0)
        state, annotations, lengths = bug_answers.drawn()
        other = annotations.clone()
        other[2, 1:] *= 30
        inputs = (state, annotations, lengths), (state, other, lengths)
        return bug_answers.alike(*(model(*one, 3) for one in inputs))

    findings = PARTS["test_e"].findings(_here(test_e), 3, "own")
    assert all(one.holds for one in findings)
