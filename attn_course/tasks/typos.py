"""Words with one typing mistake, and how well the best possible reader can mend them.

The words have 3 to 12 letters and come from the standard library's documentation and from CLDR's
English names. One mistake is made in each:

>>> for kind in KINDS:
...     print(kind, misspell("attend", kind, 2, letter="o" if kind in WITH_LETTER else ""))
substitution atoend
insertion atotend
deletion atend
transposition atetnd

A typing mistake is *located* when its place in the wrong word is named, and *mended* when the word
is. Which letters of the wrong word made which of the right one is known exactly.

Whoever sees only *pake* cannot know whether *fake*, *make* or *take* was meant. The best possible
reader names the likeliest word, and how often that is right is the ceiling of every model:

    ceiling = Σ_x max_y p(x, y)      x a wrong word, y a word (the Bayes-optimal decision)

A long word has few neighbours, so its ceiling is close to 1; a short one has many.
"""

import pydoc_data.topics
import random
import re
import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase as LETTERS
from typing import Annotated, Literal, NamedTuple, TypeVar

import numpy as np
from babel import Locale

from attn_course._signature import checked
from attn_course._values import Count, CountOrZero, Some, between, form
from attn_course.tasks.vocabulary import Vocabulary

Kind = Literal["substitution", "insertion", "deletion", "transposition"]
KINDS: tuple[Kind, ...] = ("substitution", "insertion", "deletion", "transposition")
WITH_LETTER = ("substitution", "insertion")  # these put in a new letter
SHORTEST, LONGEST = 3, 12  # letters of a word
Split = Literal["train", "typos", "words"]
SPLITS: tuple[Split, ...] = ("train", "typos", "words")
Word = Annotated[str, form("3 to 12 letters from a to z", "[a-z]{3,12}")]
Wrong = Annotated[str, form("2 to 13 letters from a to z", "[a-z]{2,13}")]
Length = Annotated[int, between(SHORTEST, LONGEST)]

C = TypeVar("C")
Counts = defaultdict[C, float]


@dataclass(frozen=True)
class TypoPair:
    """A wrong word and the right one.

    kind   one of `KINDS`
    place  where the mistake shows in ``source``, counted from 0: the wrong or superfluous letter,
           the letter before which one is missing, or the first of the two that changed places
    """

    source: str
    target: str
    kind: str
    place: int


class Ceiling(NamedTuple):
    """The best that can be reached, overall and by the length of the right word.

    mended   how often the word can be named
    located  how often the place can be named
    """

    mended: float
    located: float
    mended_by_length: dict[int, float]
    located_by_length: dict[int, float]


@checked
def misspell(word: Word, kind: Kind, place: CountOrZero, letter: str = "") -> str:
    """Make one mistake at a place of the word, with a letter where the kind puts one in.

    A substitution puts the letter in the place of another one, an insertion before the letter at
    the place (or after the last), a deletion leaves out the letter at the place, which is not the
    last, and a transposition exchanges it with the next. A mistake that would change nothing is a
    ValueError.
    """
    if (place, letter) not in _ways(word, kind):
        raise ValueError(
            f"place and letter must name a mistake: no {kind} of {letter!r} at {place} in {word!r}"
        )
    return _changed(word, kind, place, letter)


@checked
def render(word: Word, kind: Kind, place: CountOrZero, letter: str = "") -> TypoPair:
    """The pair of one mistake, which `misspell` describes.

    Where several mistakes give the same wrong word, as two ways to leave out a letter of a double
    one, ``place`` is that of the first: *atend*, whichever t of *attend* was left out.
    """
    wrong = misspell(word, kind, place, letter)
    return TypoPair(wrong, word, kind, _first_place(word, wrong, kind))


