"""Which properties could an answer pass that only repeats, counts, guesses or recognises?

    python -m apparatus.benchmarks.answers_by_memory

apparatus/by_memory.py says what such answers know, which is more than a student can. For every
exercise, of the chapters and of the assignments, all of them are tried under 20 seeds. Those that
get a property in more than one seed are tried under 40 more, since with so many strategies some are
lucky. A property is above chance if a strategy gets its points in more than 5 % of the seeds.

answers_by_memory.md has for each kind of answer the number of seeds in which the luckiest got the
points of a property. With --exercises only the lines of those are written anew.
"""

import argparse
import functools
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import torch

import attn_class.exercises
from apparatus import by_memory
from apparatus.benchmarks import coursework_fairness as coursework
from attn_class.exercises.frame import Exercise

_exercises_of = functools.cache(coursework.exercises_of)
TABLE = Path(__file__).with_suffix(".md")

KINDS = ("constant", "counter", "random", "fingerprint")
FIRST, MORE, SHARE = range(20), range(20, 60), 0.05
EXCEPT = {"a-reader-of-dates: trained"}  # a trained network: test_reader_of_dates.py tries others'


class Line(NamedTuple):
    """What the luckiest answers of each kind got for an exercise, in words."""

    exercise: str
    properties: int
    weak: int
    calls: int
    luckiest: tuple[str, ...]
    above: tuple[str, ...] = ()


def names() -> list[str]:
    """All exercises of the chapters, then the functions of the assignments."""
    prefix = "attn_class.exercises."
    found = [
        each.name.removeprefix(prefix)
        for each in pkgutil.walk_packages(attn_class.exercises.__path__, prefix=prefix)
        if not each.ispkg and not each.name.endswith((".frame", ".calling"))
    ]
    for assignment in coursework.ANSWERS:
        found += [f"{assignment}: {each}" for each in _exercises_of(assignment)]
    return [each for each in found if each not in EXCEPT]


def exercise(name: str) -> Exercise:
    if ": " not in name:
        return importlib.import_module(f"attn_class.exercises.{name}").exercise
    assignment, function = name.split(": ")
    return _exercises_of(assignment)[function]


def audit(name: str, runs: int = by_memory.LEARNT) -> by_memory.Audit:
    """The exercise with its right answer."""
    answer, code = right(name)
    return by_memory.Audit(name, exercise(name), answer, code, name in coursework.TABLES, runs)


def right(name: str) -> tuple[Callable, str]:
    """The right answer, and the code for which alone it is right."""
    if ": " not in name:
        return importlib.import_module(f"attn_class.exercises.{name}").solution, ""
    if name in coursework.TABLES:
        made = coursework.TABLES[name]["in order"]
        return lambda own: made(own[:8]), ""
    assignment, function = name.split(": ")
    answer = next(iter(coursework.answers_to(assignment)[function].values()))
    return answer, coursework.OF_ONE_CODE.get(function, "")


def line(name: str) -> Line:
    """What answers that do not compute get for an exercise."""
    tried = audit(name)
    got = tried.passed(FIRST)
    lucky = {
        strategy
        for counts in got.values()
        for strategy, count in counts.items()
        if count > SHARE * len(FIRST)
    }
    again = tried.passed(MORE, lucky) if lucky else {}
    luckiest, above = dict.fromkeys(KINDS, (0.0, "0")), []
    for each, counts in got.items():
        for strategy, count in counts.items():
            seeds = len(FIRST) + (len(MORE) if strategy in lucky else 0)
            count += again[each][strategy] if strategy in lucky else 0
            kind = strategy.split()[0]
            luckiest[kind] = max(luckiest[kind], (count / seeds, f"{count} of {seeds}"))
            if count > SHARE * seeds:
                above.append(f"{each}: {strategy}")
    properties = tried.exercise.properties
    return Line(
        *(name, len(properties), sum(each.weak for each in properties)),
        *(max(tried.calls), tuple(luckiest[kind][1] for kind in KINDS), tuple(above)),
    )


def table(found: list[str]) -> str:
    head = "| exercise | properties | weak | calls | constant | counter | random | fingerprint |"
    return "\n".join(
        [
            "# What answers that do not compute get",
            "",
            "Written by `python -m apparatus.benchmarks.answers_by_memory`, whose docstring says",
            "what was tried. For each kind of answer, the number of seeds in which the luckiest one",
            "got the points of a property; chance allows 5 %. Weak properties count only beside another.",
            "",
            head,
            "|---|---|---|---|---|---|---|---|",
            *found,
            "",
        ]
    )


def written(each: Line) -> str:
    cells = (*each[:4], *each.luckiest)
    return f"| {' | '.join(map(str, cells))} |"


def stored(path: Path = TABLE) -> dict[str, str]:
    """The lines of a table by exercise."""
    text = path.read_text("utf-8") if path.exists() else ""
    return {each.split(" | ")[0][2:]: each for each in re.findall(r"(?m)^\| .*\d \|$", text)}


def lines(given: list[str]) -> Iterator[Line]:
    for name in given:
        yield line(name)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--exercises", nargs="+", help="part of a name")
    words.add_argument("--table", type=Path, default=TABLE)
    given = words.parse_args()
    torch.set_num_threads(1)
    every, kept = names(), stored(given.table)
    chosen = [n for n in every if not given.exercises or any(e in n for e in given.exercises)]
    for each in lines(chosen):
        kept[each.exercise] = written(each)
        print(each.exercise, "; ".join(each.above), flush=True)
        rows = [kept[name] for name in every if name in kept]
        given.table.write_text(table(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
