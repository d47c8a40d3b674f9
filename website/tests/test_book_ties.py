"""What ties the chapters together: claims, glossary, map, numbers, links that lead somewhere."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from making import ROOT, dead_ends, make_chapter, make_page
from markupsafe import Markup
from sphinx.errors import ExtensionError

from attn_book.notebooks import claims, course, course_map, glossary, minutes, orientation
from attn_book.site import folder as site
from attn_book.site import katex, page
from attn_course.claims import Measured, claim

# ---- what the notebooks say of themselves


def write_book(root: Path, contents: str, **notebooks: dict) -> Path:
    (root / "chapters").mkdir()
    (root / "_toc.yml").write_text(contents)
    for name, metadata in notebooks.items():
        cells = [
            {"cell_type": "code", "source": ["# no title"]},
            {"cell_type": "markdown", "source": ["<!-- x -->\n", f"# Title of {name} \n", "x"]},
        ]
        notebook = {"cells": cells, "metadata": metadata}
        path = root / "chapters" / f"{name.replace('_', '-')[1:]}.ipynb"
        path.write_text(json.dumps(notebook))
    return root


CONTENTS = """
root: book/index
parts:
  - caption: A
    chapters:
      - file: book/a.md
      - file: chapters/07-b
  - caption: B
    chapters:
      - file: chapters/03-c.ipynb
