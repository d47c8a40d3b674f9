"""What the systems read is of the form that they want, and nobody can write it but the grader."""

import json
import tempfile
from pathlib import Path

import pytest

from attn_class.grading.systems import classroom50, gradescope, handed

GRADER = """
from attn_class.exercises.frame import Exercise, Size

LENGTH = Size(2, 19)
exercise = Exercise("double(x)")
half = Exercise("half(x)")


@exercise.must("It is twice x.", hint="Times two.", points=2)
def is_twice(answer, draw):
    x = draw.normal(LENGTH)
    return answer.gives(2 * x, x=x)


@exercise.must("It is twice x, for large numbers too.", hint="Times two, always.")
def large_ones_too(answer, draw):
    x = 100 + draw.normal(LENGTH)
    return answer.gives(2 * x, x=x)


@half.must("It is half of x.", hint="Divided by two.")
def is_half(answer, draw):
    x = draw.normal(LENGTH)
    return answer.gives(x / 2, x=x)
"""
ANSWER = """
def double(x):
    return x + x.clamp(max=50)
"""
SECRET = "TOKEN of at least sixteen letters"
SPEC = {"execution_time": int, "output": str, "stdout_visibility": str}
SPEC |= {"tests": list, "extra_data": dict}
TEST = {"name": str, "score": int, "max_score": int}
TEST |= {"status": str, "output": str, "visibility": str}


@pytest.fixture
def autograder():
    """The folders of Gradescope, open to everybody, as a container may leave them."""
    with tempfile.TemporaryDirectory(prefix="autograder-") as place:
        root = Path(place)
        for folder in (root, root / "source", root / "submission", root / "results"):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o777)
        (root / "source" / handed.GRADER).write_text(GRADER)
        (root / "source" / handed.SEED).write_text(SECRET)
        users = [{"email": "pat@uni.example", "id": 2}, {"email": "ada@uni.example", "id": 1}]
        metadata = {"id": 3, "users": users, "assignment": {"title": "Twice"}}
        (root / "submission_metadata.json").write_text(json.dumps(metadata))
        yield root


def run(root, answer, name="my answers (1).py"):
    (root / "submission" / name).write_text(answer)
    assert gradescope.main([str(root)]) == 0
    assert [path.name for path in (root / "results").iterdir()] == ["results.json"]
    return strict(json.loads((root / "results" / "results.json").read_text("utf-8")))


def strict(results):
    """Only what Gradescope's specification names, and each of its type."""
    assert {name: type(value) for name, value in results.items()} == SPEC
    assert results["stdout_visibility"] == "hidden"
    for test in results["tests"]:
        assert {name: type(value) for name, value in test.items()} == TEST
        assert 0 <= test["score"] <= test["max_score"]
        assert test["status"] == ("passed" if test["score"] == test["max_score"] else "failed")
        assert test["visibility"] == "after_published"
    assert sum(test["max_score"] for test in results["tests"]) == 4
    return results


def test_hidden_tests_are_shown_later_and_what_was_found_at_once(autograder):
    results = run(autograder, ANSWER)
    assert [test["score"] for test in results["tests"]] == [2, 0, 0]
    assert results["tests"][0]["name"] == "double: It is twice x."
    assert "Times two, always." in results["tests"][1]["output"]
    assert "double: found, and called" in results["output"]
    assert "half: There is no function half" in results["output"]
    assert "Times" not in results["output"]
    assert SECRET not in json.dumps(results)


def test_two_files_are_said_and_get_nothing(autograder):
    (autograder / "submission" / "one.py").write_text(ANSWER)
    results = run(autograder, ANSWER, "two.py")
    assert [test["score"] for test in results["tests"]] == [0, 0]
    assert "You handed in 2 files" in results["output"]


@pytest.mark.parametrize(
    ("metadata", "student"),
    [
        ({"users": [{"email": "b@x"}, {"email": "a@x"}]}, "a@x, b@x"),
        ({"users": [{"email": "a@x"}, {"name": "B"}, "c", {"email": 4}]}, "a@x"),
        ({"users": []}, "somebody"),
        ({"users": None}, "somebody"),
        ([], "somebody"),
    ],
)
def test_who_handed_in(metadata, student):
    assert handed.student_of(metadata, "somebody") == student


def test_a_seed_that_is_missing_stops_before_anything_is_graded(autograder):
    (autograder / "source" / handed.SEED).write_text("short")
    (autograder / "submission" / "a.py").write_text(ANSWER)
    with pytest.raises(ValueError, match="at least 16 characters"):
        gradescope.main([str(autograder)])
    assert not (autograder / "results" / "results.json").exists()


def test_the_result_of_classroom_50(tmp_path, monkeypatch):
    bundle, checkout = tmp_path / "bundle", tmp_path / "checkout"
    for folder in (bundle, checkout):
        folder.mkdir()
    for name, text in ((handed.GRADER, GRADER), (handed.SEED, SECRET), ("name", "twice\n")):
        (bundle / name).write_text(text)
    notebook = {"cells": [{"cell_type": "code", "source": ANSWER}]}
    (checkout / "twice.ipynb").write_text(json.dumps(notebook))
    (checkout / "notes.py").write_text("of no interest")
    monkeypatch.chdir(checkout)
    named = {"CLASSROOM": "attention", "ASSIGNMENT": "twice", "OWNER": "ada"}
    named |= {"SUBMISSION_TAG": "submit/2026", "COMMIT_URL": "c", "RELEASE_URL": "r"}
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    assert classroom50.main([str(bundle)]) == 0
    result = json.loads((checkout / "result.json").read_text("utf-8"))
    expected = {"classroom": "attention", "assignment": "twice", "owner": "ada", "release": "r"}
    expected |= {"schema": "classroom50/result/v1", "score": 2, "max-score": 4, "review": "c"}
    expected |= {"assignment_type": "individual", "submission": "submit/2026", "commit": "c"}
    assert expected.items() <= result.items()
    assert set(result) == {*expected, "datetime", "tests"}
    for test in result["tests"]:
        assert {"test-name", "passed", "score", "max-score"} < set(test)
        assert test["passed"] is (test["score"] == test["max-score"])
    lines = (checkout / "release-body.md").read_text("utf-8").splitlines()
    assert all(line.startswith("    ") for line in lines), "a code block, never markup"
