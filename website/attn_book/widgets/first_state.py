"""A widget's first state, which stands in its place until the widget itself does.

The widget's own `render` draws it with the same style sheets, so it is as high as the widget will
be, whatever the font, the width or the text size. It is visible, but hidden from screen readers and
the keyboard. A widget that remembers the reader has more than one; ``website/assets/early.js``
chooses.
"""

from bs4 import BeautifulSoup, Tag

from .prerendered import Prerendered

FRAME = {"class": "attn-first", "inert": "", "translate": "no"}


def first_states(widget: Prerendered) -> list[Tag]:
    """The first state; others wait in templates, and the element that chooses comes last."""
    states = [_element("div", widget.first, **FRAME)]
    for state in widget.remembered:
        bounds = {f"data-{end}": str(state[end]) for end in ("from", "to")}
        states.append(_element("template", state["drawn"], **bounds))
    return [*states, _element("attn-remembered", "")] if widget.remembered else states


def _element(name: str, html: str, **attributes: str) -> Tag:
    soup = BeautifulSoup(html, "html.parser")
    element = soup.new_tag(name, attrs=attributes)
    element.extend(list(soup.contents))
    return element
