"""A class list in, marks out: every student found however a file is named, and nothing made up."""

import csv
import io
import random
import unicodedata

import pytest

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
MOODLE = """First name;Last name;ID number;Email address;Course total
Ada;Lovelace;1001;ada@uni.example;70
Pat;O'Neil;1002;pat@uni.example;-
Kim;Lee;1005;kim1@uni.example;-
Kim;Lee;1006;kim2@uni.example;-
"""


@pytest.fixture
def listed(tmp_path):
    def write(text, assignment="Softmax"):
        (tmp_path / "roster.csv").write_text(text, encoding="utf-8-sig")
        return roster.read(tmp_path / "roster.csv", assignment)

    return write


def record(student, points, maximum=9):
    mark = {"call": "f(x)", "points": points, "maximum": maximum, "isolated": True}
    mark |= {"note": "", "warning": "", "properties": [], "source": ""}
    return {"student": student, "warning": "", "marks": [mark]}


def rows(text, column):
    return {row["ID"]: row[column] for row in csv.DictReader(io.StringIO(text))}


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("Lovelace, Ada", "1001"),
        ("ada  LOVELACE", "1001"),
        ("ADA@uni.example", "1001"),
        ("1002", "1002"),
        ("s-3", "1003"),
        ("kim2", "1006"),
        ("lovelaceada_1001_90210_answers-2", "1001"),
        ("lovelaceada_LATE_1001_90210_answers", "1001"),
        ("Kim Lee", None),
        ("Lee, Kim", None),
        ("nobody", None),
        ("", None),
        ("100", None),
    ],
)
def test_a_student_is_found_by_any_name_that_means_nobody_else(listed, name, id_):
    found = roster.student_of(name, listed(CANVAS))
    assert (found and found.row["ID"]) == id_


def test_two_with_one_name_are_told_apart_by_the_name_that_reports_give_them(listed, tmp_path):
    given = listed(CANVAS)
    assert roster.student_of("Lee, Kim (1005)", given).row["ID"] == "1005"
    found = roster.assigned([record("Kim Lee", 9), record("stranger", 9)], given)
    whys = dict(found.unknown)
    assert whys["Kim Lee"].startswith("may be by Lee, Kim (1005) or Lee, Kim (1006): rename it")
    assert whys["stranger"] == "not in the class list"
    (tmp_path / "late.csv").write_text('student,late,allowed\n"Lee, Kim (1006)",3,1\n')
    assert roster.read_late(tmp_path / "late.csv", given) == {"Lee, Kim (1006)": roster.Late(3, 1)}


def test_names_of_a_download_from_moodle(listed):
    given = listed(MOODLE)
    found = roster.student_of("Ada Lovelace_55_assignsubmission_file_", given)
    assert found.row["ID number"] == "1001"
    assert roster.student_of("Kim Lee_55_assignsubmission_file", given) is None
    assert roster.student_of("kim1@uni.example", given).row["ID number"] == "1005"


def test_canvas_gets_its_own_lines_back_with_marks_in_one_column(listed):
    """18 points are possible in Canvas and 9 here; who handed in nothing keeps an empty cell."""
    given = listed(CANVAS)
    records = [record("ada lovelace", 9), record("pat", 4), record("stranger", 9)]
    text = roster.table(records, given, {}, 0)
    assert text.startswith("Student,ID,SIS User ID,SIS Login ID,Section,Softmax (771)\r\n")
    marks = {"1001": "18", "1002": "8", "1003": "", "1004": "", "1005": "", "1006": ""}
    assert rows(text, "Softmax (771)") == marks | {"": "18"}
    names = rows(text, "Student")
    assert names["1002"] == 'O\'Neil, "Pat"'
    assert names["1003"].startswith("'=cmd")
    assert names["1004"] == "Müller, Jürgen"
    assert text.count("\r\n") == len(CANVAS.splitlines())


MANUAL = ",,,,,Manual Posting,,\n    Points Possible"