@checked
def typo_pairs(
    count: Count,
    seed: int,
    kinds: Some[Kind] = ("substitution",),
    split: Split = "train",
    *,
    lengths: Some[Length] = range(SHORTEST, LONGEST + 1),
) -> list[TypoPair]:
    """Draw pairs: the word and the kind uniformly, and a mistake of this kind uniformly.

    ``split`` is "train"; "typos", new mistakes in the words that are trained on; or "words",
    mistakes in words that are not. ``lengths`` are those of the right words. The same arguments
    give the same pairs, in every process.
    """
    pool = [
        word
        for word in words()
        if len(word) in lengths and is_test_word(word) == (split == "words")
    ]
    rng, pairs = random.Random(seed), list[TypoPair]()
    while len(pairs) < count:
        word, kind = rng.choice(pool), rng.choice(kinds)
        possible = _ways(word, kind)
        if not possible:  # a transposition in "aaa"
            continue
        place, letter = rng.choice(possible)
        wrong = _changed(word, kind, place, letter)
        if split == "words" or is_test_typo(wrong, word) == (split == "typos"):
            pairs.append(TypoPair(wrong, word, kind, _first_place(word, wrong, kind)))
    return pairs


@checked
def is_test_word(word: str) -> bool:
    """Whether a word is kept for testing; about one in eight is."""
    return zlib.crc32(word.encode()) % 8 == 0


@checked
def is_test_typo(source: str, target: str) -> bool:
    """Whether a mistake is kept for testing; about one in eleven is."""
    return zlib.crc32(f"{source} {target}".encode()) % 11 == 0


@cache
def words() -> tuple[str, ...]:
    """Every word of the task, in alphabetical order.

    The documentation changes a little from one version of Python to the next, and so do the words.
    """
    names = Locale("en")
    texts = [*pydoc_data.topics.topics.values()]
    for table in (names.territories, names.languages, names.currencies, names.scripts):
        texts += table.values()
    lower = {word.lower() for text in texts for word in re.findall(r"(?<!\w)[A-Za-z]+(?!\w)", text)}
    return tuple(sorted(word for word in lower if SHORTEST <= len(word) <= LONGEST))


@checked
def gold_possible(pair: TypoPair) -> np.ndarray:
    """Which letters of the wrong word each letter of the right one may be read from.

    Boolean, (target, source). A letter may be read from its copy; one that was replaced, from the
    wrong letter; one that is missing, from the letters beside the gap.
    """
    gold = gold_sure(pair)
    if pair.kind == "substitution":
        gold[pair.place, pair.place] = True
    elif pair.kind == "deletion":
        gold[pair.place, max(pair.place - 1, 0) : pair.place + 1] = True
    return gold


@checked
def gold_sure(pair: TypoPair) -> np.ndarray:
    """Which letter of the wrong word each letter of the right one is: boolean, (target, source)."""
    gold = np.zeros((len(pair.target), len(pair.source)), dtype=bool)
    for i in range(len(pair.target)):
        j = i
        if pair.kind == "insertion":
            j += i >= pair.place
        elif pair.kind == "deletion":
            j -= i > pair.place
        elif pair.kind == "transposition":
            j += {pair.place: 1, pair.place + 1: -1}.get(i, 0)
        gold[i, j] = (pair.kind not in ("substitution", "deletion")) or i != pair.place
    return gold


def typo_vocabulary() -> Vocabulary:
    """The letters from a to z, on both sides."""
    return Vocabulary(LETTERS)


@checked
def readings(
    source: Wrong, kinds: Some[Kind] = ("substitution",), known: Some[Word] | None = None
) -> list[tuple[str, float]]:
    """Every word that a wrong one can mean, with its probability, the likeliest first.

        p(word | source) = p(source, word) / Σ_y p(source, y)

    ``known`` are the words that can be meant, by default all of `words`. All of them are equally
    likely, and so are all kinds, and all mistakes of a kind. The list is empty for a source that no
    single mistake makes.
    """
    chances: defaultdict[str, float] = defaultdict(float)
    for word in dict.fromkeys(known or words()):
        for kind in kinds:
            chances[word] += _chance(word, source, kind) / len(kinds)
    total = sum(chances.values())
    return [
        (word, chance / total)
        for word, chance in sorted(chances.items(), key=lambda item: (-item[1], item[0]))
        if chance > 0
    ]


