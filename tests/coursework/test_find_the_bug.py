"""Assignment 5: a test counts if it fails on the fault and passes on every sound model."""

import bug_answers
import pytest
import torch
from tried import findings, function_of, lost

from attn_course.exercises.frame import _here


@pytest.fixture(scope="module")
def parts(bugs, exercises_of):
    return exercises_of(bugs)


def failed(parts, answer):
    return lost(findings(parts[function_of(answer)], answer))


def label(value):
    return getattr(value, "__name__", None)


@pytest.mark.parametrize("answer", bug_answers.ANSWERS.each_right(), ids=label)
def test_a_test_that_finds_its_fault_gets_full_marks(parts, answer):
    assert failed(parts, answer) == set()


@pytest.mark.parametrize(("answer", "lacking"), bug_answers.ANSWERS.each_wrong(), ids=label)
def test_a_test_that_does_not_loses_what_is_meant(parts, answer, lacking):
    assert failed(parts, answer) == set(lacking)


def test_one_point_for_a_sound_test_and_three_for_the_fault(parts):
    assert [[each.points for each in exercise.properties] for exercise in parts.values()] == [
        [1, 3]
    ] * 6


def test_both_properties_ask_the_same_sound_models(parts):
    seen = {}

    def by_name(model):
        torch.manual_seed(0)
        context = model(*bug_answers.drawn(), 1)[1]
        seen.setdefault("sound" in model.__name__, set()).add(round(float(context.sum()), 4))
        return "sound" in model.__name__

    findings = list(parts["test_f"].findings(_here(by_name), 3, "own"))
    assert all(each.holds for each in findings)
    assert len(seen[True]) == 8, seen[True]


def test_large_numbers_in_the_padding_do_no_harm_to_a_sound_model(parts):
    def test_e(model):
        torch.manual_seed(0)
        state, annotations, lengths = bug_answers.drawn()
        other = annotations.clone()
        other[2, 1:] *= 30
        inputs = (state, annotations, lengths), (state, other, lengths)
        return bug_answers.alike(*(model(*each, 3) for each in inputs))

    findings = parts["test_e"].findings(_here(test_e), 3, "own")
    assert all(each.holds for each in findings)
