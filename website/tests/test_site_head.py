"""What a page says about itself to other sites, with and without an address."""

import os
import subprocess
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sphinx")

from attn_book import publish
from attn_book.address import Address
from attn_book.head import history, policy, sitemap
from attn_book.head import sharing as head
from attn_book.head.cards import Card
from attn_book.site import folder as site
from attn_book.site import launch, missing, page
from attn_book.site.edition import Edition

ROOT = Path(__file__).resolve().parents[2]

SITE = "https://ada.github.io/attention/"
ADDRESS = Address("ada/attention", SITE, "v0.1.0")
WITH = Edition("Attention, measured", "book/index", ADDRESS)
WITHOUT = Edition("Attention, measured", "book/index", None)
DAY = date(2026, 3, 5)
CARD = Card("_static/cards/0f.png", "A picture of weights")

editions = pytest.mark.parametrize("edition", [WITH, WITHOUT], ids=["address", "none"])


def make_page(name="chapters/02-y", title="Second · Attention, measured", body="") -> page.Page:
    return page.Page(
        name,
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="description" content="What it is &amp; more"></head>'
        f"<body><article><section><h1>Second</h1>{body}</section></article></body></html>",
    )


def meta(made: page.Page, name: str) -> str | None:
    """The content of the one meta element of that name."""
    made.head.write()
    found = made.soup.head.select(f'meta[property="{name}"], meta[name="{name}"]')
    assert len(found) < 2
    return found[0]["content"] if found else None


def canonical(made: page.Page) -> list[str]:
    made.head.write()
    return [link["href"] for link in made.soup.select("link[rel=canonical]")]


# ---- the head


def test_with_an_address_a_page_has_a_card():
    made = make_page()
    head.complete(made, WITH, DAY, CARD)
    assert canonical(made) == [f"{SITE}chapters/02-y.html"]
    assert {
        name: meta(made, name)
        for name in (
            "og:url",
            "og:type",
            "og:title",
            "og:description",
            "og:site_name",
            "og:image",
            "og:image:alt",
            "article:modified_time",
            "twitter:card",
        )
    } == {
        "og:url": f"{SITE}chapters/02-y.html",
        "og:type": "article",
        "og:title": "Second",
        "og:description": "What it is & more",
        "og:site_name": "Attention, measured",
        "og:image": f"{SITE}_static/cards/0f.png",
        "og:image:alt": "A picture of weights",
        "article:modified_time": "2026-03-05",
        "twitter:card": "summary_large_image",
    }


def test_without_an_address_there_is_nothing_that_needs_one():
    made = make_page()
    head.complete(made, WITHOUT, None, None)
    assert canonical(made) == []
    assert "http" not in str(made.soup.head)
    for name in ("og:url", "og:image", "og:image:alt", "article:modified_time"):
        assert meta(made, name) is None
    assert meta(made, "og:title") == "Second"
    assert meta(made, "twitter:card") == "summary"


def test_the_front_page_is_the_site():
    made = make_page("book/index", "Attention, measured: a book")
    head.complete(made, WITH, DAY, CARD)
    assert meta(made, "og:type") == "website"
    assert meta(made, "og:title") == "Attention, measured: a book"
    assert meta(made, "article:modified_time") is None


@pytest.mark.parametrize("name", ["search", "404"])
def test_a_page_to_use_is_not_to_be_found(name):
    made = make_page(name)
    head.complete(made, WITH, None, None)
    assert meta(made, "robots") == "noindex"
    assert canonical(made) == []


def test_the_policy_lets_a_canonical_link_name_another_host():
    made = make_page()
    head.complete(made, WITH, DAY, CARD)
    made.head.write()
    policy.refuse_forbidden(made)


def test_a_page_that_only_leads_to_another_is_shared_in_its_place():
    made = make_page()
    head.complete(made, WITH, DAY, CARD)
    again = page.Page("index", f"<html><head>{head.hand_on(made)}</head></html>")
    assert canonical(again) == canonical(made)
    for name in ("og:image", "og:title", "description", "twitter:card"):
        assert meta(again, name) == meta(made, name)


def test_a_heading_is_read_without_its_link():
    made = make_page()
    made.soup.h1.append(made.soup.new_tag("a", string="#"))
    assert page.heading(made) == "Second"


# ---- the list of pages


@pytest.fixture
def target(tmp_path) -> site.Site:
    return site.Site(ROOT, tmp_path, tmp_path)


def test_the_sitemap_names_each_page_and_its_day(target):
    pages = [make_page(name) for name in ("404", "book/index", "chapters/02-y", "search")]
    sitemap.write(pages, WITH, {"chapters/02-y": DAY}, target)
    read = ElementTree.parse(target.folder / "sitemap.xml").getroot()
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    assert read.tag == f"{space}urlset"
    assert [[(part.tag.removeprefix(space), part.text) for part in url] for url in read] == [
        [("loc", f"{SITE}book/index.html")],
        [("loc", f"{SITE}chapters/02-y.html"), ("lastmod", "2026-03-05")],
    ]
    robots = (target.folder / "robots.txt").read_text("utf-8").split("\n")
    assert f"Sitemap: {SITE}sitemap.xml" in robots
    assert not any(line.startswith("Disallow") for line in robots)


def test_without_an_address_there_is_no_sitemap(target):
    sitemap.write([make_page()], WITHOUT, {}, target)
    assert [*target.folder.iterdir()] == []


# ---- the page for what is missing


LINKS = """
<a id="1" href="book/index.html#a">1</a><a id="2" href="#here">2</a>
<a id="3" href="https://doi.org/10.1">3</a><a id="4" href="mailto:a@b.c">4</a>
<script id="5" src="_static/book.js?v=1"></script><form id="6" action="search.html"></form>
<a id="7" href="./book/../chapters/01-x.html">7</a><a id="8" href="/elsewhere">8</a>
"""


