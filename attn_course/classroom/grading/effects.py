"""Which statements of a notebook the meaning of a name depends on.

A statement *binds* the names that it gives a meaning to. It may also *change* the object behind a
name: by `table[k] = v`, `Class.method = f` or `table.append(v)`, by a call whose result is dropped,
under another name of the object, or by a function that does any of this when it is called. Names
are those of the notebook, its globals. What may be a change counts as one: a statement too many
costs a moment, and one too few a right answer.

This file is read inside of the sandbox, so it imports nothing of the course.
"""

import ast
import itertools
import symtable
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import torch

ANY = "*"  # stands for whatever name: of `from module import *`, of exec(...)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DYNAMIC = {"exec", "eval", "globals", "locals", "vars", "__import__"}
# methods that change their object although their result is used
_CHANGING = {
    *("pop", "popitem", "popleft", "setdefault", "append", "appendleft", "extend", "insert"),
    *("add", "update", "remove", "discard", "clear", "sort", "reverse", "register", "send"),
}
# methods of tensors whose result is a part of the tensor; that of the others is a new one
_VIEWS = {
    *("view", "view_as", "reshape", "transpose", "permute", "squeeze", "unsqueeze", "expand", "T"),
    *("flatten", "narrow", "select", "detach", "numpy", "unbind", "split", "chunk", "diagonal"),
    *("contiguous", "to", "float", "double", "requires_grad_", "unflatten", "swapaxes", "data"),
}
_COPIES = set(dir(torch.Tensor)) - _VIEWS - _CHANGING
# functions that change what they are given although their result is used
_CHANGING_ARGUMENTS = {
    *("setattr", "delattr", "next", "setitem", "delitem", "shuffle", "update_wrapper"),
    *("heappush", "heappop", "heapify", "heapreplace", "heappushpop"),
    *("insort", "insort_left", "insort_right", "copyto", "put", "putmask", "fill_diagonal"),
}
# calls whose results are used up as they are read, or go on from draw to draw
_ITERATORS = {
    *("Random", "RandomState", "Generator", "default_rng", "manual_seed"),
    *("iter", "map", "filter", "zip", "enumerate", "reversed", "open", "reader", "DictReader"),
    *(name for name in dir(itertools) if not name.startswith("_")),
    *("from_iterable", "scandir", "iterdir", "glob", "rglob", "finditer"),
}
# what a module is told for all that follows, such as torch.set_default_dtype
_SETTING = ("set_default_", "set_grad_enabled", "set_flush_denormal", "seterr", "setrecursionlimit")


@dataclass
class Does:
    """What happens while something is executed.

    changes  names whose objects are changed, or, in a function, bound anew
    mentions names of whatever kind
    calls    names of what is called, or whose methods are called
    drops    those of them whose results are dropped
    lends    names that are given to what is called
    """

    changes: set[str] = field(default_factory=set)
    mentions: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    drops: set[str] = field(default_factory=set)
    lends: set[str] = field(default_factory=set)


@dataclass
class Effects:
    """What one top-level statement does, ``now``, or ``later`` when a function of it is called.

    binds    names that it gives a meaning to
    uses     names that it takes from elsewhere, now or later
    settles  names of modules in which it sets something
    sources  for a name, those with whose objects its own may share something from now on
    fixed    names that it binds to numbers, texts and the like, which nothing can change
    defines  names that it binds to functions and classes, and ``imports`` those to modules
    lazy     for a name, whose results it may hold, to be used up as they are read: those of other
             names or functions, or, with ``ANY``, iterators
    yields   functions, methods and classes that give iterators
    makes    whether a function of it may make others: it is a class, or has functions inside
    spoils   whether a function of it may change what it is given
    wears    whether a function of it may change what it keeps from call to call
    """

    binds: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    settles: set[str] = field(default_factory=set)
    sources: dict[str, set[str]] = field(default_factory=dict)
    fixed: set[str] = field(default_factory=set)
    defines: set[str] = field(default_factory=set)
    imports: set[str] = field(default_factory=set)
    lazy: dict[str, set[str]] = field(default_factory=dict)
    yields: set[str] = field(default_factory=set)
    now: Does = field(default_factory=Does)
    later: Does = field(default_factory=Does)
    makes: bool = False
    spoils: bool = False
    wears: bool = False

    def may_bind(self, name: str) -> bool:
        """Whether it may bind a name in another way than by a statement of its own."""
        return ANY in self.now.changes or name in self.later.changes


