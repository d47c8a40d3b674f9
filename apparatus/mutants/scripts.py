"""Small changes to a JavaScript source: patterns and their replacements."""

import re

from apparatus.mutants.changes import Change, changes_at

# Only what is between spaces counts as an operator: `=>` and `i++` stay
OPERATORS = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "===": ("!==",),
    "!==": ("===",),
    "+": ("-",),
    "-": ("+",),
    "*": ("/",),
    "/": ("*",),
    "+=": ("-=", "="),
    "&&": ("||",),
    "||": ("&&",),
}
WORDS = {
    "Math.max": "Math.min",
    "Math.min": "Math.max",
    "Math.hypot": "Math.max",
    "Math.sqrt": "Number",
    "Math.tanh": "Number",
    "Math.exp": "Number",
    "true": "false",
    "false": "true",
    ".reverse()": "",
}
_QUIET = re.compile(r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"|`[^`]*`", re.DOTALL)
_OPERATOR = re.compile(
    rf"(?<= )(?:{'|'.join(sorted(map(re.escape, OPERATORS), key=len)[::-1])})(?= )"
)
_WORD = re.compile("|".join(rf"{re.escape(word)}(?![\w])" for word in WORDS))
_NUMBER = re.compile(r"(?<![\w.$])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])")
_RETURN = re.compile(r"return [^;{]+;")


def script_changes(source: str) -> list[Change]:
    """Every change of a script, in order; comments and strings are left alone."""
    quiet = _QUIET.sub(lambda found: re.sub(r"[^\n]", "~", found.group()), source)
    found = [
        *((*m.span(), new) for m in _OPERATOR.finditer(quiet) for new in OPERATORS[m.group()]),
        *((*m.span(), WORDS[m.group()]) for m in _WORD.finditer(quiet)),
        *((*m.span(), f"({m.group()} + 1)") for m in _NUMBER.finditer(quiet)),
        *((*m.span(), "return null;") for m in _RETURN.finditer(quiet)),
    ]
    return changes_at(source, (_in_bytes(source, *one) for one in found))


def _in_bytes(source: str, start: int, end: int, new: str) -> tuple[int, int, bytes]:
    before, old = (len(part.encode()) for part in (source[:start], source[start:end]))
    return before, before + old, new.encode()
