"""What the book and its chapters are, for search engines: schema.org's terms as JSON-LD.

The front page is a ``Course``, each chapter a ``LearningResource`` that is part of it.
"""

from datetime import date

from ..notebooks.course import Chapter
from ..site.edition import LICENCE, Edition
from ..site.page import Page
from .cards import Card
from .sharing import description, title

KIND = "application/ld+json"
_CONTEXT = "https://schema.org"


def describe(
    page: Page, edition: Edition, course: list[Chapter], day: date | None, card: Card | None
) -> None:
    """Add what is known about the page, if it is the front page or a chapter."""
    chapter = next((each for each in course if each.name == page.name), None)
    if page.name == edition.front:
        facts = _course(edition, course)
    elif chapter:
        facts = _chapter(chapter, edition, course)
    else:
        return
    facts |= {
        "@context": _CONTEXT,
        "name": edition.title if page.name == edition.front else title(page, edition),
        "description": description(page),
        "url": edition.url(page.file),
        "image": card and edition.url(card.file),
        "dateModified": day and day.isoformat(),
        "inLanguage": page.soup.html["lang"],
        "isAccessibleForFree": True,
        "license": LICENCE,
        "author": _author(edition),
    }
    page.head.others.append(page.data(KIND, _known(facts)))


def _course(edition: Edition, course: list[Chapter]) -> dict:
    return {
        "@type": "Course",
        "provider": _author(edition),
        "teaches": [each.afterwards for each in course if each.afterwards],
        "hasPart": [
            _known(
                {
                    "@type": "LearningResource",
                    "position": place,
                    "name": each.title,
                    "url": edition.url(f"{each.name}.html"),
                }
            )
            for place, each in enumerate(course, 1)
        ],
    }


def _chapter(chapter: Chapter, edition: Edition, course: list[Chapter]) -> dict:
    titles = {each.name: each.title for each in course}
    whole = {"@type": "Course", "name": edition.title, "url": edition.url(f"{edition.front}.html")}
    return {
        "@type": "LearningResource",
        "learningResourceType": "chapter",
        "position": course.index(chapter) + 1,
        "isPartOf": _known(whole),
        "teaches": chapter.afterwards,
        "competencyRequired": [titles[name] for name in chapter.needs if name in titles],
    }


def _author(edition: Edition) -> dict:
    return {"@type": "Organization", "name": edition.author}


def _known(facts: dict) -> dict:
    """Only the entries that are known."""
    return {name: fact for name, fact in facts.items() if fact not in (None, "", [])}
