"""Exercise: how many letters do these models hold?

write(model, text) -> text: what model number 0, 1, .. writes, which should be a copy of the text
models, how many there are
letters, a text of the letters to draw from; longest, count, whole numbers; bar, from 0 to 1; seed
    ->   exact   (model length) the share of texts of length 1, 2, .. longest copied correctly
         held    (model) the greatest length up to which *every* share reaches the bar, or 0

Of each length, ``count`` texts are drawn, each letter independently, the same for all models.
"""

import random
from collections import Counter
from collections.abc import Callable

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

MODELS, LONGEST, COUNT = Size(1, 3), Size(4, 6), Size(7, 11)
ALPHABET, LETTERS = "abcdefghijklmnopqrstuvwxyz", Size(5, 7)
exercise = Exercise(
    "measure(write, models, letters, longest, count, bar, seed)", minutes=30, difficulty="moderate"
)
check = exercise.check


def solution(write, models, letters, longest, count, bar, seed):
    """Draw all texts first, so that every model is given the same."""
    generator = random.Random(seed)
    lengths = range(1, longest + 1)
    texts = [["".join(generator.choices(letters, k=n)) for _ in range(count)] for n in lengths]
    exact, held = [], []
    for model in range(models):
        shares = [sum(write(model, text) == text for text in some) / count for some in texts]
        low = [n for n in lengths if shares[n - 1] < bar]
        exact.append(shares)
        held.append(low[0] - 1 if low else longest)
    return exact, held


