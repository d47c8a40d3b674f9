"""Why does a language model look at its first token?

The question. In SmolLM2-135M, in 4 bits, much of the weight lies on the first token of a text, as
Xiao et al. (2023) found in larger models: a *sink*. Is it the token, or its place? What does it
hold, is it missed, and what makes a position a sink? Six texts for each seed, of 96 symbols unless
said; a seed redraws all of them.

weight         on the first token: mean of the rows from the ninth on, which have nine or more
               positions to look at, of each head
replaced       the first token is another one, or one is put before the text
length         of the vectors that enter each block, and of the values there: of the first token,
               and the median of the positions from the ninth on
hidden         the first token is hidden from all later ones, in all blocks or from block 13 on, the
               other weights scaled up. The control: other positions are hidden
alone          a later token may read only itself: in all blocks, in the first 12, in the others.
               The control: it may also read the token before
no values      of one position, in blocks 3 to 29, with weights kept: zeros, or the values there in
               another text. The control: other positions
window         of the last 32 positions, and the first ones too. The control: another position too

Losses are means of the symbols from the ninth on; with windows, from the 41st on. Pilots on six
other passages had given most of the numbers when `EXPECTED` was written down, so margins are
narrow; new are what is only another text's value, the blocks in which a token is alone, the token
that may read one other, the position kept instead, and all other texts.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from attn_course import masks
from attn_course.models.language_model import Changes, LanguageModel
from attn_course.patching import position_hidden, together
from attn_lab.experiment import SEEDS, between, declared, every, results_of
from attn_lab.language_model.language import (
    loaded_for,
    loss_after,
    places_hidden,
    random_symbols,
    symbols_of,
)

EARLY = 8  # positions before the first row that counts
OTHERS = (1, 5, 20, 40)  # positions that are hidden for comparison
VALUES_OF = (5, 20)  # positions whose values are taken away for comparison
LATE = 13  # the first block of those in which the first token is a sink
VALUED = 3  # the first block whose values are taken away
SINK = 20  # the position that is made a sink
WINDOW, BEYOND = 32, 40  # and the first symbol whose loss counts then
END_OF_TEXT = 0
RESULTS = results_of(__file__)


class Condition(NamedTuple):
    """What is read, and how many symbols of it."""

    text: str
    length: int


def measure(condition: Condition, seed: int) -> dict:
    """Everything that is measured on six texts; losses in nats.

    file              the SHA-256 of the model's file
    loss              as it is
    weight            on the first token: block, head
    weight on others  on other positions, of the later rows: position -> mean of all heads
    length, value length   of the first token and the others, by block
    entry             the greatest entry of the first token's vector, by block: which, and its share
                      of the squared length
    replaced          what stands first -> weight on it, on the former first, and loss
    hidden, hidden late    position -> loss; in all blocks, or from `LATE` on
    second            where the first is hidden: what `of_position` says of the second token
    alone             what position `SINK` may read -> what `of_position` says of it
    no values, another text's values   position -> loss
    window            what is kept beside the last 32 -> loss; "all" is no window
    """
    model, text, digest = loaded_for(RESULTS)
    if condition.text == "random":
        symbols = random_symbols(model, seed, condition.length)
    else:
        symbols = symbols_of(text, condition.text, seed, condition.length)
    line_break = text.read("\n")[0, 0].item()
    return {"file": digest} | measured(model, symbols, line_break, seed)


def measured(model: LanguageModel, symbols: Tensor, line_break: int, seed: int) -> dict:
    """The numbers of `measure`, but the file."""
    length, blocks = symbols.shape[1], range(model.shape.blocks)
    others = [position for position in OTHERS if position < length]
    late, valued = blocks[LATE:], blocks[VALUED:]
    plain = looked_at(model, symbols)
    without = {at: looked_at(model, symbols, position_hidden(model, at)) for at in (0, *others)}

    def lost(by: Callable[[int], Changes], *positions: int) -> dict[str, float]:
        return {str(at): loss_after(model, symbols, by(at), EARLY) for at in positions}

    return {
        "loss": plain.loss,
        "weight": plain.weight[..., 0].tolist(),
        "weight on others": {str(at): plain.weight[..., at].mean().item() for at in others},
        "length": first_and_others(plain.vectors.norm(dim=-1)),
        "value length": first_and_others(plain.values),
        "entry": greatest_entry(plain.vectors[:, :, 0].square().mean(1)),
        "replaced": replaced(model, symbols, line_break, seed),
        "hidden": {str(at): look.loss for at, look in without.items()},
        "hidden late": lost(lambda at: position_hidden(model, at, late), 0, *others),
        "second": of_position(without[0], 1),
        "alone": {"all": of_position(plain, SINK)} | alone(model, symbols),
        "no values": lost(lambda at: no_values(at, valued), 0, *VALUES_OF),
        "another text's values": lost(lambda at: other_values(at, valued), 0, *VALUES_OF),
    } | ({"window": windows(model, symbols)} if length > BEYOND else {})


class Looked(NamedTuple):
    """What is seen while texts are read.

    weight   (block head position) on each position: mean of the later rows from `EARLY` on
    loss     of the symbols from `EARLY` on
    vectors  (block text position size) that enter each block
    values   (block text position) their mean length in the groups
    """

    weight: Tensor
    loss: float
    vectors: Tensor
    values: Tensor


def looked_at(
    model: LanguageModel, symbols: Tensor, changes: Changes | None = None, first: int = EARLY
) -> Looked:
    """Read texts once and look; losses are those of the symbols from ``first`` on."""
    parts = {part: list[Tensor]() for part in ("weights", "residual", "values")}

    def keep(part: str, what: Callable[[Tensor], Tensor]) -> Changes:
        def look(part_: Tensor) -> Tensor:
            parts[part].append(what(part_))
            return part_

        return {(part, block): look for block in range(model.shape.blocks)}

    looks = (
        keep("weights", on_each),
        keep("residual", torch.clone),
        keep("values", lambda values: values.norm(dim=-1).mean(1)),
    )
    loss = loss_after(model, symbols, together(changes or {}, *looks), first)
    weight, vectors, values = (torch.stack(tables) for tables in parts.values())
    return Looked(weight, loss, vectors, values)


def on_each(weights: Tensor) -> Tensor:
    """The mean weight on each position (head position), of the later rows from `EARLY` on.

    The last position, which no row is behind, has nan.
    """
    behind = torch.ones(weights.shape[-2:]).tril(-1)
    behind[:EARLY] = 0
    return (weights * behind).sum(2).mean(0) / behind.sum(0)


def first_and_others(lengths: Tensor) -> dict[str, list[float]]:
    """By block, the mean length of the first token's vectors and the median of the later ones."""
    return {
        "first": lengths[..., 0].mean(1).tolist(),
        "others": lengths[..., EARLY:].flatten(1).median(1).values.tolist(),
    }


