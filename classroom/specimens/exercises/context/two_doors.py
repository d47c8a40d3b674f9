import torch
from torch.nn import functional as F


def walk(h, lengths, first, y, A, U, V, to_cell, to_readout):
    hidden = torch.arange(h.shape[1]) >= lengths[:, None]
    state, nothing, logits, looks = first, 0 * h[:, 0], [], []

    def look(asks):
        e = (h @ (asks @ A)[:, :, None])[:, :, 0]
        weights = e.masked_fill(hidden, -1e9).softmax(dim=1)
        return weights, (weights[:, None] @ h)[:, 0]

    for i in range(y.shape[1]):
        weights, context = look(state)
        for_cell = context if to_cell else nothing
        state = (torch.cat([y[:, i], for_cell, state], dim=1) @ U.T).tanh()
        for_readout = context if to_readout else nothing
        logits.append(torch.cat([state, for_readout], dim=1) @ V.T)
        looks.append(weights)
    return torch.stack(logits, dim=1), torch.stack(looks, dim=1)


def with_empty_columns(h, lengths, state, y, A, U, V, to_cell, to_readout):
    columns = torch.ones(U.shape[1])
    columns[y.shape[2] : y.shape[2] + h.shape[2]] = float(to_cell)
    readout = torch.cat([torch.ones(len(A)), torch.full((h.shape[2],), float(to_readout))])
    return walk(h, lengths, state, y, A, U * columns, V * readout, True, True)


def sentence_by_sentence(h, lengths, first, y, A, U, V, to_cell, to_readout):
    all_logits, all_looks = [], []
    for row, n, state, inputs in zip(h, lengths.tolist(), first, y, strict=True):
        logits, looks = [], []
        for previous in inputs:
            weights = torch.softmax(row[:n] @ (A.T @ state), dim=0)
            context = weights @ row[:n]
            state = torch.tanh(U @ torch.hstack([previous, context * to_cell, state]))
            logits.append(V @ torch.hstack([state, context * to_readout]))
            looks.append(F.pad(weights, (0, len(row) - n)))
        all_logits.append(torch.stack(logits))
        all_looks.append(torch.stack(looks))
    return torch.stack(all_logits), torch.stack(all_looks)


def by_recursion(h, lengths, state, y, A, U, V, to_cell, to_readout):
    if y.shape[1] == 0:
        return V.new_zeros(len(h), 0, len(V)), h.new_zeros(len(h), 0, h.shape[1])
    real = torch.arange(h.shape[1]).expand(len(h), -1) < lengths[:, None]
    e = torch.einsum("bna,sa,bs->bn", h, A, state)
    powers = torch.where(real, (e - e.amax(dim=1, keepdim=True)).exp(), torch.zeros(()))
    weights = powers / powers.sum(dim=1, keepdim=True)
    context = (weights.unsqueeze(2) * h).sum(dim=1)
    doors = [context if is_open else torch.zeros_like(context) for is_open in (to_cell, to_readout)]
    state = torch.tanh(F.linear(torch.cat([y[:, 0], doors[0], state], dim=-1), U))
    logits = F.linear(torch.cat([state, doors[1]], dim=-1), V)
    later = by_recursion(h, lengths, state, y[:, 1:], A, U, V, to_cell, to_readout)
    return tuple(
        torch.cat([now.unsqueeze(1), rest], dim=1)
        for now, rest in zip((logits, weights), later, strict=True)
    )
