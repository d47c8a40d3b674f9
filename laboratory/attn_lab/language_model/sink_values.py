"""Is what later tokens find at a language model's first token the same in all texts?

The question. `first_token` puts zeros, or another text's values, in the place of the first token's
values. But the token itself reads them too, so it may become another one and no sink any more:
that is not only what later tokens miss. Here nothing changes but what later ones find:

c_i -> c_i + α_i0 (v' - v_0) for i > 0     with v' = 0, or v' from the next of six texts

in blocks 3 to 11, or 12 to 29. The control: positions 5 and 20. Six passages of 96 symbols for each
seed, as in `first_token`; losses are means of the symbols from the ninth on. `EXPECTED` was written
down after `first_token` had been run with seeds 0 to 2, and after whole values had been exchanged
in the six texts of seed 2: no difference from block 12 on.
"""

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor

from attn_course.models.language_model import Changes, LanguageModel
from attn_course.patching import together
from attn_lab.experiment import SEEDS, declared, results_of
from attn_lab.language_model.first_token import EARLY
from attn_lab.language_model.language import loaded_for, loss_after, random_symbols, symbols_of

LENGTH, POSITIONS = 96, (0, 5, 20)
BLOCKS = {"3 to 11": range(3, 12), "12 to 29": range(12, 30)}
KINDS = ("zeros", "another text's")
RESULTS = results_of(__file__)


def measure(text: str, seed: int) -> dict:
    """What six texts cost, by kind, blocks and position, in nats; and the model's file."""
    model, symbols, digest = loaded_for(RESULTS)
    if text == "random":
        return {"file": digest} | measured(model, random_symbols(model, seed, LENGTH))
    return {"file": digest} | measured(model, symbols_of(symbols, text, seed, LENGTH))


def measured(model: LanguageModel, symbols: Tensor) -> dict:
    """The numbers of `measure`, but the file."""
    plain = loss_after(model, symbols, first=EARLY)

    def cost(kind: str, blocks: range, position: int) -> float:
        there = (block for block in blocks if block < model.shape.blocks)
        changes = together(*(found_instead(kind, position, block) for block in there))
        return loss_after(model, symbols, changes, EARLY) - plain

    return {
        kind: {
            name: {str(at): cost(kind, blocks, at) for at in POSITIONS}
            for name, blocks in BLOCKS.items()
        }
        for kind in KINDS
    }


def found_instead(kind: str, position: int, block: int) -> Changes:
    """What later positions find at one position of a block: nothing, or another text's values."""
    parts = dict[str, Tensor]()

    def look(part: str) -> Changes:
        return {(part, block): lambda output: parts.setdefault(part, output)}

    def change(contexts: Tensor) -> Tensor:
        values = parts["values"][:, :, position]  # (batch group part)
        other = torch.zeros_like(values) if kind == "zeros" else values.roll(1, dims=0)
        added = (other - values).repeat_interleave(contexts.shape[1] // values.shape[1], dim=1)
        weights = parts["weights"][..., position : position + 1].clone()
        weights[:, :, : position + 1] = 0  # what the position finds itself stays
        return contexts + weights * added.unsqueeze(2)

    return together(look("values"), look("weights"), {("found", block): change})


def costs(kind: str, blocks: str, positions: Iterable[int], text: str = "prose") -> np.ndarray:
    """The cost at each of some positions: (seed position)."""
    by_position = [EXPERIMENT.of(kind, text, at=[blocks, str(at)]) for at in positions]
    return np.stack(by_position, axis=1)


EXPECTED = """
2026-11-27

From block 12 on, nothing in the place of what later tokens find at the first token costs at least
.15, on prose and on random symbols; in the place of what they find at another position it costs
less than .05.
    prose: costs("zeros", "12 to 29", [0])[:, 0] >= 0.15
    random: costs("zeros", "12 to 29", [0], "random")[:, 0] >= 0.15
    other positions: (costs("zeros", "12 to 29", [5, 20]) < 0.05).all(axis=1)

From block 12 on, what they would find at another text's first token changes the loss by less than
.02, on prose and on random symbols.
    prose: abs(costs("another text's", "12 to 29", [0]))[:, 0] < 0.02
    random: abs(costs("another text's", "12 to 29", [0], "random"))[:, 0] < 0.02

In blocks 3 to 11 another text's changes the loss by less than .05 too.
    abs(costs("another text's", "3 to 11", [0]))[:, 0] < 0.05
"""


PLAN = [(["prose", "random"], SEEDS)]
EXPERIMENT = declared(__name__, measure, PLAN)
