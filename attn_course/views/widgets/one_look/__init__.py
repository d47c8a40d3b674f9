"""One look by hand: a query, a few keys, and every number on the way to their average."""

from __future__ import annotations

from collections.abc import Sequence

import traitlets

from attn_course.views.widgets.parts import Widget
from attn_course.views.widgets.plane import keys_in_the_plane, point, points

STEPS = ("scores", "shares", "average")


class OneLook(Widget):
    """Let the reader move a query and follow its look at some keys by hand, number by number.

        e_j = q · k_j         α_j = exp(e_j) / Σ_k exp(e_k)         c = Σ_j α_j v_j

    The products and their sums, e to each score, the shares and the average follow the query.

        OneLook([[2, 0.5], [-0.5, 1], [-1.5, -1.5], [1, -2]], query=(0.8, 1.2), step="shares")

    keys     2 to 5 points (x, y), each entry from -3 to 3
    query    one such point; the reader moves it in tenths
    values   what is averaged, a point for each key; the keys themselves if left out
    step     how far the numbers go: "scores", "shares" or "average"
    askers   a query for each position. Nothing can be moved then: the reader chooses who asks

    Traits for ``observe``: ``query`` and ``asker`` (the position that asks, from 1; 0: all of them,
    shown as a matrix, or nobody if there are no askers).
    """

    key_points = traitlets.List(traitlets.List(traitlets.Float())).tag(sync=True)
    value_points = traitlets.List(traitlets.List(traitlets.Float())).tag(sync=True)
    askers = traitlets.List(traitlets.List(traitlets.Float())).tag(sync=True)
    query = traitlets.List(traitlets.Float()).tag(sync=True)
    asker = traitlets.Int().tag(sync=True)
    step = traitlets.Enum(STEPS, "average").tag(sync=True)

    def __init__(
        self,
        keys: Sequence[Sequence[float]],
        query: Sequence[float] = (0.8, 1.2),
        values: Sequence[Sequence[float]] | None = None,
        step: str = "average",
        askers: Sequence[Sequence[float]] | None = None,
        **traits,
    ):
        checked = keys_in_the_plane(keys)
        super().__init__(
            key_points=checked,
            value_points=_one_each("value", checked if values is None else values, checked),
            askers=[] if askers is None else _one_each("asker", askers, checked),
        )
        self.step = step
        self.query = list(query)
        self.asker = 0 if askers is None else 1
        for name, value in traits.items():
            if name != "asker":
                raise TypeError(f"{name} is not an argument of {type(self).__name__}")
            self.asker = value
        self.summary = self._in_words()

    @traitlets.validate("query")
    def _query_is_in_the_plane(self, proposal) -> list[float]:
        return point("query", proposal["value"])

    @traitlets.validate("asker")
    def _asker_is_a_position(self, proposal) -> int:
        if not 0 <= proposal["value"] <= len(self.askers):
            raise ValueError(
                f"asker must lie from 0 to {len(self.askers)}; got {proposal['value']}"
            )
        return proposal["value"]

    def _in_words(self) -> str:
        count = len(self.key_points)
        asking = f"{count} queries" if self.askers else f"A query at {tuple(self.query)}"
        parts = ("its score with each key", "the shares", "the average")
        steps = ", ".join(parts[: STEPS.index(self.step) + 1])
        return f"{asking} and {count} keys in the plane, with every number of a look: {steps}."


def _one_each(name: str, vectors: Sequence[Sequence[float]], keys: list) -> list[list[float]]:
    if len(vectors) != len(keys):
        raise ValueError(f"{name}s must be {len(keys)}, one per key; got {len(vectors)}")
    return points(name, vectors)
