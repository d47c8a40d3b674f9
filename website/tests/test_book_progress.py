"""What pages say that a reader can do: keys of guesses and questions, and space for progress."""

import json

import pytest
from bs4 import BeautifulSoup
from making import page_of
from sphinx.errors import ExtensionError

from attn_book.notebooks import progress, recall
from attn_book.notebooks.course import Chapter
from attn_book.site import page
from attn_book.widgets import install as widgets

SMALL = Chapter("chapters/01-small", "Small", "How small?", (), "say how small")
OTHER = Chapter("chapters/02-other", "Other & more", "Which?", (), "say which")
SIDE = (
    '<nav class="bd-links"><a href="{0}">1. Small</a> <a href="{1}">2. Other</a>'
    '<a href="../book/index.html">Front</a></nav>'
)
RECALL = (
    "<section class='attn-questions'><h2>What can you say?<a>#</a></h2>"
    "<details><summary>What is <b>it</b>?</summary>This.</details>"
    '<details><summary>And <attn-formula data-display="false">x^2</attn-formula>?</summary>'
    "That.</details></section>"
)
FOLD = "<section><h2>Play</h2><details><summary>A hint</summary>It.</details></section>"


def place(number: int, kind: str = "Prediction") -> str:
    view = f'<script type="{widgets.VIEW}">{json.dumps({"model_id": str(number)})}</script>'
    return f'<div class="attn-widget" data-widget="{kind}">{view}<p>Still.</p></div>'


def model(question: str | None, kind: str = "Prediction") -> dict:
    traits = {} if question is None else {"question": question}
    return {"model_name": "AnyModel", "state": {"_anywidget_id": f"x.{kind}", **traits}}


def make(name: str, addresses: tuple[str, str], body: str = "", carried: dict | None = None):
    return page_of(
        f"<section>{body}</section>", name, frame=SIDE.format(*addresses), models=carried
    )


def book(**of_small) -> dict[str, page.Page]:
    return {
        "chapters/01-small": make("chapters/01-small", ("#", "02-other.html"), **of_small),
        "chapters/02-other": make("chapters/02-other", ("01-small.html", "#"), body=FOLD),
        "book/index": make(
            "book/index", ("../chapters/01-small.html", "../chapters/02-other.html")
        ),
    }


def marked(**of_small) -> dict[str, page.Page]:
    """The pages of a book that ask for everything that chapters have to do."""
    pages = book(**of_small)
    inside = f"{recall.HTML}{progress.your_progress([SMALL, OTHER], 'book')}"
    pages["book/index"].soup.section.extend([*BeautifulSoup(inside, "html.parser")])
    course = [SMALL, OTHER]
    to_do, questions = {}, []
    for chapter in course:
        to_do[chapter.name], folds = progress.mark(pages[chapter.name], chapter)
        questions.append((chapter.name, chapter.called, folds))
    for one in pages.values():
        progress.show(one, course, to_do, {"chapters/09-less": SMALL.name})
        recall.fill(one, questions)
    return pages


def test_all_pages_say_the_same_of_a_chapter():
    body = place(1) + place(2, "Viewer") + place(3, "DrawnPrediction") + FOLD + RECALL
    carried = {
        "1": model("Which?"),
        "2": model(None, "Viewer"),
        "3": model("How many?", "DrawnPrediction"),
    }
    pages = marked(body=body, carried=carried)

    small = pages["chapters/01-small"].soup
    assert small.article["data-chapter"] == "01-small"
    guesses = [progress.key("Which?"), progress.key("How many?")]
    actual = [widget.get("data-question") for widget in small.select(".attn-widget")]
    assert actual == [guesses[0], None, guesses[1]]
    questions = [progress.key("What is it?"), progress.key("And x^2?")]
    folds = small.select("details")
    assert [fold.get("data-question") for fold in folds] == [None, *questions]
    for one in pages.values():
        first, second, front = one.soup.select(".bd-links a")
        assert first["data-guesses"].split() == guesses
        assert first["data-questions"].split() == questions
        assert second["data-guesses"] == second["data-questions"] == ""
        assert [len(entry.select(".attn-done")) for entry in (first, second, front)] == [1, 1, 0]


def test_a_key_is_made_of_the_words_alone():
    assert progress.key("How  many\nare it?") == progress.key("How many are it?")
    assert progress.key("How many?") != progress.key("How many ?")
    assert len(progress.key("")) == 6


def test_the_same_guess_shown_twice_is_one_guess():
    carried = {"1": model("Which?"), "2": model("Which?")}
    pages = marked(body=place(1) + place(2), carried=carried)
    (entry, *_) = pages["book/index"].soup.select(".bd-links a")
    assert entry["data-guesses"] == progress.key("Which?")


ANSWERED = (
    "<section class='attn-questions'><h2>Say</h2><details><summary>What?</summary>"
    '<p id="here"><a href="02-other.html#x">there</a> <a href="#here">here</a> '
    '<a href="https://doi.org/1">far</a></p>{0}</details></section>'
)


def test_a_question_is_asked_again_on_another_page():
    pages = marked(body=ANSWERED.format(""))
    (item,) = pages["book/index"].soup.select(".attn-recall li")
    assert item["data-chapter"] == "01-small"
    assert item["data-recall"] == progress.key("What?")
    assert "hidden" in item.attrs
    assert [link["href"] for link in item.select("a")] == [
        "../chapters/01-small.html",
        "../chapters/02-other.html#x",
        "../chapters/01-small.html#here",
        "https://doi.org/1",
    ]
    assert not item.details.select("[id], [data-question]")
    assert item.details.get_text().startswith("What?there here far")
    assert len(item.select("button")) == 2
    source = pages["chapters/01-small"].soup.select_one("details")
    assert source["data-question"] == item["data-recall"]  # and the chapter keeps its own
    assert source.select_one("#here")
    assert not source.select("button")


def test_an_answer_that_only_its_own_page_can_write_out_is_refused():
    code = '<div class="highlight"><pre>one = 1</pre></div>'
    with pytest.raises(ExtensionError, match=r"answer to 'What\?' shows code or a drawing"):
        marked(body=ANSWERED.format(code))


def test_the_table_says_how_much_there_is_to_do():
    pages = marked(body=place(1) + RECALL, carried={"1": model("Which?")})
    rows = pages["book/index"].soup.select("tbody tr")
    links = [row.a["href"] for row in rows]
    assert links == ["../chapters/01-small.html", "../chapters/02-other.html"]
    assert rows[1].a.get_text() == "2. Other & more"
    cells = [[cell.get_text() for cell in row.select("td")] for row in rows]
    assert cells == [["no", "0 of 1", "0 of 2"], ["no", "0 of 0", "0 of 0"]]
