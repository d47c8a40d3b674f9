"""Names of currencies and of places, from English to French, as CLDR gives them.

French puts most adjectives after the noun, so the order within a name is reversed, while that of
the names in a list stays the same:

>>> pair = render(["Australian Dollar", "European Monetary Unit", "Denmark"])
>>> print(pair.source, pair.target, sep=chr(10))
Australian Dollar , European Monetary Unit , and Denmark
dollar australien , unité monétaire européenne et Danemark

*New* is the exception: its French counterpart stays before the noun. The *New* of *New Zealand*
belongs to a single name and is none:

>>> render(["New Australian Dollar"]).target, render(["New Zealand Dollar"]).target
('nouveau dollar australien', 'dollar néo-zélandais')

CLDR knows too few currencies to learn from. But a name such as *Australian Dollar* shows how its
two words are written in French, and the words can be combined anew: *Australian Krone*, *Danish
Dollar*. An adjective agrees with its noun; the only forms used are those that CLDR attests and
those that follow from an attested form by a rule without exceptions.

The names are put together word by word, so the gold alignment is exact. *costaricain* may be read
from either word of *Costa Rican*: such a link is possible, but not sure.
"""

import random
import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from typing import Annotated, NamedTuple

import numpy as np
from babel import Locale

from attn_course._signature import checked
from attn_course._values import Count, Some, Split, between
from attn_course.tasks.pieced import PiecedPair
from attn_course.tasks.vocabulary import Vocabulary

MOST = 9  # names in a list
Length = Annotated[int, between(1, MOST)]
WITH_MIDDLE, WITH_NEW, PLACES = 0.35, 0.15, 0.2  # how often each is drawn

# Adjectives between the two: masculine and feminine
MIDDLE = {
    "Convertible": ("convertible", "convertible"),
    "Financial": ("financier", "financière"),
    "Hard": ("fort", "forte"),
    "Monetary": ("monétaire", "monétaire"),
    "Nominal": ("nominal", "nominale"),
    "Socialist": ("socialiste", "socialiste"),
}
NEW = "New"

# French nouns of the attested currencies that are feminine; the others are masculine
# fmt: off
FEMININE = frozenset((
    "couronne", "drachme", "gourde", "hryvnia", "kuna", "lire", "livre", "pataca", "peseta",
    "roupie", "rufiyaa", "unité",
))
# fmt: on
# How a masculine adjective ends, and its feminine: rules without exceptions among these words
AGREEMENT = (("ien", "ienne"), ("éen", "éenne"), ("ain", "aine"), ("ais", "aise"), ("ois", "oise"))
NO_ADJECTIVES = frozenset({"sterling", "or"})  # livre sterling, franc or

# Territories of two words whose order is reversed in French, and some whose order stays
# fmt: off
TURNED = (
    "011", "013", "014", "015", "017", "018", "021", "143", "202", "419", "AS", "AX", "BV", "CK",
    "CP", "CX", "DO", "EH", "EU", "FK", "FO", "GF", "GQ", "IC", "KY", "MH", "NF", "PF", "PN", "PS",
    "SA", "SB", "UN",
)
# fmt: on
STRAIGHT = ("BF", "CR", "DG", "LK", "PR", "SL")

Link = tuple[int, int]  # of a target piece and a source piece


@dataclass(frozen=True)
class NamePair(PiecedPair):
    """A list of names in English and in French, with the links between their pieces.

    source, target  pieces, separated by spaces
    sure, possible  links (target piece, source piece); every sure link is possible too
    """

    names: tuple[str, ...]
    source: str
    target: str
    sure: frozenset[Link]
    possible: frozenset[Link]


