"""Right and wrong answers to `attn_course.classroom.exercises.models.read_canvas`."""

import itertools
import math

import torch

from attn_course.models.trunk import position_code


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


def wrongly(**changed):
    def answer(*given):
        return walk(*given, **changed)

    return answer


def placed(code):
    def answer(features, *others):
        return walk(features, *others, annotations=annotate(features, code))

    return answer


def named(name, answer):
    answer.__name__ = name
    return answer


def weights_flat(*given):
    symbols, looks = walk(*given)
    return symbols, looks.flatten(1)


def last_look_alone(*given):
    symbols, looks = walk(*given)
    return symbols, looks[-1]


def weights_first(*given):
    return walk(*given)[::-1]


def one_look_too_many(features, start, score, cell, readout, end, longest):
    return walk(features, start, score, cell, readout, end, longest + 1)


def until_the_end_comes(features, start, score, cell, readout, end, longest):
    return walk(features, start, score, cell, readout, end, longest + 5)


def softmax_over_rows(features, *others):
    shape = features.shape[:2]
    return walk(
        features, *others, weigh=lambda e: e.view(shape).softmax(dim=1).flatten() / shape[0]
    )


def no_places(features, *others):
    return walk(
        features, *others, annotations=annotate(features, lambda r, k: torch.zeros(r * k, 4))
    )


def look_of_the_end_dropped(*given):
    symbols, looks = walk(*given)
    return symbols, looks[: len(symbols)]


def no_annotation_at_all(features, start, score, cell, readout, end, longest):
    return walk(
        features, start, score, cell, readout, end, longest, annotations=features.flatten(0, 1)
    )


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
    no_annotation_at_all: "runs",
    weights_flat: "returns_symbols_and_maps",
    last_look_alone: "returns_symbols_and_maps",
    weights_first: "returns_symbols_and_maps",
    one_look_too_many: "stops",
    until_the_end_comes: "stops",
    named("softmax_forgotten", wrongly(weigh=lambda e: e)): "weights_are_shares",
    named("sigmoid", wrongly(weigh=torch.sigmoid)): "weights_are_shares",
    no_places: "annotations_know_their_place",
    named("corners", placed(corners)): "annotations_know_their_place",
    named("y_first", placed(with_columns(1, 0, 2, 3))): "annotations_know_their_place",
    named("cosine_first", placed(with_columns(0, 1, 3, 2))): "annotations_know_their_place",
    named("angles_of_y", placed(of_y)): "annotations_know_their_place",
    named("down_the_columns", placed(down_the_columns)): "annotations_know_their_place",
    softmax_over_rows: "the_state_moves_on",
    named("asks_with_the_start", wrongly(asks_with_the_start=True)): "the_state_moves_on",
    named("forgets", wrongly(forgets=True)): "reads_context_and_new_state",
    named("tells_before", wrongly(tells_before=True)): "reads_context_and_new_state",
    named("least_likely", wrongly(least=True)): "reads_context_and_new_state",
    named("state_first", wrongly(state_first=True)): "reads_context_and_new_state",
    named("goes_on", wrongly(goes_on=True)): "ends_with_the_end",
    named("keeps_the_end", wrongly(keeps_the_end=True)): "ends_with_the_end",
    look_of_the_end_dropped: "ends_with_the_end",
}
