"""Right and wrong answers to `attn_course.classroom.exercises.search.greedy_search`."""

import itertools

import numpy as np
import torch

from attn_course.classroom.exercises.search.greedy_search import solution
from specimens.answers import changed, named


def by_while(state, step, start, end, longest):
    written = [start]
    while len(written) <= longest:
        state, p = step(state, written[-1])
        best = max(range(len(p)), key=lambda k: p[k])
        if best == end:
            break
        written += [best]
    return written[1:]


def as_a_tensor(state, step, start, end, longest):
    def symbols(state, symbol):
        for _ in range(longest):
            state, p = step(state, symbol)
            symbol = p.topk(1).indices[0]
            yield int(symbol)

    return torch.tensor(list(itertools.takewhile(lambda k: k != end, symbols(state, start))))


def by_recursion(state, step, start, end, longest):
    if longest == 0:
        return ()
    state, p = step(state, start)
    best = p.argmax().item()
    return () if best == end else (best, *by_recursion(state, step, best, end, longest - 1))


def as_an_array(state, step, start, end, longest):
    symbol, written = torch.tensor(start), []
    for _ in range(longest):
        state, p = step(state, symbol)
        symbol = p.log().argmax()
        if symbol == end:
            break
        written.append(symbol)
    return np.array([int(each) for each in written])


def no_longest(state, step, start, end, longest):
    symbol, written = start, []
    while True:
        state, p = step(state, symbol)
        symbol = int(p.argmax())
        if symbol == end:
            return written
        written.append(symbol)


def end_written(state, step, start, end, longest):
    symbol, written = start, []
    for _ in range(longest):
        state, p = step(state, symbol)
        symbol = int(p.argmax())
        written.append(symbol)
        if symbol == end:
            break
    return written


def goes_on_after_the_end(state, step, start, end, longest):
    symbol, written = start, []
    for _ in range(longest):
        state, p = step(state, symbol)
        symbol = int(p.argmax())
        if symbol != end:
            written.append(symbol)
    return written


def least_likely(state, step, start, end, longest):
    symbol, written = start, []
    for _ in range(longest):
        state, p = step(state, symbol)
        if p.argmax() == end:
            break
        symbol = int(p.argmin())
        written.append(symbol)
    return written


def second_best(state, step, start, end, longest):
    symbol, written = start, []
    for _ in range(longest):
        state, p = step(state, symbol)
        if p.argmax() == end:
            break
        symbol = int(p.topk(2).indices[1])
        written.append(symbol)
    return written


def always_told_the_start(state, step, start, end, longest):
    written = []
    for _ in range(longest):
        state, p = step(state, start)
        if p.argmax() == end:
            break
        written.append(int(p.argmax()))
    return written


def told_the_number_of_the_step(state, step, start, end, longest):
    written = []
    for i in range(longest):
        state, p = step(state, i)
        if p.argmax() == end:
            break
        written.append(int(p.argmax()))
    return written


def state_not_carried(state, step, start, end, longest):
    symbol, written = start, []
    for _ in range(longest):
        _, p = step(state, symbol)
        symbol = int(p.argmax())
        if symbol == end:
            break
        written.append(symbol)
    return written


def forgets_a_name(state, step, start, end, longest):
    state, p = step(state, symbol)
    return [int(p.argmax())]


def stops_at_a_symbol_twice(state, step, start, end, longest):
    written = by_while(state, step, start, end, longest)
    same = (n for n in range(1, len(written)) if written[n] == written[n - 1])
    return written[: next(same, len(written))]


RIGHT = [by_while, as_a_tensor, by_recursion, as_an_array]
WRONG = {
    "only_the_end_ends": named(
        stops_at_the_start=changed(solution, "symbol == end", "symbol in (start, end)")
    ),
    "stops": named(
        no_longest,
        one_too_many=lambda state, step, start, end, longest: by_while(
            state, step, start, end, longest + 1
        ),
        start_written=lambda state, step, start, *others: [
            start,
            *by_while(state, step, start, *others),
        ],
    ),
    "writes_all_of_it": named(
        stops_at_a_symbol_twice,
        one_too_few=lambda state, step, start, end, longest: by_while(
            state, step, start, end, longest - 1
        ),
        last_thrown_away=lambda *given: by_while(*given)[:-1],
        with_numbers_of_its_own=lambda state, step, start, end, longest: by_while(
            state, step, start, 2, 7
        ),
    ),
    "leaves_the_end_out": [end_written],
    "stops_at_the_end": [goes_on_after_the_end],
    "takes_the_likeliest": [least_likely, second_best],
    "feeds_back_what_it_wrote": [always_told_the_start, told_the_number_of_the_step],
    "carries_the_state": [state_not_carried],
    "runs": named(
        forgets_a_name,
        all_at_once=lambda state, step, start, end, longest: (
            step(state, [start] * longest)[1].argmax(dim=-1).tolist()[:longest]
        ),
    ),
}
