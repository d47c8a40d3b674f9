"""Exercise: the whole of beam search.

step(symbols) -> (symbol) log-probabilities of what comes next
->   the likeliest list of symbols that has ended, without its end
"""

import itertools
from collections.abc import Callable

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

SYMBOLS = Size(3, 5)
exercise = Exercise("write(step, end, width, longest)", minutes=40, difficulty="hard")
check = exercise.check


def solution(step, end, width, longest):
    """Grow every beginning by every symbol, prune to the likeliest, set aside what has ended."""
    live, ended = [(0.0, [])], []
    for _ in range(longest):
        grown = [
            (total + log, [*symbols, symbol])
            for total, symbols in live
            for symbol, log in enumerate(step(symbols).tolist())
        ]
        grown = sorted(grown, key=lambda one: -one[0])[:width]
        ended += [one for one in grown if one[1][-1] == end]
        live = [one for one in grown if one[1][-1] != end]
    if not ended:
        return max(live, key=lambda one: one[0])[1]
    return max(ended, key=lambda one: one[0])[1][:-1]


@exercise.must_also(
    "It stops after `longest` steps, even if nothing ever ends.",
    hint="At most `longest` steps. If nothing has ended, return the likeliest beginning.",
)
def stops(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    task.never = True
    return len(_symbols(answer(**task.inputs(width=2, longest=4)))) == 4


@exercise.must(
    "With a width of 1 it writes what greedy search writes.",
    hint="Take the likeliest symbol at each step, until it is the end. The end is not part of what "
    "is returned.",
)
def greedy_with_one(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    task.length = 3
    written: list[int] = []
    while len(written) < 6:
        symbol = int(task.step(written).argmax())
        if symbol == task.end:
            break
        written.append(symbol)
    return _symbols(answer(**task.inputs(width=1, longest=6))) == written


@exercise.must_also(
    "It finds the likelier whole that begins with a less likely first symbol.",
    hint="Does it keep `width` beginnings, and compare all of their continuations with each other? "
    "Log-probabilities along one list are added, that of the end included.",
)
def overtakes(answer: Answer, draw: Draw) -> bool:
    end = draw.integer(3)
    first, other = [symbol for symbol in range(3) if symbol != end]
    shares = {(): {first: 0.6, other: 0.4}, (first,): {end: 0.5, first: 0.3, other: 0.2}}
    table = shares | {(other,): {end: 0.95, first: 0.05}}

    def step(symbols):
        share = table.get(tuple(map(int, symbols)), {end: 1.0})
        return torch.tensor([max(share.get(symbol, 0), 1e-6) for symbol in range(3)]).log()

    return _symbols(answer(step=step, end=end, width=2, longest=4)) == [other]


@exercise.must(
    "With room for every string it finds the likeliest of all that end.",
    hint="Is the log-probability of the end counted? Is a list that has ended set aside while the "
    "others go on? The first that ends need not be the best.",
)
def exact_with_room_for_all(answer: Answer, draw: Draw) -> bool:
    return all(_is_exact(answer, _Task(draw), longest=4) for _ in range(3))


def _is_exact(answer: Answer, task: "_Task", longest: int) -> bool:
    symbols = task.table.shape[-1]
    others = [symbol for symbol in range(symbols) if symbol != task.end]
    strings = [
        [*string] for size in range(longest) for string in itertools.product(others, repeat=size)
    ]
    best = max(strings, key=lambda string: task.log_of([*string, task.end]))
    inputs = task.inputs(width=symbols**longest, longest=longest)
    return _symbols(answer(**inputs)) == best


class _Task:
    """A language in which the next symbol depends on the two before it."""

    def __init__(self, draw: Draw):
        self.table = draw.normal(draw[SYMBOLS] + 1, draw[SYMBOLS] + 1, SYMBOLS, scale=1.5)
        self.end = draw.integer(SYMBOLS)
        self.never, self.length = False, 0  # the end never comes; it comes after this many

    def step(self, symbols: list[int]) -> torch.Tensor:
        none = self.table.shape[-1]
        padded = [none, none, *map(int, symbols)]
        scores = self.table[padded[-2], padded[-1]].clone()
        if self.never:
            scores[self.end] = -1e9
        elif self.length:
            scores[self.end] = 9.0 if len(padded) - 2 >= self.length else -9.0
        return scores.log_softmax(dim=0)

    def log_of(self, symbols: list[int]) -> float:
        return sum(float(self.step(symbols[:i])[symbol]) for i, symbol in enumerate(symbols))

    def inputs(self, width: int, longest: int) -> dict[str, Callable | int]:
        return {"step": self.step, "end": self.end, "width": width, "longest": longest}


def _symbols(result: object) -> list[int]:
    return [int(symbol) for symbol in result]
