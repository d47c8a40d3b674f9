"""What a teacher changes by hand counts last, is told to the student, and survives every run."""

import copy
import zipfile

import pytest
from handing_in import Run, rows_of, write_notebook

from attn_class.grading import adjust, report
from attn_class.grading.names import called

CLAIMS = ("It is x.", "It changes with x.", "It has a shape.")


def a_property(claim, points, maximum=5):
    texts = {"claim": claim, "said": "", "hint": "Look again.", "example": ""}
    return texts | {"points": points, "maximum": maximum}


def a_mark(call, points):
    return {
        **{"call": call, "points": sum(points), "maximum": 15, "note": "", "warning": ""},
        **{"isolated": True, "source": "", "slow": False},
        "properties": [a_property(*pair) for pair in zip(CLAIMS, points, strict=True)],
    }


def a_record(student):
    marks = [a_mark("one(x)", [5, 0, 3]), a_mark("other(x, y)", [0, 0, 2])]
    return {"key": student, "student": student, "warning": "", "note": "", "marks": marks}


RECORDS = [a_record("Ada Lovelace"), a_record("Bob"), a_record("Cy")]


def rows_in(tmp_path, *lines):
    path = tmp_path / adjust.NAME
    path.write_text("\n".join((",".join(adjust.COLUMNS), *lines)), "utf-8")
    return adjust.read(path)


def adjusted(tmp_path, *lines):
    def whose(name):
        for record in RECORDS:
            if called(record["student"]) == called(name):
                return record
        raise LookupError(f"nobody called {name!r} has handed in")

    before = copy.deepcopy(RECORDS)
    fresh = adjust.adjusted(RECORDS, rows_in(tmp_path, *lines), whose)
    assert before == RECORDS
    return {record["student"]: record for record in fresh}


def points(record):
    return [mark["points"] for mark in record["marks"]]


@pytest.mark.parametrize(
    ("line", "expected", "words"),
    [
        ("Ada Lovelace,one,2,4,a good idea,,", [12, 2], "gives 4 instead of 0 points. a good idea"),
        (
            '"Lovelace, Ada",one,It ch,+1.5,,,',
            [9.5, 2],
            "It changes with x. Your teacher gives 1.5 instead",
        ),
        ("ada lovelace,one(x),,7,,,", [7, 2], "gives 7 instead of 8 points."),
        ("Ada Lovelace,other,,-2,copied,,", [8, 0], "gives 0 instead of 2 points. copied"),
        ("Ada Lovelace,,,+3,appeal granted,,", [8, 2, 3], "appeal granted"),
        ('Ada Lovelace,in words,,"17,5/22",see my remarks,,', [8, 2, 17.5], "see my remarks"),
        ("Ada Lovelace,,,,well done,,", [8, 2], "well done"),
        ("Ada Lovelace,other,3,,nearly,,", [8, 2], "It has a shape. nearly"),
    ],
)
def test_a_line_changes_what_it_names_and_says_why_on_the_page(tmp_path, line, expected, words):
    record = adjusted(tmp_path, line)["Ada Lovelace"]
    assert points(record) == expected
    page = report.page(record, assignment="Softmax")
    assert words in page
    assert "Softmax" in page
    assert f"{sum(expected):g} of {report.points_of(record)[1]:g} points." in page


def test_a_part_that_only_the_teacher_marks_belongs_to_everybody(tmp_path):
    of = adjusted(tmp_path, "Bob,in words,,17/22,,,", "Cy,in words,,0/22,,,")
    assert [points(record)[2] for record in of.values()] == [0, 17, 0]
    assert {report.points_of(record)[1] for record in of.values()} == {52}
    warnings = [record["marks"][2]["warning"] for record in of.values()]
    assert warnings == ["no points for in words yet", "", ""]
    rows = rows_of(report.marks([*of.values()]))
    assert [row["in words"] for row in rows] == ["0", "17", "0"]


def test_lines_are_applied_in_their_order(tmp_path):
    record = adjusted(tmp_path, "Bob,one,,10,,,", "Bob,one,,+2,,,", "Bob,one,1,3,,,")["Bob"]
    assert points(record) == [10, 2]


def test_who_is_excused_has_no_mark_and_no_place_in_the_distribution(tmp_path):
    of = adjusted(tmp_path, "Bob,,,,ill,yes,")
    table = {row["student"]: row for row in rows_of(report.marks([*of.values()]))}
    assert table["Bob"]["points"] == table["Bob"]["maximum"] == ""
    assert table["Bob"]["remark"] == "excused"
    assert table["Cy"]["points"] == "10"
    page = report.page(of["Bob"])
    assert "Excused: this has no mark." in page
    assert "ill" in page
    assert "<td><bdi>30 to 40 %</bdi></td><td><bdi>2</bdi></td>" in report.overview([*of.values()])


