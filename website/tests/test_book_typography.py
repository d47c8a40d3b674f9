"""The signs of print: apostrophes, quotation marks, minus and per cent signs; words for touch."""

import pytest
from bs4 import BeautifulSoup

from attn_book.site import typography
from attn_book.site.page import Page


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("Bahdanau's and dogs' ears", "Bahdanau’s and dogs’ ears"),
        ("'s reader", "’s reader"),  # behind a word in bold
        ("it is 'so', he said", "it is ‘so’, he said"),
        ('"We focus" ("here")', "“We focus” (“here”)"),
        ("> -0.5 and (-1), -1e-10", "> −0.5 and (−1), −1e−10"),
        ("2019-03-04, post-norm, 5-10, a - b, F-1", "2019-03-04, post-norm, 5-10, a - b, F-1"),
        ("97.3%, 5 % and 5\u202f%", "97.3\u00a0%, 5\u00a0% and 5\u00a0%"),
        ("a5%20b, %, '", "a5%20b, %, '"),
    ],
)
def test_the_signs_of_a_keyboard_become_those_of_print(typed, printed):
    assert typography.typeset(typed) == printed
    assert typography.typeset(printed) == printed


def set_signs(body: str) -> Page:
    page = Page("chapters/01-x", f"<html><head></head><body>{body}</body></html>")
    typography.set_signs(page)
    return page


@pytest.mark.parametrize("name", ["pre", "code", "kbd", "samp", "script", "attn-formula"])
def test_code_is_never_touched(name):
    body = f"<p>It's <{name}>a = '-1' + \"5%\"</{name}></p>"
    changed = set_signs(body).soup.body.decode_contents()
    assert changed == body.replace("It's", "It’s")


def test_what_a_widget_draws_and_what_is_typed_stay_as_they_are():
    body = '<div class="attn-first">d\'abril</div><p translate="no">d\'abril -1</p>'
    assert set_signs(body).soup.body.decode_contents() == body


def test_drawings_have_the_same_signs(tmp_path):
    svg = '<svg viewBox="0 -1 2 3"><text x="-1">the reader\'s 5 %</text></svg>'
    page = set_signs(f'<figure class="attn-figure">{svg}</figure>')
    assert page._sealed
    drawn = BeautifulSoup(page._sealed[0], "html.parser").svg
    assert drawn.get_text() == "the reader’s 5\u00a0%"
    assert (drawn["viewbox"], drawn.find("text")["x"]) == ("0 -1 2 3", "-1")


def test_the_words_of_a_prediction_are_set_and_its_data_are_not():
    state = {
        "question": "Which is the model's?",
        "options": ["the cell's", "-1"],
        "scale": {"unit": "%", "low": -1},
        "lines": ["it's data"],
        "measured": "the cell's",
    }
    assert typography.set_traits(state) == {
        "question": "Which is the model’s?",
        "options": ["the cell’s", "−1"],
        "scale": {"unit": "%", "low": -1},
        "lines": ["it's data"],
        "measured": "the cell’s",
    }


def test_click_is_marked_where_it_says_what_to_do():
    page = set_signs("<p>Click a letter, or click it twice. The first click waits.</p>")
    assert [word.get_text() for word in page.soup.select(".attn-click")] == ["Click", "click"]
    assert page.soup.get_text() == "Click a letter, or click it twice. The first click waits."
