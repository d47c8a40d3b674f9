"""What a page says about itself to other sites, with and without an address."""

import base64
import hashlib
import os
import subprocess
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from making import ROOT

from attn_book import publish
from attn_book.address import Address
from attn_book.head import history, policy, sharing
from attn_book.head.cards import Card
from attn_book.site import folder as site
from attn_book.site import launch, missing, page, templates
from attn_book.site.edition import Edition

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


def facts_of(document: page.Page) -> dict[str, str]:
    """All facts of a page's head, and its canonical link."""
    document.head.write()
    facts = document.soup.head.select("meta[property], meta[name]")
    by_name = {fact.get("property") or fact["name"]: fact["content"] for fact in facts}
    link = document.soup.select_one("link[rel=canonical]")
    return by_name | ({"canonical": link["href"]} if link else {})


# ---- the head

ALWAYS = {"description": "What it is & more", "darkreader-lock": "The book is dark by itself."}
SHARED = {"og:site_name": "Attention, measured", "og:description": "What it is & more"}
SHARED |= ALWAYS | {"og:title": "Second", "og:type": "article", "twitter:card": "summary"}
PICTURE = {"og:image": f"{SITE}_static/cards/0f.png", "og:image:alt": "A picture of weights"}
PICTURE |= {"og:image:width": "1200", "og:image:height": "630", "og:image:type": "image/png"}
PICTURE |= {"twitter:card": "summary_large_image"}
FRONT = {"og:type": "website", "og:title": "Attention, measured: a book"}


def at(file: str) -> dict[str, str]:
    return {"canonical": f"{SITE}{file}", "og:url": f"{SITE}{file}"}


@pytest.mark.parametrize(
    ("name", "edition", "day", "card", "expected"),
    [
        ("chapters/02-y", WITH, None, None, SHARED | at("chapters/02-y.html")),
        ("chapters/02-y", WITHOUT, DAY, None, SHARED | {"article:modified_time": "2026-03-05"}),
        ("chapters/02-y", WITH, None, CARD, SHARED | at("chapters/02-y.html") | PICTURE),
        ("book/index", WITH, DAY, CARD, SHARED | at("book/index.html") | PICTURE | FRONT),
        ("book/index", WITHOUT, None, None, SHARED | FRONT),
        ("search", WITH, None, None, ALWAYS | {"robots": "noindex"}),
        ("404", WITH, None, None, ALWAYS | {"robots": "noindex"}),
    ],
)
def test_a_page_says_what_it_is_and_as_much_of_its_place_as_is_known(
    name, edition, day, card, expected
):
    document = make_page(name, **({"title": FRONT["og:title"]} if name == "book/index" else {}))
    sharing.complete(document, edition, day, card)
    assert facts_of(document) == expected
    policy.refuse_forbidden(document)  # a canonical link may name another host
    again = page.Page("index", f"<html><head>{sharing.shared_tags(document)}</head></html>")
    handed = {fact for fact in expected if fact.startswith(("og:", "article:", "twitter:"))}
    assert facts_of(again) == {
        fact: expected[fact] for fact in expected if fact in handed | {"canonical", "description"}
    }


def test_a_heading_is_read_without_its_link():
    document = make_page()
    document.soup.h1.append(document.soup.new_tag("a", string="#"))
    assert page.heading(document) == "Second"


def test_the_sitemap_names_each_page_and_its_day():
    names = ["404", "book/index", "chapters/02-y", "search"]
    read = ElementTree.fromstring(sharing.sitemap(names, WITH, {"chapters/02-y": DAY}))
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    assert read.tag == f"{space}urlset"
    assert [[(part.tag.removeprefix(space), part.text) for part in url] for url in read] == [
        [("loc", f"{SITE}book/index.html")],
        [("loc", f"{SITE}chapters/02-y.html"), ("lastmod", "2026-03-05")],
    ]


@editions
def test_a_site_with_an_address_says_to_search_engines_where_its_pages_are(edition, tmp_path):
    target = site.Site(ROOT, tmp_path / "raw", tmp_path)
    sharing.say_where([*sharing.ASIDE], target, edition, {})
    robots = tmp_path / "robots.txt"
    lines = robots.read_text("utf-8").splitlines() if robots.exists() else []
    assert (f"Sitemap: {SITE}sitemap.xml" in lines) == bool(edition.address)
    assert (tmp_path / "sitemap.xml").exists() == bool(edition.address)
    assert not any(line.startswith("Disallow") for line in lines)


# ---- the page for what is missing


LINKS = """
<a href="book/index.html#a"></a><a href="./book/../chapters/01-x.html"></a>
<script src="_static/book.js?v=1"></script><form action="search.html"></form>
<a href="#here"></a><a href="https://doi.org/10.1"></a><a href="mailto:a@b.c"></a>
<a href="/elsewhere"></a>
"""
INSIDE = ("book/index.html#a", "chapters/01-x.html", "_static/book.js?v=1", "search.html")
STAY = ("#here", "https://doi.org/10.1", "mailto:a@b.c", "/elsewhere")


