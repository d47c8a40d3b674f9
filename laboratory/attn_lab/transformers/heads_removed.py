"""What does a head cost that is taken away, and is it missed for what it finds?

The question. `transformer_parts` silences heads: zeros in place of what they find. But a head may
have given nearly the same vector at every step, and the rest has learnt to count on this constant;
then zeros cost a good deal, though no information is lost. Its *mean* over the data takes away the
information and leaves the constant. Which is it? Do some heads still cost next to nothing? And does
a head's alignment error say beforehand what it costs?

The reader is the whole Transformer of `transformer_parts`, two epochs, trained anew with the same
seeds, which redraw start, order and dates. A cost is the share of 500 unseen dates that the
reader reads, less the share that it reads afterwards, in points. Means are those over the symbols
of 500 other dates, of days that are trained on. For each of the 16 heads:

zero       nothing is found
mean       the head's mean is found everywhere
untrained  its queries and keys are those of an untrained head (mean over `STARTS`): it averages
           its own values with weights that nobody has taught
slices     the control, for each attention: 16 of its 64 entries, drawn at random from all four
           heads, at their mean; `DRAWS` draws

resampled  the head finds what it would have found in another date, the next longer one: 7 and 8.
           Its control are the same slices of other draws, resampled

And all together: heads are taken away at their means one after the other, the cheapest on 500 other
dates first, or in a random order (`DRAWS` of them).

Two epochs are few, and a mean is something that a head may never find. So before 7 and 8 were run
the reader was also trained for eight epochs.

"Points" are percentage points of all dates; the *four* are the heads of the decoder on the source.
Nobody had expected that the dearest heads are those with which the decoder reads what it has
written.
"""

import copy
from itertools import permutations, product
from statistics import fmean

import numpy as np
import torch
from torch import Tensor

from attn_course.models.translator import Translator
from attn_course.tasks.dates import DatePair, date_pairs
from attn_lab import measuring
from attn_lab.experiment import SEEDS, declared
from attn_lab.reading_dates.learnt_models import unseen
from attn_lab.transformers import transformer_models as models
from attn_lab.transformers.transformer_models import RATES, Reader, attentions
from attn_lab.transformers.transformer_parts import batch, head_error

DRAWS = 10
STARTS = 3
HEADS, PART = 4, 16
ACROSS = 3  # the attention to the source, in the order of `attentions`
LOST = 0.05
TESTED, CHOSEN_ON = 500, 500


def measure(reader: Reader, seed: int) -> dict:
    """Train one reader, and take its heads away.

    zero, mean, untrained   cost of each head, by attention
    slices                  cost of each random slice, by attention
    resampled, resampled slices   the same, as they are in another date
    error                   alignment error of the four
    cheapest first          share of dates read with 0, 1, 2 .. heads taken away
    in random order         the same, for each draw
    """
    model = models.trained(reader, seed)[0].cpu()
    test = unseen(seed)[:TESTED]
    others = date_pairs(CHOSEN_ON, seed=3_000 + seed)
    means = means_of(model, others)
    rng = np.random.default_rng([seed, 5])
    costs = {
        "zero": by_head(model, test, lambda one, at: take_away(one, *at)),
        "mean": by_head(model, test, lambda one, at: take_away(one, *at, means)),
        "untrained": untrained(model, test, seed),
        "slices": slices(model, test, lambda one, *at: take_away(one, *at, means), rng),
        "error": errors(model, test),
    }
    chosen_on = by_head(model, others, lambda one, at: take_away(one, *at, means))
    places = [(layer, head) for layer in range(len(chosen_on)) for head in range(HEADS)]
    order = sorted(places, key=lambda at: chosen_on[at[0]][at[1]])
    draws = [[places[i] for i in rng.permutation(len(places))] for _ in range(DRAWS)]
    own = np.random.default_rng([seed, 6])
    others = next_longer(test, own)
    return costs | {
        "resampled": by_head(model, test, lambda one, at: resample(one, *at, others)),
        "resampled slices": slices(model, test, lambda one, *at: resample(one, *at, others), own),
        "cheapest first": one_after_the_other(model, test, means, order),
        "in random order": [one_after_the_other(model, test, means, draw) for draw in draws],
    }


# ---- taking away


def entries_of(head: int) -> list[int]:
    """The entries of what an attention finds that are this head's."""
    return list(range(PART * head, PART * (head + 1)))


@torch.no_grad()
def take_away(
    model: Translator, number: int, head: int | list[int], means: list[Tensor] | None = None
) -> None:
    """Replace the output of one head (or of a list of entries) by zeros, or by the means."""
    entries = entries_of(head) if isinstance(head, int) else head
    mixed = attentions(model)[number].output_projection
    if means is not None:
        mixed.bias += mixed.weight[:, entries] @ means[number][entries]
    mixed.weight[:, entries] = 0.0


