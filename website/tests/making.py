"""Pages and chapters that are made up, as Sphinx and the notebooks hand them to the build."""

import json
from pathlib import Path

from attn_book.notebooks.course import Chapter
from attn_book.site.page import Page, refuse_dead_ends
from attn_book.widgets import install as widgets

ROOT = Path(__file__).resolve().parents[2]


def html_of(article, *, head="", frame="", models=None, views=()) -> str:
    """A raw page with this article; ``models`` are its widgets' states, ``views`` their keys."""
    scripts = "".join(
        f'<script type="{widgets.VIEW}">{json.dumps({"model_id": key})}</script>' for key in views
    )
    state = json.dumps({"state": models}).replace("<", r"\u003c")
    carried = f'<script type="{widgets.STATE}">{state}</script>' if models else ""
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>T</title>{head}</head><body>'
        f"{frame}<article>{article}{scripts}</article>{carried}</body></html>"
    )


def page_of(article, name="chapters/01-x", **parts) -> Page:
    return Page(name, html_of(article, **parts))


def make_page(body="", name="chapters/01-x", **parts) -> Page:
    """A page of one section, which begins as pages do."""
    start = "<h1>T</h1><p>First words.</p>"
    return page_of(f"<section>{start}{body}</section>", name, **parts)


def dead_ends(*pages: Page) -> None:
    """Fail as a build of these pages would, if a link of theirs leads nowhere."""
    refuse_dead_ends({p.name: {"places": p.places(), "jumps": p.jumps()} for p in pages})


def make_chapter(number=1, needs=(), title="Title", question="Why?", afterwards="do it") -> Chapter:
    name = f"chapters/{number:02}-x"
    return Chapter(name, title, question, tuple(f"chapters/{n:02}-x" for n in needs), afterwards)
