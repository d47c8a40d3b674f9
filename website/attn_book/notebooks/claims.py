"""The page of all claims, the same as ``claims.json``, and how many claims there are.

    ```{claims}
    05-reading-dates: exact-claim longer-claim
    ```

    Of {claims-counted}`all` claims, {claims-counted}`expected` were expected beforehand.

The directive names the claims that stand first, by chapter and cell; all of them are folded in a
section for each chapter, which it makes while the pages are read. `find` then takes the
records that ``claim`` left in an executed notebook, and gives each call-out in its chapter a place
to link to; `fill` fills the sections. What ``expected`` shows in a chapter is repeated at the end
of its section. A call-out without a record, or a record without a call-out, fails the build: a
claim that is not on this page does not exist.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from docutils import nodes
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective, SphinxRole

from attn_course.claims import MIME, ORIGINS, Measured

from ..site import templates
from ..site.find import of_class, with_attribute
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

    chapter: str  # the name of its document
    cell: str
    place: str  # the anchor in the chapter's page
    sentence: str
    record: dict

    @property
    def address(self) -> str:
        return f"{self.chapter}.html#{self.place}"

    @property
    def key(self) -> str:
        """Its place among all claims."""
        return f"{_short(self.chapter)}{self.place}"


def setup(app: Sphinx) -> None:
    app.add_directive("claims", Claims)
    app.add_role("claims-counted", ClaimsCounted())


class Claims(SphinxDirective):
    """The chosen claims, and a section for each chapter, which `fill` fills."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        lines = (line.partition(":") for line in self.content)
        chosen = [f"{name}-claim-{cell}" for name, _, cells in lines for cell in cells.split()]
        first = f'<ol class="attn-claims-chosen" data-chosen="{" ".join(chosen)}"></ol>'
        for source in sources(root):
            self.env.note_dependency(str(source))
        depth = self.env.docname.count("/")
        file = f'<p><a href="{"../" * depth}{FILE}">{FILE}</a> has the same for programs.</p>'
        sections = [self._section(chapter) for chapter in chapters(root)]
        return [nodes.raw("", first + file + FILTER, format="html"), *sections]

    def _section(self, chapter: Chapter) -> nodes.section:
        key = f"claims-{chapter.name.rpartition('/')[2]}"
        section = nodes.section(ids=[key], names=[key])
        section += nodes.title(text=f"{chapter.number}. {chapter.title}")
        place = f'<div data-claims="{chapter.name}"></div>'
        section += nodes.raw("", place, format="html")
        self.state.document.note_implicit_target(section, section)
        return section


