"""How much fits in one vector: length and state size against measured accuracy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import traitlets

from attn_course.widgets.parts import Widget

MODELS = ("fixed", "attending")


class BottleneckExplorer(Widget):
    """Choose a length and a state size: how much is right with one vector, and with attention?

    Everything shown was measured: there are no values between the cells, and each cell has answers
    that its models wrote. What must be replaced, struck out or put in is hatched and underlined
    as well as coloured.

        BottleneckExplorer([{
            "name": "Copy letters", "unit": "letters", "separator": "", "trained": [2, 16],
            "sizes": [16, 64], "lengths": [2, 3, 5],
            "exact": {"fixed": ..., "attending": ...},    # (size seed length), shares
            "asked": [[("ab", "ab"), ...], ...],          # for each length: source, right answer
            "written": {"fixed": ..., "attending": ...},  # [size][length][sample], texts
        }])

    name       of the task, as it is chosen
    unit       what lengths count, in the plural
    separator  stands between the symbols of a text; "" if they are characters
    trained    the shortest and the longest length that was trained on

    Traits for ``observe``: ``task`` (its number), ``size`` and ``length`` (one of the task's).
    """

    tasks = traitlets.List(traitlets.Dict()).tag(sync=True)
    task = traitlets.Int(0).tag(sync=True)
    size = traitlets.Int().tag(sync=True)
    length = traitlets.Int().tag(sync=True)

    def __init__(
        self,
        tasks: Sequence[Mapping],
        *,
        task: int = 0,
        size: int | None = None,
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

    @traitlets.validate("size", "length")
    def _cell_was_measured(self, proposal) -> int:
        # of what is set at once the task is set first, and this is asked at the end
        name, value = proposal["trait"].name, proposal["value"]
        task = self.tasks[self.task]
        if value not in task[f"{name}s"]:
            raise ValueError(
                f"{name} must be one of {task[f'{name}s']} for the task {task['name']!r}; "
                f"got {value}"
            )
        return value

    @traitlets.observe("task")
    def _cell_follows(self, change) -> None:
        """Another task has other cells: go to the nearest, as the page does."""
        task = self.tasks[self.task]
        for name in ("size", "length"):
            now = getattr(self, name)
            setattr(self, name, min(task[f"{name}s"], key=lambda value: abs(value - now)))


def _task(
    *,
    name: str,
    unit: str,
    separator: str,
    trained: Sequence[int],
    sizes: Sequence[int],
    lengths: Sequence[int],
    exact: Mapping,
    asked: Sequence,
    written: Mapping,
) -> dict:
    """One task, checked, as the page takes it."""
    sizes, lengths = _rising("sizes", sizes), _rising("lengths", lengths)
    trained = _rising("trained", trained)
    if len(trained) != 2:
        raise ValueError(f"trained must be the shortest and the longest length; got {trained}")
    for what, given in (("exact", exact), ("written", written)):
        if set(given) != set(MODELS):
            raise ValueError(f"{what} must have one entry for each of {MODELS}; got {set(given)}")
    asked = [[(str(source), str(target)) for source, target in each] for each in asked]
    if len(asked) != len(lengths) or not all(asked):
        raise ValueError(f"asked must hold samples for each of {len(lengths)} lengths")
    return {
        "name": name,
        "unit": unit,
        "separator": separator,
        "trained": trained,
        "sizes": sizes,
        "lengths": lengths,
        "exact": {model: _shares(exact[model], len(sizes), len(lengths)) for model in MODELS},
        "asked": [[list(pair) for pair in each] for each in asked],
        "written": {model: _texts(written[model], len(sizes), asked) for model in MODELS},
    }


def _rising(name: str, numbers: Sequence[int]) -> list[int]:
    listed = [int(number) for number in numbers]
    if not listed or any(low >= high for low, high in pairwise(listed)):
        raise ValueError(f"{name} must be whole numbers that rise; got {numbers}")
    return listed


def _shares(values: Sequence, sizes: int, lengths: int) -> list:
    shares = np.asarray(values, dtype=float)
    if shares.ndim != 3 or (shares.shape[0], shares.shape[2]) != (sizes, lengths):
        raise ValueError(
            f"exact must be (size {sizes}, seed, length {lengths}); got {shares.shape}"
        )
    if not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError("exact must be shares between 0 and 1")
    return shares.round(4).tolist()


def _texts(written: Sequence, sizes: int, asked: Sequence) -> list:
    counts = [len(each) for each in asked]
    if len(written) != sizes or any([len(each) for each in row] != counts for row in written):
        raise ValueError(
            f"written must be [size {sizes}][length {len(counts)}][sample], one text for each "
            "that was asked"
        )
    return [[[str(text) for text in each] for each in row] for row in written]


def _in_words(task: dict) -> str:
    """The lengths up to which half of all is right, for readers without the picture."""
    held = {
        model: [
            next((n for n, share in zip(task["lengths"], mean, strict=True) if share < 0.5), None)
            for mean in np.mean(task["exact"][model], axis=1)
        ]
        for model in MODELS
    }
    said = [
        f"state size {size}: with one vector {_falls(fixed)}, with attention {_falls(attending)}"
        for size, fixed, attending in zip(
            task["sizes"], held["fixed"], held["attending"], strict=True
        )
    ]
    return f"{task['name']}, first length in {task['unit']} with less than half right. " + (
        "; ".join(said) + "."
    )


def _falls(length: int | None) -> str:
    return "none" if length is None else str(length)
