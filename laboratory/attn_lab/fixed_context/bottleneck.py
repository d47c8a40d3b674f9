"""How much fits in one vector, by length, size and steps, with and without attention?

`bottleneck_models` says what a condition is and what it is trained on. Everything is measured
with three seeds; for 4,800 steps only one vector was trained, of 64 and of 128.

The letters *held* are the length at which half of the sequences first go wrong (`half_length`).
`EXPECTED` has the questions, each with the answer expected and the margin by which it must hold, in
every seed unless it says otherwise. 1 to 10 were written down before anything was run; 11 when the
letters of states of 16 and 64 had been measured, with three seeds up to 1,200 steps and one at
4,800, and none of the other conditions; 12 and 13 before any of what they ask was measured. What
was expected of number names read backwards was never run, and is not listed.
"""

import numpy as np
import torch

from attn_course.models.encoder import Encoder
from attn_course.models.translator import Translator
from attn_course.search import Answer
from attn_course.tasks import reversal
from attn_lab.context_vectors.contexts import linear_reading
from attn_lab.experiment import SEEDS, declared
from attn_lab.fixed_context import bottleneck_models as models
from attn_lab.fixed_context import bottleneck_weights
from attn_lab.fixed_context.bottleneck_models import RATES, answers, data_of, exact, trained
from attn_lab.measuring import as_numbers, fresh, held

SIZES, MODELS = (16, 64, 128), ("fixed", "attending")
JUDGED, PLACES = 10, 16  # the length judged place by place, and the length of the probe's strings
SAMPLED = 2  # samples of each length

CONDITIONS = (
    *(("copy", model, size, 300) for size in (16, 64) for model in MODELS),
    ("reversal", "fixed", 64, 300),
    *(("copy", model, 16, 1_200) for model in MODELS),
    ("copy", "fixed", 64, 1_200),
    ("copy", "start only", 64, 300),
    ("German", "fixed", 64, 300),
    ("German", "attending", 64, 300),
    ("copy", "fixed", 128, 300),
    ("copy", "fixed", 64, 4_800),
    ("French", "fixed", 64, 300),
    ("French", "attending", 64, 300),
    ("copy", "fixed", 128, 1_200),
    ("copy", "attending", 128, 300),
    ("copy", "fixed", 128, 4_800),
)


def at_its_rate(task: str, model: str, size: int, steps: int = 300) -> models.Condition:
    """The condition at the learning rate that was chosen for it."""
    return EXPERIMENT.condition(task, model, size, steps)


def searched(task: str, model: str, size: int, steps: int) -> tuple[str, str, int, int]:
    """The search whose rate is used: copying, and for the longest training a quarter of its steps.

    It serves all tasks: a rate depends on the model, its size and its steps.
    """
    return "copy", model, size, min(steps, 1_200)


def measure(condition: models.Condition, seed: int) -> dict:
    """Train one model and judge it.

    exact      by length, the share of targets written without a mistake
    positions  of ten letters, the share of right symbols at each position of the target
    forced     the same, given the right symbols before each position
    wrong      of the letters that are wrong even then, how many stand in the source, and controls
    place      how often a linear map reads the position j from h_j, before and after training
    samples    by length, a few triples of source, target and what was written; for one seed
    """
    replies = answers(condition, seed)
    result = {"exact": exact(condition, seed, replies)}
    if condition.task in reversal.TASKS:
        result |= judge_letters(condition, seed, replies)
    if seed == SEEDS[0]:
        result["samples"] = samples(condition, seed, replies)
    return result


def judge_letters(condition: models.Condition, seed: int, replies: list[Answer]) -> dict:
    """Where the mistakes stand, and what can be read from the encoder's states."""
    known, model = data_of(condition, seed), trained(condition, seed)
    symbols = tuple(map(len, known.vocabularies))
    untrained = fresh(lambda: models.build(condition, symbols), seed)
    tens = [n for n, length in enumerate(known.lengths) if length == JUDGED]
    pairs = [known.test[n] for n in tens]
    texts = forced(model, pairs)
    targets = [pair.target for pair in pairs]
    return {
        "positions": by_position(targets, [replies[n].text for n in tens]),
        "forced": by_position(targets, texts),
        "wrong": wrong_letters(pairs, texts),
        "place": {
            "trained": place_read(model.encoder, seed),
            "untrained": place_read(untrained.encoder, seed),
        },
    }


def samples(condition: models.Condition, seed: int, replies: list[Answer]) -> dict[str, list]:
    """By length, the first few sources, their targets, and what was written."""
    known, chosen = data_of(condition, seed), {}
    for pair, length, one in zip(known.test, known.lengths, replies, strict=True):
        members = chosen.setdefault(str(length), [])
        if len(members) < SAMPLED:
            members.append([pair.source, pair.target, one.text])
    return chosen


