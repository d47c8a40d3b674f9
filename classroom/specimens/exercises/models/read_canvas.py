import itertools
import math

import torch

from attn_course.models.trunk import position_code


def _places(rows, columns):
    """[x, y, sin 3x, cos 3x] of each cell, by loops."""
    codes = []
    for r in range(rows):
        for k in range(columns):
            x, y = 2 * (k + 0.5) / columns - 1, 2 * (r + 0.5) / rows - 1
            codes.append([x, y, math.sin(3 * x), math.cos(3 * x)])
    return torch.tensor(codes)


def _annotate(features, code=_places):
    rows, columns, channels = features.shape
    return torch.cat([features.reshape(-1, channels), code(rows, columns)], dim=1)


def walk(features, start, score, cell, readout, end, longest):
    h = _annotate(features)
    state, symbols, looks = start, [], []
    for _ in range(longest):
        weights = score(state, h).softmax(0)
        context = weights @ h
        state = cell(context, state)
        looks.append(weights.reshape(features.shape[:2]))
        symbols.append(int(readout(torch.cat([context, state])).argmax()))
        if symbols[-1] == end:
            symbols.pop()
            break
    return symbols, torch.stack(looks)


def recursive(features, start, score, cell, readout, end, longest):
    h = _annotate(features, position_code)

    def go_on(state, left):
        if not left:
            return [], []
        weights = torch.softmax(score(state, h), dim=0)
        context = (weights[:, None] * h).sum(dim=0)
        state = cell(context, state)
        symbol = readout(torch.hstack([context, state])).argmax().item()
        look = weights.unflatten(0, features.shape[:2])
        if symbol == end:
            return [], [look]
        symbols, looks = go_on(state, left - 1)
        return [symbol, *symbols], [look, *looks]

    symbols, looks = go_on(start, longest)
    return symbols, torch.stack(looks)


def with_tensors(*inputs):
    symbols, looks = walk(*inputs)
    return torch.tensor(symbols), looks


def with_a_generator(features, start, score, cell, readout, end, longest):
    h = _annotate(features)

    def looks(state):
        while True:
            powers = torch.exp(score(state, h) - score(state, h).max())
            weights = powers / powers.sum()
            context = torch.einsum("n,nd->d", weights, h)
            state = cell(context, state)
            yield readout(torch.cat((context, state))).topk(1).indices.item(), weights

    read, maps = [], []
    for symbol, weights in itertools.islice(looks(start), longest):
        maps.append(weights.reshape(features.shape[:2]).tolist())
        if symbol == end:
            break
        read.append(symbol)
    return read, torch.tensor(maps)
