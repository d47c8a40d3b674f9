"""Exercise: read a whole canvas, one look after another, until the end.

    h_j = [f_j ; x ; y ; sin 3x ; cos 3x]         x from -1, left, to 1, right; y from top to bottom
    α_i = softmax_j(score(s_{i-1}, h))    c_i = Σ_j α_ij h_j
    s_i = cell(c_i, s_{i-1})              y_i = argmax readout([c_i ; s_i])

features f (row column channel)   start s_0 (state)   end, a symbol   longest, a number of looks
->   the symbols before the end, a list; the weights of all looks (look row column)
"""

from collections.abc import Callable
from math import cos, sin

import torch
from torch import Tensor, nn

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped
from attn_course.models.trunk import position_code

ROWS, COLUMNS = Size(3, 7), Size(3, 7)
CHANNELS, STATE, SYMBOLS = Size(2, 5), Size(2, 7), Size(5, 11)
exercise = Exercise(
    "read(features, start, score, cell, readout, end, longest)", minutes=40, difficulty="hard"
)
check = exercise.check


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


@exercise.must_also(
    "It returns the symbols, then a map of weights for each look.",
    hint="The weights of one look have the rows and columns of the features; stack the looks.",
)
def returns_symbols_and_maps(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    _, weights = answer(**task.inputs(end=-1, longest=3))
    return shaped(weights[0], draw[ROWS], draw[COLUMNS]) and weights.dim() == 3


@exercise.must_also(
    "It looks `longest` times at most, even if the end is never said.",
    hint="Count the looks. What has been read until then is returned.",
)
def stops(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    symbols, weights = answer(**task.inputs(end=-1, longest=4))
    return len(symbols) == 4 == len(weights)


@exercise.must_also(
    "The weights of each look are positive and sum to one.",
    hint="One softmax over all cells of a look, rows and columns together.",
)
def weights_are_shares(answer: Answer, draw: Draw) -> bool:
    _, weights = answer(**_Task(draw).inputs(end=-1, longest=3))
    return bool((weights > 0).all()) and same(weights.sum(dim=(1, 2)), torch.ones(3))


@exercise.must(
    "The score is given the features and the place of each cell, row by row.",
    hint="[f ; x ; y ; sin 3x ; cos 3x]. The first column's centre is at x = -1 + 1/columns, half "
    "a cell from the edge; x runs along a row, y down a column.",
)
def annotations_know_their_place(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    heard: list[Tensor] = []

    def score(state: Tensor, annotations: Tensor) -> Tensor:
        heard.append(annotations)
        return task.score(state, annotations)

    answer(**task.inputs(end=-1, longest=1) | {"score": score})
    return same(heard[0].float(), task.annotations)


@exercise.must(
    "The first look asks with the start state, and the next one with the state after the first.",
    hint="s_i = cell(c_i, s_{i-1}) replaces the state. Asking with the start state again would "
    "look at the same place every time.",
)
def the_state_moves_on(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    _, expected = task.read(longest=2)
    _, weights = answer(**task.inputs(end=-1, longest=2))
    return same(weights, expected)


@exercise.must(
    "Each symbol is read off the context and the new state, in this order.",
    hint="readout([c_i ; s_i]), with the state after the step: it knows what this look has seen.",
)
def reads_context_and_new_state(answer: Answer, draw: Draw) -> bool:
    for task in (_Task(draw) for _ in range(3)):
        expected, _ = task.read(longest=5)
        symbols, _ = answer(**task.inputs(end=-1, longest=5))
        if [int(symbol) for symbol in symbols] != expected:
            return False
    return True


@exercise.must(
    "The end is not among the symbols, but the look at which it is said is among the looks.",
    hint="Stop when the end is said. To say that nothing is left, it had to look: keep that map, "
    "and leave the symbol out.",
)
def ends_with_the_end(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    whole, maps = task.read(longest=6)
    end = whole[3]
    first = whole.index(end)
    symbols, weights = answer(**task.inputs(end=end, longest=6))
    read = [int(symbol) for symbol in symbols]
    return read == whole[:first] and same(weights, maps[: first + 1])


class _Task:
    """A small reader with random parameters, and what it reads, by loops."""

    def __init__(self, draw: Draw):
        self.features = draw.normal(ROWS, COLUMNS, CHANNELS, scale=1.0)
        self.start = draw.normal(STATE, scale=1.0)
        size = draw[CHANNELS] + 4
        self._mixing = draw.normal(STATE, size, scale=1.0)
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(draw.integer(10_000))
            self.cell = nn.GRUCell(size, draw[STATE]).requires_grad_(False)
        self._out = draw.normal(SYMBOLS, size + draw[STATE], scale=1.0)
        self._turn = draw.normal(SYMBOLS, STATE, scale=4.0)
        rows = []
        for r in range(draw[ROWS]):
            for k in range(draw[COLUMNS]):
                x, y = (2 * k + 1) / draw[COLUMNS] - 1, (2 * r + 1) / draw[ROWS] - 1
                place = torch.tensor([x, y, sin(3 * x), cos(3 * x)])
                rows.append(torch.cat([self.features[r, k], place]))
        self.annotations = torch.stack(rows)

    def score(self, state: Tensor, annotations: Tensor) -> Tensor:
        return annotations @ (state @ self._mixing)

    def readout(self, given: Tensor) -> Tensor:
        return self._out @ given + self._turn @ given[-len(self.start) :]

    def inputs(self, end: int, longest: int) -> dict:
        calls: dict[str, Callable] = {
            "score": self.score,
            "cell": self.cell,
            "readout": self.readout,
        }
        return {
            "features": self.features,
            "start": self.start,
            **calls,
            "end": end,
            "longest": longest,
        }

    def read(self, longest: int) -> tuple[list[int], Tensor]:
        """What is read if no symbol is the end."""
        state, symbols, maps = self.start, [], []
        for _ in range(longest):
            powers = self.score(state, self.annotations).exp()
            weights = powers / powers.sum()
            context = sum(
                weight * row for weight, row in zip(weights, self.annotations, strict=True)
            )
            state = self.cell(context, state)
            maps.append(weights.view(self.features.shape[:2]))
            symbols.append(int(self.readout(torch.cat([context, state])).argmax()))
        return symbols, torch.stack(maps)
