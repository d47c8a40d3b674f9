"""The date readers of the experiment `transformer_parts`: a Transformer, and each part left out."""

import time
from typing import NamedTuple

import torch

from attn_course.models.translator import Translator, luong, one_sequence, transformer
from attn_course.training import History, Settings, train
from attn_lab.experiment import RateSearch, results_of
from attn_lab.rates import FIRST
from attn_lab.reading_dates.learnt_models import corpus, exact, unseen, vocabularies

# what differs from the whole Transformer
CHANGES = {
    "whole": {},
    "no positions": {"positions": "none"},
    "sinusoidal": {"positions": "sinusoidal"},
    "learned": {"positions": "learned"},
    "no residual": {"residual": False},
    "no norm": {"norm": "none"},
    "post-norm": {"norm": "post"},
    "one head": {"heads": 1},
    "no feed-forward": {"feed_forward": False},
    "no causal mask": {"causal": False},
    "whole, no warm-up": {},
    "post-norm, no warm-up": {"norm": "post"},
    "six layers": {"encoder_layers": 6},
    "six layers, post-norm": {"encoder_layers": 6, "norm": "post"},
    "six layers, no norm": {"encoder_layers": 6, "norm": "none"},
    "six layers, no warm-up": {"encoder_layers": 6},
    "six layers, post-norm, no warm-up": {"encoder_layers": 6, "norm": "post"},
}
# the same for the blocks without an encoder
ONE_SEQUENCE = {
    "one sequence": {},
    "one sequence, no positions": {"positions": "none"},
    "one sequence, prefix": {"prefix": True},
    "one sequence, prefix, no positions": {"prefix": True, "positions": "none"},
}
KINDS = (*CHANGES, *ONE_SEQUENCE, "luong")
WARM_UP = 150  # steps, of Transformers
BATCH = 40  # dates per step, of Transformers; recurrent readers have the 96 of chapter 05


class Reader(NamedTuple):
    """One of `KINDS`, the number of epochs, and the learning rate."""

    kind: str
    epochs: int
    rate: float


def build(kind: str) -> Translator:
    """An untrained date reader."""
    sizes = [len(vocabulary) for vocabulary in vocabularies()]
    if kind in CHANGES:
        return transformer(*sizes, **CHANGES[kind])
    if kind in ONE_SEQUENCE:
        return one_sequence(*sizes, **ONE_SEQUENCE[kind])
    if kind != "luong":
        raise ValueError(f"kind must be one of {KINDS}; got {kind!r}")
    return luong(*sizes)


def settings(reader: Reader) -> Settings:
    """How a reader is trained; recurrent ones as in chapter 05."""
    shared = {"epochs": reader.epochs, "learning_rate": reader.rate}
    if reader.kind == "luong":
        return Settings(**shared, batch_size=96)
    warm_up = 1 if reader.kind.endswith("no warm-up") else WARM_UP
    return Settings(**shared, batch_size=BATCH, warm_up=warm_up)


def trained(reader: Reader, seed: int) -> tuple[Translator, History, float]:
    """One reader, its history, and the CPU seconds. The seed redraws everything, dates too."""
    dates = corpus(seed)
    begun = time.process_time()
    model, history = train(lambda: build(reader.kind), dates, seed=seed, settings=settings(reader))
    return model, history, time.process_time() - begun


def attentions(model: Translator) -> list[torch.nn.Module]:
    """The encoder's, by layer; the decoder's on itself; the decoder's on the source."""
    decoder = model.decoder.blocks[0]
    return [*(block.inside for block in model.encoder.blocks), decoder.inside, decoder.across]


@torch.no_grad()
def silence(attention: torch.nn.Module, head: int) -> None:
    """Silence one head, by zeros in the columns of W_o that read what it finds."""
    part = attention.size // attention.heads
    attention.output_projection.weight[:, head * part : (head + 1) * part] = 0.0


def misread(reader: Reader, seed: int) -> dict[str, float]:
    """The share of unseen dates not read, 1 if training broke down; by it a rate is chosen."""
    try:
        model, _, _ = trained(reader, seed)
    except FloatingPointError:
        return {"misread": 1.0}
    return {"misread": 1 - exact(model, unseen(seed))}


def first_rates(kind: str, epochs: int) -> tuple[float, ...]:
    """Where a search begins: Transformers learn at smaller rates."""
    return FIRST if kind == "luong" else (0.003, 0.006, 0.012)


EPOCHS = 2  # of the search; the best rate is kept for more
RATES = RateSearch(
    Reader, misread, results_of("transformer_rates"), judge="misread", first=first_rates, seeds=(9,)
)


def best_rate(kind: str) -> float:
    """The rate of a reader, whatever the number of its epochs."""
    return RATES.best(kind, EPOCHS)
