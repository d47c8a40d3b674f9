"""How much fits in one vector: length, state size and training against measured accuracy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import traitlets

from attn_course.packing import pack
from attn_course.symbols import FIRST_SYMBOL, SPECIAL
from attn_course.views.widgets import model_arrays
from attn_course.views.widgets.parts import Widget

MODELS = ("fixed", "attending")
CHOSEN = {"size": "sizes", "steps": "steps", "length": "lengths"}  # a trait, and the task's values


class BottleneckExplorer(Widget):
    """Choose a length, a state size and a number of steps: what do both models write?

    Every point and every answer shown was measured: nothing is interpolated, and a model that was
    not trained has no curve. Where trained models are given, the reader may also type letters of
    their own, and the page runs the models on them. In an answer, whatever would have to be
    changed, struck out or added is hatched and underlined as well as coloured.

        BottleneckExplorer([{
            "name": "Copy letters", "unit": "letters", "separator": "", "trained": [2, 16],
            "lengths": [2, 3, 5],
            "asked": [[("ab", "ab"), ...], ...],   # for each length: source, right answer
            "symbols": "abcdefghijklmnopqrstuvwxyz",
            "cells": [
                {"model": "fixed", "size": 16, "steps": 300, "exact": ..., "written": ...,
                 "arrays": ...},
            ],
        }])

    name       of the task, as readers choose it
    unit       what lengths count, in the plural
    separator  stands between the symbols of a text; "" if symbols are characters
    trained    the shortest and the longest length in training
    symbols    optional, for a task whose right answer is the source itself: the vocabulary of both
               sides in its order, and what readers may type. A text may be as long as the longest
               of ``lengths``
    exact      (seed length), the share of answers without a mistake
    written    [length][sample], texts
    arrays     optional, only with ``symbols``: the trained model's state_dict as NumPy arrays. The
               model is that of `fixed_context`, or of `bahdanau` with the dot score and one
               direction. The weights travel with the page in 8 bits; the book's pages fetch those
               of a model when it is first needed

    Traits for ``observe``: ``task`` (its number); ``size``, ``steps`` and ``length`` (each one of
    the task's values); ``text``, what the reader has typed; ``written``, set by the page: what each
    model made of the text, such as {"fixed": "abd", "attending": "abc"}, or {} if it could not be
    read.
    """

    tasks = traitlets.List(traitlets.Dict()).tag(sync=True)
    task = traitlets.Int(0).tag(sync=True)
    size = traitlets.Int().tag(sync=True)
    steps = traitlets.Int().tag(sync=True)
    length = traitlets.Int().tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)
    written = traitlets.Dict().tag(sync=True)
    special = traitlets.Dict(SPECIAL).tag(sync=True)

    def __init__(
        self,
        tasks: Sequence[Mapping],
        *,
        task: int = 0,
        size: int | None = None,
        steps: int | None = None,
        length: int | None = None,
        text: str = "",
    ):
        checked = [_task(**entry) for entry in tasks]
        if not checked:
            raise ValueError("tasks is empty: give at least one task")
        if not 0 <= task < len(checked):
            raise ValueError(f"task must lie between 0 and {len(checked) - 1}; got {task}")
        sizes, lengths = checked[task]["sizes"], checked[task]["lengths"]
        super().__init__(
            tasks=checked,
            task=task,
            size=sizes[len(sizes) // 2] if size is None else size,
            steps=checked[task]["steps"][0] if steps is None else steps,
            length=lengths[len(lengths) // 2] if length is None else length,
            text=text,
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
        # when several traits are set at once, this runs at the end, after the task has been set
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
        """Another task has other cells: move to the nearest one, as the page does."""
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
    symbols: Sequence[str] = "",
) -> dict:
    """One task, checked, in the form that the page takes."""
    lengths, trained = _rising("lengths", lengths), _rising("trained", trained)
    if len(trained) != 2:
        raise ValueError(f"trained must be the shortest and the longest length; got {trained}")
    symbols = _characters(symbols, separator)
    pairs = [[(str(source), str(target)) for source, target in row] for row in asked]
    if len(pairs) != len(lengths) or not all(pairs):
        raise ValueError(f"asked must hold samples for each of {len(lengths)} lengths")
    checked = [_cell(**cell, pairs=pairs, symbols=symbols) for cell in cells]
    places = [(cell["model"], cell["size"], cell["steps"]) for cell in checked]
    if not checked or len(set(places)) < len(places):
        raise ValueError(f"cells must hold at least one cell, and none twice; got {places}")
    return {
        "name": name,
        "unit": unit,
        "separator": separator,
        "trained": trained,
        "sizes": sorted({size for _, size, _ in places}),
        "steps": sorted({steps for *_, steps in places}),
        "lengths": lengths,
        "asked": [[list(pair) for pair in row] for row in pairs],
        "symbols": symbols,
        "cells": checked,
    }


def _cell(
    *,
    model: str,
    size: int,
    steps: int,
    exact: Sequence,
    written: Sequence,
    pairs: list,
    symbols: str,
    arrays: Mapping[str, np.ndarray] | None = None,
) -> dict:
    """What was measured of one model, at one size, after one training."""
    if model not in MODELS:
        raise ValueError(f"model must be one of {MODELS}; got {model!r}")
    if arrays is not None and not symbols:
        raise ValueError("arrays need symbols: without them nobody can type a text")
    return {
        "model": model,
        "size": int(size),
        "steps": int(steps),
        "exact": _shares(exact, len(pairs)),
        "written": _texts(written, pairs),
        **({} if arrays is None else _packed(arrays, FIRST_SYMBOL + len(symbols))),
    }


def _packed(arrays: Mapping[str, np.ndarray], symbols: int) -> dict:
    """A model as it travels: its weights in 8 bits, and where each array lies in them."""
    fitting = model_arrays.of_translator(arrays, symbols, symbols, score="dot", directions=1)
    weights, layout = pack(fitting)
    return {"weights": weights, "layout": layout}


def _characters(symbols: Sequence[str], separator: str) -> str:
    """The symbols that may be typed, as one string."""
    listed = list(symbols)
    single = all(isinstance(symbol, str) and len(symbol) == 1 for symbol in listed)
    if not single or len(set(listed)) < len(listed):
        raise ValueError(f"symbols must be distinct single characters; got {listed}")
    if listed and separator:
        raise ValueError(f"separator must be empty where symbols may be typed; got {separator!r}")
    return "".join(listed)


def _rising(name: str, numbers: Sequence[int]) -> list[int]:
    listed = [int(number) for number in numbers]
    if not listed or any(low >= high for low, high in pairwise(listed)):
        raise ValueError(f"{name} must be whole numbers in rising order; got {numbers}")
    return listed


def _shares(values: Sequence, lengths: int) -> list:
    shares = np.asarray(values, dtype=float)
    if shares.ndim != 2 or not len(shares) or shares.shape[1] != lengths:
        raise ValueError(f"exact must be (seed, length {lengths}); got {shares.shape}")
    if not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError("exact must be shares between 0 and 1")
    return shares.round(4).tolist()


def _texts(written: Sequence, pairs: list) -> list:
    counts = [len(row) for row in pairs]
    if [len(row) for row in written] != counts:
        raise ValueError(
            f"written must be [length {len(counts)}][sample], one text for each pair in asked"
        )
    return [[str(text) for text in row] for row in written]


def _in_words(task: dict) -> str:
    """The lengths at which fewer than half are right, for readers without the picture."""
    names = {"fixed": "one vector", "attending": "attention"}
    phrases = [
        f"{names[cell['model']]} of size {cell['size']} after {cell['steps']:,} steps: "
        + _falls(task["lengths"], np.mean(cell["exact"], axis=0))
        for cell in task["cells"]
    ]
    return (
        f"{task['name']}, the first length in {task['unit']} at which fewer than half are right. "
        + "; ".join(phrases)
        + "."
    )


def _falls(lengths: list[int], shares: np.ndarray) -> str:
    length = next((n for n, share in zip(lengths, shares, strict=True) if share < 0.5), None)
    return "none" if length is None else str(length)
