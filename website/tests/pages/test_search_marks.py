"""What a search highlights on the page that it leads to, and search without storage."""

import pytest
from browsing import FILL, FORBIDDEN

PAGE = "book/notation.html"
every_storage = pytest.mark.parametrize("storage", ["forbidden", "full"])


def follow_search(view):
    """Search for a word, and open a page that was found."""
    view.get_by_role("searchbox").fill("notation")
    view.keyboard.press("Enter")
    view.locator("#search-results li a").get_by_text("Notation", exact=True).click()
    view.get_by_role("heading", level=1, name="Notation").wait_for()


def test_what_was_searched_for_is_marked_until_the_reader_hides_it(page):
    view = page("search.html")
    follow_search(view)
    marks = view.locator("span.highlighted")
    marks.first.wait_for()
    hide = view.get_by_role("link", name="Hide Search Matches")
    hide.press("Enter")
    hide.wait_for(state="detached")
    assert marks.count() == 0
    assert view.url.endswith(PAGE)
    assert view.messages == []


def without_storage(view, storage):
    if storage == "full":
        view.evaluate(FILL)
    else:
        view.context.add_init_script(FORBIDDEN)
        view.reload()


@every_storage
def test_where_nothing_can_be_kept_the_search_finds(page, storage):
    view = page("search.html")
    without_storage(view, storage)
    follow_search(view)
    assert view.messages == []


@every_storage
def test_where_nothing_can_be_kept_the_colours_last_as_long_as_the_page(page, storage):
    view = page("search.html")
    without_storage(view, storage)
    view.get_by_role("button", name="Colours").click()
    theme = "document.documentElement.dataset.theme"
    assert view.evaluate("document.documentElement.dataset.mode") == "light"
    view.get_by_role("button", name="Colours").click()
    assert view.evaluate(theme) == "dark"
    view.reload()
    assert view.evaluate(theme) == "light"
    assert view.messages == []


def test_what_a_reader_s_own_progress_loses_is_not_hidden_from_it(page):
    """Only the stock scripts are kept from knowing that storage fails."""
    view = page("search.html")
    without_storage(view, "full")
    thrown = """(key) => {
      try { localStorage.setItem(key, "x".repeat(99)); } catch (error) { return error.name; }
    }"""
    assert view.evaluate(thrown, "attention-measured.progress") == "QuotaExceededError"
    assert view.evaluate(thrown, "sphinx_highlight_terms") is None
