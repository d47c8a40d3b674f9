"""From the cells of a notebook to the one function that is asked for.

Cells are read as Jupyter reads them, by IPython's own transformer. All their statements are kept,
in their order; `loading` executes them. A text can be made that overthrows a parser, so parsing
happens in the sandbox as well, and this file imports nothing of the course.
"""

import ast
import difflib
import re
import sys
from collections.abc import Sequence
from typing import NamedTuple

try:
    import bindings  # in the sandbox the files lie side by side
except ImportError:
    from attn_class.grading import bindings

# what only IPython understands: magics and commands, help, prompts, a cell that is indented
_JUPYTERS = re.compile(
    r"\A\s+\S|^{_}(%|!|,|;|/|>>>|In{_}\[|\.\.\.|\?)|\?{_}$|={_}[%!]".replace("{_}", r"[^\S\n]*"),
    re.MULTILINE,
)
RUNS_ITS_CELL = {"time", "capture", "prun"}  # magics whose code binds names in the notebook
_DEFINED = re.compile(r"^(?:async +)?def +(\w{1,60}) *\(", re.MULTILINE)
NAMED = 3  # places that a remark names
# syntax that an older Python refuses, and the Python that brought it
_NEWER = (
    ((3, 11), re.compile(r"^[^\S\n]*except\s*\*", re.MULTILINE)),
    ((3, 12), re.compile(r"^[^\S\n]*type\s+\w+\s*(\[.*\])?\s*=", re.MULTILINE)),
    ((3, 12), re.compile(r"^[^\S\n]*((async\s+)?def|class)\s+\w+\s*\[", re.MULTILINE)),
    ((3, 13), re.compile(r"^[^\S\n]*(type|(async\s+)?def|class)\s+\w+\s*\[[^\]]*=", re.MULTILINE)),
    ((3, 14), re.compile(r"\b[tT][rR]?([\"'])|^[^\S\n]*except\s+[\w.]+\s*,", re.MULTILINE)),
)


class NoAnswer(Exception):
    """The cells hold no such function; says to the student what is wrong."""


class Statement(NamedTuple):
    """A top-level statement: its tree, its cell, and its first line, in the cell and as text."""

    node: ast.stmt
    cell: int
    line: int
    text: str

    def __str__(self) -> str:
        return f"code cell {self.cell}, line {self.line}: {_short(self.text)}"


class Answer(NamedTuple):
    """What to execute for a function, and what to say about the rest.

    name        the function
    statements  all that can be read, without stubs of the function; ``names`` those of each
    needed      which of them may bind a name that the function needs
    data        the names of data among those that it needs
    cells       the texts of all cells
    text        these one below the other, in whose lines the statements count
    remark      what was left out or is otherwise to be known, or ""
    aside       what else was left out: it matters only if something is missing
    """

    name: str
    statements: Sequence[Statement]
    names: Sequence[bindings.Names]
    needed: Sequence[bool]
    data: set[str]
    cells: Sequence[str]
    text: str
    remark: str
    aside: str

    @property
    def source(self) -> str:
        """What binds the function and the names that it needs, as one text."""
        parts = zip(self.statements, self.needed, strict=True)
        return "\n\n".join(ast.unparse(one.node) for one, needed in parts if needed)

    def place(self, line: int) -> str:
        """Where a line of the text stands, as a student counts."""
        before = [one for one in self.statements if one.node.lineno <= line]
        if not before:
            return f"line {line}"
        last = before[-1]
        return f"code cell {last.cell}, line {last.line + line - last.node.lineno}"


