"""The house is counted: by room, by arrow, by circle."""

import pytest

from apparatus import house


@pytest.mark.parametrize(
    ("path", "room"),
    [
        ("attn_course/masks.py", "equations"),
        ("attn_course/tasks/dates.py", "tasks"),
        ("attn_course/plots.py", "views"),
        ("attn_course/grading/marks.py", "classroom"),
        ("attn_course/training.py", "package, the rest"),
        ("tests/exercises/weights/causal_weights.py", "specimens"),
        ("classroom/tests/coursework/bug_answers.py", "specimens"),
        ("classroom/tests/coursework/test_bounds.py", "tests"),
        ("website/attn_book/claims.py", "website"),
        ("setup.py", "elsewhere"),
    ],
)
def test_a_file_is_counted_where_it_was_and_where_it_is(path, room):
    assert house.room_of(path) == room


def test_lines_of_code_are_those_that_neither_say_nor_part():
    text = '''"""Says.

More.
"""

import re  # counted
# not counted

TEXT = """one

three"""


def f(x):
    "Says."
    return (
        x
    )
'''
    assert house.code_lines(text) == 1 + 3 + 1 + 3


def test_arrows_and_circles_are_counted(tmp_path):
    package = tmp_path / "attn_course"
    (package / "room").mkdir(parents=True)
    files = {
        "one": "from attn_course.two import thing\nimport attn_course.nowhere\n",
        "two": "def late():\n    import attn_course.one\n",
        "room/__init__": "from attn_course.one import thing\nimport attn_course.room.in_it\n",
        "room/in_it": "import attn_course.room\n",
    }
    for name, text in files.items():
        (package / f"{name}.py").write_text(text, "utf-8")
    assert house.arrows(package) == {("one", "two"), ("two", "one"), ("room", "one")}
    assert house.circles(package, tmp_path) == 2
