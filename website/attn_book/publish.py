"""From Sphinx's raw pages to the site in ``_build/html``.

The raw pages are left unchanged, so that Sphinx need not write them again and nothing is changed
twice. The site is made in a new folder, which replaces the old one at the end. So even if a build
is interrupted, ``_build/html`` is either a complete site or missing.
"""

import posixpath
import shutil
from functools import partial
from pathlib import Path

from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

from attn_book import address

from .head import loading, policy, sharing
from .notebooks import (
    claims,
    code,
    course,
    exercises,
    glossary,
    growing,
    minutes,
    moved,
    place,
    progress,
    side_roads,
    veil,
)
from .notebooks.build import failed, notebooks, results
from .reference import links as reference
from .site import answers, katex, launch, missing, parts, search, typography
from .site.edition import Edition
from .site.folder import Site
from .site.page import Page, described, mend_markup, refuse_dead_ends
from .widgets import install as widgets
from .widgets import language, links

logger = logging.getLogger(__name__)
_GENERATED = ("search", missing.NAME)  # pages without a source of their own


def setup(app: Sphinx) -> None:
    app.connect("build-finished", publish, priority=950)


def publish(app: Sphinx, exception: Exception | None) -> None:
    """Make the site, if Sphinx made all its pages without a fault."""
    if failed(app, exception):
        return
    raw = Path(app.outdir)
    site = Site(Path(app.srcdir), raw, fresh(raw.with_name("html.new")))
    config = app.config
    where = address.read(site.root)
    edition = Edition(config.html_title, config.root_doc, where)
    executed = notebooks(site.root, results(app), app.env.attn_results)
    try:
        make_site(read_pages(app), site, executed, edition, places(app))
    except ExtensionError as fault:
        # raised further, other handlers of this event would run twice and hide it
        logger.error("%s", fault)
        app.statuscode = 1
        shutil.rmtree(site.folder)
        return
    replace(site.folder, raw.with_name("html"))
    answers.tidy(site.root)


def read_pages(app: Sphinx) -> dict[str, Page]:
    """The raw pages by name, without those of documents that no longer exist."""
    names = sorted({*app.env.found_docs, *_GENERATED})
    return {name: Page(name, Path(app.outdir, f"{name}.html").read_text("utf-8")) for name in names}


def places(app: Sphinx) -> dict[str, str]:
    """The documents that describe what the package has, by its full name."""
    return {name: each.docname for name, each in app.env.get_domain("py").objects.items()}


def make_site(
    pages: dict[str, Page],
    site: Site,
    executed: dict[str, dict],
    edition: Edition,
    places: dict[str, str],
) -> None:
    for page in pages.values():
        sharing.entitle(page, edition)
        widgets.refuse_plain(page)
    for page in pages.values():
        widgets.borrow(page, pages)
    launch.link(pages, site.root, edition.address)
    chapters = course.chapters(site.root)
    claims.gather(pages, chapters, executed, site)
    exercises.for_readers(pages, chapters, edition)
    growing.show(pages, chapters, site.root)
    code.arrange(pages)
    glossary.link(pages, chapters)
    reference.arrange(pages, places)
    place.number(pages, chapters)
    place.illustrate(pages, chapters, site.root)
    for page in pages.values():
        links.make(page)
        widgets.install(page, site)
        language.place(page, site)
    minutes.say(pages, chapters)
    progress.mark(pages, chapters)
    veil.draw(pages, chapters, site)
    side_roads.close(pages, chapters)
    code.join_folds(pages)
    for page in pages.values():
        katex.render_outputs(page.soup)
        typography.set_signs(page)
        mend_markup(page)
        described(page)
    for chapter in chapters:
        parts.divide(pages[chapter.name])
    search.write_texts(pages, site)
    moved.lead_on(pages, site.root)
    sharing.introduce(pages, chapters, site, executed, edition)
    refuse_dead_ends(pages)
    loading.arrange(pages, site)
    for page in pages.values():
        policy.enforce(page)
        page.head.write()
        policy.refuse_forbidden(page)
    asked = {page.name: page.leads_to() for page in pages.values()}
    write(pages, site, edition)
    for name, files in asked.items():
        site.fetch(files, name)


def write(pages: dict[str, Page], site: Site, edition: Edition) -> None:
    """Write the pages, and the files of the site that lead to them."""
    if edition.address:
        missing.name_from_root(pages[missing.NAME], edition)
    else:
        words = {"title": edition.title, "front": edition.front}
        site.add(f"{missing.NAME}.html", lambda: missing.alone("missing.html", **words))
    for page in pages.values():
        site.add(page.file, partial(page.html, site.root))
    doors = {"index": edition.front, **moved.documents(site.root)}
    for name, new in doors.items():
        if new in pages:
            site.add(f"{name}.html", partial(door, name, pages[new], edition))
    site.add(".nojekyll", str)


def door(name: str, page: Page, edition: Edition) -> str:
    """The page at the site's own address, or at one that a page had before: it leads to a page."""
    file = posixpath.relpath(page.file, posixpath.dirname(name) or ".")
    title = edition.title if name == "index" else page.head.title
    shared = Markup(sharing.hand_on(page))  # noqa: S704
    return missing.alone("redirect.html", file=file, title=title, shared=shared)


def fresh(folder: Path) -> Path:
    """An empty folder, even if an interrupted build left files there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def replace(new: Path, old: Path) -> None:
    """Replace the folder ``old`` by ``new``."""
    gone = old.with_name(f"{old.name}.old")
    shutil.rmtree(gone, ignore_errors=True)
    if old.exists():
        old.rename(gone)
    new.rename(old)
    shutil.rmtree(gone, ignore_errors=True)
