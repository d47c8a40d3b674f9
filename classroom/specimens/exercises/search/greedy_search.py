"""Right and wrong answers to `attn_class.exercises.search.greedy_search`."""

import itertools
from functools import partial

import numpy as np
import torch

from attn_class.exercises.search.greedy_search import solution
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


but = partial(changed, solution)
RIGHT = [by_while, as_a_tensor, by_recursion, as_an_array]
WRONG = {
    "only_the_end_ends": named(stops_at_the_start=but("symbol == end", "symbol in (start, end)")),
    "stops": named(
        no_longest=but("for _ in range(longest)", "while True"),
        one_too_many=but("range(longest)", "range(longest + 1)"),
        start_written=but("start, []", "start, [start]"),
    ),
    "writes_all_of_it": named(
        stops_at_a_symbol_twice=but("symbol == end", "symbol in (end, *written[-1:])"),
        one_too_few=but("range(longest)", "range(longest - 1)"),
        last_thrown_away=lambda *given: by_while(*given)[:-1],
        with_numbers_of_its_own=but("range(longest)", "range(7)", "symbol == end", "symbol == 2"),
    ),
    "leaves_the_end_out": named(
        end_written=but("return written", "return [*written, end] if symbol == end else written")
    ),
    "stops_at_the_end": named(goes_on_after_the_end=but("break", "continue")),
    "takes_the_likeliest": named(
        least_likely=but("(symbol)", "(symbol := int(probabilities.argmin()))"),
        second_best=but("(symbol)", "(symbol := int(probabilities.topk(2).indices[1]))"),
    ),
    "feeds_back_what_it_wrote": named(
        always_told_the_start=but("step(state, symbol)", "step(state, start)"),
        told_the_number_of_the_step=but("step(state, symbol)", "step(state, len(written))"),
    ),
    "carries_the_state": named(state_not_carried=but("state, probabilities", "_, probabilities")),
    "runs": named(
        forgets_a_name=but("step(state, symbol)", "step(state, latest)"),
        all_at_once=lambda state, step, start, end, longest: (
            step(state, [start] * longest)[1].argmax(dim=-1).tolist()[:longest]
        ),
    ),
}
