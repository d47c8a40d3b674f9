"""Walk through a widget on one page: what a reader does, and what must then be true.

    go = walk(show(widget), row=".attn-row")
    go("press Next look Enter; slide Step End", step=3, said="after 3 steps", row=["a", "b"])

What is done, separated by ``;``: ``click Reset`` and ``press Reset Enter`` (a button), ``slide Look
End``, ``check Exact boxes``, ``choose Canvas: Two``, ``fill Date: 3/4``, ``key ArrowUp`` (wherever
the focus is), ``set look 2`` (as Python does).

What must be true: a trait has its value; a part of the page has all these texts (a list), so many
elements (a number), or contains a text, in which ``…`` stands for any other. Before texts are
compared, spaces that do not break become plain ones, and isolates around what is quoted go.
"""

import json

from attn_book.commands.widgets_harness import set_trait, trait

PLAIN = str.maketrans({"\u00a0": " ", "\u2068": None, "\u2069": None})


def walk(page, **parts):
    """A function that does what it is told on the page, and checks what then stands where."""
    parts = {"said": ".attn-readout", **parts}

    def go(does="", **expected):
        for step in filter(None, map(str.strip, does.split(";"))):
            act(page, *step.split(" ", 1))
        for name, value in expected.items():
            if name not in parts:
                found = trait(page, name)
                assert found == value, f"{does}: {name} is {found}, expected {value}"
                continue
            texts = texts_of(page.locator(parts[name]))
            if isinstance(value, str):
                whole, at = " ".join(texts), 0
                for part in map(str.strip, value.split("…")):
                    at = whole.find(part, at)
                    assert at >= 0, f"{does}: {name} is {whole!r}, expected {value!r}"
            else:
                found = texts if isinstance(value, list) else len(texts)
                assert found == value, f"{does}: {name} is {found}, expected {value}"

    return go


def texts_of(locator) -> list[str]:
    return [text.translate(PLAIN) for text in locator.all_text_contents()]


def act(page, how, what):
    name, _, last = what.rpartition(": " if how in ("choose", "fill") else " ")
    match how:
        case "click":
            page.get_by_role("button", name=what, exact=True).first.click()
        case "press":
            page.get_by_role("button", name=name, exact=True).first.press(last)
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


def call(page, module, name, *given):
    """What a function of the page's scripts answers: ``call(page, "module0.mjs", "table", {})``."""
    script = """async ([module, name, given]) => {
      const found = await (await import(`./${module}`))[name](...given);
      return found instanceof Map ? [...found] : found;
    }"""
    return page.evaluate(script, [module, name, [*given]])


def table(page) -> list[list[str]]:
    """What stands in place of the first widget where it cannot run."""
    return page.evaluate(
        "async () => (await import('./module0.mjs')).table({ model: window.models[0] })"
    )
