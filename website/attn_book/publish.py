"""From Sphinx's raw pages to the site in ``_build/html``.

The raw pages are left unchanged, so that Sphinx need not write them again and nothing is changed
twice. The site is made in a new folder, which replaces the old one at the end. So even if a build
is interrupted, ``_build/html`` is either a complete site or missing.

A page is made in two steps: `begin` looks at nothing but the page, and finds what others take from
it; `finish` adds what it takes from others. Both results are kept for the next build: while neither
the raw page nor what it takes has changed, nor anything that pages are made with, it is not even
read.
"""

import hashlib
import json
import posixpath
import shutil
from collections.abc import Callable
from dataclasses import astuple, dataclass, field
from datetime import date
from functools import cache, partial
from pathlib import Path

from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

from attn_book import address, whole

from .head import history, loading, policy, sharing
from .head.cards import Card
from .notebooks import (
    claims,
    code,
    course,
    exercises,
    glossary,
    growing,
    mentions,
    minutes,
    moved,
    orientation,
    progress,
    recall,
    side_roads,
    veil,
)
from .notebooks.build import failed, notebooks, results
from .reference import links as reference
from .site import answers, katex, launch, missing, parts, search, templates, typography
from .site.edition import Edition
from .site.folder import Part, Site, own_files
from .site.page import Page, described, heading, mend_markup, refuse_dead_ends
from .widgets import install as widgets
from .widgets import language, links

logger = logging.getLogger(__name__)
# what fills places that a raw page marks in this way
FILLED = {
    "data-claims": claims.fill,
    "data-counted": claims.count,
    "data-minutes-of": minutes.repeat,
    recall.PLACE: recall.fill,
}
OF_CHAPTERS = ("claims", "terms", "prose", "minutes", "to_do", "questions")
_GENERATED = ("search", missing.NAME)  # pages without a source of their own


def setup(app: Sphinx) -> None:
    whole.means_at_first(Path(app.srcdir))
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
    means = whole.means_at_first(site.root)
    try:
        make_site(Book(read_pages(app), site, executed, edition, places(app), means))
    except ExtensionError as fault:
        # raised further, other handlers of this event would run twice and hide it
        logger.error("%s", fault)
        app.statuscode = 1
        shutil.rmtree(site.folder)
        return
    replace(site.folder, raw.with_name("html"))
    answers.tidy(site.root, sound=whole.means(site.root) == means)


def read_pages(app: Sphinx) -> dict[str, str]:
    """The raw pages by name, without those of documents that no longer exist."""
    names = sorted({*app.env.found_docs, *_GENERATED})
    return {name: Path(app.outdir, f"{name}.html").read_text("utf-8") for name in names}


def places(app: Sphinx) -> dict[str, str]:
    """The documents that describe what the package has, by its full name."""
    return {name: entry.docname for name, entry in app.env.get_domain("py").objects.items()}


@dataclass(eq=False)
class Book:
    """The raw pages by name, and all that they are made with, of which ``means`` is a digest."""

    raw: dict[str, str]
    site: Site
    executed: dict[str, dict]
    edition: Edition
    places: dict[str, str]
    means: str
    terms: dict[str, list[str]] = field(default_factory=dict)  # the forms of the glossary's entries

    def __post_init__(self):
        self.chapters = {chapter.name: chapter for chapter in course.chapters(self.site.root)}
        with_all = [self.means, str(self.edition), str(self.chapters), [*self.raw]]
        self.common = _digest(with_all, sorted(self.places.items()))
        if glossary.DOCUMENT in self.raw:
            self.terms = self.facts(glossary.DOCUMENT)["terms"]

    @cache  # noqa: B019
    def inputs(self, name: str) -> list[str]:
        """What a page is made of and with, but for what it takes from others."""
        of_chapter = [self.executed[name], self.terms] if name in self.chapters else []
        return [name, self.common, _digest(self.raw[name], self.lent(name), of_chapter)]

    def lent(self, name: str) -> dict[str, str]:
        """The widgets of pages from which a page borrows some."""
        lenders = widgets.lenders(self.raw[name])
        return {lender: widgets.alone(self.raw[lender]) for lender in lenders if lender in self.raw}

    @cache  # noqa: B019
    def begun(self, name: str) -> tuple[Page, Part, dict]:
        page, part = Page(name, self.raw[name]), Part(self.site)
        return page, part, begin(page, part, self)

    def facts(self, name: str) -> dict:
        """What others take from a page."""
        return self._remembered(self.inputs(name), lambda: self.begun(name)[2])

    def finished(self, name: str, taken: dict) -> dict:
        """A page as readers get it, and what comes with it."""
        inputs = [*self.inputs(name), _digest(taken)]
        return self._remembered(inputs, lambda: finish(*self.begun(name)[:2], self, taken))

    def _remembered(self, inputs: list[str], work_out: Callable[[], dict]) -> dict:
        root = self.site.root
        return json.loads(answers.remembered(root, inputs, lambda: json.dumps(work_out())))