def effects_of(statement: ast.stmt) -> Effects:
    found = Effects()
    _read_symbols(statement, found)
    _Reader(found).visit(statement)
    return found


def needed(statements: Sequence[Effects], wanted: Iterable[str]) -> list[bool]:
    """For each statement, whether what these names mean may depend on it."""
    changes = _changes(statements)
    kept, wanted, grew = [False] * len(statements), {*wanted, ANY}, True
    while grew:
        grew = False
        for at, each in enumerate(statements):
            if not kept[at] and (each.binds | changes[at]) & wanted:
                kept[at] = grew = True
                wanted |= each.uses
    return kept


def _changes(statements: Sequence[Effects]) -> list[set[str]]:
    """All that each statement may change, by the functions that it calls, under whatever name."""
    binders: dict[str, list[Effects]] = {}
    for each in statements:
        for name in each.binds:
            binders.setdefault(name, []).append(each)
    sources: dict[str, set[str]] = {}
    for each in statements:
        for name, parts in each.sources.items():
            sources.setdefault(name, set()).update(parts)
    functions = {name for each in statements for name in each.defines}
    only = {name for name in functions if all(name in each.defines for each in binders[name])}
    modules = {name for each in statements for name in each.imports}
    fixed = {name for name, those in binders.items() if all(name in each.fixed for each in those)}
    known = {ANY, *binders}.union(*(each.later.changes for each in statements))
    lazy = _lazy(statements)
    found = []
    for own in statements:
        mentioned = own.now.mentions & (functions | lazy)
        called = _called(own.now.calls | mentioned, binders, functions, lazy)
        changed = own.now.changes.union(*(each.later.changes for each in called))
        changed |= lazy & own.now.mentions.union(*(each.later.mentions for each in called))
        lent = own.now.lends.union(*(each.later.lends for each in called))
        given = lent if any(each.spoils for each in called) else set()
        given |= own.now.calls if any(each.wears for each in called) else own.now.drops
        changed |= _wholes((changed | (given - only)) - modules, sources) - only
        found.append((changed & known) - modules - fixed | own.settles)
    return found


def _lazy(statements: Sequence[Effects]) -> set[str]:
    """The names that may stand for iterators: to read one changes it, and does what it puts off."""
    waiting = [(name, parts) for each in statements for name, parts in each.lazy.items()]
    found, known = set(), {ANY}.union(*(each.yields for each in statements))
    while more := {name for name, parts in waiting if parts & (known | found)} - found:
        found |= more
    return found


def _called(
    names: set[str], binders: dict[str, list[Effects]], functions: set[str], lazy: set[str]
) -> list[Effects]:
    """The definitions of what is called by these names, and of what that calls in turn."""
    seen, waiting, called = set(), set(names), []
    while waiting:
        name = waiting.pop()
        seen.add(name)
        for each in binders.get(name, ()):
            if each.defines:
                called.append(each)
                waiting |= (each.later.calls | each.later.mentions & (functions | lazy)) - seen
            else:  # an object, or a function that was made by another one, or calls put off
                used = each.uses & functions
                waiting |= {one for one in used if name in lazy or _makes(one, binders)} - seen
    return called


def _makes(name: str, binders: dict[str, list[Effects]]) -> bool:
    return any(each.makes for each in binders[name])


def _wholes(changed: set[str], sources: dict[str, set[str]]) -> set[str]:
    """With a part the whole has changed: after ``row = table[0]``, with row the table."""
    found, waiting = set(), set(changed)
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= sources.get(name, set()) - found
    return found


