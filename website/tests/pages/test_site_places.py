"""The same site wherever it is: in a folder on a disk, at a root, under a path."""

import re
import zipfile
from urllib.parse import urlsplit

import pytest
from browsing import mounted, unveil
from listing import ROOT

from attn_book import address
from attn_book.commands import archive, serve

CHAPTER = "chapters/02-softmax.html"


def move_by_keyboard(view) -> None:
    """Operate a widget without a mouse, and see it respond."""
    slider = view.get_by_role("slider", name=re.compile("^Score of ")).first
    shares = slider.locator(
        "xpath=ancestor::*[contains(@class, 'attn-widget')]//*[contains(@class, 'attn-share')]"
    )
    before, value = shares.all_text_contents(), slider.input_value()
    slider.press("Home")
    assert slider.input_value() != value
    assert shares.all_text_contents() != before


def search_finds(view, word="notation", page="Notation") -> None:
    view.keyboard.press("Control+k")
    view.keyboard.type(word)
    view.keyboard.press("Enter")
    view.wait_for_url(re.compile(r"/search\.html\?q="))
    link = view.locator("#search-results li a").get_by_text(page, exact=True)
    link.wait_for()
    link.click()
    view.get_by_role("heading", name=page, level=1).wait_for()


def try_out(view, front: str, own: str) -> None:
    """What a reader does: open the site, go to a chapter, move a widget, search."""
    view.wait_for_url(front)
    assert mounted(view)
    view.locator(".attn-course-map a").get_by_text("Softmax").click()
    view.get_by_role("heading", level=1, name="Softmax").wait_for()
    assert mounted(view)
    assert view.locator(".math .katex").count() > 10
    for face in ("KaTeX", "Book"):
        loaded = f"({{ status, family }}) => status === 'loaded' && family.includes('{face}')"
        view.wait_for_function(f"() => [...document.fonts].some({loaded})")
    unveil(view)
    move_by_keyboard(view)
    search_finds(view)
    assert view.messages == []
    assert [url for url in view.requests if not url.startswith((own, "data:"))] == []


# ---- a folder on a disk


@pytest.fixture(scope="module")
def unpacked(folder, tmp_path_factory):
    """The archive, unpacked in a place that a reader may choose."""
    target = tmp_path_factory.mktemp("made") / "attention-measured.zip"
    archive.pack(folder, target, "How")
    place = tmp_path_factory.mktemp("a stick, 50% für #1?")
    with zipfile.ZipFile(target) as packed:
        packed.extractall(place)
    return place / "attention-measured"


def test_the_archive_is_read_by_a_double_click(page, unpacked):
    view = page((unpacked / "index.html").as_uri())
    try_out(view, "**/book/index.html", unpacked.as_uri())


def test_every_page_is_in_the_archive(unpacked, folder):
    there = {path.relative_to(unpacked) for path in unpacked.rglob("*.html")}
    wanted = {path.relative_to(folder) for path in folder.rglob("*.html")}
    assert wanted - there == {folder.joinpath("404.html").relative_to(folder)}


# ---- a server


@pytest.fixture(params=["/", "/owner-name/"])
def served(request, folder):
    with serve.running(folder, request.param) as address:
        yield address


def test_the_site_is_read_at_a_root_and_under_a_path(page, served):
    view = page(served)
    try_out(view, f"{served}book/index.html", served)


def test_a_wrong_address_is_answered_with_a_page(page, folder):
    """It links to the other pages, at the place that the site's address gives."""
    home = address.read(ROOT)
    with serve.running(folder, urlsplit(home.site).path if home else "/owner-name/") as here:
        view = page(f"{here}chapters/99-gone.html")
        view.get_by_role("heading", level=1, name="No such page").wait_for()
        view.get_by_role("link", name="the front page").click()
        view.wait_for_url(f"{here}book/index.html")
