"""Assignment 5: a test counts if it fails on the fault and passes on every sound model."""

import bug_answers
import pytest

from attn_course.exercises.frame import _here


@pytest.fixture(scope="module")
def parts(bugs, exercises_of):
    return exercises_of(bugs)


def failed(parts, answer, seed):
    exercise = parts[answer.__name__.split("__")[0]]
    return {each.property.name for each in exercise.findings(_here(answer), seed) if not each.holds}


@pytest.mark.parametrize("answer", bug_answers.RIGHT, ids=lambda answer: answer.__name__)
def test_a_test_that_finds_its_fault_gets_full_marks(parts, answer):
    assert failed(parts, answer, seed=3) == set()


@pytest.mark.parametrize("answer", bug_answers.WRONG, ids=lambda answer: answer.__name__)
def test_a_test_that_does_not_loses_what_is_meant(parts, answer):
    assert failed(parts, answer, seed=3) == set(bug_answers.WRONG[answer])


def test_one_point_for_a_sound_test_and_three_for_the_fault(parts):
    assert [[each.points for each in exercise.properties] for exercise in parts.values()] == [
        [1, 3]
    ] * 6
