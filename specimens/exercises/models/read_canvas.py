"""Right and wrong answers to `attn_course.classroom.exercises.models.read_canvas`."""

import itertools
import math
from functools import partial

import torch

from attn_course.models.trunk import position_code
from specimens.answers import named


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


def walk(features, start, score, cell, readout, end, longest, **changed):
    """The reader, with one thing or another done differently."""
    rows, columns, _ = features.shape
    h = changed.get("annotations", annotate(features))
    state, symbols, looks = start, [], []
    for _ in range(longest):
        asked = start if changed.get("asks_with_the_start") else state
        weights = changed.get("weigh", lambda e: e.softmax(0))(score(asked, h))
        context = weights @ h
        before = state
        state = cell(context, start if changed.get("forgets") else state)
        looks.append(weights.reshape(rows, columns))
        told = before if changed.get("tells_before") else state
        pair = [told, context] if changed.get("state_first") else [context, told]
        said = readout(torch.cat(pair))
        symbols.append(int((said.argmin if changed.get("least") else said.argmax)()))
        if symbols[-1] == end and not changed.get("goes_on"):
            break
    if symbols[-1] == end and not changed.get("keeps_the_end"):
        symbols.pop()
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


def loop(*given):
    return walk(*given)


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


def placed(code):
    def answer(features, *others):
        return walk(features, *others, annotations=annotate(features, code))

    return answer


def weights_flat(*given):
    symbols, looks = walk(*given)
    return symbols, looks.flatten(1)


def last_look_alone(*given):
    symbols, looks = walk(*given)
    return symbols, looks[-1]


def softmax_over_rows(features, *others):
    shape = features.shape[:2]
    return walk(
        features, *others, weigh=lambda e: e.view(shape).softmax(dim=1).flatten() / shape[0]
    )


def look_of_the_end_dropped(*given):
    symbols, looks = walk(*given)
    return symbols, looks[: len(symbols)]


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


RIGHT = [loop, recursive, with_tensors, with_a_generator]
WRONG = {
    "runs": named(
        no_annotation_at_all=lambda features, *others: walk(
            features, *others, annotations=features.flatten(0, 1)
        )
    ),
    "returns_symbols_and_maps": named(
        weights_flat, last_look_alone, weights_first=lambda *given: walk(*given)[::-1]
    ),
    "stops": named(
        one_look_too_many=lambda features, start, score, cell, readout, end, longest: walk(
            features, start, score, cell, readout, end, longest + 1
        ),
        until_the_end_comes=lambda features, start, score, cell, readout, end, longest: walk(
            features, start, score, cell, readout, end, longest + 5
        ),
    ),
    "weights_are_shares": named(
        softmax_forgotten=partial(walk, weigh=lambda e: e),
        sigmoid=partial(walk, weigh=torch.sigmoid),
    ),
    "annotations_know_their_place": named(
        no_places=lambda features, *others: walk(
            features, *others, annotations=annotate(features, lambda r, k: torch.zeros(r * k, 4))
        ),
        corners=placed(corners),
        y_first=placed(with_columns(1, 0, 2, 3)),
        cosine_first=placed(with_columns(0, 1, 3, 2)),
        angles_of_y=placed(of_y),
        down_the_columns=placed(down_the_columns),
    ),
    "the_state_moves_on": named(
        softmax_over_rows, asks_with_the_start=partial(walk, asks_with_the_start=True)
    ),
    "reads_context_and_new_state": named(
        forgets=partial(walk, forgets=True),
        tells_before=partial(walk, tells_before=True),
        least_likely=partial(walk, least=True),
        state_first=partial(walk, state_first=True),
    ),
    "ends_with_the_end": named(
        look_of_the_end_dropped,
        goes_on=partial(walk, goes_on=True),
        keeps_the_end=partial(walk, keeps_the_end=True),
    ),
}
