"""``sitemap.xml`` and ``robots.txt``: the list of pages, for search engines.

Both contain full addresses, so a site without an address has neither. ``robots.txt`` is read only
at the root of a host; below a path it does no harm, and the sitemap can be submitted by hand.
"""

from collections.abc import Iterable
from datetime import date
from xml.etree import ElementTree

from ..site.edition import Edition
from ..site.folder import Site
from ..site.page import Page
from .sharing import ASIDE

_SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"


def write(pages: Iterable[Page], edition: Edition, days: dict[str, date], site: Site) -> None:
    if edition.address is None:
        return
    found = [page for page in pages if page.name not in ASIDE]
    site.add("sitemap.xml", lambda: _sitemap(found, edition, days))
    where = edition.url("sitemap.xml")
    site.add("robots.txt", lambda: f"User-agent: *\nAllow: /\n\nSitemap: {where}\n")


def _sitemap(pages: list[Page], edition: Edition, days: dict[str, date]) -> str:
    root = ElementTree.Element("urlset", xmlns=_SCHEMA)
    for page in pages:
        entry = ElementTree.SubElement(root, "url")
        ElementTree.SubElement(entry, "loc").text = edition.url(page.file)
        if page.name in days:
            ElementTree.SubElement(entry, "lastmod").text = days[page.name].isoformat()
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
