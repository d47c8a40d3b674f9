"""How long a chapter takes to read, estimated from its page and shown there and on the front page.

Everything that is open counts: words of prose, claims and titles; lines of code; guesses; widgets,
with what the page proposes to try. Figures are read with the sentences about them. Printed output
does not count, and neither do exercises, which take some readers ten times as long as others. Of
the folded text, only the answers to the questions at a chapter's end count. What stands in side
roads counts apart.
"""

import math
from collections import Counter

from bs4 import Tag

from ..site.find import with_attribute
from ..site.page import Page
from ..site.parts import EXERCISES, QUESTIONS, SIDE
from .progress import PREDICTIONS

# A claim is read slowly: sentence, numbers, and whether they show what it says.
PER_MINUTE = {"words": 200, "claim words": 110, "lines": 12, "guesses": 4 / 3, "widgets": 0.4}
_NO_WORDS = {"script", "style", "svg", "pre", "button"}
_NO_WORDS_OF = {"headerlink", "attn-kicker", "attn-side-cost", "attn-gate", "attn-former"}
_NO_WORDS_OF |= {"attn-here", "attn-needs-script"}
_PRINTED = {"stream", "text_plain", "attn-progress"}  # by code
_OPEN = {"attn-side-road"}  # the fold of a side road, whose words count where side roads do


def say(page: Page) -> int:
    """Show a chapter's minutes beside its number; return those without side roads."""
    article = page.soup.article
    road, whole = minutes(counted(article, sides=False)), minutes(counted(article))
    beside = f" · {whole} with all side roads" if whole > road else ""
    article.find(class_="attn-kicker").append(f" · {road} minutes{beside}, without exercises")
    return road


def repeat(page: Page, taken: dict[str, int]) -> None:
    """Show the minutes of chapters wherever ``data-minutes-of`` asks for them."""
    for place in with_attribute(page.soup, "data-minutes-of"):
        place.string = f"{taken[place['data-minutes-of']]} minutes"


def minutes(counts: Counter) -> int:
    """Whole minutes, rounded up."""
    return math.ceil(sum(counts[what] / pace for what, pace in PER_MINUTE.items()))


def counted(part: Tag, sides: bool = True) -> Counter:
    """What a reader of this part of a page meets, with side roads or without those in it."""
    counts = Counter()
    _count(part, counts, "words", sides)
    return counts


def _count(part: Tag, counts: Counter, words: str, sides: bool) -> None:
    classes = set(part.get("class", ()))
    if classes & {*_PRINTED, EXERCISES}:
        return
    if SIDE in classes and not sides:
        return
    if part.name == "pre":
        counts["lines"] += len(part.get_text().strip().splitlines())
    if "attn-widget" in classes:
        counts["guesses" if part["data-widget"] in PREDICTIONS else "widgets"] += 1
        return
    if part.name == "attn-formula" or "katex" in classes:
        counts[words] += 1  # a formula in a sentence is read as a word
        return
    if part.name in _NO_WORDS or classes & _NO_WORDS_OF:
        return
    if part.name == "details" and not classes & _OPEN and not _is_recall(part):
        return
    if "attn-claim" in classes:
        counts["claims"] += 1
        words = "claim words"
    for child in part.children:
        if isinstance(child, Tag):
            _count(child, counts, words, sides)
        else:
            counts[words] += sum(any(map(str.isalnum, word)) for word in child.split())


def _is_recall(fold: Tag) -> bool:
    return fold.find_parent("section", class_=QUESTIONS) is not None