def resample(model: Translator, number: int, head: int | list[int], others: np.ndarray) -> None:
    """Let one head (or a list of entries) find what it finds in other dates, at the same places."""
    entries = entries_of(head) if isinstance(head, int) else head

    def exchanged(_, inputs):
        contexts = inputs[0].clone()
        contexts[..., entries] = inputs[0][others][..., entries]
        return contexts

    attentions(model)[number].output_projection.register_forward_pre_hook(exchanged)


def next_longer(pairs: list[DatePair], rng) -> np.ndarray:
    """For each date another as long, or the next longer; of the longest, the one before."""
    order = np.lexsort((rng.random(len(pairs)), [len(pair.source) for pair in pairs]))
    others = np.empty_like(order)
    others[order] = [*order[1:], order[-2]]
    return others


@torch.no_grad()
def means_of(model: Translator, pairs: list[DatePair]) -> list[Tensor]:
    """The mean output of each attention over all symbols of the pairs, without padding."""
    sources, lengths, targets = batch(pairs)
    real = torch.arange(sources.shape[1]) < lengths[:, None]
    outputs: list[Tensor] = []
    hooks = [
        part.output_projection.register_forward_pre_hook(lambda _, x: outputs.append(x[0]))
        for part in attentions(model)
    ]
    try:
        model(sources, lengths, targets)
    finally:
        for hook in hooks:
            hook.remove()
    inside = len(model.encoder.blocks)
    return [output[real].mean(dim=0) for output in outputs[:inside]] + [
        output.mean(dim=(0, 1)) for output in outputs[inside:]
    ]


@torch.no_grad()
def read(model: Translator, pairs: list[DatePair]) -> float:
    """The share of dates read right.

    What is likeliest at each step, given the right symbols before it, is right at all steps just
    when the reader writes the whole date by itself.
    """
    sources, lengths, targets = batch(pairs)
    return (model(sources, lengths, targets)[0].argmax(dim=-1) == targets).all(1).double().mean()


def by_head(model: Translator, pairs: list[DatePair], change) -> list[list[float]]:
    """The cost of a change to each head, by attention."""
    before, costs = read(model, pairs), []
    for layer in range(len(attentions(model))):
        costs.append([])
        for head in range(HEADS):
            one = copy.deepcopy(model)
            change(one, (layer, head))
            costs[-1].append(float(before - read(one, pairs)))
    return costs


def untrained(model: Translator, pairs: list[DatePair], seed: int) -> list[list[float]]:
    """The cost of untrained queries and keys in each head, the mean of the starts."""

    @torch.no_grad()
    def forget(one, at):
        number, head = at
        for name in ("query_projection", "key_projection"):
            old, new = (getattr(attentions(model)[number], name) for model in (one, fresh))
            for part in ("weight", "bias"):
                getattr(old, part)[entries_of(head)] = getattr(new, part)[entries_of(head)]

    costs = []
    for draw in range(STARTS):
        fresh = measuring.fresh(lambda: models.build("whole"), 1_000 * (draw + 1) + seed)
        costs.append(by_head(model, pairs, forget))
    return np.mean(costs, axis=0).tolist()


def slices(model: Translator, pairs: list[DatePair], change, rng) -> list[list[float]]:
    """What random slices cost, by attention, when they are changed."""
    before, costs = read(model, pairs), []
    for number in range(len(attentions(model))):
        costs.append([])
        for _ in range(DRAWS):
            one = copy.deepcopy(model)
            change(one, number, rng.permutation(HEADS * PART)[:PART].tolist())
            costs[-1].append(float(before - read(one, pairs)))
    return costs


def one_after_the_other(
    model: Translator, pairs: list[DatePair], means: list[Tensor], order: list[tuple[int, int]]
) -> list[float]:
    """The share of dates read with none, one, two .. of the heads at the means of the whole."""
    one = copy.deepcopy(model)
    shares = [float(read(one, pairs))]
    for layer, head in order:
        take_away(one, layer, head, means)
        shares.append(float(read(one, pairs)))
    return shares


@torch.no_grad()
def errors(model: Translator, pairs: list[DatePair]) -> list[float]:
    """The alignment error of the four."""
    sources, lengths, targets = batch(pairs)
    inputs = torch.cat([torch.ones_like(targets[:, :1]), targets[:, :-1]], dim=1)
    across = model.decoder.head_weights(model.read(sources, lengths), inputs).across[-1]
    return [head_error(across[:, head].numpy(), pairs) for head in range(HEADS)]


# ---- what is made of it


def results(number: str, epochs: int = 2) -> np.ndarray:
    """One number of `measure`, by seed."""
    return EXPERIMENT.of(number, "whole", epochs)