def _digest(*parts) -> str:
    """A digest of this as JSON, whose dictionaries have their order."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def begin(page: Page, part: Part, book: Book) -> dict:
    """Do to a page what depends on nothing else; return what others take from it."""
    chapter, chapters = book.chapters.get(page.name), book.chapters.values()
    facts = {
        "heading": typography.typeset(heading(page)),
        "sheets": own_files(page.file, page.head.sheets),
    }
    sharing.entitle(page, book.edition)
    widgets.refuse_plain(page)
    widgets.borrow(page, {name: Page(name, html) for name, html in book.lent(page.name).items()})
    launch.link(page, book.site.root, book.edition.address)
    if chapter:
        lists = [name for name, raw in book.raw.items() if "data-claims=" in raw]
        executed = book.executed[page.name]
        facts["claims"] = claims.find(page, executed, lists, claims.METHOD in book.raw)
        exercises.for_readers(page, book.edition)
    code.arrange(page)
    if page.name == glossary.DOCUMENT:
        facts["terms"] = glossary.entries(page)
    if chapter:
        facts["terms"] = glossary.link(page, book.terms)
        facts["prose"] = [*mentions.prose(page)]
    reference.arrange(page, book.places)
    orientation.number(page, chapters)
    orientation.name_folds(page)
    if chapter:
        orientation.head(page, chapter)
        orientation.illustrate(page, book.site.root)
        orientation.list_pieces(page, chapter, chapters)
    links.make(page)
    widgets.install(page, part)
    language.place(page, part)
    if chapter:
        facts["minutes"] = minutes.say(page)
        facts["to_do"], facts["questions"] = progress.mark(page, chapter)
    return facts


def finish(page: Page, part: Part, book: Book, taken: dict) -> dict:
    """Add to a page what it takes from others, and write it out."""
    for mark, fill in FILLED.items():
        if mark in taken:
            fill(page, taken[mark])
    growing.show(page, taken["files"])
    glossary.mark(page, taken["first"])
    glossary.lead_back(page, taken["uses"], book.chapters)
    progress.show(page, book.chapters.values(), taken["to_do"], taken["renamed"])
    if page.name in book.chapters:
        veil.veil(page, book.executed[page.name]["cells"])
        side_roads.close(page)
    code.join_folds(page)
    katex.render_outputs(page.soup)
    typography.set_signs(page)
    mend_markup(page)
    described(page)
    if page.name in book.chapters:
        parts.divide(page)
    moved.lead_on(page, taken["former"])
    moved.lead_on(page, moved.renamed(page, taken["renamed"]))
    day = taken["day"] and date.fromisoformat(taken["day"])
    history.show(page, day)
    sharing.complete(page, book.edition, day, taken["card"] and Card(*taken["card"]))
    loading.arrange(page, *taken["sheets"])
    policy.enforce(page)
    page.head.write()
    policy.refuse_forbidden(page)
    results = {"places": page.places(), "jumps": page.jumps(), "leads_to": page.leads_to()}
    results |= {"title": page.head.title, "shared": sharing.shared_tags(page)}
    results["loads"] = own_files(page.file, page.head.scripts)
    results["sections"] = search.sections(page)
    if page.name == missing.NAME and book.edition.address:
        missing.name_from_root(page, book.edition)
    part.add(page.file, partial(page.html, book.site.root))
    return {**results, "texts": part.texts, "copies": part.copies}


def make_site(book: Book) -> None:
    site, edition = book.site, book.edition
    facts = {name: book.facts(name) for name in book.raw}
    days = history.dates(site.root, [*facts])
    taken = takings(book, facts, days)
    pages = {name: book.finished(name, taken[name]) for name in facts}
    refuse_dead_ends(pages)
    loading.make_scripts_small((name for page in pages.values() for name in page["loads"]), site)
    claims.write((facts[name]["claims"] for name in book.chapters), site)
    search.write(
        [(name, facts[name]["heading"], page["sections"]) for name, page in pages.items()], site
    )
    sharing.say_where([*pages], site, edition, days)
    write(pages, site, edition)


def takings(book: Book, facts: dict[str, dict], days: dict[str, date]) -> dict[str, dict]:
    """What each page takes from others, and from what is known of the whole book."""
    site, course = book.site, book.chapters
    by_kind = {what: {name: facts[name][what] for name in course} for what in OF_CHAPTERS}
    headings = {name: page["heading"] for name, page in facts.items()}
    sheets = [*dict.fromkeys(sheet for page in facts.values() for sheet in page["sheets"])]
    common = {"to_do": by_kind["to_do"], "sheets": [sheets, loading.join(sheets, site)]}
    common["renamed"] = moved.documents(site.root)
    questions = by_kind["questions"].items()
    places = {
        "data-claims": by_kind["claims"],
        "data-counted": claims.counted(by_kind["claims"].values()),
        "data-minutes-of": by_kind["minutes"],
        recall.PLACE: [[name, course[name].called, folds] for name, folds in questions],
    }
    first = glossary.first_uses(by_kind["terms"])
    uses = mentions.places({key: book.terms[key] for key in first}, by_kind["prose"])
    uses = {key: glossary.uses(chapter, key, uses[key]) for key, chapter in first.items()}
    former = moved.former(site.root, headings)
    files = growing.grown(site.root, [*course])
    pictures = sharing.pictures(headings, course.values(), site, book.executed, book.edition)
    taken = {}
    for name, raw in book.raw.items():
        page = common | {mark: fact for mark, fact in places.items() if mark in raw}
        page["first"] = [key for key, chapter in first.items() if chapter == name]
        page["uses"] = uses if name == glossary.DOCUMENT else {}
        page |= {"former": former[name], "files": files.get(name, {})}
        page["day"] = days[name].isoformat() if name in days else None
        page["card"] = astuple(pictures[name]) if name in pictures else None
        taken[name] = page
    return taken


def write(pages: dict[str, dict], site: Site, edition: Edition) -> None:
    """Write the pages with their files, and what leads to them."""
    if not edition.address:
        words = {"title": edition.title, "front": edition.front}
        site.add(f"{missing.NAME}.html", lambda: templates.page("missing.html", **words))
    for page in pages.values():
        for name, text in page["texts"].items():
            site.add(name, lambda text=text: text)
        for name, source in page["copies"].items():
            site.copy(Path(source), name)
    doors = {"index": edition.front, **moved.documents(site.root)}
    for name, new in doors.items():
        if new in pages:
            site.add(f"{name}.html", partial(door, name, f"{new}.html", pages[new], edition))
    site.add(".nojekyll", str)
    for name, page in pages.items():
        site.fetch(page["leads_to"], name)


def door(name: str, file: str, page: dict, edition: Edition) -> str:
    """The page at the site's own address, or at one that a page had before: it leads to a page."""
    file = posixpath.relpath(file, posixpath.dirname(name) or ".")
    title = edition.title if name == "index" else page["title"]
    shared = Markup(page["shared"])  # noqa: S704
    return templates.page("redirect.html", file=file, title=title, shared=shared)


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
