"""What ties the built chapters together: contents, map, claims, glossary, recall questions."""

import itertools
import json
import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from listing import documents
from sweeps import every

ROOT = Path(__file__).resolve().parents[3]

CONTENTS = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
DOCUMENTS = [CONTENTS["root"]] + [
    chapter["file"] for part in CONTENTS["parts"] for chapter in part["chapters"]
]
CHAPTERS = [name for name in DOCUMENTS if name.startswith("chapters/")]
# what is drawn in a sentence: "98.9 % (98.6 to 99.2 over 3 seeds)"
SEEDS = r"[^();]* over \d+ seeds|the same in each of \d+ seeds|\d+ seeds agree to these figures"
SPREAD = re.compile(rf" \((?:{SEEDS})\)|(?<=\()(?:{SEEDS}); ")  # dots on the page
WRITTEN = [name for name in documents() if name in CHAPTERS]
every_chapter = pytest.mark.parametrize("name", WRITTEN)
NOTEBOOKS = {name: json.loads((ROOT / f"{name}.ipynb").read_text("utf-8")) for name in CHAPTERS}


def about(name: str) -> dict:
    return NOTEBOOKS[name]["metadata"]["course"]


def number_of(address: str) -> str:
    return re.search(r"chapters/0?(\w+)-", address)[1]


# ---- the contents


def test_every_chapter_is_in_the_contents_and_no_other():
    files = {
        path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.glob("chapters/*.ipynb")
    }
    assert files == set(CHAPTERS)
    assert sorted(CHAPTERS) == CHAPTERS


def test_every_page_of_prose_is_in_the_contents():
    files = {f"book/{path.stem}" for path in ROOT.glob("book/*.md")}
    assert files == {name for name in DOCUMENTS if name.startswith("book/")}


@every_chapter
def test_a_chapter_says_what_it_asks_and_what_it_needs(name):
    said = about(name)
    assert said["question"].endswith("?")
    assert re.match(r"[a-z]", said["afterwards"]), "it goes on after `you can`"
    assert not said["afterwards"].endswith(".")
    earlier = [each.removeprefix("chapters/") for each in CHAPTERS[: CHAPTERS.index(name)]]
    assert set(said["needs"]) <= set(earlier), "needs are chapters that come before"


@every_chapter
def test_a_chapter_asks_its_question_under_its_title(parsed, name):
    page = parsed[f"{name}.html"]
    assert page.select_one("article h1 ~ p").get_text() == about(name)["question"]
    assert page.select_one(".attn-kicker").get_text().startswith(f"Chapter {number_of(name)} ")


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


def records(name: str) -> list[dict]:
    """What the claims of a chapter left in the notebook that the build ran."""
    from attn_book.notebooks import build, claims, grounds

    results = ROOT / "_build" / build.RESULTS
    executed = build.executed(results, name, grounds.key(ROOT, name))
    return [record for _, record in claims.recorded(executed)]


