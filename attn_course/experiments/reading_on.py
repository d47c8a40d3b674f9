"""Read a text once with a language model, then once more from a block on, as often as asked.

A change inside block 16 leaves the blocks before it as they were. So they are read once.
"""

from functools import cache

import torch
from torch import Tensor

from attn_course import masks
from attn_course.models.language_file import Loaded, load
from attn_course.models.language_model import Changes, LanguageModel, Place
from attn_course.patching import recorded

EVERY = slice(None)


@cache
def language_model() -> Loaded:
    """The model of the file, read once in each process."""
    return load()


def places(model: LanguageModel, part: str) -> list[Place]:
    """One part of every block."""
    return [(part, block) for block in range(model.shape.blocks)]


class Reading:
    """What a model computes while it reads symbols (batch position), with changes or without."""

    def __init__(self, model: LanguageModel, symbols: Tensor):
        self.model, self.symbols = model, symbols
        self._residuals = recorded(model, symbols, places(model, "residual"))

    @torch.inference_mode()
    def logits(self, changes: Changes | None = None, at: slice = EVERY) -> Tensor:
        """As those of `LanguageModel.forward`, at some positions: (batch position symbol)."""
        changes, model = changes or {}, self.model
        first = min((block for _, block in changes), default=model.shape.blocks - 1)
        batch, count = self.symbols.shape
        vectors, nothing = self._residuals["residual", first], model.empty(batch).layers[0]
        positions, readable = torch.arange(count), masks.causal(count)

        def changed(part: str, vectors: Tensor, block: int) -> Tensor:
            change = changes.get((part, block))
            return vectors if change is None else change(vectors)

        for number in range(first, model.shape.blocks):
            vectors, _ = model.blocks[number](
                vectors, positions, nothing, readable, lambda *what, n=number: changed(*what, n)
            )
        return model.readout(model.norm(vectors[:, at]))

    def losses(self, changes: Changes | None = None, at: slice = EVERY) -> Tensor:
        """-ln p of the symbol that follows each of these positions, in nats: (batch position)."""
        wanted = self.symbols.roll(-1, dims=1)[:, at]
        chances = self.logits(changes, at).log_softmax(dim=-1)
        return -chances.gather(-1, wanted.unsqueeze(-1)).squeeze(-1)
