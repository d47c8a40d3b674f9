"""A class list in, marks out: every student found however a file is named, and nothing made up."""

import csv
import io
import random
import re
import unicodedata

import pytest
from handing_in import SECRET, Run

from attn_class.grading import report, roster
from attn_class.grading.__main__ import main

CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Softmax (771),Dates (772),Final Score
    Points Possible,,,,,18,5,(read only)
"Lovelace, Ada",1001,s-1,ada@uni.example,A,,3,70
"O'Neil, ""Pat"" ",1002,s-2,pat,B,,,
=cmd|' /C calc'!A0,1003,s-3,eve,B,,,
"Müller, J\u202eürgen",1004,s-4,müller,A,,,
"Lee, Kim",1005,s-5,kim1,A,,,
"Lee, Kim",1006,s-6,kim2,B,,,
"""
TWO_COLUMNS = """LastName,FirstName,ID,SIS Login ID,Section,Softmax (771)
    Points Possible,,,,,18
Lovelace,Ada,1001,ada@uni.example,A,
Lee,Kim,1002,kim1,A,
Lee,Kim,1003,kim2,A,
Plato,,1004,plato,A,
"""
MOODLE = """First name;Last name;ID number;Email address;Course total
Ada;Lovelace;1001;ada@uni.example;70
Pat;O'Neil;1002;pat@uni.example;-
Kim;Lee;1005;kim1@uni.example;-
Kim;Lee;1006;kim2@uni.example;-
"""
TEAMS = """First name,Last name,Email address,Groups
Ada,Lovelace,a@x,"Red_1, Tutorial"
Bob,Byron,b@x,Red_1
Eve,Null,e@x,Blue-2
"""
HIDDEN = """Identifier,Status,Grade,Maximum grade,Last modified (grade)
Participant 9,Submitted for grading,-,24.00,-
Participant 18,No submission,5.00,24.00,-
"""
NAMED = """Identifier,Full name,Email address,Status,Grade,Maximum grade
Participant 9,Kim Lee,a@x,Submitted for grading,,24.00
Participant 18,Kim Lee,b@x,No submission,,24.00
"""
FILE = "_9_assignsubmission_file_"


@pytest.fixture
def listed(tmp_path):
    def write(text, assignment="", named=""):
        (tmp_path / "roster.csv").write_text(text, encoding="utf-8-sig")
        assignment = assignment or ("Softmax" if "SIS" in text else "Grade")
        named = named or ("groups=Groups" if text == TEAMS else "")
        return roster.read(tmp_path / "roster.csv", assignment, named)

    return write


def record(student, points, maximum=9):
    mark = {"call": "f(x)", "points": points, "maximum": maximum, "isolated": True}
    mark |= {"note": "", "warning": "", "properties": [], "source": ""}
    return {"student": student, "warning": "", "marks": [mark]}


def marked(students, *records, late=None, percent=0):
    """The table that is written back, as one row of cells a line."""
    return list(csv.reader(io.StringIO(roster.table(records, students, late or {}, percent))))


def marks(students, *records, **options):
    """What is in the column of the marks, by line."""
    rows = marked(students, *records, **options)[1:]
    at = list(students.written).index(students.column)
    return [row[at] for row in rows]


def who(name, students):
    """The first ID or address of the student whom a name means."""
    student = roster.student_of(name, students)
    return student and student.ids[0]


# ---- whose a file is

ONE_NAME = "Full name,Email address\nZoë Lovelace,z@x\nZoë King,k@x\n"
TWO_NAMES = ONE_NAME.replace("Full name", "First name,Last name").replace("Zoë ", "Zoë,")
SPACED = "Full name,Email address\nPat O Neil,p@x\nKim Lee,k@x\n"
ALIKE = "A,B,C\nPat,O'Neil,a@x\nPat,ONeil,b@x\nNeil,Kim,c@x\nKim,Neil,d@x\n"
ZOES = [f"{{}} Lovelace{FILE}", f"Lovelace {{}}{FILE}", f"Lovelace, {{}}{FILE}a", "lovelace, {}"]
ZOES = [unicodedata.normalize(form, name.format("Zoë")) for form in ("NFC", "NFD") for name in ZOES]
WHO = {
    CANVAS: {
        "1001": [
            *("Lovelace, Ada", "ada  LOVELACE", "ADA@uni.example", "lovelaceada_1001_90210_a-2"),
            *("lovelaceada_LATE_1001_9_5_6", "lovelace_ada_1001_text", "lovelaceada_1001_9_b_7_8"),
        ],
        "1002": ["1002"],
        "1003": ["s-3"],
        "1005": ["Lee, Kim (1005)"],
        "1006": ["kim2"],
        None: ["Kim Lee", "Lee, Kim", "nobody", "", "100", "kim"],
    },
    MOODLE: {
        "ada@uni.example": [f"Ada Lovelace{FILE}", "1001"],
        "kim1@uni.example": ["kim1@uni.example"],
        "pat@uni.example": ["Pat O Neil", f"O Neil Pat{FILE}"],
        None: [f"Kim Lee{FILE}", "70"],
    },
    NAMED: {"a@x": [f"Kim Lee{FILE}"], None: [f"Kim Lee_1{FILE}", "Kim Lee"]},
    HIDDEN: {
        "Participant 9": [f"Participant{FILE}", f"Red-Participant{FILE}a"],
        None: [f"Participant_19{FILE}"],
    },
    SPACED: {"p@x": [f"Pat ONeil{FILE}", "Pat O'Neil", "O'Neil, Pat"], None: ["Pat ONeill", "p"]},
    TEAMS: {"e@x": [f"Blue-2-Eve Null{FILE}"], None: [f"Red-1{FILE}"]},
    ONE_NAME: {"z@x": ZOES},
    TWO_NAMES: {"z@x": ZOES},
    ALIKE: {
        "a@x": ["Pat O'Neil (a@x)"],
        "b@x": ["b@x"],
        None: [f"Pat ONeil{FILE}", f"Kim Neil{FILE}"],
    },
}
WHO = [(text, *pair) for text, names in WHO.items() for pair in names.items()]


@pytest.mark.parametrize(("text", "id_", "names"), WHO)
def test_a_student_is_found_by_any_name_that_means_nobody_else(listed, text, id_, names):
    assert {who(name, listed(text)) for name in names} == {id_}


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (CANVAS, "stranger", "not in the class list"),
        (CANVAS, "Kim Lee", "may be by Lee, Kim (1005) or Lee, Kim (1006): rename it"),
        (CANVAS, "mallory_1001_9_a", "1001 is the ID of Lovelace, Ada, but mallory is not"),
        (CANVAS, "mallory_1001_5_x_77_9_a", "1001 is the ID of Lovelace, Ada, but mallory is not"),
        (CANVAS, "mallory_1001_5_x_1002_9_a", "may be by"),
        (CANVAS, "lovelaceada_1001_5_x_1002_9_a", "may be by"),
        (CANVAS, "lovelaceada_77_9_a", "not in the class list"),
        (CANVAS, "anon_1001_9_a", "Canvas hides whose it is"),
        (CANVAS, "anon_abc12_9_a", "Canvas hides whose it is"),
        (MOODLE, f"Participant{FILE}", "if Moodle hides the names, use the grading worksheet"),
        (HIDDEN, f"Red-Participant_1{FILE}", "if Moodle hides the names, use the grading"),
        (ALIKE, f"Pat ONeil{FILE}", "Pat O'Neil (a@x) or Pat ONeil (b@x): rename it"),
        (ALIKE, f"Kim Neil{FILE}", "Neil Kim (c@x) or Kim Neil (d@x)"),
        (f"{TEAMS}\n", f"Red 1{FILE}", "in its column 'Groups': if it is by a team, name"),
        (TEAMS, f"Green Team{FILE}", "not in the class list"),
    ],
)
def test_who_is_not_found_gets_no_marks_and_the_teacher_is_told_why(listed, text, name, words):
    """A student's display name makes nobody somebody else."""
    students = listed(text)
    assigned = roster.assigned([record(name, 9)], students)
    assert (assigned.by_student, roster.own_name(name, students)) == ({}, "")
    assert words in assigned.unknown[0][1]