def test_the_last_run_is_compared_with_this_one(tmp_path):
    before, after = report.marks(RECORDS), adjusted(tmp_path, "Bob,one,,9,,,", "Cy,,,,,yes,")
    assert adjust.changes(before, report.marks([*after.values()])) == [
        "Bob 10 to 11",
        "Cy 10 to excused",
    ]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (",one,,3,,,", "line 2 has no student"),
        ("Bob,one,,three,,,", "points are 'three'; expected 3, +3, -1.5 or 17 of 22"),
        ("Bob,,,3,,,", "3 points for what? Expected +3"),
        ("Bob,,,3/4,,,", "3/4 needs the name of a part"),
        ("Bob,one,1,+3/4,,,", "needs the name of a part"),
        ("Bob,,1,,,,", "the property '1' needs its exercise"),
        ("Bob,,,,,perhaps,", "excused is 'perhaps'; expected yes or nothing"),
        ("Bob,two,,3,,,", "'two' is none, or several, of: one(x); other(x, y)"),
        ("Bob,one,4,3,,,", "'4' is none, or several, of: It is x.; It changes with x."),
        ("Bob,one,It,3,,,", "'It' is none, or several, of: It is x."),
        ("Bob,one,1,6,,,", "that makes 6 of 5 points"),
        ("Bob,one,,-9,,,", "that makes -1 of 15 points"),
        ("Bob,words,,23/22,,,", "expected 0/22 to 22/22"),
        ("Dan,one,,3,,,", "nobody called 'Dan' has handed in"),
        ("Bob,one,,,ill,yes,", "'Bob' can only be excused from everything, not from one"),
        ("Bob,,,+1,5,,,", "has 8 cells; expected 7, as in line 1: a text with a comma"),
    ],
)
def test_what_a_line_cannot_mean_is_said_with_its_place(tmp_path, line, fault):
    with pytest.raises(ValueError, match="line 2") as error:
        adjusted(tmp_path, line)
    assert fault in str(error.value)


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["Bob,one,,3,,,", "Cy,one,,3,,,", "bob,one(x),,4,,,"], "the points of 'bob' for 'one(x)'"),
        (["Bob,one,2,3,,,", "Bob,one,2,+1,,,", "Bob,one,It ch,4,,,"], "'Bob' for 'It changes"),
        (["Bob,words,,3/9,,,", "Cy,words,,3/9,,,", "Bob,words,,4/9,,,"], "'Bob' for 'words'"),
    ],
)
def test_two_lines_for_the_same_are_refused(tmp_path, lines, what):
    with pytest.raises(ValueError, match=r"line 2 and .*line 4 both choose .*one line") as error:
        adjusted(tmp_path, *lines)
    assert what in str(error.value)
    rows = rows_in(tmp_path, "Bob,,,,,,a.py", "Cy,,,,,,a.py", "bob,,,,,,b.py")
    assert adjust.file_of(rows, "Cy", str) == "a.py"
    with pytest.raises(ValueError, match=r"line 2 and .*line 4 both choose a file of 'BOB'"):
        adjust.file_of(rows, "BOB", str)


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (["Bob,,,+1,,,", "Bob,,,+1,,,"], "line 2 and .*line 3 say the same; expected it once"),
        (["Bob,one,,1,,,", "Bob,one,1,0,,,"], r"line 3: that makes -4 of 15 points in one\(x\)"),
        (["Bob,one,,15,,,", "Bob,one,2,+1,,,"], r"line 3: that makes 16 of 15 points in one\(x\)"),
    ],
)
def test_lines_that_cannot_stand_together_are_refused(tmp_path, lines, fault):
    with pytest.raises(ValueError, match=fault):
        adjusted(tmp_path, *lines)


def test_points_are_numbers_in_the_table_and_never_less_than_none_in_all(tmp_path):
    added = adjusted(tmp_path, "Bob,,,+0.1,,,", "Bob,,,+0.2,,,", "Cy,words,,2 of 3,,,").values()
    assert [line.split(",")[3:6] for line in report.marks([*added]).splitlines()[2:]] == [
        ["0.3", "0", "10.3"],
        ["0", "2", "12"],
    ]
    text = report.marks([*adjusted(tmp_path, "Bob,,,-3,copied,,").values()])
    assert ",-3,7,30," in text
    with pytest.raises(ValueError, match="line 2: that makes less than 0 points in all"):
        adjusted(tmp_path, "Bob,,,-11,copied,,")


