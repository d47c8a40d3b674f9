"""From Sphinx's raw pages to the site in ``_build/html``.

The raw pages stay as they are, so that Sphinx need not write them again and nothing is changed
twice. The site is made in a fresh folder which takes the old one's place at the end: whenever the
build is interrupted, ``_build/html`` is a whole site or none.
"""

import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

from . import claims, course, glossary, katex, place, progress, widgets
from .build import failed
from .page import (
    Page,
    complete_head,
    mend_markup,
    move_inline_scripts,
    refuse_dead_ends,
    refuse_foreign,
)
from .site import Site

logger = logging.getLogger(__name__)
_GENERATED = ("search",)  # pages without a source of their own
_MISSING = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>No such page · {title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ max-width: 33rem; margin: 4rem auto; padding: 0 1rem; font: 1.1875rem/1.5 serif }}
</style>
<h1>No such page</h1>
<p>This address leads to no page of <em>{title}</em>. Pages stand one folder below the book's
own: <a href="../{address}">the front page</a> should be there.</p>
</html>
"""
_REDIRECT = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={address}">
<title>{title}</title>
<p><a href="{address}">{title}</a></p>
</html>
"""


def setup(app: Sphinx) -> None:
    app.connect("build-finished", publish, priority=950)


def publish(app: Sphinx, exception: Exception | None) -> None:
    """Make the site, if Sphinx made all its pages without a fault."""
    if failed(app, exception):
        return
    raw = Path(app.outdir)
    site = Site(Path(app.srcdir), raw, fresh(raw.with_name("html.new")))
    try:
        make_site(read_pages(app), site, Path(app.config.nb_execution_cache_path))
    except ExtensionError as fault:
        # raised further, other handlers of this event would run twice and hide it
        logger.error("%s", fault)
        app.statuscode = 1
        shutil.rmtree(site.folder)
        return
    address, title = f"{app.config.root_doc}.html", app.config.html_title
    site.add("index.html", lambda: _REDIRECT.format(address=address, title=title))
    site.add("404.html", lambda: _MISSING.format(address=address, title=title))
    site.add(".nojekyll", str)
    replace(site.folder, raw.with_name("html"))


def read_pages(app: Sphinx) -> dict[str, Page]:
    """The raw pages by name; pages of documents that are gone may still lie beside them."""
    names = sorted({*app.env.found_docs, *_GENERATED})
    return {name: Page(name, Path(app.outdir, f"{name}.html").read_text("utf-8")) for name in names}


def make_site(pages: dict[str, Page], site: Site, cache: Path) -> None:
    for page in pages.values():
        widgets.refuse_plain(page)
    for page in pages.values():
        widgets.borrow(page, pages)
    chapters = course.chapters(site.root)
    claims.gather(pages, chapters, cache, site)
    glossary.link(pages, chapters)
    place.number(pages, chapters)
    for page in pages.values():
        widgets.install(page, site)
    progress.mark(pages, chapters)
    for page in pages.values():
        katex.render_outputs(page.soup, site.root)
        mend_markup(page)
        move_inline_scripts(page, site)
        complete_head(page)
        refuse_foreign(page)
        site.add(page.file, lambda page=page: str(page.soup))
    for page in pages.values():
        site.fetch(page.leads_to(), page.name)
    refuse_dead_ends(pages)


def fresh(folder: Path) -> Path:
    """An empty folder, whatever an interrupted build left there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def replace(new: Path, old: Path) -> None:
    """Put the folder ``new`` in the place of ``old``."""
    gone = old.with_name(f"{old.name}.old")
    shutil.rmtree(gone, ignore_errors=True)
    if old.exists():
        old.rename(gone)
    new.rename(old)
    shutil.rmtree(gone, ignore_errors=True)
