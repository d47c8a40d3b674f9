"""Three corpora of the kind that readers bring: a new locale, amounts in words, another script.

Each is made from an installed library, and can be written to a file as a reader's own would be, for
``python -m attn_course train``:

>>> pair = euro_amounts(1, seed=0)[0]
>>> pair.source, pair.target
('7 8 9 0 . 0 5', 'seven thousand eight hundred and ninety euro five cents')

welsh    Welsh dates, a locale that no chapter has, to ISO 8601; groups are kinds of date
amounts  amounts of euros, digit by digit, to English words; groups are numbers of digits
names    territories, languages and currencies, from Serbian in Latin letters to Serbian in
         Cyrillic ones; groups say which of the three
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from babel import Locale
from num2words import num2words

from attn_course._signature import checked
from attn_course._values import Count, Some
from attn_course.tasks.dates import date_pairs

PAIRS = 1_300  # drawn of dates and of amounts: about as many as there are names
_NAMES = ("territories", "languages", "currencies")


class OwnPair(NamedTuple):
    """A source, its target, and the group by which answers are told apart."""

    source: str
    target: str
    group: str


@checked
def welsh_dates(count: Count = PAIRS, seed: int = 0) -> list[OwnPair]:
    """Welsh dates as CLDR writes them, and in ISO 8601: ``count``, less those that repeat."""
    drawn = date_pairs(count, seed, locales=("cy",))
    return _each_once(OwnPair(pair.source, pair.target, pair.kind) for pair in drawn)


@checked
def euro_amounts(count: Count = PAIRS, seed: int = 0) -> list[OwnPair]:
    """Amounts below 10,000 euros, and in words: ``count``, less those that repeat.

    The number of digits before the point is drawn first, so small amounts come as often as large
    ones. Digits and words are separated by spaces: each is a symbol.
    """
    rng = random.Random(seed)
    pairs: list[OwnPair] = []
    for _ in range(count):
        digits = rng.randint(1, 4)
        euros = rng.randrange(10 ** (digits - 1), 10**digits)
        cents = rng.randrange(100)
        words = num2words(euros + cents / 100, lang="en", to="currency", currency="EUR")
        target = " ".join(re.findall(r"\w+", words))
        pairs.append(OwnPair(" ".join(f"{euros}.{cents:02}"), target, f"{digits} digits"))
    return _each_once(pairs)


@checked
def serbian_names() -> list[OwnPair]:
    """Names of CLDR in both scripts of Serbian; each source once.

    Most Latin letters have one Cyrillic letter each; *lj*, *nj* and *dž* are two for one, so places
    shift. A rule could do nearly all of it, which makes every mistake of a model plain to see.
    """
    latin, cyrillic = Locale.parse("sr_Latn"), Locale.parse("sr_Cyrl")
    pairs: list[OwnPair] = []
    for kind in _NAMES:
        sources: dict[str, str] = getattr(latin, kind)
        targets: dict[str, str] = getattr(cyrillic, kind)
        common = sorted(code for code in sources if code in targets)
        pairs += [OwnPair(sources[code], targets[code], kind) for code in common]
    return _each_once(pairs)


# How a seed makes each corpus, by its name; there are no other names to draw.
CORPORA: dict[str, Callable[[int], list[OwnPair]]] = {
    "welsh": lambda seed: welsh_dates(seed=seed),
    "amounts": lambda seed: euro_amounts(seed=seed),
    "names": lambda seed: serbian_names(),
}


@checked
def write_pairs(pairs: Some[OwnPair], path: Path) -> None:
    """Write pairs as UTF-8 lines ``source<TAB>target<TAB>group``."""
    lines = "".join("\t".join(pair) + "\n" for pair in pairs)
    path.write_text(lines, encoding="utf-8", newline="\n")


def _each_once(pairs: Iterable[OwnPair]) -> list[OwnPair]:
    """The first pair of each source."""
    return list({pair.source: pair for pair in reversed(list(pairs))}.values())[::-1]
