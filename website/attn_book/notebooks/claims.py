"""The page of all claims, the same as ``claims.json``, and how many claims there are.

    ```{claims}
    ```

    Of {claims-counted}`all` claims, {claims-counted}`expected` were expected beforehand.

While the pages are read, the directive makes a section for each chapter. `gather` then takes the
records that ``claim`` left in the executed notebooks, gives each call-out in the chapters a place
to link to, and fills the sections; what ``expected`` shows in a chapter is repeated at the end of
its section. A call-out without a record, or a record without a call-out, fails the build: a claim
that is not on this page does not exist.
"""

import json
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from docutils import nodes
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective, SphinxRole

from attn_course.claims import MIME, ORIGINS, Measured

from ..site.find import having, of_class
from ..site.folder import Site
from ..site.page import Page
from .course import Chapter, chapters, sources

FILE = "claims.json"
METHOD = "book/how-it-measures"
# book.js makes it work; without it, it is not shown
FILTER = (
    '<label class="attn-claims-filter">Show only claims with<input type="search"></label>'
    '<span class="attn-claims-count" role="status"></span>'
)


@dataclass(frozen=True)
class Claim:
    """One call-out: its record, its sentence as HTML, and where it stands."""

    chapter: Chapter
    cell: str
    place: str  # the anchor in the chapter's page
    sentence: Markup
    record: dict

    @property
    def address(self) -> str:
        return f"{self.chapter.name}.html#{self.place}"


def setup(app: Sphinx) -> None:
    app.add_directive("claims", Claims)
    app.add_role("claims-counted", ClaimsCounted())


class Claims(SphinxDirective):
    """A section for each chapter, which `gather` fills."""

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        for source in sources(root):
            self.env.note_dependency(str(source))
        depth = self.env.docname.count("/")
        file = f'<p><a href="{"../" * depth}{FILE}">{FILE}</a> has the same for programs.</p>'
        sections = [self._section(chapter) for chapter in chapters(root)]
        return [nodes.raw("", file + FILTER, format="html"), *sections]

    def _section(self, chapter: Chapter) -> nodes.section:
        key = f"claims-{chapter.name.rpartition('/')[2]}"
        section = nodes.section(ids=[key], names=[key])
        section += nodes.title(text=f"{chapter.number}. {chapter.title}")
        place = f'<div data-claims="{chapter.name}"></div>'
        section += nodes.raw("", place, format="html")
        self.state.document.note_implicit_target(section, section)
        return section


class ClaimsCounted(SphinxRole):
    """The number of claims of an origin, or of all of them, which `gather` fills in."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        if self.text not in ("all", *ORIGINS):
            given = ", ".join(("all", *ORIGINS))
            said = f"{self.name} takes one of {given}; got {self.text!r}"
            message = self.inliner.reporter.error(said, line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        return [nodes.raw("", f'<span data-counted="{self.text}"></span>', format="html")], []


def gather(
    pages: dict[str, Page], course: list[Chapter], notebooks: dict[str, dict], site: Site
) -> None:
    """Find all claims, mark their places, and write the page and the file of them."""
    found = {
        chapter.name: list(claims_of(chapter, pages[chapter.name], notebooks[chapter.name]))
        for chapter in course
    }
    for page in pages.values():
        for place in having(page.soup, "data-claims"):
            claims = found[place["data-claims"]]
            chapter = pages[place["data-claims"]]
            entries = _list(claims, page) + _expected(chapter)
            place.replace_with(BeautifulSoup(entries, "html.parser"))
            call_outs = of_class(chapter.soup, "attn-claim")
            for claim, call_out in zip(claims, call_outs, strict=True):
                _lead_to(page, claim, chapter, call_out, METHOD in pages)
    everything = [_as_json(claim) for claims in found.values() for claim in claims]
    counted = Counter(claim["origin"] for claim in everything)
    for page in pages.values():
        for place in having(page.soup, "data-counted"):
            origin = place["data-counted"]
            place.replace_with(str(len(everything) if origin == "all" else counted[origin]))
    text = json.dumps({"claims": everything}, ensure_ascii=False, indent=1)
    site.add(FILE, lambda: f"{text}\n")


def claims_of(chapter: Chapter, page: Page, notebook: dict) -> Iterator[Claim]:
    """The claims of a chapter; each call-out on its page gets an id."""
    records = list(recorded(notebook))
    call_outs = of_class(page.soup, "attn-claim")
    if len(records) != len(call_outs):
        raise ExtensionError(
            f"{chapter.name} has {len(records)} claims, but its page shows {len(call_outs)}: "
            "a claim's output must not be hidden, and no call-out be made by hand"
        )
    seen: dict[str, int] = {}
    for (cell, record), call_out in zip(records, call_outs, strict=True):
        seen[cell] = seen.get(cell, 0) + 1
        call_out["id"] = f"claim-{cell}" + (f"-{seen[cell]}" if seen[cell] > 1 else "")
        for strip in of_class(call_out, "attn-seeds"):
            strip.path.decompose()  # the line, which book.css draws for all of them
        sentence = copy(call_out.select_one(".attn-claim-sentence"))
        for strip in sentence.find_all("svg"):
            strip.decompose()  # what it draws is in the list below the sentence
        words = Markup(sentence.decode_contents())  # noqa: S704
        yield Claim(chapter, cell, call_out["id"], words, record)


def recorded(notebook: dict) -> Iterator[tuple[str, dict]]:
    """Each claim's record in an executed notebook, with the id of its cell."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            if MIME in output.get("data", {}):
                yield cell["id"], output["data"][MIME]


