"""Do the stored results come out again? Every stored cell is measured anew, and compared.

What is measured are the conditions and seeds of the result files, those of the rates too. A cell is

- *the same* if each of its numbers is the stored one, to rounding;
- *within the seeds' range* if each is that, or lies between the least and the greatest value that
  the stored seeds of its condition gave (a text must be one of theirs);
- *not reproduced* otherwise.

Times (`TIMES`) are not judged, since another machine or a busy one cannot repeat them: the report
says how many times as long as the stored ones they are, summed over all cells of a file.
"""

import math
import os
import platform
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from attn_lab.experiment import Experiment
from attn_lab.grid import GridError, Measure, cell_name, command_of, run_cells, stored_cells
from attn_lab.rates import RateSearch

VERDICTS = ("the same", "within the seeds' range", "not reproduced")
HALF_A_DIGIT = 1.01e-5  # numbers are stored to five decimals; the last may have been rounded away
SAME = {"rel_tol": 1e-6, "abs_tol": HALF_A_DIGIT}
# file and path of each number that is a time; one file has curves of pairs (seconds, share)
TIMES = re.compile(r".* (ms|seconds)|reading_seconds \w+ \d+ 0")


def reproduce(
    experiments: Iterable[Experiment], into: Path, workers: int | None = None, on: str = ""
) -> Iterator[str]:
    """Measure the stored cells of these experiments; returns the lines of a report.

    ``into`` is the folder of the new results. A run that was stopped is resumed there.
    """
    files = files_of(experiments)
    if any(path.parent.resolve() == into.resolve() for path in files):
        raise GridError(f"{into} holds the stored results; another folder is expected")
    stored = {path: stored_cells(path) for path in files}
    cells = [cell for cells in stored.values() for cell in cells]
    hours = sum(cell["made"].get("seconds", 0) for cell in cells) / 3600
    print(f"{len(cells)} cells of {len(files)} files: about {hours:.1f} CPU hours", flush=True)
    into.mkdir(parents=True, exist_ok=True)
    for path, (measure, kind) in files.items():
        pairs = [(_condition(cell, kind), cell["seed"]) for cell in stored[path]]
        run_cells(into / path.name, pairs, measure, workers, command_of("--reproduce"), on)
    return report({path.stem: (stored[path], stored_cells(into / path.name)) for path in files})


def files_of(experiments: Iterable[Experiment]) -> dict[Path, tuple[Measure, type | None]]:
    """The result files of experiments and of their searches: how a cell of each is measured."""
    files = {}
    for experiment in experiments:
        files[experiment.path] = experiment.measure, experiment.kind
        with suppress(ValueError):  # the plan asks for a rate that is not stored
            for what, _ in experiment.parts(everything=True):
                if isinstance(what, RateSearch):
                    files.setdefault(what.path, (what.measure, what.kind))
    return {path: how for path, how in files.items() if path.exists()}


def _condition(cell: dict, kind: type | None) -> Any:
    return kind(**cell["condition"]) if kind else cell["condition"]


# ---- the comparison


def verdict(new: dict, stored: dict, seeds: Iterable[dict], name: str = "") -> tuple[str, str]:
    """One of `VERDICTS` for a cell's numbers, and where it is furthest from the stored ones.

    ``seeds`` are the stored numbers of all seeds of its condition, and ``name`` is the file's.
    """
    new, stored = dict(_leaves(new)), dict(_leaves(stored))
    ranges = defaultdict(list)
    for leaf, value in (leaf for numbers in seeds for leaf in _leaves(numbers)):
        ranges[leaf].append(value)
    worst, where = 0, ""
    for leaf, value in stored.items():
        if leaf not in new:
            return VERDICTS[-1], f"{leaf}: {value} is missing"
        if _is_time(name, leaf):
            continue
        judged = _judged(new[leaf], value, ranges[leaf])
        if judged > worst:
            worst, where = judged, f"{leaf}: {new[leaf]} for {value}"
    return VERDICTS[worst], where


def _is_time(name: str, leaf: str) -> bool:
    return TIMES.fullmatch(f"{name} {leaf}") is not None


def _leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Each number or text in tables and lists, with its path."""
    if not isinstance(value, dict | list):
        yield place, value
        return
    if isinstance(value, list):
        yield f"{place} length".strip(), len(value)
    for name, part in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _leaves(part, f"{place} {name}".strip())


def _judged(new: Any, stored: Any, seeds: list) -> int:
    """The index of a number's verdict in `VERDICTS`."""
    if new == stored or repr(new) == repr(stored):  # nan too
        return 0
    if not all(isinstance(number, int | float) for number in (new, *seeds)):
        return 1 if new in seeds else 2
    if isinstance(stored, float) and math.isclose(new, stored, **SAME):
        return 0
    return 1 if min(seeds) <= new <= max(seeds) else 2


# ---- the report


def report(results: dict[str, tuple[list[dict], list[dict]]]) -> Iterator[str]:
    """A table of the files, then each cell that is not the same; in Markdown."""
    table, others, origins = [], [], []
    for name, (stored, new) in results.items():
        measured = {cell_name(cell): cell for cell in new}
        seeds = defaultdict(list)
        for cell in stored:
            seeds[str(cell["condition"])].append(cell["numbers"])
        counts = Counter()
        for cell in stored:
            again = measured[cell_name(cell)]
            origins.append(again["made"])
            judged, where = verdict(
                again["numbers"], cell["numbers"], seeds[str(cell["condition"])], name
            )
            counts[judged] += 1
            if judged != VERDICTS[0]:
                others.append(f"- {judged}: {name}, {cell_name(cell)} ({where})")
        shares = " | ".join(str(counts[verdict]) for verdict in VERDICTS)
        minutes = sum(measured[cell_name(cell)]["made"]["seconds"] for cell in stored) / 60
        slower = _times(name, measured.values()) / (_times(name, stored) or math.nan)
        times = "-" if math.isnan(slower) else f"× {slower:.2f}"
        table.append(f"| {name} | {len(stored)} | {shares} | {times} | {minutes:.1f} |")
    yield f"Run from {platform.system()}, {platform.machine()}, {os.cpu_count()} cores; measured by"
    for versions, count in Counter(map(_versions, origins)).items():
        yield f"{versions}: {count} cells."
    yield from ("", f"| results | cells | {' | '.join(VERDICTS)} | times | minutes |")
    yield from ("|---|---:|---:|---:|---:|---:|---:|", *table, "", *others)


def _times(name: str, cells: Iterable[dict]) -> float:
    """The sum of the times among the numbers of cells."""
    leaves = (leaf for cell in cells for leaf in _leaves(cell["numbers"]))
    return sum(value for leaf, value in leaves if _is_time(name, leaf))


def _versions(origin: dict) -> str:
    kinds = ("attn_course", "torch", "python", "device")
    return ", ".join(f"{kind} {origin[kind]}" for kind in kinds)
