"""What was expected before the experiments were run, and what the stored results say to it.

    python -m attn_lab.expectations      prints every verdict, one a line

An experiment has its expectations as text: dates, and under each the sentences that were fixed on
that day, in the order in which they were written down, each with its condition below it.

    EXPECTED = '''
    2026-11-22

    After four epochs dot reads at least 2 points more than general, and more than half.
        ahead: of("dot") - of("general") >= 0.02
        half: of("dot") > 0.5
    '''

A condition is an expression in the names of the module and those of `TOOLS`. ``of`` is that of the
experiment, and ``holds`` says of another expectation, by its number, whether it holds. Verdicts are
worked out from ``results/`` each time that they are asked for: none is typed.

>>> verdict(Expectation("Half is read.", "2026-11-23", lambda: [0.6 > 0.5, 0.4 > 0.5]))
'failed in seed 1'
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import getdoc
from types import CodeType
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup, escape

from attn_lab import registry
from attn_lab.experiment import between, every

OUTCOMES = ("held", "held as far as run", "held in part", "failed", "not run", "not worked out")
TOOLS = {"np": np, "every": every, "between": between}
Holds = Callable[[], Any]


class Expectation(NamedTuple):
    """A sentence that was committed before its measurement.

    text    as it was written down; its margins are part of it
    fixed   the ISO date of the commit that fixed it
    holds   whether the stored results bear it out: a bool for each seed, or a single one where the
            sentence is about a mean or a whole. A sentence that says several things has such a
            function for each, by a name that completes the verdict. If the results that it would
            need are not stored, the verdict itself: "not worked out: " and why
    """

    text: str
    fixed: str
    holds: Holds | Mapping[str, Holds] | str


def parsed(text: str, names: dict[str, Any]) -> tuple[Expectation, ...]:
    """The expectations in a text; conditions are in these names, as they are when one is asked for.

    A condition that goes on in a further line is indented there by 8 spaces.
    """
    fixed, entries = "", []

    def evaluated(condition: CodeType) -> Any:
        holds = {"holds": lambda number: entries[number - 1].holds()}
        return eval(condition, TOOLS | holds | names)

    for block in re.split(r"\n\s*\n", text.strip()):
        if re.fullmatch(r"\d{4}-\d\d-\d\d", block):
            fixed = block
            continue
        sentence, _, conditions = block.partition("\n    ")
        lines = re.sub(r"\n {8,}", " ", conditions).splitlines()
        if not lines:
            raise ValueError(f"no condition stands below {sentence!r}")
        if lines[0].startswith("not worked out: "):
            holds = lines[0]
        else:
            parts = [re.fullmatch(r"(?:(\w[\w ,.'-]*): )?(.+)", line.strip()) for line in lines]
            holds = {
                part[1]: partial(evaluated, compile(part[2], "EXPECTED", "eval")) for part in parts
            }
            holds = holds.get(None, holds)
        entries.append(Expectation(" ".join(sentence.split()), fixed, holds))
    return tuple(entries)


def verdict(expectation: Expectation) -> str:
    """*held in 3 of 3*, *failed in seeds 0 and 2*, *held*, *not run*; of each part if it has some.

    Results that are not there, whether a file, a number or a condition, have not been run.
    """
    if isinstance(expectation.holds, str):
        return expectation.holds
    if isinstance(expectation.holds, Mapping):
        return "; ".join(f"{part}: {_worded(holds)}" for part, holds in expectation.holds.items())
    return _worded(expectation.holds)


def _worded(holds: Holds) -> str:
    try:
        holds_in = np.asarray(holds(), dtype=bool)
    except (FileNotFoundError, KeyError):
        return "not run"
    if holds_in.ndim == 0:
        return "held" if holds_in else "failed"
    failed = [str(seed) for seed in np.flatnonzero(~holds_in)]
    if len(holds_in) == 1:
        return f"{'failed' if failed else 'held'} in seed 0, the only one run"
    if not failed:
        return f"held in {len(holds_in)} of {len(holds_in)}"
    if len(failed) == len(holds_in):
        return f"failed in {len(holds_in)} of {len(holds_in)}"
    *first, last = failed
    return f"failed in seeds {', '.join(first)} and {last}" if first else f"failed in seed {last}"


# ---- of one experiment, and of all


def expectations(name: str) -> tuple[Expectation, ...]:
    """The expectations of an experiment, by the name of its module; a KeyError if it has none."""
    try:
        module = registry.module(name)
        return parsed(module.EXPECTED, {"of": module.EXPERIMENT.of} | vars(module))
    except (KeyError, AttributeError):
        raise KeyError(f"no experiment {name!r} with expectations") from None


def experiments() -> list[str]:
    """The experiments that have expectations, by name."""
    texts = {name: path.read_text(encoding="utf-8") for name, path in registry.files().items()}
    return [name for name, text in texts.items() if "\nEXPECTED = " in text]


def table() -> str:
    """Experiment, number, date and verdict of every expectation, in lines of four columns."""
    rows = (
        f"{name}\t{number}\t{expectation.fixed}\t{verdict(expectation)}\n"
        for name in experiments()
        for number, expectation in enumerate(expectations(name), 1)
    )
    return "".join(rows)


# ---- on a page

Judged = Sequence[tuple[Expectation, str]]  # each with its verdict


class Block:
    """The expectations of some experiments, to unfold in a notebook; as text where HTML is not."""

    def __init__(self, names: Sequence[str]):
        self.judged = {
            name: [(entry, verdict(entry)) for entry in expectations(name)] for name in names
        }

    def __repr__(self) -> str:
        return "\n\n".join(_plain(name, judged) for name, judged in self.judged.items())

    def _repr_html_(self) -> str:
        parts = (_rich(name, judged) for name, judged in self.judged.items())
        return Markup(
            '<details class="attn-expected">'
            "<summary>What we expected, and what came of it</summary>{}</details>"
        ).format(Markup("").join(parts))


def expected(*names: str) -> Block:
    """What was expected of these experiments, with dates and verdicts, to be shown in a chapter.

    Like a claim it is worked out when the page is made, so no verdict on a page is out of date. A
    name without expectations is a KeyError.
    """
    return Block(names)


def _plain(name: str, judged: Judged) -> str:
    entries = [
        f"{number}. {expectation.text} [{expectation.fixed} · {outcome}]"
        for number, (expectation, outcome) in enumerate(judged, 1)
    ]
    return "\n".join([f"{_question(name)} {_tally(judged)}", *entries])


def _rich(name: str, judged: Judged) -> Markup:
    entry = Markup("<li>{} <em>{} · {}</em></li>")
    entries = (
        entry.format(_marked(expectation.text), expectation.fixed, _marked(outcome))
        for expectation, outcome in judged
    )
    return Markup(
        '<p data-experiment="{name}">{question} <code>{name}</code>: {tally}</p><ol>{entries}</ol>'
    ).format(
        name=name,
        question=_marked(_question(name)),
        tally=_tally(judged),
        entries=Markup("").join(entries),
    )


def _question(name: str) -> str:
    """The question of an experiment, which is the first line of its module."""
    return getdoc(registry.module(name)).partition("\n")[0]


def _tally(judged: Judged) -> str:
    """How many expectations held, and how many did not."""
    counts = Counter(_outcome(outcome) for _, outcome in judged)
    return f"{', '.join(f'{counts[kind]} {kind}' for kind in OUTCOMES if counts[kind])}."


def _outcome(outcome: str) -> str:
    """Which of `OUTCOMES` a verdict is. One that failed in a single seed did not hold."""
    if outcome.startswith("not worked out"):
        return "not worked out"
    kinds = {kind for kind in ("held", "failed", "not run") if re.search(rf"(^|: ){kind}", outcome)}
    if "failed" in kinds:
        return "held in part" if "held" in kinds else "failed"
    return kinds.pop() if len(kinds) == 1 else "held as far as run"


def _marked(text: str) -> Markup:
    """With what stands between backticks as code and between asterisks in italics."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text)))
    return Markup(re.sub(r"(?<!\w)\*(\w[^*]*)\*(?!\w)", r"<i>\1</i>", text))  # noqa: S704


if __name__ == "__main__":
    print(table(), end="")
