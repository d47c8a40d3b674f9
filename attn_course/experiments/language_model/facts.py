"""Where does a language model read a fact, and do its maps say so?

    python -m attn_course.experiments facts

The question. "The capital of France is", and SmolLM2-135M (in 4 bits) goes on with " Paris". Which
of its heads brought that to the last place? A swap tells: what belongs to *France* is exchanged for
what the same model computed there in another prompt, with *Germany*, and nothing else. The answer
*follows* if the other's then has the larger logit. What do maps say beside that?

Two relations, with answers of one symbol (`CAPITALS`, `OPPOSITES`). Kept are those facts of which
the answer is the model's first choice; `FACTS` of each relation are drawn from them, each beside
another of the same relation. For each block l:

residual   what enters block l at the subject
last       what enters block l at the last place: the control in the other direction
keys, values, both   of the subject in block l and all later ones
groups     keys and values of the subject in one block, for the three heads of one group only: its
           *effect* is how much of the margin (own logit above the other's) goes

Beside these stand maps: the weight of the last place on the subject and on the first symbol, in the
mean of all heads, by head, and by rollout (Abnar & Zuidema 2020), in which the mean map of each
block is mixed half and half with the identity, and these are multiplied.

`EXPECTED` was written down after a pilot with 13 capitals, and before this was run. A seed redraws
the facts and whom each stands beside.
"""

from collections.abc import Iterable
from functools import reduce

import numpy as np
import torch
from torch import Tensor

from attn_course.experiments.expectations import Expectation
from attn_course.experiments.experiment import Experiment
from attn_course.experiments.grid import results_of
from attn_course.experiments.language_model.language import loaded_for
from attn_course.experiments.reading_on import Reading, places, read_before
from attn_course.models.language_file import Text
from attn_course.models.language_model import Change, Changes, LanguageModel, Place
from attn_course.patching import exchanged_at, recorded

SEEDS = (0, 1, 2)
FACTS = 20
CAPITALS = """
France Paris, Germany Berlin, Italy Rome, Spain Madrid, Portugal Lisbon, Greece Athens,
Russia Moscow, China Beijing, Japan Tokyo, Egypt Cairo, Kenya Nairobi, Cuba Havana, Poland Warsaw,
Hungary Budapest, Austria Vienna, Ireland Dublin, Norway Oslo, Sweden Stockholm, Denmark Copenhagen,
Finland Helsinki, Iran Tehran, Iraq Baghdad, Canada Ottawa, Peru Lima, Chile Santiago,
Ukraine Kiev, England London, Scotland Edinburgh, Wales Cardiff, Belgium Brussels,
Netherlands Amsterdam, Syria Damascus, Israel Jerusalem, Korea Seoul, Philippines Manila,
Australia Canberra, Bulgaria Sofia, Tunisia Tunis, Afghanistan Kabul"""
OPPOSITES = """
hot cold, big small, up down, left right, good bad, black white, fast slow, day night,
high low, rich poor, old young, light dark, strong weak, early late, open closed, inside outside,
north south, east west, male female, true false, hard soft, wet dry, full empty, cheap expensive,
war peace, life death, first last, large small, long short, thick thin, heavy light, near far,
right wrong, summer winter, ancient modern, positive negative, maximum minimum, public private,
internal external"""
RELATIONS = {
    "capitals": ("The capital of {} is", " {}", CAPITALS),
    "opposites": ('The opposite of "{}" is "', "{}", OPPOSITES),
}
RESULTS = results_of(__file__)


def measure(relation: str, seed: int) -> dict:
    """Draw facts of a relation that the model knows, and swap: see `swaps` and `maps`."""
    model, text, digest = loaded_for(RESULTS)
    asked, prompts, answers = known(model, text, *RELATIONS[relation])
    rng = np.random.default_rng([seed, 39])
    chosen = torch.from_numpy(rng.permutation(len(prompts))[:FACTS])
    counts = {"file": digest, "asked": asked, "known": len(prompts)}
    pairs = Pairs(model, prompts[chosen], answers[chosen])
    return counts | swaps(pairs) | maps(pairs)


def known(
    model: LanguageModel, text: Text, prompt: str, answer: str, facts: str
) -> tuple[int, Tensor, Tensor]:
    """How many facts were asked, and the prompts and answers of those that the model knows.

    A fact is only asked if subject and answer are one symbol each.
    """
    usual = text.read(prompt.format("man")).shape[1]
    rows, answers = [], []
    for fact in facts.split(","):
        subject, wanted = fact.split()
        symbols, end = text.read(prompt.format(subject)), text.read(answer.format(wanted))
        if symbols.shape[1] == usual and end.shape[1] == 1:
            rows.append(symbols[0])
            answers.append(end[0, 0])
    prompts, wanted = torch.stack(rows), torch.stack(answers)
    right = Reading(model, prompts).logits(at=slice(-1, None))[:, 0].argmax(dim=-1) == wanted
    return len(rows), prompts[right], wanted[right]


