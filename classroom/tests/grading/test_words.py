"""Answers in words stand side by side without names, and their points reach the marks."""

import json

import pytest
from handing_in import GRADER, SECRET, Run, write_notebook

from attn_class.grading import adjust, words

RUBRIC = """# small: 16 points

## Part 1: a function: 6

`answer(x)` is graded by `make grade`:

- 6 points: It is x.

## Part 2: why (really)?: 7

To be read and marked:

- 4 points: names the cause
- 3 points: and what follows

## Part 3: a doubt: 3

`other(x)` is graded by `make grade`:

- 2 points: It is 2 x.

To be read and marked:

- 1 point: a doubt
"""
HANDED_OUT = [
    "# Small",
    "## Part 1: a function (6 points)\n\nWrite it.",
    "## Part 2: why (really)? (7 points)\n\nSay why.\n\n*Your answer*",
    "## Part 3: a doubt (3 points)\n\nSay one.\n\n*Your answer*",
]


def answered(*answers):
    texts = HANDED_OUT[:2]
    for text, answer in zip(HANDED_OUT[2:], answers, strict=True):
        texts.append(text.replace("*Your answer*", answer))
    return texts


@pytest.fixture
def grader(tmp_path):
    write_notebook(tmp_path / "small" / "small.ipynb", "# Your code", HANDED_OUT)
    private = tmp_path / "small" / "private"
    private.mkdir()
    (private / "rubric.md").write_text(RUBRIC, "utf-8")
    (private / "grader.py").write_text(GRADER, "utf-8")
    return "small/private/grader.py:answer"


def test_what_is_asked_in_words_is_read_from_the_rubric(grader, tmp_path):
    part = words.written_part([f"{tmp_path}/{grader}"])
    assert [(question.title, question.points) for question in part.questions] == [
        ("Part 2: why (really)?", 7),
        ("Part 3: a doubt", 1),
    ]
    assert words.written_part([str(tmp_path / "elsewhere.py")]) is None
    assert words.written_part(["weights.safe_softmax"]) is None


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (answered("*Because* it is.\n\n- so", "None."), ["*Because* it is.\n\n- so", "None."]),
        (HANDED_OUT, ["", ""]),
        ([*HANDED_OUT[:3], "In a cell below.", HANDED_OUT[3]], ["In a cell below.", ""]),
        (["No heading is left.", *HANDED_OUT[3:]], ["", ""]),
        ([], ["", ""]),
    ],
)
def test_an_answer_is_what_was_not_handed_out(grader, tmp_path, cells, expected):
    part = words.written_part([f"{tmp_path}/{grader}"])
    assert [*words.answers_in(cells, part).values()] == expected


def test_a_class_is_marked_in_words_without_names(grader, tmp_path, capsys, known_marks):
    folder, run = tmp_path / "in", Run(tmp_path, grader)
    write_notebook(folder / "Ada.ipynb", texts=answered("A cause <b>", "A doubt"))
    write_notebook(folder / "Bob.ipynb", "def answer(x): return 0", answered("Nothing", "A doubt"))
    (folder / "Cy.ipynb").write_text("no notebook")
    assert run() == 0
    page = (run.results / "words.html").read_text("utf-8")
    assert "A cause &lt;b&gt;" in page
    assert page.count("A doubt</bdi>") == 1, "equal answers stand together"
    assert "names the cause" in page
    assert not any(name in page for name in ("Ada", "Bob"))
    why, doubt = "Part 2: why (really)?", "Part 3: a doubt"
    assert [row["exercise"] for row in run.table("words.csv")] == [why, why, doubt, doubt]
    ada, bob = (words.code(SECRET, name) for name in ("Ada", "Bob"))
    with open(run.results / adjust.NAME, "a") as table:
        table.write(f"{ada},{why},,5/7,see my remarks,,\n{bob},{doubt},,/1,,,\n")
    assert run() == 0
    assert "Changed since the last run: 1: Ada 6 to 11" in capsys.readouterr().out
    rows = run.table("words.csv")
    assert len(rows) == 3
    assert (ada, why) not in {(row["student"], row["exercise"]) for row in rows}
    printed = capsys.readouterr().out
    write_notebook(folder / "Ada.ipynb", texts=answered("Another cause", "A doubt"))
    assert "got their points" not in printed
    for _ in range(2):  # as long as the line is the same
        assert run() == 0
        assert f"since they got their points: 1: {ada} {why}\n" in capsys.readouterr().out
    marks = run.table("marks.csv")
    assert [row[why] for row in marks] == ["5", "0", "0"]
    assert {row["maximum"] for row in marks} == {str(6 + 7 + 1)}
    assert f"no points for {doubt} yet" in marks[1]["remark"]


def test_a_code_says_nothing_without_the_seed():
    codes = {words.code(seed, name) for seed in ("one", "two") for name in ("Ada", "Bob")}
    assert len(codes) == 4
    assert all(json.dumps(code).isascii() and code.startswith("#") for code in codes)