def can_go(shares) -> int:
    """How many heads went before the first loss of `LOST`."""
    lost = np.array(shares)[0] - np.array(shares) > LOST
    return int(lost.argmax()) - 1 if lost.any() else len(shares) - 1


def by_chance(errors: np.ndarray, costs: np.ndarray) -> tuple[float, float]:
    """Spearman's correlation of small error with cost, the mean of the seeds.

    Beside it the share of the random rankings, one for each seed, that do as well.
    """
    order, ranks = ((-errors).argsort().argsort(), costs.argsort().argsort())
    alike = fmean(map(_alike, order, ranks))
    fits = [[_alike(np.array(draw), rank) for draw in permutations(range(HEADS))] for rank in ranks]
    draws = np.array([sum(some) / len(some) for some in product(*fits)])
    return alike, float((draws >= alike - 1e-9).mean())


def _alike(ranks: np.ndarray, others: np.ndarray) -> float:
    """The correlation of two rankings without ties."""
    return float(np.corrcoef(ranks, others)[0, 1])


# ---- what was expected


def _four(number: str, epochs: int = 2) -> np.ndarray:
    """What each of the heads on the source costs, by seed; or what random slices of them cost."""
    return results(number, epochs)[:, ACROSS]


def _sum(number: str, epochs: int = 2) -> np.ndarray:
    return _four(number, epochs).sum(axis=1)


def _half(number: str, other: str, epochs: int) -> np.ndarray:
    """Whether one costs less than half of what the other costs, on average."""
    one, two = (_four(name, epochs).mean(axis=1) for name in (number, other))
    return one < two / 2


def _can_go(number: str, epochs: int = 2) -> np.ndarray:
    return np.array([can_go(shares) for shares in results(number, epochs)])


EXPECTED = """
2026-11-26

The four cost less at their means than at zero (sum of the four), but at least half as much: most of
what is missed is what they find.
    less: _sum("mean") < _sum("zero")
    at least half: _sum("mean") >= _sum("zero") / 2

"Some heads cost next to nothing" survives: of the 16, at least four cost less than 1 point at their
means, and of the four at least one less than 3.
    of the 16: (results("mean") < 0.01).sum(axis=(1, 2)) >= 4
    of the four: _four("mean").min(axis=1) < 0.03

Heads are more unequal than slices: the cheapest of the four costs less than each random slice of
the same attention, and the dearest more than nine in ten of them.
    the cheapest: _four("mean").min(axis=1) < _four("slices").min(axis=1)
    the dearest: (_four("mean").max(axis=1, keepdims=True) > _four("slices")).mean(axis=1) > 0.9

An untrained map is worse than none: in the sum of the four it costs at least as much as the mean
does.
    _sum("untrained") >= _sum("mean")

Of the four, the heads with less alignment error cost more at their means: Spearman's correlation of
(minus) error with cost, averaged over the seeds, is reached by fewer than 1 in 20 of the random
rankings within each seed (all 24 to the power of 3).
    by_chance(results("error"), _four("mean"))[1] < 0.05

Cheapest first, at least four heads can go before 5 points are lost; in a random order, in the
median of the draws, fewer.
    cheapest first: _can_go("cheapest first") >= 4
    fewer in a random order: [np.median([can_go(draw) for draw in draws])
        for draws in results("in random order")] < _can_go("cheapest first")

What two epochs showed stands after eight. The four cost at least half as much at their means as at
zero, and at most twice as much (sum of the four); random slices of them cost less than half of what
a head costs, both at their means; the heads with which the decoder reads what it has written cost
more than the four (sums, at their means); cheapest first, fewer than four heads can go before 5
points are lost.
    mean and zero: between(_sum("zero", 8) / 2, _sum("mean", 8), 2 * _sum("zero", 8))
    random slices: _half("slices", "mean", 8)
    what it has written: results("mean", 8)[:, 2].sum(axis=1) > _sum("mean", 8)
    cheapest first: _can_go("cheapest first", 8) < 4

Resampled, the four cost at least as much as at their means (sum of the four), and random slices of
them less than half of what a head costs, after two epochs and after eight.
    the four, 2 epochs: _sum("resampled", 2) >= _sum("mean", 2)
    random slices, 2 epochs: _half("resampled slices", "resampled", 2)
    the four, 8 epochs: _sum("resampled", 8) >= _sum("mean", 8)
    random slices, 8 epochs: _half("resampled slices", "resampled", 8)
"""


def plan() -> list:
    """The whole Transformer alone."""
    return [([EXPERIMENT.condition("whole", epochs) for epochs in (2, 8)], SEEDS)]


EXPERIMENT = declared(
    __name__, measure, plan, Reader, rates=RATES, searched=lambda kind, _: (kind, models.EPOCHS)
)