def test_other_columns_are_refused_and_the_template_is_read(tmp_path):
    path = tmp_path / adjust.NAME
    path.write_text(adjust.template(), "utf-8", newline="")
    assert adjust.read(path) == []
    path.write_text("student,mark\nBob,3\n", "utf-8")
    with pytest.raises(ValueError, match="has the columns student, mark; expected student"):
        adjust.read(path)


# ---- from the command line

CLASS = """Student,ID,SIS Login ID,Section,Softmax (771)
    Points Possible,,,,18
"Lovelace, Ada",1001,ada,A,
"Byron, Bob",1002,bob,A,7
"Null, Eve",1003,eve,A,
"""


@pytest.fixture
def class_of_three(tmp_path, capsys, known_marks):
    """Grades two students again and again: gives the marks for Canvas, and what is printed."""
    write_notebook(tmp_path / "in" / "lovelaceada_1001_55_first.ipynb", WRONG)
    write_notebook(tmp_path / "in" / "Eve Null" / "first.ipynb", WRONG)
    write_notebook(tmp_path / "in" / "Eve Null" / "second.ipynb")
    run = Run(tmp_path, **{"class.csv": CLASS})

    def grade(table="", status=0):
        if table:
            (run.results / adjust.NAME).write_text(table, "utf-8")
        assert run("in", "marks", "--roster", "class.csv", "--assignment", "Softmax") == status
        marks = [row["Softmax (771)"] for row in run.table("canvas.csv")]
        return marks[1:], capsys.readouterr().out

    grade.results, grade.table = run.results, lambda: run.table("marks.csv")
    return grade


WRONG = "def answer(x):\n    return 0 * x"
CHANGES = "".join(
    f"{line}\n"
    for line in (
        *(",".join(adjust.COLUMNS), "ada,answer,1,3,nearly"),
        *("Bob Byron,,,,,yes", "1003,,,,,,second.ipynb"),
    )
)


def test_a_class_is_graded_changed_by_hand_and_graded_again(class_of_three):
    marks, printed = class_of_three()
    assert marks == ["0", "7", "0"]
    assert "Changed since" not in printed
    marks, printed = class_of_three(CHANGES)
    assert marks == ["9", "EX", "18"]
    assert "Lovelace, Ada 0 to 3" in printed
    assert "Null, Eve 0 to 6" in printed
    assert "Byron" not in printed.partition("Changed since")[2].partition("\n")[0]
    assert class_of_three()[1].count("Changed since the last run: none") == 1
    results = class_of_three.results
    with zipfile.ZipFile(results / "feedback.zip") as packed:
        assert packed.namelist() == ["lovelaceada_1001_55_first.html", "1003.html"]
        page = packed.read("lovelaceada_1001_55_first.html").decode()
    assert "Your teacher gives 3 instead of 0 points. nearly" in page
    assert "3 of 6 points." in page
    assert [row["remark"] for row in class_of_three.table()][1:] == ["", "handed in nothing"]
    report_page = (results / "report.html").read_text("utf-8")
    assert f'href="students/{report.page_name("Eve Null")}"' in report_page


def test_of_several_files_one_counts_by_its_own_name_in_canvas_too(class_of_three, tmp_path):
    for number, code in enumerate(("x", "0 * x")):
        name = f"byronbob_1002_{number}_{number}.ipynb"
        write_notebook(tmp_path / "in" / name, f"def answer(x):\n    return {code}")
    class_of_three()
    assert class_of_three(f'{CHANGES}"Byron, Bob",,,,,,0.ipynb')[0] == ["9", "EX", "18"]
    chosen = CHANGES.replace("Bob Byron,,,,,yes", "bob,,,,,,0.ipynb")
    assert class_of_three(chosen)[0] == ["9", "18", "18"]


def test_a_table_that_cannot_be_applied_changes_no_report(class_of_three):
    class_of_three()
    assert "Nothing was graded: " in class_of_three("student,points\nada,three\n", 2)[1]
    before = (class_of_three.results / "marks.csv").read_text("utf-8")
    assert "no report is written" in class_of_three("student,exercise,points\nada,other,1\n", 2)[1]
    assert (class_of_three.results / "marks.csv").read_text("utf-8") == before
