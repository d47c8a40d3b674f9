"""What makes a build build, and what it need not look at."""

import os

import pytest

from attn_book import whole


@pytest.fixture
def book(tmp_path):
    for name in ("chapters/a.ipynb", "website/assets/b.css", "_build/html/a.html"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text("1")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("chapters/a.ipynb", True),
        ("website/assets/b.css", True),
        ("website/assets/new.css", True),
        ("node_modules/.package-lock.json", True),
        ("node_modules/katex/katex.js", False),  # which the file above stands for
        ("book/reference/weights.md", False),  # made by each build
        ("_build/raw/a.html", False),
        (".git/index", False),
        (".venv/lib/a.py", False),
        ("website/tests/a.py", False),
    ],
)
def test_a_build_reads_the_sources_and_not_what_is_made_of_them(book, name, counts):
    before = whole.read_by_a_build(book)
    (book / name).parent.mkdir(parents=True, exist_ok=True)
    (book / name).write_text("22")
    assert (whole.read_by_a_build(book) != before) is counts


def test_a_build_depends_on_its_variables_and_on_no_file_s_time(book, monkeypatch):
    before = whole.read_by_a_build(book)
    os.utime(book / "chapters/a.ipynb", (1, 1))
    assert whole.read_by_a_build(book) == before
    monkeypatch.setenv("MODEL", "1")
    assert whole.read_by_a_build(book) != before


@pytest.mark.parametrize("changed", ["", "read", "page", "new", "gone", "forgotten"])
def test_a_site_is_whole_while_it_is_as_the_build_left_it(book, changed):
    page = book / "_build/html/a.html"
    assert not whole.is_whole(book, "1")
    whole.leave(book, "1")
    if changed == "page":
        page.write_text("22")
    elif changed == "new":
        page.with_name("b.html").write_text("1")
    elif changed == "gone":
        page.unlink()
    elif changed == "forgotten":
        whole.forget(book)
    assert whole.is_whole(book, "2" if changed == "read" else "1") is (not changed)
