"""Exercise: the whole of beam search.

step(symbols) -> (symbol) log-probabilities of what comes next
->   the likeliest list of symbols that has ended, without its end
"""

from collections.abc import Callable

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

SYMBOLS = Size(3, 5)


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


def _never_ending(draw: Draw) -> dict:
    task = _Task(draw)
    task.never = True
    return task.inputs(width=2, longest=4)


def _ending_after_three(draw: Draw) -> dict:
    task = _Task(draw)
    task.length = 3
    return task.inputs(width=1, longest=6)


def _with_room_for_all(draw: Draw) -> list[dict]:
    tasks = [_Task(draw) for _ in range(3)]
    return [task.inputs(width=task.table.shape[-1] ** 4, longest=4) for task in tasks]


def _overtaking(draw: Draw) -> dict:
    """The likelier whole begins with the less likely symbol."""
    end = draw.integer(3)
    first, other = [symbol for symbol in range(3) if symbol != end]
    shares = {(): {first: 0.6, other: 0.4}, (first,): {end: 0.5, first: 0.3, other: 0.2}}
    table = shares | {(other,): {end: 0.95, first: 0.05}}

    def step(symbols):
        share = table.get(tuple(map(int, symbols)), {end: 1.0})
        return torch.tensor([max(share.get(symbol, 0), 1e-6) for symbol in range(3)]).log()

    return {"step": step, "end": end, "width": 2, "longest": 4}


exercise = Exercise(
    "write(step, end, width, longest)",
    minutes=40,
    difficulty="hard",
    solution=solution,
    cases=[
        Case(
            "It stops after `longest` steps, even if nothing ever ends.",
            _never_ending,
            "At most `longest` steps. If nothing has ended, return the likeliest beginning.",
        ),
        Case(
            "With a width of 1 it writes what greedy search writes.",
            _ending_after_three,
            "Take the likeliest symbol at each step, until it is the end. The end is not part of "
            "what is returned.",
        ),
        Weak(
            "It finds the likelier whole that begins with a less likely first symbol.",
            _overtaking,
            "Does it keep `width` beginnings, and compare all of their continuations with each "
            "other? Log-probabilities along one list are added, that of the end included.",
        ),
        Case(
            "With room for every string it finds the likeliest of all that end.",
            _with_room_for_all,
            "Is the log-probability of the end counted? Is a list that has ended set aside while "
            "the others go on? The first that ends need not be the best.",
        ),
    ],
    slips={
        "": [
            ("range(longest)", "range(longest + 3)"),
            ("return max(live, key=lambda one: one[0])[1]", "return []"),
            ("[1][:-1]", "[1]"),
            lambda step, end, width, longest: solution(step, end, 1, longest),
            lambda step, end, width, longest: solution(step, end, 2, longest),
            ("max(ended, key=lambda one: one[0])", "ended[0]"),
            ("max(ended, key=lambda one: one[0])", "max(ended, key=lambda one: len(one[1]))"),
            (
                "max(ended, key=lambda one: one[0])",
                "max(ended, key=lambda one: one[0] / len(one[1]))",
            ),
        ],
    },
)
check = exercise.check