def by_position(targets: list[str], written: list[str]) -> list[float]:
    """For each position the share of right symbols, over targets of one length.

    An answer that ended too early counts as wrong at the positions that it lacks.
    """
    right = [
        [answer[i : i + 1] == symbol for i, symbol in enumerate(target)]
        for target, answer in zip(targets, written, strict=True)
    ]
    return np.mean(right, axis=0).tolist()


@torch.no_grad()
def forced(model: Translator, pairs: list) -> list[str]:
    """The likeliest letter at each position of the targets, given the right ones before it.

    The pairs have one length. The end symbol is no letter, so it is left out of the choice.
    """
    vocabulary = reversal.letter_vocabulary()
    at = next(model.parameters()).device
    logits, _ = model(*(part.to(at) for part in as_numbers(pairs, (vocabulary, vocabulary))))
    first = len(vocabulary) - len(vocabulary.symbols)
    return [vocabulary.decode(row) for row in logits[..., first:].argmax(dim=-1) + first]


def wrong_letters(pairs: list, texts: list[str]) -> dict[str, float]:
    """How many of the wrong letters stand elsewhere in the source?

    own      the share in the source itself
    another  the share in the next pair's source, the right letter not counted: a control for the
             model's preference for some letters
    chance   the share if each wrong letter were drawn from the 25 that are not right
    """
    shares = {"own": [], "another": [], "chance": []}
    for pair, other, guesses in zip(pairs, pairs[1:] + pairs[:1], texts, strict=True):
        for right, guess in zip(pair.target, guesses, strict=True):
            if guess != right:
                shares["own"].append(guess in pair.source)
                shares["another"].append(guess in other.source)
                shares["chance"].append(len(set(pair.source) - {right}) / 25)
    return {name: float(np.mean(hits)) for name, hits in shares.items() if hits}


@torch.no_grad()
def place_read(encoder: Encoder, seed: int, strings: int = 1_000) -> float:
    """How often a linear map reads j from h_j, on random letters not used to fit it."""
    rng = np.random.default_rng(seed)
    letters = rng.choice(list(reversal.LETTERS), (strings, PLACES))
    vocabulary = reversal.letter_vocabulary()
    at = encoder.embedding.weight.device
    symbols = torch.tensor([vocabulary.encode("".join(row)) for row in letters], device=at)
    states = encoder(symbols, torch.full((strings,), PLACES, device=at)).cpu().numpy()
    return linear_reading(states, np.tile(np.arange(PLACES), (strings, 1)))


def half_length(shares: dict[str, float]) -> float:
    """The length at which the share of exact matches first falls to a half.

    Between two measured lengths it is interpolated linearly. It is the longest one if the share
    never falls so far, and the shortest if the share is never above a half.
    """
    return max(held(shares, 0.5), float(min(map(int, shares))))


def explorer_task(task: str) -> dict:
    """The measurements of a task with both models, as the bottleneck explorer takes them."""
    letters = task in reversal.TASKS
    lengths = list(models.TESTED_ON if letters else models.DIGITS_TESTED_ON)
    trained_on = models.TRAINED_ON if letters else models.DIGITS
    cells = {
        condition: [[run[str(n)] for n in lengths] for run in runs]
        for condition, runs in results("exact").items()
        if condition.task == task and condition.model in MODELS
    }
    samples_of = results("samples")
    samples_by_cell = {
        condition: [samples_of[condition][0][str(n)][:SAMPLED] for n in lengths]
        for condition in cells
    }
    first = next(iter(samples_by_cell.values()))
    stored = bottleneck_weights.stored()
    return {
        "name": task.capitalize() if letters else f"English to {task}",
        "unit": "letters" if letters else "digits",
        "separator": "" if letters else " ",
        "trained": (trained_on[0], trained_on[-1]),
        "lengths": lengths,
        "asked": [[(source, target) for source, target, _ in row] for row in first],
        "symbols": reversal.LETTERS if task == "copy" else "",
        "cells": [
            {
                "model": condition.model,
                "size": condition.size,
                "steps": condition.steps,
                "exact": exact_matches,
                "written": [[written for *_, written in row] for row in samples_by_cell[condition]],
                "arrays": stored.get(condition),
            }
            for condition, exact_matches in cells.items()
        ],
    }


# ---- what was expected


def _held(model: str, size: int = 64, steps: int = 300, task: str = "copy") -> np.ndarray:
    """The letters, or digits, that are held, by seed."""
    return np.array([half_length(run) for run in EXPERIMENT.of("exact", task, model, size, steps)])


