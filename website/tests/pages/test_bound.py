"""The book as one PDF and as one EPUB: what they hold, their order, and links that jump within."""

import re
import shutil
import subprocess
from xml.etree import ElementTree
from zipfile import ZIP_STORED, ZipFile

import pytest
from pypdf import PdfReader

from attn_book.commands import epub, paper

FILLED = "<p>word</p>" * 90  # two sheets
PAGES = {
    "book/one": f'<h1>One<a class="headerlink" href="#top">#</a></h1>{FILLED}'
    '<p><a href="../chapters/02-two.html#deep">there</a> <a href="../chapters/02-two.html">it</a> '
    '<a href="claims.html#a">all</a> <a href="https://example.org/">far</a></p>',
    "chapters/02-two": f'<h1>Two &amp; more</h1><p><a href="#deep">below</a></p>{FILLED}'
    '<h2 id="deep">Deep</h2>',
}
SPECIAL = (
    "<details><summary>Fold</summary><p>within</p></details><script>let x</script>"
    '<style>svg { --ink: #123456 }</style><svg role="img" aria-label="line">'
    '<path d="M0 0h9" style="stroke: var(--ink)"/></svg>'
    '<span class="katex" data-tex="x_1"><span><math><mi class="mathnormal">x</mi></math></span>'
    '<span class="katex-html">again</span></span>'
)
FROM_SPECIAL = ["within", "rgb(18, 52, 86)", ":mi>x"]


@pytest.fixture(autouse=True)
def written(tmp_path):
    (tmp_path / "_static" / "styles").mkdir(parents=True)
    (tmp_path / "_static" / "styles" / epub.FONT).touch()
    for name, body in PAGES.items():
        path = tmp_path / f"{name}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"<!doctype html><title>x</title><body>{body}{SPECIAL}", "utf-8")


def bound(browser, folder, home):
    paper.bound(browser, folder, [*PAGES], "A book", home).write(folder / "book.pdf")
    return PdfReader(folder / "book.pdf")


def links(book):
    """By the sheet, counted from 1: the sheet or the address to which each link leads."""
    for n, page in enumerate(book.pages, 1):
        for link in (annotation.get_object() for annotation in page.get("/Annots", ())):
            if "/Dest" in link:
                yield n, book.get_page_number(link["/Dest"][0].get_object()) + 1
            else:
                yield n, link["/A"]["/URI"]


def test_pages_become_sheets_with_numbers_and_links_within_the_file(browser, tmp_path):
    book = bound(browser, tmp_path, "https://a.example/b/")
    begins = {item.title: book.get_destination_page_number(item) + 1 for item in book.outline}
    assert [*begins] == ["One", "Two & more"]
    texts = [page.extract_text() for page in book.pages]
    assert "A book" in texts[0]
    assert [str(begins[title]) in texts[1] for title in begins] == [True, True]
    assert all(str(n) in text.split() for n, text in enumerate(texts[2:], 3))
    one, two = begins.values()
    deep = next(n for n, text in enumerate(texts, 1) if "Deep" in text)
    assert 3 == one < two - 1 < deep - 1
    assert [to for n, to in links(book) if n >= two] == [deep]
    away = ["https://a.example/b/book/claims.html#a", "https://example.org/"]
    assert [to for n, to in links(book) if n < two and to != one] == [deep, two, *away]


def test_without_an_address_a_link_to_a_page_that_is_left_out_is_none(browser, tmp_path):
    leads = [str(to) for _, to in links(bound(browser, tmp_path, None))]
    assert [to for to in leads if not to.isdigit()] == ["https://example.org/"]


def opened(browser, target, home):
    """The EPUB's files in XML, parsed; epubcheck has read it, where it is installed."""
    epub.write(target, browser, target.parent, [*PAGES], "A book", home)
    if checker := shutil.which("epubcheck"):
        assert subprocess.run(["java", "-jar", checker, "--quiet", target]).returncode == 0
    with ZipFile(target) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", ZIP_STORED)
        names = [name for name in archive.namelist() if name.endswith(("ml", "opf"))]
        return {name: ElementTree.fromstring(archive.read(name)) for name in names}


def leads(page):
    return [link.get("href") for link in page.iterfind(".//{*}a")]


def test_pages_become_an_epub_without_scripts_with_links_within_the_file(browser, tmp_path):
    target = tmp_path / "book.epub"
    book = opened(browser, target, "https://a.example/b/")
    spine = [item.get("idref") for item in book["book.opf"].iterfind(".//{*}itemref")]
    one, two = "book-one.xhtml", "chapters-02-two.xhtml"
    assert spine == ["title", "contents", one, two]
    assert leads(book["contents.xhtml"]) == [one, two, f"{two}#deep"]
    away = ["https://a.example/b/book/claims.html#a", "https://example.org/"]
    assert leads(book[one]) == [f"{two}#deep", two, *away]
    for page in (book[one], book[two]):
        text = ElementTree.tostring(page, "unicode")
        assert re.findall(r"script|var\(|again|details|class=", text) == []
        assert re.findall(r"within|rgb\(18, 52, 86\)|:mi>x", text) == FROM_SPECIAL
    once = target.read_bytes()
    opened(browser, target, "https://a.example/b/")
    assert target.read_bytes() == once


def test_without_an_address_an_epub_leads_to_no_page_that_is_left_out(browser, tmp_path):
    book = opened(browser, tmp_path / "book.epub", None)
    assert leads(book["book-one.xhtml"])[2:] == [None, "https://example.org/"]