@pytest.mark.parametrize(
    "text",
    [
        CANVAS.replace("    Points Possible", MANUAL),
        CANVAS.replace(",", ";").replace(";18;", ";18,00;"),
    ],
)
def test_the_points_of_canvas_are_found_in_any_of_its_exports(listed, text):
    """Marks that are shown by hand have a line above; elsewhere a comma is the decimal point."""
    text = text.replace('"Lovelace; Ada"', '"Lovelace, Ada"')
    given = listed(text)
    assert given.possible == 18
    assert rows(roster.table([record("1001", 4)], given, {}, 0), "Softmax (771)")["1001"] == "8"


def test_an_export_with_last_and_first_names_goes_back_as_it_came(listed):
    """Canvas writes two columns instead of Student where the account allows it."""
    text = """LastName,FirstName,ID,SIS Login ID,Section,Softmax (771)
    Points Possible,,,,,18
Lovelace,Ada,1001,ada@uni.example,A,
Lee,Kim,1002,kim1,A,
Lee,Kim,1003,kim2,A,
Plato,,1004,plato,A,
"""
    given = listed(text)
    records = [record("ada lovelace", 9), record("Lovelace, Ada", 9), record("plato", 4)]
    assert roster.assigned(records, given).missing == ["Lee, Kim (1002)", "Lee, Kim (1003)"]
    table = roster.table(records[1:], given, {}, 0)
    assert table.startswith("LastName,FirstName,ID,SIS Login ID,Section,Softmax (771)\r\n")
    marks = {"": "18", "1001": "18", "1002": "", "1003": "", "1004": "8"}
    assert rows(table, "Softmax (771)") == marks
    assert rows(table, "FirstName")["1001"] == "Ada"


def test_the_test_student_of_canvas_is_not_missed(listed):
    given = listed(CANVAS + '"Student, Test",1007,,3f2a,A,,,\n')
    assert "Student, Test" not in roster.assigned([], given).missing
    assert "Student, Test" in roster.assigned([record("1007", 9)], given).found


def test_who_handed_in_nothing_keeps_what_canvas_has(listed):
    """An empty cell in the place of EX would take back that the student is excused."""
    excused = CANVAS.replace("s-2,pat,B,,,", "s-2,pat,B,EX,,").replace(
        "ada@uni.example,A,", "ada@uni.example,A,3"
    )
    marks = rows(roster.table([record("1001", 9)], listed(excused), {}, 0), "Softmax (771)")
    assert (marks["1001"], marks["1002"], marks["1005"]) == ("18", "EX", "")


def test_moodle_gets_addresses_numbers_and_marks(listed):
    given = listed(MOODLE, "Attention")
    text = roster.table([record("1001", 7), record("kim2@uni.example", 3)], given, {}, 0)
    found = list(csv.DictReader(io.StringIO(text)))
    assert list(found[0]) == ["Email address", "ID number", "Attention"]
    assert [each["Attention"] for each in found] == ["7", "", "", "3"]


def test_unknown_missing_and_double_are_listed(listed):
    given = listed(CANVAS)
    records = [record("1001", 9), record("ada lovelace", 3), record("pat", 4), record("<b>x", 1)]
    found = roster.assigned(records, given)
    assert set(found.found) == {'O\'Neil, "Pat"'}
    assert [name for name, _ in found.unknown] == ["<b>x", "1001", "ada lovelace"]
    assert {why for _, why in found.unknown[1:]} == {"one of 2 by Lovelace, Ada"}
    assert found.missing[-2:] == ["Lee, Kim (1005)", "Lee, Kim (1006)"]
    assert len(found.missing) == 4
    assert rows(roster.table(records, given, {}, 0), "Softmax (771)")["1001"] == ""
    page = report.overview(records, found)
    assert "&lt;b&gt;x" in page
    assert "Lee, Kim (1006)" in page


