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

from attn_class.exercises.frame import Answer, Case, Draw, Exercise, Size

MODELS, LONGEST, COUNT = Size(1, 3), Size(4, 6), Size(7, 11)
ALPHABET, LETTERS = "abcdefghijklmnopqrstuvwxyz", Size(5, 7)


def solution(write, models, letters, longest, count, bar, seed):
    """Draw all texts first, so that every model is given the same."""
    generator = random.Random(seed)
    lengths = range(1, longest + 1)
    texts = [["".join(generator.choices(letters, k=n)) for _ in range(count)] for n in lengths]
    exact, reach = [], []
    for model in range(models):
        shares = [sum(write(model, text) == text for text in some) / count for some in texts]
        low = [n for n in lengths if shares[n - 1] < bar]
        exact.append(shares)
        reach.append(low[0] - 1 if low else longest)
    return exact, reach


def _inputs(draw: Draw, right: Callable[[int, int], int], fault: Callable[[str], str], **more):
    """Models that copy the first of every ``count`` texts; how many, by model and length."""
    start, calls = draw.integer(len(ALPHABET) - draw[LETTERS]), Counter()
    inputs = {
        "write": None,
        "models": draw[MODELS],
        "letters": ALPHABET[start : start + draw[LETTERS]],
        "longest": draw[LONGEST],
        "count": draw[COUNT],
        "bar": 0.5,
        "seed": draw.integer(10_000),
    } | more
    models, lengths = range(inputs["models"]), range(1, draw[LONGEST] + 1)
    good = {(model, length): right(model, length) for model in models for length in lengths}

    def write(model: int, text: str) -> str:
        calls[model, len(text)] += 1
        at = (calls[model, len(text)] - 1) % inputs["count"]
        return text if at < good.get((model, len(text)), 0) else fault(text)

    return inputs | {"write": write}


def _no_last_letter(text: str) -> str:
    return text[:-1]


def _one_letter_more(text: str) -> str:
    return text + text[-1:]


def _first_letter_twice(text: str) -> str:
    return text[0] + text[:-1] if len(set(text[:2])) == 2 else "?" + text[1:]


def _spoilt(draw: Draw) -> list[dict]:
    """At first all texts of every other length, then as many as are drawn."""
    every_other = _inputs(
        draw, lambda model, n: draw[COUNT] * ((model + n + draw[LONGEST]) % 2), _no_last_letter
    )
    faults = (_no_last_letter, _one_letter_more, _first_letter_twice)
    return [every_other] + [
        _inputs(draw, lambda *_: draw.integer(draw[COUNT] + 1), fault) for fault in faults
    ]


def _falling(draw: Draw) -> dict:
    falls = [1 + draw.integer(draw[LONGEST] + 1) for _ in range(draw[MODELS])]
    falls[0] = 1 + draw.integer(draw[LONGEST] - 1)  # this one is good again after its fall
    return _inputs(draw, lambda model, n: draw[COUNT] * (n != falls[model]), _no_last_letter)


def _at_the_bar(draw: Draw) -> list[dict]:
    """Shares that are exact in every precision, and a bar that they are or nearly reach."""
    right, count = 1 + draw.integer(7), 8
    bars = right / count, (right + 0.5) / count
    return [_inputs(draw, lambda *_: right, _no_last_letter, count=count, bar=bar) for bar in bars]


exercise = Exercise(
    "measure(write, models, letters, longest, count, bar, seed)",
    minutes=30,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "A text counts if it was copied without a mistake, from its first letter to its last.",
            _spoilt,
            "One wrong letter spoils the whole text, and so does a letter too few or too many. "
            "Each share is taken over the texts of one length, and each row belongs to one model.",
            part=0,
        ),
        Case(
            "A length is held if every share up to it reaches the bar, the shorter ones too.",
            _falling,
            "Measured shares jump up and down by luck: stop at the first length below the bar, and "
            "do not count the good ones after it. If the first is below, 0 is held; if none is, "
            "`longest` is.",
            part=1,
        ),
        Case(
            "A share that is exactly the bar reaches it, and the bar is the one that was given.",
            _at_the_bar,
            "Reaching the bar is >=, so falling below it is <. Is the bar perhaps written into "
            "your function?",
            part=1,
        ),
    ],
    slips={
        "": [
            ("append(shares)", "append([count * share for share in shares])"),
            *(
                ("write(model, text) == text", other)
                for other in (
                    "sum(map(str.__eq__, write(model, text), text)) / len(text)",
                    "text.startswith(write(model, text))",
                    "write(model, text).startswith(text)",
                    "set(write(model, text)) == set(text)",
                    "len(write(model, text)) == len(text)",
                )
            ),
            ("low[0] - 1 if low else longest", "max({0, *lengths} - {*low})"),
            ("low[0] - 1 if low else longest", "longest - len(low)"),
            ("low[0] - 1 if", "low[0] if"),
            ("low[0] - 1 if low else longest", "max(0, low[0] - 2) if low else longest - 1"),
            ("< bar", "<= bar"),
            ("< bar", "< 0.5"),
            lambda write, models, *others: solution(write, range(models), *others),
        ],
        "Lengths begin at 1, and the longest is tried too. How often is each model called?": [
            ("range(1, longest + 1)", "range(longest)"),
            ("range(count)]", "range(count - 1)]"),
            ("for some in texts]", "for some in texts[-1:] * longest]"),
            ("write(model, text)", "write(0, text)"),
        ],
    },
    shape="Two results: a table with one row for each model and one column for each length from 1 "
    "to `longest`, and a list with one number for each model.",
)
check = exercise.check


def _texts(answer: Answer, inputs: dict) -> list[list[str]]:
    """What each model is given."""
    texts = [[] for _ in range(inputs["models"])]

    def write(model: int, text: str) -> str:
        texts[model].append(text)
        return inputs["write"](model, text)

    answer(**inputs | {"write": write})
    return texts


@exercise.draws
def _right(draw: Draw) -> dict:
    return _inputs(draw, lambda *_: draw[COUNT], _no_last_letter, models=3)


@exercise.must(
    "Each letter of each text is drawn independently from `letters`.",
    hint="random.Random(seed).choices draws with replacement, `sample` without: a letter may come "
    "twice in a text. One text drawn and used `count` times is one measurement, not many.",
)
def draws_texts_at_random(answer: Answer, draw: Draw, inputs: dict) -> bool:
    longest = [text for text in _texts(answer, inputs)[0] if len(text) >= draw[LONGEST] - 1]
    several = len(set(longest)) > len(longest) / 2
    twice = any(len(set(text)) < len(text) for text in longest)
    mixed = sum(len(set(text)) > 1 for text in longest) > len(longest) / 2
    return several and twice and mixed and set("".join(longest)) == set(inputs["letters"])


@exercise.must_also(
    "All models are given the same texts.",
    hint="Otherwise one model may have had the easier ones. Draw the texts before you try the "
    "models, or begin with the same seed for each.",
)
def compares_on_the_same_texts(answer: Answer, draw: Draw, inputs: dict) -> bool:
    one, two, three = map(Counter, _texts(answer, inputs))
    return one == two == three


@exercise.must(
    "The same seed draws the same texts again, and another seed draws others.",
    hint="A measurement can be repeated only if its texts can be drawn again. Make a generator of "
    "your own from the seed that is given: random.Random(seed).",
)
def the_seed_decides(answer: Answer, draw: Draw, inputs: dict) -> bool:
    seeds = inputs["seed"], inputs["seed"], inputs["seed"] + 1
    one, same, other = (Counter(_texts(answer, inputs | {"seed": n})[0]) for n in seeds)
    return one == same != other