"""


def test_chapters_come_in_the_order_of_the_contents(tmp_path):
    about = {"question": "Q?", "needs": ["07-b"], "afterwards": "do it"}
    root = write_book(tmp_path, CONTENTS, _07_b={}, _03_c={"course": about})
    assert course.documents(root) == ["book/index", "book/a", "chapters/07-b", "chapters/03-c"]
    first, second = course.chapters(root)
    assert (first.number, first.title, first.needs) == ("7", "Title of _07_b", ())
    facts = (second.number, second.question, second.needs, second.afterwards)
    assert facts == ("3", "Q?", ("chapters/07-b",), "do it")
    assert [path.name for path in course.sources(root)] == ["_toc.yml", "07-b.ipynb", "03-c.ipynb"]


def test_a_word_that_nothing_reads_and_a_chapter_without_a_title_are_refused(tmp_path):
    root = write_book(tmp_path, CONTENTS, _07_b={"course": {"need": []}}, _03_c={})
    with pytest.raises(ExtensionError, match=r"07-b has \['need'\]"):
        course.chapters(root)
    path = root / "chapters" / "07-b.ipynb"
    path.write_text(path.read_text().replace("# Title", "## Title").replace("need", "needs"))
    with pytest.raises(ExtensionError, match="07-b has no title"):
        course.chapters(root)


# ---- the map, and the way into it


def needed_by(size: int) -> st.SearchStrategy:
    """For each of a number of chapters, the numbers of earlier ones."""
    earlier = [st.sets(st.sampled_from(range(1, number))) for number in range(2, size + 1)]
    return st.tuples(st.just(set()), *earlier)


books = st.integers(1, 9).flatmap(needed_by)
few = settings(deadline=None, max_examples=40)


@few
@given(books)
def test_the_lines_of_the_map_lead_from_what_is_needed_and_tell_nothing_twice(needs):
    chapters = [make_chapter(n + 1, sorted(needed)) for n, needed in enumerate(needs)]
    items = drawn(chapters).select("li")
    assert [item.a["href"] for item in items] == [f"../{one.name}.html" for one in chapters]
    declared = [(one, n + 1) for n, needed in enumerate(needs) for one in needed]

    def leads(start, to, without):
        """Whether one chapter can be reached from another by declared links, leaving out one."""
        onward = [b for a, b in declared if a == start and (a, b) != without]
        return to in onward or any(leads(b, to, without) for b in onward if b < to)

    assert followed(items) == {(a, b) for a, b in declared if not leads(a, b, without=(a, b))}


def drawn(chapters, pictures=None) -> BeautifulSoup:
    return BeautifulSoup(course_map.course_map(chapters, "book", pictures or {}), "html.parser")


def followed(items) -> set[tuple[int, int]]:
    """The lines of the map, followed from row to row: each with the numbers that it joins."""
    pairs, under_way = set(), {}  # by where it leaves a row at the bottom: who it came from
    for number, item in enumerate(items, start=1):
        _, _, width, _ = map(int, item.svg["viewbox"].split())
        lines = [[*map(int, re.findall(r"-?\d+", p["d"]))] for p in item.select("path")]
        leaves = {}
        for x, y, *rest in lines:
            assert 0 <= x <= width
            if y == 50:  # from the number downwards; neighbours' lines may share a lane
                assert rest[-2] not in leaves or leaves[rest[-2]] == [number]
                leaves[rest[-2]] = [number]
            elif len(rest) == 1:
                assert rest == [100]
                leaves[x] = under_way.pop(x)
            else:
                assert rest[-1] == 50
                pairs |= {(origin, number) for origin in under_way.pop(x)}
        assert not under_way
        under_way = leaves
    assert not under_way
    return pairs


@few
@given(books)
def test_the_map_says_in_words_what_each_chapter_builds_on(needs):
    chapters = [make_chapter(n + 1, sorted(needed)) for n, needed in enumerate(needs)]
    for item, needed in zip(drawn(chapters).select("li"), needs, strict=True):
        sentence = item.select_one(".attn-course-needs")
        listed = {int(link.string) for link in sentence.select("a")} if sentence else set()
        assert listed == needed
        assert "Afterwards you can do it." in item.get_text()


def test_a_study_has_a_letter_instead_of_a_number():
    study = course.Chapter("chapters/b-x", "Title", "Why?", (), "do it")
    assert (study.place, study.number) == ("Study B", "B")
    assert drawn([study]).select_one(".attn-course-number").get_text() == "B"


def test_titles_are_text_and_a_picture_stands_with_its_chapter():
    title = "How <much> fits & what is lost?"
    chapters = [make_chapter(1, title=title), make_chapter(2)]
    items = drawn(chapters, {"02-x": Markup('<svg class="two"></svg>')}).select("li")
    assert items[0].a.get_text() == title
    assert [bool(item.select(".two")) for item in items] == [False, True]


def test_a_need_that_is_no_chapter_is_not_drawn():
    whole = drawn([make_chapter(2, needs=[1])])
    assert not whole.select("path")
    assert "Builds on" not in whole.get_text()


def test_the_button_begins_with_the_first_chapter_and_says_its_minutes():
    chapters = [make_chapter(1), make_chapter(2)]
    button_html = course_map.begin(chapters, "book", "What <for>?")
    front = make_page(button_html, name="book/index")
    words = "<p>" + "word " * 661 + "</p>"
    first = make_page(words)
    orientation.head(first, chapters[0])
    minutes.repeat(front, {first.name: minutes.say(first)})
    button = front.soup.select_one(".attn-begin")
    assert button["href"] == "../chapters/01-x.html"
    assert button.get_text() == "Begin 4 minutes"  # at 200 words a minute
    assert front.soup.select_one(".attn-go-on > p").get_text() == "What <for>?"


# ---- claims


@pytest.fixture
def shell():
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def stated(*sentences):
    """The outputs of a cell with these claims; each measures a share over three seeds."""
    with capture_output() as captured:
        for sentence in sentences:
            exact = Measured([0.989, 0.986, 0.992], "percent")
            condition = (exact > 0.95) & (exact < 1)
            claim(sentence, condition, "expected", exact=exact, who="<b>she</b>")
    return [output.data for output in captured.outputs]


def chapter_of(cells: dict[str, list[dict]]) -> tuple[page.Page, dict]:
    body = "".join(
        f'<div class="cell_output">{data["text/html"]}</div>'
        for outputs in cells.values()
        for data in outputs
    )
    notebook = {
        "cells": [
            {"id": key, "outputs": [{"data": data} for data in outputs]}
            for key, outputs in cells.items()
        ]
    }
    return make_page(body), notebook


def test_every_claim_is_on_the_page_and_in_the_file(shell, tmp_path):
    chapter, notebook = chapter_of(
        {"a": stated("{exact} of {who}.", "And {exact}."), "b": stated("{exact}")}
    )
    counts = "".join(f'<i><i data-counted="{one}"></i></i>' for one in ("all", "found", "expected"))
    front = make_page(f'{counts}<div data-claims="chapters/01-x"></div>', "book/claims")
    target = site.Site(ROOT, tmp_path, tmp_path)
    facts = {chapter.name: claims.find(chapter, notebook, [front.name], method=True)}
    claims.fill(front, facts)
    claims.count(front, claims.counted(facts.values()))
    claims.write(facts.values(), target)
    below = chapter.soup.select_one(".attn-claim .attn-claim-link")
    assert [a["href"] for a in below.find_all("a")] == [
        "../book/claims.html#01-x-claim-a",
        "../book/how-it-measures.html",
    ]

    assert [place.get_text() for place in front.soup.select("i")] == ["3", "0", "3"]
    entries = front.soup.select(".attn-claims > li")
    links = [entry.select_one(".attn-claims-link")["href"] for entry in entries]
    places = [f"../chapters/01-x.html#{name}" for name in ("claim-a", "claim-a-2", "claim-b")]
    assert links == places
    ids = [box["id"] for box in chapter.soup.select(".attn-claim")]
    assert ids == ["claim-a", "claim-a-2", "claim-b"]
    text = entries[0].get_text(" ")
    sentence = entries[0].select_one(".attn-claim-sentence")
    assert sentence.get_text() == "98.9\u00a0% of <b>she</b>."
    for part in (
        "98.9 %; 98.6 %; 99.2 %",
        "exact > 95 % in every seed",
        "margin 3.6 points",
        "margin 0.8 points",
        "Measured; expected beforehand",
    ):
        assert part in text
    fold = chapter.soup.select_one(".attn-claim details")
    assert fold.summary.get_text() == "Measured in 3 runs: 98.6\u00a0to\u00a099.2\u00a0%"
    assert fold.p.get_text().startswith("Expected beforehand. It must hold that ")
    assert entries[0].select("b") == []
    assert [name.text for name in entries[0].select("dt")] == ["exact"]  # a text is no measurement
    assert re.search(
        r"run with Python 3\.\d+\.\d+\S*, torch 2\.\S+ and NumPy \S+ on \S", front.soup.get_text()
    )

    stored = json.loads((tmp_path / "claims.json").read_text("utf-8"))["claims"]
    assert [one["address"] for one in stored] == [link.removeprefix("../") for link in links]
    assert stored[0]["values"]["exact"]["values"] == [0.989, 0.986, 0.992]
    assert stored[0]["sentence"] == "98.9 % (98.6 to 99.2 over 3 seeds) of <b>she</b>."
    dead_ends(chapter, front, make_page("", claims.METHOD))


def test_chosen_claims_stand_first_in_the_order_given(shell):
    chapter, notebook = chapter_of({"a": stated("{exact} of {who}."), "b": stated("{exact}")})
    facts = {chapter.name: claims.find(chapter, notebook, [], method=False)}
    chosen = '<ol data-chosen="01-x-claim-b 01-x-claim-a 99-in-no-small-book-claim-a"></ol>'
    page = make_page(chosen, "book/claims")
    claims.fill(page, facts)
    links = [link["href"] for link in page.soup.select("ol > li > a")]
    assert links == ["../chapters/01-x.html#claim-b", "../chapters/01-x.html#claim-a"]
    wrong = make_page(chosen.replace("claim-b", "claim-c"), "book/claims")
    with pytest.raises(ExtensionError, match="no chapter: \\['01-x-claim-c'\\]"):
        claims.fill(wrong, facts)


@pytest.mark.parametrize("lost", ["box", "record"])
def test_a_claim_that_would_be_missing_fails_the_build(shell, lost):
    chapter, notebook = chapter_of({"a": stated("{exact}", "{exact} again")})
    if lost == "box":
        chapter.soup.select_one(".attn-claim").decompose()
    else:
        notebook["cells"][0]["outputs"].pop()
    with pytest.raises(ExtensionError, match="claims, but its page shows"):
        list(claims.claims_of(chapter, notebook))


# ---- the glossary


def make_glossary() -> page.Page:
    return make_page(
        '<dl class="simple glossary">'
        '<dt id="term-mask">mask<a class="headerlink" href="#term-mask">#</a></dt>'
        '<dt id="term-masks">masks<a class="headerlink" href="#term-masks">#</a></dt>'
        '<dt id="term-Mask">Mask</dt><dd><p>What may be read.</p></dd>'
        '<dt id="term-soft-max">soft max</dt><dd><p>Shares.</p></dd></dl>',
        glossary.DOCUMENT,
    )


def linked(*bodies: str) -> tuple[page.Page, list[page.Page]]:
    pages = [make_page(body, f"chapters/{n + 1:02}-x") for n, body in enumerate(bodies)]
    book = make_glossary()
    entries = glossary.entries(book)
    first = glossary.first_uses({one.name: glossary.link(one, entries) for one in pages})
    for one in pages:
        glossary.mark(one, [key for key, name in first.items() if name == one.name])
    uses = {key: glossary.uses(name, key, {}) for key, name in first.items()}
    course = [make_chapter(n + 1) for n in range(len(bodies))]
    glossary.lead_back(book, uses, {chapter.name: chapter for chapter in course})
    dead_ends(book, *pages)
    return book, pages


FORMS = dict.fromkeys(["mask", "masks", "Mask", "Mask."], "mask") | {"soft\n max": "soft-max"}


@pytest.mark.parametrize(("form", "key"), FORMS.items())
def test_a_term_in_bold_leads_to_its_entry(form, key):
    _, (chapter,) = linked(f"<p>A <strong>{form}</strong> here.</p>")
    term = chapter.soup.select_one("a.attn-term")
    assert term["href"] == f"../book/glossary.html#term-{key}"
    assert term.strong.get_text() == form
    assert chapter.soup.select_one("article p:last-of-type").get_text() == f"A {form} here."


@pytest.mark.parametrize(
    "body",
    [
        "<p><strong>Try this</strong></p>",
        "<p><strong>MASK</strong></p>",
        "<p><strong>mask of sorts</strong></p>",
        "<p><em>mask</em> and mask</p>",
        '<div class="cell_output"><p><strong>mask</strong></p></div>',
        '<p><a href="#x" id="x"><strong>mask</strong></a></p>',
        "<h2><strong>mask</strong></h2>",
        "<details><summary><strong>mask</strong></summary></details>",
    ],
)
def test_other_bold_text_stays_as_it_is(body):
    book, (chapter,) = linked(body)
    assert chapter.soup.select("a.attn-term") == []
    assert book.soup.select(".attn-first-use") == []


def test_an_entry_leads_back_to_the_first_chapter_only():
    body = "<p><strong>masks</strong> and <strong>mask</strong></p>"
    book, pages = linked("<p>none</p>", body, body)
    (back,) = book.soup.select(".attn-first-use a")
    assert back["href"] == "../chapters/02-x.html#first-term-mask"
    assert back.get_text() == "2. Title"
    assert pages[1].soup.select_one("#first-term-mask").get_text() == "masks"
    assert [len(one.soup.select("a.attn-term")) for one in pages] == [0, 2, 2]
    assert pages[2].soup.select("[id^=first]") == []


def test_only_the_headword_is_shown_and_all_places_stay():
    book, _ = linked("<p>none</p>")
    terms = [term.get_text() for term in book.soup.select("dt")]
    assert terms == ["mask#", "soft max"]
    for key in ("term-mask", "term-masks", "term-Mask"):
        assert len(book.soup.select(f"#{key}")) == 1


def test_a_book_may_have_no_glossary():
    chapter = make_page("<p><strong>mask</strong></p>")
    before = str(chapter.soup)
    assert glossary.link(chapter, {}) == []
    assert str(chapter.soup) == before


# ---- numbers, links, summaries


def test_chapters_are_numbered_in_the_frame_and_on_their_page():
    frame = (
        '<nav class="bd-links"><a href="#">Here</a><a href="02-x.html">There</a>'
        '<a href="../book/notation.html">Notation</a></nav><div class="prev-next-area">'
        '<a href="02-x.html"><p>next</p><p class="prev-next-title">There</p></a></div>'
    )
    one, two = make_page(frame=frame), make_page(name="chapters/02-x")
    orientation.number(one, [make_chapter(1), make_chapter(2)])
    orientation.head(two, make_chapter(2))
    texts = [link.get_text() for link in one.soup.select(".bd-links a, .prev-next-title")]
    assert texts == ["1. Here", "2. There", "Notation", "2. There"]
    assert two.soup.select_one("article h1").find_previous_sibling().get_text() == "Chapter 2"
    for _ in range(2):
        assert two.head.facts["description"] == "Why? Afterwards you can do it."
        page.described(two)


def test_a_fold_of_the_menu_says_which_pages_it_holds():
    frame = (
        '<nav class="bd-links"><ul><li><a href="#">Studies</a><details><summary><i></i></summary>'
        '<ul><li><a href="02-x.html">There</a></li></ul></details></li></ul></nav>'
    )
    chapter = make_page(frame=frame)
    orientation.name_folds(chapter)
    assert chapter.soup.summary["aria-label"] == "Pages below Studies"


def test_a_chapter_ends_with_the_pieces_that_it_was_about():
    pieces = {1: ("scores", "weights"), 2: ("weights",), 3: ("heads",), 4: ()}
    all_of_them = [replace(make_chapter(n), pieces=names) for n, names in pieces.items()]
    end = f'<section id="{orientation.END}"><p>Say</p><section id="more"></section></section>'
    first, last = make_page(end), make_page(end, all_of_them[3].name)
    orientation.list_pieces(first, all_of_them[0], all_of_them)
    orientation.list_pieces(last, all_of_them[3], all_of_them)
    rail = first.soup.find(id="more").find_previous_sibling()
    assert [one.get_text() for one in rail.find_all("li")] == [*orientation.PIECES]
    assert [one.get_text() for one in rail.find_all(class_="attn-lit")] == ["scores", "weights"]
    assert {one.get_text(): one["href"] for one in rail.find_all("a")} == {"heads": "03-x.html"}
    orientation.list_pieces(last, replace(all_of_them[3], pieces=("scores",)), all_of_them)
    assert last.soup.find("a", string="weights")["href"] == "02-x.html"  # about nothing else
    with pytest.raises(ExtensionError, match="the pieces \\['mantle'\\]"):
        orientation.list_pieces(first, replace(all_of_them[0], pieces=("mantle",)), all_of_them)


GOOD = '<h2 id="there">There</h2><p id="é">x</p>'


@pytest.mark.parametrize(
    "where", ["<p>{}</p>", "<details><p>{}</p></details>", '<div class="cell_output">{}</div>']
)
@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("02-x.html#there", True),
        ("../chapters/02-x.html#%C3%A9", True),
        ("02-x.html", True),
        ("https://example.org/02-x.html#nowhere", True),
        ("../_static/other.pdf#page=3", True),
        ("02-x.html#their", False),
        ("#there", False),
    ],
)
def test_a_link_to_a_place_that_is_not_there_fails_the_build(where, address, good):
    chapter = make_page(where.format(f'<a href="{address}">see</a>'))
    pages = (chapter, make_page(GOOD, "chapters/02-x"))
    if good:
        dead_ends(*pages)
    else:
        with pytest.raises(ExtensionError, match=r"chapters/01-x leads to .*, where nothing"):
            dead_ends(*pages)


def test_formulas_in_summaries_are_set():
    chapter = make_page(
        "<details><summary>What is $h_j$ &lt; 1?</summary><p>Costs $5 or $6</p></details>"
    )
    katex.render_outputs(chapter.soup)
    assert chapter.html(ROOT).partition("</summary>")[0].count('class="katex"') == 1
    assert chapter.soup.summary.get_text().endswith(" < 1?")
    assert chapter.soup.select_one("details p").get_text() == "Costs $5 or $6"
