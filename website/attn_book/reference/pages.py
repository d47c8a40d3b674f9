"""A page for each module of the package, written before Sphinx looks for documents."""

import inspect
from collections import Counter
from functools import cache
from importlib import import_module
from pathlib import Path

from sphinx.application import Sphinx
from sphinx_external_toc.api import GlobItem

from attn_lab import registry

from ..site.contents import FOLDER, PACKAGE, Module, documents, modules
from .docstrings import marked_up, signature

OVERVIEW = "book/reference"
_PLACE = "<!-- modules -->"
_PAGE = """# {title}

```{{eval-rst}}
.. automodule:: {name}
   :members:{own}
```
"""
_OWN = "\n   :ignore-module-all:"  # not what a module takes from another and hands on


def setup(app: Sphinx) -> None:
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("config-inited", write, priority=890)  # before the contents are read
    app.connect("config-inited", order, priority=910)  # after
    app.connect("source-read", list_modules)
    app.connect("autodoc-skip-member", skip)
    app.connect("autodoc-process-signature", sign)
    app.connect("autodoc-process-docstring", mark_up)


def write(app: Sphinx, config) -> None:
    """Write a page where it is missing or old; pages of modules that are gone go."""
    root = Path(app.srcdir)
    if not (root / f"{OVERVIEW}.md").exists():
        return
    wanted = {
        root / f"{module.document}.md": _page(root, module)
        for group in modules(root).values()
        for module in group
    }
    (root / FOLDER).mkdir(exist_ok=True)
    for path in {*(root / FOLDER).glob("*.md")} - {*wanted}:
        path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def _page(root: Path, module: Module) -> str:
    package = (root / module.path).is_dir()
    text = _PAGE.format(title=module.name, name=module.full, own="" if package else _OWN)
    return text + _experiments(root) if module.full == "attn_lab" else text


def _experiments(root: Path) -> str:
    """The experiments of each chapter, with their questions."""
    text, questions = "", registry.questions()
    for chapter, names in registry.by_chapter().items():
        there = (root / "chapters" / f"{chapter}.ipynb").exists()
        text += f"\n{f'{{doc}}`/chapters/{chapter}`' if there else chapter.capitalize()}:\n\n"
        text += "".join(f"- `{name}`: {questions[name]}\n" for name in names)
    return text


def order(app: Sphinx, config) -> None:
    """Bring the pages into the order in which the package says to read its modules."""
    overview = config.external_site_map.get(OVERVIEW)
    for tree in overview.subtrees if overview else ():
        tree.items = [GlobItem(name) for name in documents(Path(app.srcdir))]


def list_modules(app: Sphinx, name: str, content: list[str]) -> None:
    """List the modules on the overview, each with a link and what it is about."""
    if name == OVERVIEW:
        content[0] = content[0].replace(_PLACE, _listed(modules(Path(app.srcdir))))


def _listed(groups: dict[str, list[Module]]) -> str:
    return "\n\n".join(
        f"## {group.capitalize()}\n\n"
        + "\n".join(f"- {{doc}}`{one.name} </{one.document}>`: {one.about}" for one in listed)
        for group, listed in groups.items()
    )


# ---- what autodoc asks


def skip(app: Sphinx, what: str, name: str, thing: object, skipped: bool, options) -> bool | None:
    """Leave out the fields of a named tuple, which its signature has already."""
    return True if (inspect.getdoc(thing) or "").startswith("Alias for field number") else None


def sign(app: Sphinx, what: str, name: str, thing: object, *others) -> tuple | None:
    return signature(thing) if what in ("function", "method", "class", "exception") else None


def mark_up(app: Sphinx, what: str, name: str, thing: object, options, lines: list[str]) -> None:
    lines[:] = marked_up(lines, _seen_from(name))


@cache
def _seen_from(name: str) -> dict[str, str]:
    """What a docstring can name: all of its own module, and what no two modules have."""
    module = max((full for full in _documented() if name.startswith(full)), key=len, default="")
    return _unique() | (_public(module) if module else {})


@cache
def _unique() -> dict[str, str]:
    """The public functions and classes whose names stand in one module only."""
    pairs = [pair for module in _documented() for pair in _public(module).items()]
    often = Counter(short for short, _ in pairs)
    return {short: full for short, full in pairs if often[short] == 1}


@cache
def _public(module: str) -> dict[str, str]:
    """The public functions and classes that a module defines: their full names, by the short."""
    return {
        short: f"{module}.{short}"
        for short, thing in vars(import_module(module)).items()
        if getattr(thing, "__module__", "") == module and not short.startswith("_")
    }


@cache
def _documented() -> list[str]:
    root = Path(import_module(PACKAGE).__file__).parent.parent
    return [module.full for group in modules(root).values() for module in group]
