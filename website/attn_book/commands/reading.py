"""What a reader of a chapter meets, on its main road and with its side roads.

``test_road.py`` holds the road to its bounds.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from bs4 import Tag

from attn_book.notebooks.minutes import counted, minutes
from attn_book.site.parts import EXERCISES, SIDE

_BLOCKS = ("p", "li", "h2", "h3")
_END = re.compile(r"(?<=[.!?:])[”\"’)]?\s+(?=[\"“(]?[A-Z0-9])")
_NUMBER = re.compile(r"(?<![\w.])[−-]?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?")
# a year, a chapter's number and an exponent are read as names; a claim's interval is passed over
_NAMES = re.compile(
    r"\b(?:[Cc]hapters?|[Ee]xercises?) \d+[a-z]?(?:(?:,| to| and) \d+[a-z]?)*"
    r"|\(?\b(?:19|20)\d\d\b\)?"
    r"|\([^()]+ to [^()]+ over [\d,]+ [a-z ]+\)"
)
_NOT_READ = {"code", "pre", "figure", "table", "svg", "script", "dl"}
_NOT_READ_OF = {"katex", "attn-widget", "attn-gate", "attn-effort", "attn-kicker", "headerlink"}
_NOT_READ_OF |= {"attn-side-cost", "attn-progress"}


@dataclass(frozen=True)
class Road:
    """A chapter's page, or the page without its side roads."""

    article: Tag
    whole: bool

    @property
    def minutes(self) -> int:
        return minutes(counted(self.article, sides=self.whole))

    def count(self, what: str) -> int:
        return counted(self.article, sides=self.whole)[what]

    @property
    def headings(self) -> list[str]:
        return [_text(one) for one in self._read if one.name in ("h2", "h3")]

    @property
    def sentences(self) -> list[str]:
        blocks = [_text(one) for one in self._read if one.name in ("p", "li")]
        return [sentence for block in blocks for sentence in _END.split(block) if sentence]

    @cached_property
    def _read(self) -> list[Tag]:
        """The innermost blocks that are read: neither exercises nor what is folded."""
        return [*_blocks(self.article, self.whole)]


def numbers(sentence: str) -> list[str]:
    """The numbers that a reader has to keep in mind; years and chapters are names."""
    return _NUMBER.findall(_NAMES.sub("", sentence))


def questions(article: Tag) -> int:
    """The closing questions on the main road."""
    folds = article.select("details[data-question]")
    return sum(fold.find_parent(class_=SIDE) is None for fold in folds)


def _blocks(part: Tag, whole: bool) -> Iterator[Tag]:
    for child in part.find_all(True, recursive=False):
        if not _is_read(child) or (not whole and SIDE in child.get("class", ())):
            continue
        if child.name in _BLOCKS and not child.find(_BLOCKS):
            yield child
        else:
            yield from _blocks(child, whole)


def _is_read(part: Tag) -> bool:
    classes = set(part.get("class", ()))
    if part.name in _NOT_READ or classes & _NOT_READ_OF:
        return False
    if part.name == "details":
        return "attn-side-road" in classes
    return EXERCISES not in classes


def _text(part: Tag) -> str:
    return " ".join("".join(_pieces(part)).split())


def _pieces(part: Tag) -> Iterator[str]:
    for child in part.children:
        if not isinstance(child, Tag):
            yield child
        elif _is_read(child):
            yield from _pieces(child)
