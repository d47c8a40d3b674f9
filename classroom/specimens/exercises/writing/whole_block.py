import torch
from torch.nn import functional as F


def by_linear(x, norm, attention, gate, up, down):
    stream = attention(norm(x)) + x
    read = norm(stream)
    return F.linear(F.silu(F.linear(read, gate)) * F.linear(read, up), down) + stream


def by_position(x, norm, attention, gate, up, down):
    x = x + attention(norm(x))
    rows = []
    for position in x:
        y = norm(position)
        opened = gate @ y
        rows.append(position + down @ (opened * torch.sigmoid(opened) * (up @ y)))
    return torch.stack(rows)
