"""Is a language model's sink a token that has seen nobody, or one that has seen only itself?

The question. `first_token` finds that a token which may read only itself becomes a sink. But an
average of equal values is that value, whatever the weights: a token that has read nothing but
copies of itself cannot tell them from itself, so it has to become the same. Yona et al. (2025)
derive from this why a language model cannot repeat one word for long.

repeated   one random symbol `REPEATED` times, `SYMBOLS` such symbols. By `PLACES`, the length of
           the vector that enters block 13, and the weight of all later rows on it
in turn    two random symbols in turn, as often
written    passages of prose, their first symbol written 1, 2, 3 or 5 times. The same for each copy,
           and for the symbol behind them: the control
behind     the symbol at position 20 may read itself and the one before it, which reads only itself
           and is a copy of it, or, the control, another symbol

A seed redraws symbols and passages. `EXPECTED` was written down before this was run, after a pilot
with other code: four symbols repeated, and six passages.
"""

import numpy as np
import torch
from torch import Tensor

from attn_course.models.language_model import Changes, LanguageModel
from attn_lab.experiment import SEEDS, declared, results_of
from attn_lab.language_model.first_token import LATE, SINK, looked_at, unread
from attn_lab.language_model.language import loaded_for, places_hidden, random_symbols, symbols_of

SYMBOLS, REPEATED, LENGTH = 12, 64, 96
PLACES = (0, 1, 2, 5, 20, 40)
WRITTEN = (1, 2, 3, 5)
A_SINK, NO_SINK = 10_000, 1_000  # lengths, as `first_token` expected them
RESULTS = results_of(__file__)


def measure(condition: str, seed: int) -> dict:
    """Lengths in block 13 (text place) and weights (place), as the docstring of the module says."""
    model, text, digest = loaded_for(RESULTS)
    if condition in ("repeated", "in turn"):
        drawn = random_symbols(model, 300 + seed, 2, SYMBOLS)
        kinds = 1 if condition == "repeated" else 2
        symbols = drawn[:, :kinds].repeat(1, REPEATED // kinds)
        return {"file": digest, "places": looks(model, symbols, PLACES)}
    prose = symbols_of(text, "prose", seed, LENGTH)
    how = written(model, prose) if condition == "written" else behind(model, prose)
    return {"file": digest} | how


def looks(
    model: LanguageModel, symbols: Tensor, at: tuple[int, ...], changes: Changes | None = None
) -> dict[str, list]:
    """Length of the vectors at some positions (text place), and the weight on them (place)."""
    looked = looked_at(model, symbols, changes)
    vectors = looked.vectors[min(LATE, len(looked.vectors) - 1)][:, list(at)]
    weight = looked.weight.mean(dim=(0, 1))[list(at)]
    return {"length": vectors.norm(dim=-1).tolist(), "weight": weight.tolist()}


def written(model: LanguageModel, prose: Tensor) -> dict:
    """By how often the first symbol is written: `seen` of each copy, and of the next symbol."""
    return {
        str(times): looks(
            model,
            torch.cat([prose[:, :1].expand(-1, times - 1), prose], dim=1)[:, :LENGTH],
            tuple(range(times + 1)),
        )
        for times in WRITTEN
    }


def behind(model: LanguageModel, prose: Tensor) -> dict:
    """What becomes of position `SINK` beside the first, by what stands and is read before it."""
    copied = prose.clone()
    copied[:, SINK - 1] = copied[:, SINK]
    alone = unread(prose.shape[1], SINK - 1, [])
    both = alone | unread(prose.shape[1], SINK, [SINK - 1])
    changes = places_hidden(model, both)
    return {
        name: looks(model, symbols, (0, SINK), changes)
        for name, symbols in (("a copy", copied), ("another", prose))
    }


# ---- what is made of it


def lengths(condition: str) -> np.ndarray:
    """Of symbols that are repeated, or stand in turn (seed text place)."""
    return EXPERIMENT.of("places", condition, at=["length"])


def copies(times: int) -> tuple[np.ndarray, np.ndarray]:
    """Lengths of the copies (seed text copy), and of the symbol behind them (seed text)."""
    both = EXPERIMENT.of(str(times), "written", at=["length"])
    return both[..., :-1], both[..., -1]


def weights(times: int) -> np.ndarray:
    """Weight on each copy, and on the symbol behind them (seed place)."""
    return EXPERIMENT.of(str(times), "written", at=["weight"])


def made(before: str) -> np.ndarray:
    """The length of a symbol behind a copy of it, or behind another (seed text)."""
    return EXPERIMENT.of(before, "behind", at=["length"])[..., 1]


def _all(holds: np.ndarray) -> np.ndarray:
    return holds.reshape(len(holds), -1).all(axis=1)


EXPECTED = """
2026-11-29

Where one symbol is repeated, the vectors at all places enter block 13 longer than 10,000 and as
long as the first, but for a hundredth. Where two stand in turn, only the first does; the others are
shorter than 1,000.
    long: _all(lengths("repeated") > A_SINK)
    equal: _all(abs(lengths("repeated") / lengths("repeated")[..., :1] - 1) < 0.01)
    in turn, the first: _all(lengths("in turn")[..., :1] > A_SINK)
    in turn, the others: _all(lengths("in turn")[..., 1:] < NO_SINK)

Written 2, 3 or 5 times, each copy of the first symbol of a passage is longer than 10,000 and the
symbol behind them shorter than 1,000. The copies share the weight: together they have .3 to .6, and
each at least .06.
    copies: _all(np.concatenate([copies(n)[0] for n in WRITTEN[1:]], axis=-1) > A_SINK)
    behind: _all(np.stack([copies(n)[1] for n in WRITTEN[1:]], 1) < NO_SINK)
    together: every(between(0.3, weights(n)[:, :-1].sum(axis=1), 0.6) for n in WRITTEN[1:])
    each: every(weights(n)[:, :-1].min(axis=1) >= 0.06 for n in WRITTEN[1:])

A token that reads itself and a copy which has read nothing else is longer than 10,000 in every
passage. Behind another token it is shorter than 1,000 in half of the passages or more.
    a copy: _all(made("a copy") > A_SINK)
    another: (made("another") < NO_SINK).mean(axis=1) >= 0.5
"""


PLAN = [(["repeated", "in turn", "written", "behind"], SEEDS)]
EXPERIMENT = declared(__name__, measure, PLAN)