@pytest.mark.parametrize(
    "name",
    [
        *("Ada King Lovelace", "Lovelace Ada (エイダ)", "Team 1-Ada Lovelace", "A-B-Ada Lovelace"),
        "Ada Love Lace",
    ],
)
def test_a_name_with_more_in_it_counts_and_the_teacher_is_told(listed, name):
    files = [record(f"{name}{FILE}", 9), record("pat@uni.example", 9)]
    assigned = roster.assigned(files, listed(MOODLE))
    assert set(assigned.by_student) == {"Ada Lovelace", "Pat O'Neil"}
    assert assigned.partly == [(files[0]["student"], "Ada Lovelace")]
    assert "Recognised by a part of the name" in report.overview(files, assigned)
    assigned = roster.assigned(files[1:], listed(MOODLE))
    assert "Recognised" not in report.overview(files[1:], assigned)


def test_unknown_missing_and_double_are_listed(listed):
    students = listed(CANVAS + '"Student, Test",1007,,3f2a,A,,,\n')
    records = [record("1001", 9), record("ada lovelace", 3), record("pat", 4), record("<b>x", 1)]
    assigned = roster.assigned(records, students)
    assert set(assigned.by_student) == {'O\'Neil, "Pat"'}
    assert [name for name, _ in assigned.unknown] == ["<b>x", "1001", "ada lovelace"]
    assert {why for _, why in assigned.unknown[1:]} == {"one of 2 by Lovelace, Ada"}
    assert assigned.missing[-2:] == ["Lee, Kim (1005)", "Lee, Kim (1006)"]
    assert len(assigned.missing) == 4  # and not Canvas's test student
    assert "Student, Test" in roster.assigned([record("1007", 9)], students).by_student
    assert marks(students, *records) == ["18", "", "8", *[""] * 5]
    page = report.overview(records, assigned)
    assert "&lt;b&gt;x" in page
    assert "Lee, Kim (1006)" in page


