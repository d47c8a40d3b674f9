"""Which parts of a chapter become slides, and what the speaker says about each.

Every prediction, widget and figure gets a slide, and so does the claim that answers a prediction
if no figure does. All are in the order of the chapter, so no answer comes before its question.
Further slides are added as long as the lecture does not get longer than `MOST`: first the
equations, one per section, then one claim of each section that has no picture, then a table or the
code of a section that has nothing else. The prose becomes the speaker's notes, as do all other
claims.

In the notebook, the tag ``slide`` on a code cell adds what the cell shows or prints, and
``no-slide`` leaves it out.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bs4 import Tag
from markupsafe import escape

from attn_book.site.parts import DOUBTS, EXERCISES, QUESTIONS
from attn_book.slides.chapter import Chapter, Part, Section, clean, words

MOST = 30  # slides
LINES = 16  # of code on one slide
ROWS = 9  # of a table
POINTS = 5  # of a list
TALL = 0.85  # of its width: a drawing that is taller stands beside its heading
PICTURES = {"prediction", "widget", "figure"}
_ALWAYS, _EQUATION, _CLAIM, _FILLER, _NEVER = range(5)
_SENTENCE = re.compile(r"(?<=[.?!])\s+")


@dataclass
class Slide:
    """``kind`` is for the style sheet, as its classes are; all other texts are HTML."""

    kind: str
    heading: str
    body: str
    topic: str = ""
    notes: list[str] = field(default_factory=list)


def lecture(chapter: Chapter, teaching: dict[str, Tag]) -> list[Slide]:
    """The slides of a chapter; ``teaching`` is what *Teach with it* says about it."""
    last = [*_change(chapter), *_discussion(teaching), *_exercises(chapter), *_recall(chapter)]
    ends = (DOUBTS, EXERCISES, QUESTIONS)
    body = [one for one in chapter.sections if not any(one.is_in(kind) for kind in ends)]
    slides = _slides(chapter, body, chosen(body, MOST - 1 - len(last)))
    if "Show" in teaching:
        first = next((one for one in slides if one.kind == "widget"), slides[0])
        first.notes.insert(0, str(clean(teaching["Show"])))
    return [*slides, *last]


# ---- which parts are shown


def chosen(sections: Iterable[Section], room: int) -> set[Part]:
    """The parts that become slides: all that must, and others as long as there is room."""
    ranks: dict[Part, int] = {}
    unanswered = False  # whether the last slide is a prediction
    for section in sections:
        kinds, earlier = {part.kind for part in section.parts}, set()
        for part in section.parts:
            rank = _rank(part, kinds, earlier, unanswered)
            if rank == _ALWAYS:
                unanswered = part.kind == "prediction"
            if rank < _NEVER:
                earlier.add(part.kind)
                ranks[part] = rank
    always = sum(rank == _ALWAYS for rank in ranks.values())
    return set(sorted(ranks, key=ranks.__getitem__)[: max(room, always)])  # in the chapter's order


def _rank(part: Part, kinds: set[str], earlier: set[str], unanswered: bool) -> int:
    """``kinds`` are those of all parts of its section, ``seen`` those that have a slide already."""
    if part.kind in ("prose", "fold") or "no-slide" in part.tags:
        return _NEVER
    if "slide" in part.tags or part.kind in PICTURES or (part.kind == "claim" and unanswered):
        return _ALWAYS
    if part.kind in earlier or part.kind == "printed":
        return _NEVER
    if part.kind == "equation":
        return _EQUATION
    if part.kind == "claim":
        return _NEVER if kinds & {"widget", "figure"} else _CLAIM
    is_alone = not kinds & (PICTURES | {"equation", "claim"})
    if part.kind == "table":
        is_short = len(part.element.find_all("tr")) <= ROWS
    else:
        is_short = sum(len(one.text.strip().splitlines()) for one in listings(part)) <= LINES
    return _FILLER if is_alone and is_short else _NEVER


def listings(part: Part) -> list[Tag]:
    """The code of a cell and what it prints, or the source that it shows."""
    source = part.element.select(".cell_output .highlight-python")
    return source or part.element.select(".cell_input .highlight, .cell_output .output pre")


# ---- from parts to slides


def _slides(chapter: Chapter, sections: list[Section], chosen_parts: set[Part]) -> list[Slide]:
    slides = [_title(chapter)]
    slides[0].notes = [note for part in sections[0].parts for note in _note(part)]
    waiting: list[str] = []  # notes for the next slide
    for section in sections:
        has_slide, notes = False, []
        for part in section.parts:
            if part in chosen_parts:
                slides.append(_slide(part, section))
                slides[-1].notes += [*waiting, *notes, *_described(part)]
                has_slide, waiting, notes = True, [], []
            elif section is not sections[0]:
                notes += _note(part)
        if has_slide and slides[-1].kind != "prediction":
            slides[-1].notes += notes
        elif notes:
            waiting += [*([] if has_slide else [f"<h3>{_inner(section.heading)}</h3>"]), *notes]
    slides[-1].notes += waiting
    return slides


def _title(chapter: Chapter) -> Slide:
    question = f'<p class="attn-asked">{_inner(chapter.question)}</p>'
    return Slide("title", escape(chapter.title), question, chapter.place)


def _slide(part: Part, section: Section) -> Slide:
    heading = _inner(section.heading)
    is_below = section.heading is not section.topic and section.topic.name != "h1"
    topic = _inner(section.topic) if is_below or part.kind == "figure" else ""
    body = clean(part.element)
    if part.kind == "figure" and body.figcaption:
        heading = _inner(body.figcaption.extract())
    if part.kind == "claim":
        return Slide("claim", heading, _claim(body), topic)
    if part.kind == "figure" and _is_tall(body.svg):
        return Slide("figure attn-tall", heading, str(body), topic)
    if part.kind in ("code", "printed"):
        body = "".join(str(clean(one)) for one in listings(part))
    return Slide(part.kind, heading, str(body), topic)


def _is_tall(drawing: Tag | None) -> bool:
    """Whether a drawing needs the whole height of a slide, beside its heading."""
    if drawing is None or "viewbox" not in drawing.attrs:
        return False
    _, _, width, height = map(float, drawing["viewbox"].split())
    return height > TALL * width


def _claim(claim: Tag) -> str:
    sentence = _inner(claim.select_one(".attn-claim-sentence"))
    origin = words(claim.summary)
    return f'<p class="attn-said">{sentence}</p><p class="attn-origin">{escape(origin)}</p>'


def _note(part: Part) -> list[str]:
    """The notes on a part that has no slide."""
    if part.kind == "claim":
        return [f"<p><em>Measured.</em> {_inner(part.element.select_one('p'))}</p>"]
    return [str(clean(part.element))] if part.kind in ("prose", "equation", "table") else []


def _described(part: Part) -> list[str]:
    """A figure in words, for a speaker who does not see the screen."""
    drawing = part.element.find("svg", attrs={"aria-label": True})
    if part.kind != "figure" or drawing is None:
        return []
    return [f"<p><em>The figure.</em> {escape(drawing['aria-label'])}</p>"]


# ---- how a lecture ends


def _change(chapter: Chapter) -> Iterator[Slide]:
    for section in chapter.sections:
        if section.is_in(DOUBTS) and section.heading is section.topic:
            notes = [note for part in section.parts for note in _note(part)]
            yield _list(f"{words(section.heading).rstrip('?')}?", _leads(section)[:6], notes)


def _leads(section: Section) -> list[str]:
    """The statements that were tested: first cells of a table, or what is emphasised."""
    leads = []
    for part in section.parts:
        if part.kind == "table":
            rows = part.element.select("tbody tr")
            return [_inner(row.find(["th", "td"])).strip() for row in rows]
        is_list = part.element.name in ("ul", "ol")
        for item in part.element.find_all("li", recursive=False) if is_list else [part.element]:
            first = next(iter((item.p or item).children), None)
            if part.kind == "prose" and getattr(first, "name", None) in ("em", "strong"):
                leads.append(_inner(first))
    return leads


def _discussion(teaching: dict[str, Tag]) -> Iterator[Slide]:
    if "Ask" in teaching:
        question = clean(teaching["Ask"])
        question.strong.decompose()
        wrong = teaching.get("Where students go wrong")
        notes = [] if wrong is None else [str(clean(wrong))]
        yield _list("To discuss", _SENTENCE.split(_inner(question).strip()), notes)


def _exercises(chapter: Chapter) -> Iterator[Slide]:
    title, rows, notes = "", [], []
    for section in chapter.sections:
        if section.is_in(EXERCISES) and section.heading is section.topic:
            title = words(section.heading)
        elif section.is_in(EXERCISES):
            effort = section.heading.find_next_sibling("p", class_="attn-effort")
            rows.append(
                f"<tr><td>{_inner(section.heading)}</td>"
                f"<td>{_inner(effort) if effort else ''}</td></tr>"
            )
            notes += [f"<h3>{_inner(section.heading)}</h3>"]
            notes += [str(clean(part.element)) for part in section.parts if part.kind == "prose"]
    if rows:
        yield Slide("table", title, f"<table>{''.join(rows)}</table>", notes=notes)


def _recall(chapter: Chapter) -> Iterator[Slide]:
    sections = (section for section in chapter.sections if section.is_in(QUESTIONS))
    parts = [part for section in sections for part in section.parts]
    folds = [part.element for part in parts if part.kind == "fold"]
    slides = -(-len(folds) // POINTS)
    for n in range(slides):
        some = folds[n * len(folds) // slides : (n + 1) * len(folds) // slides]
        notes = []
        for fold in map(clean, some):
            question = fold.summary.extract()
            notes.append(f"<h3>{_inner(question)}</h3>{fold.decode_contents()}")
        yield _list("Can you say it now?", [_inner(fold.summary) for fold in some], notes)


def _list(heading: str, points: list[str], notes: list[str]) -> Slide:
    items = "".join(f'<li class="fragment">{point}</li>' for point in points)
    return Slide("list", heading, f"<ul>{items}</ul>", notes=notes)


def _inner(element: Tag) -> str:
    return clean(element).decode_contents()
