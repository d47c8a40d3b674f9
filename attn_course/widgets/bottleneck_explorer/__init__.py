"""How much fits in one vector: length, state size and training against measured accuracy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import traitlets

from attn_course.widgets.parts import Widget

MODELS = ("fixed", "attending")
CHOSEN = {"size": "sizes", "steps": "steps", "length": "lengths"}  # a trait, and the task's values


class BottleneckExplorer(Widget):
    """Choose a length, a state size and a training: what comes through, with and without attention?

    Everything shown was measured. There are no values between the cells, each cell has answers
    that its models wrote, and where a model was not trained its curve is missing. What must be
    replaced, struck out or inserted is hatched and underlined as well as coloured.

        BottleneckExplorer([{
            "name": "Copy letters", "unit": "letters", "separator": "", "trained": [2, 16],
            "lengths": [2, 3, 5],
            "asked": [[("ab", "ab"), ...], ...],   # for each length: source, right answer
            "cells": [
                {"model": "fixed", "size": 16, "steps": 300, "exact": ..., "written": ...},
            ],
        }])

    name       of the task, as it is chosen
    unit       what lengths count, in the plural
    separator  stands between the symbols of a text; "" if they are characters
    trained    the shortest and the longest length that was trained on
    exact      (seed length), the share of answers without a mistake
    written    [length][sample], texts

    Traits for ``observe``: ``task`` (its number), ``size``, ``steps`` and ``length`` (one of the
    task's).
    """

    tasks = traitlets.List(traitlets.Dict()).tag(sync=True)
    task = traitlets.Int(0).tag(sync=True)
    size = traitlets.Int().tag(sync=True)
    steps = traitlets.Int().tag(sync=True)
    length = traitlets.Int().tag(sync=True)

    def __init__(
        self,
        tasks: Sequence[Mapping],
        *,
        task: int = 0,
        size: int | None = None,
        steps: int | None = None,
        length: int | None = None,
    ):
        checked = [_task(**each) for each in tasks]
        if not checked:
            raise ValueError("tasks is empty: there is nothing to show")
        if not 0 <= task < len(checked):
            raise ValueError(f"task must lie between 0 and {len(checked) - 1}; got {task}")
        sizes, lengths = checked[task]["sizes"], checked[task]["lengths"]
        super().__init__(
            tasks=checked,
            task=task,
            size=sizes[len(sizes) // 2] if size is None else size,
            steps=checked[task]["steps"][0] if steps is None else steps,
            length=lengths[len(lengths) // 2] if length is None else length,
            summary=" ".join(map(_in_words, checked)),
        )

    @traitlets.validate("task")
    def _task_is_there(self, proposal) -> int:
        if not 0 <= proposal["value"] < len(self.tasks):
            raise ValueError(
                f"task must lie between 0 and {len(self.tasks) - 1}; got {proposal['value']}"
            )
        return proposal["value"]

    @traitlets.validate("size", "steps", "length")
    def _cell_was_measured(self, proposal) -> int:
        # of what is set at once the task is set first, and this is asked at the end
        name, value = proposal["trait"].name, proposal["value"]
        task = self.tasks[self.task]
        if value not in task[CHOSEN[name]]:
            raise ValueError(
                f"{name} must be one of {task[CHOSEN[name]]} for the task {task['name']!r}; "
                f"got {value}"
            )
        return value

    @traitlets.observe("task")
    def _cell_follows(self, change) -> None:
        """Another task has other cells: go to the nearest, as the page does."""
        task = self.tasks[self.task]
        for name, values in CHOSEN.items():
            now = getattr(self, name)
            setattr(self, name, min(task[values], key=lambda value: abs(value - now)))


def _task(
    *,
    name: str,
    unit: str,
    separator: str,
    trained: Sequence[int],
    lengths: Sequence[int],
    asked: Sequence,
    cells: Sequence[Mapping],
) -> dict:
    """One task, checked, as the page takes it."""
    lengths, trained = _rising("lengths", lengths), _rising("trained", trained)
    if len(trained) != 2:
        raise ValueError(f"trained must be the shortest and the longest length; got {trained}")
    asked = [[(str(source), str(target)) for source, target in each] for each in asked]
    if len(asked) != len(lengths) or not all(asked):
        raise ValueError(f"asked must hold samples for each of {len(lengths)} lengths")
    checked = [_cell(**cell, asked=asked) for cell in cells]
    places = [(cell["model"], cell["size"], cell["steps"]) for cell in checked]
    if not checked or len(set(places)) < len(places):
        raise ValueError(f"cells must hold at least one cell, and each once; got {places}")
    return {
        "name": name,
        "unit": unit,
        "separator": separator,
        "trained": trained,
        "sizes": sorted({size for _, size, _ in places}),
        "steps": sorted({steps for *_, steps in places}),
        "lengths": lengths,
        "asked": [[list(pair) for pair in each] for each in asked],
        "cells": checked,
    }


def _cell(
    *, model: str, size: int, steps: int, exact: Sequence, written: Sequence, asked: list
) -> dict:
    """What was measured of one model, at one size, after one training."""
    if model not in MODELS:
        raise ValueError(f"model must be one of {MODELS}; got {model!r}")
    return {
        "model": model,
        "size": int(size),
        "steps": int(steps),
        "exact": _shares(exact, len(asked)),
        "written": _texts(written, asked),
    }


def _rising(name: str, numbers: Sequence[int]) -> list[int]:
    listed = [int(number) for number in numbers]
    if not listed or any(low >= high for low, high in pairwise(listed)):
        raise ValueError(f"{name} must be whole numbers that rise; got {numbers}")
    return listed


def _shares(values: Sequence, lengths: int) -> list:
    shares = np.asarray(values, dtype=float)
    if shares.ndim != 2 or not len(shares) or shares.shape[1] != lengths:
        raise ValueError(f"exact must be (seed, length {lengths}); got {shares.shape}")
    if not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError("exact must be shares between 0 and 1")
    return shares.round(4).tolist()


def _texts(written: Sequence, asked: list) -> list:
    counts = [len(each) for each in asked]
    if [len(each) for each in written] != counts:
        raise ValueError(
            f"written must be [length {len(counts)}][sample], one text for each that was asked"
        )
    return [[str(text) for text in each] for each in written]


def _in_words(task: dict) -> str:
    """The lengths at which less than half is right, for readers without the picture."""
    names = {"fixed": "one vector", "attending": "attention"}
    said = [
        f"{names[cell['model']]} of size {cell['size']} after {cell['steps']:,} steps: "
        + _falls(task["lengths"], np.mean(cell["exact"], axis=0))
        for cell in task["cells"]
    ]
    return (
        f"{task['name']}, the first length in {task['unit']} with less than half right. "
        + "; ".join(said)
        + "."
    )


def _falls(lengths: list[int], shares: np.ndarray) -> str:
    length = next((n for n, share in zip(lengths, shares, strict=True) if share < 0.5), None)
    return "none" if length is None else str(length)