@checked
def ceiling(kinds: Some[Kind] = ("substitution",), known: Some[Word] | None = None) -> Ceiling:
    """The Bayes-optimal shares of mended and of located mistakes, found by making every mistake.

    Words, kinds and mistakes are as likely as `typo_pairs` draws them. The reader knows all of the
    words (``known``, by default all of `words`), and is never told the kind or the length. Where
    several words are equally likely, each counts for its share.
    """
    word_chances: defaultdict[str, Counts[str]] = defaultdict(lambda: defaultdict(float))
    places: defaultdict[str, Counts[int]] = defaultdict(lambda: defaultdict(float))
    mistakes: list[tuple[int, str, str, int, float]] = []
    for word in dict.fromkeys(known or words()):
        for kind in kinds:
            for wrong, chance in _chances(word, kind).items():
                place = _first_place(word, wrong, kind)
                word_chances[wrong][word] += chance
                places[wrong][place] += chance
                mistakes.append((len(word), word, wrong, place, chance))
    total: Counts[int] = defaultdict(float)
    mended: Counts[int] = defaultdict(float)
    located: Counts[int] = defaultdict(float)
    for length, word, wrong, place, chance in mistakes:
        total[length] += chance
        mended[length] += chance * _share(word_chances[wrong], word)
        located[length] += chance * _share(places[wrong], place)
    return Ceiling(
        sum(mended.values()) / sum(total.values()),
        sum(located.values()) / sum(total.values()),
        {length: mended[length] / total[length] for length in sorted(total)},
        {length: located[length] / total[length] for length in sorted(total)},
    )


def _share(chances: Counts[C], choice: C) -> float:
    """How often this choice is named as the likeliest; several that tie share it equally."""
    best = max(chances.values())
    likeliest = [other for other, chance in chances.items() if chance > best * (1 - 1e-9)]
    return (choice in likeliest) / len(likeliest)


def _chances(word: str, kind: str) -> dict[str, float]:
    """Each wrong word that a kind of mistake makes of a word, and how often."""
    ways = _ways(word, kind)
    counts = Counter(_changed(word, kind, place, letter) for place, letter in ways)
    return {wrong: count / len(ways) for wrong, count in counts.items()}


def _chance(word: str, wrong: str, kind: str) -> float:
    """How often a kind of mistake makes this wrong word; most words are ruled out at a glance."""
    if len(wrong) - len(word) != {"insertion": 1, "deletion": -1}.get(kind, 0) or word == wrong:
        return 0.0
    place = _first_place(word, wrong, kind)
    if kind == "transposition" and place == len(word) - 1:
        return 0.0
    letter = wrong[place] if kind in WITH_LETTER else ""
    if _changed(word, kind, place, letter) != wrong:
        return 0.0
    return _chances(word, kind).get(wrong, 0.0)


def _ways(word: str, kind: str) -> list[tuple[int, str]]:
    """Each mistake of a kind, as its place and its letter."""
    if kind == "substitution":
        return [(at, new) for at, old in enumerate(word) for new in LETTERS if new != old]
    if kind == "insertion":
        return [(at, new) for at in range(len(word) + 1) for new in LETTERS]
    if kind == "deletion":
        return [(at, "") for at in range(len(word) - 1)]
    return [(at, "") for at in range(len(word) - 1) if word[at] != word[at + 1]]


def _changed(word: str, kind: str, place: int, letter: str) -> str:
    before, after = word[:place], word[place:]
    if kind == "substitution":
        return before + letter + after[1:]
    if kind == "insertion":
        return before + letter + after
    if kind == "deletion":
        return before + after[1:]
    return before + after[1] + after[0] + after[2:]


def _first_place(word: str, wrong: str, kind: str) -> int:
    """The first place at which a mistake of the kind turns the right word into the wrong one.

    Up to the first difference both words are the same. Where a letter was doubled, or one of a
    double letter was lost, the mistake may as well be at the first letter of that run.
    """
    pairs = zip(word, wrong, strict=False)
    place = next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(word), len(wrong)))
    longer = wrong if kind == "insertion" else word
    while kind in ("insertion", "deletion") and place and longer[place - 1] == longer[place]:
        place -= 1
    return place
