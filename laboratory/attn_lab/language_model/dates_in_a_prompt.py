"""Does a language model read our dates from examples, and do its heads point at the characters?

The question. Chapter 05's reader was trained for nothing but dates. SmolLM2-135M, in 4 bits, has
a thousand times as many weights and was not: it gets a few dates with their ISO form as examples,
then a date. How many does it read right? And does any of its 270 heads look at the exact character
that a digit is copied from, though nobody told it?

reading   `DATES` dates, each with 1, 2, 4 or 8 examples drawn for it alone; no noise, and only
          `LOCALES_READ`, in which the day stands before the month. Right is what is right at each
          symbol, given the right symbols before it: then it is what the model writes
looking   with `LOOKED_AT` examples: how often the largest weight of a head lies on the exact
          character of `gold_sure`, at the step that foretells the digit. The head is chosen on one
          half of the dates and tested on the other. Beside it stand the mean of all heads, and a
          rule that needs no head: the first of the date's characters that is the same digit
alike     where a digit stands once in its date, that rule is right by definition. So on `ALIKE`
          other dates: how often the head that was chosen, `CHOSEN`, looks at the exact character,
          or at another one that is the same digit, where the digit stands more than once
swap      "14 April 2005 = 2005-": the month's keys and values in block l and all later ones, from a
          prompt that has another month. Does the first digit that tells the two months apart
          follow? And if all else in the prompt is swapped instead?

`EXPECTED` was written down after a pilot with 24 other dates, and before this was run; what is
dated 2026-11-29 (alike), after a pilot with other code on the dates of *looking*. A seed redraws
dates and examples.
"""

import datetime
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from attn_course.models.language_file import Text
from attn_course.models.language_model import Changes, LanguageModel
from attn_course.patching import exchanged_at
from attn_course.tasks.dates import TARGET_PLACES, DatePair, date_pairs, gold_sure, render
from attn_lab.experiment import SEEDS, declared, results_of
from attn_lab.language_model.copying_heads import best
from attn_lab.language_model.language import loaded_for
from attn_lab.reading_on import Reading, places, read_before

DATES, SWAPPED, ALIKE = 34, 20, 40
CHOSEN = (23, 0)  # on the first halves of the dates of seeds 0, 1 and 2
EXAMPLES = {"4 examples": 4, "2 examples": 2, "1 example": 1, "8 examples": 8}
LOOKED_AT = 4
LOCALES_READ = ("en_GB", "de", "fr", "es", "it", "nl")
LATER = (0, 8, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28)  # blocks l
STEPS = slice(-11, -1)  # the positions that foretell the ten symbols of a date
FIELDS = {"year": TARGET_PLACES["y"], "month": TARGET_PLACES["m"], "day": TARGET_PLACES["d"]}
RESULTS = results_of(__file__)


def measure(condition: str, seed: int) -> dict:
    """What the docstring of the module says of a condition, and the digest of the model's file."""
    model, text, digest = loaded_for(RESULTS)
    measures = {"swap": swapped, "alike": among_alike}
    if condition in measures:
        return {"file": digest} | measures[condition](model, text, seed)
    return {"file": digest} | reading(model, text, seed, EXAMPLES[condition])


# ---- prompts


def line(pair: DatePair) -> str:
    """A date and its ISO form."""
    return f"{pair.source} = {pair.target}"


def prompt(examples: Sequence[DatePair], pair: DatePair) -> str:
    """Examples and a date, each on a line."""
    return "\n".join(line(date) for date in [*examples, pair])


def drawn(
    seed: int, examples: int, count: int = DATES, other: int = 0
) -> list[tuple[list[DatePair], DatePair]]:
    """Dates of chapter 05's test days, each with its own examples, which are of other days."""
    tested = date_pairs(count, 4_000 + other + seed, "test", locales=LOCALES_READ)
    examples_ = date_pairs(
        count * examples, 5_000 + other + 10 * seed + examples, "train", locales=LOCALES_READ
    )
    return [(examples_[i * examples :][:examples], pair) for i, pair in enumerate(tested)]


