"""What ties the built chapters together: contents, map, claims, glossary, recall questions."""

import itertools
import json
import re

import pytest
from browsing import of_each
from listing import CHAPTERS, ROOT, WRITTEN, documents, listed

from attn_book.notebooks import course

every_chapter = pytest.mark.parametrize("name", WRITTEN)
NOTEBOOKS = {name: json.loads((ROOT / f"{name}.ipynb").read_text("utf-8")) for name in CHAPTERS}


def about(name: str) -> dict:
    return NOTEBOOKS[name]["metadata"]["course"]


# ---- the contents


def test_the_contents_name_every_page_and_no_other():
    paths = [*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("book/*.md")]
    there = {path.relative_to(ROOT).with_suffix("").as_posix() for path in paths}
    assert {name for name in listed() if "/reference/" not in name} == there
    assert sorted(CHAPTERS) == CHAPTERS


@every_chapter
def test_a_chapter_says_what_it_asks_and_what_it_needs(name):
    facts = about(name)
    assert facts["question"].endswith("?")
    assert re.match(r"[a-z]", facts["afterwards"]), "it goes on after `you can`"
    assert not facts["afterwards"].endswith(".")
    earlier = [chapter.removeprefix("chapters/") for chapter in CHAPTERS[: CHAPTERS.index(name)]]
    assert set(facts["needs"]) <= set(earlier), "needs are chapters that come before"


@every_chapter
def test_a_chapter_asks_its_question_under_its_title(parsed, name):
    page = parsed[f"{name}.html"]
    assert page.select_one("article h1 ~ p").get_text() == about(name)["question"]
    place = course.read(ROOT, name).place
    assert page.select_one(".attn-kicker").get_text().startswith(f"{place} ")


# ---- the front page


def test_the_front_page_shows_every_chapter_once_on_its_map(parsed):
    items = parsed["book/index.html"].select(".attn-course-map > li")
    assert [item.a["href"] for item in items] == [f"../{name}.html" for name in CHAPTERS]
    for item, name in zip(items, CHAPTERS, strict=True):
        assert about(name)["question"] in item.get_text()
        assert about(name)["afterwards"] in item.get_text()
        minutes = item.select_one(".attn-course-minutes").get_text()
        assert f" {minutes}" in parsed[f"{name}.html"].select_one(".attn-kicker").get_text()


@pytest.mark.parametrize("width", [1280, 360])
def test_the_map_is_worked_by_keyboard_and_its_lines_meet(page, width):
    view = page("book/index.html", width=width)
    tracks = view.locator(".attn-course-track svg").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map((box) => [box.top, box.bottom])"
    )
    assert len(tracks) == len(CHAPTERS)
    assert all(end >= begin for (_, end), (begin, _) in itertools.pairwise(tracks))
    view.locator(".attn-course-map a").first.focus()
    view.keyboard.press("Enter")
    view.wait_for_url(f"**/{CHAPTERS[0]}.html")


# ---- claims


def plain(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").split())


def unbound(claim: dict) -> list[str]:
    """The numbers that a claim's sentence shows, which no part of its condition names."""
    named = set(re.findall(r"\w+", claim["condition"]))
    return [
        name
        for name, value in claim["values"].items()
        if "values" in value and not value["printed"] and name not in named
        if value["text"] in claim["sentence"]
    ]


def test_every_number_that_a_claim_shows_is_bound_or_said_to_be_printed_only(folder):
    stored = json.loads((folder / "claims.json").read_text("utf-8"))["claims"]
    assert [(one["address"], unbound(one)) for one in stored if unbound(one)] == []
    loose = {"condition": "x > 1", "sentence": "7 and 8"}
    loose["values"] = {
        name: {"values": [number], "text": str(number), "printed": False}
        for name, number in (("x", 7), ("y", 8), ("z", 9))
    }
    assert unbound(loose) == ["y"]


def test_what_was_expected_is_folded_in_the_chapters_and_with_the_claims(parsed):
    from attn_lab import expectations, registry

    run = {name.removeprefix("chapters/") for name in documents()}
    by_chapter = registry.by_chapter().items()
    out = {experiment for name, all_of in by_chapter if name not in run for experiment in all_of}
    stated = {
        name: [
            f"{expectation.fixed} · {expectations.verdict(expectation)}"
            for expectation in expectations.expectations(name)
        ]
        for name in expectations.experiments()
        if name not in out
    }
    chapters = [page for name, page in parsed.items() if name.startswith("chapters/")]
    for pages in (chapters, [parsed["book/claims.html"]]):
        folded = {}
        for block in [block for page in pages for block in page.select("details.attn-expected")]:
            assert not block.has_attr("open")
            for head in block.select("[data-experiment]"):
                verdicts = head.find_next_sibling("ol").select("li > em")
                texts = [verdict.get_text().replace("’", "'") for verdict in verdicts]
                folded[head["data-experiment"]] = texts
        assert folded == stated


def test_claims_can_be_filtered(page):
    view = page("book/claims.html", width=360)
    entries = view.locator(".attn-claims > li")
    state = "[one.checkVisibility(), one.innerText.toLowerCase()]"
    everything = entries.count()
    field = view.get_by_role("searchbox", name="Only claims with")
    field.fill("PERFECT model")
    left = [text for is_seen, text in of_each(entries, state) if is_seen]
    assert 0 < len(left) < everything
    assert all("perfect model" in text for text in left)
    view.get_by_role("status").get_by_text(f"{len(left)} of {everything}", exact=True).wait_for()
    field.fill("no such words")
    assert not view.get_by_role("heading", level=2).first.is_visible()
    field.fill("")
    assert all(is_seen for is_seen, _ in of_each(entries, state))
    assert view.messages == []


# ---- the glossary


def test_the_search_knows_the_glossary(page):
    view = page("search.html")
    view.get_by_role("searchbox").fill("context vector")
    view.keyboard.press("Enter")
    link = view.locator("#search-results li a").get_by_text("Glossary: context vector")
    link.press("Enter")  # results are still being listed, and a click might hit another one
    view.wait_for_url("**/book/glossary.html#term-context-vector")


# ---- formulas


def test_formulas_and_markdown_are_set_everywhere(parsed, page_name):
    """Also where Markdown meets HTML, as in folded answers."""
    for text in parsed[page_name].select_one("article, main").find_all(string=True):
        if text.find_parent(["pre", "code", "script", "svg", "style"]) or text.find_parent(
            class_=["katex", "attn-widget"]
        ):
            continue
        assert not re.search(r"\$[^$\s][^$]*\$|\\\(|\\\[|\*\*\w", text), text
        # a summary is raw HTML: Jupyter and the book interpret only the formulas in it
        assert not (text.find_parent("summary") and re.search(r"`|\*\w", text)), text
