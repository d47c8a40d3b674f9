"""Read a text once with a language model, then once more from a block on, as often as asked.

A change inside block 16 leaves the blocks before it as they were, and a change at the fifth
position the four before it. So these are read once.
"""

import torch
from torch import Tensor

from attn_course.models.language_model import Changes, LanguageModel, Part, Place
from attn_course.models.transformer import Cache
from attn_course.self_attention import Kept

EVERY = slice(None)


def places(model: LanguageModel, part: Part) -> list[Place]:
    """One part of every block."""
    return [(part, block) for block in range(model.shape.blocks)]


@torch.inference_mode()
def read_before(model: LanguageModel, symbols: Tensor, batch: int) -> Cache:
    """The cache of symbols (1 position) that stand before each of ``batch`` texts."""
    layers = model(symbols).cache.layers
    return Cache(tuple(Kept(*(x.expand(batch, -1, -1, -1) for x in layer)) for layer in layers))


class Reading:
    """What a model computes while it reads symbols (batch position), which follow a cache.

    ``seen`` has the residuals of all blocks, and the other places that were asked for.
    """

    @torch.inference_mode()
    def __init__(
        self,
        model: LanguageModel,
        symbols: Tensor,
        also: tuple[Part, ...] = (),
        before: Cache | None = None,
    ):
        self.model, self.symbols = model, symbols
        self.before = model.empty(len(symbols)) if before is None else before
        self.seen = dict[Place, Tensor]()
        wanted = [place for part in ("residual", *also) for place in places(model, part)]
        model(symbols, self.before, {place: self._look(place) for place in wanted})

    def _look(self, place: Place):
        return lambda part: self.seen.setdefault(place, part)

    def of(self, part: Part) -> dict[Place, Tensor]:
        """What was seen of one part, by block."""
        return {place: part_ for place, part_ in self.seen.items() if place[0] == part}

    @torch.inference_mode()
    def logits(self, changes: Changes | None = None, at: slice = EVERY) -> Tensor:
        """As those of `LanguageModel.forward`, at some positions: (batch position symbol)."""
        changes, model = changes or {}, self.model
        first = min((block for _, block in changes), default=model.shape.blocks - 1)
        written, end = self.before.written, self.before.written + self.symbols.shape[1]
        turns, readable = model.places(written, end)
        vectors = self.seen["residual", first]
        for number in range(first, model.shape.blocks):

            def changed(part: Part, vectors: Tensor, number: int = number) -> Tensor:
                change = changes.get((part, number))
                return vectors if change is None else change(vectors)

            earlier = self.before.layers[number]
            vectors, _ = model.blocks[number](vectors, turns, earlier, readable, changed)
        return model.readout(model.norm(vectors[:, at]))

    @torch.inference_mode()
    def losses(self, changes: Changes | None = None, at: slice = EVERY) -> Tensor:
        """-ln p of the symbol that follows each of these positions, in nats: (batch position)."""
        wanted = self.symbols.roll(-1, dims=1)[:, at]
        chances = self.logits(changes, at).log_softmax(dim=-1)
        return -chances.gather(-1, wanted.unsqueeze(-1)).squeeze(-1)
