"""Numbers and texts as a reader sees them: shares, counts, and characters that do not print."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# characters without ink, besides those whose category says so
_BLANK = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0") | {chr(n) for n in range(0xFE00, 0xFE10)}
# and those of its category that have ink: Unicode's prepended concatenation marks
_WITH_INK = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
HALF = re.compile("[\ud800-\udfff]")  # half of a surrogate pair, which is in no UTF-8


class Refusal(Exception):
    """Why something cannot be done; the command line prints it and ends with exit code 2."""


def percent(share: float, digits: int = 0) -> str:
    """A share as a percentage, which is 0% or 100% only if it is exactly that."""
    text, least = f"{share:.{digits}%}", f"{10 ** -(2 + digits):.{digits}%}"
    if share > 0 and text == f"{0:.{digits}%}":
        return f"under {least}"
    if share < 1 and text == f"{1:.{digits}%}":
        return f"over {1 - 10 ** -(2 + digits):.{digits}%}"
    return text


def counted(count: int, noun: str) -> str:
    """A number of things: 1 step, 2 steps."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def escaped(text: str) -> str:
    r"""A text whose control characters are written out (``\x1b``), so no terminal obeys them."""
    return "".join(
        sign.encode("unicode_escape").decode() if unicodedata.category(sign) == "Cc" else sign
        for sign in text
    )


def quoted(text: str) -> str:
    """A text of the user's in a sentence: in quotation marks, and not too long."""
    return f"“{isolated(escaped(text if len(text) <= 60 else f'{text[:59]}…'))}”"


def unseen(text: str) -> list[str]:
    """The characters of a text that cannot be seen, each once; a plain space is not one of them."""
    return [
        sign
        for sign in dict.fromkeys(text)
        if sign != " "
        and sign not in _WITH_INK
        and (unicodedata.category(sign) in ("Zs", "Zl", "Zp", "Cf") or sign in _BLANK)
    ]


def names(characters: Iterable[str]) -> str:
    """What characters are called: no-break space (U+00A0)."""
    return ", ".join(
        f"{unicodedata.name(sign, 'unnamed').lower()} (U+{ord(sign):04X})" for sign in characters
    )


def named(symbol: str) -> str:
    """A symbol in a sentence: in quotation marks, or by its name where it could not be seen."""
    if not symbol.strip(" "):
        return "space"
    blank = unseen(symbol)
    if not blank:
        return quoted(symbol)
    return names(blank) if set(symbol) <= set(blank) else f"{quoted(symbol)} with {names(blank)}"


def isolated(text: str) -> str:
    """A text that may run from right to left, so that it does not turn the sentence around it."""
    if any(unicodedata.bidirectional(sign) in ("R", "AL", "AN") for sign in text):
        return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"
    return text
