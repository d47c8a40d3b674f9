"""What a student's own code stands for in *defend or refute*: a claim of the book, and a change.

A claim compares two conditions, and was measured in one setting. Here it is tested again on random
letters, with one thing changed. Whether it still holds is not written down anywhere: that is what
the student has to find out.

>>> own = own_claim("00c0ffee")
>>> own.claim.better, own.claim.other, own.change.name
('forwards', 'backwards', 'few letters')
>>> [pair.target for pair in claim_pairs(own, 2, seed=0)]
['ovovcovxo', 'ccovhx']

Six claims and eight changes make 48 pairs. The two conditions of a claim have the same number of
parameters, to within one part in twenty, so their budgets can be equal. The models are small: in
the base setting one is trained in seconds.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from attn_class.own import Code, generator
from attn_course._signature import checked
from attn_course._values import Count, Some, Split, at_least
from attn_course.tasks.reversal import LETTERS, is_test_sequence

Length = Annotated[int, at_least(3)]


class BookClaim(NamedTuple):
    """A result of the book: condition ``better`` does better than ``other``, or both do alike.

    ``kind`` is "more" or "alike"; ``sentence`` says it without numbers.
    """

    chapter: str
    kind: str
    better: str
    other: str
    sentence: str


class Change(NamedTuple):
    """A difference from the base setting, and the fields of `OwnClaim` that say so."""

    name: str
    sentence: str
    fields: dict[str, Any]


class OwnClaim(NamedTuple):
    """A claim in a changed setting.

    letters, lengths  of the sources
    task              "copy", "sort" (by the alphabet) or "move" (the first letter comes last)
    uneven            whether letter k of the list is drawn k² times less often than the first
    distinct          training pairs that are used over and over; 0 if each is new
    state_size        of encoder and decoder
    cell              of the encoder
    steps             of the short training run; the long one has four times as many
    seeds             the three to use
    """

    claim: BookClaim
    change: Change
    letters: str
    lengths: range
    task: str
    uneven: bool
    distinct: int
    state_size: int
    cell: str
    steps: int
    seeds: tuple[int, int, int]


class ClaimPair(NamedTuple):
    """Some letters, and what the task makes of them."""

    source: str
    target: str


CLAIMS = (
    BookClaim(
        *("01", "more", "attention", "one vector"),
        "After a short training, attention writes more unseen sources without a mistake than one "
        "vector of the same size does.",
    ),
    BookClaim(
        *("01", "more", "every step", "start only"),
        "One vector that is given to the decoder at every step holds more than one that is given "
        "only at the start.",
    ),
    BookClaim(
        *("01", "alike", "forwards", "backwards"),
        "One vector holds as much when the source is fed backwards as when it is fed forwards.",
    ),
    BookClaim(
        *("03", "more", "additive", "location"),
        "After a short training, the additive score is ahead of the location score, which does "
        "not see the source.",
    ),
    BookClaim(
        *("03", "alike", "scaled dot", "dot"),
        "The dot product does as well with division by the square root of the size as without.",
    ),
    BookClaim(
        *("03", "alike", "asks after", "asks before"),
        "With the additive score it makes no difference whether the decoder's query is its state "
        "after the step or before it.",
    ),
)
CHANGES = (
    Change("few letters", "Sources are drawn from five letters instead of sixteen.", {"count": 5}),
    Change("long sources", "The sources are longer.", {"lengths": range(6, 15)}),
    Change("a small state", "The states have 20 numbers instead of 48.", {"state_size": 20}),
    Change("an LSTM", "The encoder is an LSTM instead of a GRU.", {"cell": "lstm"}),
    Change(
        "uneven letters", "A few letters are far more common than the others.", {"uneven": True}
    ),
    Change(
        "few pairs",
        "There are 640 training pairs, which are used over and over.",
        {"distinct": 640},
    ),
    Change(
        "sorted letters",
        "The target is not a copy: it has the letters in alphabetical order.",
        {"task": "sort"},
    ),
    Change(
        "the first letter last",
        "The target is not a copy: the first letter comes last.",
        {"task": "move"},
    ),
)
_BASE = {
    "count": 16,
    "lengths": range(3, 10),
    "task": "copy",
    "uneven": False,
    "distinct": 0,
    "state_size": 48,
    "cell": "gru",
    "steps": 300,
}


@checked
def own_claim(code: Code) -> OwnClaim:
    """The claim and the changed setting of a code."""
    rng = generator("claim", code)
    claim, change = rng.choice(CLAIMS), rng.choice(CHANGES)
    fields: dict[str, Any] = _BASE | change.fields
    letters = "".join(sorted(rng.sample(LETTERS, fields.pop("count"))))
    first, second, third = sorted(rng.sample(range(1, 200), 3))
    return OwnClaim(claim, change, letters, seeds=(first, second, third), **fields)


@checked
def claim_pairs(
    own: OwnClaim,
    count: Count,
    seed: int,
    split: Split = "train",
    lengths: Some[Length] | None = None,
) -> list[ClaimPair]:
    """Draw pairs of a setting: the length uniformly, then the letters.

    ``split`` is "train" or "test"; a source of one side never occurs on the other, and neither does
    its mirror image. ``lengths`` are those of the setting unless they are given. The same arguments
    give the same pairs in every process.
    """
    lengths = lengths or own.lengths
    rng = random.Random(f"{seed} {split}")
    new = min(count, own.distinct) if own.distinct and split == "train" else count
    drawn = [_pair(own, rng, split, lengths) for _ in range(new)]
    return [drawn[n % new] for n in range(count)]


def _pair(own: OwnClaim, rng: random.Random, split: str, lengths: Sequence[int]) -> ClaimPair:
    """One pair of this side."""
    weights = [1 / (k * k if own.uneven else 1) for k in range(1, len(own.letters) + 1)]
    length, source = rng.choice(lengths), ""
    while not source or is_test_sequence(source) != (split == "test"):
        source = "".join(rng.choices(own.letters, weights, k=length))
    return ClaimPair(source, _target(source, own.task))


def _target(source: str, task: str) -> str:
    if task == "sort":
        return "".join(sorted(source))
    return source if task == "copy" else source[1:] + source[0]
