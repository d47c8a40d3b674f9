"""A widget's first state, drawn without a browser by the widget's own module."""

import pytest
from bs4 import BeautifulSoup
from making import ROOT
from sphinx.errors import ExtensionError

from attn_book.widgets.first_state import first_states
from attn_book.widgets.prerendered import Prerendered, prerender
from attn_course.views.widgets.prediction import Prediction


def drawn(state: dict) -> Prerendered:
    return prerender([{"state": state}], "a page", ROOT)[0]


def module(render: str, **traits) -> Prerendered:
    return drawn({"_esm": f"export default {{ {render} }};", **traits})


def prediction(*arguments, measured) -> Prerendered:
    guess = Prediction(*arguments)
    guess.reveal(measured, "For a reason.")
    return drawn({name: value for name, value in guess.get_state().items() if name != "layout"})


def text(html: str) -> str:
    return BeautifulSoup(html, "html.parser").get_text(" ").replace("\u00a0", " ")


def test_what_render_draws_is_the_first_state():
    render = "render({ model, el }) { el.append(model.get('words'), ' <b>'); }"
    assert module(render, words="five & six").first == "five &amp; six &lt;b&gt;"


def test_a_module_may_start_later_and_change_its_traits():
    widget = drawn(
        {
            "_esm": """export default async () => ({
              initialize: ({ model }) => model.set("n", model.get("n") + 1),
              render: async ({ model, el }) => {
                model.on("change:n", () => {});
                model.save_changes();
                el.textContent = model.get("n");
              },
            });""",
            "n": 6,
        }
    )
    assert widget.first == "7"


def test_state_is_kept_and_what_is_only_heard_is_not():
    render = """render({ el }) {
      const add = (tag, properties) =>
        el.appendChild(Object.assign(document.createElement(tag), properties));
      add("input", { type: "checkbox", checked: true, name: "one", tabIndex: 0, min: 3, max: 7 });
      add("fieldset", { disabled: true }).setAttribute("aria-label", "All");
      add("details", { open: true }).setAttribute("aria-pressed", "true");
      const select = add("select", {});
      for (const text of ["a", "b"]) {
        select.append(Object.assign(document.createElement("option"), { textContent: text }));
      }
      select.selectedIndex = 1;
      add("i", {}).style.setProperty("--attn-share", 2 / 3);
    }"""
    soup = BeautifulSoup(module(render).first, "html.parser")
    assert soup.input.attrs == {"type": "checkbox", "checked": "", "min": "3", "max": "7"}
    assert soup.fieldset.attrs == {"disabled": ""}
    assert soup.details.attrs == {"open": "", "aria-pressed": "true"}
    assert [option.get("selected") for option in soup.select("option")] == [None, ""]
    assert soup.i["style"].replace(" ", "") == "--attn-share:0.667"


@pytest.mark.parametrize("ask", ["el.offsetParent.width", "nothing()", "matchMedia('print')"])
def test_a_widget_that_asks_for_a_size_fails_the_build_and_says_why(ask):
    with pytest.raises(ExtensionError, match=r"a page cannot.*nothing is laid out"):
        module(f"render({{ el }}) {{ {ask}; }}")


def test_a_choice_is_remembered_by_each_of_its_answers():
    widget = prediction("Which is it?", ["additive", "dot"], measured="dot")
    assert "Which is it?" in text(widget.first)
    assert "reason" not in text(widget.first)
    texts = {state["from"]: text(state["drawn"]) for state in widget.remembered}
    assert [state["to"] for state in widget.remembered] == list(texts) == ["additive", "dot"]
    assert "It came out differently. For a reason." in " ".join(texts["additive"].split())
    assert "It came out as you guessed. For a reason." in " ".join(texts["dot"].split())


def test_a_scale_is_remembered_by_the_sides_on_which_a_guess_may_lie():
    widget = prediction("How many?", (0, 1, 0.1), measured=0.31)
    ends = [(state["from"], state["to"]) for state in widget.remembered]
    assert ends == [(0, 0.2), (0.3, 0.3), (0.4, 1)]
    texts = [" ".join(text(state["drawn"]).split()) for state in widget.remembered]
    for words, sentence in zip(texts, ("above your", "as you", "below your"), strict=True):
        assert f"It came out {sentence} guess" in words
        assert "For a reason." in words


def test_states_wait_in_templates_before_the_element_that_chooses():
    state = {"from": "<a>", "to": "<a>", "drawn": "<p>then</p>"}
    parts = first_states(Prerendered(rows=None, answer="", first="<p>now</p>", remembered=[state]))
    assert [part.name for part in parts] == ["div", "template", "attn-remembered"]
    assert (parts[0].p.string, parts[1].p.string) == ("now", "then")
    assert "inert" in parts[0].attrs
    assert parts[1]["data-from"] == "<a>"
    assert [part.name for part in first_states(Prerendered(None, "", "", []))] == ["div"]
