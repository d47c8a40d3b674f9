"""The translators of the experiment `word_order`, and the pairs that they learn from."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from attn_course.context import context_vectors
from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.decoder import Memory, Sizes, Step, make_score
from attn_course.models.encoder import Encoder
from attn_course.models.translator import Translator, bahdanau, fixed_context, luong
from attn_course.tasks import date_order, names, numbers
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.vocabulary import Vocabulary
from attn_course.training import Settings, train

ATTENTIONS = (
    *("none", "location", "dot", "general", "feeding", "local-m", "local-p"),
    *("bahdanau", "bahdanau-y", "guided"),
)
HIDDEN = 48  # of the additive score's network
HALF_WIDTH = 2  # of a local window, in positions
TEST = 500  # pairs
DIGITS = (3, 4, 5, 6)
LONG = 5  # names in a list that is longer than any trained on


class Task(NamedTuple):
    """A pair of languages: how its pairs are drawn and what is known about them.

    draw         (count, seed, "train" or "test") -> pairs
    count        pairs to train on
    batch_size   pairs per step
    """

    draw: Callable[[int, int, str], list]
    vocabularies: Callable[[], tuple[Vocabulary, Vocabulary]]
    gold_sure: Callable[..., np.ndarray]
    gold_possible: Callable[..., np.ndarray]
    count: int
    batch_size: int


TASKS = {
    "numbers": Task(
        lambda count, seed, split: numbers.number_pairs(count, seed, DIGITS, "de", split),
        lambda: numbers.number_vocabularies("de"),
        *(numbers.gold_sure, numbers.gold_possible, 8_000, 64),
    ),
    "names": Task(
        lambda count, seed, split: names.name_pairs(count, seed, split=split),
        names.name_vocabularies,
        *(names.gold_sure, names.gold_possible, 12_000, 32),
    ),
    "dates": Task(
        date_order.order_pairs,
        date_order.order_vocabularies,
        *(date_order.gold_sure, date_order.gold_possible, 8_000, 64),
    ),
}


class Design(NamedTuple):
    """One translator: the task, one of `ATTENTIONS`, and the directions of the encoder."""

    task: str
    attention: str
    directions: int = 2


class AsksWithBoth(BahdanauDecoder):
    """Bahdanau's decoder, but the piece that it wrote last takes part in its question.

    e_ij = a([s_{i-1} ; y_{i-1}], h_j)
    """

    def __init__(self, sizes: Sizes):
        super().__init__(sizes)
        query_size = sizes.state_size + sizes.embedding_size
        self.score = make_score("additive", query_size, sizes.annotation_size, HIDDEN, 0)

    def step(self, previous_state: Tensor, previous: Tensor, memory: Memory[Tensor]) -> Step:
        """Look with both, and then move as Bahdanau's decoder does."""
        weights = self.look(torch.cat([previous_state, previous], dim=-1), memory)
        context = context_vectors(weights, memory.annotations).squeeze(1)
        state = self.cell(torch.cat([previous, context], dim=-1), previous_state)
        return Step(state, context, weights.squeeze(1))


def build(design: Design) -> Translator:
    """An untrained translator; annotations have 96 entries, with one direction or two."""
    if design.task not in TASKS or design.attention not in ATTENTIONS:
        raise ValueError(
            f"task must be one of {tuple(TASKS)}, attention one of {ATTENTIONS}; got {design}"
        )
    sizes = [len(vocabulary) for vocabulary in TASKS[design.task].vocabularies()]
    kind, encoder = design.attention, 96 // design.directions
    if kind == "none":
        return fixed_context(*sizes)
    if kind == "bahdanau":
        return bahdanau(*sizes, encoder_size=encoder, directions=design.directions)
    if kind == "bahdanau-y":
        reads = Encoder(sizes[0], 48, encoder, directions=design.directions)
        decoder = AsksWithBoth(Sizes(sizes[1], 16, 96, 96, directions=design.directions))
        return Translator(reads, decoder)
    return luong(
        *sizes,
        kind if kind in ("location", "dot") else "general",
        encoder_size=encoder,
        directions=design.directions,
        attention=kind if kind.startswith("local-") else "global",
        half_width=HALF_WIDTH,
        input_feeding=kind == "feeding",
    )


def trained(design: Design, epochs: int, rate: float, seed: int) -> tuple[Translator, int]:
    """One trained translator, and its number of steps. The seed draws start, order and pairs."""
    settings = Settings(
        epochs=epochs,
        batch_size=TASKS[design.task].batch_size,
        learning_rate=rate,
        guidance=float(design.attention == "guided"),
    )
    model, history = train(
        lambda: build(design), corpus(design.task, seed), seed=seed, settings=settings
    )
    return model, len(history.losses)


@lru_cache(maxsize=12)
def training_pairs(task: str, seed: int) -> list:
    """The pairs that a seed trains on."""
    return TASKS[task].draw(TASKS[task].count, seed, "train")


@lru_cache(maxsize=12)
def corpus(task: str, seed: int) -> Corpus:
    """The same pairs, with their sure links, as a corpus."""
    kind = TASKS[task]
    return Corpus(training_pairs(task, seed), *kind.vocabularies(), gold=kind.gold_sure)


@lru_cache(maxsize=12)
def test_pairs(task: str, seed: int) -> list:
    """Pairs of numbers, of currencies or of days that no seed trains on."""
    return TASKS[task].draw(TEST, 1_000 + seed, "test")


@lru_cache(maxsize=4)
def long_pairs(seed: int) -> list[names.NamePair]:
    """Lists of five names; the longest that is trained on has three."""
    return names.name_pairs(200, 1_000 + seed, items=(LONG,), split="test")


def validation_pairs(task: str, seed: int) -> list:
    """Pairs that are neither among the training pairs of a seed nor on the test side."""
    trained_on = {pair.source for pair in training_pairs(task, seed)}
    drawn = TASKS[task].draw(1_500, 1_000 + seed, "train")
    return [pair for pair in drawn if pair.source not in trained_on][:1_000]
