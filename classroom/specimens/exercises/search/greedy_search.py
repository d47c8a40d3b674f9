import itertools

import numpy as np
import torch


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
    return np.array([int(number) for number in written])


WRONG = {"only_the_end_ends": [("symbol == end", "symbol in (start, end)")]}
