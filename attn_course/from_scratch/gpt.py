"""A language model: every position asks those before it, block by block.

    x <- x + W_o [head_1 ; .. ; head_H]    head = softmax(q · k / √d) v
    x <- x + W_2 (silu(W_g x) ∘ W_1 x)     both of norm(x)
    p(next token) = softmax(E norm(x))     positions by rotation, a causal mask
          Vaswani et al. 2017; Su et al. 2021; Shazeer 2020; Touvron et al. 2023

Tensors of tokens are (batch, position); of heads (batch, head, position, d).
"""

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.functional import silu


@dataclass
class Config:
    tokens: int
    size: int = 64  # of a position's vector
    heads: int = 4
    groups: int = 4  # of keys and values; the heads of a group share them
    blocks: int = 2
    hidden: int = 172  # of the feed-forward network
    base: float = 10_000.0  # of the rotations
    epsilon: float = 1e-5  # of the norms


def split(x, d):
    return x.unflatten(-1, (-1, d)).transpose(1, 2)  # (.., head, position, d)


def attend(q, k, v):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    asking, asked = scores.shape[-2:]
    future = torch.ones_like(scores).triu(1 + asked - asking).bool()
    return scores.masked_fill(future, -torch.inf).softmax(-1) @ v


def rotate(x, first, base):
    pairs = torch.arange(x.shape[-1] // 2, device=x.device)
    positions = torch.arange(first, first + x.shape[-2], device=x.device)
    angles = positions[:, None] * base ** (-pairs / len(pairs))
    a, b = x[..., ::2], x[..., 1::2]
    cos, sin = angles.cos(), angles.sin()
    turned = a * cos - b * sin, a * sin + b * cos
    return torch.stack(turned, -1).flatten(-2)


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.d, self.base = config.size // config.heads, config.base
        self.q = nn.Linear(config.size, config.size, bias=False)
        self.k = nn.Linear(config.size, config.groups * self.d, bias=False)
        self.v = nn.Linear(config.size, config.groups * self.d, bias=False)
        self.o = nn.Linear(config.size, config.size, bias=False)

    def forward(self, x, past=None):
        q, k, v = (split(make(x), self.d) for make in (self.q, self.k, self.v))
        first = 0 if past is None else past.shape[-2]
        q, k = rotate(q, first, self.base), rotate(k, first, self.base)
        new = torch.stack([k, v])
        kept = new if past is None else torch.cat([past, new], -2)
        return self.o(attend(q, *kept).transpose(1, 2).flatten(2)), kept


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.norm1 = nn.RMSNorm(config.size, config.epsilon)
        self.attention = Attention(config)
        self.norm2 = nn.RMSNorm(config.size, config.epsilon)
        self.gate = nn.Linear(config.size, config.hidden, bias=False)
        self.up = nn.Linear(config.size, config.hidden, bias=False)
        self.down = nn.Linear(config.hidden, config.size, bias=False)

    def forward(self, x, past=None):
        found, kept = self.attention(self.norm1(x), past)
        x = x + found
        y = self.norm2(x)
        return x + self.down(silu(self.gate(y)) * self.up(y)), kept


class LanguageModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embedding = nn.Embedding(config.tokens, config.size)
        nn.init.normal_(self.embedding.weight, std=0.1)  # the readout, too
        self.blocks = nn.ModuleList(map(Block, [config] * config.blocks))
        self.norm = nn.RMSNorm(config.size, config.epsilon)

    def forward(self, tokens, cache=None):
        x, kept = self.embedding(tokens), []
        for i, block in enumerate(self.blocks):
            x, new = block(x, cache[i] if cache else None)
            kept.append(new)
        return self.norm(x) @ self.embedding.weight.T, kept


@torch.no_grad()
def generate(model, tokens, count, temperature=0.0, top=None):
    new, cache = tokens, None
    for _ in range(count):
        logits, cache = model(new, cache)
        logits = logits[:, -1]
        if top:
            logits[logits < logits.topk(top).values[:, -1:]] = -torch.inf
        if temperature:
            new = torch.multinomial((logits / temperature).softmax(-1), 1)
        else:
            new = logits.argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, new], 1)
    return tokens


if __name__ == "__main__":
    from attn_course.from_scratch.run import continue_text

    continue_text(Config, LanguageModel, generate)