@pytest.mark.parametrize(
    ("at", "start"),
    [(SITE, "/attention/"), ("https://read.example/", "/"), ("https://a.b/c/d/", "/c/d/")],
)
def test_the_missing_page_names_files_from_the_root_of_its_host(at, start):
    made = make_page("404", body=LINKS)
    missing.name_from_root(made, Edition("T", "book/index", Address("a/b", at, "v1")))
    found = {
        tag["id"]: tag.get("href", tag.get("src", tag.get("action")))
        for tag in made.soup.select("[id]")
    }
    assert found == {
        "1": f"{start}book/index.html#a",
        "2": "#here",
        "3": "https://doi.org/10.1",
        "4": "mailto:a@b.c",
        "5": f"{start}_static/book.js?v=1",
        "6": f"{start}search.html",
        "7": f"{start}chapters/01-x.html",
        "8": "/elsewhere",
    }
    assert made.soup.html["data-content_root"] == start


def test_the_missing_page_of_a_site_without_an_address_loads_nothing():
    made = page.Page("404", missing.alone(WITHOUT))
    assert made.soup.find_all(["script", "img"]) == []
    assert [link["href"] for link in made.soup.find_all("link")] == ["data:,"]
    assert [link["href"] for link in made.soup.select("a")] == ["../book/index.html"]
    assert made.soup.h1.get_text() == "No such page"


def test_a_title_is_text_where_no_template_writes_it():
    title = "Cats & <i>dogs</i>"
    edition = Edition(title, "book/index", None)
    made = make_page("book/index", "Front")
    head.complete(made, edition, None, None)
    for html in (missing.alone(edition), publish.door(made, edition)):
        read = page.Page("404", html)
        assert title in read.soup.title.get_text()
        assert read.soup.i is None


# ---- when a page was changed


def git(folder: Path, *words: str, when: str = "2026-01-02T12:00:00Z") -> None:
    subprocess.run(
        ["git", "-C", folder, "-c", "user.name=A", "-c", "user.email=a@b.c", *words],
        check=True,
        capture_output=True,
        env={
            "PATH": os.environ["PATH"],
            "GIT_COMMITTER_DATE": when,
            "HOME": str(folder),
        },
    )


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "a book"
    (root / "chapters").mkdir(parents=True)
    git(root.parent, "init", "--quiet", str(root))
    (root / "chapters" / "01-x.ipynb").write_text("{}")
    (root / "chapters" / "02-y.md").write_text("one")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "a")
    (root / "chapters" / "02-y.md").write_text("two")
    git(root, "commit", "--quiet", "-a", "-m", "b", when="2026-02-03T12:00:00Z")
    (root / "chapters" / "03-z.md").write_text("not in git")
    return root


NAMES = ["chapters/01-x", "chapters/02-y", "chapters/03-z", "search", "404"]


def test_a_page_was_changed_when_its_source_was_committed(repository):
    assert history.dates(repository, NAMES) == {
        "chapters/01-x": date(2026, 1, 2),
        "chapters/02-y": date(2026, 2, 3),
    }


def test_a_shallow_clone_knows_no_days(repository, tmp_path):
    git(tmp_path, "clone", "--quiet", "--depth=1", repository.as_uri(), str(tmp_path / "shallow"))
    assert history.dates(tmp_path / "shallow", NAMES) == {}


def test_without_git_there_are_no_days(repository, tmp_path, monkeypatch):
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "index.md").write_text("x")
    assert history.dates(tmp_path / "plain", ["index"]) == {}
    monkeypatch.setenv("PATH", str(tmp_path))
    assert history.dates(repository, NAMES) == {}


@given(st.dates(min_value=date(1900, 1, 1)))
def test_the_footer_says_the_day_in_words_and_for_programs(day):
    made = make_page(body='<footer>MIT.<span class="attn-changed"></span></footer>')
    history.show(made, day)
    assert made.soup.footer.time["datetime"] == day.isoformat()
    assert made.soup.footer.get_text() == f"MIT. Last changed on {day.day} {day:%B} {day.year}."


def test_the_footer_says_nothing_of_a_day_that_is_not_known():
    made = make_page(body='<footer>MIT.<span class="attn-changed"></span></footer>')
    history.show(made, None)
    assert str(made.soup.footer) == "<footer>MIT.</footer>"


# ---- where else a page is


SOURCES = {
    "chapters/01-fixed-context": "chapters/01-fixed-context.ipynb",
    "book/notation": "book/notation.md",
    "book/reference/weights": "attn_course/weights.py",
    "search": None,
}


@editions
@pytest.mark.parametrize("name", SOURCES)
def test_with_an_address_a_page_leads_to_its_source_and_a_notebook_to_where_it_runs(edition, name):
    source = SOURCES[name]
    is_notebook = (source or "").endswith(".ipynb")
    download = '<a class="attn-download"></a>' if is_notebook else ""
    footer = '<footer><p>MIT.<span class="attn-changed"></span></p></footer>'
    made = make_page(name, body=f"{download}{footer}")
    launch.link({name: made}, ROOT, edition.address)
    links = {link.get_text(): link["href"] for link in made.soup.find_all("a", href=True)}
    wrong = links.pop("Something is wrong or unclear?", "")
    assert wrong.startswith(f"{ADDRESS.github}/issues/new?title=Second") == bool(links)
    expected = {}
    if edition.address and source:
        expected = {"Source of this page": ADDRESS.source(source)}
    if edition.address and is_notebook:
        expected |= {"Colab": ADDRESS.colab(source), "Binder": ADDRESS.binder(source)}
    assert links == expected