def answer_in(cells: Sequence[str], name: str, written_in: str = "") -> Answer:
    """The function among these cells. ``written_in`` is the notebook's Python."""
    reading = _Reading(written_in)
    for number, cell in enumerate(cells, start=1):
        reading.read(number, cell)
    statements = reading.statements
    names = [bindings.names_of(one.node) for one in statements]
    binding = [at for at, one in enumerate(names) if name in one.binds]
    if not binding and not any({name, bindings.ANY} & (one.binds | one.later) for one in names):
        reading.refuse(name)
    stubs = [at for at in binding if is_stub(statements[at].node)]
    if len(stubs) < len(binding):  # somebody who has written it may still have the stub below
        others = [at for at in range(len(statements)) if at not in stubs]
        statements, names = [statements[at] for at in others], [names[at] for at in others]
    needed, wanted = bindings.needed(names, name)
    inside = [one for one, is_needed in zip(statements, needed, strict=True) if is_needed]
    return Answer(
        name,
        statements,
        names,
        needed,
        wanted & bindings.data(names),
        cells,
        reading.text,
        " ".join([*_twice(inside, name), *reading.broken, *reading.left_out_of(inside)]),
        " ".join(reading.left_out_beside(inside)),
    )


class _Reading:
    """The statements of all cells, and what could not be read."""

    def __init__(self, written_in: str):
        self.written_in = written_in
        self.statements: list[Statement] = []
        self.cells: list[str] = []
        self.broken: list[str] = []
        self._faults: list[tuple[int, str, str]] = []  # cell, text, what is wrong
        self._magics: list[tuple[int, Statement]] = []  # the line in the text, and what stood there
        self._lines: list[str] = []

    @property
    def text(self) -> str:
        return "\n".join(self._lines)

    def read(self, number: int, cell: str) -> None:
        self.cells.append(cell)
        start = len(self._lines)
        self._lines += cell.split("\n")
        try:
            text = transformed(cell)
            for node in self._parsed(text, cell):
                ast.increment_lineno(node, start)
                if "get_ipython" in text:
                    node = _Magics(self, number, start).visit(node)
                self._keep(node, number, start)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            fault = _error(error) + _fence(cell)
            self._faults.append((number, cell, fault))
            self.broken.append(
                f"Code cell {number} cannot be read and was left out: {fault}{self._newer(cell)}."
            )

    def _keep(self, node: ast.stmt | list | None, number: int, start: int) -> None:
        for one in node if isinstance(node, list) else [node] if node else []:
            line = one.lineno - start
            text = self._lines[one.lineno - 1] if one.lineno <= len(self._lines) else ""
            self.statements.append(Statement(one, number, line, text))

    def _parsed(self, text: str, cell: str) -> list[ast.stmt]:
        """The statements, in the lines of the cell as it was written."""
        tree = ast.parse(text)
        if text is not cell and text.count("\n") != cell.count("\n") + (not cell.endswith("\n")):
            _count_as(tree, text.split("\n"), cell.split("\n"))
        return tree.body

    def left_out(self, number: int, line: int, start: int) -> None:
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        self._magics.append((line, Statement(ast.Pass(), number, line - start, text)))

    def left_out_of(self, statements: Sequence[Statement]) -> list[str]:
        """The commands for Jupyter or for the shell in these statements."""
        inside = [one for line, one in self._magics if self._within(line, statements)]
        return [f"Left out: {listed(inside)}."] if inside else []

    def left_out_beside(self, statements: Sequence[Statement]) -> list[str]:
        """Those elsewhere, which may have bound something."""
        beside = [one for line, one in self._magics if not self._within(line, statements)]
        return [f"Not run when graded: {listed(beside)}."] if beside else []

    def _within(self, line: int, statements: Sequence[Statement]) -> bool:
        return any(one.node.lineno <= line <= (one.node.end_lineno or line) for one in statements)

    def refuse(self, name: str) -> None:
        """Nothing binds the name: say why."""
        for number, text, fault in self._faults:
            if re.search(rf"\b(def\s+{name}\b|{name}\s*=)", text):
                raise NoAnswer(
                    f"{name} cannot be read: {fault} in code cell {number}{self._newer(text)}."
                )
        raise NoAnswer(missing(name, self.cells))

    def _newer(self, text: str) -> str:
        """Says so where the fault is that this Python is too old for the text."""
        here = sys.version_info[:2]
        needs = [version for version, pattern in _NEWER if version > here and pattern.search(text)]
        written = re.match(r"(\d+)\.(\d+)", self.written_in)
        wrote = tuple(map(int, written.groups())) if written else here
        if not needs and wrote <= here:
            return ""
        version = max([*needs, *([wrote] if wrote > here else [])])
        return (
            f" (it is written for Python {version[0]}.{version[1]}, and is graded with Python "
            f"{here[0]}.{here[1]})"
        )