def test_late_days_cost_unless_they_were_allowed(listed, tmp_path):
    given = listed(CANVAS)
    (tmp_path / "late.csv").write_text("student,late,allowed\npat,3,1\n1001,2,2\nkim1,30,\n")
    late = roster.read_late(tmp_path / "late.csv", given)
    records = [record(name, 9) for name in ("pat", "1001", "kim1", "eve")]
    marks = rows(roster.table(records, given, late, 10), "Softmax (771)")
    assert [marks[each] for each in ("1002", "1001", "1005", "1003")] == ["14.4", "18", "0", "18"]


def test_a_late_student_is_told_what_the_days_cost(listed, tmp_path):
    given = listed(CANVAS)
    late = {'O\'Neil, "Pat"': roster.Late(3, 1), "Lovelace, Ada": roster.Late(2, 2)}
    records = [record(name, 9) for name in ("pat", "1001", "stranger")]
    told = roster.deducted(roster.assigned(records, given), late, 10)
    assert told == {
        "pat": "Handed in 3 days late, with 1 allowed: 1.8 of 9 points are deducted, and 7.2 count."
    }
    report.write(records, tmp_path, deducted=told)
    pages = [(tmp_path / "students" / report.page_name(each["student"])) for each in records]
    assert [told["pat"] in each.read_text("utf-8") for each in pages] == [True, False, False]


def test_marks_are_never_more_or_less_than_what_was_counted():
    for _ in range(50):
        points, days, allowed = random.randint(0, 9), random.random() * 9, random.random() * 9
        percent = random.choice([0, 7, 50, 100])
        got = roster.counted(record("x", points), roster.Late(days, allowed), percent)
        assert 0 <= got <= points
        assert (got == points) or (days > allowed and percent and points)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("name,points\nada,3\n", "has the columns 'name, points'"),
        (
            "Student,ID,SIS Login ID,Section\na,1,a,A\n",
            "assignment 'Softmax'; expected one, created",
        ),
        (
            CANVAS.replace("Dates (772)", "Softmax (772)"),
            "expected ASSIGNMENT= one of Softmax (771)",
        ),
        (CANVAS.replace("1006", "1005"), "two lines with the ID '1005'"),
        (CANVAS.replace("Final Score", "ID"), "two columns 'ID'"),
        (CANVAS + "one cell\n", "line 9 has 1 cells; expected 8"),
        ("\n".join(CANVAS.split("\n")[:2]), "lists no student"),
        (MOODLE.replace(";ada@uni.example", ";").replace("1002", ""), "expected one of them"),
    ],
)
def test_what_is_no_class_list_is_said(listed, text, said):
    with pytest.raises(ValueError, match=r".") as found:
        listed(text)
    assert said in str(found.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("student,days\npat,3\n", "expected student, late, allowed"),
        ("student,late,allowed\nnobody,3,0\n", "matches nobody in the class list"),
        ("student,late,allowed\nkim lee,3,0\n", "'kim lee' matches 2 students in the class list"),
        ("student,late,allowed\npat,3,0\n1002,1,0\n", "occurs twice"),
        ("student,late,allowed\npat,-3,0\n", "numbers from 0"),
        ("student,late,allowed\npat,three,0\n", "numbers from 0"),
    ],
)
def test_what_is_no_table_of_late_days_is_said(listed, tmp_path, text, said):
    given = listed(CANVAS)
    (tmp_path / "late.csv").write_text(text)
    with pytest.raises(ValueError, match=r".") as found:
        roster.read_late(tmp_path / "late.csv", given)
    assert said in str(found.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--roster", "none.csv"], "cannot be read: No such file"),
        (["--roster", "bytes.csv"], "not text in UTF-8"),
        (["--roster", "roster.csv", "--assignment", "Dates"], "Softmax (771)"),
        (["--late", "roster.csv"], "ROSTER=file"),
        (["--late-percent", "120"], "0 to 100 percent"),
        (["--late-percent", "ten"], "0 to 100 percent, not 'ten'"),
        (["--late-percent", "10%"], "expected LATE=file"),
        (
            ["--roster", "roster.csv", "--assignment", "Softmax", "--late", "late.csv"],
            "LATE_PERCENT",
        ),
        (["--seed-file", "none.csv"], "there is no file"),
    ],
)
def test_a_bad_class_list_stops_before_anything_is_graded(tmp_path, capsys, options, said):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.py").write_text("x = 1")
    (tmp_path / "seed").write_text("a secret of sixteen letters")
    (tmp_path / "late.csv").write_text("student,late,allowed\npat,3,0\n")
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe,")
    (tmp_path / "roster.csv").write_text(CANVAS.replace(",Dates (772)", ",Other"), encoding="utf-8")
    given = [str(tmp_path / each) if each.endswith(".csv") else each for each in options]
    where = [str(tmp_path / each) for each in ("in", "out", "seed")]
    fixed = ["--exercises", "weights.safe_softmax", "--seed-file", where[2]]
    assert main([*where[:2], *fixed, *given]) == 2
    assert said in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


