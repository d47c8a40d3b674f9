"""Run a grid of conditions by seeds: with progress, resumable, into one small file.

Each cell is written as soon as it is measured, so a run that was stopped goes on where it was.
The file says how it came to be: command, versions, seeds, date.
"""

import datetime
import json
import os
import platform
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

Cell = Callable[[str, int], dict[str, float]]


def run_grid(path: Path, conditions: Sequence[str], seeds: Sequence[int], measure: Cell) -> dict:
    """Measure every condition with every seed, leaving out what the file has already.

    path     the result file, JSON; its script has the same name
    measure  called with a condition and a seed, gives the cell's numbers by name
    """
    result = _made_how(path, seeds) | {"cells": _cells(path)}
    todo = [
        (condition, seed)
        for condition in conditions
        for seed in seeds
        if str(seed) not in result["cells"].get(condition, {})
    ]
    for number, (condition, seed) in enumerate(todo, start=1):
        print(f"{number} of {len(todo)}: {condition}, seed {seed}", flush=True)
        numbers = {name: round(value, 5) for name, value in measure(condition, seed).items()}
        result["cells"].setdefault(condition, {})[str(seed)] = numbers
        _write(path, result)
        print(f"    {numbers}", flush=True)
    return result


def read_grid(path: Path, number: str) -> dict[str, list[float]]:
    """One number of a result file: its value for each seed, for each condition that has it."""
    if not path.exists():
        raise FileNotFoundError(f"no results yet: run python -m experiments.{path.stem}")
    found = {
        condition: [cell[number] for _, cell in sorted(cells.items())]
        for condition, cells in _cells(path).items()
        if all(number in cell for cell in cells.values())
    }
    if not found:
        raise KeyError(f"{path.name} has no number {number!r}")
    return found


def _cells(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else {}


def _made_how(path: Path, seeds: Sequence[int]) -> dict:
    return {
        "command": f"python -m experiments.{path.stem}",
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "device": "cuda" if torch.cuda.is_available() else "cpu",
        "seeds": list(seeds),
        "date": datetime.date.today().isoformat(),
    }


def _write(path: Path, result: dict) -> None:
    """Write the whole file or nothing, so that a stop in between harms no result."""
    fresh = path.with_suffix(".tmp")
    fresh.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    os.replace(fresh, path)