class ClaimsCounted(SphinxRole):
    """The number of claims of an origin, or of all of them, which `count` fills in."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        if self.text not in ("all", *ORIGINS):
            kinds = ", ".join(("all", *ORIGINS))
            fault = f"{self.name} takes one of {kinds}; got {self.text!r}"
            message = self.inliner.reporter.error(fault, line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        return [nodes.raw("", f'<span data-counted="{self.text}"></span>', format="html")], []


def find(page: Page, notebook: dict, lists: list[str], method: bool) -> dict:
    """The claims of a chapter, and what was expected of its experiments, as its page has it.

    Each call-out leads to the pages that list it, and to the method if there is a page of that.
    """
    claims = list(claims_of(page, notebook))
    expected = "".join(map(str, of_class(page.soup, "attn-expected")))
    for listed in lists:
        for claim, call_out in zip(claims, of_class(page.soup, "attn-claim"), strict=True):
            _lead_to(f"{listed}.html", claim, page, call_out, method)
    return {"made": [asdict(claim) for claim in claims], "expected": expected}


def fill(page: Page, chapters: dict[str, dict]) -> None:
    """Fill the sections of a page that lists claims with what `find` has found in each chapter."""
    by_key = {claim.key: claim for claim in _claims(chapters.values())}
    for place in with_attribute(page.soup, "data-chosen"):
        chosen = place["data-chosen"].split()
        in_book = [key for key in chosen if any(key.startswith(_short(name)) for name in chapters)]
        if unknown := [key for key in in_book if key not in by_key]:
            raise ExtensionError(f"{page.name} names claims that are in no chapter: {unknown}")
        claims = [by_key[key] for key in in_book]
        lines = templates.part("claims.html", claims=claims, page=page, chosen=True)
        place.append(BeautifulSoup(lines, "html.parser"))
        del place["data-chosen"]
    for place in with_attribute(page.soup, "data-claims"):
        chapter = chapters[place["data-claims"]]
        entries = _list(_claims([chapter]), page) + Markup(chapter["expected"])  # noqa: S704
        place.replace_with(BeautifulSoup(entries, "html.parser"))


def _claims(chapters: Iterable[dict]) -> list[Claim]:
    return [Claim(**record) for chapter in chapters for record in chapter["made"]]


def counted(chapters: Iterable[dict]) -> dict[str, int]:
    """How many claims there are, in all and of each origin."""
    origins = [claim["record"]["origin"] for chapter in chapters for claim in chapter["made"]]
    return {"all": len(origins), **{one: origins.count(one) for one in ORIGINS}}


def count(page: Page, numbers: dict[str, int]) -> None:
    """Say how many claims there are where a page asks for it."""
    for place in with_attribute(page.soup, "data-counted"):
        place.replace_with(str(numbers[place["data-counted"]]))


def write(chapters: Iterable[dict], site: Site) -> None:
    """Write the file of all claims."""
    everything = {"claims": [*map(_as_json, _claims(chapters))]}
    site.add(FILE, lambda: f"{json.dumps(everything, ensure_ascii=False, indent=1)}\n")


def claims_of(page: Page, notebook: dict) -> Iterator[Claim]:
    """The claims of a chapter; each call-out on its page gets an id."""
    records = list(recorded(notebook))
    call_outs = of_class(page.soup, "attn-claim")
    if len(records) != len(call_outs):
        raise ExtensionError(
            f"{page.name} has {len(records)} claims, but its page shows {len(call_outs)}: "
            "a claim's output must not be hidden, and no call-out be made by hand"
        )
    counts: dict[str, int] = {}
    for (cell, record), call_out in zip(records, call_outs, strict=True):
        counts[cell] = counts.get(cell, 0) + 1
        call_out["id"] = f"claim-{cell}" + (f"-{counts[cell]}" if counts[cell] > 1 else "")
        word, _, origin = call_out.summary.get_text().partition("; ")
        if origin:  # how the makers came by the bound stands one click deeper
            call_out.summary.string = word
            call_out.details.p.insert(0, f"{origin[0].upper()}{origin[1:]}. ")
        sentence = call_out.select_one(".attn-claim-sentence").decode_contents()
        yield Claim(page.name, cell, call_out["id"], sentence, record)


def recorded(notebook: dict) -> Iterator[tuple[str, dict]]:
    """Each claim's record in an executed notebook, with the id of its cell."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            if MIME in output.get("data", {}):
                yield cell["id"], output["data"][MIME]


def _as_json(claim: Claim) -> dict:
    name = claim.chapter.rpartition("/")[2]
    return {"chapter": name, "cell": claim.cell, "address": claim.address, **claim.record}


def _lead_to(listed: str, claim: Claim, chapter: Page, call_out: Tag, method: bool) -> None:
    """Links from what unfolds below a claim: to its entry among all claims, and to the method."""
    links = {f"{listed}#{claim.key}": "Among all claims"}
    links |= {f"{METHOD}.html": "How this book measures"} if method else {}
    call_out.details.append(templates.element("claim-link.html", links=links, page=chapter))


# ---- the page


def _list(claims: list[Claim], page: Page) -> Markup:
    lines = {"counts": _counts(claims), "runs": _runs(claims), "by_seed": _by_seed}
    return templates.part("claims.html", claims=claims, page=page, **lines)


def _runs(claims: list[Claim]) -> str:
    """On what the chapter was measured; more than once only if its cells differ."""
    words = "Python {python}, torch {torch} and NumPy {numpy} on {device}"
    facts = ({**one.record["versions"], "device": one.record["device"]} for one in claims)
    runs = dict.fromkeys(words.format(**run) for run in facts)
    return f"The chapter was run with {'; '.join(runs)}."


def _counts(claims: list[Claim]) -> str:
    """How many of the chapter's claims have which origin."""
    counts = Counter(claim.record["origin"] for claim in claims)
    parts = (f"{counts[key]} {words.rpartition('; ')[2].lower()}" for key, words in ORIGINS.items())
    return f"All {len(claims)} claims: {', '.join(parts)}"


def _short(chapter: str) -> str:
    return f"{chapter.rpartition('/')[2]}-"


def _by_seed(value: dict) -> str:
    return Measured(value["values"], value["unit"]).by_seed
