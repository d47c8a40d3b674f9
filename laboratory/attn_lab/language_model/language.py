"""What the experiments on a trained language model share: its file, texts, losses, other heads.

Texts are `PASSAGES` passages for each seed, cut to one length. "prose" is of this book's chapters,
"source" of its package, and "german" was written for it, so the model cannot have read any of them.
They are copied into ``passages.json``, and do not change when the book does. "random" is
symbols drawn evenly.
"""

import functools
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

from attn_course.interventions import hidden
from attn_course.models.language_file import Loaded, Text, load
from attn_course.models.language_model import Changes, LanguageModel, Place
from attn_course.patching import Head, recorded
from attn_lab.grid import GridError, stored_cells

PASSAGES = 6
STORED = Path(__file__).parent / "passages.json"  # prose for 8 seeds, source 3, german 1
CONTROL_SYMBOLS = 17  # the first ones of the file, such as <|endoftext|>, which no text contains


@functools.cache
def loaded() -> Loaded:
    """The model, read once in each process; a GridError says how to get it where it is missing."""
    try:
        return load()
    except (FileNotFoundError, ModuleNotFoundError) as missing:
        raise GridError(str(missing)) from None


def loaded_for(results: Path) -> Loaded:
    """The model, if the stored results are those of the same file; otherwise a GridError."""
    model = loaded()
    for cell in stored_cells(results):
        if (other := cell["numbers"]["file"]) != model.digest:
            text = f"{results.name} holds results of another model file (SHA-256 {other[:12]}…)"
            raise GridError(f"{text}; this one is {model.digest[:12]}…")
    return model


# ---- texts


def passages(kind: str, seed: int) -> list[str]:
    """The passages of one seed; other seeds have others."""
    chosen = json.loads(STORED.read_text(encoding="utf-8"))[kind]
    if not 0 <= seed < len(chosen) // PASSAGES:
        raise ValueError(f"{kind} has passages for {len(chosen) // PASSAGES} seeds; got {seed}")
    return chosen[PASSAGES * seed : PASSAGES * (seed + 1)]


def symbols_of(text: Text, kind: str, seed: int, length: int) -> Int[Tensor, "batch position"]:
    """The first symbols of each passage of a kind; a passage that is too short is a ValueError."""
    rows = [text.read(passage)[0, :length] for passage in passages(kind, seed)]
    if (shortest := min(map(len, rows))) < length:
        raise ValueError(f"passages must have {length} symbols; got {shortest}")
    return torch.stack(rows)


def random_symbols(
    model: LanguageModel, seed: int, length: int, count: int = PASSAGES
) -> Int[Tensor, "batch position"]:
    """Symbols drawn evenly, without `CONTROL_SYMBOLS`."""
    drawn = torch.Generator().manual_seed(seed)
    ends = CONTROL_SYMBOLS, model.shape.symbols
    return torch.randint(*ends, (count, length), generator=drawn)


# ---- losses


@torch.inference_mode()
def losses(
    model: LanguageModel, symbols: Int[Tensor, "batch position"], changes: Changes | None = None
) -> Float[Tensor, "batch later"]:
    """The loss of each symbol but the first, in nats: -ln p(y_i | y_1 .. y_{i-1})."""
    logits = model(symbols, changes=changes).logits[:, :-1]
    return F.cross_entropy(logits.mT, symbols[:, 1:], reduction="none")


def loss_after(
    model: LanguageModel,
    symbols: Int[Tensor, "batch position"],
    changes: Changes | None = None,
    first: int = 1,
) -> float:
    """The mean loss of the symbols from position ``first`` on, counted from 0."""
    return losses(model, symbols, changes)[:, first - 1 :].mean().item()


# ---- changes


def means_of(
    model: LanguageModel,
    symbols: Int[Tensor, "batch position"],
    blocks: Iterable[int] | None = None,
) -> dict[Place, Tensor]:
    """What each head finds on average in some texts, as `patching.heads_replaced` takes it."""
    chosen = range(model.shape.blocks) if blocks is None else blocks
    contexts = recorded(model, symbols, [("found", block) for block in chosen])
    return {place: part.mean((0, 2), keepdim=True) for place, part in contexts.items()}


def places_hidden(
    model: LanguageModel, places: Bool[Tensor, "target source"], blocks: Iterable[int] | None = None
) -> Changes:
    """Hide places of every map; the other weights are scaled up to sum to 1 again."""

    def change(weights: Tensor) -> Tensor:
        rows = weights.flatten(0, 1)
        return hidden(rows, places.expand_as(rows)).view_as(weights)

    chosen = range(model.shape.blocks) if blocks is None else blocks
    return {("weights", block): change for block in chosen}


def others_of_their_blocks(
    heads: Iterable[Head], rng: np.random.Generator, heads_a_block: int
) -> list[Head]:
    """As many heads drawn at random from each block, without those given: their rivals."""
    chosen = set(heads)
    drawn = list[Head]()
    for block, count in sorted(Counter(block for block, _ in chosen).items()):
        left = [head for head in range(heads_a_block) if (block, head) not in chosen]
        if len(left) < count:
            raise ValueError(f"block {block} has {len(left)} other heads, fewer than {count}")
        drawn += [(block, int(head)) for head in rng.choice(left, count, replace=False)]
    return drawn
