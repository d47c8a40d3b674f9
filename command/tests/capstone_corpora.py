"""Small files of pairs for the tests of the capstone."""

import functools
import random
from types import SimpleNamespace

from attn_course.tasks.corpus import Corpus
from attn_course.tasks.vocabulary import Vocabulary

LETTERS = "abcdeé"
ALONE = ["--ensemble", "1", "--guide", "0", "--beams", "1"]  # what many pairs get by themselves


def pairs(count=150, seed=0, least=2, most=5):
    """Distinct words, each with itself in capital letters as its target."""
    rng, words = random.Random(seed), {}
    while len(words) < count:
        words["".join(rng.choices(LETTERS, k=rng.randint(least, most)))] = None
    return [(word, word.upper()) for word in words]


def written(path, rows):
    """A file with these rows, each a tuple of columns or a line as it is."""
    lines = [row if isinstance(row, str) else "\t".join(row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def corpus_of(rows, separator=""):
    """A corpus of these pairs, and its two vocabularies: of words if they have a separator."""
    split = str.split if separator else list
    vocabularies = [
        Vocabulary(sorted({symbol for text in side for symbol in split(text)}), separator)
        for side in zip(*rows, strict=True)
    ]
    listed = [SimpleNamespace(source=source, target=target) for source, target in rows]
    return Corpus(listed, *vocabularies), vocabularies


def fewest_edits(answer, target, exchange=False):
    """The fewest edits from target to answer, by recursion over what the first symbols may be.

    exchange  whether two neighbours that change places are one edit
    """

    @functools.cache
    def between(i, j):
        if i == len(target) or j == len(answer):
            return len(target) - i + len(answer) - j
        options = [
            between(i + 1, j + 1) + (target[i] != answer[j]),
            between(i + 1, j) + 1,
            between(i, j + 1) + 1,
        ]
        pair = answer[j : j + 2]
        if exchange and len(pair) == 2 and target[i : i + 2] == pair[::-1]:
            options.append(between(i + 2, j + 2) + 1)
        return min(options)

    return between(0, 0)