class Pairs:
    """Prompts, each beside another one, that differ at one place: the subject."""

    def __init__(self, model: LanguageModel, prompts: Tensor, answers: Tensor):
        differing = (prompts != prompts[:1]).any(dim=0).nonzero().ravel()
        if len(differing) != 1:
            raise ValueError(f"prompts must differ at one place; got {differing.tolist()}")
        self.model, self.prompts, self.subject = model, prompts, int(differing)
        self.own, self.other = answers, answers.roll(1)
        before = read_before(model, prompts[:1, : self.subject], len(prompts))
        self.reading = Reading(model, prompts[:, self.subject :], ("keys", "values"), before)
        self.others = {place: each.roll(1, dims=0) for place, each in self.reading.seen.items()}

    def margins(self, changes: Changes | None = None) -> Tensor:
        """The logit of the own answer above that of the other: (fact)."""
        logits = self.reading.logits(changes, at=slice(-1, None))[:, 0]
        own, other = (logits.gather(1, each.unsqueeze(1)) for each in (self.own, self.other))
        return (own - other).squeeze(1)

    def exchanged(self, which: Iterable[Place], position: int) -> Changes:
        """At one position from the subject on, what the other prompt has in some places."""
        chosen = torch.arange(self.reading.symbols.shape[1]) == position
        return exchanged_at({place: self.others[place] for place in which}, chosen)

    def of_group(self, block: int, group: int) -> Changes:
        """At the subject, the other's keys and values of one group in one block."""

        def change(there: Tensor) -> Change:
            def exchange(here: Tensor) -> Tensor:
                new = here.clone()
                new[:, group, 0] = there[:, group, 0]
                return new

            return exchange

        both: list[Place] = [("keys", block), ("values", block)]
        return {place: change(self.others[place]) for place in both}


def swaps(pairs: Pairs) -> dict:
    """Who follows, by kind of swap and by block; and what each group has for an effect.

    margin   the mean margin of the own answer, without a swap
    follows  by kind, for each block l: the share of facts of which the answer becomes the other's
    whole    how much of the margin goes with all keys and values of the subject
    effect   how much goes with those of one group in one block (block group)
    """
    plain, blocks = pairs.margins().mean(), range(pairs.model.shape.blocks)
    end = pairs.reading.symbols.shape[1] - 1

    def follows(which: Iterable[Place], position: int) -> float:
        margins = pairs.margins(pairs.exchanged(which, position))
        return (margins < 0).double().mean().item()

    def later(block: int, *parts: str) -> list[Place]:
        return [(part, each) for part in parts for each in blocks[block:]]

    kinds = {
        "residual": [follows([("residual", block)], 0) for block in blocks],
        "last": [follows([("residual", block)], end) for block in blocks],
        "both": [follows(later(block, "keys", "values"), 0) for block in blocks],
        "values": [follows(later(block, "values"), 0) for block in blocks],
        "keys": [follows(later(block, "keys"), 0) for block in blocks],
    }
    whole = pairs.margins(pairs.exchanged(later(0, "keys", "values"), 0)).mean()
    effect = [
        [
            (plain - pairs.margins(pairs.of_group(block, group)).mean()).item()
            for group in range(pairs.model.shape.groups)
        ]
        for block in blocks
    ]
    return {
        "margin": plain.item(),
        "follows": kinds,
        "whole": (plain - whole).item(),
        "effect": effect,
    }


def maps(pairs: Pairs) -> dict:
    """Where the last place looks: on the first symbol and on the subject.

    heads    mean weight on the subject (block head)
    mean     of all heads, on the first symbol and on the subject
    rollout  the same
    """
    model = pairs.model
    weights = list(recorded(model, pairs.prompts, places(model, "weights")).values())
    heads = torch.stack([each[:, :, -1, pairs.subject].mean(dim=0) for each in weights])
    mean = torch.stack([each.mean(dim=(0, 1)) for each in weights]).mean(dim=0)[-1]
    traced = rollout(weights).mean(dim=0)[-1]
    return {
        "heads": heads.tolist(),
        "mean": {"first": mean[0].item(), "subject": mean[pairs.subject].item()},
        "rollout": {"first": traced[0].item(), "subject": traced[pairs.subject].item()},
    }


