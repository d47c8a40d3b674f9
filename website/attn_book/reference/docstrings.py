"""Docstrings as they stand in the code, put into the markup that Sphinx reads.

The package's docstrings are plain text: indented blocks are equations, tables or examples, which
keep their form, and names stand in single backticks.
"""

import ast
import inspect
import re
import textwrap

_CODE = re.compile(r"``(.+?)``|`([^`\n]+)`", re.DOTALL)
_MARKUP = re.compile(r"(?<![\w*])(\*\w(?:[^*]*\w)?\*)(?![\w*])|([\\*|_`])")
_ROW = re.compile(r"(?P<name>[\w.,]+(?: [\w.,]+)*)  +(?P<text>\S)")


def marked_up(lines: list[str], links: dict[str, str]) -> list[str]:
    """A docstring in reStructuredText; names among ``links`` lead to what they name."""
    blocks = re.split(r"\n\s*\n", "\n".join(lines).strip("\n"))
    return [line for block in blocks for line in ["", *_block(block, links).splitlines(), ""]]


def _block(block: str, links: dict[str, str]) -> str:
    indented, block = block.startswith(" "), textwrap.dedent(block)
    if rows := _rows(block):
        return "\n".join(f"{_escaped(name)}\n   {_prose(text, links)}" for name, text in rows)
    if indented or block.startswith(">>>"):
        kind = "pycon" if ">>>" in block else "text"
        return f".. code-block:: {kind}\n\n{textwrap.indent(block, '   ')}"
    return _prose(block, links)


def _rows(block: str) -> list[tuple[str, str]]:
    """The rows of a table of names and what they are, or none if it is no table, but equations."""
    first = _ROW.match(block)
    if not first:
        return []
    column = first.start("text")
    rows: list[tuple[str, str]] = []
    for line in block.splitlines():
        name, text = line[:column].strip(), line[column:].strip()
        if "=" in name or text.startswith("=") or line[column - 1 : column].strip():
            return []
        if name:
            rows.append((name, text))
        else:
            rows[-1] = rows[-1][0], f"{rows[-1][1]} {text}"
    return rows


def _prose(text: str, links: dict[str, str]) -> str:
    pieces, end = [], 0
    for code in _CODE.finditer(text):
        pieces += [_escaped(text[end : code.start()]), _code(code, links)]
        end = code.end()
    return "".join([*pieces, _escaped(text[end:])])


def _escaped(text: str) -> str:
    """The text with its *stressed* words, and no other markup."""
    return _MARKUP.sub(lambda sign: sign[1] or f"\\{sign[2]}", text)


def _code(code: re.Match, links: dict[str, str]) -> str:
    name = " ".join((code[1] or code[2]).split())
    return f":py:obj:`{name} <{links[name]}>`" if name in links else f"``{name}``"


def signature(thing: object) -> tuple[str, str | None] | None:
    """The parameters and the result of a function or class, as its code writes them."""
    try:
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    if isinstance(node, ast.ClassDef):
        return _of_class(node)
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    return f"({_arguments(node)})", node.returns and ast.unparse(node.returns)


def _of_class(node: ast.ClassDef) -> tuple[str, None] | None:
    """The parameters of ``__init__``, or the fields of a record."""
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            return f"({_arguments(part)})", None
    fields = [part for part in node.body if isinstance(part, ast.AnnAssign)]
    fields = [ast.unparse(field) for field in fields if not field.target.id.startswith("_")]
    return (f"({', '.join(fields)})", None) if fields else ("", None)


def _arguments(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    first = (function.args.posonlyargs + function.args.args)[:1]
    if first and first[0].arg in ("self", "cls"):
        (function.args.posonlyargs or function.args.args).pop(0)
    return ast.unparse(function.args)
