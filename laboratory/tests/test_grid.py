"""A grid of measurements: written as it runs, resumed where it stopped, in several processes."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

import pytest
import torch
from without_torch import LIGHT, killed_at_first

import attn_course
from attn_lab import grid
from attn_lab.grid import GridError, read_grid, run_grid

pytest.importorskip("joblib")

pytestmark = pytest.mark.slow  # they start workers


class Condition(NamedTuple):
    model: str
    steps: int


ONE, TWO = Condition("one", 100), Condition("two, größer", 400)


def measure(condition, seed):
    return {
        "share": seed / 3,
        "lists": {"7": [seed / 3, 0.123456789]},
        "texts": [["a", str(condition)]],
        "threads": torch.get_num_threads(),
        "process": os.getpid(),
    }


def counted(folder, condition, seed):
    """Leave a file each time that a cell is measured, and fail if a file says so."""
    if (folder / f"fail {condition} {seed}").exists():
        raise ArithmeticError(f"{condition} fails")
    count = len(list(folder.glob(f"{condition} {seed} *")))
    (folder / f"{condition} {seed} {count}").touch()
    return {"share": 0.5}


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def test_numbers_lists_and_texts_come_back_as_they_were(tmp_path, measured_here):
    path = tmp_path / "some.json"
    run_grid(path, ["one", "two, größer"], [0, 1], measure, workers=1)
    assert read_grid(path, "share")["one"] == [0, 0.33333]
    assert read_grid(path, "lists")["one"][1] == {"7": [0.33333, 0.12346]}
    assert read_grid(path, "texts")["two, größer"] == [[["a", "two, größer"]]] * 2
    assert "[0.0, 0.12346]" in path.read_text(encoding="utf-8"), "a list takes one line"


def test_records_come_back_as_records_and_seeds_in_their_order_as_numbers(tmp_path, measured_here):
    path = tmp_path / "some.json"
    run_grid(path, [TWO, ONE], [10, 9], measure, workers=1)
    run_grid(path, [TWO, ONE], [2], measure, workers=1)
    expected = {condition: [0.66667, 3.0, 3.33333] for condition in (ONE, TWO)}
    assert read_grid(path, "share", Condition) == expected


def test_each_cell_says_how_it_was_made_and_two_are_made_at_a_time(tmp_path):
    path = tmp_path / "some.json"
    run_grid(path, [ONE, TWO], range(3), measure, workers=2)
    for cell in cells(path):
        versions = {"python", "attn_course", "torch"}
        assert set(cell["made"]) == {"command", *versions, "device", "date", "seconds"}
        assert cell["made"]["command"] == "python -m attn_lab some"
        assert cell["numbers"]["threads"] == 1
    processes = {cell["numbers"]["process"] for cell in cells(path)}
    assert os.getpid() not in processes
    assert len(processes) <= 2
    planned = [(condition._asdict(), seed) for condition in (ONE, TWO) for seed in range(3)]
    assert [(cell["condition"], cell["seed"]) for cell in cells(path)] == planned


def test_it_goes_on_where_an_error_stopped_it(tmp_path, measured_here):
    path, fault = tmp_path / "some.json", tmp_path / "fail two 0"
    fault.touch()
    run = partial(run_grid, path, ["one", "two"], [0, 1], partial(counted, tmp_path), workers=1)
    with pytest.raises(ArithmeticError, match="two fails"):
        run()
    assert [(cell["condition"], cell["seed"]) for cell in cells(path)] == [("one", 0), ("one", 1)]
    fault.unlink()
    run()
    assert len(cells(path)) == 4
    assert not list(tmp_path.glob("one * 1")), "no cell is measured twice"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL], ids=lambda stop: stop.name)
def test_what_was_done_outlives_a_stop_and_no_half_cell_is_written(tmp_path, stop):
    path = tmp_path / "some.json"
    code = (
        "import pathlib, sys, without_torch\n"
        "if __name__ == '__main__': without_torch.run_slowly(pathlib.Path(sys.argv[1]))\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, script, tmp_path],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not ((tmp_path / "begun one 1").exists() and path.exists()):
        assert process.poll() is None
        time.sleep(0.05)
    if stop == signal.SIGINT:
        os.killpg(process.pid, stop)  # as a terminal does: to all of them
        assert process.wait() != 0
    else:
        process.kill()
        process.wait()
    assert [cell["seed"] for cell in cells(path)] == [0]
    if stop == signal.SIGKILL:  # its workers, which sleep
        os.killpg(process.pid, signal.SIGKILL)


def test_a_missing_file_and_a_missing_number_are_named(tmp_path, measured_here):
    with pytest.raises(FileNotFoundError, match=r"python -m attn_lab none"):
        read_grid(tmp_path / "none.json", "share")
    path = tmp_path / "some.json"
    run_grid(path, ["one"], [0], measure, workers=1)
    with pytest.raises(KeyError, match="no number 'shares'"):
        read_grid(path, "shares")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_cell_whose_worker_is_killed_is_measured_again_and_then_named(tmp_path, monkeypatch):
    path, measure = tmp_path / "some.json", partial(killed_at_first, tmp_path)
    for name, value in {**LIGHT, "TRIES": 2}.items():
        monkeypatch.setattr(grid, name, value)
    with pytest.raises(GridError, match="killed 2 times while it measured always, seed 1"):
        run_grid(path, ["always"], [0, 1], measure, workers=1)
    assert [cell["seed"] for cell in cells(path)] == [0]
    run_grid(path, ["once"], [0, 1, 2], measure, workers=2)
    assert (tmp_path / "killed").exists()
    assert [cell["seed"] for cell in cells(path)] == [0, 1, 2, 0]
    assert cells(path)[-1]["condition"] == "always"


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": [{"seed": 0}]}', '{"cells": [3]}'])
def test_a_file_of_another_form_is_told_and_left_alone(text, tmp_path):
    path = tmp_path / "some.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GridError, match=r"some\.json is no result file: expected are cells"):
        run_grid(path, ["one"], [0], measure, workers=1)
    assert path.read_text(encoding="utf-8") == text


def test_a_worker_with_other_versions_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(attn_course, "__version__", "0.9")
    with pytest.raises(GridError, match=r"has attn_course 1\S+, torch .*; expected was .* 0\.9,"):
        run_grid(tmp_path / "some.json", ["one"], [0], measure, workers=1)
    assert not (tmp_path / "some.json").exists()


def test_a_missing_engine_is_told(tmp_path, monkeypatch):
    for module, extra, options in (
        ("joblib.externals.loky", "measure", {}),
        ("distributed", "cluster", {"on": "tcp://127.0.0.1:9"}),
    ):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(GridError, match=rf"pip install 'attn-lab\[{extra}\]'"):
            run_grid(tmp_path / "some.json", ["one"], [0], measure, **options)
    assert not (tmp_path / "some.json").exists()


# ---- on a scheduler


@contextmanager
def scheduler(monkeypatch, threads):
    """The address of a Dask scheduler with one worker of so many threads, in this process."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(grid, "PATIENCE", 300)
    one = {"n_workers": 1, "threads_per_worker": threads, "dashboard_address": None}
    with distributed.LocalCluster(processes=False, protocol="tcp://", **one) as cluster:
        yield cluster.scheduler_address


@pytest.mark.filterwarnings("default")
def test_a_scheduler_measures_the_same_cells(tmp_path, monkeypatch):
    path = tmp_path / "some.json"
    with scheduler(monkeypatch, 1) as address:
        run_grid(path, [TWO, ONE], [0, 1], measure, on=address)
    assert read_grid(path, "share", Condition) == {TWO: [0, 0.33333], ONE: [0, 0.33333]}
    assert {cell["numbers"]["threads"] for cell in cells(path)} == {1}
    run_grid(path, [TWO, ONE], [0, 1], measure, on="tcp://127.0.0.1:9")  # nothing is left to do


@pytest.mark.filterwarnings("default")
def test_a_scheduler_that_cannot_be_used_is_told(tmp_path, monkeypatch):
    path = tmp_path / "some.json"
    refusal = pytest.raises(GridError, match="has 2 threads, and 1 is expected")
    with scheduler(monkeypatch, 2) as address, refusal:
        run_grid(path, ["one"], [0], measure, on=address)
    monkeypatch.setattr(grid, "PATIENCE", 1)
    with pytest.raises(GridError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9 within 1 s"):
        run_grid(path, ["one"], [0], measure, on="tcp://127.0.0.1:9")