def _as_json(claim: Claim) -> dict:
    name = claim.chapter.name.rpartition("/")[2]
    return {"chapter": name, "cell": claim.cell, "address": claim.address, **claim.record}


def _lead_to(listed: Page, claim: Claim, chapter: Page, call_out: Tag, method: bool) -> None:
    """Links from what unfolds below a claim: to its entry among all claims, and to the method."""
    links = {f"{listed.file}#{_key(claim)}": "Among all claims"}
    links |= {f"{METHOD}.html": "How this book measures"} if method else {}
    made = [
        Markup('<a href="{}">{}</a>').format(chapter.address(to), said)
        for to, said in links.items()
    ]
    line = Markup('<p class="attn-claim-link">{}</p>').format(Markup(" · ").join(made))
    call_out.details.append(BeautifulSoup(line, "html.parser"))


# ---- the page


def _list(claims: list[Claim], page: Page) -> Markup:
    entries = (_entry(claim, page) for claim in claims)
    return Markup('<p class="attn-claims-made">{} {}</p><ol class="attn-claims">{}</ol>').format(
        _made(claims), _counts(claims), Markup("").join(entries)
    )


def _expected(chapter: Page) -> Markup:
    """What was expected of the chapter's experiments, as the chapter has it."""
    parts = "".join(map(str, of_class(chapter.soup, "attn-expected")))
    return Markup(parts)  # noqa: S704


def _made(claims: list[Claim]) -> str:
    """On what the chapter was measured; more than once only if its cells differ."""
    made = dict.fromkeys(
        "Python {python}, torch {torch} and NumPy {numpy} on {device}".format(
            **claim.record["versions"], device=claim.record["device"]
        )
        for claim in claims
    )
    return f"The chapter was run with {'; '.join(made)}."


def _counts(claims: list[Claim]) -> str:
    """How many of the chapter's claims have which origin."""
    counted = Counter(claim.record["origin"] for claim in claims)
    parts = (
        f"{counted[origin]} {said.rpartition('; ')[2].lower()}" for origin, said in ORIGINS.items()
    )
    return f"Of its {len(claims)} claims: {', '.join(parts)}."


def _entry(claim: Claim, page: Page) -> Markup:
    values = claim.record["values"].items()
    parts = claim.record["comparisons"]
    rows = (_value(name, value) for name, value in values if "values" in value)
    held = "; ".join("{text}, margin {margin_text}".format(**each) for each in parts)
    return Markup(
        '<li id="{key}"><p class="attn-claim-sentence">{sentence}</p>'
        "<dl>{rows}</dl><p>{origin}. It must hold that {held}.{printed}</p>"
        '<a class="attn-claims-link" href="{page}#{place}">Read it in the chapter</a></li>'
    ).format(
        key=_key(claim),
        sentence=claim.sentence,
        origin=claim.record["origin_text"],
        printed=claim.record["printed_text"],
        rows=Markup("").join(rows),
        held=held,
        page=page.address(f"{claim.chapter.name}.html"),
        place=claim.place,
    )


def _key(claim: Claim) -> str:
    return f"{claim.chapter.name.rpartition('/')[2]}-{claim.place}"


def _value(name: str, value: dict) -> Markup:
    seeds = Measured(value["values"], value["unit"]).by_seed
    shown = Markup(" <span>{}</span>").format(seeds) if seeds else ""
    return Markup("<dt>{}</dt><dd>{}{}</dd>").format(name, value["text"], shown)
