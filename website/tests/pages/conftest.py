"""The built book, served, and a real browser to read it with.

We do not use pytest-playwright: for Debian's browser it would need an override as long as the
fixture `browser`, and its page records neither messages nor requests.
"""

import contextlib
import functools
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import browsing
import pytest
from bs4 import BeautifulSoup
from filelock import FileLock
from listing import EDITION, HOME, OF_EACH_KIND, ROOT, SITE, documents, listed
from sweeps import sweep

from attn_book import publish, whole
from attn_book.commands import serve
from attn_book.commands import widgets_harness as harness
from attn_book.commands.browser import NoBrowser, chromium
from attn_book.notebooks import build, course, dependencies
from attn_book.site.folder import Site


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that has the argument ``page_name`` for every page, page by page.

    In a browser that takes minutes, and is a sweep.
    """
    if "page_name" in metafunc.fixturenames:
        names = page_names()
        always = metafunc.definition.get_closest_marker("every_page")
        if "browser" in metafunc.fixturenames and not always:
            names = sweep(names, OF_EACH_KIND)
        metafunc.parametrize("page_name", names, scope="module")


def page_names() -> list[str]:
    """All pages of the site, as paths from its root."""
    return [*(f"{name}.html" for name in documents()), "search.html"]


@pytest.fixture(scope="session")
def folder() -> Path:
    """The folder of the site; the book is built if it is missing."""
    if not (SITE / "index.html").exists():
        subprocess.run(
            [sys.executable, "-m", "attn_book.commands.build", "--quiet"], cwd=ROOT, check=True
        )
    return SITE


@pytest.fixture(scope="session")
def parsed(folder) -> dict[str, BeautifulSoup]:
    """All pages as they are in the folder, without a browser."""
    names = {*(f"{name}.html" for name in listed()), *page_names()}
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in sorted(names)}
    return {name: BeautifulSoup(text, "html.parser") for name, text in texts.items()}


@pytest.fixture(scope="session")
def site(folder) -> str:
    """The address of the site, served from this machine."""
    with serve.running(folder) as address:
        yield address.removesuffix("/")


@pytest.fixture(scope="session")
def published(folder, tmp_path_factory) -> Path:
    """The same site with an address, which adds links to every page: once for all workers."""
    whole = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    place = tmp_path_factory.getbasetemp().parent / f"published {whole}"
    with FileLock(f"{place}.lock"):
        if not (whole and place.exists()):
            publish_to(publish.fresh(place.with_name(f"{place.name} html")), folder)
            publish.replace(place.with_name(f"{place.name} html"), place)
    return place


def publish_to(target: Path, folder: Path) -> None:
    raw, names = folder.with_name("raw"), course.documents(ROOT)
    keys = {
        name: dependencies.key(ROOT, name) if name in documents() else ""
        for name in names
        if name.startswith("chapters/")
    }
    executed = build.notebooks(ROOT, raw.parent / build.RESULTS, keys)
    app = SimpleNamespace(env=SimpleNamespace(found_docs=names), outdir=raw)
    read = publish.read_pages(app), Site(ROOT, raw, target), executed, EDITION, {}
    publish.make_site(publish.Book(*read, whole.means(ROOT)))


@pytest.fixture(scope="session")
def home(published) -> str:
    """The address of that site, under the path that it is to have."""
    with serve.running(published, urlsplit(HOME.site).path) as address:
        yield address.removesuffix("/")


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium, driven by Playwright. Without it, tests are skipped, except in CI."""
    with contextlib.ExitStack() as stack:
        try:
            browser = stack.enter_context(chromium())
        except NoBrowser as missing:
            browsing.without(str(missing))
        yield browser


@pytest.fixture
def page(browser, site):
    """Open a page of the site: ``page("book/index.html", width=360, scheme="dark")``.

    A full address is used as it is. The page that is returned also has ``messages``, what was
    written to its console or raised, and ``requests``, the addresses that it requested.
    """
    with contextlib.ExitStack() as windows:

        def open_page(address="", **options):
            whole = address if urlsplit(address).scheme else f"{site}/{address}"
            return windows.enter_context(browsing.opened(browser, whole, **options))

        yield open_page


@pytest.fixture(scope="module")
def look_at(browser, site, home):
    """Look at a page once, for all tests that need it: ``look_at("book/index.html", 360)``.

    The wide window is light and the narrow one dark. Contrast, for which axe takes longest, depends
    on the theme, but not on the window. The narrow one shows the site with an address, whose pages
    have more that must fit.
    """

    @functools.cache
    def look(name: str, width: int, scheme: str = "") -> browsing.Seen:
        scheme = scheme or {1280: "light", 360: "dark"}[width]
        at = home if width < 768 else site
        options = {"width": width, "scheme": scheme, "reduced_motion": "reduce"}
        with browsing.opened(browser, f"{at}/{name}", **options) as view:
            browsing.unveil(view)
            whole, messages, requests = browsing.mounted(view), [*view.messages], [*view.requests]
            faults, widths = (
                browsing.axe(view),
                {},
            )  # browsing.axe itself asks for the style sheets again
            small, rewritten = view.evaluate(browsing.TOO_SMALL), view.evaluate(browsing.REWRITTEN)
            for size in {360: (360, 320), 1280: (1280, 768)}[width]:
                view.set_viewport_size({"width": size, "height": 800})
                widths[size] = view.evaluate("document.documentElement.scrollWidth")
            repeated = browsing.repeats(view) if width == 1280 else {}
            return browsing.Seen(
                at, whole, messages, requests, faults, widths, small, rewritten, repeated
            )

    return look


@pytest.fixture(scope="session")
def stage(tmp_path_factory) -> tuple[Path, str]:
    """A folder for pages with widgets, and its address."""
    folder = tmp_path_factory.mktemp("stage")
    with serve.running(folder) as address:
        yield folder, address


@pytest.fixture
def show(browser, stage):
    """Show widgets on a page of their own; any complaint of the page fails the test.

    Another page with the same options takes its place.
    """
    windows = {}

    def open_page(*widgets, views=1, theme="light", width=1200, **options):
        folder = Path(tempfile.mkdtemp(dir=stage[0]))
        harness.write_page(folder, widgets, views, theme)
        kind = repr(sorted(options.items()))
        page = windows[kind] = windows.get(kind) or browsing.lent(browser, **options)
        page.set_viewport_size({"width": width, "height": 800})
        page.mouse.move(0, 0)
        page.goto(f"{stage[1]}{folder.name}/index.html")
        page.wait_for_function("window.ready")
        return page

    yield open_page
    messages = [message for page in windows.values() for message in page.messages]
    elsewhere = {url for page in windows.values() for url in page.requests}
    for page in windows.values():
        browsing.give_back(page)
    assert messages == []
    assert [url for url in elsewhere if not url.startswith((stage[1], "data:"))] == []