@torch.inference_mode()
def read(model: LanguageModel, symbols: Tensor) -> tuple[Tensor, Tensor]:
    """Which of a date's ten symbols are right, and where the heads look, and their mean.

    The second is the position of the largest weight at each step: (block·head + 1, step), the
    mean's last.
    """
    rows: list[Tensor] = []

    def look(weights: Tensor) -> Tensor:
        rows.append(weights[0, :, STEPS])
        return weights

    changes = dict.fromkeys(places(model, "weights"), look)
    answers = model(symbols, changes=changes).logits[0, STEPS].argmax(dim=-1)
    weights = torch.cat(rows)
    looks = torch.cat([weights, weights.mean(dim=0, keepdim=True)]).argmax(dim=-1)
    return answers == symbols[0, -10:], looks


# ---- the measures


def reading(model: LanguageModel, text: Text, seed: int, examples: int) -> dict:
    """Shares of dates, and of their years, months and days, that are right; see also `looking`."""
    cases = drawn(seed, examples)
    symbols = [text.read(prompt(*case)) for case in cases]
    outcomes = [read(model, row) for row in symbols]
    right = torch.stack([outcome for outcome, _ in outcomes])
    numbers = {
        "exact": right.all(dim=1).double().mean().item(),
        **{
            field: right[:, list(steps)].all(dim=1).double().mean().item()
            for field, steps in FIELDS.items()
        },
        "by place": right.double().mean(dim=0).tolist(),
    }
    if examples == LOOKED_AT:
        pieces = [text.pieces(row[0]) for row in symbols]
        numbers |= looking(model, [pair for _, pair in cases], pieces, outcomes)
    return numbers


def looking(
    model: LanguageModel,
    pairs: list[DatePair],
    pieces: list[list[str]],
    outcomes: list[tuple[Tensor, Tensor]],
) -> dict:
    """How often heads look at the exact character.

    chosen       the head that does so most often in the first half of the dates
    head         its share of the digits of the other half
    where right, where wrong   of those digits that the model foretells right, and wrong
    wrong        how many these are
    mean         the share of the mean of all heads
    same digit   the share of a rule: the first of the date's characters that is this digit
    digits       how many digits there are in the other half
    heads        the share of each head in the other half (block head)
    places       for each place of a date, the head that was best there in the first half, and its
                 share in the other
    """
    hits, right, rule, steps, half = [], [], [], [], 0
    for number, (pair, those, (correct, looks)) in enumerate(
        zip(pairs, pieces, outcomes, strict=True)
    ):
        half = len(steps) if number == len(pairs) // 2 else half
        for step, place, same in exact(those, pair):
            hits.append(looks[:, step] == place)
            right.append(correct[step])
            rule.append(same == place)
            steps.append(step)
    shape = (model.shape.blocks, model.shape.heads)
    heads, mean = torch.stack(hits).double().split([shape[0] * shape[1], 1], dim=1)
    first, other = heads[:half].mean(dim=0).view(shape), heads[half:].mean(dim=0).view(shape)
    ((block, head),) = best(first, 1)
    hit, known = heads[half:, block * shape[1] + head], torch.stack(right[half:])
    where = torch.tensor(steps)
    by_place = {}
    for step in sorted(set(steps[:half]) & set(steps[half:])):
        here = where == step
        ((b, h),) = best(heads[:half][here[:half]].mean(dim=0).view(shape), 1)
        share = heads[half:][here[half:]][:, b * shape[1] + h].mean().item()
        by_place[str(step)] = {"share": share, "head": [b, h]}
    return {
        "chosen": [block, head],
        "head": hit.mean().item(),
        "where right": hit[known].mean().item(),
        "where wrong": hit[~known].mean().item() if (~known).any() else None,
        "wrong": int((~known).sum()),
        "mean": mean[half:].mean().item(),
        "same digit": float(np.mean(rule[half:])),
        "digits": len(hit),
        "heads": other.tolist(),
        "places": by_place,
    }