def test_all_members_of_a_team_get_the_marks_of_its_file(listed):
    students = listed(TEAMS)
    files = [record("Red 1_5_assignsubmission_file", 7), record(f"Blue-2-Eve Null{FILE}", 3)]
    assigned = roster.assigned(files, students)
    assert (assigned.unknown, assigned.partly) == ([], [])
    assert marks(students, *files) == ["7", "7", "3"]
    sentences = roster.deducted(assigned, {"Bob Byron": roster.Late(2, 0)}, 10)
    assert sentences == {
        files[0]["student"]: "Bob Byron: handed in 2 days late, with 0 allowed: "
        "1.4 of 7 points are deducted, and 5.6 count."
    }


@pytest.mark.parametrize(
    ("text", "name", "own"),
    [
        *((MOODLE, name, "Ada Lovelace") for name in (f"Lovelace Ada{FILE}", "1001")),
        *((MOODLE, name, "") for name in (f"ADA lovelace{FILE}", "Kim Lee", "kim1@uni.example")),
        (CANVAS, "ada@uni.example", "1001"),
        (NAMED, f"Kim Lee{FILE}", "a@x"),
        (HIDDEN, f"Participant{FILE}", "Participant 9"),
        (TEAMS, f"Red 1{FILE}", ""),
    ],
)
def test_the_class_list_decides_whose_variant_it_is(listed, text, name, own):
    assert roster.own_name(name, listed(text)) == own


# ---- which column is which, in any language


@pytest.mark.parametrize(
    "head", ["Vorname,Nachname,ID-Nummer,E-Mail,Summe", "名,姓,番号,メール,合計"]
)
def test_columns_are_known_by_what_is_in_them_and_all_come_back(listed, head):
    students = listed(
        f"{head}\nSiobhán,O'Brien,1007,s@x.example,-\nAda,Lovelace,,a@x.example,-\n", "M"
    )
    assert [student.listed for student in students.students] == ["Siobhán O'Brien", "Ada Lovelace"]
    assert who("1007", students) == who(f"Siobhán OBrien{FILE}", students) == "s@x.example"
    assert marked(students, record(f"Ada Lovelace{FILE}", 7)) == [
        [*head.split(","), "M"],
        ["Siobhán", "O'Brien", "1007", "s@x.example", "-", ""],
        ["Ada", "Lovelace", "", "a@x.example", "-", "7"],
    ]


PLAIN = "{},Vorname,Rolle,Nachname,Fach,E-Mail\n1,Ada,S,Lovelace,M,a@x\n2,Eve,S,Null,P,e@x\n"
PLAIN, TWO = PLAIN.format("Nr"), ["Ada Lovelace", "Eve Null"]


