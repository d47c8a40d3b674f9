"""The trained models of the bottleneck grid, small enough to travel with a page.

Each model with a state of 16 or 64 that copies letters, with one vector or with attention, is
trained again with the first seed, and its weights are rounded to 8 bits. The explorer of chapter 01
runs these models on the letters that the reader types.

weights  the bytes that `attn_course.packing.pack` returns, in base64
layout   where each array lies in them
exact    by length, the share of copies without a mistake, written with the rounded weights
"""

import base64
from collections.abc import Mapping

import numpy as np
import torch

from attn_course.models.translator import Translator
from attn_course.packing import pack, unpack
from attn_course.search import answer
from attn_lab.experiment import declared, results_of
from attn_lab.fixed_context import bottleneck_models as models
from attn_lab.fixed_context.bottleneck_models import Condition
from attn_lab.grid import read_grid

SEED = 0
RESULTS = results_of(__file__)
MEASURED = RESULTS.with_name("bottleneck.json")


def conditions() -> list[Condition]:
    """The conditions of the grid whose models the explorer runs."""
    measured = read_grid(MEASURED, "exact", Condition)
    return [
        row
        for row in measured
        if row.task == "copy" and row.model in ("fixed", "attending") and row.size in (16, 64)
    ]


def measure(condition: Condition, seed: int) -> dict:
    """Train a model, round its weights, and test the model with the rounded weights."""
    arrays = {
        name: part.cpu().numpy()
        for name, part in models.trained(condition, seed).state_dict().items()
    }
    packed, layout = pack(arrays)
    known = models.data_of(condition, seed)
    model = rebuilt(condition, unpack(packed, layout))
    written = answer(model, [pair.source for pair in known.test], *known.vocabularies)
    return {
        "weights": base64.b64encode(packed).decode(),
        "layout": layout,
        "exact": models.exact(condition, seed, written),
    }


def rebuilt(condition: Condition, arrays: Mapping[str, np.ndarray]) -> Translator:
    """The model of a condition, with the weights given."""
    model = models.build(condition, tuple(map(len, models.vocabularies_of(condition.task))))
    model.load_state_dict({name: torch.tensor(array) for name, array in arrays.items()})
    return model.eval()


def stored() -> dict[Condition, dict[str, np.ndarray]]:
    """The rounded arrays of each model, by its condition."""
    weights, layouts = (read_grid(RESULTS, name, Condition) for name in ("weights", "layout"))
    return {
        condition: unpack(base64.b64decode(packed), layouts[condition][0])
        for condition, (packed,) in weights.items()
    }


# ---- what was expected


def _rounding_costs_little() -> bool:
    measured = read_grid(MEASURED, "exact", Condition)
    apart = [
        abs(share - measured[condition][SEED][length])
        for condition, (rounded,) in read_grid(RESULTS, "exact", Condition).items()
        for length, share in rounded.items()
    ]
    return max(apart) <= 0.1


EXPECTED = """
2026-11-22

Rounding costs little. At every length the share of exact copies lies within .1 of the share that
the grid stored for the same condition and seed.
    _rounding_costs_little()
"""


EXPERIMENT = declared(__name__, measure, lambda: [(conditions(), [SEED])], Condition)