def _ends(number: str, task: str) -> tuple[np.ndarray, np.ndarray]:
    """How often the first three and the last three of ten letters are right."""
    right = EXPERIMENT.of(number, task, "fixed", 64, 300)
    return right[:, :3].mean(axis=1), right[:, -3:].mean(axis=1)


def _later_letters_suffer(task: str) -> np.ndarray:
    first, last = _ends("positions", task)
    first_told, last_told = _ends("forced", task)
    with_right_letters = (last_told - last >= 0.15) & (first_told - last_told >= 0.05)
    return (first - last >= 0.2) & with_right_letters


EXPECTED = """
2026-11-22

What does training alone buy? With one vector of 64 and of 128, 1,200 steps hold at least one letter
more than 300, and 4,800 at least one more than 1,200. (The seeds that are compared with 4,800 steps
are those that were trained so long.)
    every(_held("fixed", size, 4 * steps) - _held("fixed", size, steps) >= 1 for size in (64, 128)
        for steps in (300, 1_200))

What does it not buy? With a state of 64, attention after 300 steps holds at least 2 letters more
than one vector after 4,800.
    _held("attending") - _held("fixed", 64, 4_800) >= 2

Do small states gain from attention? At 300 steps a state of 16 gains less than 2 letters by
attention; at 1,200 steps it holds at least twice as many as one vector of 16.
    at 300 steps: _held("attending", 16) - _held("fixed", 16) < 2
    at 1,200: _held("attending", 16, 1_200) >= 2 * _held("fixed", 16, 1_200)

Does twice the vector hold twice as much? From 64 to 128, at 300 and at 1,200 steps, one vector
holds more, and less than 1.8 times as much.
    every(_held("fixed", 64, steps) < _held("fixed", 128, steps) for steps in (300, 1_200))
        & every(_held("fixed", 128, steps) < 1.8 * _held("fixed", 64, steps)
        for steps in (300, 1_200))

Is it reading that forgets? Of ten letters, written by one vector of 64 after 300 steps, the first
three places are right at least .2 more often than the last three, in copies and in reversals alike.
Told the right letters before, the last three gain at least .15 and stay at least .05 below the
first three.
    _later_letters_suffer("copy") & _later_letters_suffer("reversal")

Which, rather than where? Told the right letters before, a wrong letter stands in the source at
least .05 more often than in another source of the same length.
    of("wrong", "copy", "fixed", 64, 300, at=["own"]) - of("wrong", "copy", "fixed", 64, 300,
        at=["another"]) >= 0.05

Does training write the order down? A linear map reads the place j from h_j of the attending model
of 64 at least .15 more often after 300 steps than before training.
    of("place", "copy", "attending", 64, 300, at=["trained"]) - of("place", "copy", "attending", 64,
        300, at=["untrained"]) >= 0.15

Is it worth something to be given the vector at every step? With 64 numbers and 300 steps it holds
at least half a letter more than when it is given once.
    _held("fixed") - _held("start only") >= 0.5

Does it help to read backwards? Reversals hold at most 2 letters more than copies, and at least as
many.
    between(0, _held("fixed", task="reversal") - _held("fixed"), 2)

Does structure help? One vector of 64 holds at most 6 digits of number names after 300 steps, and
attention reads at least .7 of the German names of nine digits.
    (_held("fixed", task="German") <= 6)
        & (of("exact", "German", "attending", 64, 300, at=["9"]) >= 0.7)

Do other seeds bear out 4,800 steps? In each of two more, one vector of 64 holds at least two
letters more than after 1,200 steps, and at least two fewer than attention of 64 after 300.
    np.all([_held("fixed", 64, 4_800) - _held("fixed", 64, 1_200) >= 2, _held("attending")
        - _held("fixed", 64, 4_800) >= 2], axis=0)[1:].all()

Is it German? After 300 steps one vector of 64 holds at most 6 digits of French number names, and
attention reads at least .7 of the French names of nine digits.
    (_held("fixed", task="French") <= 6)
        & (of("exact", "French", "attending", 64, 300, at=["9"]) >= 0.7)

Does attention go on with the size? After 300 steps attention with a state of 128 holds at least 2
letters more than one vector of 128 does after 1,200.
    _held("attending", 128) - _held("fixed", 128, 1_200) >= 2
"""

PLAN = [([row], SEEDS) for row in CONDITIONS]
# a condition that was searched, and then not measured
MORE = [(RATES, [searched("copy", "attending", 64, 1_200)])]
EXPERIMENT = declared(__name__, measure, PLAN, models.Condition, MORE, RATES, searched)
results = EXPERIMENT.results
