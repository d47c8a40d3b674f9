"""Templates of ``website/templates`` that are filled in without Sphinx.

Those in ``parts`` are parts of pages. Their lines are joined without anything between them.
"""

import re
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

_FOLDER = Path(__file__).parents[2] / "templates"


class _Joined(FileSystemLoader):
    def get_source(self, environment, template):
        text, *others = super().get_source(environment, template)
        return re.sub(r"\n *", "", text), *others


_PAGES = Environment(loader=FileSystemLoader(_FOLDER), autoescape=True)
_PARTS = Environment(loader=_Joined(_FOLDER / "parts"), autoescape=True)


def page(template: str, **values) -> str:
    """A page made from a template alone."""
    return _PAGES.get_template(template).render(values)


def part(template: str, **values) -> Markup:
    return Markup(_PARTS.get_template(template).render(values))  # noqa: S704


def element(template: str, **values) -> Tag:
    """A part that is one element."""
    return BeautifulSoup(part(template, **values), "html.parser").find(True).extract()
