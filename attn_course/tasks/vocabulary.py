"""Characters or pieces of text to numbers, and back.

A model does not see characters, only whole numbers. Four numbers are reserved in every
vocabulary: those of `attn_course.symbols`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from attn_course._signature import checked
from attn_course._values import expect_several, expect_text
from attn_course.symbols import END, FIRST_SYMBOL, PADDING, START, UNKNOWN

__all__ = ["END", "PADDING", "START", "UNKNOWN", "Vocabulary"]

_UNKNOWN_SHOWN = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True)
class Vocabulary:
    """Number the symbols from 4 on, in the order given.

    The order is part of a trained model: the same symbols in another order get other numbers, and
    the model would read nonsense without any error. This is why `from_texts` sorts.

    ``symbols`` are distinct single characters. With a ``separator`` they are pieces of text without
    it, and it stands between any two pieces of a text. Other symbols are a ValueError.

    >>> digits = Vocabulary("0123456789-")
    >>> digits.encode("2005", end=True)
    [6, 4, 4, 9, 2]
    >>> digits.decode([1, 6, 4, 4, 9, 2, 0, 0])
    '2005'
    >>> Vocabulary(["one", "twenty"], separator=" ").encode("twenty one")
    [5, 4]
    """

    symbols: Sequence[str]
    separator: str = ""
    _numbers: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        symbols = tuple(self.symbols)
        expect_text("separator", self.separator)
        for symbol in symbols:
            if not isinstance(symbol, str) or self.split(symbol) != [symbol] or not symbol:
                kind = f"pieces without {self.separator!r}" if self.separator else "characters"
                raise ValueError(f"symbols must be single {kind}; got {symbol!r}")
        numbers = {symbol: number for number, symbol in enumerate(symbols, start=FIRST_SYMBOL)}
        if len(numbers) < len(symbols):
            twice = next(symbol for symbol in symbols if symbols.count(symbol) > 1)
            raise ValueError(f"symbols must be distinct; {twice!r} came more than once")
        object.__setattr__(self, "symbols", symbols)
        object.__setattr__(self, "_numbers", numbers)

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> Vocabulary:
        """Collect every character of the texts, sorted by code point."""
        texts = expect_several("texts", texts, least=0)
        for text in texts:
            expect_text("each of the texts", text)
        return cls(sorted(set[str]().union(*texts)))

    def __len__(self) -> int:
        """The number of symbols, including the four special ones."""
        return FIRST_SYMBOL + len(self.symbols)

    def __contains__(self, symbol: object) -> bool:
        return symbol in self._numbers

    @checked
    def split(self, text: str) -> list[str]:
        """The symbols of a text: its characters, or the pieces between the separators."""
        return text.split(self.separator) if self.separator and text else list(text)

    @checked
    def encode(self, text: str, end: bool = False) -> list[int]:
        """One number for each symbol, followed by `END` if ``end`` is true."""
        numbers = [self._numbers.get(symbol, UNKNOWN) for symbol in self.split(text)]
        return [*numbers, END] if end else numbers

    def decode(self, ids: Iterable[int]) -> str:
        """The text up to the first `END`, without `PADDING` and `START`.

        `UNKNOWN` is shown as U+FFFD, the replacement character. ``ids`` are whole numbers, or a
        tensor of them; a number outside the vocabulary is a ValueError.
        """
        text: list[str] = []
        for number in _plain(ids):
            if number == END:
                break
            if not 0 <= number < len(self):
                raise ValueError(f"ids must lie between 0 and {len(self) - 1}; got {number}")
            if number == UNKNOWN:
                text.append(_UNKNOWN_SHOWN)
            elif number >= FIRST_SYMBOL:
                text.append(self.symbols[number - FIRST_SYMBOL])
        return self.separator.join(text)


def _plain(ids: Iterable[int]) -> Iterator[int]:
    """Whole numbers as plain ones; a bool is none."""
    bools = str(getattr(ids, "dtype", "")).endswith("bool")
    for number in ids:
        if bools or number is True or number is False:
            raise TypeError(f"ids must be whole numbers; got {number!r}")
        yield operator.index(number)
