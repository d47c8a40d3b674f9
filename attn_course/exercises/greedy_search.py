"""Exercise: write with a decoder, taking the likeliest symbol each time.

    y_i = argmax_k p_i(k)    (s_i, p_i) = step(s_{i-1}, y_{i-1})    until y_i is the end

first_state s_0   step(state, symbol) -> (state, probabilities)
start, end        the symbols that mean start and end   longest: symbols to write at most
    ->   the symbols written, as whole numbers, without start and end
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import torch
from torch import Tensor

from attn_course.exercises.frame import Answer, Draw, Exercise

SYMBOLS, START, END, LONGEST = 11, 1, 2, 7
exercise = Exercise("write(first_state, step, start, end, longest)")
check = exercise.check


def solution(first_state, step, start, end, longest):
    """Each symbol that was written is told to the next step."""
    state, symbol, written = first_state, start, []
    for _ in range(longest):
        state, probabilities = step(state, symbol)
        symbol = int(probabilities.argmax())
        if symbol == end:
            break
        written.append(symbol)
    return written


@exercise.must(
    "It stops after the longest answer, even if the end never comes.",
    hint="A model that was not trained well may never write the end. Write at most `longest` "
    "symbols: `for _ in range(longest)`.",
)
def stops(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(_by_number([3] * LONGEST))
    if answer.refuses(_TooLong, **inputs):
        return False
    return len(_symbols(answer(**inputs))) <= LONGEST


@exercise.must(
    "It writes the whole of a longest answer.",
    hint="One symbol too few. Is the loop one round short, or is the last symbol thrown away as if "
    "it were the end?",
)
def writes_all_of_it(answer: Answer, draw: Draw) -> bool:
    wanted = _drawn(draw, LONGEST)
    return len(_symbols(answer(**_inputs(_by_number(wanted))))) == LONGEST


@exercise.must(
    "It stops where the end is the likeliest, and leaves it out.",
    hint="When the end symbol is the likeliest, the answer is complete: nothing may be written "
    "after it, and it is no part of the answer itself. Nor is the start.",
)
def stops_at_the_end(answer: Answer, draw: Draw) -> bool:
    wanted = _drawn(draw, 4)
    found = _symbols(answer(**_inputs(_by_number([*wanted, END, 5, 6]))))
    return len(found) == len(wanted) and END not in found and START not in found


@exercise.must(
    "Each symbol is the likeliest of its step.",
    hint="Greedy search takes the symbol with the largest probability, by argmax. Drawing at "
    "random is called sampling.",
)
def takes_the_likeliest(answer: Answer, draw: Draw) -> bool:
    wanted = _drawn(draw, 5)
    return _symbols(answer(**_inputs(_by_number([*wanted, END])))) == wanted


@exercise.must(
    "Each step is told the symbol written before, and the first one the start.",
    hint="step(state, symbol) wants y_{i-1}: what was written last. Does it get the start each "
    "time, or the number of the step?",
)
def feeds_back_what_it_wrote(answer: Answer, draw: Draw) -> bool:
    chain = [START, *_drawn(draw, 5), END]
    follows = dict(pairwise(chain))

    def step(state: Tensor, symbol: int) -> tuple[Tensor, Tensor]:
        return state + 1, _sure(follows.get(int(symbol), 3))

    return _symbols(answer(**_inputs(step))) == chain[1:-1]


@exercise.must(
    "Each step is given the state that the step before returned.",
    hint="The state must be carried: state, probabilities = step(state, symbol). Otherwise the "
    "decoder is for ever at its first step.",
)
def carries_the_state(answer: Answer, draw: Draw) -> bool:
    wanted = [*_drawn(draw, 5), END]

    def step(state: Tensor, symbol: int) -> tuple[Tensor, Tensor]:
        return state + 1, _sure(wanted[min(int(state), 5)])

    return _symbols(answer(**_inputs(step))) == wanted[:-1]


class _TooLong(Exception):
    """The step was asked for far more than the longest answer."""


def _inputs(step: Callable) -> dict:
    return {
        "first_state": torch.tensor(0.0),
        "step": step,
        "start": START,
        "end": END,
        "longest": LONGEST,
    }


def _by_number(wanted: Sequence[int]) -> Callable:
    """A step that wants these symbols in turn, whatever it is told."""
    calls = 0

    def step(state: Tensor, symbol: int) -> tuple[Tensor, Tensor]:
        nonlocal calls
        calls += 1
        if calls > 3 * LONGEST:
            raise _TooLong(f"step was called more than {3 * LONGEST} times")
        return state + 1, _sure(wanted[min(calls, len(wanted)) - 1])

    return step


def _sure(symbol: int) -> Tensor:
    """Probabilities with this symbol the likeliest, and the end neither second nor last."""
    symbols = torch.arange(SYMBOLS)
    scores = symbols * 7 % SYMBOLS + 20.0 * (symbols == symbol)
    return torch.softmax(scores / 5, dim=-1)


def _drawn(draw: Draw, count: int) -> list[int]:
    """Different symbols, neither start nor end."""
    left = list(range(3, SYMBOLS))
    return [left.pop(draw.integer(len(left))) for _ in range(count)]


def _symbols(result: object) -> list[int]:
    """What was written as a list, from whatever it came in."""
    return [int(symbol) for symbol in result]
