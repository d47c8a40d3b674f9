"""A small page for widgets: the standard model interface, and nothing else.

It gives the ES module as Jupyter would, and counts how often a widget saves its changes. The style
sheet of the book's theme can be added, since the widgets must look right among its rules.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path

from ipywidgets.widgets.widget import _remove_buffers

from attn_course.views import widgets as package

SCRIPTS = Path(package.__file__).parent
BEYOND = """nodes => nodes.filter((node) => node.getBoundingClientRect().right > innerWidth)
  .map((node) => node.outerHTML.slice(0, 120))"""

HOST = """import { Model } from "./widgets/shared/model.js";

class Counting extends Model {
  saved = 0;
  save_changes() {
    this.saved += 1;
  }
}

function toView(base64) {
  // an offset that is no multiple of four, as a view into a longer message has
  const text = atob(base64);
  const bytes = new Uint8Array(text.length + 3);
  for (let i = 0; i < text.length; i++) bytes[i + 3] = text.charCodeAt(i);
  return new DataView(bytes.buffer, 3);
}

window.models = [];
window.cleanups = [];
const descriptions = await (await fetch("models.json")).json();
for (const { module, traits, buffers, views } of descriptions) {
  for (const { path, data } of buffers) {
    const parent = path.slice(0, -1).reduce((object, key) => object[key], traits);
    parent[path.at(-1)] = toView(data);
  }
  const model = new Counting(traits);
  window.models.push(model);
  const loaded = await import(`./${module}`);
  for (let view = 0; view < views; view++) {
    const el = document.createElement("div");
    el.className = "harness-view";
    document.querySelector("main").append(el);
    window.cleanups.push(await loaded.default.render({ model, el }));
  }
}
setTimeout(() => (window.ready = true)); // after what the widgets have put off
"""

PAGE = """<!doctype html>
<html lang="en" data-theme="{theme}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Widgets</title><link rel="icon" href="data:,">
{styles}
<style>body {{ margin: 0; padding: 12px; background: var(--attn-paper); }}</style></head>
<body><main class="cell_output" aria-label="Widgets"></main>
<script type="module" src="host.mjs"></script></body></html>
"""


def describe(widget, views: int) -> tuple[dict, str]:
    """The widget's synced traits as JSON, its arrays in base64, and the text of its module."""
    state = {
        name: value
        for name, value in widget.get_state().items()
        if not name.startswith("_") and name not in ("layout", "tabbable", "tooltip")
    }
    traits, paths, arrays = _remove_buffers(state)
    buffers = [
        {"path": path, "data": base64.b64encode(array).decode()}
        for path, array in zip(paths, arrays, strict=True)
    ]
    return {"traits": traits, "buffers": buffers, "views": views}, str(widget._esm)


def write_page(folder, widgets, views: int = 1, theme: str = "light") -> None:
    """Write a page that shows each widget in several views; their modules are in ``widgets/``."""
    descriptions = []
    styles = dict.fromkeys(str(widget._css) for widget in widgets)
    for number, widget in enumerate(widgets):
        description, module = describe(widget, views)
        (folder / f"module{number}.mjs").write_text(module, encoding="utf-8")
        descriptions.append({"module": f"module{number}.mjs", **description})
    if not (folder / "widgets").exists():
        (folder / "widgets").symlink_to(SCRIPTS, target_is_directory=True)
    (folder / "models.json").write_text(json.dumps(descriptions), encoding="utf-8")
    (folder / "host.mjs").write_text(HOST, encoding="utf-8")
    sheets = "\n".join(f"<style>{sheet}</style>" for sheet in styles)
    page = PAGE.format(theme=theme, styles=sheets)
    (folder / "index.html").write_text(page, encoding="utf-8")


def trait(page, name, model=0):
    """The value of a trait of a model."""
    return page.evaluate("([model, name]) => window.models[model].get(name)", [model, name])


def set_trait(page, name, value, model=0):
    """Set a trait as a kernel would."""
    script = "([model, name, value]) => window.models[model].set(name, value)"
    page.evaluate(script, [model, name, value])


def by_the_clock(page) -> None:
    """Stop the page's own clock: from now on only `page.clock.run_for(milliseconds)` moves it."""
    page.clock.install(time=0)
    page.clock.pause_at(1)


def overflow(page):
    """What reaches farthest beyond the window, if the page is wider than it."""
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return wide and ["the page", *page.locator("body *").evaluate_all(BEYOND)][-1]
