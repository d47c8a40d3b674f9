"""One HTML file: style, scripts and widgets inside it, and nothing fetched from anywhere."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from attn_course.views.widgets import joining
from attn_course.views.widgets.parts import Widget
from attn_own.wording import counted, percent

_HERE = Path(__file__).parent
_MODEL = Path(joining.__file__).parent / "shared" / "model.js"
_EXPORT = re.compile(r"^export (?=function|const|class|async)", re.MULTILINE)
_QUOTED = re.compile("“([^”]*)”")
_OPTION = re.compile(r"--[a-z]+(?: (?:search|\d+))?")  # of the command, with its value


def quoted_html(sentence: str) -> Markup:
    """A sentence as HTML; what it quotes keeps its own direction."""
    return Markup(_QUOTED.sub(r"“<bdi>\g<1></bdi>”", str(escape(sentence))))  # noqa: S704


def coded_html(sentence: str) -> Markup:
    """A sentence of ours, with the options that it names as code."""
    return Markup(_OPTION.sub(r"<code>\g<0></code>", str(quoted_html(sentence))))  # noqa: S704


TEMPLATES = Environment(autoescape=True, loader=FileSystemLoader(_HERE), undefined=StrictUndefined)
TEMPLATES.filters |= {"quoted": quoted_html, "coded": coded_html}
TEMPLATES.filters |= {"percent": percent, "counted": counted, "n": "{:,}".format}


def page(title: str, body: Markup, widgets: Iterable[Widget]) -> Markup:
    """The whole file. In the body, `place` marks where each widget is shown."""
    widgets = list(widgets)
    kinds = {type(widget).__name__: widget for widget in widgets}  # the class has traits instead
    modules = ",\n".join(f"{name}: {_module(str(one._esm))}" for name, one in kinds.items())
    script = _EXPORT.sub("", "\n".join(map(joining.join, (_MODEL, _HERE / "page.js"))))
    styles = [*dict.fromkeys(str(one._css) for one in kinds.values())]
    models = json.dumps(list(map(_described, widgets)))
    own = {  # in scripts and styles, nothing is escaped as in text; but none may end early
        "early": (_HERE / "theme.js").read_text("utf-8"),
        "style": "\n".join([*styles, (_HERE / "page.css").read_text("utf-8")]),
        "models": models.replace("<", "\\u003c"),
        "script": f"{script}\nmountAll({{\n{modules}\n}}, {{ Model, viewOf }});".replace(
            "</script", "<\\/script"
        ),
    }
    marked = {name: Markup(text) for name, text in own.items()}  # noqa: S704
    return Markup(TEMPLATES.get_template("page.html.j2").render(title=title, body=body, **marked))  # noqa: S704


def place(number: int, widget: Widget) -> Markup:
    """Where a widget is shown, with a sentence about it for readers without JavaScript."""
    return Markup('<div class="attn-card-widget" data-model="{}"><p>{}</p></div>').format(
        number, widget.summary
    )


def _module(text: str) -> str:
    """A widget's module as the value of a function, since a local file cannot import modules."""
    inner = _EXPORT.sub("", text.replace("export default { render };", ""))
    return f"(() => {{\n{inner}\nreturn render;\n}})()"


def _described(widget: Widget) -> dict:
    """A widget's kind, its traits, and its arrays in base64."""
    traits, arrays = {}, {}
    for name, value in widget.get_state().items():
        if name.startswith("_") or name in ("layout", "tabbable", "tooltip"):
            continue
        if isinstance(value, bytes | memoryview):
            arrays[name] = base64.b64encode(bytes(value)).decode()
        else:
            traits[name] = value
    return {"kind": type(widget).__name__, "traits": traits, "arrays": arrays}
