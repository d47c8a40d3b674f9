"""What a page may load and run: only the files of its own site.

The policy is an element of each page, so it applies wherever the site is: behind any server, and in
a folder on a disk. Whatever it forbids fails the build, with a hint at what to do instead.
"""

import re

from sphinx.errors import ExtensionError

from ..site.folder import foreign
from ..site.page import LOADED, Page

# every kind of thing that a page may use, with the reason; anything else is forbidden
ALLOWED = {
    "default-src": ("'none'", "a new kind of thing needs a line of its own here"),
    "script-src": ("'self'", "files of the site only: no script in a page, no eval, no blob"),
    "style-src": ("'self' 'unsafe-inline'", "formulas, figures and widgets set style attributes"),
    "img-src": ("'self' data:", "the theme's style sheets carry small drawings in themselves"),
    "font-src": ("'self'", "the faces of the text and of formulas"),
    "form-action": ("'self'", "the search field leads to the page of results"),
    "base-uri": ("'none'", "no element may turn the page's own links to somewhere else"),
}
POLICY = "; ".join(f"{kind} {sources}" for kind, (sources, _) in ALLOWED.items())

# the inline scripts that a page may contain: none of them runs, since they contain data
INERT = {
    "application/vnd.jupyter.widget-state+json": "the widgets' traits, for website/assets/host.js",
    "application/vnd.jupyter.widget-view+json": "the place of a widget, for the same",
}


def enforce(page: Page) -> None:
    """Give the page its policy.

    The head's link to the next page is removed. Firefox would load that page in advance, which
    would need ``default-src 'self'``, and every reader would pay for a page that few open next.
    """
    page.head.links.pop("next", None)
    page.head.policy = POLICY


def refuse_forbidden(page: Page) -> None:
    """Fail the build on anything that the policy would silently block in a reader's browser."""
    for tag in page.soup.find_all(True):
        address = tag.get(LOADED.get(tag.name, ""), "")
        if foreign(address) and tag.get("rel") != ["canonical"]:  # which is not loaded
            raise ExtensionError(f"{page.name} loads {address}: pages ask their own host only")
        for name in tag.attrs:
            if re.match(r"on[a-z]+$", name):
                raise ExtensionError(
                    f"{page.name} has the attribute {name} in <{tag.name}>, which the site's "
                    "policy forbids: add a listener in website/assets/book.js"
                )
    for script in page.soup.find_all("script", src=False):
        if script.get("type") not in INERT:
            raise ExtensionError(
                f"{page.name} holds an inline script, which the site's policy forbids: "
                f"{' '.join(script.get_text().split())[:60]!r}. Put what a page does into "
                "website/assets/book.js, and what a figure does into a widget of "
                "attn_course/views/widgets."
            )
