"""Every file that can be handed in has its cells read, or a sentence that says why not."""

import json
import os

import pytest

from attn_class.grading.extract import NoAnswer, answer_in, normalised
from attn_class.grading.notebooks import LARGEST, MOST_CELLS, Unusable, code_cells

GOOD = "import torch\n\ndef double(x):\n    return 2 * x\n"


def notebook(*sources):
    cells = [{"cell_type": "code", "source": source, "outputs": []} for source in sources]
    return json.dumps({"cells": cells, "nbformat": 4}).encode()


@pytest.fixture
def handed_in(tmp_path):
    def write(content, name="answers.ipynb"):
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return write


OLD = [{"cell_type": "code", "input": ["a = 1\n", "b = 2"]}, {"cell_type": "code"}]
KINDS = [{"cell_type": kind, "source": kind} for kind in ("markdown", "code", "raw")]
DIGITS = b'{"cells": [{"cell_type": "code", "source": "a = 1", "execution_count": 9%s}]}'
READ = {
    "text or lines": (
        notebook("a = 1\nb = 2", ["c = 3\n", "d = 4"]),
        ["a = 1\nb = 2", "c = 3\nd = 4"],
    ),
    "worksheets": ({"nbformat": 3, "worksheets": [{"cells": OLD}]}, ["a = 1\nb = 2", ""]),
    "many digits": (DIGITS % (b"9" * 5000), ["a = 1"]),
    "half a letter": (notebook(None, "a = 1  # \ud800"), ["", "a = 1  # ?"]),
    "other cells": ({"cells": [*KINDS, 5]}, ["code"]),
    "a mark of the byte order": (b"\xef\xbb\xbf" + notebook(GOOD), [GOOD]),
}


@pytest.mark.parametrize(("content", "cells"), READ.values(), ids=READ)
def test_the_cells_of_a_notebook_are_read(handed_in, content, cells):
    assert code_cells(handed_in(content)) == cells


def test_a_python_file_is_one_cell(handed_in):
    assert code_cells(handed_in(GOOD.encode(), "answers.py")) == [GOOD]


def test_other_cells_and_the_version_of_python_are_kept(handed_in):
    metadata = {"language_info": {"name": "python", "version": "3.15.2"}}
    cells = code_cells(handed_in({"cells": KINDS, "metadata": metadata}))
    assert (cells.written_in, cells.others) == ("3.15.2", ["markdown", "raw"])
    for metadata in ({}, [], {"language_info": 3}, {"language_info": {"version": 3}}):
        assert code_cells(handed_in({"cells": KINDS, "metadata": metadata})).written_in == ""


@pytest.mark.parametrize(
    ("content", "words", "warned"),
    [
        (b"", "empty", "empty"),
        (b"  \n", "empty", "empty"),
        (b"def double(x): return 2 * x", "not a notebook", "not JSON"),
        (b"{", "not a notebook", "not JSON"),
        (b"[1, 2]", "not a notebook", "without a list of cells"),
        (b'{"worksheets": {}}', "not a notebook", "without a list of cells"),
        (b'{"cells": {}}', "not a notebook", "without a list of cells"),
        (b"[" * 10**5, "not a notebook", "not JSON"),
        (b'{"cells": [{"cell_type": "code", "source": 3}]}', "not a notebook", "not text"),
        ("Größe".encode("latin-1"), "UTF-8", "not UTF-8"),
        (b"PK\x03\x04\x14\x00\x00\x00\x08\x00\xff\xfe", "is a zip archive", "a zip archive"),
        (b"Rar!\x1a\x07\x01\x00\xff", "is a RAR archive", "a RAR archive"),
        (b"7z\xbc\xaf\x27\x1c\xff", "is a 7z archive", "a 7z archive"),
        (b"\x1f\x8b\x08\x00\xff", "is a gzip archive", "a gzip archive"),
        (b'{"cells": [' + b"{}," * 10**6 + b"{}]}", "1,000,001 cells", "1,000,001 cells"),
        (notebook(*["pass"] * (MOST_CELLS + 1)), "cells", "cells"),
        (notebook("x" * (3 << 20)), "characters of code", "characters of code"),
        (b" " * (LARGEST + 1), "MB", "MB"),
    ],
    ids=range(18),
)
def test_what_cannot_be_read_is_said_to_both(handed_in, content, words, warned):
    with pytest.raises(Unusable) as error:
        code_cells(handed_in(content))
    assert words in error.value.note
    assert error.value.note.endswith((".", "?"))
    assert warned in error.value.warning


