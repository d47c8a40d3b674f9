"""Join a script and the modules that it imports into one text, as Jupyter requires.

Jupyter takes a widget's script as one text, and there is no bundler where a notebook runs. The
modules therefore use only what can be joined without one: named imports of each other's functions
and constants, which are declared with `export` in front. Anything else is refused. The tests
compare the result with what esbuild makes of the same files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.[^"]*)";\n+', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function\b|const |let |class )", re.MULTILINE)
_TOP = re.compile(
    r"^(export )?(?:(?:async )?function\*?|const|let|var|class) ([\w$]+|[\[{].*?[\]}](?= =))",
    re.MULTILINE | re.DOTALL,
)
_REFUSED = re.compile(r"^(?:import|export)\b.*|^.*\bimport\s*\(.*", re.MULTILINE)
_WIDGET = "export default { render };"


def modules(script: Path) -> list[Path]:
    """The script and the files it imports, each once and after its own imports; the script last."""
    return list(dict.fromkeys(_visit(script.resolve(), [])))


def join(script: Path) -> str:
    """One ES module that exports what the script exports."""
    texts, owner = [], {}
    for path in modules(script):
        text = _text(path)
        for name in _names(text):
            if name in owner:
                raise ValueError(f"{owner[name].name} and {path.name} both declare {name}")
            owner[name] = path
        text = _IMPORT.sub("", text)
        bare = _EXPORT.sub("", text)
        last = path == script.resolve()
        refused = _REFUSED.search(bare.replace(_WIDGET, "") if last else bare)
        if refused:
            raise ValueError(
                f"{path.name} has {refused[0]!r}, which cannot be joined: write "
                '`import { name } from "./file.js"`, and `export` before a declaration'
            )
        texts.append(text if last else bare)
    return "\n".join(texts)


def _visit(path: Path, above: list[Path]) -> Iterator[Path]:
    if path in above:
        circle = " -> ".join(file.name for file in [*above[above.index(path) :], path])
        raise ValueError(f"these scripts import each other in a circle: {circle}")
    for names, where in _IMPORT.findall(_text(path)):
        other = (path.parent / where).resolve()
        if not other.is_file():
            raise ValueError(f"{path.name} imports {where}, which is not there")
        offered = _names(_text(other), exported=True)
        for name in filter(None, map(str.strip, names.split(","))):
            if name not in offered:
                raise ValueError(
                    f"{path.name} imports {name} from {where}, which does not export it"
                )
        yield from _visit(other, [*above, path])
    yield path


def _names(text: str, exported: bool = False) -> list[str]:
    """The names that a module declares at its top level, or exports."""
    declarations = [(mark, re.findall(r"[\w$]+", names)) for mark, names in _TOP.findall(text)]
    return [name for mark, names in declarations for name in names if mark or not exported]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
