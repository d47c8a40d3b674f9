"""Cells whose workers need not import torch, which takes a second each time that one starts."""

import os
import signal
import time

from attn_lab import grid


def one_cell(measure, condition, seed):
    numbers = measure(condition, seed)
    return {"condition": condition, "seed": seed, "numbers": numbers, "made": {}}


LIGHT = {"_one_cell": one_cell, "_versions": dict}  # in place of what the grid has


def slow(folder, condition, seed):
    (folder / f"begun {condition} {seed}").touch()
    time.sleep(0 if seed == 0 else 600)
    return {"share": 0.5}


def killed_at_first(folder, condition, seed):
    """Kill the process that measures, once if the condition is *once*, else each time."""
    if seed == 1 and not (folder / "killed").exists():
        if condition == "once":
            (folder / "killed").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"share": 0.5}


def run_slowly(folder):
    vars(grid).update(LIGHT)
    measure = grid.partial(slow, folder)
    grid.run_grid(folder / "some.json", ["one"], [0, 1, 2], measure, workers=1)