@pytest.mark.parametrize("line", ["# -*- coding: latin-1 -*-", "#!python\n# coding=iso-8859-1"])
def test_a_python_file_may_name_its_encoding(tmp_path, line):
    text = f"{line}\nname = 'Größe'\n"
    (tmp_path / "ada.py").write_bytes(text.encode("latin-1"))
    assert code_cells(tmp_path / "ada.py") == [text]
    (tmp_path / "eve.py").write_bytes(b"# coding: no-such-encoding\n\xff")
    with pytest.raises(Unusable, match="UTF-8"):
        code_cells(tmp_path / "eve.py")


def test_links_pipes_devices_and_folders_are_not_opened(tmp_path):
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "pipe.ipynb")
    (tmp_path / "folder.ipynb").mkdir()
    (tmp_path / "zero.ipynb").symlink_to("/dev/zero")
    warned = {
        "link": "a link, not followed",
        "zero": "a link, not followed",
        "pipe": "not a plain file",
        "folder": "not a plain file",
        "none": "cannot be opened: No such file",
    }
    for name, warning in warned.items():
        with pytest.raises(Unusable) as error:
            code_cells(tmp_path / f"{name}.ipynb")
        assert warning in error.value.warning
        assert ("link" in error.value.note) == ("link" in warning)


# ---- the function among the cells


def executed(answer):
    """The function that an answer's source defines."""
    names = {}
    exec(answer.source, names)
    return names["double"], names


def test_what_the_function_needs_comes_with_it():
    cells = [
        "import torch\nfrom math import sqrt as root\nimport os",
        "raise SystemExit  # never executed",
        "FACTOR = 2\nOTHER = 3",
        "def double(x):\n    return torch.as_tensor(root(4)) * twice(x) / 2",
        "%matplotlib inline\n!rm -rf /\ndef twice(x):\n    return FACTOR * x",
    ]
    answer = answer_in(cells, "double")
    double, names = executed(answer)
    assert double(3) == 6
    assert not {"os", "OTHER"} & set(names)
    assert answer.remark == ""
    assert executed(answer_in(["double = lambda x: 2 * x"], "double"))[0](3) == 6


def test_the_last_of_several_counts_and_the_stub_does_not():
    stub = "def double(x):\n    raise NotImplementedError('write it')"
    first, second = "def double(x):\n    return 1", "def double(x):\n    return 2"
    assert answer_in([stub, first], "double").remark == ""
    assert "return 1" in answer_in([first, stub], "double").source
    answer = answer_in([first, second], "double")
    assert "2 times" in answer.remark
    assert executed(answer)[0](0) == 2


def test_answers_that_differ_in_names_and_words_are_the_same_answer():
    one = "def double(x):\n    'Twice.'\n    n: int = 2\n    return n * x"
    two = "def double(number: int) -> int:\n    factor = 2  # two\n    return (factor * number)"
    three = "def double(number):\n    factor = 3\n    return factor * number"
    assert normalised(one, "double") == normalised(two, "double") != normalised(three, "double")
    assert "def double(v1)" in normalised(one, "double")


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([], "no function double"),
        (["def triple(x):\n    return 3 * x"], "no function double"),
        (["class A:\n    def double(self):\n        return 1"], "no function double"),
        (["def double(x)\n    return 2 * x"], "line 1 in code cell 1"),
        (["x = 1", "double = ((((("], "code cell 2"),
        (["def double(x):\n    return x\0"], r"read: .* null bytes( in line \d+)? in code"),
    ],
)
def test_what_is_missing_is_said(cells, words):
    with pytest.raises(NoAnswer, match=words):
        answer_in(cells, "double")


def test_a_fault_in_another_cell_does_no_harm():
    answer = answer_in(["this is no Python", GOOD], "double")
    assert "2 * x" in answer.source
    assert answer.remark == "Code cell 1 cannot be read and was left out: invalid syntax in line 1."
