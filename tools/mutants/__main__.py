"""How many small changes of layers 0 to 2 do the tests notice?

python -m tools.mutants                      a sample of each module; writes benchmarks/mutants.md
python -m tools.mutants --module measures    one module alone, every change of it
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from tools.mutants.changes import Change, python_changes
from tools.mutants.scripts import script_changes
from tools.mutants.targets import guards_of, targets
from tools.mutants.trial import TOO_LONG, Trial, copies, prepare, run

ROOT = Path(__file__).resolve().parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.json")
TABLE = ROOT / "benchmarks" / "mutants.md"
SAMPLE, SEED, WORKERS, GOAL = 25, 13, 2, 0.95


@dataclass
class Module:
    """One file: the changes that can be made, those that were tried, and their outcomes."""

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

    def row(self) -> str:
        counts = (len(self.changes), len(self.chosen), len(self.killed), len(self.slow))
        counts += (len(self.equivalent), len(self.survived))
        return f"| {self.name} | {' | '.join(map(str, counts))} | {share([self])} |"


def share(modules: list[Module]) -> str:
    killed, survived = (
        sum(len(getattr(module, kind)) for module in modules) for kind in ("killed", "survived")
    )
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


def table(modules: list[Module]) -> str:
    """The report that is committed."""
    python = [module for module in modules if module.path.suffix == ".py"]
    lines = [
        "# Changes that the tests notice",
        "",
        "A mutant is the code with one small change: `<` for `<=`, an argument left out, a branch",
        "never taken. A test should notice. `make mutants` tries a sample of each file of layers",
        f"0 to 2 (at most {SAMPLE}, seed {SEED}) and of the scripts that compute, each against the",
        f"file's own tests, and writes this page; the goal is {GOAL:.0%} of those that make a",
        "difference. What never ends counts as killed.",
        "",
        "| file | possible | tried | killed | never ended | equivalent | survived | share |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *(module.row() for module in modules),
        f"| **layers 0 to 2** | {_sums(python)} | **{share(python)}** |",
    ]
    for title, kind in (("Survived", "survived"), ("Judged equivalent", "equivalent")):
        lines += ["", f"## {title}", ""]
        for module in modules:
            for change in getattr(module, kind):
                why = module.reasons.get(change.key)
                lines.append(f"- {module.name}: ``{change.line}``: ``{change.text}``")
                lines[-1] += f". {why}" if why else ""
    return "\n".join(lines) + "\n"


def _sums(modules: list[Module]) -> str:
    kinds = ("changes", "chosen", "killed", "slow", "equivalent", "survived")
    return " | ".join(str(sum(len(getattr(m, kind)) for m in modules)) for kind in kinds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--module", nargs="+", default=[], help="these alone; writes no table")
    parser.add_argument("--all", action="store_true", help="every change, not a sample")
    asked = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    modules = load(asked.module, asked.all)
    started = time.monotonic()
    with copies(ROOT, WORKERS) as folders:
        measure(modules, folders)
    page = table(modules)
    if asked.module or asked.all:
        print(page)
    else:
        TABLE.write_text(page, "utf-8")
    python = [module for module in modules if module.path.suffix == ".py"]
    survived, killed = (
        sum(len(getattr(m, kind)) for m in python) for kind in ("survived", "killed")
    )
    minutes = (time.monotonic() - started) / 60
    print(f"{killed} killed, {survived} survived: {share(python)}, in {minutes:.0f} minutes")
    return int(killed < GOAL * (killed + survived))


if __name__ == "__main__":
    sys.exit(main())
