"""Where else a page can be run, read or answered: Colab, Binder, GitHub.

All of this follows from the course's address. Without one, there are no such links, since they
would lead nowhere. The theme's own launch buttons need Bootstrap's script, which the book does not
load, and the theme cannot prefill an issue.
"""

from pathlib import Path

from bs4 import BeautifulSoup
from markupsafe import Markup

from attn_book.address import Address

from . import contents
from .find import of_class
from .page import Page, heading

_BUTTON = Markup('<a class="btn btn-sm attn-launch" href="{}" title="{}">{}</a>')
_FOOT = Markup(
    ' <a href="{}">Source of this page</a>. <a href="{}">Something is wrong or unclear?</a>'
)


def link(page: Page, root: Path, address: Address | None) -> None:
    """Give a page its links, in the places that the templates have for them."""
    if address is None or (source := contents.source(root, page.name)) is None:
        return
    path = source.relative_to(root).as_posix()
    for download in of_class(page.soup, "attn-download"):  # which only a notebook has
        buttons = (
            (address.colab(path), "Run this chapter in Colab", "Colab"),
            (address.binder(path), "Run this chapter on Binder", "Binder"),
        )
        download.insert_after(*(_made(_BUTTON, *button) for button in buttons))
    for changed in of_class(page.soup, "attn-changed"):
        answer = feedback(address, page.name, heading(page))
        changed.parent.append(_made(_FOOT, address.source(path), answer))


def _made(markup: Markup, *words: str) -> BeautifulSoup:
    return BeautifulSoup(markup.format(*words), "html.parser")


def feedback(address: Address, name: str, title: str) -> str:
    """A new issue about a page, with the information that its reader will ask for."""
    body = (
        f"Page: {address.page(f'{name}.html')}\n"
        f"Version: {address.tag}\n\n"
        "What is wrong or unclear, and where on the page?\n\n"
        "If a sentence failed in your own run, please add the lines that the cell printed.\n"
    )
    return address.issue(f"{title}: ", body)