# ---- what Moodle writes, in any language

IN_LANGUAGES = {
    "German": "Vorname,Nachname,ID-Nummer,E-Mail-Adresse,Kurs gesamt",
    "French": "Prénom,Nom de famille,Numéro d’identification,Adresse de courriel,Total du cours",
    "French, the other order": "Nom,Prénom,x,Courriel,y",
    "Catalan": "Nom,Cognoms,Número d'identificació,Adreça electrònica,Total del curs",
    "Spanish": "Nombre,Apellido(s),Número de ID,Dirección de correo,Total del curso",
    "Portuguese": "Nome,Sobrenome,Número de identificação,Endereço de e-mail,Total",
    "Polish": "Imię,Nazwisko,Numer ID,Adres e-mail,Suma",
    "Russian": "Имя,Фамилия,Индивидуальный номер,Адрес электронной почты,Итог",
    "Japanese": "名,姓,IDナンバー,メールアドレス,コース合計",
    "Arabic": "الاسم الأول,اسم العائلة,رقم التعريف,البريد,المجموع",
    "a language that nobody foresaw": "Qa,Wa,Ra,Ta,Za",
}


@pytest.mark.parametrize("head", IN_LANGUAGES.values(), ids=IN_LANGUAGES)
def test_a_list_in_any_language_is_read_and_goes_back_with_its_own_headers(listed, head):
    names = [("Siobhán", "O'Brien"), ("Ada", "Lovelace")]
    turned = head.startswith("Nom,Prénom")
    lines = [
        f"{','.join(name[::-1] if turned else name)},{at}7,s{at}@x.example,-"
        for at, name in enumerate(names)
    ]
    given = listed("\n".join([head, *lines]), "Mark")
    found = roster.student_of("Siobhán OBrien_12_assignsubmission_file_", given)
    assert found.name == "Siobhán O'Brien"
    assert [each.listed for each in given.students] == ["Siobhán O'Brien", "Ada Lovelace"]
    text = roster.table([record("Ada Lovelace_9_assignsubmission_file_", 7)], given, {}, 0)
    back = list(csv.DictReader(io.StringIO(text)))
    assert head.split(",")[3] in back[0]
    assert set(back[0]) <= {*head.split(","), "Mark"}
    assert [each["Mark"] for each in back] == ["", "7"]