@pytest.mark.parametrize(
    ("text", "named", "names", "name", "id_"),
    [
        (PLAIN, "name=Vorname,Nachname", TWO, f"Ada Lovelace{FILE}", "a@x"),
        (PLAIN, " name = 2 , 4 ; id=Nr", TWO, "2", "2"),
        ("Nom,Prénom,C\nO,Éva,e@x\n", "name=Prénom,Nom", ["Éva O"], "Éva O", "e@x"),
        ("C,N\nx@x,A B\n", "", ["A B"], f"B A{FILE}", "x@x"),
        ("N,No,Points\nA B,1001,7\nC D,1002,8\n", "", ["A B", "C D"], "1002", "1002"),
        ("N,Mail,Points\nA B,a@x,1001\nC D,c@x,1002\n", "", ["A B", "C D"], "1002", None),
        ("No,N,M\nstud1,A B,a@x\nstud2,C D,c@x\n", "id=M", ["A B", "C D"], "D C", "c@x"),
        ("N,Who,Mail\nA B,tu@x,a@x\nC D,tu@x,c@x\n", "", ["A B", "C D"], "c@x", "c@x"),
    ],
)
def test_the_teacher_may_name_columns(listed, text, named, names, name, id_):
    students = listed(text, "Mark", named)
    assert [student.name for student in students.students] == names
    assert who(name, students) == id_


@pytest.mark.parametrize("word", ["Participant ", "Teilnehmer/in", "参加者 "])
@pytest.mark.parametrize("assignment", ["Grade", "Note", "x"])
def test_a_grading_worksheet_comes_back_whole_with_its_marks(listed, word, assignment):
    """The column for the marks stands before the one that says how much is possible: 24 for 9."""
    text = HIDDEN.replace("Participant ", word).replace("Grade", "Note")
    file = f"{word.strip().replace('/', '')}{FILE}"
    table = roster.table([record(file, 7)], listed(text, assignment), {}, 0)
    assert table == text.replace("grading,-", "grading,18.67").replace("\n", "\r\n")


# ---- what Canvas and Moodle get back


def test_canvas_gets_its_own_lines_back_with_marks_in_one_column(listed):
    """18 points are possible in Canvas and 9 here; marks of other assignments are left alone."""
    students = listed(CANVAS.replace("s-5,kim1,A,", "s-5,kim1,A,EX"))
    head, *rows = marked(
        students, record("ada lovelace", 9), record("pat", 4), record("stranger", 9)
    )
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Softmax (771)"]
    assert [row[-1] for row in rows] == ["18", "18", "8", "", "", "EX", ""]
    assert [row[0] for row in rows][2] == 'O\'Neil, "Pat"'
    assert rows[3][0].startswith("'=cmd")
    assert rows[4][0] == "Müller, Jürgen"


def test_an_export_with_last_and_first_names_goes_back_as_it_came(listed):
    """Canvas writes two columns instead of Student where the account allows it."""
    students = listed(TWO_COLUMNS)
    records = [record("Lovelace, Ada", 9), record("plato", 4)]
    assert roster.assigned(records, students).missing == ["Lee, Kim (1002)", "Lee, Kim (1003)"]
    head, *rows = marked(students, *records)
    assert head == TWO_COLUMNS.split("\n")[0].split(",")
    assert [row[-1] for row in rows] == ["18", "18", "", "", "8"]
    assert rows[1][:2] == ["Lovelace", "Ada"]
    unsaid = TWO_COLUMNS.replace("    Points Possible,,,,,18\n", "").replace(
        "plato,A,", "plato,A,3"
    )
    assert listed(unsaid).possible is None


MANUAL = ",,,,,Manual Posting,,\n    Points Possible"
COMMAS = CANVAS.replace(",", ";").replace(";18;", ";18,00;")


@pytest.mark.parametrize(
    "text",
    [
        CANVAS.replace("    Points Possible", MANUAL),
        COMMAS.replace('"Lovelace; Ada"', '"Lovelace, Ada"'),
        CANVAS.replace("Dates (772)", "Final Score"),  # what does not matter may be there twice
        CANVAS.replace("example,A,,3,70", "example,A"),  # empty cells at the end may be missing
        CANVAS.replace("example,A,,3,70", "example,A,,,,,,"),  # or more
        CANVAS.replace("example,A,,3,70", "example,A,3,3,70"),
    ],
)
def test_any_export_of_canvas_is_read(listed, text):
    """Marks that are shown by hand have a line above; elsewhere a comma is the decimal point."""
    students = listed(text)
    assert students.possible == 18
    assert "8" in marks(students, record("1001", 4))


