"""What do fewer bits do to a language model's answers, in its weights and in its cache?

The question. SmolLM2-135M is stored in 4 bits, and its cache holds `kept_per_position` numbers for
each token read. How few bits do they need? Everything is rounded on a grid of 2^bits equal steps,
from the least of a group of numbers to the greatest (`on_grid`). No weight is trained anew.

weights   the 210 matrices of the blocks, in groups of 32 of one row. The file's own groups are the
          same grid once more: in 4 bits, this must change nothing. So the groups begin 16 weights
          later. The control of that: an even random error of up to half a step of the file's grid,
          which is how large its own rounding error was
cache     keys and values of all positions, as they would be kept. A group is the vector of 64 of
          one position; or, for keys, one entry of all positions (Liu et al. 2024, "KIVI", take
          some positions at a time). The first token's may be kept as they are; the control is
          position 8 instead

Six passages of 96 symbols of the book's prose, and six times 40 random symbols which come a second
time; a seed redraws both. A pilot on other passages had given losses for 8, 4, 3 and 2 bits when
`EXPECTED` was written down; new are the groups that begin later, the control, keys by entry,
positions kept whole, and the symbols that come a second time. 8 was added after three seeds had
been run, of which seed 0 had shown keys and values apart.
"""

import copy
import functools
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from attn_course.models.language_model import Change, Changes, LanguageModel, Shape
from attn_lab.experiment import SEEDS, declared, results_of
from attn_lab.language_model.language import loaded_for, loss_after, random_symbols, symbols_of

LENGTH, COPIED = 96, 40
GROUP = 32  # weights that share a grid
STORED_BITS = 4
EXACT = {"first kept": 0, "position 8 kept": 8}
ROUNDED = {"keys alone": ("keys",), "values alone": ("values",)}
RESULTS = results_of(__file__)


class Rounded(NamedTuple):
    """What is rounded ("nothing", "weights" or "cache"), to how many bits, and how."""

    what: str
    bits: int
    how: str = ""


def measure(rounded: Rounded, seed: int) -> dict:
    """Read the same texts as it is and rounded; losses in nats.

    file        the SHA-256 of the model's file
    loss        of the prose
    same        the share of positions at which the same symbol is the likeliest
    divergence  Σ p ln (p / p') of the chances p as it is and p' rounded, mean of the positions
    copied      the loss of random symbols that come a second time, but for the first of them
    """
    model, text, digest = loaded_for(RESULTS)
    prose = symbols_of(text, "prose", seed, LENGTH)
    return {"file": digest} | measured(model, prose, as_it_is(seed), rounded, seed)


@functools.lru_cache(maxsize=1)
@torch.inference_mode()
def as_it_is(seed: int) -> Tensor:
    """The log-chances (batch position symbol) of the prose; once for all conditions of a seed."""
    model, text, _ = loaded_for(RESULTS)
    return model(symbols_of(text, "prose", seed, LENGTH)).logits.log_softmax(dim=-1)


@torch.inference_mode()
def measured(
    model: LanguageModel, prose: Tensor, plain: Tensor, rounded: Rounded, seed: int
) -> dict:
    """The numbers of `measure`, but the file."""
    changed, changes = changed_by(model, rounded, seed)
    logits = changed(prose, changes=changes).logits
    twice = random_symbols(model, seed, COPIED).repeat(1, 2)
    return {
        "loss": F.cross_entropy(logits[:, :-1].mT, prose[:, 1:]).item(),
        "same": (logits.argmax(-1) == plain.argmax(-1)).double().mean().item(),
        "divergence": F.kl_div(
            logits.log_softmax(-1).flatten(0, 1),
            plain.flatten(0, 1),
            reduction="batchmean",
            log_target=True,
        ).item(),
        "copied": loss_after(changed, twice, changes, COPIED + 1),
    }


def changed_by(
    model: LanguageModel, rounded: Rounded, seed: int
) -> tuple[LanguageModel, Changes | None]:
    """The model with other weights, or the changes that round what its cache would keep."""
    what, bits, how = rounded
    if what == "weights":
        return with_weights(model, bits, how, seed), None
    if what == "cache":
        return model, {
            (part, block): rounding(bits, how, part)
            for part in ROUNDED.get(how, ("keys", "values"))
            for block in range(model.shape.blocks)
        }
    return model, None


def on_grid(numbers: Tensor, bits: int) -> Tensor:
    """Each number at the nearest of 2^bits equal steps from the least to the greatest of its row.

    x' = a + s · round((x - a) / s)     a = min x     s = (max x - min x) / (2^bits - 1)
    """
    least, greatest = torch.aminmax(numbers, dim=-1, keepdim=True)
    step = ((greatest - least) / (2**bits - 1)).clamp(min=torch.finfo(numbers.dtype).tiny)
    return least + step * ((numbers - least) / step).round()


