"""Names of the package lead to their place in the reference; its signatures are one line of code.

A chapter leads there from the file above each listing of `show_source`, and any page from a name
that it gives in full.
"""

import re
from collections.abc import Mapping

from bs4 import Tag

from ..site.contents import FOLDER, PACKAGE, ROOMS, Module
from ..site.find import of_class
from ..site.page import Page

_FILE = re.compile(rf"((?:{'|'.join((PACKAGE, *ROOMS))})/[\w/]+)\.py")
_DEFINED = re.compile(r"^(?:class|def) (\w+)", re.MULTILINE)
_NOT_PROSE = ("a", "summary", "h1", "h2", "h3", "h4", "pre", "dt")
_ONE_LINE = 64  # characters


def arrange(page: Page, places: Mapping[str, str]) -> None:
    """Link names on a page; ``places`` has the document of each name, given in full."""
    if page.name.startswith(f"{FOLDER}/"):
        for definition in of_class(page.soup, "sig-object"):
            _as_code(page, definition)
    elif page.soup.article:
        _link_files(page, places)
        _link_names(page, places)


def _link_files(page: Page, places: Mapping[str, str]) -> None:
    """Link the file's name above each listing of `show_source`."""
    for output in of_class(page.soup, "cell_output"):
        for file in output.select("p > code"):
            path, listing = _FILE.fullmatch(file.get_text()), file.find_next("pre")
            if path and (first := _DEFINED.search(listing.get_text() if listing else "")):
                name = f"{path[1].replace('/', '.')}.{first[1]}"
                if name in places:
                    _wrap(page, file, name, places[name])


def _link_names(page: Page, places: Mapping[str, str]) -> None:
    """Link the names that a page gives in full, such as ``attn_course.weights``."""
    for code in page.soup.article.select("code.literal"):
        name = code.get_text()
        if name in places and not code.find_parent(_NOT_PROSE):
            _wrap(page, code, name, places[name])


def _wrap(page: Page, code: Tag, name: str, document: str) -> None:
    module = document == Module(name, "").document
    address = page.address(f"{document}.html") + ("" if module else f"#{name}")
    code.wrap(page.soup.new_tag("a", attrs={"class": "attn-reference", "href": address}))


def _as_code(page: Page, definition: Tag) -> None:
    """Write a signature as its code stands, one parameter a line where it is long."""
    link = definition.find(class_="headerlink")
    if link:
        link.extract()
    name = definition.find(class_="descname").get_text()
    parts = [part.get_text() for part in definition.select(".sig-param")]
    returned = definition.find(class_="sig-return")
    end = f") → {returned.get_text().strip(' →')}" if returned else ")"
    kind = definition.find(class_="property", recursive=False)
    code = page.soup.new_tag("code")
    strong = page.soup.new_tag("b")
    strong.string = name
    code.extend([kind.get_text() if kind else "", strong])
    if parts or definition.find(class_="sig-paren"):
        line = f"({', '.join(parts)}{end}"
        long = len(name) + len(line) > _ONE_LINE
        code.append("(\n    " + ",\n    ".join(parts) + f",\n{end}" if long and parts else line)
    for text in code.find_all(string=True):
        text.replace_with(text.replace("'", '"'))  # the quotation marks that the package has
    definition.clear()
    definition.append(code)
    if link:
        definition.append(link)
