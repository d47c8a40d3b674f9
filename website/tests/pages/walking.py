"""Walk through a widget on one page: what a reader does, and what must then be true.

    go = walk(show(widget), row=".attn-row", label=".attn-strips @aria-label")
    go("press Next look Enter; click row 2", step=3, says="after 3 steps", row=["a", "b"])

What is done, separated by ``;``: ``click Reset``, ``tap Reset``, ``press Reset Enter`` (a button),
``slide Look End``, ``check Exact boxes``, ``choose Canvas: Two``, ``fill Date: 3/4``, ``key
ArrowUp`` (wherever the focus is), ``set look 2`` (as Python does). Instead of a button, a part of
the page may stand with its number, ``click row 2``, or a class, ``click .letter 2`` for
``.attn-letter``, also after ``focus`` and ``hover``; ``away`` takes the pointer elsewhere.

What must be true: a trait has its value (or, with ``has``, these entries); a part of the page, or a
class (``story`` is ``.attn-story`` where no trait is called so), has all these texts (a list), so
many elements (a number), or contains a text, in which ``…`` stands for any other; behind an ``@``
stands an attribute that is read in place of texts. ``focus`` is the name of what has the focus.
Before texts are compared, spaces that do not break become plain ones, and isolates around what is
quoted go.
"""

import json

from attn_book.commands.widgets_harness import set_trait, trait

PLAIN = str.maketrans({"\u00a0": " ", "\u2068": None, "\u2069": None})
FOCUS = """() => {
  const { ariaLabel, textContent, value } = document.activeElement;
  return ariaLabel || textContent || value;
}"""
IS_TRAIT = "(name) => name in window.models[0].traits"
# a class that nothing styles now could be a trait that is spelt wrong
IS_STYLED = """(selector) => [...document.styleSheets].some((sheet) =>
  [...sheet.cssRules].some((rule) => rule.cssText.includes(selector)))"""


class has(dict):
    """Equal to whatever has these entries."""

    __hash__ = None

    def __eq__(self, other):
        return all(name in other and other[name] == value for name, value in self.items())


def walk(page, **parts):
    """A function that does what it is asked to on the page, and checks what then stands where."""
    parts = {"says": ".attn-readout", **parts}

    def read(name):
        if name == "focus":
            return [page.evaluate(FOCUS).translate(PLAIN)]
        selector, _, attribute = selector_of(parts, name).partition(" @")
        if not attribute:
            return texts_of(page.locator(selector))
        script = "(all, name) => all.map((one) => one.getAttribute(name) ?? '')"
        values = page.locator(selector).evaluate_all(script, attribute)
        return [value.translate(PLAIN) for value in values]

    def go(does="", **expected):
        for step in filter(None, map(str.strip, does.split(";"))):
            act(page, parts, *step.partition(" ")[::2])
        for name, value in expected.items():
            if name not in parts and page.evaluate(IS_TRAIT, name):
                actual = trait(page, name)
                assert value == actual, f"{does}: {name} is {actual}, expected {value}"
                continue
            actual = read(name)
            if name not in parts and name != "focus" and not actual:
                selector = selector_of(parts, name)
                assert page.evaluate(IS_STYLED, selector), f"{name} is no trait, part or class"
            if isinstance(value, str):
                whole, at = " ".join(actual), 0
                for part in map(str.strip, value.split("…")):
                    at = whole.find(part, at)
                    assert at >= 0, f"{does}: {name} is {whole!r}, expected {value!r}"
            else:
                actual = actual if isinstance(value, list) else len(actual)
                assert value == actual, f"{does}: {name} is {actual}, expected {value}"

    return go


def selector_of(parts, name):
    return parts.get(name) or f".attn-{name.removeprefix('.').replace('_', '-')}"


def texts_of(locator) -> list[str]:
    return [text.translate(PLAIN) for text in locator.all_text_contents()]


def act(page, parts, how, what):
    name, _, last = what.rpartition(": " if how in ("choose", "fill") else " ")

    def at(target):
        part, _, number = target.partition(" ")
        if part in parts or part.startswith("."):
            return page.locator(selector_of(parts, part).partition(" @")[0]).nth(int(number or 0))
        return page.get_by_role("button", name=target, exact=True).first

    match how:
        case "click" | "tap" | "hover" | "focus":
            getattr(at(what), how)()
        case "press":
            at(name).press(last)
        case "away":
            page.mouse.move(0, 0)
        case "slide":
            page.get_by_role("slider", name=name).first.press(last)
        case "check":
            page.get_by_role("checkbox", name=what, exact=True).first.press("Space")
        case "choose":
            page.get_by_role("combobox", name=name, exact=True).first.select_option(last)
        case "fill":
            page.get_by_role("textbox", name=name).first.fill(last)
        case "key":
            page.keyboard.press(what)
        case "set":
            trait_name, value = what.split(" ", 1)
            set_trait(page, trait_name, json.loads(value))
        case _:
            raise ValueError(f"{how!r} is nothing that a reader does")


def call(page, module, name, *arguments):
    """What a function of the page's scripts answers: ``call(page, "module0.mjs", "table", {})``."""
    script = """async ([module, name, inputs]) => {
      const answer = await (await import(`./${module}`))[name](...inputs);
      return answer instanceof Map ? [...answer] : answer;
    }"""
    return page.evaluate(script, [module, name, [*arguments]])


def table(page) -> list[list[str]]:
    """What stands in place of the first widget where it cannot run."""
    return page.evaluate(
        "async () => (await import('./module0.mjs')).table({ model: window.models[0] })"
    )
