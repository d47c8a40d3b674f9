"""How long a chapter takes to read, estimated from its page and shown there and on the front page.

Everything that is open counts: words of prose, claims and titles; lines of code; figures; widgets.
Printed output does not count, and neither do exercises, which take some readers ten times as long
as others. Of the folded text, only the answers to the questions at a chapter's end count.
"""

import math
from collections import Counter

from bs4 import Tag

from ..site.find import having
from ..site.page import Page
from .code import WIDGET
from .course import Chapter
from .progress import RECALL

PER_MINUTE = {"words": 220, "lines": 20, "figures": 4, "widgets": 1.5}
EXERCISES = "Exercises"
_NO_WORDS = {"script", "style", "svg", "pre", "button", "attn-formula"}
_NO_WORDS_OF = {"headerlink"}
_PRINTED = {"stream", "text_plain"}  # by code


def say(pages: dict[str, Page], course: list[Chapter]) -> None:
    """Show each chapter's minutes beside its number, and wherever ``data-minutes-of`` asks."""
    taken = {chapter.name: minutes(counted(pages[chapter.name].soup.article)) for chapter in course}
    for name, count in taken.items():
        above = pages[name].soup.select_one("article .attn-kicker")
        above.append(f" · {count} minutes, without exercises")
    for page in pages.values():
        for place in having(page.soup, "data-minutes-of"):
            place.string = f"{taken[place['data-minutes-of']]} minutes"


def minutes(counts: Counter) -> int:
    """Whole minutes, rounded up."""
    return math.ceil(sum(counts[what] / each for what, each in PER_MINUTE.items()))


def counted(article: Tag) -> Counter:
    """The words, lines of code, figures and widgets that a reader of this article meets."""
    counts = Counter()
    _count(article, counts)
    return counts


def _count(part: Tag, counts: Counter) -> None:
    classes = set(part.get("class", ()))
    if classes & _PRINTED or (part.name == "section" and _title(part) == EXERCISES):
        return
    if part.name == "pre":
        counts["lines"] += len(part.get_text().strip().splitlines())
    if part.name == "script" and part.get("type") == WIDGET:
        counts["widgets"] += 1
    if part.name == "figure":
        counts["figures"] += 1
    if part.name in _NO_WORDS or classes & _NO_WORDS_OF:
        counts["words"] += part.name == "attn-formula"  # a formula in a sentence is read as a word
        return
    if part.name == "details" and not _is_recall(part):
        return
    for child in part.children:
        if isinstance(child, Tag):
            _count(child, counts)
        else:
            counts["words"] += sum(any(map(str.isalnum, word)) for word in child.split())


def _is_recall(fold: Tag) -> bool:
    section = fold.find_parent("section")
    return section is not None and _title(section).startswith(RECALL)


def _title(section: Tag) -> str:
    heading = section.find(["h1", "h2", "h3"], recursive=False)
    return "".join(heading.find_all(string=True, recursive=False)).strip() if heading else ""
