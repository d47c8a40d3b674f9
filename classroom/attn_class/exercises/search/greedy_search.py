"""Exercise: write with a decoder, taking the likeliest symbol each time.

    y_i = argmax_k p_i(k)    (s_i, p_i) = step(s_{i-1}, y_{i-1})    until y_i is the end

first_state s_0   step(state, symbol) -> (state, probabilities)
start, end        the symbols that mean start and end   longest: the most symbols to write
    ->   the symbols written, as whole numbers, without start and end
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Case, Draw, Exercise, Size

SYMBOLS = Size(11, 17)


def solution(first_state, step, start, end, longest):
    """Each symbol that was written is passed to the next step."""
    state, symbol, written = first_state, start, []
    for _ in range(longest):
        state, probabilities = step(state, symbol)
        symbol = int(probabilities.argmax())
        if symbol == end:
            break
        written.append(symbol)
    return written


class _TooLong(Exception):
    """`step` was called far more often than the longest answer needs."""


def _symbols(result: object) -> list[int]:
    """What was written, as a list, whatever its type."""
    return [int(symbol) for symbol in result]


class _Task:
    """Which symbols mean start and end, the others in random order, and how long it may get."""

    def __init__(self, draw: Draw):
        self.start, self.end, *self.others = draw.shuffled(range(draw[SYMBOLS]))
        self.longest = 7 + draw.integer(5)

    def drawn(self, draw: Draw, count: int) -> list[int]:
        """Symbols, neither start nor end; the first comes twice in a row."""
        drawn = [self.others[draw.integer(len(self.others))] for _ in range(count - 1)]
        return [drawn[0], *drawn]

    def inputs(self, step: Callable) -> dict:
        first = {"first_state": torch.tensor(0.0), "step": step}
        return first | {"start": self.start, "end": self.end, "longest": self.longest}

    def by_number(self, wanted: Sequence[int]) -> Callable:
        """A step that wants these symbols in turn, whatever symbol it is given."""

        def step(state: Tensor, symbol: int) -> tuple[Tensor, Tensor]:
            if state > 3 * self.longest:
                raise _TooLong(f"step was called more than {3 * self.longest} times")
            return state + 1, self.sure(wanted[min(int(state), len(wanted) - 1)])

        return step

    def sure(self, symbol: int) -> Tensor:
        """Probabilities with this symbol the likeliest, start and end neither second nor last."""
        scores = torch.zeros(len(self.others) + 2)
        scores[self.others] = torch.arange(len(self.others)).float()
        scores[[self.start, self.end]] = len(self.others) / 2
        scores[symbol] = 20.0
        return torch.softmax(scores / 5, dim=-1)


def _ended(length: int) -> Callable[[Draw], dict]:
    """Draw an answer of this length, after which the end is the likeliest, and others after it."""

    def drawn(draw: Draw) -> dict:
        task = _Task(draw)
        wanted = task.drawn(draw, length or task.longest)
        return task.inputs(task.by_number([*wanted, task.end, *task.others[:2]]))

    return drawn


def _endless(draw: Draw) -> dict:
    task = _Task(draw)
    return task.inputs(task.by_number(task.others[:1]))


def _chained(draw: Draw) -> dict:
    """What comes next follows from the symbol alone."""
    task = _Task(draw)
    follows = dict(pairwise([task.start, *task.others[:5], task.end]))

    def step(state: Tensor, symbol: int) -> tuple[Tensor, Tensor]:
        return state + 1, task.sure(follows.get(int(symbol), task.others[5]))

    return task.inputs(step)


_CARRIES_THE_STATE = (
    "The state must be carried along: state, probabilities = step(state, symbol). Otherwise the "
    "decoder stays at its first step for ever."
)
_STOPS = (
    "A model that was not trained well may never write the end. Write at most `longest` symbols: "
    "`for _ in range(longest)`. If you do, is the start symbol in your list? It is not part of the "
    "answer."
)
exercise = Exercise(
    "write(first_state, step, start, end, longest)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "It writes an answer of the greatest length to its end.",
            _ended(0),
            "One symbol is missing. Is the loop one round short, or is the last symbol thrown away "
            "as if it were the end? Or does it stop where a symbol occurs twice?",
        ),
        Case(
            "Each step is given the state that the step before returned.",
            _ended(5),
            _CARRIES_THE_STATE,
        ),
        Case(
            "It stops after the longest answer, even if the end never comes.",
            _endless,
            _STOPS,
        ),
        Case(
            "Each step is given the symbol written before it, and the first step the start symbol.",
            _chained,
            "step(state, symbol) wants y_{i-1}: what was written last. Does it get the start each "
            "time, or the number of the step?",
        ),
    ],
    slips={
        "When the end symbol is the likeliest, the answer is complete: nothing may be written "
        "after it. The end symbol is the argument `end`.": [("break", "continue")],
        "The end symbol says that the answer is complete. Like the start symbol, it is not part of "
        "the answer: look for it before you append.": [
            ("return written", "return [*written, end] if symbol == end else written"),
        ],
        "Greedy search takes the symbol with the largest probability, by argmax. Drawing at random "
        "is called sampling.": [
            ("(probabilities.argmax())", "(probabilities.argmin())"),
            ("probabilities.argmax()", "probabilities.topk(2).indices[1]"),
        ],
        "": [
            ("step(state, symbol)", "step(state, start)"),
            ("range(longest)", "range(longest + 1)"),
            ("range(longest)", "range(longest - 1)"),
        ],
        _CARRIES_THE_STATE: [("state, probabilities = step", "_, probabilities = step")],
        _STOPS: [
            ("for _ in range(longest)", "while True"),
            ("start, []", "start, [start]"),
        ],
    },
)
check = exercise.check


@exercise.must(
    "It goes on where the start symbol is the likeliest.",
    hint="Only the end ends an answer. Which of the two symbols do you compare with?",
)
def only_the_end_ends(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    before, *behind = wanted = task.drawn(draw, 4)
    steps = [before, task.start, *behind, task.end]
    symbols = _symbols(answer(**task.inputs(task.by_number(steps))))
    return [symbol for symbol in symbols if symbol != task.start] == wanted
