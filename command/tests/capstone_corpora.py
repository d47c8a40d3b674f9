"""Small files of pairs for the tests of the capstone."""

import random

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
