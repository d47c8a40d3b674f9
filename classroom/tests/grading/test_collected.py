"""Whatever form it is handed in, the notebook is found; or a sentence says why it cannot be."""

import io
import json
import os
import unicodedata
import zipfile
from pathlib import Path

import pytest

from attn_class.grading import classroom, handed_in
from attn_class.grading.handed_in import collected, read
from attn_class.grading.notebooks import Unusable


def notebook(source="x = 1"):
    return json.dumps({"cells": [{"cell_type": "code", "source": source}]}).encode()


def zipped(files, compression=zipfile.ZIP_DEFLATED):
    """A zip of these files, in which a dictionary is another zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as file:
        for name, content in files.items():
            file.writestr(name, zipped(content) if isinstance(content, dict) else content)
    return packed.getvalue()


@pytest.fixture
def handed(tmp_path):
    """Hands in files, in which a dictionary is a zip, and gives what is collected."""

    def write(files, **options):
        for name, content in files.items():
            path = tmp_path / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(zipped(content) if isinstance(content, dict) else content)
        return collected(tmp_path / "in", **options)

    return write


def said(handed):
    """What the student and the teacher are told of something that cannot be graded."""
    with pytest.raises(Unusable) as error:
        read(handed)
    assert error.value.note.endswith((".", "?"))
    return error.value.note, error.value.warning


NESTED = {
    "a folder in a folder": {"ada/work/week 1/a.ipynb": notebook()},
    "a zip": {"ada.zip": {"a.ipynb": notebook()}},
    "a folder in a zip": {"ada.zip": {"work/a.ipynb": notebook(), "work/": b""}},
    "a zip in a folder": {"ada/work/a.zip": {"a.ipynb": notebook()}},
    "zips in a zip": {"ada.zip": {"b.zip": {"c.zip": {"d/a.ipynb": notebook()}}}},
    "made under Windows": {"ada.zip": {"work\\a.ipynb": notebook()}},
    "a way out": {"ada.zip": {"../../../a.ipynb": notebook(), "/tmp/.x": b""}},
    "what systems add": {
        "ada/.ipynb_checkpoints/a-checkpoint.ipynb": notebook("old"),
        "ada/__MACOSX/._a.ipynb": b"of a Mac",
        "ada/a.zip": {
            "a.ipynb": notebook(),
            "__MACOSX/._a.ipynb": b"of a Mac",
            "x/.ipynb_checkpoints/a.ipynb": notebook("old"),
        },
    },
    "Python in a zip": {"ada.zip": {"a.py": b"x = 1"}},
    "renamed, in a zip": {"ada.zip": {"a.PY.txt": b"x = 1"}},
    "without compression": {"ada.zip": zipped({"a.ipynb": notebook()}, zipfile.ZIP_STORED)},
}


@pytest.mark.parametrize("files", NESTED.values(), ids=NESTED)
def test_the_notebook_is_found_as_deep_as_it_lies(handed, tmp_path, files):
    (one,) = handed(files)
    before = sorted(tmp_path.rglob("*"))
    assert read(one).cells == ["x = 1"]
    assert one.student == "ada"
    assert sorted(tmp_path.rglob("*")) == before


def test_another_content_is_another_submission(handed):
    keys = set()
    for source in ("x = 1", "x = 2", "x = 1"):
        for name in ("a", "b"):
            (one,) = handed({"ada.zip": {"b.zip": {f"{name}.ipynb": notebook(source)}}})
            keys.add((one.key, source))
    assert len({key for key, _ in keys}) == 2


@pytest.mark.parametrize(
    ("files", "several"),
    [
        ({"ada/a.ipynb": notebook(), "ada/old/b.ipynb": notebook()}, ("a.ipynb", "old/b.ipynb")),
        ({"ada.zip": {"a.ipynb": notebook(), "b.ipynb": notebook()}}, ("ada.zip/a", "ada.zip/b")),
        ({"ada.ipynb": notebook(), "ada.zip": {"b.ipynb": notebook()}}, ("ada.ipynb", "ada.zip/b")),
        ({"ada/a.py": b"x = 1", "ada/b.py": b"x = 1"}, ("a.py", "b.py")),
    ],
)
def test_between_several_only_the_student_can_choose(handed, files, several):
    (one,) = handed(files)
    note, warning = said(one)
    assert "2 files" in note
    assert [label.startswith(name) for label, name in zip(one.several, several, strict=True)]
    assert all(label in note and label in warning for label in one.several)


def test_a_notebook_counts_and_the_files_beside_it_are_named(handed):
    (one,) = handed({"ada/work/a.ipynb": notebook(), "ada/helper.py": b"y", "ada/data.csv": b"1"})
    assert read(one).cells == ["x = 1"]
    assert "helper.py" in read(one).note
    assert read(one).warning == "not read: helper.py"


MOODLE = "Ada Lovelace_12_assignsubmission_"
ONE_STUDENT = {
    "folders": {
        MOODLE + "file_/a.ipynb": notebook(),
        MOODLE + "onlinetext_/onlinetext.html": b"<p>x</p>",
    },
    "no folders": {
        MOODLE + "file_a.ipynb": notebook(),
        MOODLE + "onlinetext_onlinetext.html": b"<p>x</p>",
    },
    "as a Mac unpacks it": {
        unicodedata.normalize("NFD", MOODLE.replace("Ada", "Zoë") + "file_a.ipynb"): notebook(),
        MOODLE.replace("Ada", "Zoë") + "onlinetext_onlinetext.html": b"<p>x</p>",
    },
    "Canvas": {"lovelaceada_12_9_a.ipynb": notebook(), "lovelaceada_12_text.html": b"<p>x</p>"},
}


@pytest.mark.parametrize("files", ONE_STUDENT.values(), ids=ONE_STUDENT)
def test_a_text_typed_online_is_no_second_submission(handed, files):
    (one,) = handed(files)
    assert read(one).cells == ["x = 1"]
    assert "an online text was handed in as well" in read(one).warning
    assert read(one).note == ""


def test_a_text_typed_online_alone_is_said_to_be_no_notebook(handed):
    (one,) = handed({MOODLE + "onlinetext_/onlinetext.html": b"<p>x</p>"})
    assert "not a notebook" in said(one)[0]


@pytest.mark.parametrize("before", [MOODLE + "file_", "lovelaceada_12_%d_"])
def test_several_files_of_a_student_belong_together(handed, before):
    names = [before.replace("%d", str(at)) for at in range(3)]
    files = {names[0] + "a.ipynb": notebook(), names[1] + "helper.py": b"y"}
    others = {"Bob Byron_13_assignsubmission_file_a.ipynb": notebook("y"), "doe_13_9_a.py": b"y"}
    (ours,) = (one for one in handed(files | others) if "_12_" in one.student)
    assert read(ours).warning == f"not read: {names[1]}helper.py"
    more = handed({names[2] + "b.ipynb": notebook()})
    assert sorted(len(one.several) for one in more) == [0, 0, 3]


def test_names_that_only_look_like_those_of_canvas_are_of_different_students(handed):
    """Canvas gives each file a number of its own."""
    two = handed({f"cs_101_2026_{name}.py": b"x = 1" for name in ("ada", "bob")})
    assert [one.student for one in two] == ["cs_101_2026_ada", "cs_101_2026_bob"]


def encrypted(content):
    """The zip with the mark of a password on all that is in it."""
    for at, shift in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.index(at) + shift
        content = content[:place] + b"\x01" + content[place + 1 :]
    return content


GOOD = zipped({"a.ipynb": notebook("x = 1\n" * 99)})
DAMAGED = {
    "no zip": (b"<html>", "may be damaged"),
    "empty": (b"", "may be damaged"),
    "cut short": (GOOD[: len(GOOD) // 2], "may be damaged"),
    "another byte": (GOOD.replace(GOOD[60:64], b"\xff\xff\xff\xff"), "may be damaged"),
    "a password": (encrypted(GOOD), "locked with a password"),
    "in it a damaged one": (zipped({"b.zip": b"no zip"}), "may be damaged"),
    "in it a locked one": (zipped({"b.zip": encrypted(GOOD)}), "locked with a password"),
    "a locked zip in it": (encrypted(zipped({"b.zip": GOOD})), "locked with a password"),
    "a bomb": (lambda: zipped({"a.ipynb": b" " * (201 << 20)}), "more than 200 MB"),
    "files": (lambda: zipped({f"{at}.txt": b"" for at in range(5001)}), "more than 5,000 files"),
    "an endless list": (
        lambda: zipped({f"{'x' * 9000}{at}": b"" for at in range(120)}),
        "too many files",
    ),
}


@pytest.mark.parametrize(("content", "words"), DAMAGED.values(), ids=DAMAGED)
def test_a_zip_that_cannot_be_read_is_a_sentence(handed, content, words):
    (one,) = handed({"ada.zip": content() if callable(content) else content})
    assert words in said(one)[0]


def test_zips_in_zips_have_an_end(handed):
    files = {"a.ipynb": notebook()}
    for _ in range(handed_in.DEEPEST + 1):
        files = {"b.zip": files}
    (one,) = handed({"ada.zip": files})
    assert "in one another" in said(one)[0]


def test_links_are_not_followed_within_folders_and_zips(handed, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.ipynb").write_bytes(notebook("secret"))
    link = zipfile.ZipInfo("link.ipynb")
    link.external_attr = 0o120777 << 16
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        file.writestr(link, str(tmp_path / "other" / "b.ipynb"))
        file.writestr("a.ipynb", notebook())
    (tmp_path / "in" / "ada").mkdir(parents=True)
    (tmp_path / "in" / "ada" / "linked").symlink_to(tmp_path / "other")
    (one,) = handed({"ada/a.zip": content.getvalue()})
    assert read(one).cells == ["x = 1"]


def test_a_folder_or_a_file_that_cannot_be_opened_is_a_sentence(handed, tmp_path, monkeypatch):
    real = {"iterdir": Path.iterdir, "open": open, "os.open": os.open}

    def refuse(name):
        def instead(path, *arguments, **options):
            if "closed" in str(path):
                raise PermissionError(13, "Permission denied")
            return real[name](path, *arguments, **options)

        return instead

    handed({"ada/closed/a.ipynb": notebook(), "bob/closed.ipynb": notebook(), "eve.py": b"x = 1"})
    handed({"closed.zip": {"a.ipynb": notebook()}})
    monkeypatch.setattr(Path, "iterdir", refuse("iterdir"))
    monkeypatch.setattr("builtins.open", refuse("open"))
    monkeypatch.setattr(os, "open", refuse("os.open"))
    monkeypatch.setattr(os, "access", lambda path, mode: "closed" not in str(path))
    ada, bob, closed, eve = collected(tmp_path / "in")
    assert "folder closed cannot be opened" in said(ada)[0]
    assert said(bob)[0] == "closed.ipynb cannot be opened. Ask your teacher to look at it."
    assert "change its permissions" in said(bob)[1]
    assert "cannot be opened" in said(closed)[0]
    assert read(eve).cells == ["x = 1"]
    (tmp_path / "closed").mkdir()
    with pytest.raises(ValueError, match="closed cannot be opened: Permission denied"):
        collected(tmp_path / "closed")


def test_the_class_list_says_whose_variant_it_is(handed, monkeypatch):
    files = {"Lovelace Ada_12_assignsubmission_file_/a.ipynb": notebook(), "bob.py": b"x = 1"}
    plain, bob = handed(files)
    own, same = handed(files, own=lambda name: "Ada Lovelace" if "Ada" in name else "")
    assert (plain.whose, own.whose) == (plain.student, "Ada Lovelace")
    assert plain.key != own.key
    assert (same, same.whose) == (bob, "bob")
    students = []
    monkeypatch.setattr(
        classroom,
        "grade",
        lambda exercise, submission, *_: students.append(submission.student) or _NONE,
    )
    classroom._record(own, classroom.Task(["weights.safe_softmax"], "seed"))
    assert students == ["Ada Lovelace"]


_NONE = classroom.Mark("f(x)", 0, 1)
