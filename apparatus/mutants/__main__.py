"""How many small changes of the equations, tasks, models and measures do the tests notice?

python -m apparatus.mutants                        a sample of each file; writes mutants.md
python -m apparatus.mutants --module claims        a sample of one file; renews its lines there
python -m apparatus.mutants --module claims --all  every change of it; writes nothing
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

from apparatus.mutants.changes import Change, python_changes
from apparatus.mutants.scripts import script_changes
from apparatus.mutants.targets import guards_of, targets
from apparatus.mutants.trial import TOO_LONG, Trial, copies, prepare, run

ROOT = Path(__file__).resolve().parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.json")
TABLE = ROOT / "apparatus" / "benchmarks" / "mutants.md"
SAMPLE, SEED, WORKERS, GOAL = 25, 13, 2, 0.95
TOTAL = "**Python**"
TITLES = {"Survived": "survived", "Judged equivalent": "equivalent"}


@dataclass
class Module:
    """One file: the changes that are possible, those that were tried, and their outcomes."""

    name: str
    path: Path
    changes: list[Change]
    chosen: list[Change]
    reasons: dict[tuple[str, str], str]  # of changes that make no difference
    killed: list[Change] = field(default_factory=list)
    slow: list[Change] = field(default_factory=list)  # stopped for taking too long
    alive: list[Change] = field(default_factory=list)

    @property
    def equivalent(self) -> list[Change]:
        return [change for change in self.alive if change.key in self.reasons]

    @property
    def survived(self) -> list[Change]:
        return [change for change in self.alive if change.key not in self.reasons]

    def told(self) -> Told:
        today = datetime.now(timezone.utc).date().isoformat()
        counts = (self.changes, self.chosen, self.killed, self.slow, self.equivalent, self.survived)
        lines = ([self._line(one) for one in kind] for kind in (self.survived, self.equivalent))
        return Told(self.name, tuple(map(len, counts)), today, *lines)

    def _line(self, change: Change) -> str:
        why = self.reasons.get(change.key)
        return f"- {self.name}: ``{change.line}``: ``{change.text}``{f'. {why}' if why else ''}"


class Told(NamedTuple):
    """What the page says about a file: the counts of its row, a line for each change not killed.

    counts  possible, tried, killed, never ended, equivalent, survived
    day     on which they were tried
    """

    name: str
    counts: tuple[int, ...]
    day: str
    survived: list[str]
    equivalent: list[str]

    def row(self) -> str:
        return (
            f"| {self.name} | {' | '.join(map(str, self.counts))} | {share([self])} | {self.day} |"
        )


def sums(told: list[Told]) -> list[int]:
    return [sum(counts) for counts in zip(*(one.counts for one in told), strict=True)]


def share(told: list[Told]) -> str:
    _, _, killed, _, _, survived = sums(told)
    return f"{100 * killed / (killed + survived):.0f} %" if killed + survived else "-"


def load(names: list[str], every: bool) -> list[Module]:
    """The modules asked for, with the changes to try: every one of them, or a sample."""
    known = targets(ROOT)
    if wrong := set(names) - set(known):
        raise SystemExit(f"--module must be one of {', '.join(known)}; got {', '.join(wrong)}")
    reasons = json.loads(EQUIVALENT.read_text("utf-8"))
    return [_module(name, known[name], reasons.get(name, []), every) for name in names or known]


def _module(name: str, path: Path, reasons: list[dict], every: bool) -> Module:
    source = (ROOT / path).read_text("utf-8")
    changes = script_changes(source) if path.suffix == ".js" else python_changes(source)
    chosen = changes
    if not every and len(changes) > SAMPLE:
        picked = random.Random(f"{SEED} {name}").sample(range(len(changes)), SAMPLE)
        chosen = [changes[place] for place in sorted(picked)]
    known = {(one["line"], one["change"]): one["why"] for one in reasons}
    for line, change in known.keys() - {change.key for change in changes}:
        print(f"{EQUIVALENT.name}: {name} no longer has {line!r}: {change}", file=sys.stderr)
    return Module(name, path, changes, chosen, known)


def measure(modules: list[Module], folders: list[Path]) -> None:
    """Try every chosen change, once the tests have passed without any."""
    tests = {module.name: guards_of(module.path, ROOT) for module in modules}
    took = prepare(sorted({test for each in tests.values() for test in each}), folders)
    work = [(module, change) for module in modules for change in module.chosen]
    trials = (Trial(module.path, change.source, tests[module.name]) for module, change in work)
    for done, (index, outcome) in enumerate(run(trials, folders, took=took), start=1):
        module, change = work[index]
        (module.killed if outcome else module.alive).append(change)
        if outcome == TOO_LONG:
            module.slow.append(change)
        elif not outcome and change.key not in module.reasons:
            print(f"survived: {module.name}: {change.line}\n          {change.text}", flush=True)
        if done % 50 == 0:
            print(f"{done} of {len(work)}", file=sys.stderr, flush=True)


def table(told: list[Told]) -> str:
    """The report that is committed."""
    python = _python(told)
    lines = [
        "# Changes that the tests notice",
        "",
        "A mutant is the code with one small change: `<` for `<=`, an argument left out, a branch",
        "never taken. A test should notice. `make mutants` tries a sample (at most "
        f"{SAMPLE}, seed {SEED})",
        "of each file of equations, tasks, models and measures and of the scripts that compute,",
        f"each against the file's own tests, and writes this page; the goal is {GOAL:.0%} of those",
        "that make a difference. What never ends counts as killed.",
        "",
        "| file | possible | tried | killed | never ended | equivalent | survived | share | on |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
        *(one.row() for one in told),
        f"| {TOTAL} | {' | '.join(map(str, sums(python)))} | **{share(python)}** | |",
    ]
    for title, kind in TITLES.items():
        lines += ["", f"## {title}", "", *(line for one in told for line in getattr(one, kind))]
    return "\n".join(lines) + "\n"


def read_table(page: str) -> dict[str, Told]:
    """What a page says about each file."""
    told, kind = {}, ""
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if line.startswith("## "):
            kind = TITLES[line.removeprefix("## ")]
        elif kind and line.startswith("- "):
            getattr(told[line[2:].split(":")[0]], kind).append(line)
        elif not kind and len(cells) == 11 and cells[2].isdigit() and cells[1] != TOTAL:
            told[cells[1]] = Told(cells[1], tuple(map(int, cells[2:8])), cells[9], [], [])
    return told


def renewed(page: str, modules: list[Module]) -> str:
    """The page with new lines for these modules; files that no longer exist are left out."""
    told = read_table(page) | {module.name: module.told() for module in modules}
    return table([told[name] for name in targets(ROOT) if name in told])


def _python(told: list[Told]) -> list[Told]:
    return [one for one in told if not one.name.endswith(".js")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--module", nargs="+", default=[], help="these files alone")
    parser.add_argument("--all", action="store_true", help="every change; writes no table")
    asked = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    modules = load(asked.module, asked.all)
    started = time.monotonic()
    with copies(ROOT, WORKERS) as folders:
        measure(modules, folders)
    told = [module.told() for module in modules]
    if asked.all:
        print(table(told))
    else:
        page = TABLE.read_text("utf-8") if asked.module else ""
        TABLE.write_text(renewed(page, modules), "utf-8")
    considered = told if asked.module else _python(told)
    _, _, killed, _, _, survived = sums(considered)
    minutes = (time.monotonic() - started) / 60
    print(f"{killed} killed, {survived} survived: {share(considered)}, in {minutes:.0f} minutes")
    return int(killed < GOAL * (killed + survived))


if __name__ == "__main__":
    sys.exit(main())