@pytest.mark.parametrize(
    ("at", "start"),
    [(SITE, "/attention/"), ("https://read.example/", "/"), ("https://a.b/c/d/", "/c/d/")],
)
def test_the_missing_page_names_files_from_the_root_of_its_host(at, start):
    document = make_page("404", body=LINKS)
    missing.name_from_root(document, Edition("T", "book/index", Address("a/b", at, "v1")))
    addresses = [
        tag.get("href", tag.get("src", tag.get("action")))
        for tag in document.soup.article.select("a, script, form")
    ]
    assert addresses == [*(f"{start}{file}" for file in INSIDE), *STAY]
    assert document.soup.html["data-content_root"] == start


def test_the_missing_page_of_a_site_without_an_address_loads_nothing():
    document = page.Page("404", templates.page("missing.html", title="T", front="book/index"))
    assert document.soup.find_all(["script", "img"]) == []
    assert [link["href"] for link in document.soup.find_all("link")] == ["data:,"]
    assert [link["href"] for link in document.soup.select("a")] == ["../book/index.html"]
    assert document.soup.h1.get_text() == "No such page"


def test_a_title_is_text_where_no_template_writes_it():
    title = "Cats & <i>dogs</i>"
    edition = Edition(title, "book/index", None)
    document = make_page("book/index", "Front")
    sharing.complete(document, edition, None, None)
    alone = templates.page("missing.html", title=title, front="a")
    facts = {"title": document.head.title, "shared": sharing.shared_tags(document)}
    for html in (alone, publish.door("index", document.file, facts, edition)):
        read = page.Page("404", html)
        assert title in read.soup.title.get_text()
        assert read.soup.i is None
        for script in read.soup.find_all("script"):
            digest = base64.b64encode(hashlib.sha256(script.string.encode()).digest())
            assert f"script-src 'sha256-{digest.decode()}'" in html


# ---- when a page was changed


def git(folder: Path, *words: str, when: str = "2026-01-02T12:00:00Z") -> None:
    command = ["git", "-C", folder, "-c", "user.name=A", "-c", "user.email=a@b.c", *words]
    env = {"PATH": os.environ["PATH"], "GIT_COMMITTER_DATE": when, "HOME": str(folder)}
    subprocess.run(command, check=True, capture_output=True, env=env)


def test_a_page_was_changed_when_its_source_was_committed(tmp_path, monkeypatch):
    root, shallow, plain = (tmp_path / name for name in ("a book", "shallow", "plain"))
    for folder in (root / "chapters", plain):
        folder.mkdir(parents=True)
        for name, text in {"01-x.ipynb": "{}", "02-y.md": "one"}.items():
            (folder / name).write_text(text)
    git(tmp_path, "init", "--quiet", str(root))
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "a")
    (root / "chapters" / "02-y.md").write_text("two")
    git(root, "commit", "--quiet", "-a", "-m", "b", when="2026-02-03T12:00:00Z")
    (root / "chapters" / "03-z.md").write_text("not in git")
    names = ["chapters/01-x", "chapters/02-y", "chapters/03-z", "search", "404"]
    days = {"chapters/01-x": date(2026, 1, 2), "chapters/02-y": date(2026, 2, 3)}
    assert history.dates(root, names) == days
    git(tmp_path, "clone", "--quiet", "--depth=1", root.as_uri(), str(shallow))
    assert history.dates(shallow, names) == history.dates(plain, ["01-x"]) == {}
    monkeypatch.setenv("PATH", str(tmp_path))
    assert history.dates(root, names) == {}


@given(st.dates(min_value=date(1900, 1, 1)))
def test_the_footer_says_the_day_if_it_is_known_in_words_and_for_programs(day):
    footer = '<footer>MIT.<span class="attn-changed"></span></footer>'
    known, unknown = make_page(body=footer), make_page(body=footer)
    history.show(known, day)
    history.show(unknown, None)
    assert known.soup.footer.time["datetime"] == day.isoformat()
    assert known.soup.footer.get_text() == f"MIT. Last changed on {day.day} {day:%B} {day.year}."
    assert str(unknown.soup.footer) == "<footer>MIT.</footer>"


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
    document = make_page(name, body=f"{download}{footer}")
    launch.link(document, ROOT, edition.address)
    links = {link.get_text(): link["href"] for link in document.soup.find_all("a", href=True)}
    wrong = links.pop("Something is wrong or unclear?", "")
    assert wrong.startswith(f"{ADDRESS.github}/issues/new?title=Second") == bool(links)
    expected = {}
    if edition.address and source:
        expected = {"Source of this page": ADDRESS.source(source)}
    if edition.address and is_notebook:
        expected |= {"Colab": ADDRESS.colab(source), "Binder": ADDRESS.binder(source)}
    assert links == expected
