"""What a page does for its reader: folded code, exercises, minutes, parts."""

import math
from collections import Counter
from itertools import pairwise

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from making import ROOT, page_of
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from attn_book.address import Address
from attn_book.notebooks import code, exercises, minutes
from attn_book.site import listings, parts
from attn_book.site.edition import Edition

HOME = Address("ada/attention", "https://ada.github.io/attention/", "v0.1.0")
PLOT = "plots.curves(x, lines)\n"
MORE = (
    '<div class="attn-claim"><details class="attn-claim-more hide"><summary>Measured; x</summary>'
    "<p>It must hold.</p></details></div>"
)


def cell(source: str, output: str = "", tag: str = "") -> str:
    """A code cell as MyST-NB writes it."""
    listing = highlight(source, PythonLexer(), listings.Thin())
    inside = f'<div class="cell_input">{listing}</div>'
    if tag == "tag_hide-input":
        stock = '<details class="admonition hide above-input"><summary>Show</summary>'
        inside = f"{stock}{inside}</details>"
    output = output and f'<div class="cell_output">{output}</div>'
    return f'<div class="cell {tag}">{inside}{output}</div>'


def arranged(body: str) -> BeautifulSoup:
    page = page_of(body)
    code.arrange(page)
    code.join_folds(page)
    return page.soup


# ---- code


def test_the_code_of_a_claim_unfolds_under_the_word_measured():
    source = 'claim("It is {x}.", x > 0, "found", x=x)'
    soup = arranged(cell(source, MORE + MORE))
    for more in soup.select(".attn-claim-more"):
        assert [part.name for part in more.find_all(recursive=False)] == ["summary", "p", "pre"]
        assert more.pre.get_text() == source
    assert len(soup.select("pre")) == 2
    assert not soup.select(".cell_input")


def test_a_claim_in_a_hidden_cell_unfolds_once():
    soup = arranged(cell("claim()", MORE, "tag_hide-input"))
    assert [fold["class"] for fold in soup.select("details")] == [["attn-claim-more", "hide"]]


@pytest.mark.parametrize(
    ("source", "output", "label"),
    [
        ("import math\n\nattn_course.check_shapes()", "", "Code: imports"),
        ("%matplotlib inline\nimport math", "", "Code: imports"),
        ("import math\nx = math.pi", "", "Code: preparation"),
        ("x = 3", "", "Code: preparation"),
        (PLOT, '<figure class="attn-figure"><svg></svg></figure>', "Code: the figure"),
        (
            "ask = Prediction()\nask",
            f'<script type="{code.WIDGET}"></script>',
            "Code: the question",
        ),
        ("ScoreBars(e)", f'<script type="{code.WIDGET}"></script>', "Code: the widget"),
    ],
)
def test_hidden_code_unfolds_under_a_line_that_says_what_it_is_for(source, output, label):
    soup = arranged(cell(source, output, "tag_hide-input"))
    (fold,) = soup.select("details")
    assert fold.summary.get_text() == label
    assert fold.pre.get_text() == source.strip()
    assert len(fold.find_all(True)) == 2  # whatever the code: a summary and a text
    assert fold.find_next_sibling() is (soup.select_one(".cell_output") if output else None)


HIDDEN = "tag_hide-input"
FIGURE = '<figure class="attn-figure"><svg></svg></figure>'


def test_hidden_cells_in_a_row_unfold_together_up_to_the_one_that_shows_something():
    row = [cell("import math", "", HIDDEN), cell("x = 1", "", HIDDEN), cell(PLOT, FIGURE, HIDDEN)]
    soup = arranged("\n".join([*row, cell("y = 2", "", HIDDEN)]))
    first, second = soup.select(".cell > details")
    texts = [code.get_text() for code in first.select("pre")]
    assert texts == ["import math", "x = 1", PLOT.strip()]
    assert first.summary.get_text() == "Code: the figure"
    assert first.find_next_sibling()["class"] == ["cell_output"]
    assert [code.get_text() for code in second.select("pre")] == ["y = 2"]
    assert len(soup.select(".cell")) == 2


