"""Run a grid of conditions by seeds: with progress, resumable, into one small file.

Each cell is written as soon as it is measured, so a run that was stopped goes on where it was.
The file says how it came to be: command, versions, seeds, date.
"""

import datetime
import json
import os
import platform
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

Cell = Callable[[str, int], dict]
RESULTS = Path(__file__).parent / "results"


def results_of(script: str) -> Path:
    """The result file of a script, given its ``__file__``."""
    return RESULTS / f"{Path(script).stem}.json"


def run_grid(path: Path, conditions: Sequence[str], seeds: Sequence[int], measure: Cell) -> dict:
    """Measure every condition with every seed, leaving out what the file has already.

    path     the result file, JSON, as `results_of` names it
    measure  called with a condition and a seed, gives the cell's numbers by name; a number may
             also be a list or a table of them, or a text
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
        numbers = rounded(measure(condition, seed))
        result["cells"].setdefault(condition, {})[str(seed)] = numbers
        _write(path, result)
        print(f"    {str(numbers)[:500]}", flush=True)
    return result


def rounded(value: object) -> object:
    """Every number in it with five decimals."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return round(value, 5) if isinstance(value, float) else value


def read_grid(path: Path, number: str) -> dict[str, list[float]]:
    """One number of a result file: its value for each seed, for each condition that has it."""
    if not path.exists():
        raise FileNotFoundError(f"no results yet: run {_command(path)}")
    found = {
        condition: [cell[number] for _, cell in sorted(cells.items())]
        for condition, cells in _cells(path).items()
        if all(number in cell for cell in cells.values())
    }
    if not found:
        raise KeyError(f"{path.name} has no number {number!r}")
    return found


def _command(path: Path) -> str:
    return f"python -m {__package__}.{path.stem}"


def _cells(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else {}


def _made_how(path: Path, seeds: Sequence[int]) -> dict:
    return {
        "command": _command(path),
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "device": "cuda" if torch.cuda.is_available() else "cpu",
        "seeds": list(seeds),
        "date": datetime.date.today().isoformat(),
    }


def _write(path: Path, result: dict) -> None:
    """Write the whole file or nothing, so that a stop in between harms no result."""
    fresh = path.with_suffix(".tmp")
    text = json.dumps(result, indent=1, ensure_ascii=False)
    text = re.sub(r"\[[^\[\]{}]*\]", _on_one_line, text)
    fresh.write_text(text + "\n", encoding="utf-8")
    os.replace(fresh, path)


def _on_one_line(part: re.Match) -> str:
    """A list of numbers or texts without its line breaks; in a text there is none."""
    return re.sub(r"\n\s*", " ", re.sub(r"(?<=\[)\n\s*|\n\s*(?=\])", "", part[0]))
