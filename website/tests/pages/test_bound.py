"""The book as one PDF: its sheets, their numbers, its outline, and links that jump within it."""

from pypdf import PdfReader

from attn_book.commands import paper

FILLED = "<p>word</p>" * 90  # two sheets
PAGES = {
    "book/one": f'<h1>One<a class="headerlink" href="#top">#</a></h1>{FILLED}'
    '<p><a href="../chapters/02-two.html#deep">there</a> <a href="../chapters/02-two.html">it</a> '
    '<a href="claims.html#a">all</a> <a href="https://example.org/">far</a></p>',
    "chapters/02-two": f'<h1>Two &amp; more</h1><p><a href="#deep">below</a></p>{FILLED}'
    '<h2 id="deep">Deep</h2>',
}


def bound(browser, folder, home):
    for name, body in PAGES.items():
        path = folder / f"{name}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"<!doctype html><title>x</title><body>{body}", "utf-8")
    paper.bound(browser, folder, [*PAGES], "A book", home).write(folder / "book.pdf")
    return PdfReader(folder / "book.pdf")


def links(book):
    """By the sheet, counted from 1: the sheet or the address to which each link leads."""
    for n, page in enumerate(book.pages, 1):
        for each in (one.get_object() for one in page.get("/Annots", ())):
            if "/Dest" in each:
                yield n, book.get_page_number(each["/Dest"][0].get_object()) + 1
            else:
                yield n, each["/A"]["/URI"]


def test_pages_become_sheets_with_numbers_and_links_within_the_file(browser, tmp_path):
    book = bound(browser, tmp_path, "https://a.example/b/")
    begins = {each.title: book.get_destination_page_number(each) + 1 for each in book.outline}
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