def plain(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").split())


def test_a_claim_that_is_not_on_the_page_does_not_exist(parsed, folder):
    from attn_book.site import typography

    stated = {name: records(name) for name in CHAPTERS}
    page = parsed["book/claims.html"]
    entries = page.select(".attn-claims > li")
    stored = json.loads((folder / "claims.json").read_text("utf-8"))["claims"]
    everything = [record for name in CHAPTERS for record in stated[name]]
    assert len(everything) >= len(CHAPTERS)
    sentences = [plain(record["sentence"]) for record in everything]
    printed = [plain(typography.typeset(SPREAD.sub("", sentence))) for sentence in sentences]
    shown = [plain(entry.p.get_text()).replace("\u2060", "") for entry in entries]
    assert shown == printed
    assert [plain(one["sentence"]) for one in stored] == sentences
    for one, record in zip(stored, everything, strict=True):
        assert {key: one[key] for key in record} == record
    for name in CHAPTERS:
        (section,) = (part for part in page.select("section section") if name[9:] in part["id"])
        assert len(section.select(".attn-claims > li")) == len(stated[name])
        assert len(parsed[f"{name}.html"].select(".attn-claim")) == len(stated[name])


def test_the_front_page_says_how_many_results_were_expected(parsed, folder):
    stored = json.loads((folder / "claims.json").read_text("utf-8"))["claims"]
    counted = Counter(one["origin"] for one in stored)
    text = plain(parsed["book/index.html"].article.get_text())
    assert f"Of {len(stored)} results, {counted['expected']} were expected" in text
    assert f"The bounds of {counted['found']} were found by looking" in text
    assert f"and {counted['calculated']} follow from arithmetic" in text


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


def test_a_claim_leads_to_its_call_out(parsed):
    for entry in parsed["book/claims.html"].select(".attn-claims > li"):
        address = urlsplit(entry.select_one(".attn-claims-link")["href"])
        there = parsed[address.path.removeprefix("../")].find(id=address.fragment)
        assert plain(there.p.get_text()) == plain(entry.p.get_text())


@every_chapter
def test_a_chapter_s_source_states_as_many_results_as_it_shows(parsed, name):
    """A claim in a loop or a function is stated more often than it is written."""
    cells = [cell for cell in NOTEBOOKS[name]["cells"] if cell["cell_type"] == "code"]
    written = sum(len(re.findall(r"(?<![\w.])claim\(", "".join(cell["source"]))) for cell in cells)
    assert len(parsed[f"{name}.html"].select(".attn-claim")) >= written > 0


def test_what_was_expected_is_folded_in_the_chapters_and_with_the_claims(parsed):
    from attn_lab import expectations, registry

    run = {name.removeprefix("chapters/") for name in documents()}
    by_chapter = registry.by_chapter().items()
    out = {each for name, all_of in by_chapter if name not in run for each in all_of}
    stated = {
        name: [
            f"{each.fixed} · {expectations.verdict(each)}"
            for each in expectations.expectations(name)
        ]
        for name in expectations.experiments()
        if name not in out
    }
    chapters = [page for name, page in parsed.items() if name.startswith("chapters/")]
    for pages in (chapters, [parsed["book/claims.html"]]):
        shown = {}
        for block in [block for page in pages for block in page.select("details.attn-expected")]:
            assert not block.has_attr("open")
            for head in block.select("[data-experiment]"):
                verdicts = head.find_next_sibling("ol").select("li > em")
                texts = [each.get_text().replace("’", "'") for each in verdicts]
                shown[head["data-experiment"]] = texts
        assert shown == stated


def test_claims_can_be_filtered(page):
    view = page("book/claims.html", width=360)
    entries = view.locator(".attn-claims > li")
    everything = entries.count()
    field = view.get_by_role("searchbox", name="Only claims with")
    field.fill("PERFECT reader")
    left = [entry for entry in entries.all() if entry.is_visible()]
    assert 0 < len(left) < everything
    assert all("perfect reader" in entry.inner_text().lower() for entry in left)
    view.get_by_role("status").get_by_text(f"{len(left)} of {everything}", exact=True).wait_for()
    field.fill("no such words")
    assert not view.get_by_role("heading", level=2).first.is_visible()
    field.fill("")
    assert all(entry.is_visible() for entry in entries.all())
    assert view.messages == []


# ---- the glossary


def bold(name: str) -> list[str]:
    """The bold texts in a chapter's Markdown, read without the build."""
    cells = [cell for cell in NOTEBOOKS[name]["cells"] if cell["cell_type"] == "markdown"]
    return [
        " ".join(text.split()).rstrip(".:")
        for cell in cells
        for text in re.findall(r"\*\*(.+?)\*\*", "".join(cell["source"]), re.DOTALL)
    ]


def forms() -> dict[str, list[str]]:
    """The headwords of the glossary's source with all their forms."""
    text = (ROOT / "book" / "glossary.md").read_text("utf-8")
    body = re.search(r"```\{glossary\}\n:sorted:\n(.+?)\n```", text, re.DOTALL)[1]
    found = {}
    for entry in re.split(r"\n\s*\n", body.strip()):
        words = [line for line in entry.splitlines() if not line.startswith(" ")]
        found[words[0]] = words
    return found


def test_every_term_is_introduced_in_bold_and_leads_there(parsed):
    glossary = parsed["book/glossary.html"]
    entries = glossary.select("dl.glossary > dd")
    shown = [
        entry.find_previous_sibling("dt").find(string=True, recursive=False) for entry in entries
    ]
    assert shown == sorted(forms(), key=str.lower)
    for word, entry in zip(shown, entries, strict=True):
        users = [name for name in CHAPTERS if set(forms()[word]) & set(bold(name))]
        assert users, f"no chapter sets {word} in bold"
        back, *others = entry.select(".attn-first-use a")
        address = urlsplit(back["href"])
        assert address.path == f"../{users[0]}.html"
        term = parsed[f"{users[0]}.html"].find(id=address.fragment)
        assert term.get_text().rstrip(".:") in forms()[word]
        assert term["href"].startswith("../book/glossary.html#term-")
        for other in others:
            page, _, section = other["href"].removeprefix("../").partition("#")
            text = parsed[page].find(id=section).get_text().lower()
            assert any(form.lower() in text for form in forms()[word]), (word, other["href"])


@every_chapter
def test_bold_text_that_is_no_term_stays_as_it_is(parsed, name):
    known = {form for words in forms().values() for form in words}
    links = parsed[f"{name}.html"].select("a.attn-term")
    assert sorted(link.get_text().rstrip(".:") for link in links) == sorted(
        " ".join(text.split()) for text in bold(name) if text in known
    )


def test_the_search_knows_the_glossary(page):
    view = page("search.html")
    view.get_by_role("searchbox").fill("context vector")
    view.keyboard.press("Enter")
    found = view.locator("#search-results li a").get_by_text("Glossary: context vector", exact=True)
    found.press("Enter")  # results are still being listed, and a click might hit another one
    view.wait_for_url("**/book/glossary.html#term-context-vector")


# ---- questions that fold

# all that paper unfolds: not the code of a claim, and not what a widget folds
FOLDED = "article details:not([open], .hide, .attn-frame *)"


@pytest.mark.parametrize("name", every(4, WRITTEN))
def test_recall_questions_unfold_by_keyboard_and_are_printed_open(page, name):
    view = page(f"{name}.html")
    heading = view.get_by_role("heading", name="What you should now be able to say")
    folds = heading.locator("xpath=..").locator("details")
    assert folds.count() >= 5
    first = folds.first
    first.locator("summary").focus()
    view.keyboard.press("Enter")
    assert first.evaluate("(fold) => fold.open")
    shut = view.locator(FOLDED).count()
    assert shut > 0
    view.evaluate(
        """(folded) => window.addEventListener('beforeprint', () => {
          window.shut = document.querySelectorAll(folded).length;
        })""",
        FOLDED,
    )
    view.pdf(page_ranges="1")
    assert view.evaluate("window.shut") == 0
    assert view.locator(FOLDED).count() == shut


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


# ---- readers who are lost


def test_a_missing_page_has_an_answer(page):
    view = page("404.html")
    assert view.get_by_role("heading", name="No such page").is_visible()
    view.get_by_role("link", name="the front page").click()
    view.wait_for_url("**/book/index.html")


def test_a_chapter_is_numbered_wherever_it_is_named(parsed, page_name):
    page = parsed[page_name]
    for link in page.select(".bd-links a[href*='chapters/']"):
        assert link.get_text().startswith(f"{number_of(link['href'])}. ")


def test_a_folder_holds_the_file_of_claims(folder):
    assert Path(folder, "claims.json").stat().st_size > 100
