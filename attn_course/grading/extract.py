"""From the cells of a notebook to the one function that is asked for.

No cell is executed: of each only imports, functions, classes and plain constants are kept, and of
those only what the function needs. Parsing happens in the sandbox as well, since a text can be made
that overthrows a parser; so this file imports nothing of the course.
"""

import ast
import re
import symtable

_MAGIC = re.compile(r"^(\s*)[%!?]")

_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEFINITIONS = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, *_NAMED)


class NoAnswer(Exception):
    """The cells hold no such function; says to the student what is wrong."""


def answer_in(cells: list[str], name: str) -> tuple[str, str]:
    """The source of the function with what it needs, and a remark for the student or ""."""
    statements, broken = [], []
    for number, cell in enumerate(cells, start=1):
        text = "\n".join(_MAGIC.sub(r"\1pass  # ", line) for line in cell.split("\n"))
        try:
            statements += [each for each in ast.parse(text).body if _is_definition(each)]
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            broken.append((number, text, error))
    found = [each for each in statements if name in _names(each)]
    for number, text, error in broken:
        if re.search(rf"\b(def\s+{name}\b|{name}\s*=)", text):
            raise NoAnswer(f"{name} cannot be read: {_error(error)} in code cell {number}.")
    if not found:
        raise NoAnswer(f"There is no function {name} in what you handed in.")
    written = [each for each in found if not _is_stub(each)] or found
    remark = ""
    if len(written) > 1:
        remark = f"{name} is defined {len(written)} times; the last one was graded."
    kept = _needed(statements, written[-1], name)
    return "\n\n".join(ast.unparse(each) for each in kept), remark


def normalised(source: str, name: str) -> str:
    """The source with names of its own numbered, without docstrings and annotations.

    Answers that differ only in these are the same answer. The function keeps its name.
    """
    tree = ast.parse(source)
    own = {each.id for each in ast.walk(tree) if _is_stored(each)}
    own |= {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
    own |= {each.name for each in ast.walk(tree) if isinstance(each, _NAMED)}
    return ast.unparse(_Numbered(own - {name}).visit(tree))


class _Numbered(ast.NodeTransformer):
    """Gives numbers to names in the order in which they appear."""

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


def _is_definition(statement: ast.stmt) -> bool:
    return isinstance(statement, _DEFINITIONS)


def _names(statement: ast.stmt) -> set[str]:
    """The names that a statement gives a meaning to."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(each.asname or each.name).split(".")[0] for each in statement.names}
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        return {each.id for each in ast.walk(statement) if _is_stored(each)}
    return {statement.name}


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _used(statement: ast.stmt) -> set[str]:
    """The names that a statement takes from elsewhere; those of its functions' own are none."""
    try:
        tables = [symtable.symtable(ast.unparse(statement), "cell", "exec")]
    except SyntaxError:  # which is said when it is compiled
        tables = []
    used = set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        outer = table.get_type() == "module"
        used |= {
            each.get_name()
            for each in table.get_symbols()
            if each.is_referenced() and (outer or each.is_global())
        }
    return used


def _needed(statements: list[ast.stmt], answer: ast.stmt, name: str) -> list[ast.stmt]:
    """The answer and, of what comes before or after it, all that it uses, however far removed."""
    kept, wanted, done = {id(answer)}, _used(answer) | {"*"}, {name}
    while wanted - done:
        each_name = sorted(wanted - done)[0]
        done.add(each_name)
        for each in statements:
            if each_name in _names(each) and id(each) not in kept:
                kept.add(id(each))
                wanted |= _used(each)
    return [each for each in statements if id(each) in kept]


def _is_stub(statement: ast.stmt) -> bool:
    """Whether a function does nothing but raise NotImplementedError, after a docstring or not."""
    if not isinstance(statement, ast.FunctionDef):
        return False
    last = statement.body[-1]
    return (
        len(statement.body) <= 2
        and isinstance(last, ast.Raise)
        and ("NotImplementedError" in _used(last))
    )


def _error(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return error.msg + (f" in line {error.lineno}" if error.lineno else "")
    return "it is nested too deeply"
