"""Run a grid of conditions by seeds: on all cores or many machines, resumable, into a small file.

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

Cells are measured by the processes of joblib's loky on this machine, or by the workers of a Dask
scheduler where its address is given. Both are imported only by a run.
"""

import datetime
import json
import os
import platform
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import attn_course

Measure = Callable[[Any, int], dict]
RESULTS = Path(__file__).parent / "results"
TRIES = 3  # of a cell whose worker is killed
PATIENCE = 10  # seconds, for a scheduler and its first worker to answer


class GridError(RuntimeError):
    """A run cannot go on for a reason that lies outside its cells."""


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
    on: str = "",
) -> None:
    """Measure every condition with every seed, leaving out the cells that the file already has.

    path        the result file, JSON, as `results_of` names it
    conditions  texts, or records of one kind
    measure     called with a condition and a seed; returns the cell's numbers by name. A number may
                also be a list or a table of them, or a text. It must be a function of a module,
                since it runs in other processes
    workers     how many cells are measured at a time, each on one thread; by default one per core
    command     recorded with each cell; by default that of the experiment with the file's name
    on          the address of a Dask scheduler, ``tcp://host:port``, whose workers measure instead

    Ctrl-C ends the run at once: the cells that were done stay, the others are not written. An error
    in a cell ends the run in the same way, and is raised. A cell whose worker is killed is measured
    again. A GridError says what else is in the way: a cell whose workers are killed each time, a
    scheduler that does not answer, a worker with other versions, a file of another form.
    """
    seeds = list(seeds)
    pairs = [(condition, seed) for condition in conditions for seed in seeds]
    run_cells(path, pairs, measure, workers, command, on)


def run_cells(
    path: Path,
    pairs: Iterable[tuple[Any, int]],
    measure: Measure,
    workers: int | None = None,
    command: str = "",
    on: str = "",
) -> None:
    """Measure these pairs of a condition and a seed, as `run_grid` does."""
    wanted = {_name(_plain(condition), seed): (condition, seed) for condition, seed in pairs}
    cells = {cell_name(cell): cell for cell in stored_cells(path)}
    todo = {name: pair for name, pair in wanted.items() if name not in cells}
    order = {name: index for index, name in enumerate(dict.fromkeys([*wanted, *cells]))}
    begun = time.monotonic()
    for number, cell in enumerate(_measured(measure, todo, workers or os.cpu_count() or 1, on), 1):
        name = cell_name(cell)
        _check_versions("a worker", cell["made"])
        cells[name] = cell | {"made": {"command": command or command_of(path.stem)} | cell["made"]}
        _write(path, [cells[name] for name in sorted(cells, key=order.get)])
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
    values: dict[Any, list] = {}
    for cell in sorted(stored_cells(path), key=lambda cell: cell["seed"]):
        condition = cell["condition"]
        if number in cell["numbers"] and (seeds is None or cell["seed"] in seeds):
            key = kind(**condition) if kind else condition
            values.setdefault(key, []).append(cell["numbers"][number])
    if not values:
        raise KeyError(f"{path.name} has no number {number!r}")
    return values