def _read_symbols(statement: ast.stmt, found: Effects) -> None:
    """Names by Python's own tables, which know what is local and what `global` does."""
    try:
        tables = [(symtable.symtable(ast.unparse(statement), "cell", "exec"), True)]
    except (SyntaxError, ValueError):  # which is said when it is compiled
        return
    while tables:
        table, at_once = tables.pop()
        outer = table.get_type() == "module"
        # `.0` is what a comprehension runs over; `:=` in it gives a meaning to a name outside
        at_once &= table.get_type() in ("module", "class") or ".0" in table.get_identifiers()
        tables += [(each, at_once) for each in table.get_children()]
        for symbol in table.get_symbols():
            if not (outer or symbol.is_global()):
                continue
            if symbol.is_referenced():
                found.uses.add(symbol.get_name())
            if symbol.is_assigned() or symbol.is_imported():
                (found.binds if at_once else found.later.changes).add(symbol.get_name())
                if not at_once:  # `count += 1` takes the number as well
                    found.uses.add(symbol.get_name())


class _Scope:
    """A function, class or comprehension: its own names, and what they may be parts of."""

    def __init__(self, names: set[str], node: ast.AST | None = None):
        self.names = names
        self.is_class = isinstance(node, ast.ClassDef)
        self.is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        self.parameters = _parameters(node.args) if self.is_function else []
        self.kept = _kept(node.args) if self.is_function else set()
        self.sources: dict[str, set[str]] = {}