@pytest.mark.parametrize(
    "name",
    [
        "{} Lovelace_9_assignsubmission_file_",
        "Lovelace {}_9_assignsubmission_file",
        "Lovelace, {}_9_assignsubmission_file_",
        "{} Lovelace_9_assignsubmission_file_answers",
        "lovelace, {}",
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_is_known_in_every_order(listed, name, form):
    given = listed("First name,Last name,Email address\nZoë,Lovelace,z@x\nZoë,King,k@x\n")
    found = roster.student_of(unicodedata.normalize(form, name.format("Zoë")), given)
    assert found.name == "Zoë Lovelace"
    given = listed("Full name,Email address\nZoë Lovelace,z@x\nZoë King,k@x\n")
    assert roster.student_of(name.format("Zoë"), given).name == "Zoë Lovelace"


PARTLY = ["Ada King Lovelace", "Lovelace Ada (エイダ)", "Team 1-Ada Lovelace", "A-B-Ada Lovelace"]


@pytest.mark.parametrize("name", PARTLY)
def test_a_name_with_more_in_it_counts_and_the_teacher_is_told(listed, name):
    given = listed(MOODLE)
    files = [record(f"{name}_9_assignsubmission_file_", 9), record("pat@uni.example", 9)]
    found = roster.assigned(files, given)
    assert set(found.found) == {"Ada Lovelace", "Pat O'Neil"}
    assert found.partly == [(files[0]["student"], "Ada Lovelace")]
    assert "Recognised by a part of the name" in report.overview(files, found)
    assert "Recognised" not in report.overview(files[1:], roster.assigned(files[1:], given))


def test_names_that_coincide_once_cleaned_are_not_merged(listed):
    text = "First name,Last name,Email address\nPat,O'Neil,a@x\nPat,ONeil,b@x\nNeil,Kim,c@x\n"
    given = listed(text + "Kim,Neil,d@x\n")
    files = ["Pat ONeil_1_assignsubmission_file_", "Kim Neil_2_assignsubmission_file_"]
    found = roster.assigned([record(name, 9) for name in files], given)
    assert found.found == {}
    assert "Pat O'Neil (a@x) or Pat ONeil (b@x): rename it" in found.unknown[0][1]
    assert "Neil Kim (c@x) or Kim Neil (d@x)" in found.unknown[1][1]
    found = roster.assigned([record("b@x", 9), record("Pat O'Neil (a@x)", 3)], given)
    assert set(found.found) == {"Pat ONeil (b@x)", "Pat O'Neil (a@x)"}


TEAMS = """First name,Last name,Email address,Groups
Ada,Lovelace,a@x,"Red_1, Tutorial"
Bob,Byron,b@x,Red_1
Eve,Null,e@x,Blue-2
"""


def test_all_members_of_a_team_get_the_marks_of_its_file(listed):
    given = listed(TEAMS, "Mark")
    files = [record("Red 1_5_assignsubmission_file", 7)]
    files += [record("Blue-2-Eve Null_6_assignsubmission_file_", 3)]
    files += [record("Green_7_assignsubmission_file", 3)]
    found = roster.assigned(files, given)
    assert {name: each["marks"][0]["points"] for name, each in found.found.items()} == {
        **{"Ada Lovelace": 7, "Bob Byron": 7, "Eve Null": 3}
    }
    assert (found.unknown, found.partly) == (
        [("Green_7_assignsubmission_file", "not in the class list")],
        [],
    )
    late = {"Bob Byron": roster.Late(2, 0)}
    told = roster.deducted(found, late, 10)
    assert told == {
        "Red 1_5_assignsubmission_file": "Bob Byron: handed in 2 days late, with 0 allowed: "
        "1.4 of 7 points are deducted, and 5.6 count."
    }
    without = listed(TEAMS.replace("Groups", "Faculty"))
    assert "no column of groups" in roster.assigned(files[:1], without).unknown[0][1]


WORKSHEET = """Identifier,{}Status,Grade,Maximum grade,Last modified (grade)
Participant 17,{}Submitted for grading,-,24.00,-
Participant 18,{}No submission,5.00,24.00,-
"""
HIDDEN = WORKSHEET.format("", "", "")
NAMED = WORKSHEET.format("Full name,Email address,", "Kim Lee,a@x,", "Kim Lee,b@x,")


def test_a_grading_worksheet_comes_back_whole_with_its_marks(listed):
    for text in (HIDDEN, HIDDEN.replace("Participant ", "Teilnehmer/in").replace("Grade", "Note")):
        given = listed(text, "Grade")
        files = [record("Participant_17_assignsubmission_file_", 7)]
        files += [record("Team-Participant_19_assignsubmission_file_", 7)]
        found = roster.assigned(files, given)
        assert [found.found[each.name] for each in given.students[:1]] == files[:1]
        assert "no participant 19" in found.unknown[0][1]
        assert "grading worksheet" in found.unknown[0][1]
        table = roster.table(files, given, {}, 0)
        expected = text.replace("grading,-", "grading,7").replace("\n", "\r\n")
        assert table == expected


def test_the_number_in_a_worksheet_tells_two_of_one_name_apart(listed):
    given = listed(NAMED, "Grade")
    for number, address in (("17", "a@x"), ("18", "b@x")):
        found = roster.student_of(f"Kim Lee_{number}_assignsubmission_file_", given)
        assert found.row["Email address"] == address
        assert roster.own_name(f"Kim Lee_{number}_assignsubmission_file_", given) == address
    assert roster.student_of("Kim Lee_19_assignsubmission_file_", given) is None


def test_a_hidden_name_is_told_where_the_list_has_no_numbers(listed):
    found = roster.assigned([record("Participant_17_assignsubmission_file_", 7)], listed(MOODLE))
    assert "Moodle hides whose it is" in found.unknown[0][1]
    names = [record(name, 7) for name in ("anon_1001_9_a", "anon_abc12_9_a")]
    found = roster.assigned(names, listed(CANVAS))
    assert found.found == {}
    assert all("Canvas hides whose it is" in why for _, why in found.unknown)


def test_the_class_list_decides_whose_variant_it_is(listed):
    given = listed(MOODLE)
    own = [
        roster.own_name(name, given)
        for name in ("Lovelace Ada_9_assignsubmission_file_", "1001", "ada@uni.example", "Kim Lee")
    ]
    assert own == ["Ada Lovelace", "Ada Lovelace", "Ada Lovelace", ""]
    assert roster.own_name("ADA lovelace_9_assignsubmission_file_", given) == ""
    assert roster.own_name("kim1@uni.example", given) == ""
    assert roster.own_name("ada@uni.example", listed(CANVAS)) == "1001"


# ---- what Canvas writes


@pytest.mark.parametrize(
    "name",
    [
        *("lovelace_ada_1001_9_a", "lovelaceada_LATE_1001_9_5_6", "lovelace_ada_1001_text"),
        *("lovelaceada_1001_9_a-1", "lovelaceada_1001_9_b_77_8_c"),
    ],
)
def test_names_of_a_download_from_canvas(listed, name):
    assert roster.student_of(name, listed(CANVAS)).row["ID"] == "1001"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mallory_1001_9_a", "1001 is the ID of Lovelace, Ada, but mallory is not"),
        ("mallory_1001_5_x_77_9_a", "1001 is the ID of Lovelace, Ada, but mallory is not"),
        ("mallory_1001_5_x_1002_9_a", "may be by"),
        ("lovelaceada_1001_5_x_1002_9_a", "may be by"),
        ("lovelaceada_77_9_a", "not in the class list"),
    ],
)
def test_a_display_name_makes_nobody_somebody_else(listed, name, said):
    given = listed(CANVAS)
    sorted_ = roster.assigned([record(name, 9)], given)
    assert sorted_.found == {}
    assert said in sorted_.unknown[0][1]
    assert roster.own_name(name, given) == ""


