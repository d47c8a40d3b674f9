"""The stored marks of fixed answers are those that come out, and each answer has one mark."""

from collections import Counter

import pytest
from sweeps import every

from apparatus.benchmarks import coursework_fairness as fairness


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
    assert {each.split(":")[0] for each in functions} == set(fairness.ANSWERS)
    assert set(fairness.TABLES) <= set(functions)
    assert all(functions.count(each) >= fairness.QUALITIES for each in functions)


def test_a_run_for_one_assignment_leaves_the_tables_of_the_others(tmp_path, monkeypatch):
    path = tmp_path / "table.md"
    path.write_bytes(fairness.TABLE.read_bytes())
    found = fairness.Range("find-the-bug: test_a", "an_answer", 4, Counter({3: 2}))
    monkeypatch.setattr(fairness, "ranges", lambda assignment, seeds: [found])
    given = ["--assignments", "find-the-bug", "--seeds", "2", "--table", str(path)]
    monkeypatch.setattr("sys.argv", ["coursework_fairness", *given])
    fairness.main()
    before, after = fairness.stored(fairness.TABLE), fairness.stored(path)
    assert "| find-the-bug: test_a | an_answer | 4 | 3 | 2 |" in after.pop("find-the-bug")
    assert list(after) == [each for each in before if each != "find-the-bug"]
    assert all(before[each].strip() == text.strip() for each, text in after.items())


@pytest.mark.parametrize("assignment", every(2, ["defend-or-refute", "find-the-bug"]))
def test_the_stored_marks_come_out_again(assignment):
    found = {(each.exercise, each.answer): each for each in fairness.ranges(assignment, 2)}
    assert found.keys() == {key for key in stored() if key[0].startswith(assignment)}
    for key, each in found.items():
        most, mark = stored()[key]
        assert (each.maximum, set(each.marks)) == (most, {int(mark)}), key
