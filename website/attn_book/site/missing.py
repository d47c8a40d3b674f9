"""The page for addresses that do not exist.

A server shows it at whatever address was requested, at any depth, so it cannot refer to its files
by relative addresses. If the site's address is known, it refers to them from the host's root and is
a page like the others, with menu and search. Otherwise it is a few lines that need no other file.

We do not use sphinx-notfound-page. Its addresses begin at the root before `publish` looks for the
files, and the address that Sphinx's own scripts use (``data-content_root``) stays relative.
"""

import posixpath
from urllib.parse import urlsplit

from markupsafe import Markup

from .edition import Edition
from .page import Page

NAME = "404"
# else a browser would ask for /favicon.ico, which the policy of such a small page forbids
NO_ICON = Markup('<link rel="icon" href="data:,">')
_NAMES_FILES = ("href", "src", "action")
_ALONE = Markup("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="robots" content="noindex">
{no_icon}
<title>No such page · {title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ max-width: 33rem; margin: 4rem auto; padding: 0 1rem; font: 1.1875rem/1.5 serif }}
</style>
</head>
<body>
<h1>No such page</h1>
<p>There is no page of <em>{title}</em> at this address. The pages are one folder below the book's
main folder: <a href="../{front}.html">the front page</a> should be there.</p>
</body>
</html>
""")


def alone(edition: Edition) -> Markup:
    """The page for a site that has no address."""
    return _ALONE.format(title=edition.title, front=edition.front, no_icon=NO_ICON)


def name_from_root(page: Page, edition: Edition) -> None:
    """Make every address of the site on this page begin at the host's root."""
    at = urlsplit(edition.address.site).path
    page.change()
    page.soup.html["data-content_root"] = at  # the address that Sphinx's own scripts use
    for tag in page.soup.find_all(True):
        for name in _NAMES_FILES:
            if name in tag.attrs:
                tag[name] = _from_root(tag[name], at, posixpath.dirname(page.file))


def _from_root(address: str, at: str, folder: str) -> str:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
        return address
    path = posixpath.normpath(posixpath.join(at, folder, parts.path))
    return parts._replace(path=path).geturl()