@pytest.mark.parametrize(
    "between", ["<p>A sentence.</p>", "A sentence.", cell("z = 3"), cell("claim()", MORE, HIDDEN)]
)
def test_hidden_cells_with_something_between_them_unfold_alone(between):
    soup = arranged(cell("x = 1", "", HIDDEN) + between + cell("y = 2", "", HIDDEN))
    folds = soup.select("details.attn-code")
    assert [fold.pre.get_text() for fold in folds] == ["x = 1", "y = 2"]


@pytest.mark.parametrize("sources", [("import math", "x = 1"), ("x = 1", "import math")])
def test_imports_name_a_fold_only_if_there_is_nothing_else(sources):
    soup = arranged("".join(cell(source, "", HIDDEN) for source in sources))
    (fold,) = soup.select("details")
    assert fold.summary.get_text() == "Code: preparation"


def test_open_code_keeps_its_place_and_its_words():
    source = "def share(scores):  # of one unit\n    return [1.5, 'a']"
    page = page_of(cell(source))
    code.arrange(page)
    assert page.soup.select_one(".cell > .cell_input pre").get_text().strip() == source
    soup = BeautifulSoup(page.html(ROOT), "html.parser")
    assert soup.select_one(".cell > .cell_input pre").get_text().strip() == source
    colours = {span["class"][0]: span.get_text() for span in soup.select("pre span")}
    assert colours == {"k": "return", "nf": "share", "c": "# of one unit", "m": "1.5", "s": "'a'"}


WORDS = ["def f(x):\n", "    return x\n", "'a'", "3.5", " + ", "# so\n", "class A: pass\n"]
WORDS += ["\n", "é"]


@given(st.lists(st.sampled_from(WORDS)).map("".join))
def test_thinning_out_changes_no_word_and_leaves_no_two_neighbours_of_one_colour(source):
    whole, thin = (
        BeautifulSoup(highlight(source, PythonLexer(stripnl=False), formatter), "html.parser").pre
        for formatter in (HtmlFormatter(), listings.Thin())
    )
    assert thin.get_text() == whole.get_text()
    assert len(thin.select("span")) < len(whole.select("span"))
    colours = [getattr(piece, "attrs", {}).get("class") for piece in thin.contents]
    assert all(one != other for one, other in pairwise(colours))


# ---- exercises

STUB = """from a import soft


def mine(scores, t):
    raise NotImplementedError('do')


soft.check(mine)"""
SOLUTION = 'show_source(soft.solution, folded="A solution")'


@pytest.mark.parametrize("home", [None, HOME])
def test_an_exercise_says_what_to_write_and_where(home):
    effort = '<p class="attn-effort">About 15 minutes, hard.</p>'
    verdict = f'<div class="attn-verdict">Not attempted yet.{effort}</div>'
    folded = "<details><summary>A solution</summary></details>"
    page = page_of(
        "<h3>1. Soft</h3><p>Do.</p>"
        + cell(STUB, verdict)
        + cell(SOLUTION, folded)
        + cell("x = soft.check")
    )
    edition = Edition("A book", "book/index", home)
    exercises.for_readers(page, edition)
    line = page.soup.select_one("article p.attn-to-do")
    assert line.code.get_text() == "mine(scores, t)"
    links = [link["href"] for link in line.select("a")]
    assert ("make lab" in line.get_text()) == (home is None)
    assert links == (
        [HOME.colab("chapters/01-x.ipynb"), HOME.binder("chapters/01-x.ipynb")] if home else []
    )
    assert "NotImplementedError" not in page.soup.get_text()
    assert not page.soup.select(".attn-verdict")
    assert [str(paragraph) for paragraph in page.soup.select("h3 + p")] == [effort]
    actual = [part.get_text().strip() for part in page.soup.select(".cell")]
    assert actual == [line.get_text(), "A solution", "x = soft.check"]