def test_columns_that_do_not_matter_may_have_the_same_name(listed):
    given = listed(CANVAS.replace("Dates (772)", "Final Score"))
    assert rows(roster.table([record("1001", 9)], given, {}, 0), "Softmax (771)")["1001"] == "18"
    with pytest.raises(ValueError, match=r"two columns 'Softmax \(771\)'"):
        listed(CANVAS.replace("Dates (772)", "Softmax (771)"))


def test_empty_cells_at_the_end_may_be_missing_or_more(listed):
    short = CANVAS.replace("pat,B,,,", "pat,B").replace("eve,B,,,", "eve,B,,,,,")
    given = listed(short)
    marks = rows(roster.table([record("pat", 9), record("eve", 9)], given, {}, 0), "Softmax (771)")
    assert (marks["1002"], marks["1003"]) == ("18", "18")
    with pytest.raises(ValueError, match="line 5 has 9 cells; expected 8"):
        listed(CANVAS.replace("eve,B,,,", "eve,B,,,,5"))
    with pytest.raises(ValueError, match="line 9 has 2 cells; expected 8"):
        listed(CANVAS + "x,\n")


@pytest.mark.parametrize("points", ["0", "0.00", '"0,00"'])
def test_an_assignment_of_no_points_stops_before_anything_is_graded(listed, points):
    with pytest.raises(ValueError, match=r"'Softmax \(771\)' has 0 points in Canvas"):
        listed(CANVAS.replace(",18,", f",{points},"))


