"""One query, a few keys, and what each score function makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import traitlets

from attn_course.alignment import SCORES
from attn_course.views.widgets.parts import Widget
from attn_course.views.widgets.plane import keys_in_the_plane, point

FACTORS = (1.0, 20.0)  # of the cosine: 1 / temperature


class ScoreExplorer(Widget):
    """Move a query and keys in the plane; see scores, weights and context under each function.

    All functions see the same query and the same keys, so only the functions differ. The
    keys are also the values that are averaged, so the context lies among them.

        ScoreExplorer(
            {"dot": {}, "general": {"key_projection.weight": W}},
            keys=[[2, 1], [-1, 2], [0, -2]],
            query=[1, 1],
        )

    matrices  for each function to show, a name of `attn_course.alignment.SCORES`, its matrices as
              arrays, named as in its ``state_dict()``; both sizes are 2
    keys      2 to 5 points (x, y), each entry from -3 to 3
    query     one such point
    factor    what the cosine is multiplied by, from 1 to 20

    Traits for ``observe``: ``query``, ``key_points`` (in Jupyter, ``keys`` already has a meaning
    for every widget), ``factor``, ``selected`` (the function whose weights and context are shown in
    the large plane).
    """

    matrices = traitlets.Dict().tag(sync=True)
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)  # in the order in which they stand
    query = traitlets.List(traitlets.Float()).tag(sync=True)
    key_points = traitlets.List(traitlets.List(traitlets.Float())).tag(sync=True)
    factor = traitlets.Float(1.0).tag(sync=True)
    selected = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        matrices: Mapping[str, Mapping[str, np.ndarray]],
        keys: Sequence[Sequence[float]],
        query: Sequence[float],
        **traits,
    ):
        if not matrices:
            raise ValueError(f"matrices is empty: name at least one of {list(SCORES)}")
        checked = {name: _matrices(name, arrays, len(keys)) for name, arrays in matrices.items()}
        super().__init__(
            matrices=checked,
            names=list(checked),
            key_points=[[float(entry) for entry in key] for key in keys],
            query=[float(entry) for entry in query],
            **{"selected": next(iter(checked))} | traits,
        )
        self.summary = (
            f"A query at {tuple(self.query)} and {len(keys)} keys in the plane, with their scores, "
            f"weights and context under {', '.join(self.matrices)}."
        )

    @traitlets.validate("query")
    def _query_is_in_the_plane(self, proposal) -> list[float]:
        return point("query", proposal["value"])

    @traitlets.validate("key_points")
    def _keys_are_in_the_plane(self, proposal) -> list[list[float]]:
        keys = keys_in_the_plane(proposal["value"])
        if self.key_points and len(keys) != len(self.key_points):
            raise ValueError(
                f"key_points must stay {len(self.key_points)}, moved or not; got {len(keys)}"
            )
        return keys

    @traitlets.validate("factor")
    def _factor_is_in_range(self, proposal) -> float:
        if not FACTORS[0] <= proposal["value"] <= FACTORS[1]:
            low, high = FACTORS
            raise ValueError(f"factor must lie between {low} and {high}; got {proposal['value']}")
        return proposal["value"]

    @traitlets.validate("selected")
    def _selected_is_shown(self, proposal) -> str:
        if proposal["value"] not in self.matrices:
            raise ValueError(
                f"selected must be one of {list(self.matrices)}; got {proposal['value']!r}"
            )
        return proposal["value"]


def _shapes(name: str, keys: int, arrays: Mapping[str, np.ndarray]) -> dict[str, tuple[int, ...]]:
    """The shape of each matrix of a function, for queries and keys of two entries."""
    rows = max(next((len(np.atleast_2d(part)) for part in arrays.values()), 1), 1)
    with torch.device("meta"):  # shapes alone: nothing is drawn at random
        score = SCORES[name].of_sizes(2, 2, hidden_size=rows, max_source=max(keys, rows))
    return {part: tuple(matrix.shape) for part, matrix in score.state_dict().items()}


def _matrices(name: str, matrices: Mapping[str, np.ndarray], keys: int) -> dict[str, list]:
    """The matrices of one function as plain lists, in the form that the page takes."""
    if name not in SCORES:
        raise ValueError(f"a score function must be one of {list(SCORES)}; got {name!r}")
    arrays = {part: np.asarray(array, dtype=float) for part, array in matrices.items()}
    shapes = {part: array.shape for part, array in arrays.items()}
    expected = _shapes(name, keys, arrays)
    if shapes != expected:
        raise ValueError(f"{name} needs the matrices {expected}; got {shapes}")
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise ValueError(f"a matrix of {name} holds a number that is not finite")
    return {part: array.tolist() for part, array in arrays.items()}
