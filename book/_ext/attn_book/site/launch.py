"""Where else a page can be run, read or answered: Colab, Binder, GitHub.

All of this follows from the course's address. Without one, there are no such links, since they
would lead nowhere; only the link to the licence is on every page. The theme's own launch buttons
need Bootstrap's script, which the book does not load, and the theme cannot prefill an issue.
"""

from pathlib import Path

from sphinx.application import Sphinx

from tools.address import Address, read

from ..head.edition import LICENCE
from ..reference import contents


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", add_links)


def add_links(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """``launch``: (name, address, what a click does) for each; ``feedback``: a prefilled issue."""
    address = read(Path(app.srcdir))
    source = context.get("page_source_suffix")
    context["licence"], context["launch"], context["feedback"] = LICENCE, [], ""
    if address is None or not source:
        return
    root, path = Path(app.srcdir), f"{pagename}{source}"
    if module := contents.source(root, pagename):
        path = module.relative_to(root).as_posix()
    context["feedback"] = feedback(address, pagename, context.get("title", pagename))
    context["source_link"] = address.source(path)
    if source == ".ipynb":
        context["launch"] = [
            ("Colab", address.colab(path), "Run this chapter in Colab"),
            ("Binder", address.binder(path), "Run this chapter on Binder"),
        ]


def feedback(address: Address, pagename: str, title: str) -> str:
    """A new issue about a page, with the information that its reader will ask for."""
    body = (
        f"Page: {address.page(f'{pagename}.html')}\n"
        f"Version: {address.tag}\n\n"
        "What is wrong or unclear, and where on the page?\n\n"
        "If a sentence failed in your own run, please add the lines that the cell printed.\n"
    )
    return address.issue(f"{title}: ", body)
