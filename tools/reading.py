"""What a reader of each chapter meets, on its main road and with its side roads.

    python -m tools.reading

prints a table of the built book: minutes, claims, guesses, widgets, headings, the median length of
a sentence and the most numbers in one. ``tests/book/test_road.py`` holds the road to its bounds.
"""

import re
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup, Tag

ROOT = Path(__file__).resolve().parents[1]
if (extension := str(ROOT / "book" / "_ext")) not in sys.path:
    sys.path.append(extension)

from attn_book.notebooks.minutes import EXERCISES, SIDE, counted, minutes  # noqa: E402

PAGES = ROOT / "_build" / "html" / "chapters"
_BLOCKS = ("p", "li", "h2", "h3")
_END = re.compile(r"(?<=[.!?:])[”\"’)]?\s+(?=[\"“(]?[A-Z0-9])")
_NUMBER = re.compile(r"(?<![\w.])[−-]?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?")
# a year, a chapter's number and an exponent are read as names
_NAMES = re.compile(
    r"\b(?:[Cc]hapters?|[Ee]xercises?) \d+(?:(?:,| to| and) \d+)*|\(?\b(?:19|20)\d\d\b\)?"
)
_NOT_READ = ".katex, code, pre, figure, table, .attn-widget, .attn-gate, .attn-effort, .headerlink"
_NOT_READ += ", .attn-kicker, details:not(.attn-side-road), .attn-side-cost, script, svg, dl"


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
        """Those of sections; the title of a side road is a line that is read on the road, too."""
        return [_text(one) for one in self._read().find_all(["h2", "h3"])]

    @property
    def sentences(self) -> list[str]:
        return [sentence for block in self._blocks() for sentence in _END.split(block) if sentence]

    def _blocks(self) -> Iterator[str]:
        article = self._read()
        for block in article.find_all(_BLOCKS[:2]):
            if not block.find(_BLOCKS[:2]):
                yield _text(block)

    def _read(self) -> Tag:
        """A copy that has only what is read: neither exercises nor what is folded."""
        article = BeautifulSoup(str(self.article), "html.parser").article
        gone = [*article.select(_NOT_READ), *([] if self.whole else article.select(f".{SIDE}"))]
        gone += [one for one in article.find_all("section") if _title(one).startswith(EXERCISES)]
        for part in gone:
            part.extract()
        return article


def chapters(folder: Path = PAGES) -> dict[str, Tag]:
    """The articles of the built chapters by their names."""
    return {
        path.stem: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").article
        for path in sorted(folder.glob("*.html"))
    }


def numbers(sentence: str) -> list[str]:
    """The numbers that a reader has to keep in mind; years and chapters are names."""
    return _NUMBER.findall(_NAMES.sub("", sentence))


def questions(article: Tag) -> int:
    """The closing questions on the main road."""
    folds = article.select("details[data-question]")
    return sum(fold.find_parent(class_=SIDE) is None for fold in folds)


def table(articles: dict[str, Tag]) -> str:
    """One row a chapter: the road, and in brackets the whole page."""
    names = ("minutes", "claims", "guesses", "widgets", "headings", "words", "numbers")
    head = "chapter", *names[:5], "median sentence, words", "most numbers in one"
    rows = [head, ("---", *["--:"] * 7)]
    rows += [(name, *_cells(article)) for name, article in articles.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cells(article: Tag) -> list[str]:
    pair = [_facts(Road(article, whole)) for whole in (False, True)]
    return [
        f"{road} ({page})" if road != page else f"{page}" for road, page in zip(*pair, strict=True)
    ]


def _facts(road: Road) -> list[int]:
    sentences = road.sentences
    return [
        road.minutes,
        *(road.count(what) for what in ("claims", "guesses", "widgets")),
        len(road.headings),
        round(statistics.median(len(one.split()) for one in sentences)),
        max(len(numbers(one)) for one in sentences),
    ]


def _text(part: Tag) -> str:
    return " ".join(part.get_text().split())


def _title(section: Tag) -> str:
    heading = section.find(["h1", "h2", "h3"])
    return _text(heading) if heading else ""


if __name__ == "__main__":
    print(table(chapters()))
