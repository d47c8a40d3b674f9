"""The page for addresses that do not exist.

A server shows the first at whatever address was requested, at any depth, so it cannot refer to its
files by relative addresses. If the site's address is known, it refers to them from the host's root
and is a page like the others, with menu and search. Otherwise it is a few lines.

With sphinx-notfound-page, the address that Sphinx's own scripts use (``data-content_root``) stays
relative, and a site whose address is not known asks for its files below ``/en/latest/``.
"""

from urllib.parse import urljoin, urlsplit

from .edition import Edition
from .page import Page

NAME = "404"
_NAMES_FILES = ("href", "src", "action")


def name_from_root(page: Page, edition: Edition) -> None:
    """Make every address of the site on this page begin at the host's root."""
    at = urlsplit(edition.address.site).path
    page.soup.html["data-content_root"] = at  # the address that Sphinx's own scripts use
    for tag in page.soup.find_all(True):
        for name in _NAMES_FILES:
            if not tag.get(name, "#").startswith("#"):
                tag[name] = urljoin(f"{at}{page.file}", tag[name])