class _Name(NamedTuple):
    """One name, or what joins two: its pieces, and its links, True where they are sure."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: dict[Link, bool]


class _Words(NamedTuple):
    """The single words of CLDR's currencies.

    nouns       English noun -> French noun
    adjectives  English adjective -> its French forms, masculine and feminine; "" if not known
    """

    nouns: dict[str, str]
    adjectives: dict[str, tuple[str, str]]


@checked
def render(names: Some[str]) -> NamePair:
    """The pair of a list of names, each a currency or a place that the task knows.

    A currency is an adjective and a noun, with one of `MIDDLE` between them and *New* before
    them if wanted. Any other name is a ValueError.
    """
    if len(names) > MOST:
        raise ValueError(f"names must be at most {MOST}; got {len(names)}")
    parts: list[_Name] = []
    for index, name in enumerate(names):
        parts += [_joint(index, len(names))] if index else []
        parts.append(_name(name))
    source: list[str] = []
    target: list[str] = []
    links: dict[Link, bool] = {}
    for part in parts:
        links |= {(len(target) + i, len(source) + j): part.links[i, j] for i, j in part.links}
        source += part.source
        target += part.target
    sure = frozenset(link for link, is_sure in links.items() if is_sure)
    return NamePair(tuple(names), " ".join(source), " ".join(target), sure, frozenset(links))


@checked
def name_pairs(
    count: Count, seed: int, items: Some[Length] = (1, 2, 3), split: Split = "train"
) -> list[NamePair]:
    """Draw pairs: the number of names uniformly from ``items``, then the names.

    One name in five is a place; of the currencies about a third have an adjective in the middle,
    and one in seven is new. ``split`` is "train" or "test", the two sides of `is_test_currency`;
    each test list has at least one currency. The same arguments give the same pairs, in every
    process.
    """
    rng, places = random.Random(seed), sorted(_places())
    pairs: list[NamePair] = []
    for _ in range(count):
        length = rng.choice(items)
        least = rng.randrange(length) if split == "test" else -1  # this one is no place
        names = [
            rng.choice(places)
            if rng.random() < PLACES and index != least
            else _draw_currency(rng, split)
            for index in range(length)
        ]
        pairs.append(render(names))
    return pairs


@checked
def is_test_currency(adjective: str, noun: str) -> bool:
    """Whether a currency is kept for testing; one in eight is, whatever stands between its words.

    Both words occur in other currencies too, so each can be known; the two together are never
    seen in training.
    """
    return zlib.crc32(f"{adjective} {noun}".encode()) % 8 == 0


@checked
def currencies(split: Split = "train") -> tuple[tuple[str, str], ...]:
    """Every adjective and noun that agree in French, on one side of `is_test_currency`."""
    return _currencies(split)


@checked
def gold_possible(pair: NamePair) -> np.ndarray:
    """Which source pieces each target piece may be made from: boolean, (target, source)."""
    return _table(pair, pair.possible)


@checked
def gold_sure(pair: NamePair) -> np.ndarray:
    """The links without any doubt, at most one for each target piece: boolean, (target, source).

    The links of an adjective that is two words in English are not sure, nor is a link to the comma
    before *and*, which French does not write.
    """
    return _table(pair, pair.sure)


@cache
def name_vocabularies() -> tuple[Vocabulary, Vocabulary]:
    """The English and the French pieces that the task can write."""
    parts = [_name(name) for name in _places()]
    parts += [_currency(*pair, middle, True) for pair in _one_of_each() for middle in MIDDLE]
    parts += [_joint(1, 3), _joint(2, 3), _joint(1, 2)]
    source = {piece for part in parts for piece in part.source}
    target = {piece for part in parts for piece in part.target}
    return Vocabulary(sorted(source), separator=" "), Vocabulary(sorted(target), separator=" ")


def _table(pair: NamePair, links: frozenset[Link]) -> np.ndarray:
    gold = np.zeros((len(pair.target_pieces), len(pair.source_pieces)), dtype=bool)
    for i, j in links:
        gold[i, j] = True
    return gold


def _draw_currency(rng: random.Random, split: str) -> str:
    adjective, noun = rng.choice(_currencies(split))
    middle = rng.choice(sorted(MIDDLE)) if rng.random() < WITH_MIDDLE else ""
    new = NEW if rng.random() < WITH_NEW else ""
    return " ".join(filter(None, (new, adjective, middle, noun)))


def _name(name: str) -> _Name:
    """The name of a place or of a currency, with its French counterpart."""
    if name in _places():
        return _places()[name]
    *words, noun = name.split(" ")
    for new in (False, True):  # New Zealand Dollar is no new dollar
        if new and words[:1] != [NEW]:
            continue
        rest = words[new:]
        middle = rest.pop() if rest and rest[-1] in MIDDLE else ""
        adjective = " ".join(rest)
        if _agreed(adjective, noun):
            return _currency(adjective, noun, middle, new)
    raise ValueError(
        f"names must be places, or currencies of a known adjective and noun that agree, such as "
        f"'Denmark' and 'Australian Dollar'; got {name!r}"
    )


def _currency(adjective: str, noun: str, middle: str, new: bool) -> _Name:
    """[New] adjective [middle] noun -> [nouveau] noun [middle] adjective."""
    french, feminine = _words().nouns[noun], _is_feminine(noun)
    english = adjective.split(" ")
    source, target = [*english, noun], [french, _agreed(adjective, noun)]
    sure = len(english) == 1
    links = {(0, len(english)): True} | {(1, j): sure for j in range(len(english))}
    if middle:
        source.insert(-1, middle)
        target.insert(1, MIDDLE[middle][feminine])
        links = {(0, len(english) + 1): True, (1, len(english)): True}
        links |= {(2, j): sure for j in range(len(english))}
    if new:
        source.insert(0, NEW)
        target.insert(0, _new(french, feminine))
        links = {(0, 0): True} | {(i + 1, j + 1): links[i, j] for i, j in links}
    return _Name(tuple(source), tuple(target), links)


def _new(noun: str, feminine: bool) -> str:
    """*nouveau* before a French noun: *nouvelle livre*, *nouvel escudo*."""
    if feminine:
        return "nouvelle"
    return "nouvel" if noun[0] in "aàâeéèêiîoôu" else "nouveau"


@cache
def _joint(number: int, of: int) -> _Name:
    """The text before each name of a list but the first: ``, and`` and ``et`` at the end."""
    kind = "2" if of == 2 else "end" if number == of - 1 else "middle"
    source, target = (
        Locale(language).list_patterns["standard"][kind][3:-3].replace(",", " ,").split()
        for language in ("en", "fr")
    )
    links = {
        (i, j): (piece == ",") == (other == ",")
        for i, piece in enumerate(target)
        for j, other in enumerate(source)
    }
    return _Name(tuple(source), tuple(target), links)


def _cldr(what: str) -> list[dict[str, str]]:
    """CLDR's names of territories or currencies, by their codes, in English and in French."""
    return [dict(getattr(Locale(language), what)) for language in ("en", "fr")]