def rollout(weights: list[Tensor]) -> Tensor:
    """The mean maps of all blocks, each with the identity, multiplied (batch target source)."""
    same = torch.eye(weights[0].shape[-1])
    return reduce(lambda table, each: (each.mean(dim=1) + same) / 2 @ table, weights, same)


# ---- what is made of it


def results(number: str, relation: str = "capitals") -> list:
    """One number of a relation, by seed."""
    return EXPERIMENT.results(number)[relation]


def follows(kind: str, relation: str = "capitals") -> np.ndarray:
    """The share of answers that follow (seed block)."""
    return np.array([each[kind] for each in results("follows", relation)])


def effect(relation: str = "capitals") -> np.ndarray:
    """(seed block group)"""
    return np.array(results("effect", relation))


def weight(relation: str = "capitals") -> np.ndarray:
    """Mean weight of the last place on the subject, of the heads of a group (seed block group)."""
    heads = np.array(results("heads", relation))
    return heads.reshape(*effect(relation).shape, -1).mean(axis=-1)


def alike(relation: str = "capitals") -> list[float]:
    """Spearman's correlation of weight on the subject and effect, over all groups, by seed."""
    pairs = zip(weight(relation), effect(relation), strict=True)
    return [float(np.corrcoef(*(_ranks(each) for each in both))[0, 1]) for both in pairs]


def _ranks(values: np.ndarray) -> np.ndarray:
    return values.ravel().argsort().argsort()


# ---- what was expected


def _largest(relation: str) -> np.ndarray:
    """The largest effect and the next (seed two)."""
    return np.sort(effect(relation).reshape(len(effect(relation)), -1))[:, :-3:-1]


def _at(number: str, where: str, relation: str) -> np.ndarray:
    return np.array([each[where] for each in results(number, relation)])


def _of_both(holds):
    return {relation: lambda relation=relation: holds(relation) for relation in RELATIONS}


DATE = "2026-11-27"

EXPECTED = (
    Expectation(
        "The fact is at the subject first and at the last place later: with the residual of the "
        "subject swapped, nine in ten answers or more follow at block 10, and at most one in ten "
        "at block 27; with that of the last place, the reverse.",
        DATE,
        _of_both(
            lambda relation: (
                (follows("residual", relation)[:, 10] >= 0.9)
                & (follows("residual", relation)[:, 27] <= 0.1)
                & (follows("last", relation)[:, 10] <= 0.1)
                & (follows("last", relation)[:, 27] >= 0.9)
            )
        ),
    ),
    Expectation(
        "Of capitals, nine in ten or more still follow at block 21, and at most one in ten at 24.",
        DATE,
        lambda: (follows("residual")[:, 21] >= 0.9) & (follows("residual")[:, 24] <= 0.1),
    ),
    Expectation(
        "It is read from the values: those of the subject alone, in all blocks, take nine in ten "
        "answers along or more, its keys alone at most one in ten.",
        DATE,
        _of_both(
            lambda relation: (
                (follows("values", relation)[:, 0] >= 0.9)
                & (follows("keys", relation)[:, 0] <= 0.1)
            )
        ),
    ),
    Expectation(
        "Of capitals, one group of heads carries most: group 1 of block 23 has the largest effect "
        "of the 90, more than half of what the whole swap moves, and twice the next or more. Of "
        "opposites, too, the largest lies in blocks 20 to 27.",
        DATE,
        {
            "block 23": lambda: [each.argmax() == 23 * 3 + 1 for each in effect()],
            "more than half": lambda: _largest("capitals")[:, 0] > np.array(results("whole")) / 2,
            "twice the next": lambda: _largest("capitals")[:, 0] >= 2 * _largest("capitals")[:, 1],
            "opposites": lambda: [20 <= each.argmax() // 3 <= 27 for each in effect("opposites")],
        },
    ),
    Expectation(
        "The mean map does not say so: the last place has more than half of its weight on the "
        "first symbol and less than a fifth on the subject.",
        DATE,
        _of_both(
            lambda relation: (
                (_at("mean", "first", relation) > 0.5) & (_at("mean", "subject", relation) < 0.2)
            )
        ),
    ),
    Expectation(
        "Nor does a group's weight: over the 90 groups, weight on the subject and effect have a "
        "rank correlation below .4.",
        DATE,
        _of_both(lambda relation: np.array(alike(relation)) < 0.4),
    ),
    Expectation(
        "Nor does rollout: it puts more than .8 on the first symbol.",
        DATE,
        _of_both(lambda relation: _at("rollout", "first", relation) > 0.8),
    ),
)


EXPERIMENT = Experiment(__doc__, measure, [([*RELATIONS], SEEDS)], RESULTS)
