"""A notebook that is open in a browser: run it, look at its widgets, and query its kernel."""

import ast
import json
import time
from dataclasses import dataclass
from pathlib import Path

from .environment import PATIENCE
from .keys import agree, steps_of

SCRIPT = Path(__file__).with_name("notebook.js")
OPENING, RUNNING, ASKING = 90 * PATIENCE, 600 * PATIENCE, 30 * PATIENCE  # seconds
# The traits of one widget that the page and Python share, as Python has them. The public way to
# its class is the name that anywidget gives its module.
TRAITS = """__import__("json").dumps({{
    name: value
    for name, value in __import__("ipywidgets").Widget.get_manager_state()
    ["state"][{model!r}]["state"].items()
    if name not in ("_esm", "_css")
}})"""


class Trouble(Exception):
    """Something that would trouble a reader, described in a sentence."""


@dataclass(frozen=True)
class View:
    """The ``number``-th widget that a cell shows."""

    cell: int
    number: int
    model: str


class Notebook:
    """A notebook on Playwright's ``page``, which was opened with ``SCRIPT`` among its scripts."""

    def __init__(self, page):
        self.page = page

    def call(self, name: str, argument: object = None, seconds: float = ASKING):
        return self.page.evaluate(
            "([name, argument, seconds]) => trial.call(name, argument, seconds)",
            [name, argument, seconds],
        )

    def ask(self, expression: str) -> str:
        """The value of a Python expression in the kernel, which must be a string."""
        return ast.literal_eval(self.call("ask", expression))

    def run(self) -> list[dict]:
        """Run all cells; returns the code cells in their final state."""
        self.call("opened", seconds=OPENING)
        self.call("runAll", seconds=RUNNING)
        for dialog in self.page.locator(".jp-Dialog").all_inner_texts():
            raise Trouble(f"a dialog is in the way: {' '.join(dialog.split())}")
        return self.call("codeCells")

    def traits(self, view: View) -> dict:
        return json.loads(self.ask(TRAITS.format(model=view.model)))

    # ---- one widget

    def draw(self, view: View):
        """Scroll a widget into view; returns its frame once there is something in it."""
        self.call("show", view.cell)
        outputs = self.page.locator(f"[data-trial='{view.cell}'] .jp-OutputArea-output")
        frame = outputs.locator(".attn-frame").nth(view.number)
        try:
            frame.wait_for(state="visible", timeout=1000 * ASKING)
        except Exception:
            text = " ".join(outputs.all_inner_texts()).strip()
            content = f"the page shows {text[:300]!r}" if text else "its place is empty"
            raise Trouble(f"it is not drawn: {content}") from None
        end = time.monotonic() + ASKING
        while (height := height_of(frame)) < 40 or not frame.inner_text().strip():
            if time.monotonic() > end:
                raise Trouble(f"it is drawn empty, {height:.0f} pixels high")
            time.sleep(0.1)  # the notebook may be drawing it anew
        return frame

    def work(self, view: View) -> str:
        """Draw a widget and press its keys; returns the name of its class."""
        traits = self.traits(view)
        kind = traits.get("_anywidget_id", traits["_model_name"]).rpartition(".")[2]
        try:
            self.press(view, steps_of(kind, traits))
        except (LookupError, Trouble) as trouble:
            raise Trouble(f"the {kind} of cell {view.cell}: {trouble}") from None
        return kind

    def press(self, view: View, steps: list) -> None:
        frame = self.draw(view)
        for step in steps:
            if step.place:
                frame.locator(step.place).first.focus()
            before = self.call("standing")
            for key in step.keys.split():
                self.page.keyboard.press(key)
                unmoved(before, self.call("standing"), key)
            self.await_in_python(view, step)

    def await_in_python(self, view: View, step) -> None:
        """Compare more than once, since messages to the kernel wait for one another."""
        end = time.monotonic() + ASKING
        while wrong := differing(step.expected, self.traits(view)):
            if time.monotonic() > end:
                raise Trouble(f"after the keys {step.keys!r} in {step.place!r}, {wrong}")
            time.sleep(0.1)


def height_of(frame) -> float:
    box = frame.bounding_box()
    return box["height"] if box else 0.0


def unmoved(before: dict, after: dict, key: str) -> None:
    """Require that a key reached only the widget, and left the notebook as it was."""
    if before == after:
        return
    counts = [len(standing["cells"]) for standing in (before, after)]
    if counts[0] != counts[1]:
        what = f"it had {counts[0]} cells and has {counts[1]}"
    elif before["active"] != after["active"]:
        what = f"the active cell was {before['active']} and is {after['active']}"
    elif before["mode"] != after["mode"]:
        what = f"it was in {before['mode']} mode and is in {after['mode']} mode"
    elif before["inside"] and not after["inside"]:
        what = "the focus has left the widget"
    else:
        what = "a cell has changed, or another one is selected"
    raise Trouble(f"the notebook took the key {key} for itself: {what}")


def differing(expected: dict, actual: dict) -> str:
    """In words, where Python's values differ from the expected ones; empty if none does."""
    return "; ".join(
        f"Python has {name} = {actual.get(name)!r:.120}, expected {value!r:.120}"
        for name, value in expected.items()
        if not agree(value, actual.get(name))
    )


def faults(cells: list[dict]) -> list[str]:
    """What went wrong in the cells themselves; after an error, the rest are not run."""
    named = [(f"cell {cell['index']} ({cell['id']})", cell) for cell in cells]
    raised = [f"{name} raised {error}" for name, cell in named for error in cell["errors"]]
    idle = [f"{name} was not run" for name, cell in named if not cell["ran"] and not cell["empty"]]
    return raised or idle


def views(cells: list[dict]) -> list[View]:
    """Every widget on display, from top to bottom."""
    return [
        View(cell["index"], number, model)
        for cell in cells
        for number, model in enumerate(cell["views"])
    ]
