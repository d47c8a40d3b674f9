"""Assignment 1: right answers in any style get full marks, wrong ones the marks meant for them."""

import attention_answers as answers
import pytest

from attn_course.exercises.frame import _here

RIGHT = [each for functions in answers.RIGHT.values() for each in functions]
WRONG = [(each, failed) for found in answers.WRONG.values() for each, failed in found.items()]
LARGE = ("additive_scores", "masked_softmax", "attend_backward", "decode")


@pytest.fixture(scope="module")
def parts(attention, exercises_of):
    return exercises_of(attention)


def findings(parts, answer, seed):
    exercise = parts[answer.__name__.split("__")[0]]
    return list(exercise.findings(_here(answer, exercise.without), seed))


@pytest.mark.parametrize("answer", RIGHT, ids=lambda answer: answer.__name__)
def test_right_answers_get_full_marks(parts, answer):
    assert [each for each in findings(parts, answer, seed=3) if not each.holds] == []


@pytest.mark.parametrize(
    ("answer", "failed"), WRONG, ids=lambda each: getattr(each, "__name__", "")
)
def test_wrong_answers_lose_the_points_meant_for_them(parts, answer, failed):
    found = {each.property.name: each for each in findings(parts, answer, seed=3)}
    assert {name for name, each in found.items() if not each.holds} == set(failed)
    assert found[failed[0]].hint


def test_the_larger_parts_are_tried_with_five_right_and_ten_wrong_answers():
    for name in LARGE:
        assert len(answers.RIGHT[name]) >= 5
        assert len(answers.WRONG[name]) >= 10


def test_every_property_is_lost_by_an_answer(parts):
    for name, exercise in parts.items():
        lost = {each for failed in answers.WRONG[name].values() for each in failed}
        assert {each.name for each in exercise.properties} <= lost