class _Reader(ast.NodeVisitor):
    """Fills in what depends on where in a statement a name stands."""

    def __init__(self, found: Effects):
        self.found = found
        self.scopes: list[_Scope] = []
        self.loops = 0
        self._named: ast.AST | None = None  # a lambda that only gets a name

    @property
    def _in_function(self) -> bool:
        return any(each.is_function for each in self.scopes)

    def _scope_of(self, name: str) -> _Scope | None:
        """The innermost scope that a name belongs to; methods do not see those of their class."""
        below = False
        for each in reversed(self.scopes):
            if name in each.names and not (below and each.is_class):
                return each
            below |= each.is_function
        return None

    @property
    def _does(self) -> Does:
        return self.found.later if self._in_function else self.found.now

    def _change(self, names: Iterable[str]) -> None:
        """These names' objects are changed."""
        waiting, seen = set(names), set()
        while waiting:
            name = waiting.pop()
            seen.add(name)
            scope = self._scope_of(name)
            if scope is not None:
                self._spoil(name, scope)
                waiting |= scope.sources.get(name, set()) - seen
            else:
                self._does.changes.add(name)

    def _spoil(self, name: str, scope: _Scope) -> None:
        within = self.scopes[self.scopes.index(scope) - 1] if scope in self.scopes[1:] else None
        if within is not None and within.is_class and scope.parameters[:1] == [name]:
            self.found.wears = True
        elif name in scope.parameters:
            self.found.spoils = True
            if name in scope.kept:
                self.found.makes = True  # under another name, too
                self.found.later.changes |= self.found.defines
        elif scope is not self.scopes[-1]:
            self.found.wears = True  # what a function keeps from call to call

    def _bind(self, target: ast.AST, value: ast.AST | None) -> None:
        """A target takes a value; what is stored into an object changes it."""
        roots, lazy = _roots(value), _iterators(value)
        for each in ast.walk(target):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                scope = self._scope_of(each.id)
                place = self.found.sources if scope is None else scope.sources
                place.setdefault(each.id, set()).update(roots)
                if scope is None:
                    self.found.lazy.setdefault(each.id, set()).update(lazy)
                    if _is_fixed(value):
                        self.found.fixed.add(each.id)
            elif isinstance(each, ast.Attribute | ast.Subscript) and not _is_loaded(each):
                self._change(_roots(each))
                self._settle(_roots(each))
                self._take_in(_roots(each), roots)
                for name in _roots(each):
                    self.found.lazy.setdefault(name, set()).update(lazy)

    def _take_in(self, names: Iterable[str], parts: set[str]) -> None:
        """These names' objects hold parts of others from now on."""
        for name in names:
            scope = self._scope_of(name)
            place = self.found.sources if scope is None else scope.sources
            place.setdefault(name, set()).update(parts)

    def _settle(self, names: Iterable[str]) -> None:
        if not self.scopes and not self.loops:
            self.found.settles |= set(names)

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load) or self._scope_of(node.id):
            return
        self._does.mentions.add(node.id)
        if node.id in _DYNAMIC:
            self._does.changes.add(ANY)

    # -- scopes

    def _within(self, scope: _Scope, nodes: Iterable[ast.AST]) -> None:
        self.scopes.append(scope)
        for each in nodes:
            self.visit(each)
        self.scopes.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if not self.scopes:
            self.found.defines.add(node.name)
        self.found.makes |= self._in_function
        for each in [*node.decorator_list, *_defaults(node.args)]:
            self.visit(each)
        if _gives_iterators(node):
            self.found.makes = True
            self.found.yields.add(node.name)
        self._take_in(self.found.defines, _roots_of(_defaults(node.args)))
        self._within(_Scope(_locals(node), node), node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.found.makes |= self._in_function
        for each in _defaults(node.args):
            self.visit(each)
        self._take_in(self.found.defines, _roots_of(_defaults(node.args)))
        self._within(_Scope(_locals(node), node), [node.body])
        if not self._in_function and node is not self._named:  # it may be called at once
            self._within(_Scope(_locals(node)), [node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if not self.scopes:
            self.found.defines.add(node.name)
        self.found.makes = True
        if {"__next__", "__iter__"} & {each.name for each in _functions(node)}:
            self.found.yields.add(node.name)
        for each in [*node.decorator_list, *node.bases, *node.keywords]:
            self.visit(each)
        self._within(_Scope(_stored(node.body), node), node.body)

    def _comprehension(self, node: ast.AST) -> None:
        scope = _Scope(_stored([each.target for each in node.generators]), node)
        self.scopes.append(scope)
        for each in node.generators:
            self._bind(each.target, each.iter)
        self.generic_visit(node)
        self.scopes.pop()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    # -- what binds and changes

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        names = {(each.asname or each.name).split(".")[0] for each in node.names}
        if ANY in names or getattr(node, "module", "") == "__future__":
            self.found.binds.add(ANY)
        if not self.scopes:
            self.found.imports |= names

    visit_ImportFrom = visit_Import

    def visit_Assign(self, node: ast.Assign) -> None:
        self._named = node.value
        for target in node.targets:
            self._bind(target, node.value)
            if isinstance(node.value, ast.Lambda) and not self.scopes:
                self.found.defines |= _stored([target])
        self.generic_visit(node)

    def _assigned(self, node: ast.AnnAssign | ast.NamedExpr) -> None:
        self._bind(node.target, node.value)
        self.generic_visit(node)

    visit_AnnAssign = visit_NamedExpr = _assigned

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._bind(node.target, node.value)
        self._change(_roots(node.target))  # a list grows in place
        if not self.scopes:
            self.found.uses |= _roots(node.target)
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._bind(target, None)
        self.generic_visit(node)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        if not isinstance(node, ast.While):
            self._bind(node.target, node.iter)
        self.loops += 1
        self.generic_visit(node)
        self.loops -= 1

    visit_For = visit_AsyncFor = visit_While = _loop

    def visit_withitem(self, node: ast.withitem) -> None:
        if node.optional_vars is not None:
            self._bind(node.optional_vars, node.context_expr)
        self.generic_visit(node)

    def visit_Match(self, node: ast.Match) -> None:
        for each in ast.walk(node):
            if isinstance(each, ast.MatchAs | ast.MatchStar) and each.name:
                self._bind(ast.Name(each.name, ast.Store()), node.subject)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        """A method whose result is dropped is called for what it changes."""
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(call, ast.Call):
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            self._change(_roots(owner))
            self._take_in(_roots(owner), _given(call))
            if isinstance(call.func, ast.Name) and not self._scope_of(call.func.id):
                self._does.drops.add(call.func.id)
            if _last_name(call.func).startswith(_SETTING):
                self._settle(_roots(owner))
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Such a method may also be called later, or by another function."""
        if node.attr in _CHANGING:
            self._change(_roots(node.value))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = _last_name(node.func)
        in_place = name.endswith("_") and not name.endswith("__")
        if isinstance(node.func, ast.Attribute) and in_place:
            self._change(_roots(node.func.value))
        unbound = name in _CHANGING and _callee(node.func) <= {"list", "dict", "set"}
        if unbound or name in _CHANGING_ARGUMENTS or in_place or isinstance(node.func, ast.Lambda):
            self._change(_given(node))
        self._does.calls |= {each for each in _callee(node.func) if not self._scope_of(each)}
        self._does.lends |= {each for each in _given(node) if not self._scope_of(each)}
        self.generic_visit(node)


def _callee(node: ast.AST) -> set[str]:
    """The name of what is called, or of what a method belongs to."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def _roots(node: ast.AST | None) -> set[str]:
    """The names of which the value of this expression may be the object, or a part of it."""
    match node:
        case ast.Name(id=name):
            return {name}
        case ast.Call(func=ast.Attribute(value=value, attr=method)):
            inner = _given(node) if method[:1].isupper() else set()
            return inner if method in _COPIES else inner | _roots(value)
        case ast.Call(func=ast.Name()):
            return _given(node)
        case ast.BinOp() | ast.Compare() | ast.Constant() | ast.JoinedStr() | ast.Lambda() | None:
            return set()
        case ast.Subscript(value=value):
            return _roots(value)
        case (
            ast.ListComp(elt=part, generators=parts) | ast.GeneratorExp(elt=part, generators=parts)
        ):
            own = _stored([each.target for each in parts])
            inner = _roots(part)
            outer = {name for each in parts for name in _roots(each.iter)}
            return (inner - own) | (outer if inner & own else set())
    return {name for each in ast.iter_child_nodes(node) for name in _roots(each)}


def _roots_of(nodes: Iterable[ast.AST]) -> set[str]:
    return {name for each in nodes for name in _roots(each)}


def _iterators(node: ast.AST | None) -> set[str]:
    """The names and functions whose iterators a value may be, or hold; ``ANY`` if it makes one."""
    match node:
        case ast.GeneratorExp():
            return {ANY}
        case ast.Name(id=name):
            return {name}
        case ast.Call(func=function):
            name = _last_name(function)
            return {ANY} if name in _ITERATORS else {name}
        case ast.Tuple() | ast.List() | ast.Dict() | ast.IfExp() | ast.BoolOp() | ast.NamedExpr():
            return {name for each in ast.iter_child_nodes(node) for name in _iterators(each)}
        case ast.Attribute(value=value) | ast.Subscript(value=value) | ast.Starred(value=value):
            return _iterators(value)
    return set()


def _gives_iterators(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether its results are used up as they are read."""
    returned = (each.value for each in ast.walk(function) if isinstance(each, ast.Return))
    yields = (isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(function))
    return any(yields) or any(ANY in _iterators(each) for each in returned)


def _functions(node: ast.ClassDef) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [each for each in node.body if isinstance(each, DEFINITIONS[:2])]


def _is_fixed(node: ast.AST | None) -> bool:
    """Whether a value is made of numbers and texts alone, and cannot change."""
    kinds = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop)
    parts = ast.walk(node) if node is not None else ()
    return node is not None and all(isinstance(each, (*kinds, ast.expr_context)) for each in parts)


def _given(call: ast.Call) -> set[str]:
    arguments = [*call.args, *(each.value for each in call.keywords)]
    return {name for each in arguments for name in _roots(each)}


def _last_name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _is_loaded(node: ast.AST) -> bool:
    return isinstance(node.ctx, ast.Load)


def _defaults(arguments: ast.arguments) -> list[ast.AST]:
    return [each for each in [*arguments.defaults, *arguments.kw_defaults] if each is not None]


def _kept(arguments: ast.arguments) -> set[str]:
    """The parameters whose defaults may be changed, and are then kept from call to call."""
    plain = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(reversed(plain), reversed(arguments.defaults), strict=False),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return {each.arg for each, default in pairs if default and not _is_fixed(default)}


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    """The names bound in these nodes, without those in functions and classes in there."""
    names, waiting = set(), list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and not _is_loaded(node):
            names.add(node.id)
        if isinstance(node, DEFINITIONS):
            names.add(node.name)
        elif not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
        if isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
    return names


def _locals(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """The names that belong to a function: its parameters, and what it binds."""
    body = node.body if isinstance(node.body, list) else [node.body]
    declared = {
        name
        for part in body
        for each in ast.walk(part)
        if isinstance(each, ast.Global | ast.Nonlocal)
        for name in each.names
    }
    return {*_parameters(node.args), *_stored(body)} - declared


def _parameters(arguments: ast.arguments) -> list[str]:
    return [each.arg for each in ast.walk(arguments) if isinstance(each, ast.arg)]
