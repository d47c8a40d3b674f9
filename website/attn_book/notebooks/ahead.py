"""Mark references to chapters that have not been written yet."""

import re

from bs4 import BeautifulSoup, NavigableString

from ..site.page import Page
from .course import Chapter

MARK = "(not written yet)"
_NAMED = re.compile(r"\b[Cc]hapters? (?P<numbers>\d\d?[a-z]?(?:(?:, | and | to )\d\d?[a-z]?)*)\b")
_NO_PROSE = ["pre", "code", "script", "style", "svg", "attn-formula", "a"]


def mark(pages: dict[str, Page], course: list[Chapter]) -> None:
    """Mark each chapter that is named in the text of the pages but does not exist."""
    written = {chapter.number for chapter in course}
    for page in pages.values():
        body = page.soup.article or page.soup
        for text in body.find_all(string=_NAMED):
            if text.find_parent(_NO_PROSE) is None:
                _mark(page.soup, text, written)


def _mark(soup: BeautifulSoup, text: NavigableString, written: set[str]) -> None:
    parts: list = []
    end = 0
    for named in _NAMED.finditer(text):
        if {*re.findall(r"[1-9]\d?[a-z]?", named["numbers"])} <= written:
            continue
        sign = soup.new_tag("span", attrs={"class": "attn-ahead"})
        sign.string = f" {MARK}"
        parts += [text[end : named.end()], sign]
        end = named.end()
    if parts:
        text.replace_with(*parts, text[end:])
