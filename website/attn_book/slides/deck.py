"""Decks as files: one page for each chapter, and what all of them share.

A deck lies as deep in its folder as a chapter's page does in the book's, so the addresses in a
chapter's page hold in its deck too.
"""

import json
import posixpath
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from markupsafe import escape

from attn_book.slides.chapter import STATE, VIEW, Chapter
from attn_book.slides.lecture import Slide

HERE = Path(__file__).parent
BOOK = "Attention, measured"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; base-uri 'none'"
)
OWN = ("slides.css", "slides.js", "notes.js")
OF_THE_BOOK = ("palette.css", "fonts.css", "fonts", "faces.css", "pygments.css")
OF_THE_BOOK += ("early.js", "favicon.svg", "katex")
OF_REVEAL = ("reveal.css", "reveal.js")
FACES = ("palette.css", "fonts.css", "faces.css")
SHEETS = ("reveal.css", *FACES, "katex/katex.min.css", "pygments.css")
KEYS = """<dl class="attn-keys">
<dt>→ and ←, or space</dt><dd>next and previous slide; a presenter remote works too</dd>
<dt>S</dt><dd>the speaker's notes, in a separate window</dd>
<dt>F</dt><dd>full screen</dd><dt>O</dt><dd>all slides at once</dd>
<dt>B</dt><dd>a blank screen</dd>
<dt>Tab</dt><dd>into an interactive figure, which then gets the keys
until you press Esc</dd></dl>"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="{up}_static/favicon.svg">
{head}
</head>
<body>
{body}
</body>
</html>
"""
_BUTTON = '<button type="button" class="{}" aria-label="{}" title="{}">{}</button>'


def copy_shared(root: Path, to: Path) -> None:
    """Copy what all decks load: from the built book, from reveal.js, and files of their own."""
    static = to / "_static"
    static.mkdir(parents=True)
    raw, reveal = root / "_build" / "raw" / "_static", root / "node_modules" / "reveal.js"
    for name in OF_THE_BOOK:
        copy = shutil.copytree if (raw / name).is_dir() else shutil.copyfile
        copy(raw / name, static / name)
    shutil.copyfile(root / "_build" / "html" / "_static" / "host.js", static / "host.js")
    for name in OF_REVEAL:
        shutil.copyfile(reveal / "dist" / name, static / name)
    shutil.copyfile(reveal / "LICENSE", static / "reveal.LICENSE.txt")
    for name in OWN:
        shutil.copyfile(HERE / name, static / name)


def copy_widgets(chapter: Chapter, book: Path, to: Path) -> None:
    """Copy the scripts, style sheets and arrays of a chapter's widgets."""
    arrays = (
        buffer["address"]
        for model in chapter.states.values()
        for buffer in model.get("buffers", ())
        if "address" in buffer
    )
    for address in {*chapter.scripts, *chapter.sheets, *arrays}:
        name = posixpath.normpath(posixpath.join("chapters", address))
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(book / name, to / name)


# ---- pages


def deck(chapter: Chapter, slides: list[Slide]) -> str:
    """The page with the slides of a chapter."""
    sections = "\n".join(_section(slide) for slide in slides)
    title = escape(chapter.title)
    states = {key: state for key, state in chapter.states.items() if _shows(slides, key)}
    state = json.dumps({"state": states}).replace("<", "\\u003c")
    body = (
        f'<main><div class="reveal"><div class="slides">\n{sections}\n</div></div></main>\n'
        f'<footer class="attn-foot"><p>{chapter.number}. {title}</p>'
        '<p class="attn-keys-said" role="status"></p>'
        f"<p>{''.join(_buttons())}</p></footer>\n"
        f'<script type="{STATE}">{state}</script>'
    )
    head = [*_sheets([*SHEETS, *chapter.sheets, "slides.css"])]
    head.append('<script src="../_static/early.js"></script>')
    for name in ("../_static/host.js", *chapter.scripts, "../_static/reveal.js"):
        head.append(f'<script defer src="{name}"></script>')
    head.append('<script defer src="../_static/slides.js"></script>')
    return _page(f"{title} · slides", head, body)


def contents(chapters: Iterable[tuple[Chapter, int]]) -> str:
    """The page with links to all decks."""
    entries = "".join(
        f'<li><a href="{chapter.name}/index.html">{escape(chapter.title)}</a>'
        f" <em>{escape(chapter.question.get_text())}</em> {count} slides</li>"
        for chapter, count in chapters
    )
    body = (
        f'<main class="attn-contents"><h1>{BOOK}: slides</h1>'
        f"<p>Made from the chapters. Interactive figures work on the slides.</p><ol>{entries}</ol>"
        f"<h2>Keys</h2>{KEYS}<h2>On paper</h2>"
        "<p>Add <code>?print-pdf</code> to the address of a deck, and print it; "
        "<code>?print-pdf&amp;notes</code> adds the notes.</p></main>"
    )
    head = [*_sheets([*FACES, "slides.css"], up="")]
    head.append('<script src="_static/early.js"></script>')
    return _page(f"{BOOK}: slides", head, body, up="")


def notes() -> str:
    """The speaker's own window."""
    body = (
        '<main class="attn-speaker"><header><p class="attn-clock"></p>'
        f'<p class="attn-place"></p><p>{"".join(_buttons(speaker=True))}</p></header>'
        '<h1></h1><p class="attn-next"></p><div class="attn-notes" tabindex="0"></div></main>'
    )
    head = [*_sheets([*FACES, "katex/katex.min.css", "slides.css"], up="")]
    head.append('<script src="_static/early.js"></script>')
    head.append('<script defer src="_static/notes.js"></script>')
    return _page("Speaker's notes", head, body, up="")


def _section(slide: Slide) -> str:
    level = "h1" if slide.kind == "title" else "h2"
    topic = f'<p class="attn-topic">{slide.topic}</p>' if slide.topic else ""
    notes = "\n".join(slide.notes)
    return (
        f'<section class="attn-slide-{slide.kind}">'
        f"<header>{topic}<{level}>{slide.heading}</{level}></header>"
        f'<div class="attn-stage"><div class="attn-content">{slide.body}</div></div>'
        f'<aside class="notes">{notes}</aside></section>'
    )


def _shows(slides: list[Slide], key: str) -> bool:
    return any(VIEW in slide.body and f'"{key}"' in slide.body for slide in slides)


def _buttons(speaker: bool = False) -> Iterator[str]:
    yield _BUTTON.format("attn-back", "Back", "Back (←)", "←")
    if not speaker:
        yield '<span class="attn-slide-number"></span>'
    yield _BUTTON.format("attn-on", "On", "On (→)", "→")
    if not speaker:
        yield _BUTTON.format("attn-open-notes", "Speaker's notes", "Speaker's notes (S)", "☰")
        hidden = '◐<span class="visually-hidden">Colours</span>'
        yield f'<button type="button" class="attn-colours" title="Light or dark">{hidden}</button>'


def _sheets(names: Iterable[str], up: str = "../") -> Iterator[str]:
    for name in names:
        address = name if name.startswith("..") else f"{up}_static/{name}"
        yield f'<link rel="stylesheet" href="{address}">'


def _page(title: str, head: list[str], body: str, up: str = "../") -> str:
    return _PAGE.format(policy=POLICY, title=title, up=up, head="\n".join(head), body=body)