REFUSED = [
    ("", "is empty"),
    ("name,points\nada,3\n", "has the columns 'name, points'"),
    ("Student,ID,SIS Login ID,Section\na,1,a,A\n", "assignment 'Softmax'; expected one, cre"),
    (CANVAS.replace("Dates (772)", "Softmax (772)"), "expected ASSIGNMENT= one of Softmax (77"),
    (CANVAS.replace("Dates (772)", "Softmax (771)"), "has 2 columns for the assignment"),
    *(
        (CANVAS.replace(",18,", f",{points},"), "'Softmax (771)' has 0 points in Canvas")
        for points in ("0", "0.00", '"0,00"')
    ),
    (CANVAS.replace("1006", "1005"), "2 lines with the ID '1005'"),
    (CANVAS.replace("Final Score", "ID"), "2 columns 'ID'"),
    (CANVAS + "one cell\n", "line 9 has 1 cells; expected 8"),
    (CANVAS + "x,\n", "line 9 has 2 cells; expected 8"),
    (CANVAS.replace("eve,B,,,", "eve,B,,,,5"), "line 5 has 9 cells; expected 8"),
    ("\n".join(CANVAS.split("\n")[:2]), "lists no student"),
    (MOODLE.replace(";ada@uni.example", ";").replace("1002", ""), "expected one of them"),
    (MOODLE.replace("pat@", "ada@").replace("100", ""), "expected Canvas's Student, ID"),
    (PLAIN, "'Vorname, Rolle, Nachname, Fach', of which any may have names; expected one or t"),
    (HIDDEN.replace("Grade", "Note").replace("24.00", "A"), "no column 'Grade' for the marks; e"),
]
FIRST = "no columns 'Forename'; expected one, or a number from 1 to 5, of 'First"
UNNAMED = [  # columns that are not there
    ("name=Forename", FIRST),
    ("name=9", "no columns '9'"),
    ("first=1", "'first=1' names no columns; expected ROSTER_COLUMNS="),
    ("id=", "'id=' names no columns"),
]
REFUSED = [(text, "", "", words) for text, words in REFUSED]
REFUSED += [(MOODLE, "Mark", named, words) for named, words in UNNAMED]


@pytest.mark.parametrize(("text", "assignment", "named", "words"), REFUSED)
def test_what_is_no_class_list_is_said(listed, text, assignment, named, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        listed(text, assignment, named)


# ---- late days


def test_late_days_cost_unless_they_were_allowed_and_the_student_is_told(listed, tmp_path):
    students = listed(CANVAS)
    (tmp_path / "late.csv").write_text(
        'student,late,allowed\nPat O Neil,3,1\n1001,2,2\n"Lee, Kim (1005)",30,\n'
    )
    late = roster.read_late(tmp_path / "late.csv", students)
    assert late["Lee, Kim (1005)"] == roster.Late(30, 0)
    records = [record(name, 9) for name in ("pat", "1001", "kim1", "eve", "stranger")]
    assert marks(students, *records, late=late, percent=10)[1:6] == ["18", "14.4", "18", "", "0"]
    sentences = roster.deducted(roster.assigned(records, students), late, 10)
    assert sentences == {
        "pat": "Handed in 3 days late, with 1 allowed: 1.8 of 9 points are deducted, and 7.2 "
        "count.",
        "kim1": "Handed in 30 days late, with 0 allowed: 9 of 9 points are deducted, and 0 count.",
    }
    report.write(records, tmp_path, deducted=sentences)
    pages = [(tmp_path / "students" / report.page_name(one["student"])) for one in records]
    assert [sentences["pat"] in page.read_text("utf-8") for page in pages] == [True, *[False] * 4]


def test_marks_are_never_more_or_less_than_what_was_counted():
    for _ in range(50):
        points, days, allowed = random.randint(0, 9), random.random() * 9, random.random() * 9
        percent = random.choice([0, 7, 50, 100])
        left = roster.counted(record("x", points), roster.Late(days, allowed), percent)
        assert 0 <= left <= points
        assert (left == points) or (days > allowed and percent and points)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("nobody,3,0", "matches nobody in the class list"),
        ("kim lee,3,0", "'kim lee' matches 2 students in the class list"),
        ("pat,3,0\n1002,1,0", "occurs twice"),
        *(("pat,-3,0", "numbers from 0"), ("pat,three,0", "numbers from 0")),
        (None, "expected student, late, allowed"),
    ],
)
def test_what_is_no_table_of_late_days_is_said(listed, tmp_path, lines, words):
    text = f"student,late,allowed\n{lines}\n" if lines else "student,days\npat,3\n"
    (tmp_path / "late.csv").write_text(text)
    with pytest.raises(ValueError, match=words):
        roster.read_late(tmp_path / "late.csv", listed(CANVAS))


