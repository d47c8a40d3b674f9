"""Scripts joined into one text: what is joined, and what cannot be."""

import re

import pytest

from attn_course.views.widgets.joining import join, modules

WIDGET = "export default { render };\n"


@pytest.fixture
def scripts(tmp_path):
    """Write scripts by name; returns the path of the last one."""

    def write(**texts: str):
        for name, text in texts.items():
            path = tmp_path / f"{name}.js"
            path.write_text(text, encoding="utf-8")
        return path

    return write


def test_what_is_imported_stands_in_front_and_once(scripts):
    widget = scripts(
        low="export const one = 1;\n",
        left='import { one } from "./low.js";\n\nexport function left() {\n  return one;\n}\n',
        right='import {\n  one,\n} from "./low.js";\n\nexport const right = () => one;\n',
        widget='import { left } from "./left.js";\nimport { right } from "./right.js";\n'
        f"\nexport function table() {{\n  return left() + right();\n}}\n{WIDGET}",
    )
    assert [path.stem for path in modules(widget)] == ["low", "left", "right", "widget"]
    assert join(widget) == (
        "const one = 1;\n\nfunction left() {\n  return one;\n}\n\nconst right = () => one;\n\n"
        f"export function table() {{\n  return left() + right();\n}}\n{WIDGET}"
    )


LINES = [
    ('import low from "./low.js";', "widget.js has 'import low"),
    ('import * as low from "./low.js";', r"widget.js has 'import \* as"),
    ('import "./low.js";', 'widget.js has \'import "./low.js"'),
    ('import { one } from "somewhere";', "widget.js has 'import { one } from \"somewhere"),
    ('const low = await import("./low.js");', "widget.js has 'const low = await import"),
    ('export { one } from "./low.js";', "widget.js has 'export { one }"),
    ('export * from "./low.js";', r"widget.js has 'export \*"),
    ("export default render;", "widget.js has 'export default render"),
    ('import { one as first } from "./low.js";', "imports one as first from ./low.js, which"),
    ('import { two } from "./low.js";', "widget.js imports two from ./low.js, which does not"),
    ('import { own } from "./low.js";', "widget.js imports own from ./low.js, which does not"),
    ('import { one } from "./gone.js";', "widget.js imports ./gone.js, which is not there"),
    (
        'import { one } from "./low.js";\nconst [two, own] = [one, 3];',
        "low.js and widget.js both declare own",
    ),
    (
        'import { one } from "./low.js";\nconst { one: own } = {};',
        "low.js and widget.js both declare one",
    ),
]


@pytest.mark.parametrize(("line", "words"), LINES)
def test_what_cannot_be_joined_is_named(scripts, line, words):
    widget = scripts(
        low="export const one = 1;\nfunction own() {}\n",
        widget=f"{line}\n\nfunction render() {{}}\n\n{WIDGET}",
    )
    with pytest.raises(ValueError, match=words):
        join(widget)


def test_only_the_widget_itself_exports_by_default(scripts):
    widget = scripts(
        low=f"export const one = 1;\n{WIDGET}",
        widget=f'import {{ one }} from "./low.js";\n{WIDGET}',
    )
    with pytest.raises(ValueError, match=re.escape("low.js has 'export default { render };'")):
        join(widget)


def test_a_circle_is_named(scripts):
    first = scripts(
        third='import { one } from "./first.js";\nexport const three = 3;\n',
        second='import { three } from "./third.js";\nexport const two = 2;\n',
        first='import { two } from "./second.js";\nexport const one = 1;\n',
    )
    with pytest.raises(ValueError, match=r"first\.js -> second\.js -> third\.js -> first\.js"):
        join(first)
