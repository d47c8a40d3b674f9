"""Several attempts of a student, and how late they were, from tables of other systems."""

from datetime import datetime, timedelta

import pytest
from handing_in import Run, write_notebook
from hypothesis import given
from hypothesis import strategies as st

from attn_class.grading import adjust, late, roster

CLASS = """Student,ID,SIS Login ID,Section,Softmax (771)
    Points Possible,,,,6
"Lovelace, Ada",1001,ada,A,
"Byron, Bob",1002,bob,A,
"Null, Eve",1003,eve,A,
"""
NOTHING, HALF, ALL = (f"def answer(x):\n    return {code}" for code in ("0 * x", "x / 2", "x"))
MOODLE = ("%A, %d %B %Y, %I:%M %p", "%Y-%m-%d %H:%M:%S", "%d %b %Y %H:%M")


@given(
    st.datetimes(datetime(2001, 1, 1), datetime(2099, 1, 1)),
    st.integers(-9 * 86_400, 9 * 86_400),
    st.sampled_from(MOODLE),
)
def test_each_day_that_has_begun_counts(due, seconds, form):
    due = due.replace(second=0, microsecond=0)
    when = due + timedelta(minutes=seconds // 60)
    days = late.days_late({late.HANDED_IN[0]: when.strftime(form)}, due).late
    assert due + timedelta(days=days, seconds=59) >= when
    minute = timedelta(seconds=59)  # that of the due time belongs to it
    assert days == 0 or due + timedelta(days=days - 1) + minute < when
    assert late.days_late({late.HANDED_IN[2]: str(due + minute)}, due).late == 0
    after = max(0, seconds)
    written = f"{after // 3600}:{after // 60 % 60:02d}:{after % 60:02d}"
    days = late.days_late({late.LATENESS: written}, None).late
    assert after <= 86_400 * days < after + 86_400


@pytest.mark.parametrize(
    "text", ["3", "2026-12-03", "23:59", "03/04/2026 23:59", "Donnerstag, 3. Dezember 2026, 23:59"]
)
def test_a_time_that_can_be_read_otherwise_is_refused(text):
    with pytest.raises(ValueError, match="is no time, or several; expected such as 2026-12-03"):
        late.time_of(text)


def test_exports_say_how_late_everybody_was(tmp_path):
    (tmp_path / "class.csv").write_text(CLASS)
    students = roster.read(tmp_path / "class.csv", "Softmax")
    due, export = datetime(2026, 12, 3, 23, 59), tmp_path / "export.csv"
    export.write_text(
        "Identifier,Full name,Username,Last modified (submission)\n"
        'Participant 7,Ada Lovelace,ada,"Friday, 4 December 2026, 12:30 AM"\n'
        'Participant 8,Bob Byron,bob,"Thursday, 3 December 2026, 11:59 PM"\n'
        "Participant 9,Somebody Else,else,-\n"
    )
    days = roster.read_late(export, students, due)
    assert days == {"Lovelace, Ada": (1, 0), "Byron, Bob": (0, 0)}
    with pytest.raises(ValueError, match=r"line 2: it was handed in at .*; expected DUE=time"):
        roster.read_late(export, students)
    export.write_text(
        "Name,SID,Submission Time,Lateness (H:M:S)\n"
        "Ada Lovelace,1001,2026-12-06 01:59:00 +0100,50:00:00\nEve Null,1003,,\n"
    )
    assert roster.read_late(export, students) == {"Lovelace, Ada": (3, 0)}
    export.write_text("Name,SID,Lateness (H:M:S)\nNobody,77,1:00:00\n")
    with pytest.raises(ValueError, match="line 2: 'Nobody' matches nobody in the class list"):
        roster.read_late(export, students)


class Course(Run):
    """A class whose submissions come twice, into the same results."""

    def grade(self, name, *options):
        options = ["--roster", "class.csv", "--assignment", "Softmax", *options]
        self.status = self(name, "marks", *options)
        self.printed = self.capsys.readouterr().out
        return [row["Softmax (771)"] for row in self.table("canvas.csv")][1:]

    def page_of(self, name):
        (path,) = (self.results / "students").glob(f"{name}*")
        return path.read_text("utf-8")


@pytest.fixture
def course(tmp_path, capsys, known_marks):
    for name, answer in zip(("ada", "bob", "eve"), (ALL, NOTHING, ALL), strict=True):
        write_notebook(tmp_path / "first" / f"{name}.ipynb", answer)
    for name, answer in zip(("ada", "bob"), (HALF, ALL), strict=True):
        write_notebook(tmp_path / "second" / f"{name}.ipynb", answer)
    course = Course(tmp_path, **{"class.csv": CLASS})
    course.capsys = capsys
    return course


def test_the_best_or_the_last_attempt_counts_and_who_hands_in_once_keeps_it(course):
    assert course.grade("first") == ["6", "0", "6"]
    assert course.grade("second") == ["0", "6", ""]
    assert course.grade("second", "--attempts", "last") == ["0", "6", "6"]
    assert "Attempt 2 of 2 counts." in course.page_of("ada")
    assert course.grade("second", "--attempts", "best") == ["6", "6", "6"]
    assert "Attempt 1 of 2 counts." in course.page_of("ada")
    assert "Attempt" not in course.page_of("eve")
    rows = course.table("attempts.csv")
    assert [(row["student"][:5], row["attempt"], row["points"]) for row in rows] == [
        *(("Byron", "1", "0"), ("Byron", "2", "6"), ("Lovel", "1", "6")),
        *(("Lovel", "2", "0"), ("Null,", "1", "6")),
    ]


def test_days_of_an_earlier_attempt_stay_with_it(course):
    (course.folder / "late.csv").write_text("student,late\nada,2\neve,1\n")
    (course.folder / "more.csv").write_text("student,allowed\neve,3\n")
    options = ["--late", "late.csv", "--late-percent", "10", "--allowed", "more.csv"]
    assert course.grade("first", *options) == ["4.8", "0", "6"]
    (course.folder / "late.csv").write_text("student,late\nbob,5\n")
    assert course.grade("second", *options, "--attempts", "best") == ["4.8", "3", "6"]
    assert "2 days late" in course.page_of("ada")
    # neither attempt of Ada's was in time but the second; Bob's first one was, though worth nothing
    assert course.grade("second", *options, "--attempts", "last") == ["0", "0", "6"]
    # without a table the days are remembered, and cost nothing only if no percentage is given
    assert course.grade("first", "--late-percent", "10") == ["4.8", "0", "6"]
    rows = [(row["name"][:5], row["points"], row["counts"]) for row in course.table("marks.csv")]
    assert rows == [("Lovel", "6", "4.8"), ("Byron", "0", "0"), ("Null,", "6", "6")]
    assert "Without LATE_PERCENT=" not in course.printed
    assert course.grade("first") == ["6", "0", "6"]
    assert "late days cost nothing, as those of 1: Lovelace, Ada" in course.printed
    assert "Changed since the last run: 1: Lovelace, Ada 4.8 to 6" in course.printed


def test_a_due_time_that_comes_later_or_is_corrected_counts_in_the_same_round(course):
    times = course.folder / "late.csv"
    options = ["--late", "late.csv", "--late-percent", "10", "--due"]
    times.write_text("student,handed in\nada,2026-12-05 12:00\n")
    assert course.grade("first") == ["6", "0", "6"]
    assert course.grade("first", *options, "2026-12-03 23:59") == ["4.8", "0", "6"]
    assert course.grade("first", *options, "2026-12-04 23:59") == ["5.4", "0", "6"]
    assert "Late days stay" not in course.printed
    times.write_text("student,handed in\nbob,2026-12-04 12:00\n")
    assert course.grade("first", *options, "2026-12-04 23:59") == ["5.4", "0", "6"]
    assert "for another due time: 1: Lovelace, Ada\n" in course.printed


def test_of_several_files_one_is_no_second_attempt_and_later_there_may_be_one(course):
    first, second = course.folder / "first", course.folder / "second"
    (first / "Ada Lovelace").mkdir()
    for name in ("a", "b"):
        write_notebook(first / "Ada Lovelace" / f"{name}.ipynb", ALL)
    (first / "ada.ipynb").unlink()
    assert course.grade("first") == ["0", "0", "6"]
    (course.results / adjust.NAME).write_text("student,file\nada,a.ipynb\n")
    assert course.grade("first", "--attempts", "best") == ["6", "0", "6"]
    assert "Attempt" not in course.page_of("Ada")
    assert course.grade("second", "--attempts", "last")[0] == "0"  # its one file has another name
    write_notebook(second / "Ada Lovelace" / "c.ipynb", ALL)
    write_notebook(second / "Ada Lovelace" / "d.ipynb", ALL)
    (second / "ada.ipynb").unlink()
    course.grade("second")
    assert "adjust.csv chooses 'a.ipynb' of Ada Lovelace, who handed in " in course.printed


def test_a_name_of_two_students_is_said_to_be_that(course):
    two = '"Lovelace, Ada",1004,adb,A,\n"Ng, Li",1005,li,A,\n'
    (course.folder / "class.csv").write_text(CLASS + two)
    write_notebook(course.folder / "first" / "Ada Lovelace.ipynb", HALF)
    (course.folder / "first" / "ada.ipynb").unlink()
    assert course.grade("first") == ["", "0", "6", "", ""]
    remarks = {row["student"]: row["remark"] for row in course.table("marks.csv")}
    assert remarks["Lovelace, Ada (1001)"] == "no file is surely theirs"
    assert remarks["Ng, Li"] == "handed in nothing"
    (course.folder / "first" / "Ada Lovelace.ipynb").unlink()
    for name, fault in {
        '"Lovelace, Ada"': "may be Lovelace, Ada (1001) or Lovelace, Ada (1004); expected the ID",
        "Li Ng": "nobody called 'Li Ng', who is in the class list, has handed in",
        "Nobody": "nobody called 'Nobody' has handed in",
    }.items():
        (course.results / adjust.NAME).write_text(f"student,exercise,points\n{name},answer,1\n")
        course.grade("first")
        assert (course.status, fault in course.printed) == (2, True), course.printed


def test_a_file_that_comes_again_is_as_late_as_it_was_for_its_own_due_time(course):
    late, second = course.folder / "late.csv", course.folder / "second"
    options = ["--late", "late.csv", "--late-percent", "10", "--attempts", "best", "--due"]
    late.write_text("student,handed in\nada,2026-12-05 12:00\neve,2026-12-03 23:59:40\n")
    assert course.grade("first", *options, "2026-12-03 23:59") == ["4.8", "0", "6"]
    (second / "ada.ipynb").write_bytes((course.folder / "first" / "ada.ipynb").read_bytes())
    late.write_text("student,handed in\nada,2026-12-05 12:00\nbob,2026-12-11 12:00\n")
    assert course.grade("second", *options, "2026-12-10 23:59") == ["4.8", "5.4", "6"]
    assert course.grade("second", *options[2:-1]) == ["4.8", "5.4", "6"]


def test_what_the_grader_could_not_grade_is_tried_again_and_gets_no_zero(course, monkeypatch):
    from attn_class.grading import classroom

    def fails(worker, handed, *_):
        return classroom.Tried(handed, None, "no memory")

    with monkeypatch.context() as patched:
        patched.setattr(classroom.Worker, "grade", fails)
        assert course.grade("first") == ["", "", ""]
        assert "without a mark until you give one: 3: Lovelace, Ada" in course.printed
    assert course.grade("first") == ["6", "0", "6"]


def test_a_renamed_file_is_no_other_attempt(course):
    course.grade("first")
    (course.folder / "first" / "ada.ipynb").rename(course.folder / "first" / "1001.ipynb")
    assert course.grade("first", "--attempts", "best") == ["6", "0", "6"]
    assert "Attempt" not in course.page_of("1001")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--due", "2026-12-03 23:59"], "expected LATE=file"),
        (["--late", "late.csv", "--late-percent", "9", "--due", "soon"], "'soon' is no time"),
    ],
)
def test_settings_that_have_no_effect_are_refused(course, options, words):
    course.grade("first")
    course.grade("second", *options)
    assert course.status == 2
    assert words in course.printed


def test_attempts_need_a_class_list(course):
    assert course("first", "marks", "--attempts", "best") == 2
    assert "expected ROSTER=file" in course.capsys.readouterr().out
