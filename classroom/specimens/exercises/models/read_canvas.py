"""Right and wrong answers to `attn_class.exercises.models.read_canvas`."""

import itertools
import math
from functools import partial

import torch

from attn_course.models.trunk import position_code
from specimens.answers import changed, named


def places(rows, columns):
    """[x, y, sin 3x, cos 3x] of each cell, by loops."""
    found = []
    for r in range(rows):
        for k in range(columns):
            x, y = 2 * (k + 0.5) / columns - 1, 2 * (r + 0.5) / rows - 1
            found.append([x, y, math.sin(3 * x), math.cos(3 * x)])
    return torch.tensor(found)


def annotate(features, code=places):
    rows, columns, channels = features.shape
    return torch.cat([features.reshape(-1, channels), code(rows, columns)], dim=1)


def walk(features, start, score, cell, readout, end, longest):
    h = annotate(features)
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
    h = annotate(features, position_code)

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


def with_tensors(*given):
    symbols, looks = walk(*given)
    return torch.tensor(symbols), looks


def with_a_generator(features, start, score, cell, readout, end, longest):
    h = annotate(features)

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


def corners(rows, columns):
    x, y = torch.linspace(-1, 1, columns), torch.linspace(-1, 1, rows)
    x = x.repeat(rows)
    return torch.stack([x, y.repeat_interleave(columns), (3 * x).sin(), (3 * x).cos()], dim=1)


def with_columns(*order):
    return lambda rows, columns: places(rows, columns)[:, list(order)]


def of_y(rows, columns):
    code = places(rows, columns)
    y = 3 * code[:, 1:2]
    return torch.cat([code[:, :2], y.sin(), y.cos()], dim=1)


def down_the_columns(rows, columns):
    return places(rows, columns).view(rows, columns, 4).transpose(0, 1).flatten(0, 1)


but = partial(changed, walk)
RIGHT = [walk, recursive, with_tensors, with_a_generator]
WRONG = {
    "runs": named(no_annotation_at_all=but("annotate(features)", "features.flatten(0, 1)")),
    "returns_symbols_and_maps": named(
        weights_flat=but("weights.reshape(features.shape[:2])", "weights"),
        last_look_alone=but("torch.stack(looks)", "looks[-1]"),
        weights_first=but("symbols, torch.stack(looks)", "torch.stack(looks), symbols"),
    ),
    "stops": named(
        one_look_too_many=but("range(longest)", "range(longest + 1)"),
        until_the_end_comes=but("range(longest)", "range(longest + 5)"),
    ),
    "weights_are_shares": named(
        softmax_forgotten=but(".softmax(0)", ""), sigmoid=but(".softmax(0)", ".sigmoid()")
    ),
    "annotations_know_their_place": named(
        no_places=but("(features)", "(features, lambda r, k: torch.zeros(r * k, 4))"),
        corners=but("annotate(features)", "annotate(features, corners)"),
        y_first=but("annotate(features)", "annotate(features, with_columns(1, 0, 2, 3))"),
        cosine_first=but("annotate(features)", "annotate(features, with_columns(0, 1, 3, 2))"),
        angles_of_y=but("annotate(features)", "annotate(features, of_y)"),
        down_the_columns=but("annotate(features)", "annotate(features, down_the_columns)"),
    ),
    "the_state_moves_on": named(
        softmax_over_rows=but(
            ".softmax(0)", ".view(features.shape[:2]).softmax(1).flatten() / len(features)"
        ),
        asks_with_the_start=but("score(state, h)", "score(start, h)"),
    ),
    "reads_context_and_new_state": named(
        forgets=but("cell(context, state)", "cell(context, start)"),
        tells_before=but(
            "state = cell", "before, state = state, cell", "[context, state]", "[context, before]"
        ),
        least_likely=but("argmax", "argmin"),
        state_first=but("[context, state]", "[state, context]"),
    ),
    "ends_with_the_end": named(
        look_of_the_end_dropped=but("torch.stack(looks)", "torch.stack(looks)[: len(symbols)]"),
        goes_on=but("break", "pass"),
        keeps_the_end=but("symbols.pop()", "pass"),
    ),
}
