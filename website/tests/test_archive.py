"""The book as a zip file: its contents, and that it is always whole and the same."""

import os
import zipfile

import pytest
from making import ROOT

from attn_book.commands import archive


@pytest.fixture
def root(tmp_path):
    site = tmp_path / "_build" / "html"
    servers = ("404.html", "robots.txt", "sitemap.xml", ".nojekyll")
    for name in ("index.html", *servers, "a/b é.html", "_static/model/any.gguf"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(name, "utf-8")
    (tmp_path / "LICENSE").write_text("The licence\n")
    return tmp_path


def test_it_holds_one_folder_with_what_a_reader_needs(root, capsys):
    target = archive.main(root)
    assert target == root / "dist" / f"attention-measured-{archive.VERSION}.zip"
    assert f"dist/{target.name}: the whole book" in capsys.readouterr().out
    with zipfile.ZipFile(target) as packed:
        assert set(packed.namelist()) == {
            f"{target.stem}/{name}" for name in ("index.html", "a/b é.html", "READ ME FIRST.txt")
        }
        assert packed.read(f"{target.stem}/a/b é.html").decode() == "a/b é.html"
        text = packed.read(f"{target.stem}/READ ME FIRST.txt").decode("utf-8-sig")
    assert archive.VERSION in text
    assert "index.html" in text
    assert text.endswith("The licence\r\n")


def test_its_version_is_that_of_the_package():
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert f'\nversion = "{archive.VERSION}"\n' in text


def test_the_same_book_makes_the_same_file(root):
    first = archive.main(root).read_bytes()
    os.utime(root / "_build" / "html" / "index.html", (10**9, 10**9))
    assert archive.main(root).read_bytes() == first


def test_an_interrupted_run_leaves_the_old_file(root, monkeypatch):
    target = archive.main(root)
    first = target.read_bytes()

    def full(*arguments):
        raise OSError("no space left")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    with pytest.raises(OSError, match="no space"):
        archive.main(root)
    assert target.read_bytes() == first


def test_without_a_book_it_says_how_to_make_one(tmp_path):
    with pytest.raises(SystemExit, match="make book"):
        archive.main(tmp_path)
    assert [*tmp_path.iterdir()] == []