def among_alike(model: LanguageModel, text: Text, seed: int) -> dict:
    """By date, how many copied digits there are, and for how many of them who is right.

    once, more   the digit stands once in its date, or more often: lists of dates, each with its
                 number of digits, and how often the head looks at the exact character, how often at
                 another that is the same digit, and how often the rule is right; and what a choice
                 by chance among the same digits would hit
    """
    place = CHOSEN[0] * model.shape.heads + CHOSEN[1]
    counts: dict[str, list] = {"once": [], "more": []}
    for examples, pair in drawn(seed, LOOKED_AT, ALIKE, 3_000):
        symbols = text.read(prompt(examples, pair))
        _, looks = read(model, symbols)
        counts_of_date = {"once": np.zeros(5), "more": np.zeros(5)}
        for step, there, alike in copied(text.pieces(symbols[0]), pair):
            look = int(looks[place, step])
            hits = look == there, look in alike and look != there, alike[0] == there
            counts_of_date["more" if len(alike) > 1 else "once"] += (1, *hits, 1 / len(alike))
        for name, counts_ in counts_of_date.items():
            counts[name].append(counts_.tolist())
    return counts


def exact(pieces: list[str], pair: DatePair) -> list[tuple[int, int, int]]:
    """For each digit that was copied: its step, the position of its exact character in the
    prompt, and that of the first of the date's characters that is the same digit.
    """
    return [(step, there, alike[0]) for step, there, alike in copied(pieces, pair)]


def copied(pieces: list[str], pair: DatePair) -> list[tuple[int, int, list[int]]]:
    """For each digit that was copied: its step, the position of its exact character in the
    prompt, and those of all of the date's characters that are the same digit.

    Each digit is a symbol of its own, so the date's digits are the last ones before those of its
    ISO form.
    """
    written = [j for j, character in enumerate(pair.source) if character.isdecimal()]
    digits = [place for place, piece in enumerate(pieces[:-10]) if piece.isdecimal()]
    there = dict(zip(written, digits[-len(written) :], strict=True))
    links = []
    for step, j in np.argwhere(gold_sure(pair)).tolist():
        alike = [there[i] for i in written if pair.source[i] == pair.source[j]]
        links.append((step, there[j], alike))
    return links


@torch.inference_mode()
def swapped(model: LanguageModel, text: Text, seed: int) -> dict:
    """The share of months that follow, by block l: of the month's own symbol, and of all others.

    own, others   by block
    right         the share of own months that are written without a swap
    """
    rng = np.random.default_rng([seed, 40])
    days = [
        (int(rng.integers(1950, 2050)), rng.permutation(12)[:2] + 1, int(rng.integers(13, 29)))
        for _ in range(SWAPPED)
    ]
    kind = {"locales": ("en_GB",), "kinds": ("long",)}
    others = date_pairs(LOOKED_AT, 6_000 + seed, "train", **kind)
    as_symbols = text.read("\n".join(map(line, others)) + "\n")
    tails = [
        [
            text.read(line(render(datetime.date(year, int(month), day), "en_GB", "long")))[0]
            for year, months, day in days
            for month in (months[which],)
        ]
        for which in (0, 1)
    ]
    here, there = (torch.stack(pieces) for pieces in tails)
    steps = (here[:, -5:-3] != there[:, -5:-3]).int().argmax(dim=1) - 5  # of the telling digit
    end = here.shape[1] - 10
    source = torch.arange(here.shape[1]) < end
    month = (here != there).any(dim=0) & source
    if month.sum() != 1:
        raise ValueError("the months' names must be one symbol each")
    before = read_before(model, as_symbols, SWAPPED)
    reading, other = (Reading(model, rows, ("keys", "values"), before) for rows in (here, there))
    rows = torch.arange(SWAPPED)

    def margins(changes: Changes) -> Tensor:
        logits = reading.logits(changes)[rows, steps - 1]
        return logits[rows, here[rows, steps]] - logits[rows, there[rows, steps]]

    def follow(block: int, positions: Tensor) -> float:
        both = other.of("keys") | other.of("values")
        later = {place: part for place, part in both.items() if place[1] >= block}
        return (margins(exchanged_at(later, positions)) < 0).double().mean().item()

    return {
        "right": (margins({}) > 0).double().mean().item(),
        "own": {str(block): follow(block, month) for block in LATER},
        "others": {str(block): follow(block, source & ~month) for block in LATER},
    }