def greatest_entry(squares: Tensor) -> dict[str, list]:
    """Of squared entries (block size): which is the greatest, and its share of their sum."""
    most = squares.max(dim=-1)
    return {"which": most.indices.tolist(), "share": (most.values / squares.sum(-1)).tolist()}


def of_position(looked: Looked, position: int) -> dict[str, float]:
    """Weight on a position and on the first, loss, and the position's length in block `LATE`."""
    vectors = looked.vectors[min(LATE, len(looked.vectors) - 1)]
    return {
        "weight": looked.weight[..., position].mean().item(),
        "first": looked.weight[..., 0].mean().item(),
        "loss": looked.loss,
        "length": vectors[:, position].norm(dim=-1).mean().item(),
    }


def replaced(model: LanguageModel, symbols: Tensor, line_break: int, seed: int) -> dict:
    """Weight on the first token and loss, with another token first or one before it."""
    result = {}
    drawn = random_symbols(model, 100 + seed, 1, len(symbols))
    firsts = {
        "end of text": torch.full_like(drawn, END_OF_TEXT),
        "line break": torch.full_like(drawn, line_break),
        "random symbol": drawn,
    }
    for name, first in firsts.items():
        instead = looked_at(model, torch.cat([first, symbols[:, 1:]], dim=1))
        before = looked_at(model, torch.cat([first, symbols], dim=1), first=EARLY + 1)
        weight, former = before.weight[..., 0].mean().item(), before.weight[..., 1].mean().item()
        result[name] = {"weight": instead.weight[..., 0].mean().item(), "loss": instead.loss}
        result[f"{name} before"] = {"weight": weight, "former": former, "loss": before.loss}
    return result


