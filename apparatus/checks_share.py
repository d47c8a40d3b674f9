"""How much of the code checks: ``python -m apparatus.checks_share`` prints the share of each file.

A statement in the body of a function counts as a check if it calls a function whose name begins
with ``expect`` or ``check_``, or if it is an ``if`` that leads to nothing but an error; so does all
of a function with such a name. Lines are counted without signatures, docstrings and comments.
"""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "attn_course"
ROOMS = (
    *("masks", "weights", "context", "alignment", "self_attention", "gradients", "memory"),
    *("crosstalk", "interventions", "measures"),
)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def share(path: Path) -> tuple[int, int]:
    """The lines of a file that check, and all lines of its functions."""
    tree = ast.parse(path.read_text("utf-8"))
    inner = {each for one in ast.walk(tree) if isinstance(one, Function) for each in one.body}
    checks = every = 0
    for function in ast.walk(tree):
        if isinstance(function, Function) and function not in inner:
            lines = _lines(function.body)
            every += len(lines)
            named = _is_check(function.name)
            checks += len(lines if named else _checking(function.body))
    return checks, every


def _lines(body: list[ast.stmt]) -> set[int]:
    """The lines of statements, without docstrings."""
    return {
        line
        for each in body
        if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for line in range(each.lineno, each.end_lineno + 1)
    }


def _checking(body: list[ast.stmt]) -> set[int]:
    """The lines of statements that check, however deep."""
    found: set[int] = set()
    for each in body:
        if _checks(each):
            found |= _lines([each])
            continue
        for part in ("body", "orelse", "finalbody"):
            found |= _checking(getattr(each, part, []))
        for handler in getattr(each, "handlers", []):
            found |= _checking(handler.body)
    return found


def _checks(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.If):
        return not statement.orelse and all(map(_checks, statement.body))
    if isinstance(statement, ast.For):
        return all(map(_checks, statement.body))
    calls = [each.func for each in ast.walk(statement) if isinstance(each, ast.Call)]
    names = (getattr(each, "attr", getattr(each, "id", "")) for each in calls)
    simple = isinstance(statement, ast.Expr | ast.Assign)
    return isinstance(statement, ast.Raise) or (simple and any(map(_is_check, names)))


def _is_check(name: str) -> bool:
    return name.lstrip("_").startswith(("expect_", "check_")) or name == "expect"


def main() -> None:
    for name in ROOMS:
        checks, every = share(PACKAGE / f"{name}.py")
        print(f"{name:15}{checks:4} of {every:4} lines check: {checks / every:4.0%}")


if __name__ == "__main__":
    main()
