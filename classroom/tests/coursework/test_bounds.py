"""What an answer hands over cannot make the grader compute for long: it is refused."""

import time

import pytest
import torch
from courseworks import OWN, marks
from sweeps import every
from test_tables import bottleneck, defend, project

from attn_class.exercises.frame import small
from specimens.coursework.tried import findings, hidden_tests, lost

SECONDS = 10.0


def test_a_small_function_says_what_came_and_what_it_takes():
    def score(state, annotations):
        return annotations @ state

    bounded = small(score, numbers=100)
    assert bounded(torch.ones(2), torch.ones(50, 2)).sum() == 100
    for values in ((torch.ones(2), torch.ones(51, 2)), ([torch.ones(101)], torch.ones(1, 2))):
        with pytest.raises(ValueError, match=r"score was given 10\d numbers, and takes 100"):
            bounded(*values)


LONG = torch.ones(1000, 1000)
ASKS = [
    (
        "attention-from-an-empty-file",
        "decode",
        lambda attend, *_: attend(LONG, LONG, LONG, LONG[0]),
    ),
    ("attention-from-an-empty-file", "decode", lambda attend, step: step(LONG, LONG, LONG)),
    ("find-the-circuit", "effect", lambda loss_without: loss_without([(0, 0)] * 1_001)),
]


@pytest.mark.parametrize(("assignment", "function", "asks"), ASKS)
def test_functions_refuse_large_values(assignment, function, asks):
    exercise = hidden_tests(assignment)[function]
    names = exercise.call.partition("(")[2][:-1].split(", ")
    refused = []

    def answer(*values):
        inputs = dict(zip(names, values, strict=True))
        called = {name: value for name, value in inputs.items() if callable(value)}
        try:
            asks(*called.values())
        except ValueError as error:
            refused.append(str(error))
        return 0.0

    findings(exercise, answer)
    assert len(refused) >= len(exercise.properties)
    assert all("numbers, and takes 2,000" in text for text in refused)


def _lengthened(handed_in, place, count=60_000):
    """Tables with many more lines in one of them, as different as lines can be."""
    head, *rows = handed_in[place].strip().split("\n")
    more = [",".join([f"{n}", *rows[0].split(",")[1:]]) for n in range(count)]
    return [*handed_in[:place], "\n".join([head, *rows, *more]), *handed_in[place + 1 :]]


def _with(place, value):
    return lambda handed_in: [*handed_in[:place], value, *handed_in[place + 1 :]]


PLAN = "what,value\n" + "\n".join(f"{n},{'1 ' * 50_000}" for n in ("steps", "seeds", "rates"))
TABLES = {
    "the-bottleneck": (bottleneck(), (1, 2)),
    "defend-or-refute": (defend(), (1, 2, 3, 4)),
    "a-project": (project(), (2, 3, 4, 5)),
}
CLAIMS = (("more", "attention", "baseline", 6, 0.2),) * 5_000
TOO_LONG = [
    *(
        (name, lambda handed_in, place=place: _lengthened(handed_in, place))
        for name, (_, places) in TABLES.items()
        for place in places
    ),
    ("defend-or-refute", _with(1, PLAN)),
    ("defend-or-refute", _with(5, tuple((n, "holds") for n in range(5_000)))),
    *(("a-project", _with(1, "a\tb\n" * 300_000)), ("a-project", _with(7, CLAIMS))),
]


@pytest.mark.parametrize(("assignment", "changed"), every(3, TOO_LONG))
def test_long_tables_are_refused_at_once(assignment, changed):
    handed_in, begun = changed(TABLES[assignment][0]), time.process_time()
    assert marks(assignment, "handed_in", handed_in)[1]
    assert time.process_time() - begun < SECONDS


def test_more_pairs_than_were_asked_for_are_not_looked_through():
    exercise, begun = hidden_tests("the-bottleneck")["pairs"], time.process_time()
    strong = {one.name for one in exercise.properties}
    for pairs in ((("ab", "ab"),) * 100_000, [("ab" * 20_000, "ab")]):
        assert (
            lost(findings(exercise, lambda count, seed, split, pairs=pairs: pairs, OWN)) == strong
        )
    assert time.process_time() - begun < SECONDS