def rounded(value: object) -> object:
    """The same value with every number rounded to five decimals."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return round(value, 5) if isinstance(value, float) else value


# ---- measuring, in other processes


def _measured(measure: Measure, todo: dict[str, tuple], workers: int, on: str) -> Iterator[dict]:
    """The cells, in the order in which they are done."""
    if not todo:
        return
    work = {name: partial(_one_cell, measure, *pair) for name, pair in todo.items()}
    yield from _on_scheduler(on, work) if on else _on_this_machine(workers, work)


def _on_this_machine(workers: int, work: dict[str, Callable[[], dict]]) -> Iterator[dict]:
    """Measure in new processes; the cell of a process that was killed is measured again.

    Workers ignore Ctrl-C: it would end a training run early, and its numbers would pass for those
    of a whole one.
    """
    try:
        from joblib.externals.loky import ProcessPoolExecutor
    except ImportError as error:
        text = "an experiment needs the package joblib: pip install 'attn-lab[measure]'"
        raise GridError(text) from error

    killed = Counter()
    while work:
        begin = {"initializer": signal.signal, "initargs": (signal.SIGINT, signal.SIG_IGN)}
        pool = ProcessPoolExecutor(min(workers, len(work)), **begin)
        queue, running = iter(list(work)), {}
        try:
            while work:
                free = min(workers, len(work)) - len(running)
                running |= {pool.submit(work[name]): name for name in islice(queue, free)}
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    cell = future.result()
                    del work[running.pop(future)]
                    yield cell
        except BrokenExecutor as error:
            killed.update(running.values())
            if often := [name for name in running.values() if killed[name] == TRIES]:
                text = f"a worker was killed {TRIES} times while it measured {' or '.join(often)}"
                raise GridError(text) from error
        finally:
            pool.shutdown(kill_workers=True)


def _on_scheduler(address: str, work: dict[str, Callable[[], dict]]) -> Iterator[dict]:
    """Measured by the workers of a Dask scheduler, which begins again what a killed one leaves."""
    try:
        from distributed import Client, KilledWorker, as_completed
    except ImportError as error:
        text = "a scheduler needs the package distributed: pip install 'attn-lab[cluster]'"
        raise GridError(text) from error
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        text = f"no scheduler answers at {address} within {PATIENCE} s; tcp://host:port is expected"
        raise GridError(text) from error
    with client:
        _check_workers(client, address)
        futures = {client.submit(call, pure=False): name for name, call in work.items()}
        for future in as_completed(futures):
            try:
                yield future.result()
            except KilledWorker as error:
                text = f"workers were killed while they measured {futures[future]}: {error}"
                raise GridError(text) from error
            future.release()


def _check_workers(client: Any, address: str) -> None:
    """A GridError unless there are workers, each with one thread and this machine's versions."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        raise GridError(f"the scheduler at {address} has no worker") from error
    versions = client.get_versions(packages=["attn_course", "torch"])["workers"]
    for name, worker in client.scheduler_info(n_workers=-1)["workers"].items():
        if worker["nthreads"] != 1:
            text = f"the worker {name} has {worker['nthreads']} threads, and 1 is expected"
            raise GridError(f"{text}: start it with --nthreads 1")
        _check_versions(f"the worker {name}", versions[name]["packages"])


def _check_versions(who: str, reported: dict[str, Any]) -> None:
    reported, expected = (
        {name: versions.get(name) for name in _versions()} for versions in (reported, _versions())
    )
    if reported != expected:
        raise GridError(f"{who} has {_fields(reported)}; expected was {_fields(expected)}")


def _versions() -> dict[str, str]:
    import torch  # not at the top: a list of the experiments does not need it

    return {"attn_course": attn_course.__version__, "torch": str(torch.__version__)}


_ALONE = threading.Lock()  # a worker has one source of random numbers


def _one_cell(measure: Measure, condition: Any, seed: int) -> dict:
    import torch

    with _ALONE:
        torch.set_num_threads(1)
        begun = time.monotonic()
        numbers = rounded(measure(condition, seed))
    return {
        "condition": _plain(condition),
        "seed": seed,
        "numbers": numbers,
        "made": {
            "python": platform.python_version(),
            **_versions(),
            "device": "cuda" if torch.cuda.is_available() else "cpu",
            "date": datetime.date.today().isoformat(),
            "seconds": round(time.monotonic() - begun),
        },
    }


# ---- the file


def _plain(condition: Any) -> str | dict:
    """A condition as it is stored in JSON."""
    return condition._asdict() if hasattr(condition, "_asdict") else condition


def cell_name(cell: dict) -> str:
    """The condition and the seed of a stored cell."""
    return _name(cell["condition"], cell["seed"])


def _name(condition: str | dict, seed: int) -> str:
    return f"{_fields(condition) if isinstance(condition, dict) else condition}, seed {seed}"


def _fields(record: dict) -> str:
    return ", ".join(f"{field} {value}" for field, value in record.items())


def _spoken(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"


def command_of(experiment: str) -> str:
    """The command that runs an experiment."""
    return f"python -m {__package__} {experiment}"


def stored_cells(path: Path) -> list[dict]:
    """The cells of a result file, none if there is no file; a GridError if it has another form."""
    if not path.exists():
        return []
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        if all({"condition", "seed", "numbers"} <= set(cell) for cell in cells):
            return cells
    except (ValueError, KeyError, TypeError):
        pass
    text = "is no result file: expected are cells with condition, seed and numbers"
    raise GridError(f"{path} {text}")


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
