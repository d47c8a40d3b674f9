"""How well can substitutions be located and mended at best, by the length of the word? Exactly.

No training and no chance: every substitution in every word of the task is made, and each wrong word
is held against all words that it can come from (`attn_course.tasks.typos.ceiling`). Stored because
it takes longer than a cell should; the chapter computes its shortest lengths again. As a
substitution keeps the length, the words of one length are all that it needs.

A reader that knows the words, and that each is as likely as any other, cannot do better on average.
The words change a little with the version of Python, and the numbers with them.
"""

from attn_course.tasks.typos import ceiling, words
from attn_lab.experiment import declared

CONDITION = "substitutions in all words"


def measure(condition: str, seed: int) -> dict:
    """The ceilings, overall and by length."""
    best = ceiling()
    return {
        "words": len(words()),
        "mended": best.mended,
        "located": best.located,
        "mended by length": {str(length): share for length, share in best.mended_by_length.items()},
        "located by length": {
            str(length): share for length, share in best.located_by_length.items()
        },
    }


def results(number: str) -> float | dict[int, float]:
    """One of the stored numbers, or one of those by length."""
    (value,) = EXPERIMENT.results(number)[CONDITION]
    return (
        {int(length): share for length, share in value.items()}
        if isinstance(value, dict)
        else value
    )


EXPERIMENT = declared(__name__, measure, [([CONDITION], [0])])
