"""Where is the mistake? Readers of words with one wrong letter, told the place and not told it.

The questions. Does attention find a mistake if the loss asks only for the right letter? What does
the read-out of the note, one product with all states laid end to end, lose against attention? Are
short words harder because there is less to know, and mistakes in vowels easier? Do the vowels
separate in the embedding?

The conditions (`typo_models.Condition`). All are trained on 64,000 substitutions in known words,
passed through once (about 510 steps) or four times (about 2,030), batch 128, the learning rate of
each its own (`RATES`).

pointer, told        one LSTM a direction, attention; a loss on the letter and one on the place
pointer, not told    the same with the loss on the letter alone
window, not told     the context holds no more than the five letters around each place, and the
                     letter is read off the context alone
flattened, told      the note's three LSTMs in one direction, all states in one product
three layers, told   these three LSTMs with attention: only the read-out differs from "flattened"
... up to 8 letters  the last two, trained on words of 3 to 8 letters, tested on 9 to 12

Judged on 2,000 new mistakes in known words ("typos"), 2,000 in unknown words ("words"), and 300 new
mistakes in known words of each length. *Located*: the largest weight lies on the mistake. *Letter*:
the letter is right, wherever it looks. *Mended*: both.

Before this was written, single runs with one seed at a rate of .012 had given: pointer, told, after
1,024 steps 69 % located in known words and 65 % in unknown ones; pointer, not told, 27 % after 768;
window, not told, 29 % after 1,024; flattened, told, 48 % after 768. An earlier pilot with other
sizes had given 11 % to attention that is not told.

Of 11 and 12: the flattened reader gets a rate of its own for four epochs; the three layers with
attention keep theirs for one, since a better rate could only let them locate more. Of 13, against
the headline that attention which is not told the place mostly looks elsewhere (`AGAINST`): the
pointer, not told, at other rates.

Three rivals and a null, after a referee had read the page; nothing is trained for them, and the
chapter measures them itself. A reader with a word list (`typo_models.WordList`) is the noisy
channel of Kernighan, Church and Gale 1990 for these mistakes: every word and every mistake is as
likely as any other, so it takes a listed word that differs in one letter, each with the same
probability. Where there is none, it counts letters as `Trigrams` does. The vowels of three
embeddings are judged together: each set of five letters has a share in each seed, and the product
of the three is compared with those of all sets (Fisher's statistic; his p, which takes the seeds
for independent, was about .006 for the referee, and they do depend on one another). The second null
has only sets whose letters together are as frequent in the training words as the vowels, to a
tenth.
"""

from collections.abc import Iterable
from string import ascii_lowercase

import numpy as np

from attn_course.tasks.typos import LONGEST
from attn_lab.experiment import SEEDS, declared, every
from attn_lab.typos import letter_sets, typo_ceiling
from attn_lab.typos.typo_models import RATES, VOWELS, Condition, letters_of, measure, untrained

EPOCHS = (1, 4)
SHORT = 8  # letters of the longest words, where long ones are left for the test

# reader, told, the longest words trained on, and epochs, in the order in which they are run
PLAN = (
    ("pointer", True, LONGEST, 1),
    ("pointer", False, LONGEST, 1),
    ("flattened", True, LONGEST, 1),
    ("pointer", True, LONGEST, 4),
    ("pointer", False, LONGEST, 4),
    ("three layers", True, LONGEST, 1),
    ("flattened", True, SHORT, 1),
    ("three layers", True, SHORT, 1),
    ("window", False, LONGEST, 1),
    ("flattened", True, LONGEST, 4),
    ("three layers", True, LONGEST, 4),
    ("window", False, LONGEST, 4),
    ("flattened", True, SHORT, 4),
    ("three layers", True, SHORT, 4),
)


AGAINST = tuple(
    Condition("pointer", False, LONGEST, epochs, rate)
    for epochs, rate in ((1, 0.006), (1, 0.012), (1, 0.048), (4, 0.024))
)


def searched(reader: str, told: bool, longest: int, epochs: int) -> tuple[str, bool, int]:
    """The search whose rate is used: some readers have their own for the longer training run."""
    return reader, told, epochs if not told or reader == "flattened" else 1


def condition(reader: str, told: bool = True, epochs: int = 1, longest: int = LONGEST) -> Condition:
    """A condition of the grid, with its own learning rate."""
    return EXPERIMENT.condition(reader, told, longest, epochs)


# ---- what was expected

VOWELS_AT = [ascii_lowercase.index(letter) for letter in VOWELS]


def _located(reader: str, told: bool = True, epochs: int = 1, split: str = "typos") -> np.ndarray:
    """The share of mistakes that are located, by seed."""
    return EXPERIMENT.of(f"{split} located", reader, told, LONGEST, epochs)


def _in_words_of(
    lengths: Iterable[int], reader: str, epochs: int, longest: int = LONGEST
) -> np.ndarray:
    """The same in words of some lengths: the mean over these."""
    runs = EXPERIMENT.of("located by length", reader, True, longest, epochs)
    return np.array([np.mean([run[str(letters)] for letters in lengths]) for run in runs])


