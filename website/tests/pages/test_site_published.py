"""The site of a course with an address: what it says to search engines and other sites."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from browsing import axe
from bs4 import BeautifulSoup
from html_valid import faults
from listing import EDITION, HOME, ROOT
from matplotlib import image

from attn_book.notebooks import course

NAMES = course.documents(ROOT)
CHAPTERS = [name for name in NAMES if name.startswith("chapters/")]

every_page = pytest.mark.parametrize("name", NAMES)
every_chapter = pytest.mark.parametrize("name", CHAPTERS)


@pytest.fixture(scope="module")
def pages(published) -> dict[str, BeautifulSoup]:
    texts = {name: (published / f"{name}.html").read_text("utf-8") for name in [*NAMES, "search"]}
    return {name: BeautifulSoup(text, "html.parser") for name, text in texts.items()}


def meta(page: BeautifulSoup, name: str) -> str:
    (tag,) = page.head.select(f'meta[property="{name}"], meta[name="{name}"]')
    return tag["content"]


def own_file(published: Path, url: str) -> Path:
    assert url.startswith(HOME.site)
    return published / url.removeprefix(HOME.site)


@every_page
def test_a_page_has_an_address_and_a_card(pages, published, name):
    page = pages[name]
    url = f"{HOME.site}{name}.html"
    assert [link["href"] for link in page.select("link[rel=canonical]")] == [url]
    assert meta(page, "og:url") == url
    assert meta(page, "twitter:card") == "summary_large_image"
    assert len(meta(page, "og:image:alt")) > 20
    card = own_file(published, meta(page, "og:image"))
    assert image.imread(card).shape[:2] == (630, 1200)
    assert (meta(page, "og:image:width"), meta(page, "og:image:height")) == ("1200", "630")
    assert card.stat().st_size < 300_000


@every_chapter
def test_the_card_of_a_chapter_is_one_of_its_own_figures(pages, name):
    figures = [figure["aria-label"] for figure in pages[name].select("figure.attn-figure svg")]
    assert meta(pages[name], "og:image:alt") in figures


def test_no_two_pages_have_the_same_card(pages):
    cards = [meta(pages[name], "og:image") for name in NAMES]
    assert len(set(cards)) == len(cards)


def listing(published: Path) -> dict[str, str | None]:
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    entries = ElementTree.parse(published / "sitemap.xml").getroot()
    return {entry.findtext(f"{space}loc"): entry.findtext(f"{space}lastmod") for entry in entries}


def test_the_sitemap_lists_every_page_that_is_to_be_found(pages, published):
    assert set(listing(published)) == {f"{HOME.site}{name}.html" for name in NAMES}
    assert meta(pages["search"], "robots") == "noindex"
    assert f"Sitemap: {HOME.site}sitemap.xml" in (published / "robots.txt").read_text("utf-8")


def test_what_an_address_adds_is_valid_html(published):
    names = ("404.html", "index.html", f"{EDITION.front}.html")
    assert faults(published / name for name in names) == ""


# ---- the page for what is missing, in a browser


@pytest.mark.parametrize("depth", ["gone.html", "chapters/gone/and/gone"])
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_wrong_address_is_answered_with_a_page_like_the_others(page, home, depth, width, scheme):
    view = page(f"{home}/{depth}", width=width, scheme=scheme)
    view.get_by_role("heading", level=1, name="No such page").wait_for()
    assert view.get_by_role("navigation", name="Main").is_visible() == (width == 1280)
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    others = [message for message in view.messages if "status of 404" not in message]
    assert others == []
    assert len(view.messages) == 1, "only the page itself is missing"
    assert [url for url in view.requests if not url.startswith((home, "data:"))] == []
    assert depth != "gone.html" or axe(view) == []  # at any depth it is the same page


def test_from_there_every_page_can_be_reached(page, home):
    view = page(f"{home}/chapters/gone/and/gone")
    view.get_by_role("link", name="Glossary").first.click()
    view.wait_for_url(f"{home}/book/glossary.html")
    view.goto(f"{home}/gone.html")
    view.keyboard.press("Control+k")
    view.keyboard.type("notation")
    view.keyboard.press("Enter")
    view.locator("#search-results li a").get_by_text("Notation", exact=True).click()
    view.wait_for_url(f"{home}/book/notation.html*")