@exercise.must_also(
    "It returns a share for each model and length, and a length for each model.",
    hint="Two results: a table with one row for each model and one column for each length from 1 "
    "to `longest`, and a list with one number for each model.",
)
def returns_a_table_and_a_list(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    exact, held = answer(**task.inputs())
    return shaped(exact, *draw[MODELS, LONGEST]) and shaped(held, draw[MODELS])


@exercise.must(
    "Each model is given `count` texts of each length, from 1 to `longest`.",
    hint="Lengths begin at 1, and the longest is tried too. How often is each model called?",
)
def tries_every_length(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    answer(**task.inputs())
    wanted = dict.fromkeys(range(1, draw[LONGEST] + 1), draw[COUNT])
    return all(Counter(map(len, texts)) == wanted for texts in task.given)


@exercise.must(
    "Each letter of each text is drawn independently from `letters`.",
    hint="random.Random(seed).choices draws with replacement, `sample` without: a letter may come "
    "twice in a text. One text drawn and used `count` times is one measurement, not many.",
)
def draws_texts_at_random(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    answer(**task.inputs())
    longest = [text for text in task.given[0] if len(text) >= draw[LONGEST] - 1]
    several = len(set(longest)) > len(longest) / 2
    twice = any(len(set(text)) < len(text) for text in longest)
    mixed = sum(len(set(text)) > 1 for text in longest) > len(longest) / 2
    return several and twice and mixed and set("".join(longest)) == set(task.letters)


@exercise.must_also(
    "All models are given the same texts.",
    hint="Otherwise one model may have had the easier ones. Draw the texts before you try the "
    "models, or begin with the same seed for each.",
)
def compares_on_the_same_texts(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw, models=3)
    answer(**task.inputs())
    return Counter(task.given[0]) == Counter(task.given[1]) == Counter(task.given[2])


@exercise.must(
    "The same seed draws the same texts again, and another seed draws others.",
    hint="A measurement can be repeated only if its texts can be drawn again. Make a generator of "
    "your own from the seed that is given: random.Random(seed).",
)
def the_seed_decides(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    texts = []
    for seed in (task.seed, task.seed, task.seed + 1):
        task.given = [[] for _ in task.given]
        answer(**task.inputs() | {"seed": seed})
        texts.append(Counter(task.given[0]))
    return texts[0] == texts[1] != texts[2]


@exercise.must(
    "A text counts if it was copied without a mistake, from its first letter to its last.",
    hint="One wrong letter spoils the whole text, and so does a letter too few or too many. Each "
    "share is taken over the texts of one length, and each row belongs to one model.",
)
def a_share_of_whole_texts(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    task.spoils = {letter for letter in task.letters if draw.integer(3) == 0} or {task.letters[0]}
    for task.fault in (_no_last_letter, _one_letter_more, _first_letter_twice):
        task.given = [[] for _ in task.given]
        exact, _ = answer(**task.inputs())
        if not all(task.given) or not same(exact, task.shares()):
            return False
    return True


@exercise.must(
    "A length is held if every share up to it reaches the bar, the shorter ones too.",
    hint="Measured shares jump up and down by luck: stop at the first length below the bar, and "
    "do not count the good ones after it. If the first is below, 0 is held; if none is, `longest` "
    "is.",
)
def held_up_to_the_first_fall(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    falls = [1 + draw.integer(draw[LONGEST] + 1) for _ in task.given]
    falls[0] = 1 + draw.integer(draw[LONGEST] - 1)  # this one is good again after its fall
    task.fails = [{length} for length in falls]
    _, held = answer(**task.inputs())
    return same(held, torch.tensor([fall - 1 for fall in falls]))


@exercise.must(
    "A share that is exactly the bar reaches it, and the bar is the one that was given.",
    hint="Reaching the bar is >=, so falling below it is <. Is the bar perhaps written into your "
    "function?",
)
def the_bar_itself_is_enough(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    count = task.count = 8  # whose shares are exact in every precision
    task.right_of_each_length = 1 + draw.integer(count - 1)
    for bar, expected in (
        (task.right_of_each_length / count, draw[LONGEST]),
        ((task.right_of_each_length + 0.5) / count, 0),
    ):
        task.given = [[] for _ in task.given]
        _, held = answer(**task.inputs() | {"bar": bar})
        if not same(held, torch.full((draw[MODELS],), expected)):
            return False
    return True


def _no_last_letter(text: str) -> str:
    return text[:-1]


def _one_letter_more(text: str) -> str:
    return text + text[-1]


def _first_letter_twice(text: str) -> str:
    return text[0] + text[:-1] if len(set(text[:2])) == 2 else "?" + text[1:]


class _Task:
    """Models that copy, except where they are told not to, and what they were given."""

    def __init__(self, draw: Draw, models: int = 0):
        start = draw.integer(len(ALPHABET) - draw[LETTERS])
        self.letters = ALPHABET[start : start + draw[LETTERS]]
        self.longest, self.count, self.seed = draw[LONGEST], draw[COUNT], draw.integer(10_000)
        self.given: list[list[str]] = [[] for _ in range(models or draw[MODELS])]
        self.fails: list[set[int]] = [set() for _ in self.given]  # lengths, for each model
        self.spoils: set[str] = set()  # letters with which a text must not end
        self.fault: Callable[[str], str] = _no_last_letter
        self.right_of_each_length = self.count

    def inputs(self) -> dict:
        return {
            "write": lambda model, text: self._write(model, text),  # a method would be copied
            "models": len(self.given),
            "letters": self.letters,
            "longest": self.longest,
            "count": self.count,
            "bar": 0.5,
            "seed": self.seed,
        }

    def shares(self) -> Tensor:
        """The share of right copies, from what was given."""
        rows = []
        for number, texts in enumerate(self.given):
            row = [
                [self._is_right(number, text) for text in texts if len(text) == n]
                for n in self._lengths()
            ]
            rows.append([sum(some) / max(len(some), 1) for some in row])
        return torch.tensor(rows)

    def _lengths(self) -> range:
        return range(1, self.longest + 1)

    def _is_right(self, number: int, text: str) -> bool:
        spoilt = (text[-1:] if number % 2 == 0 else text[:1]) in self.spoils
        return not spoilt and len(text) not in self.fails[number]

    def _write(self, model: int, text: str) -> str:
        given = self.given[model]
        given.append(text)
        tried = sum(len(each) == len(text) for each in given)
        right = tried <= self.right_of_each_length and self._is_right(model, text)
        return text if right else self.fault(text)