class _Magics(ast.NodeTransformer):
    """Puts the code of `%time` and the like in its place, and takes other magics out."""

    def __init__(self, reading: _Reading, cell: int, start: int):
        self.reading, self.cell, self.start = reading, cell, start

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.AST]:
        method, arguments = _of_shell(node.value)
        if not method:
            return self.generic_visit(node)
        body = self._code(method, arguments, node.lineno)
        if body is not None:
            return body or ast.copy_location(ast.Pass(), node)
        self.reading.left_out(self.cell, node.lineno, self.start)
        return ast.copy_location(ast.Pass(), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        method, arguments = _of_shell(node)
        if method == "run_line_magic" and arguments[:1] == ["time"]:
            code = _parsed_at(arguments[1], node.lineno)
            if len(code) == 1 and isinstance(code[0], ast.Expr):
                return self.visit(code[0].value)
        if method:
            self.reading.left_out(self.cell, node.lineno, self.start)
        return self.generic_visit(node)

    def _code(self, method: str, arguments: list[str], line: int) -> list[ast.AST] | None:
        """The statements in a magic that executes its code in the notebook; None for others."""
        if arguments[:1] and arguments[0] in RUNS_ITS_CELL:
            if method == "run_cell_magic":
                first, code = line + 1, arguments[2]
            elif method == "run_line_magic" and arguments[0] != "capture":
                first, code = line, arguments[1]
            else:
                return None
            nodes = []
            for node in _parsed_at(transformed(code), first):
                visited = self.visit(node)
                nodes += visited if isinstance(visited, list) else [visited]
            return nodes
        return None


def missing(name: str, cells: Sequence[str]) -> str:
    """That there is no such function, and which one may be meant."""
    folded = {name.replace("_", "").casefold(): name for name in _DEFINED.findall("\n".join(cells))}
    near = difflib.get_close_matches(name.replace("_", "").casefold(), list(folded)[:1000], n=1)
    is_other = bool(near) and folded[near[0]] != name
    advice = f" If {folded[near[0]]} is meant, rename it." if is_other else ""
    return f"There is no function {name} in what you handed in.{advice}"


def is_jupyters(cell: str) -> bool:
    """Whether a cell may hold something that IPython puts into Python's words."""
    return _JUPYTERS.search(cell) is not None


def transformed(cell: str) -> str:
    """The cell as IPython executes it."""
    if not is_jupyters(cell):
        return cell
    from IPython.core.inputtransformer2 import TransformerManager  # which takes a tenth of a second

    return TransformerManager().transform_cell(cell)


def _parsed_at(code: str, line: int) -> list[ast.stmt]:
    nodes = ast.parse(code).body
    for node in nodes:
        ast.increment_lineno(node, line - 1)
    return nodes


def _of_shell(node: ast.AST) -> tuple[str, list[str]]:
    """The method and the texts of a call that IPython has made of a magic, or ("", [])."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Call(func=ast.Name(id="get_ipython")), attr=method),
            args=arguments,
        ) if method in ("system", "getoutput", "run_line_magic", "run_cell_magic"):
            return method, [getattr(node, "value", "") for node in arguments]
    return "", []


def _count_as(tree: ast.AST, transformed: list[str], written: list[str]) -> None:
    """Let nodes count in the lines that were written, where a line of theirs was joined."""
    lines = {}
    matcher = difflib.SequenceMatcher(a=transformed, b=written, autojunk=False)
    for made_at, written_at, size in matcher.get_matching_blocks():
        lines |= {made_at + k + 1: written_at + k + 1 for k in range(size)}
    behind = 0
    for line in range(1, len(transformed) + 1):
        behind = lines.setdefault(line, line + behind) - line
    for node in ast.walk(tree):
        for field in ("lineno", "end_lineno"):
            if getattr(node, field, None) is not None:
                setattr(node, field, lines.get(getattr(node, field), len(written)))


def _twice(statements: Sequence[Statement], name: str) -> list[str]:
    plain = [
        one
        for one in statements
        if isinstance(one.node, bindings.DEFINITIONS) and one.node.name == name
    ]
    times = len(plain)
    return [f"{name} is defined {times} times; the last one was graded."] if times > 1 else []


def listed(places: Sequence[Statement | str]) -> str:
    """Where these are, the first of them by name."""
    text = "; ".join(map(str, places[:NAMED]))
    more = len(places) - NAMED
    return text + (f"; and {more} more" if more > 0 else "")


def places(positions: Sequence[Sequence], cells: Sequence[str]) -> list[str]:
    """What stands at a line of a cell, for each of these; none is a ValueError."""
    texts = []
    for cell, line, *_ in positions:
        lines = cells[cell - 1].split("\n") if cell in range(1, len(cells) + 1) else []
        if line not in range(1, len(lines) + 1):
            raise ValueError(f"no line {line} in code cell {cell}")
        texts.append(str(Statement(ast.Pass(), cell, line, lines[line - 1])))
    return texts


def failures(failed: Sequence[Sequence], cells: Sequence[str]) -> str:
    """What could not be executed and how it failed, the first of it by its place."""
    first = zip(places(failed[:NAMED], cells), (error for *_, error in failed), strict=False)
    more = len(failed) - NAMED
    texts = [
        f"{place[:1].upper()}{place[1:]} {f'raised {error}' if error else 'was not run to its end'}"
        for place, error in first
    ]
    return " ".join([*texts, *([f"{more} more failed."] if more > 0 else [])])


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:60] + " ..."


def normalised(source: str, name: str) -> str:
    """The source with names of its own numbered, without docstrings and annotations.

    Answers that differ only in these are the same answer. The function keeps its name.
    """
    tree = ast.parse(source)
    own = {node.id for node in ast.walk(tree) if _is_stored(node)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    own |= {node.name for node in ast.walk(tree) if isinstance(node, bindings.DEFINITIONS)}
    return ast.unparse(_Numbered(own - {name}).visit(tree))


class _Numbered(ast.NodeTransformer):
    """Number the names in the order in which they appear."""

    def __init__(self, names: set[str]):
        self.names, self.numbers = names, {}

    def _numbered(self, name: str) -> str:
        if name not in self.names:
            return name
        return f"v{self.numbers.setdefault(name, len(self.numbers) + 1)}"

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._numbered(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg, node.annotation = self._numbered(node.arg), None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_FunctionDef(self, node):
        node.name = self._numbered(node.name)
        node.returns = None
        node.body = node.body[ast.get_docstring(node) is not None :] or [ast.Pass()]
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.name = self._numbered(node.name)
        node.body = node.body[ast.get_docstring(node) is not None :] or [ast.Pass()]
        return self.generic_visit(node)


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def is_stub(statement: ast.stmt) -> bool:
    """Whether a function does nothing but raise NotImplementedError, after a docstring or not."""
    if not isinstance(statement, ast.FunctionDef):
        return False
    last = statement.body[-1]
    raised = last.exc if isinstance(last, ast.Raise) else None
    raised = raised.func if isinstance(raised, ast.Call) else raised
    return (
        len(statement.body) <= 2
        and isinstance(raised, ast.Name)
        and raised.id == "NotImplementedError"
    )


def _fence(cell: str) -> str:
    """Says so where a line of a cell marks code in Markdown and in chats."""
    for number, line in enumerate(cell.split("\n"), start=1):
        if line.lstrip().startswith(("```", "~~~")):
            return f" (line {number}, {_short(line)}, belongs to Markdown: delete it)"
    return ""


def _error(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return error.msg + (f" in line {error.lineno}" if error.lineno else "")
    if isinstance(error, ValueError):
        return str(error)
    return "it is nested too deeply"
