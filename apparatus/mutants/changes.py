"""Small changes to a Python source, like the mistakes that a programmer might make."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

COMPARISONS = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
}
OPERATORS = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
OPPOSITES = {"min": "max", "all": "any", "argmin": "argmax", "amin": "amax", "triu": "tril"}
OPPOSITES |= {after: before for before, after in OPPOSITES.items()}


@dataclass(frozen=True)
class Change:
    """One change: the source line where it begins, the old code, the new code, the new source."""

    line: str
    text: str
    source: str

    @property
    def key(self) -> tuple[str, str]:
        """A name for the change that does not depend on where its line is."""
        return self.line, self.text


def python_changes(source: str) -> list[Change]:
    """Every change that compiles, in the order of the source."""
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    return [change for change in changes_at(source, finder.found) if _compiles(change.source)]


def changes_at(source: str, found: Iterable[tuple[int, int, bytes]]) -> list[Change]:
    """Replace the bytes of each (start, end, new); every change gets its own key."""
    changes, keys = [], Counter()
    for place in sorted(set(found)):
        change = _change_at(source.encode(), *place)
        if change.source == source:  # two equal arguments swapped
            continue
        keys[change.key] += 1
        if (same := keys[change.key]) > 1:
            change = replace(change, text=f"{change.text} ({same})")
        changes.append(change)
    return changes


def _change_at(source: bytes, start: int, end: int, new: bytes) -> Change:
    first = source.rfind(b"\n", 0, start) + 1
    line = source[first:].split(b"\n", 1)[0].strip()
    old = source[start:end]
    text = f"{_one_line(old) or '(nothing)'} → {_one_line(new) or '(nothing)'}"
    return Change(line.decode(), text, (source[:start] + new + source[end:]).decode())


def _one_line(code: bytes) -> str:
    return " ".join(code.decode().split())


def _compiles(source: str) -> bool:
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


class _Finder(ast.NodeVisitor):
    """Collects changes as (start, end, new), in bytes of the source, as ast counts them.

    Error messages (including the texts passed to ``expect_...``), annotations, decorators,
    docstrings and zip's ``strict``, which only asserts what holds anyway, are left alone.
    """

    def __init__(self, source: str):
        self.source = source.encode()
        self.found: set[tuple[int, int, bytes]] = set()

    @cached_property
    def _lines(self) -> list[int]:
        starts = [0]
        for line in self.source.split(b"\n"):
            starts.append(starts[-1] + len(line) + 1)
        return starts

    def _span(self, node: ast.AST) -> tuple[int, int]:
        lines = self._lines
        start = lines[node.lineno - 1] + node.col_offset
        return start, lines[node.end_lineno - 1] + node.end_col_offset

    def _code(self, node: ast.AST) -> bytes:
        start, end = self._span(node)
        return self.source[start:end]

    def _replace(self, node: ast.AST, new: str | bytes) -> None:
        new = new.encode() if isinstance(new, str) else new
        self.found.add((*self._span(node), new))

    def _operator(self, left: ast.AST, right: ast.AST, old: str, new: str) -> None:
        """The operator between two operands, where there may also be brackets."""
        start, end = self._span(left)[1], self._span(right)[0]
        place = self.source.find(old.encode(), start, end)
        self.found.add((place, place + len(old), new.encode()))

    # What stays as it is

    def visit_Raise(self, node: ast.Raise) -> None:
        pass

    visit_JoinedStr = visit_Import = visit_ImportFrom = visit_Raise

    def visit_arg(self, node: ast.arg) -> None:
        pass

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg != "strict":
            self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.visit(node.args)
        for statement in node.body:
            self.visit(statement)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)

    # What is changed

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, kind, right in zip(operands, node.ops, operands[1:], strict=False):
            old, others = COMPARISONS[type(kind)]
            for new in others:
                self._operator(left, right, old, new)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in OPERATORS:
            self._operator(node.left, node.right, *OPERATORS[type(node.op)])
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) in OPERATORS:
            self._operator(node.target, node.value, f"{OPERATORS[type(node.op)][0]}=", "=")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._operator(left, right, old, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if not isinstance(node.op, ast.UAdd):
            self._replace(node, self._code(node.operand))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._replace(node, str(not value))
        elif isinstance(value, int):
            self._replace(node, str(value + 1))
        elif isinstance(value, float):
            self._replace(node, repr(value * 2 or 1.0))
        elif isinstance(value, str):
            self._replace(node, '"?"' if value != "?" else '""')

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in OPPOSITES:
            self._replace(node, OPPOSITES[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in OPPOSITES:
            self._replace(node, self._code(node.value) + f".{OPPOSITES[node.attr]}".encode())
        self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        given = [*node.args, *node.keywords]
        if getattr(node.func, "id", "").lstrip("_").startswith("expect_"):  # its texts are messages
            for one in given:
                value = one.value if isinstance(one, ast.keyword) else one
                if not (isinstance(value, ast.Constant) and isinstance(value.value, str)):
                    self.visit(value)
            return
        if given and not isinstance(given[0], ast.GeneratorExp):
            span = self._span(given[0])[0], self._span(given[-1])[1]
            code = [self._code(one) for one in given]
            for place, one in enumerate(given):
                if getattr(one, "arg", "") == "strict":
                    continue
                self.found.add((*span, b", ".join(code[:place] + code[place + 1 :])))
            swaps = 0 if getattr(node.func, "id", "") in ("min", "max") else len(node.args)
            for place in range(1, swaps):
                swapped = [*code[: place - 1], code[place], code[place - 1], *code[place + 1 :]]
                self.found.add((*span, b", ".join(swapped)))
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self._replace(node, "return None")
        self.generic_visit(node)

    def _branch(self, node: ast.If | ast.IfExp) -> None:
        self._replace(node.test, "True")
        self._replace(node.test, "False")
        self.generic_visit(node)

    visit_If = visit_IfExp = _branch

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self._replace(condition, "True")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # documentation
            if not isinstance(node.value, ast.Yield | ast.YieldFrom):
                self._replace(node, "pass")
            self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self._replace(node, "pass")

    visit_Break = visit_Continue
