"""The stored marks of fixed answers are those that come out, and each answer has one mark."""

import pytest

from benchmarks import coursework_fairness as fairness


def stored():
    """Exercise, answer and marks of each line of the stored tables."""
    lines = fairness.TABLE.read_text("utf-8").splitlines()
    cells = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    return {
        (exercise, answer): (int(most), marks)
        for exercise, answer, most, marks, _ in cells
        if most.isdigit()
    }


def test_every_answer_has_one_mark():
    found = stored()
    assert len(found) >= 50
    assert all(marks.isdigit() and int(marks) <= most for most, marks in found.values())


def test_every_function_is_tried_in_five_qualities():
    functions = [exercise for exercise, _ in stored()]
    assert {"defend-or-refute: handed_in", "the-bottleneck: handed_in"} <= set(functions)
    assert all(functions.count(each) >= fairness.QUALITIES for each in functions)


@pytest.mark.parametrize("assignment", ["defend-or-refute"])
def test_the_stored_marks_come_out_again(assignment):
    found = {(each.exercise, each.answer): each for each in fairness.ranges(assignment, 2)}
    assert found.keys() == {key for key in stored() if key[0].startswith(assignment)}
    for key, each in found.items():
        most, mark = stored()[key]
        assert (each.maximum, set(each.marks)) == (most, {int(mark)}), key
