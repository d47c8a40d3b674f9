"""Whether a side of the pairs is made of symbols with spaces between them, as phones are: k æ t."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from attn_own.lines import Line, PairFile

_LOOKED_AT = 2000  # lines
_FEW = 20  # lines from which something can be told
_RARE = 0.01  # of the pieces
_NUMBER = re.compile(r"[\W_]*\d[\d\W_]*")


def words_of(file: PairFile) -> str:
    """The sides that are read as words if nobody says which: "none", "source", "target", "both"."""
    good = [line for line in islice(file.lines(), _LOOKED_AT) if isinstance(line, Line)]
    source, target = (is_spaced([line[side] for line in good]) for side in (0, 1))
    return {(0, 0): "none", (1, 0): "source", (0, 1): "target", (1, 1): "both"}[source, target]


def is_spaced(texts: Sequence[str]) -> bool:
    """Whether the pieces between single spaces are symbols, and the spaces mean nothing else.

    Nearly every text has several pieces. Nearly none has more than two letters, marks and modifiers
    apart (t͡ʃʰ, AH0), and most have a letter with cases: so they are no words, nor Chinese. Hardly
    any piece comes only once, so that new ones will be rare (Good 1953). None is a number.
    """
    if len(texts) < _FEW or any(" ".join(text.split()) != text for text in texts):
        return False
    counts = Counter(piece for text in texts for piece in text.split())
    most = _RARE * counts.total()
    pieces = list(counts.elements())
    return (
        sum(" " in text for text in texts) >= 0.95 * len(texts)
        and sum(count == 1 for count in counts.values()) <= most
        and sum(_count_letters(piece) > 2 for piece in pieces) <= most
        and sum(bool(_NUMBER.fullmatch(piece)) for piece in pieces) <= most
        and sum(piece.lower() != piece.upper() for piece in pieces) >= len(pieces) / 2
    )


def _count_letters(piece: str) -> int:
    return sum(unicodedata.category(sign) in ("Lu", "Ll", "Lt", "Lo") for sign in piece)
