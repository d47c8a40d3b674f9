"""The widgets of a page: which may be shown, and their code and weights as files of the site.

A notebook stores all its widget models with the page. Only those that are displayed are kept. The
text of their modules and their large arrays move to files named by a digest of their contents,
which pages share and browsers cache.
"""

import functools
import hashlib
import importlib
import json
import re

from bs4 import Tag
from sphinx.errors import ExtensionError

from attn_book.rooms import rooms
from attn_course.views import palette
from attn_course.views.widgets import parts

from ..site.find import with_attribute
from ..site.folder import Site
from ..site.node import classic_script, small_sheet
from ..site.page import Page
from ..site.typography import set_traits
from .fallback import fallback
from .first_state import first_states
from .prerendered import Prerendered, prerender

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
HOST = "_static/host.js"
LARGE = 4096  # characters of base64: an array above it becomes a file
KERNEL_ONLY = {"_css", "_dom_classes", "_view_count", "layout", "tabbable", "tooltip"}


def models(page: Page) -> dict[str, dict]:
    """All widget models that the page contains, by id."""
    carried = {}
    for script in page.soup.find_all("script", type=STATE):
        carried |= json.loads(script.string)["state"]
    return {key: with_code(with_signs(model)) for key, model in carried.items()}


def with_signs(model: dict) -> dict:
    """The model, with the words of its question and answers typeset as those of the page are."""
    state = model["state"]
    return {**model, "state": set_traits(state)} if "question" in state else model


def with_code(model: dict) -> dict:
    """The model with its module and style sheet as they are in the package now.

    A chapter does not run again when they change, so its stored copies may be old. Widgets of
    another package, or of the chapter itself, keep what was stored.
    """
    place, _, name = model["state"].get("_anywidget_id", "").rpartition(".")
    if place.partition(".")[0] not in rooms():
        return model
    module, style = code(place, name)
    return {**model, "state": {**model["state"], "_esm": module, "_css": style}}


@functools.cache
def code(place: str, name: str) -> tuple[str, str]:
    """The module and style sheet of a class, which is imported only if its folder lacks them.

    Importing a widget may import the equations and with them torch, which takes three seconds.
    """
    package, *rest = place.split(".")
    folder = rooms()[package].joinpath(*rest)
    script = folder / f"{folder.name}.js"
    if script.exists():
        return parts.join(script), parts.style(script)
    kind = getattr(importlib.import_module(place), name)
    return str(kind._esm), str(kind._css)


def displayed(page: Page) -> list[tuple[Tag, str]]:
    """The places of widgets on the page, each with the id of its model."""
    places = page.soup.find_all("script", type=VIEW)
    return [(place, json.loads(place.string)["model_id"]) for place in places]


def class_name(model: dict) -> str:
    """``DateReader`` for an anywidget of that class."""
    return model["state"].get("_anywidget_id", model["model_name"]).rpartition(".")[2]


def refuse_plain(page: Page) -> None:
    """Refuse a widget that needs a kernel, since it would not work in the book."""
    carried = models(page)
    for _, key in displayed(page):
        if key not in carried:
            raise ExtensionError(
                f"{page.name} shows a widget whose state was not kept: it was closed, or never "
                "connected. Show it as the last line of its cell and do not close it."
            )
        model = carried[key]
        if model["model_module"] != "anywidget":
            raise ExtensionError(
                f"{page.name} shows {model['model_name']} of {model['model_module']}. Its "
                "callbacks run in Python, and the book's pages have no kernel: a reader would "
                "move it and nothing would happen. This holds for `interact` too. Show an "
                "anywidget that computes in JavaScript from its traits, such as those in "
                "attn_course/views/widgets, or a table or a figure."
            )


def lenders(raw: str) -> list[str]:
    """The pages from which a raw page borrows widgets."""
    return re.findall(r'data-chapter="([^"]*)"', raw) if "data-chapter-widget" in raw else []


def alone(raw: str) -> str:
    """A page that has nothing but the widgets of a raw page."""
    scripts = re.findall(r'<script type="application/vnd\.jupyter\.widget-.*?</script>', raw, re.S)
    return f"<html><head></head><body>{''.join(scripts)}</body></html>"