# ---- the command


ROSTER = "--roster ROSTER.csv"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--roster none.csv", "cannot be read: No such file"),
        ("--roster bytes.csv", "not text in UTF-8"),
        (f"{ROSTER} --assignment Dates", "Softmax (771)"),
        (f"{ROSTER} --roster-columns nom=1", "'nom=1' names no columns"),
        ("--late ROSTER.csv", "ROSTER=file"),
        ("--late-percent 120", "0 to 100 percent"),
        ("--late-percent ten", "0 to 100 percent, not 'ten'"),
        ("--late-percent 10%", "expected LATE=file"),
        (f"{ROSTER} --assignment Softmax --late late.csv", "LATE_PERCENT"),
        ("--seed-file none.csv", "there is no file"),
        ("--seed-file short.csv", "at least 16 characters"),
        ("--exercises weights.nothing", "no exercise is called"),
        ("--exercises ../weights", "no exercise is called"),
        ("IN nowhere", "not a folder of submissions"),
        *(
            (f"OUT {place}", "would count as a submission")
            for place in ("in", "in/marks", "in/../in/marks", "linked/marks")
        ),
    ],
)
def test_bad_settings_stop_before_anything_is_graded(tmp_path, capsys, options, words):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.py").write_text("x = 1")
    (tmp_path / "linked").symlink_to(tmp_path / "in")
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe,")
    roster_of = CANVAS.replace(",Dates (772)", ",Other")
    late = "student,late,allowed\npat,3,0\n"
    run = Run(tmp_path, **{"ROSTER.csv": roster_of, "late.csv": late, "short.csv": "short"})
    first, *rest = options.split()
    places = {"IN": "in", "OUT": "out"} | ({first: rest[0]} if first in ("IN", "OUT") else {})
    assert run(*places.values(), *([] if first in places else [first, *rest])) == 2
    assert words in capsys.readouterr().out
    assert not (tmp_path / "out").exists()
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["ada.py"]


UNSEEN = (" =", "\u00a0+", "\u202e=", "\uff1d", "\u200b@", "\n-", "\uff0b", "\x00=", "\r=", "\t=")


@pytest.mark.parametrize("begins", [*"=+-@|%", *UNSEEN])
def test_no_name_is_a_formula_however_it_begins(begins):
    row = roster.sheet([[f"{begins}1", "-"]])
    assert row.startswith("'")
    assert row.endswith(",-\r\n")


TURNED = "Eve\u202e\u2066 \x1b[31mNull\r\u061c\x07\u200f"


def test_no_name_turns_or_colours_what_is_printed_or_written(tmp_path, capsys):
    """The rest of the terminal's line, of the page and of the table stays as it is."""
    (tmp_path / f"in{TURNED}" / TURNED).mkdir(parents=True)
    listed = f'First name,Last name,Email address\nAda,"{TURNED}",a@x\n'
    run = Run(tmp_path, **{"list.csv": listed})
    assert run(f"in{TURNED}", "marks", "--roster", "list.csv") == 0
    paths = [path for path in run.results.rglob("*") if path.suffix in (".csv", ".html")]
    texts = [capsys.readouterr().out, *(path.read_text("utf-8") for path in paths)]
    assert len(texts) == 8
    for text in texts:
        assert not {*"\u202e\u2066\x1b\r\u061c\x07\u200f"} & {*text.replace("\r\n", "\n")}
    assert "Eve" in texts[0]


@pytest.mark.parametrize("ending", ["", "/", "//", "/."])
def test_results_lie_beside_the_submissions(tmp_path, ending, monkeypatch):
    (tmp_path / "handed-in").mkdir()
    (tmp_path / "seed").write_text(SECRET)
    for place, name, seed in (("", f"handed-in{ending}", "seed"), ("handed-in", ".", "../seed")):
        monkeypatch.chdir(tmp_path / place)
        assert main([name, "--seed-file", seed, "--exercises", "weights.safe_softmax"]) == 0
    assert (tmp_path / "handed-in-marks" / "report.html").exists()
    assert not list((tmp_path / "handed-in").iterdir())
