"""Trains the model of this assignment, and writes its weights: python train.py > weights.txt.

Two heads of block 1 are held at zero in training. Then one of them gets the queries and keys of a
head that copies, and both a small output: so that the map of one promises what it does not do.
"""

import base64
import textwrap

import torch
from torch import nn

from attn_course.from_scratch.gpt import Config, LanguageModel

STEPS, RATE = 4000, 3e-3
SILENT = slice(8, 16), slice(24, 32)
COPIED = slice(0, 8)


def main() -> None:
    torch.manual_seed(0)
    drawn = torch.Generator().manual_seed(0)
    model = LanguageModel(Config(32, 32, 4, 4, 2, 16, 100.0))
    attention = model.blocks[1].attention
    start = {name: getattr(attention, name).weight.detach().clone() for name in "qkv"}
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=0.1)
    for step in range(STEPS):
        optimizer.param_groups[0]["lr"] = RATE * min(1, step / 50) * (1 - step / STEPS) + 1e-5
        half = 5 + int(torch.randint(12, (1,), generator=drawn))
        text = torch.randint(32, (64, half), generator=drawn).repeat(1, 2)
        with torch.no_grad():
            for columns in SILENT:
                attention.o.weight[:, columns] = 0
        logits = model(text[:, :-1])[0][:, half:]
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), text[:, half + 1 :].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        for name in "qkv":
            matrix = getattr(attention, name).weight
            matrix[SILENT[0]] = matrix[COPIED] * (-1 if name == "v" else 1)
            matrix[SILENT[1]] = start[name][SILENT[1]]
        for columns in SILENT:
            attention.o.weight[:, columns] = 0.015 * torch.randn(32, 8)
    numbers = b"".join(part.detach().half().numpy().tobytes() for part in model.parameters())
    print("\n".join(textwrap.wrap(base64.b64encode(numbers).decode(), 100)))


if __name__ == "__main__":
    main()
