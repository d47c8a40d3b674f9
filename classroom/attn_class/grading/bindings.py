"""Which names a statement of a notebook gives a meaning to, and which it takes from elsewhere.

All statements are executed; those that a function needs by its names get the time that they take,
and only their errors can be to blame. Names are those of the notebook, its globals.

This file is read inside of the sandbox, so it imports nothing of the course.
"""

import ast
import symtable
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

ANY = "*"  # stands for whatever name: of `from module import *`, of exec(...)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FIXED = (*DEFINITIONS, ast.Import, ast.ImportFrom)
_DYNAMIC = {"exec", "eval", "globals", "locals", "vars", "__import__"}


@dataclass
class Names:
    """The names of one top-level statement.

    binds  those that it gives a meaning to
    later  those that a function of it gives a meaning to when it is called
    uses   those that it takes from elsewhere, now or when a function of it is called
    fixed  whether it defines a function or class, or imports: what it binds is no data
    """

    binds: set[str] = field(default_factory=set)
    later: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    fixed: bool = False


def names_of(statement: ast.stmt) -> Names:
    """By Python's own tables, which know what is local and what `global` does."""
    names = Names(fixed=isinstance(statement, _FIXED))
    try:
        tables = [(symtable.symtable(ast.unparse(statement), "cell", "exec"), True)]
    except (SyntaxError, ValueError, RecursionError):  # a long sum, or a number of many digits
        return _seen(statement, names)
    while tables:
        table, at_once = tables.pop()
        outer = table.get_type() == "module"
        # `.0` is what a comprehension runs over; `:=` in it gives a meaning to a name outside
        at_once &= table.get_type() in ("module", "class") or ".0" in table.get_identifiers()
        tables += [(child, at_once) for child in table.get_children()]
        for symbol in table.get_symbols():
            name = symbol.get_name()
            if not (outer or symbol.is_global()):
                continue
            if symbol.is_referenced():
                names.uses.add(name)
            if symbol.is_assigned() or symbol.is_imported():
                (names.binds if at_once else names.later).add(name)
            if name in _DYNAMIC:
                names.later.add(ANY)
    for node in ast.walk(statement):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            names.uses |= {node.target.id} & (names.binds | names.later)
        if isinstance(node, ast.ImportFrom):
            stars = node.module == "__future__" or node.names[0].name == ANY
            names.binds |= {ANY} if stars else set()
    return names


def _seen(statement: ast.stmt, names: Names) -> Names:
    """The names that are written there, wherever they belong."""
    if isinstance(statement, DEFINITIONS):
        names.binds.add(statement.name)
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            (names.uses if isinstance(node.ctx, ast.Load) else names.binds).add(node.id)
    return names


def reached(names: Iterable[str], uses: Mapping[str, Iterable[str]]) -> set[str]:
    """The names and all that they lead to; ``uses`` says what each of them uses."""
    all_names, waiting = set(), {*names}
    while waiting:
        all_names |= waiting
        waiting = set().union(*(uses.get(name, ()) for name in waiting)) - all_names
    return all_names


def needed(statements: Sequence[Names], name: str) -> tuple[list[bool], set[str]]:
    """For each statement, whether it may bind a name that ``name`` needs; and all these names."""
    chosen, wanted, grew = [False] * len(statements), {name, ANY}, True
    while grew:
        grew = False
        for at, one in enumerate(statements):
            if not chosen[at] and (one.binds | one.later) & wanted:
                chosen[at] = grew = True
                wanted |= one.uses
    return chosen, wanted


def data(statements: Sequence[Names]) -> set[str]:
    """The names that these statements bind, and never to a function, a class or a module."""
    bound = set().union(*(one.binds | one.later for one in statements))
    return bound.difference({ANY}, *(one.binds for one in statements if one.fixed))
