"""Run a grid of conditions by seeds: on all cores, resumable, into one small file.

A condition is a short text or, better, a record (a ``NamedTuple``) whose fields are the axes of the
grid, so that no text has to be taken apart:

    class Condition(NamedTuple):
        model: str
        size: int
        steps: int
        rate: float

    run_grid(results_of(__file__), conditions, seeds=(0, 1, 2), measure=measure)
    read_grid(results_of(__file__), "exact", Condition)[Condition("attending", 64, 452, 8e-3)]

Each cell is written as soon as it is measured, together with how it was made: command, versions,
device, date, seconds. So a file may grow over several days and versions, and every number still
says where it comes from.
"""

import datetime
import json
import multiprocessing
import os
import platform
import re
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

Measure = Callable[[Any, int], dict]
RESULTS = Path(__file__).parent / "results"


def results_of(script: str) -> Path:
    """The result file of a module, given its ``__file__``, or that of a name."""
    return RESULTS / f"{Path(script).stem}.json"


def run_grid(
    path: Path,
    conditions: Iterable[Any],
    seeds: Iterable[int],
    measure: Measure,
    workers: int | None = None,
    command: str = "",
) -> None:
    """Measure every condition with every seed, leaving out the cells that the file already has.

    path        the result file, JSON, as `results_of` names it
    conditions  texts, or records of one kind
    measure     called with a condition and a seed; returns the cell's numbers by name. A number may
                also be a list or a table of them, or a text. It must be a function of a module,
                since it runs in other processes
    workers     how many cells are measured at a time, each on one thread; by default one per core
    command     recorded with each cell; by default that of the experiment with the file's name

    Ctrl-C ends the run at once: the cells that were done stay, the others are not written. An error
    in a cell ends the run in the same way, and is raised.
    """
    seeds = list(seeds)
    asked = {_name(_plain(each), seed): (each, seed) for each in conditions for seed in seeds}
    cells = {_name(cell["condition"], cell["seed"]): cell for cell in _cells(path)}
    todo = [each for name, each in asked.items() if name not in cells]
    order = {name: place for place, name in enumerate(dict.fromkeys([*asked, *cells]))}
    begun = time.monotonic()
    for number, cell in enumerate(_measured(measure, todo, workers or os.cpu_count() or 1), 1):
        name = _name(cell["condition"], cell["seed"])
        cells[name] = cell | {"made": {"command": command or command_of(path.stem)} | cell["made"]}
        _write(path, [cells[each] for each in sorted(cells, key=order.get)])
        left = (time.monotonic() - begun) / number * (len(todo) - number)
        print(f"{number} of {len(todo)}, about {_spoken(left)} left: {name}", flush=True)
        print(f"    {str(cell['numbers'])[:500]}", flush=True)


def read_grid(
    path: Path, number: str, kind: type | None = None, seeds: Sequence[int] | None = None
) -> dict[Any, list]:
    """One number of a result file: its value for each seed, for each condition that has it.

    ``kind`` is the class of the conditions if they are records; ``seeds`` are those that count, by
    default all. The values are in the order of the seeds. A missing file is a FileNotFoundError,
    and a number that no condition has a KeyError.
    """
    if not path.exists():
        raise FileNotFoundError(f"no results yet: run {command_of(path.stem)}")
    found: dict[Any, list] = {}
    for cell in sorted(_cells(path), key=lambda cell: cell["seed"]):
        condition = cell["condition"]
        if number in cell["numbers"] and (seeds is None or cell["seed"] in seeds):
            key = kind(**condition) if kind else condition
            found.setdefault(key, []).append(cell["numbers"][number])
    if not found:
        raise KeyError(f"{path.name} has no number {number!r}")
    return found


def rounded(value: object) -> object:
    """The same value with every number rounded to five decimals."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return round(value, 5) if isinstance(value, float) else value


# ---- measuring, in other processes


def _measured(measure: Measure, todo: Sequence[tuple[Any, int]], workers: int) -> Iterator[dict]:
    """The cells, in the order in which they are done."""
    if not todo:
        return
    context = _fresh_processes()
    pool = ProcessPoolExecutor(min(workers, len(todo)), context, initializer=_begin)
    try:
        futures: list[Future] = [pool.submit(_one_cell, measure, *each) for each in todo]
        for future in as_completed(futures):
            yield future.result()
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _fresh_processes() -> multiprocessing.context.BaseContext:
    """Processes that start afresh: one in which PyTorch runs threads must not be forked.

    If the system can, a server imports PyTorch once and every worker is forked from it.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch"])
    return context


def _begin() -> None:
    """In a worker: one thread, and deaf to Ctrl-C.

    A training run that heard it would end early, and its numbers would pass for those of a whole
    one.
    """
    import torch

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    torch.set_num_threads(1)


def _one_cell(measure: Measure, condition: Any, seed: int) -> dict:
    import torch  # not at the top: whoever lists the experiments does not wait for it

    begun = time.monotonic()
    numbers = rounded(measure(condition, seed))
    return {
        "condition": _plain(condition),
        "seed": seed,
        "numbers": numbers,
        "made": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "device": "cuda" if torch.cuda.is_available() else "cpu",
            "date": datetime.date.today().isoformat(),
            "seconds": round(time.monotonic() - begun),
        },
    }


# ---- the file


def _plain(condition: Any) -> str | dict:
    """A condition as it is stored in JSON."""
    return condition._asdict() if hasattr(condition, "_asdict") else condition


def _name(condition: str | dict, seed: int) -> str:
    if isinstance(condition, dict):
        condition = ", ".join(f"{field} {value}" for field, value in condition.items())
    return f"{condition}, seed {seed}"


def _spoken(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"


def command_of(experiment: str) -> str:
    """The command that runs an experiment."""
    return f"python -m {__package__} {experiment}"


def _cells(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else []


def _write(path: Path, cells: list[dict]) -> None:
    """Write the whole file or nothing, so that an interruption harms no result."""
    fresh = path.with_suffix(".tmp")
    text = json.dumps({"cells": cells}, indent=1, ensure_ascii=False)
    text = re.sub(r"\[[^\[\]{}]*\]", _on_one_line, text)
    fresh.write_text(text + "\n", encoding="utf-8")
    os.replace(fresh, path)


def _on_one_line(part: re.Match) -> str:
    """A list of numbers or texts without its line breaks; in a text there is none."""
    return re.sub(r"\n\s*", " ", re.sub(r"(?<=\[)\n\s*|\n\s*(?=\])", "", part[0]))
