"""Assignment 1: right answers in any style get full marks, wrong ones the marks meant for them."""

import attention_answers as answers
import pytest
from tried import findings, function_of, lost

RIGHT, WRONG = answers.ANSWERS.each_right(), answers.ANSWERS.each_wrong()
LARGE = ("additive_scores", "masked_softmax", "attend_backward", "decode")


@pytest.fixture(scope="module")
def parts(attention, exercises_of):
    return exercises_of(attention)


@pytest.mark.parametrize("answer", RIGHT, ids=lambda answer: answer.__name__)
def test_right_answers_get_full_marks(parts, answer):
    assert lost(findings(parts[function_of(answer)], answer)) == set()


@pytest.mark.parametrize(
    ("answer", "failed"), WRONG, ids=lambda each: getattr(each, "__name__", "")
)
def test_wrong_answers_lose_the_points_meant_for_them(parts, answer, failed):
    found = findings(parts[function_of(answer)], answer)
    assert lost(found) == set(failed)
    assert next(each for each in found if each.property.name == failed[0]).hint


def test_the_larger_parts_are_tried_with_five_right_and_ten_wrong_answers():
    for name in LARGE:
        assert len(answers.ANSWERS.right[name]) >= 5
        assert len(answers.ANSWERS.wrong[name]) >= 10


def test_every_property_is_lost_by_an_answer(parts):
    for name, exercise in parts.items():
        found = {each for failed in answers.ANSWERS.wrong[name].values() for each in failed}
        assert {each.name for each in exercise.properties} <= found