# ---- what was expected


def results(number: str, condition: str = "4 examples") -> list:
    """One number of a condition, by seed."""
    return EXPERIMENT.results(number)[condition]


def shares(number: str, condition: str = "4 examples") -> np.ndarray:
    """The same as an array; of a swap, the share for each block l (seed block)."""
    values = results(number, condition)
    return np.array([[*run.values()] if condition == "swap" else run for run in values])


def alike(digits: str) -> np.ndarray:
    """Counts of copied digits that stand *once* or *more* often in their date: (seed date count).

    The last axis has digits, exact, another, rule and chance.
    """
    return EXPERIMENT.of(digits, "alike")


def alike_shares(digits: str) -> np.ndarray:
    """Of exact, another, rule and chance, by seed (share seed)."""
    counts = alike(digits).sum(axis=1)
    return (counts[:, 1:] / counts[:, :1]).T


def of_alike(digits: str, share: int) -> tuple:
    """One of these shares, as `Measured` takes it: with a 95 % interval over dates (bootstrap)."""
    counts = alike(digits).reshape(-1, 5)
    rng = np.random.default_rng(0)
    drawn = counts[rng.integers(len(counts), size=(1000, len(counts)))].sum(axis=1)
    ends = np.quantile(drawn[:, 1 + share] / drawn[:, 0], (0.025, 0.975))
    return alike_shares(digits)[share], "percent", len(counts), "dates", tuple(ends.tolist())


EXPECTED = """
2026-11-27

With four examples it reads more than one date in ten right, and with no number of them more than
six in ten.
    one in ten: shares("exact") > 0.1
    4 examples: shares("exact", "4 examples") < 0.6
    2 examples: shares("exact", "2 examples") < 0.6
    1 example: shares("exact", "1 example") < 0.6
    8 examples: shares("exact", "8 examples") < 0.6

The day is what goes wrong: with four examples it is right less often than the month, by 20 points
or more, and the year is right in more than 85 of 100.
    the day: shares("month") - shares("day") >= 0.2
    the year: shares("year") > 0.85

One head, (23, 0), chosen on the first half, looks at the exact character for more than 70 of 100
digits of the other half; the mean of all heads for fewer than 10; and the rule of the first same
digit is right less often than the head.
    that head: [one == [23, 0] for one in results("chosen")]
    its share: of("head", "4 examples") > 0.7
    the mean: of("mean", "4 examples") < 0.1
    the rule: of("same digit", "4 examples") < of("head", "4 examples")

The month is read from its own symbol: nine in ten or more follow it at block 18, and at most one in
ten at 25; all others together take at most one in ten along, at any block.
    at 18: of("own", "swap", at=["18"]) >= 0.9
    at 25: of("own", "swap", at=["25"]) <= 0.1
    others: (shares("others", "swap") <= 0.1).all(axis=1)

2026-11-29

Where a digit stands more than once in its date, that head looks at the exact character for more
digits than the rule does, by .08 or more, and at another like it for at most .2 of them. Where it
stands once, it looks there for .65 or more.
    beside the rule: np.subtract(*alike_shares("more")[[0, 2]]) >= 0.08
    another: alike_shares("more")[1] <= 0.2
    once: alike_shares("once")[0] >= 0.65
"""


EXPERIMENT = declared(__name__, measure, [(["4 examples", "swap", "alike", *EXAMPLES], SEEDS)])
