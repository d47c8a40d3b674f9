"""Exercise: read a whole canvas, one look after another, until the end.

    h_j = [f_j ; x ; y ; sin 3x ; cos 3x]         x from -1, left, to 1, right; y from top to bottom
    α_i = softmax_j(score(s_{i-1}, h))    c_i = Σ_j α_ij h_j
    s_i = cell(c_i, s_{i-1})              y_i = argmax readout([c_i ; s_i])

features f (row column channel)   start s_0 (state)   end, a symbol   longest, a number of looks
->   the symbols before the end, a list; the weights of all looks (look row column)
"""

import torch
from torch import nn

from attn_class.exercises.frame import Case, Draw, Exercise, Size
from attn_course.models.trunk import position_code

ROWS, COLUMNS = Size(3, 7), Size(3, 7)
CHANNELS, STATE, SYMBOLS = Size(2, 5), Size(2, 7), Size(5, 11)


def solution(features, start, score, cell, readout, end, longest):
    """Annotate once; then look, update the state and read a symbol, until the end is said."""
    rows, columns, _ = features.shape
    annotations = torch.cat([features.flatten(0, 1), position_code(rows, columns)], dim=1)
    state, symbols, looks = start, [], []
    while len(looks) < longest:
        weights = torch.softmax(score(state, annotations), dim=-1)
        context = weights @ annotations
        state = cell(context, state)
        looks.append(weights.view(rows, columns))
        symbol = int(readout(torch.cat([context, state])).argmax())
        if symbol == end:
            break
        symbols.append(symbol)
    return symbols, torch.stack(looks)


def _reader(draw: Draw, longest: int, end: int = -1) -> dict:
    """A small reader with random parameters; unless it is told, no symbol is the end."""
    size, state = draw[CHANNELS] + 4, draw[STATE]
    mixing, turn = draw.normal(state, size, scale=1.0), draw.normal(SYMBOLS, state, scale=4.0)
    out = draw.normal(SYMBOLS, size + state, scale=1.0)
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(draw.integer(10_000))
        cell = nn.GRUCell(size, state).requires_grad_(False)
    return {
        "features": draw.normal(ROWS, COLUMNS, CHANNELS, scale=1.0),
        "start": draw.normal(state, scale=1.0),
        "score": lambda state, annotations: annotations @ (state @ mixing),
        "cell": cell,
        "readout": lambda vector: out @ vector + turn @ vector[-state:],
        "end": end,
        "longest": longest,
    }


def _with_an_end(draw: Draw) -> dict:
    """What is read at the fourth look is the end."""
    inputs = _reader(draw, 6)
    return inputs | {"end": solution(**inputs)[0][3]}


exercise = Exercise(
    "read(features, start, score, cell, readout, end, longest)",
    minutes=40,
    difficulty="hard",
    solution=solution,
    cases=[
        Case(
            "The first look asks with the start state, and the next one with the state after the "
            "first.",
            lambda draw: _reader(draw, 2),
            "s_i = cell(c_i, s_{i-1}) replaces the state. Asking with the start state again would "
            "look at the same place every time.",
            part=1,
        ),
        Case(
            "Each symbol is read off the context and the new state, in this order.",
            lambda draw: [_reader(draw, 5) for _ in range(3)],
            "readout([c_i ; s_i]), with the state after the step: it knows what this look has "
            "seen.",
            part=0,
        ),
        Case(
            "The end is not among the symbols, but the look at which it is said is among the "
            "looks.",
            _with_an_end,
            "Stop when the end is said. To say that nothing is left, it had to look: keep that "
            "map, and leave the symbol out.",
        ),
    ],
    slips={
        "The weights of one look have the rows and columns of the features; stack the looks.": [
            ("return symbols, torch.stack(looks)", "return symbols, looks[-1]"),
            ("return symbols, torch.stack(looks)", "return torch.stack(looks), symbols"),
            ("weights.view(rows, columns)", "weights"),
        ],
        "Count the looks. What has been read until then is returned.": [
            ("len(looks) < longest", "len(looks) < longest + 1")
        ],
        "One softmax over all cells of a look, rows and columns together.": [
            ("torch.softmax(score(state, annotations), dim=-1)", "score(state, annotations)"),
        ],
        "[f ; x ; y ; sin 3x ; cos 3x]. The first column's centre is at x = -1 + 1/columns, half a "
        "cell from the edge; x runs along a row, y down a column.": [
            ("position_code(rows, columns)", "0 * position_code(rows, columns)"),
            ("position_code(rows, columns)", "position_code(rows, columns)[:, [1, 0, 2, 3]]"),
            ("position_code(rows, columns)", "position_code(rows, columns)[:, [0, 1, 3, 2]]"),
        ],
        "": [
            ("score(state, annotations)", "score(start, annotations)"),
            ("cell(context, state)", "cell(context, start)"),
            ("[context, state]", "[state, context]"),
            ("break", "pass"),
            ("torch.stack(looks)", "torch.stack(looks)[: len(symbols)]"),
        ],
    },
)
check = exercise.check