def alone(model: LanguageModel, symbols: Tensor) -> dict:
    """What becomes of a later token that may read little."""
    blocks = range(model.shape.blocks)
    only_itself = unread(symbols.shape[1], SINK, [])
    kinds = {
        "only itself": places_hidden(model, only_itself),
        "only itself early": places_hidden(model, only_itself, blocks[: LATE - 1]),
        "only itself late": places_hidden(model, only_itself, blocks[LATE - 1 :]),
        "the token before": places_hidden(model, unread(symbols.shape[1], SINK, [SINK - 1])),
    }
    return {
        kind: of_position(looked_at(model, symbols, changes), SINK)
        for kind, changes in kinds.items()
    }


def unread(length: int, target: int, readable: list[int]) -> Tensor:
    """The places of a map that hide all from one position, but itself and some others."""
    places = torch.zeros(length, length, dtype=torch.bool)
    places[target] = True
    places[target, [target, *readable]] = False
    return places


def no_values(position: int, blocks: Iterable[int]) -> Changes:
    """The values at a position are zeros; the weights stay."""
    return _other_values(position, blocks, torch.zeros_like)


def other_values(position: int, blocks: Iterable[int]) -> Changes:
    """The values at a position are those of the next text of the batch; the weights stay."""
    return _other_values(position, blocks, lambda values: values.roll(1, dims=0))


def _other_values(position: int, blocks: Iterable[int], new: Callable[[Tensor], Tensor]) -> Changes:
    def change(values: Tensor) -> Tensor:
        values = values.clone()
        values[..., position, :] = new(values[..., position, :])
        return values

    return {("values", block): change for block in blocks}


def windows(model: LanguageModel, symbols: Tensor) -> dict[str, float]:
    """The loss with a window of the last positions, itself among them, and some kept."""
    length = symbols.shape[1]
    windows_ = {"none": [], "first": [0], "first four": [0, 1, 2, 3], f"position {EARLY}": [EARLY]}
    losses = {"all": loss_after(model, symbols, first=BEYOND)}
    for name, positions in windows_.items():
        places = ~masks.causal(length).triu(1 - WINDOW)
        places[:, positions] = False
        changes = places_hidden(model, places)
        losses[name] = loss_after(model, symbols, changes, BEYOND)
    return losses


# ---- what is made of it


def by_position(number: str, text: str = "prose", length: int = 96) -> dict[str, np.ndarray]:
    """What is lost by position, more than without a change: a value for each seed."""
    plain, runs = EXPERIMENT.of("loss", text, length), EXPERIMENT.of(number, text, length)
    return {at: np.array([run[at] for run in runs]) - plain for at in runs[0]}


def on_first(text: str = "prose", length: int = 96) -> np.ndarray:
    """The weight on the first token (seed block), mean of the heads."""
    return EXPERIMENT.of("weight", text, length).mean(axis=-1)


def of(number: str, *names: str) -> np.ndarray:
    """One value of a nested number on prose, by seed."""
    return EXPERIMENT.of(number, "prose", 96, at=names)


# ---- what was expected

REPLACED = ("end of text", "line break", "random symbol")
PUT_BEFORE = tuple(f"{name} before" for name in REPLACED)


def _most(costs: dict[str, np.ndarray]) -> np.ndarray:
    """What the dearest of the other positions costs, by seed."""
    return np.max([cost for at, cost in costs.items() if at != "0"], axis=0)


def _within(names: Iterable[str], of_what: str, low: float, high: float) -> np.ndarray:
    plain = of("loss") if of_what == "loss" else 0
    return every(between(low, of("replaced", name, of_what) - plain, high) for name in names)


def _elsewhere(text: str, length: int) -> np.ndarray:
    costs = by_position("hidden late", text, length)
    return (on_first(text, length).mean(axis=1) >= 0.25) & (costs["0"] >= 5 * _most(costs))


