"""Right and wrong answers to `attn_course.exercises.measures.length_held`."""

from itertools import takewhile

import numpy as np


def with_takewhile(exact, bar):
    return len(list(takewhile(lambda share: share >= bar, exact)))


def with_numpy(exact, bar):
    below = np.flatnonzero(np.array(exact) < bar)
    return below[0] if len(below) else len(exact)


def with_while(exact, bar):
    length = 0
    while length < len(exact) and exact[length] >= bar:
        length += 1
    return length


def index_of_the_first_below(exact, bar):
    return next(n for n, share in enumerate(exact) if share < bar)  # fails when none is


def the_last_place(exact, bar):
    return with_numpy(exact, bar) - 1


def at_least_one(exact, bar):
    return max(with_numpy(exact, bar), 1)


def first_that_falls(exact, bar):
    held = with_numpy(exact, bar)
    return held + 1 if 0 < held < len(exact) else held


def one_short(exact, bar):
    held = with_numpy(exact, bar)
    return held - 1 if 0 < held < len(exact) else held


def counts_all_above(exact, bar):
    return sum(share >= bar for share in exact)


def the_last_above(exact, bar):
    return max((n for n, share in enumerate(exact, start=1) if share >= bar), default=0)


def must_be_above(exact, bar):
    return len(list(takewhile(lambda share: share > bar, exact)))


def always_a_half(exact, bar):
    return with_numpy(exact, 0.5)


def sorts(exact, bar):
    exact.sort(reverse=True)
    return with_numpy(exact, bar)


def the_longest_run(exact, bar):
    runs, run = [0], 0
    for share in exact:
        run = run + 1 if share >= bar else 0
        runs.append(run)
    return max(runs)


RIGHT = [with_takewhile, with_numpy, with_while]
WRONG = {
    index_of_the_first_below: "runs",
    the_last_place: "all_are_held",
    at_least_one: "nothing_is_held",
    first_that_falls: "stops_before_the_fall",
    one_short: "stops_before_the_fall",
    counts_all_above: "a_lucky_length_does_not_count",
    the_last_above: "a_lucky_length_does_not_count",
    must_be_above: "the_bar_itself_is_enough",
    always_a_half: "the_bar_itself_is_enough",
    sorts: "leaves_its_inputs_alone",
    the_longest_run: "a_lucky_length_does_not_count",
}
