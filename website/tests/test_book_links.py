"""Links in the text that set a widget to a state, as the build checks and writes them."""

import json

import numpy as np
import pytest
from ipywidgets.widgets.widget import _remove_buffers
from making import make_page
from sphinx.errors import ExtensionError

from attn_book.widgets import install as widgets
from attn_book.widgets import links
from attn_course.views.widgets.alignment_viewer import AlignmentViewer
from attn_course.views.widgets.score_bars import ScoreBars

TWO = "ScoreBars: {selected: 1}\nMixer: {a: 1}"


def bars():
    return ScoreBars(["one", "two", "three"], [1, 2, 3])


def viewer():
    return AlignmentViewer("abc", "de", np.full((2, 3), 1 / 3))


def model_of(widget) -> dict:
    """The widget as a notebook keeps it, without its arrays."""
    state, _, _ = _remove_buffers(widget.get_state())
    kinds = {"model_name": "AnyModel", "model_module": "anywidget"}
    return json.loads(json.dumps({**kinds, "state": state, "buffers": []}))


def with_links(*displayed, texts=()):
    """A page that shows widgets in this order, and has a link for each text in ``texts``."""
    models = {str(n): model_of(widget) for n, widget in enumerate(displayed)}
    words = "".join(f"<p>Now <span data-set='{text}'>do this</span>.</p>" for text in texts)
    return make_page(words, models=models, views=models)


def make(*displayed, texts=()):
    """Make the links of a page; returns them."""
    one = with_links(*displayed, texts=texts)
    links.make(one)
    return one.soup.select(".attn-set")


def test_the_words_stay_and_know_their_widget_and_its_traits():
    (link,) = make(viewer(), bars(), texts=["ScoreBars: {temperature: 8, rule: hard}"])
    assert link.get_text() == "do this"
    assert link["data-widget"] == widgets.identity(2)
    assert json.loads(link["data-traits"]) == {"temperature": 8, "rule": "hard"}


def test_without_a_script_it_leads_nowhere():
    (link,) = make(bars(), texts=["ScoreBars: {temperature: 8}"])
    assert "href" not in link.attrs
    assert "data-set" not in link.attrs


def test_a_page_loads_the_script_only_if_it_has_links():
    for texts in ([], ["ScoreBars: {temperature: 8}"]):
        one = with_links(bars(), texts=texts)
        links.make(one)
        assert [name.endswith("links.js") for name in one.head.scripts] == [True] * len(texts)


def test_widgets_of_one_class_are_counted():
    texts = ["ScoreBars: {selected: 1}", "ScoreBars 2: {selected: 2}"]
    anchors = make(bars(), viewer(), bars(), texts=texts)
    assert [link["data-widget"] for link in anchors] == ["widget-1", "widget-3"]
    assert len({link["id"] for link in anchors}) == 2


def test_a_widget_that_is_shown_twice_is_set_at_its_first_place():
    one = with_links(bars(), texts=["ScoreBars: {selected: 1}"])
    (view,) = one.soup.find_all("script", type=widgets.VIEW)
    view.insert_after(one.data(widgets.VIEW, {"model_id": "0"}))
    links.make(one)
    assert one.soup.select_one(".attn-set")["data-widget"] == "widget-1"


@pytest.mark.parametrize("name", ["ScoreBar", "ScoreBars 2", "AlignmentViewer"])
def test_an_unknown_widget_says_which_there_are(name):
    with pytest.raises(ExtensionError, match=rf"sets '{name}'; the page shows ScoreBars$"):
        make(bars(), texts=[name + ": {selected: 1}"])


@pytest.mark.parametrize("name", ["warmth", "_esm", "layout"])
def test_an_unknown_trait_says_which_there_are(name):
    with pytest.raises(ExtensionError, match=rf"sets \['{name}'\]; the traits .*'temperature'"):
        make(bars(), texts=["ScoreBars: {" + name + ": 1, selected: 1}"])


@pytest.mark.parametrize(
    "text",
    ["", "ScoreBars", "ScoreBars:", "ScoreBars: 3", "ScoreBars: {}", "ScoreBars: {", "[1, 2]", TWO],
)
def test_what_is_no_widget_with_traits_says_what_came(text):
    with pytest.raises(ExtensionError, match="expected a widget and its traits"):
        make(bars(), texts=[text])