def with_weights(model: LanguageModel, bits: int, how: str, seed: int) -> LanguageModel:
    """A copy with other matrices in its blocks; the embeddings and the norms stay."""
    changed, drawn = copy.deepcopy(model), torch.Generator().manual_seed(seed)
    for matrix in (part for part in changed.blocks.parameters() if part.ndim == 2):
        shift = GROUP // 2 if how == "other groups" else 0
        groups = matrix.roll(shift, dims=1).unflatten(1, (-1, GROUP))
        if how == "random error":
            least, greatest = torch.aminmax(groups, dim=-1, keepdim=True)
            step = (greatest - least) / (2**STORED_BITS - 1)
            groups = groups + step * (torch.rand(groups.shape, generator=drawn) - 0.5)
        else:
            groups = on_grid(groups, bits)
        matrix.copy_(groups.flatten(1).roll(-shift, dims=1))
    return changed


def rounding(bits: int, how: str, part: str) -> Change:
    """What a cache of so many bits gives back of keys or values."""

    def change(vectors: Tensor) -> Tensor:
        if how == "keys by entry" and part == "keys":
            return on_grid(vectors.mT, bits).mT
        back = on_grid(vectors, bits)
        if (position := EXACT.get(how)) is not None:
            back[:, :, position] = vectors[:, :, position]
        return back

    return change


def kept_per_position(shape: Shape, groups: int | None = None) -> int:
    """How many numbers a cache keeps for each position: keys and values of all blocks and groups.

    >>> kept_per_position(Shape()), kept_per_position(Shape(), groups=9)
    (11520, 34560)
    """
    return 2 * shape.blocks * (groups or shape.groups) * shape.part


# ---- what is made of it


def results(number: str, what: str, bits: int, how: str = "") -> np.ndarray:
    """One number of `measure`, by seed; a KeyError if it was not run."""
    return EXPERIMENT.of(number, what, bits, how)


def added(what: str, bits: int, how: str = "", number: str = "loss") -> np.ndarray:
    """How much more the loss is than as it is, by seed."""
    return results(number, what, bits, how) - results(number, "nothing", STORED_BITS)


# ---- what was expected

OTHER = "other groups"


def _saved(how: str) -> np.ndarray:
    """The share of what a cache of 2 bits costs that is saved."""
    return 1 - added("cache", 2, how) / added("cache", 2)


def _of_copying(how: str) -> np.ndarray:
    """The share of what a cache of 4 bits costs a second time that it costs so."""
    return added("cache", 4, how, "copied") / added("cache", 4, number="copied")


EXPECTED = """
2026-11-27

The file's own groups, rounded to 4 bits again: the loss changes by less than .001, and the
likeliest symbol is the same at 99 of 100 positions.
    (abs(added("weights", 4, "own groups")) < 0.001)
        & (results("same", "weights", 4, "own groups") >= 0.99)

Weights in 8 bits: the loss changes by less than .02, and the likeliest symbol is the same at 95 of
100 positions.
    (abs(added("weights", 8, OTHER)) < 0.02) & (results("same", "weights", 8, OTHER) >= 0.95)

Weights in 4 bits a second time: .1 to .6 more loss, and the same likeliest symbol at 55 to 80 of
100 positions. A random error of that size costs half to twice as much.
    loss: between(0.1, added("weights", 4, OTHER), 0.6)
    same: between(0.55, results("same", "weights", 4, OTHER), 0.8)
    random error: between(0.5, added("weights", 4, OTHER) / added("weights", 4, "random error"), 2)

Weights in 3 bits: 1 to 3 nats more loss; in 2 bits at least 5.
    3 bits: between(1, added("weights", 3, OTHER), 3)
    2 bits: added("weights", 2, OTHER) >= 5

A cache in 8 bits costs less than .02, in 4 bits less than .2, in 2 bits at least 1.
    8 bits: abs(added("cache", 8)) < 0.02
    4 bits: added("cache", 4) < 0.2
    2 bits: added("cache", 2) >= 1

In 4 bits a cache costs less than half of what weights do, of prose and of symbols that come a
second time.
    prose: added("cache", 4) < added("weights", 4, OTHER) / 2
    a second time: added("cache", 4, number="copied") < added("weights", 4, OTHER, "copied") / 2

Of what a cache of 2 bits costs, at least a quarter is saved if the first token's keys and values
are kept as they are, and less than a tenth if those of position 8 are. At least half is saved if
each entry of the keys has a grid of its own.
    the first: _saved("first kept") >= 0.25
    position 8: _saved("position 8 kept") < 0.1
    keys by entry: _saved("keys by entry") >= 0.5

Of what a cache of 4 bits costs symbols that come a second time, keys alone cost at least three
quarters, and values alone less than a quarter; at least half is saved if each entry of the keys has
a grid of its own.
    keys: _of_copying("keys alone") >= 0.75
    values: _of_copying("values alone") < 0.25
    keys by entry: _of_copying("keys by entry") < 0.5
"""


CONDITIONS = [
    Rounded("nothing", STORED_BITS),
    *(Rounded("weights", bits, OTHER) for bits in (8, 4, 3, 2)),
    *(Rounded("weights", STORED_BITS, how) for how in ("own groups", "random error")),
    *(Rounded("cache", bits) for bits in (8, 4, 3, 2)),
    *(Rounded("cache", 2, how) for how in (*EXACT, "keys by entry")),
    *(Rounded("cache", 4, how) for how in (*ROUNDED, "keys by entry")),
]
EXPERIMENT = declared(__name__, measure, [(CONDITIONS, SEEDS)], Rounded)
