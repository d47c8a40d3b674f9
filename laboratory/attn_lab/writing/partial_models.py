"""The model of `attn_course.from_scratch.gpt` with parts left out, and how it is trained."""

import time
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course.from_scratch import gpt
from attn_lab.writing.signs import Text

SIZE, LENGTH, BATCH = 64, 64, 8
WARM_UP = 0.05  # of the training


class Parts(NamedTuple):
    """What a model is made of.

    looks    "looks", "mean" (of the past, without weights) or "none"
    network  in each block, after attention
    """

    looks: str = "looks"
    heads: int = 4
    rotary: bool = True
    network: bool = True
    blocks: int = 2
    norms: bool = True
    tied: bool = True
    mask: bool = True


class Partial(gpt.LanguageModel):
    """With all parts, the class that it is made from."""

    def __init__(self, parts: Parts, tokens: int):
        if parts.looks not in (known := ("looks", "mean", "none")):
            raise ValueError(f"looks must be one of {list(known)}; got {parts.looks!r}")
        heads = {"heads": parts.heads, "groups": parts.heads}
        super().__init__(gpt.Config(tokens, size=SIZE, blocks=parts.blocks, **heads))
        self.parts = parts
        self.readout = self.embedding if parts.tied else nn.Linear(SIZE, tokens, bias=False)
        if not parts.norms:
            self.norm = nn.Identity()
            for block in self.blocks:
                block.norm1 = block.norm2 = nn.Identity()

    def forward(self, tokens: Tensor) -> Tensor:
        """A score for each token that may be next: (batch position token)."""
        x = self.embedding(tokens)
        for block in self.blocks:
            if self.parts.looks != "none":
                x = x + self.attended(block.attention, block.norm1(x))
            if self.parts.network:
                y = block.norm2(x)
                x = x + block.down(F.silu(block.gate(y)) * block.up(y))
        return self.norm(x) @ self.readout.weight.T

    def attended(self, attention: gpt.Attention, x: Tensor) -> Tensor:
        """What attention, or a mean, adds to each position."""
        if self.parts.looks == "mean":
            v = attention.v(x)
            return attention.o(v.cumsum(1) / torch.arange(1, v.shape[1] + 1)[:, None])
        q, k, v = (
            gpt.split(make(x), attention.d) for make in (attention.q, attention.k, attention.v)
        )
        if self.parts.rotary:
            q, k = gpt.rotate(q, 0, attention.base), gpt.rotate(k, 0, attention.base)
        look = gpt.attend if self.parts.mask else F.scaled_dot_product_attention
        return attention.o(look(q, k, v).transpose(1, 2).flatten(2))


def next_token_loss(model: nn.Module, rows: Tensor, reduction: str = "mean") -> Tensor:
    """What each token but the first of a row was worth to the model, in nats."""
    logits = model(rows[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten(), reduction=reduction)


class Training:
    """A model, a text and an optimiser; ``step`` is told which part of the training is over."""

    def __init__(self, parts: Parts, text: Text, rate: float, seed: int):
        torch.manual_seed(seed)
        self.model, self.text, self.rate = Partial(parts, len(text.tokens)), text, rate
        self.drawn = torch.Generator().manual_seed(seed)
        self.optimiser = torch.optim.AdamW(
            self.model.parameters(), betas=(0.9, 0.99), weight_decay=0.1, fused=True
        )
        self.steps, self.seconds, self.loss = 0, 0.0, 0.0

    def step(self, over: float) -> None:
        """One step at the rate of this moment, which rises, and falls to zero."""
        begun = time.process_time()
        self.optimiser.param_groups[0]["lr"] = self.rate * min(1, over / WARM_UP) * (1 - over)
        loss = next_token_loss(self.model, rows(self.text.training, self.drawn))
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.steps, self.loss = self.steps + 1, loss.item()
        self.seconds += time.process_time() - begun

    def held_out(self) -> float:
        """The loss on the text that is held out, in nats per character."""
        return held_out(self.model, self.text)


def rows(tokens: Tensor, drawn: torch.Generator) -> Tensor:
    """Stretches of a text, from anywhere in it: (batch position), one more than the model reads."""
    starts = torch.randint(len(tokens) - LENGTH, (BATCH, 1), generator=drawn)
    return tokens[starts + torch.arange(LENGTH + 1)]


@torch.no_grad()
def held_out(model: nn.Module, text: Text) -> float:
    """The loss on the text that is held out, cut into stretches, in nats per character."""
    whole = text.held_out.unfold(0, LENGTH + 1, LENGTH)
    nats = sum(next_token_loss(model, part, "sum").item() for part in whole.split(64))
    return nats / (whole.shape[0] * LENGTH) * len(text.held_out) / text.characters