@cache
def _places() -> dict[str, _Name]:
    """Territories of one word, and those of `TURNED` and `STRAIGHT`, by their English names."""
    english, french = _cldr("territories")
    known: dict[str, _Name] = {}
    for code in sorted(set(english) & set(french)):
        source, target = (tuple(names[code].split(" ")) for names in (english, french))
        if len(source) == len(target) == (2 if code in (*TURNED, *STRAIGHT) else 1):
            turned = code in TURNED
            links = {(i, 1 - i if turned else i): True for i in range(len(source))}
            if not english[code].startswith("Pseudo-"):
                known[english[code]] = _Name(source, target, links)
    return known


@cache
def _currencies(split: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (adjective, noun)
        for adjective in sorted(_words().adjectives)
        for noun in sorted(_words().nouns)
        if _agreed(adjective, noun) and is_test_currency(adjective, noun) == (split == "test")
    )


def _one_of_each() -> list[tuple[str, str]]:
    """Currencies in which every form of every word occurs at least once."""
    by_form: dict[str | tuple[str, str], tuple[str, str]] = {}
    for split in ("train", "test"):
        for adjective, noun in _currencies(split):
            by_form[noun] = by_form[_agreed(adjective, noun), adjective] = (adjective, noun)
    return sorted(set(by_form.values()))


def _agreed(adjective: str, noun: str) -> str:
    """The French adjective in the form that the noun needs; "" if a word or form is not known."""
    words = _words()
    if adjective not in words.adjectives or noun not in words.nouns:
        return ""
    return words.adjectives[adjective][_is_feminine(noun)]


def _is_feminine(noun: str) -> bool:
    return _words().nouns[noun] in FEMININE


@cache
def _words() -> _Words:
    """Nouns and adjectives, from every currency of CLDR whose words can be told apart."""
    nouns: defaultdict[str, Counter[str]] = defaultdict(Counter)
    forms: defaultdict[str, tuple[Counter[str], Counter[str]]] = defaultdict(
        lambda: (Counter(), Counter())
    )
    for adjective, noun, french_noun, french_adjective in _attested():
        nouns[noun][french_noun] += 1
        forms[adjective][french_noun in FEMININE][french_adjective] += 1
    return _Words(
        {noun: _commonest(counts) for noun, counts in nouns.items()},
        {word: _both_forms(*map(_commonest, counts)) for word, counts in forms.items()},
    )


def _attested() -> list[tuple[str, str, str, str]]:
    """Adjective and noun of a currency in English, noun and adjective in French.

    Those that do not agree are left out: an older CLDR has *rufiyaa maldivien*, where a later one
    has *maldivienne*.
    """
    english, french = _cldr("currencies")
    other_endings = tuple(zip(*AGREEMENT, strict=True))[::-1]  # feminine ones for masculine nouns
    between = {word: set(forms) for word, forms in MIDDLE.items()}
    rows: list[tuple[str, str, str, str]] = []
    for code in sorted(set(english) & set(french)):
        source, target = english[code].split(" "), french[code].split(" ")
        if len(target) == 3 and target[0].startswith("nouve") and NEW in source:
            source.remove(NEW)
            del target[0]
        if len(target) == len(source) == 3 and target[1] in between.get(source[1], ()):
            del source[1], target[1]
        *adjective, noun = source
        known = len(target) == 2 and adjective and "&" not in adjective and noun.istitle()
        disagrees = known and target[1].endswith(other_endings[target[0] in FEMININE])
        if known and target[1].islower() and target[1] not in NO_ADJECTIVES and not disagrees:
            rows.append((" ".join(adjective), noun, target[0], target[1]))
    return rows


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda word: (-counts[word], word), default="")


def _both_forms(masculine: str, feminine: str) -> tuple[str, str]:
    """Add the form that is not attested, where a rule without exceptions gives it.

    A masculine form that ends in *e* does not change: *belge*.
    """
    for he, she in AGREEMENT:
        if masculine.endswith(he):
            feminine = feminine or masculine.removesuffix(he) + she
        if feminine.endswith(she):
            masculine = masculine or feminine.removesuffix(she) + he
    if masculine.endswith("e"):
        feminine = feminine or masculine
    return masculine, feminine