def _told_locates(epochs: int, share: float) -> np.ndarray:
    known, unknown = (_located("pointer", True, epochs, split) for split in ("typos", "words"))
    return (known > share) & (known - unknown <= 0.12)


def _letter(told: bool) -> np.ndarray:
    return EXPERIMENT.of("typos letter", "pointer", told, LONGEST, 4)


def _below_the_ceiling() -> np.ndarray:
    most = typo_ceiling.results("located by length")
    return every(_in_words_of([length], "pointer", 4) < most[length] for length in most)


def _untrained(seed: int) -> np.ndarray:
    return letters_of(untrained("pointer", seed))


def _beyond_trained(reader: str, epochs: int) -> np.ndarray:
    return _in_words_of(range(9, 13), reader, epochs, SHORT)


def _embeddings() -> np.ndarray:
    """The embedding of the pointer that is told the place, after four epochs, for each seed."""
    return EXPERIMENT.of("embedding", "pointer", True, LONGEST, 4)


def _as_good(embeddings: Iterable[np.ndarray]) -> np.ndarray:
    """The share of all sets of five letters that stand apart as well as the vowels."""
    return np.array([letter_sets.share_as_good(vectors, VOWELS_AT) for vectors in embeddings])


EXPECTED = """
2026-11-22

Told, the pointer locates more than 55 % of new mistakes in known words after one epoch and more
than 65 % after four. In unknown words it locates at most 12 points fewer.
    _told_locates(1, 0.55) & _told_locates(4, 0.65)

Not told, it locates less than 40 % after one epoch, and after four epochs still at least 20 points
less than told.
    (_located("pointer", False) < 0.4)
        & (_located("pointer", True, 4) - _located("pointer", False, 4) >= 0.2)

After four epochs the reader that is not told names the right letter within 10 points as often as
the one that is told: it knows what was meant without looking where the mistake is.
    abs(_letter(True) - _letter(False)) <= 0.1

With nothing but a window to read from, attention that is not told locates at least 10 points more
after four epochs than attention that reads whole annotations.
    _located("window", False, 4) - _located("pointer", False, 4) >= 0.1

Flattened locates at least 5 points less than the three layers with attention after one epoch.
    _located("three layers") - _located("flattened") >= 0.05

Trained on up to 8 letters, flattened locates less than 20 % in words of 9 to 12 letters, and the
three layers with attention more than 40 %, after one epoch and after four.
    flattened after one epoch: _beyond_trained("flattened", 1) < 0.2
    flattened after four: _beyond_trained("flattened", 4) < 0.2
    three layers: every(_beyond_trained("three layers", epochs) > 0.4 for epochs in EPOCHS)

Told, after four epochs, the pointer locates at least 10 points more in words of 8 letters or more
(their mean) than in words of 3 and 4; and it stays below the exact ceiling at every length.
    long words: _in_words_of(range(8, 13), "pointer", 4) - _in_words_of((3, 4), "pointer", 4) >= 0.1
    the ceiling: _below_the_ceiling()

Told, after four epochs, on known words: where a consonant was typed for a vowel it locates at least
5 points more than where a consonant was typed for a consonant.
    _located("pointer", True, 4, "typos V>C") - _located("pointer", True, 4, "typos C>C") >= 0.05

After four epochs, told, the five vowels lie nearer to one another than to the other letters: of all
65,780 sets of five letters, fewer than 1 in 100 separate as well in all 16 dimensions. Before
training they do not (more than 5 in 100, in two seeds of three at least).
    after training: _as_good(_embeddings()) < 0.01
    before training: (_as_good(map(_untrained, SEEDS)) > 0.05).sum() >= 2

In the plane of the two largest principal components the vowels are among the best 5 in 100 in fewer
than three seeds.
    (_as_good(map(letter_sets.plane, _embeddings())) <= 0.05).sum() < 3

2026-11-23

The note's network does not catch up on words as long as those it learnt from: after four epochs it
still locates at least 5 points less than the three layers with attention.
    _located("three layers", True, 4) - _located("flattened", True, 4) >= 0.05

With nothing but a window to read from, attention that is not told locates more than half of the
mistakes after four epochs: it was the annotations that made it free to look elsewhere.
    _located("window", False, 4) > 0.5

At none of these rates does it locate more than 40 % of the mistakes.
    (np.array(list(against("typos located").values())) <= 0.4).all(axis=0)

2026-11-25

With the training words as its list, such a reader mends at least 20 points more of the new mistakes
in known words than the pointer that is told does after four epochs, in every seed; in new words it
locates at most 5 points less than counting alone.
    not worked out: study B measures the reader with a word list, and claims that this holds

The vowels of three seeds together: of all sets, fewer than 2 in 100 have so small a product.
    letter_sets.share_together(_embeddings(), VOWELS_AT) < 0.02

Of the sets matched in frequency, fewer than 5 in 100 do.
    not worked out: study B counts the letters of the training words, and claims that this holds
"""


ROWS = [*(([row], SEEDS) for row in PLAN), (AGAINST, SEEDS)]
EXPERIMENT = declared(__name__, measure, ROWS, Condition, rates=RATES, searched=searched)
results, against = EXPERIMENT.by_row, EXPERIMENT.only(AGAINST)
