"""Show code straight from the package, so that a chapter and the package cannot differ."""

import ast
import inspect
import sys
import textwrap
from pathlib import Path
from types import ModuleType

Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def show_source(thing: object, docstring: bool = False, folded: str = "") -> None:
    """Show the code of a function or class, with the file that it comes from.

    Docstrings are left out unless asked for, since the chapter already explains the code, and so
    is ``@checked``, since a reader can take it for granted that signatures hold.
    ``folded`` is the line to click on before the code is shown, such as "A solution". Anything
    without source code, such as a built-in, is a TypeError.
    """
    from IPython.display import display

    code, file = source_of(thing, docstring)
    markdown = f"`{file}`\n\n```python\n{code}\n```\n"
    if folded:
        markdown = f"<details><summary>{folded}</summary>\n\n{markdown}\n</details>\n"
    # only Markdown: then every notebook, and the book, highlights it as it does its own cells
    display({"text/markdown": markdown, "text/plain": f"# {file}\n{code}"}, raw=True)


def source_of(thing: object, docstring: bool = False) -> tuple[str, str]:
    """The code of a function or class, and its file, such as ``attn_course/weights.py``."""
    try:
        code = textwrap.dedent(inspect.getsource(thing)).rstrip()
    except (TypeError, OSError):
        code = ""
    if not code or isinstance(thing, ModuleType):
        kind = type(thing).__name__
        raise TypeError(f"expected a function or class that was written in Python; got {kind}")
    return code if docstring else idea(code), _file(inspect.unwrap(thing))


def idea(code: str) -> str:
    """The code without its docstrings, and without the decorator that enforces a signature."""
    lines = [None if line.strip() == "@checked" else line for line in code.splitlines()]
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, Documented) and ast.get_docstring(node) and len(node.body) > 1:
            first, last = node.body[0].lineno - 1, node.body[0].end_lineno
            last += not lines[last].strip()  # the empty line below it
            lines[first:last] = [None] * (last - first)
    return "\n".join(line for line in lines if line is not None)


def _file(thing: object) -> str:
    package = thing.__module__.partition(".")[0]
    if package == "__main__":
        return "this notebook"
    root = Path(sys.modules[package].__file__)
    root = root.parent if root.name != "__init__.py" else root.parent.parent
    return Path(inspect.getsourcefile(thing)).relative_to(root).as_posix()