EXPECTED = """
2026-11-27

On prose the first token has .30 to .40 of all weight, mean of all heads, where even weights would
give .02; less than .1 in each of blocks 0 to 2, and more than .4 in the mean of blocks 13 to 29. On
random symbols it has more than on prose.
    of all: between(0.3, on_first().mean(1), 0.4)
    blocks 0 to 2: (on_first()[:, :3] < 0.1).all(axis=1)
    blocks 13 to 29: on_first()[:, 13:].mean(axis=1) > 0.4
    random: on_first("random").mean(1) > on_first().mean(1)

Whatever token stands first has .30 to .42 of all weight (end of text, a line break, a random
symbol; in the place of the first, or put before it), and the loss stays within .05. Pushed back by
one place, the former first token has less than .05.
    weight: _within((*REPLACED, *PUT_BEFORE), "weight", 0.3, 0.42)
    loss: _within((*REPLACED, *PUT_BEFORE), "loss", -0.05, 0.05)
    former: _within(PUT_BEFORE, "former", 0.0, 0.05)

Where it enters block 13, the first token's vector is longer than 10,000, and the median of the
others shorter than 1,000; one entry has nine tenths of the squared length. In each of blocks 12 to
28 its values are less than half as long as others.
    length: (of("length", "first")[:, 13] > 10_000) & (of("length", "others")[:, 13] < 1_000)
    one entry: of("entry", "share")[:, 13] > 0.9
    values: (of("value length", "first") < of("value length", "others") / 2)[:, 12:29].all(axis=1)

Hidden in all blocks, the first token costs less than .03 more than the dearest of the other
positions; the second then has at least .25 of all weight, and its vector is longer than 10,000.
    cost: by_position("hidden")["0"] < _most(by_position("hidden")) + 0.03
    weight: of("second", "weight") >= 0.25
    length: of("second", "length") > 10_000

Hidden in blocks 13 to 29 alone, the first token costs at least .3, and each other position less
than .05.
    first: by_position("hidden late")["0"] >= 0.3
    others: _most(by_position("hidden late")) < 0.05

A token at position 20 that may read only itself has at least .1 of all weight, and its vector is
longer than 10,000; untouched it has less than .02. In the first twelve blocks alone that is enough;
in the others alone it is not (less than .05). If it may read the token before it as well, it has
less than .05.
    only itself: (of("alone", "only itself", "weight") >= 0.1)
        & (of("alone", "only itself", "length") > 10_000)
    untouched: of("alone", "all", "weight") < 0.02
    first twelve blocks: of("alone", "only itself early", "weight") >= 0.1
    other blocks: of("alone", "only itself late", "weight") < 0.05
    and the token before: of("alone", "the token before", "weight") < 0.05

With zeros for its values in blocks 3 to 29, and weights kept, the first token costs at least .2,
and each other position less than .05. With the values of another text's first token it costs less
than .05: what is needed is the same in all texts.
    zeros: by_position("no values")["0"] >= 0.2
    other positions: _most(by_position("no values")) < 0.05
    another text's: by_position("another text's values")["0"] < 0.05

A window of 32 costs at least .7. With the first token kept it costs less than .35, and position 8
kept instead saves less than a tenth of what the first token saves. Three more first tokens save
less than .1.
    none kept: of("window", "none") - of("window", "all") >= 0.7
    the first: of("window", "first") - of("window", "all") < 0.35
    position 8: of("window", "none") - of("window", "position 8") < (of("window", "none")
        - of("window", "first")) / 10
    three more: of("window", "first") - of("window", "first four") < 0.1

On other texts the first token has at least .25 of all weight too, and hidden in blocks 13 to 29
alone it costs at least five times as much as the dearest other position.
    Python: _elsewhere("source", 96)
    German: _elsewhere("german", 96)
    32 symbols: _elsewhere("prose", 32)
    200 symbols: _elsewhere("prose", 200)
"""


READ = (("prose", 96), ("random", 96), ("source", 96), ("prose", 32), ("prose", 200))
PLAN = [([Condition(*row) for row in READ], SEEDS), ([Condition("german", 96)], SEEDS[:1])]
EXPERIMENT = declared(__name__, measure, PLAN, Condition)