def borrow(page: Page, pages: dict[str, Page]) -> None:
    """Fill the places made by the directive ``chapter-widget``."""
    for place in with_attribute(page.soup, "data-chapter-widget"):
        name, widget = place["data-chapter"], place["data-chapter-widget"]
        if name not in pages:
            raise ExtensionError(
                f"{page.name} borrows from {name}, which is not a page of the book"
            )
        key, model = _first(pages[name], widget)
        traits = json.loads(place["data-traits"])
        if unknown := set(traits) - set(model["state"]):
            raise ExtensionError(f"{page.name} sets {sorted(unknown)}, which no {widget} has")
        model = {**model, "state": {**model["state"], **traits}}
        place.replace_with(_view(page, key))
        page.soup.body.append(page.data(STATE, {"state": {key: model}}))


def install(page: Page, site: Site) -> None:
    """Give each place its first state, and the page what its widgets need."""
    places = displayed(page)
    if not places:
        return
    carried = models(page)
    for script in page.soup.find_all("script", type=STATE):
        script.decompose()
    page.head.load(HOST)
    used = {key: carried[key] for _, key in places}
    state = {key: _lean(model, page, site) for key, model in used.items()}
    page.soup.body.append(
        page.data(STATE, {"version_major": 2, "version_minor": 0, "state": state})
    )
    drawn = dict(zip(used, prerender(list(used.values()), page.name, site.root), strict=True))
    for number, (place, key) in enumerate(places, start=1):
        element = _place(page, key, carried[key], drawn[key])
        element["id"] = identity(number)
        place.replace_with(element)


def identity(number: int) -> str:
    """The id of the place of a page's first, second ... widget."""
    return f"widget-{number}"


def _first(chapter: Page, widget: str) -> tuple[str, dict]:
    carried = models(chapter)
    widgets = [(key, carried[key]) for _, key in displayed(chapter)]
    for key, model in widgets:
        if class_name(model) == widget:
            return key, model
    names = ", ".join(class_name(model) for _, model in widgets) or "no widget at all"
    raise ExtensionError(f"{chapter.name} shows no {widget} to borrow; it shows {names}")


def _lean(model: dict, page: Page, site: Site) -> dict:
    """The model as the static host needs it, with references to files of the site."""
    state = dict(model["state"])
    module, style = state["_esm"], state.get("_css")
    key = hashlib.sha256(module.encode()).hexdigest()[:16]
    script = f"_static/widgets/{key}.js"
    site.add(script, lambda: classic_script(site.root, key, module, class_name(model)))
    page.head.load(script)
    if style:
        own = style.removeprefix(palette.css())  # which every page loads anyway
        small = small_sheet(site.root, own, class_name(model))
        page.head.load(site.keep("_static/widgets", small, ".css"))
    traits = {name: value for name, value in state.items() if name not in KERNEL_ONLY}
    buffers = [_moved(buffer, page, site) for buffer in model.get("buffers", [])]
    return {**model, "state": {**traits, "_esm": key}, "buffers": buffers}


def _moved(buffer: dict, page: Page, site: Site) -> dict:
    """The array itself if it is small, otherwise where its file is: the host fetches it."""
    if len(buffer["data"]) < LARGE:
        return buffer
    key = hashlib.sha256(buffer["data"].encode()).hexdigest()[:16]
    script = f"_static/widgets/{key}.bytes.js"
    site.add(script, lambda: f'window.attnCourse.bytes("{key}", "{buffer["data"]}");\n')
    return {**buffer, "data": "", "file": key, "address": page.address(script)}


def _place(page: Page, key: str, model: dict, drawn: Prerendered) -> Tag:
    """The place of a view, with what stands there until the widget runs."""
    place = page.soup.new_tag(
        "div", attrs={"class": "attn-widget", "data-widget": class_name(model)}
    )
    words = fallback(model["state"].get("summary", ""), drawn.rows, drawn.answer)
    place.extend([_view(page, key), words, *first_states(drawn)])
    return place


def _view(page: Page, key: str) -> Tag:
    return page.data(VIEW, {"version_major": 2, "version_minor": 0, "model_id": key})
