"""A code for each student: stable, secret but for eight digits, and told in a table."""

import csv

import pytest

from attn_class.exercises.frame import Exercise
from attn_class.grading import variants
from attn_class.grading.marks import Submission, grade
from attn_class.grading.sandbox import Sandbox

SEED = "a secret of many characters"
CANVAS = (
    'Student,ID,SIS Login ID,Section,Dates (7)\n,,,,\n"Ada, A",101,ada,1,\n"Bob, B",102,bob,1,\n'
)
MOODLE = "First name,Last name,Email address\nAda,Lovelace,ada@x\nBob,Byron,bob@x\n"


def test_a_code_depends_on_the_student_and_the_seed_alone():
    code = variants.code("ada", SEED)
    assert code == variants.code(" Ada ", SEED) == variants.own("ada", SEED)[:8]
    assert len({code, variants.code("bob", SEED), variants.code("ada", SEED + "!")}) == 3


@pytest.fixture
def arguments_for(tmp_path):
    """The arguments for a list of this text, and where the codes go."""

    def write(text):
        (tmp_path / "list").write_text(text)
        (tmp_path / "seed").write_text(SEED)
        to = tmp_path / "codes.csv"
        seed = ["--seed-file", str(tmp_path / "seed")]
        return [str(tmp_path / "list"), *seed, "--to", str(to)], to

    return write


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ada\n\n bob \n", ["ada", "bob"]),
        (CANVAS, ["101", "102"]),
        (CANVAS.replace("Student", "LastName,FirstName").replace('"', ""), ["101", "102"]),
        (MOODLE, ["Ada Lovelace", "Bob Byron"]),
        (MOODLE.replace(",", ";"), ["Ada Lovelace", "Bob Byron"]),
        (MOODLE + "Bob,byron,bob2@x\n", ["Ada Lovelace", "bob@x", "bob2@x"]),
        (MOODLE + "B'ob,Byron,bob2@x\n", ["Ada Lovelace", "bob@x", "bob2@x"]),
        (MOODLE.replace("First name,Last name", "姓,名"), ["Ada Lovelace", "Bob Byron"]),
        *(
            (f"Identifier,Status\n{name}7,-\n{name}8,-\n", [f"{name} 7", f"{name} 8"])
            for name in ("Participant", "Teilnehmer/in")
        ),
        (CANVAS.replace("Section,", "Section,X,X,"), ["101", "102"]),
        ("First name,Last name,ID number\nA,B,s-01\nA,B,s-02\n", ["s-01", "s-02"]),
        ("1001, Ada\n1002, Bob\n", ["1001, Ada", "1002, Bob"]),
        ("Lovelace, Ada\nByron, Bob, Lord\n", ["Lovelace, Ada", "Byron, Bob, Lord"]),
        ("ada\nbob@x\n", ["ada", "bob@x"]),
        ("student 1\nstudent 2\n", ["student 1", "student 2"]),
        (("Nom,Prénom,Courriel\nByron,Éva,e@x\n", "name=Prénom,Nom"), ["Éva Byron"]),
        (("First name,Last name\nA,B\n", "name=1,2"), ["A B"]),
    ],
)
def test_students_are_listed_as_their_files_will_be_called(arguments_for, capsys, text, names):
    text, named = (text, "") if isinstance(text, str) else text
    arguments, to = arguments_for(text)
    assert variants.main([*arguments, "--roster-columns", named]) == 0
    assert "must stay the same" in capsys.readouterr().out
    rows = [(row["student"], row["code"]) for row in csv.DictReader(to.read_text().splitlines())]
    assert rows == [(name, f"code {variants.code(name, SEED)}") for name in names]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no name"),
        ("ada\nada\n", "'ada' twice"),
        ("Pat O'Neil\nPat ONeil\n", "Pat O'Neil\" and 'Pat ONeil'; expected each student once"),
        (MOODLE + "Eve\n", "line 4 has 1 cells"),
        (MOODLE + "Eve,Null,e@x,more\n", "line 4 has 4 cells"),
    ],
)
def test_a_list_that_is_none_is_said_and_nothing_is_written(arguments_for, capsys, text, words):
    arguments, to = arguments_for(text)
    assert variants.main(arguments) == 2
    assert words in capsys.readouterr().out
    assert not to.exists()


def test_a_property_sees_the_students_own_variant_whatever_is_handed_in():
    variants_of = []
    exercise = Exercise("one(x)")

    @exercise.must("It is one.", hint="One.")
    def is_one(answer, draw):
        variants_of.append(draw.own)
        return answer.gives(1.0, x=float(draw.integer(9)))

    with Sandbox() as box:
        for text in ("def one(x):\n    return 1", "def one(x):\n    return 1 + 0 * x"):
            grade(exercise, Submission("ada", [text]), SEED, box)
    assert set(variants_of) == {variants.own("ada", SEED)}