# ---- what reaches the teacher


@pytest.mark.parametrize(
    "name",
    ["=1+1", " =1+1", "\u00a0+1", "\u202e=1", "\uff1d1", "\u200b@a", "\n-1", "\uff0b1", "\x00=1"],
)
def test_no_name_is_a_formula_however_it_begins(name):
    assert roster.cell(name).startswith("'")
    assert roster.cell("-") == "-"


TURNED = "Eve\u202e\u2066 \x1b[31mNull\r\u061c\x07\u200f"


def test_no_name_turns_or_colours_what_is_printed_or_written(tmp_path, capsys):
    """The rest of the terminal's line, of the page and of the table stays as it is."""
    folder = tmp_path / f"in{TURNED}"
    (folder / TURNED).mkdir(parents=True)
    (tmp_path / "seed").write_text("a secret of sixteen letters")
    listed = f'First name,Last name,Email address\nAda,"{TURNED}",a@x\n'
    (tmp_path / "list.csv").write_text(listed, encoding="utf-8")
    given = [str(folder), "--seed-file", str(tmp_path / "seed")]
    given += ["--exercises", "weights.safe_softmax", "--roster", str(tmp_path / "list.csv")]
    assert main(given) == 0
    results = tmp_path / f"in{TURNED}-marks"
    written = [capsys.readouterr().out]
    written += [
        path.read_text("utf-8")
        for path in results.rglob("*")
        if path.suffix in (".csv", ".html") and path.is_file()
    ]
    assert len(written) == 6
    for text in written:
        found = {f"{ord(each):x}" for each in text.replace("\r\n", "\n")}
        assert not found & {"202e", "2066", "1b", "d", "61c", "7", "200f"}
    assert all("Eve" in text for text in written[:1])


# ---- where the results go


@pytest.mark.parametrize("ending", ["", "/", "//", "/."])
def test_results_lie_beside_the_submissions(tmp_path, ending, monkeypatch):
    (tmp_path / "handed-in").mkdir()
    (tmp_path / "seed").write_text("a secret of sixteen letters")
    monkeypatch.chdir(tmp_path)
    fixed = ["--seed-file", "seed", "--exercises", "weights.safe_softmax"]
    assert main([f"handed-in{ending}", *fixed]) == 0
    assert (tmp_path / "handed-in-marks" / "report.html").exists()
    monkeypatch.chdir(tmp_path / "handed-in")
    assert main([".", "--seed-file", "../seed", *fixed[2:]]) == 0
    assert not list((tmp_path / "handed-in").iterdir())


@pytest.mark.parametrize("place", ["in", "in/marks", "in/../in/marks", "linked/marks"])
def test_results_among_the_submissions_are_refused(tmp_path, capsys, place):
    (tmp_path / "in").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "in")
    given = [str(tmp_path / "in"), str(tmp_path / place), "--seed-file", str(tmp_path / "seed")]
    assert main([*given, "--exercises", "weights.safe_softmax"]) == 2
    assert "would count as a submission" in capsys.readouterr().out
    assert not list((tmp_path / "in").iterdir())
