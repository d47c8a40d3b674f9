"""Apostrophes, quotation marks, minus and per cent signs, set alike on all pages.

The prose of the chapters is typed that way. But claims, outputs and the words of predictions come
from Python strings, where ' and - are what one types, and formatted numbers have a hyphen for a
minus. Code is never touched. Besides, *Click* is marked where it says what to do, for ``book.js``.
"""

import re
from collections.abc import Iterator

from bs4 import NavigableString, Tag
from bs4.element import PreformattedString

from .page import Page

_CODE = {"pre", "code", "kbd", "samp", "script", "style", "textarea", "template", "attn-formula"}
# the words of these traits are prose; what others hold may be data
_TRAITS = ("question", "options", "explanation", "measured", "summary", "scale")
_OPENS = r"(?<![^\s([{“‘—–])"  # at the beginning, or behind a space or a bracket
_SIGNS = (
    (re.compile(rf'{_OPENS}"(?=\S)'), "“"),
    (re.compile(r'(?<=\S)"'), "”"),
    (re.compile(rf"{_OPENS}'(?=\w)(?!(?:d|ll|m|re|s|t|ve)\b)"), "‘"),
    (re.compile(r"'(?=\w)|(?<=[\w.,;:?!)])'"), "’"),
    # a number's sign, or that of its exponent; not a hyphen, nor part of a date
    (re.compile(r"(?<![\w.)\]}/-])-(?=\.?\d)|(?<=\de)-(?=\d)"), "−"),
    (re.compile(r"(?<=\d)[ \u202f]?%(?!\w)"), "\u00a0%"),
)

_CLICK = re.compile(r"\b([Cc]lick)(?= (?:an?|it|one|the)\b)")


def typeset(text: str) -> str:
    """A text that contains no code, with the signs of print instead of those of a keyboard."""
    for sign, printed in _SIGNS:
        text = sign.sub(printed, text)
    return text


def set_signs(page: Page) -> None:
    """Typeset the text of a page, but not what its widgets draw themselves: see `set_traits`."""
    page.head.title = typeset(page.head.title)
    for text in [*_prose(page.soup.body)]:
        pieces = _CLICK.split(typeset(text))
        if pieces != [text]:
            text.replace_with(
                *(_click(page, one) if n % 2 else one for n, one in enumerate(pieces))
            )
    page.reword(typeset)


def _click(page: Page, text: str) -> Tag:
    word = page.soup.new_tag("span", attrs={"class": "attn-click"})
    word.string = text
    return word


def set_traits(state: dict) -> dict:
    """The traits of a prediction, which it draws here and in a reader's browser."""
    return {name: _everywhere(value) if name in _TRAITS else value for name, value in state.items()}


def _everywhere(value):
    if isinstance(value, str):
        return typeset(value)
    if isinstance(value, list):
        return [_everywhere(item) for item in value]
    if isinstance(value, dict):
        return {name: _everywhere(item) for name, item in value.items()}
    return value


def _prose(element: Tag) -> Iterator[NavigableString]:
    for child in element.children:
        if isinstance(child, Tag):
            drawn = "attn-first" in child.get("class", ()) or child.get("translate") == "no"
            if child.name not in _CODE and not drawn:
                yield from _prose(child)
        elif not isinstance(child, PreformattedString):
            yield child