# ---- minutes


def test_what_stands_open_is_counted_and_exercises_are_not():
    body = (
        "<section><h1>One two<a class='headerlink'>#</a></h1><p>three — <em>four</em> "
        "<attn-formula data-display='false'>x y</attn-formula> five.</p>"
        + cell("a = 1\nb = 2\n\nc = 3", '<div class="output stream"><pre>1\n2</pre></div>')
        + '<figure class="attn-figure"><figcaption>six</figcaption><svg>'
        "<text>no</text></svg></figure>"
        '<div class="attn-widget" data-widget="BeamTree">no word</div>'
        '<div class="attn-widget" data-widget="Prediction">no word</div>'
        '<div class="attn-claim"><p>seven <strong>8.5</strong><svg></svg></p></div>'
        '<section class="attn-side"><h3>nine</h3><p>ten</p>'
        '<div class="attn-claim"><p>eleven</p></div></section>'
        "<details><summary>folded</summary>words</details>"
        "<section class='attn-exercises'><h2>Exercises</h2><p>Do this.</p><pre>x</pre></section>"
        "<section class='attn-questions'><h2>What can you say?</h2>"
        "<details><summary>seven?</summary>eight</details></section>"
        "</section>"
    )
    article = page_of(body).soup.article
    recall = len(["What", "can", "you", "say?"])
    # "words": a formula is one, a dash none
    road = Counter(words=9 + recall, lines=4, guesses=1, widgets=1, claims=1)
    assert minutes.counted(article, sides=False) == road + Counter({"claim words": 2})
    beside = Counter({"words": 2, "claims": 1, "claim words": 1})
    assert minutes.counted(article.find(class_="attn-side")) == beside
    assert minutes.counted(article) == minutes.counted(article, sides=False) + beside


@given(st.integers(0, 10_000), st.integers(0, 500))
def test_minutes_are_whole_and_never_fewer(words, lines):
    counts = Counter(words=words, lines=lines)
    exact = words / minutes.PER_MINUTE["words"] + lines / minutes.PER_MINUTE["lines"]
    assert minutes.minutes(counts) == math.ceil(exact)


# ---- parts


def test_the_innermost_sections_but_the_last_are_parts_and_more_in_one_is_higher():
    word = "<p>One more word of prose stands here.</p>"
    inner = "".join(f"<section><h3>T</h3>{word * count}</section>" for count in (1, 2, 5, 1))
    page = page_of(f"<section><h1>C</h1><section><h2>S</h2>{inner}</section></section>")
    parts.divide(page)
    marked = page.soup.select(".attn-part")
    assert marked == page.soup.select("section:has(> h3)")[:-1]
    heights = [int(part["style"].removeprefix("--attn-tall:")) for part in marked]
    assert heights == sorted(set(heights))
    folded = f"<details><summary>T</summary>{word * 50}</details>"
    marked[0].append(BeautifulSoup(folded, "html.parser"))
    assert heights[0] < parts.height(marked[0]) < heights[2]


def test_what_is_veiled_when_the_page_opens_adds_nothing_to_a_part():
    open_part = "<h3>T</h3><p>Some words.</p>"
    kinds = (
        "<p>Some words.</p>",
        "<figure></figure>",
        "<pre>one line</pre>",
        "<div class=cell></div>",
        "<div class=attn-widget></div>",
        "<details><summary>T</summary></details>",
    )
    for more in kinds:
        veil = f"<div class=attn-veil>{more}</div>"
        plain, veiled, open_ = (
            BeautifulSoup(f"<section>{inner}</section>", "html.parser").section
            for inner in (open_part, open_part + veil, open_part + more)
        )
        assert parts.height(plain) == parts.height(veiled) < parts.height(open_)
    whole = BeautifulSoup(f"<div class=attn-veil>{plain}</div>", "html.parser").section
    assert parts.height(whole) == parts.height(plain)
