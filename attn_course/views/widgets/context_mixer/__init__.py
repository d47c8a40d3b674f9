"""Mix some annotations and see where their context goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import traitlets

from attn_course.views.widgets.parts import Widget

FEWEST, MOST = 3, 20  # annotations that can still be told apart


class ContextMixer(Widget):
    """Let the reader weigh a handful of annotations, and draw their context among them.

        c = Σ_j α_j h_j                            Bahdanau et al. 2015, equation 5

    Everything is computed with the full annotations. The drawing shows them in the plane in which
    they differ most (their first two principal components). This projection is linear, so the
    context's point is exactly the mixture of the annotations' points and stays in their hull.
    Distances are those of the full space: in the plane, two points can look closer than they are.

        ContextMixer(annotations, "3. Mai", steps=[("0", weights_of_step_1), ...])

    annotations  (source, annotation), real numbers, 3 to 20 rows, not all alike
    source       tokens: a list of strings, or a string for its characters
    steps        what the model did: pairs of a name and its weights (source)
    weights      the initial ones; by default those of the first step, or else equal weights

    Traits for ``observe``: ``weights`` (a list that sums to 1) and ``context``, as an array.
    """

    source = traitlets.List(traitlets.Unicode()).tag(sync=True)
    annotations = traitlets.Bytes().tag(sync=True)  # float32, (source annotation)
    axes = traitlets.Bytes().tag(sync=True)  # float32, (2 annotation): two directions of length 1
    steps = traitlets.List(traitlets.Dict()).tag(sync=True)
    weights = traitlets.List(traitlets.Float()).tag(sync=True)
    plane_share = traitlets.Float().tag(sync=True)

    def __init__(
        self,
        annotations: np.ndarray,
        source: Sequence[str],
        steps: Sequence[tuple[str, Sequence[float]]] = (),
        weights: Sequence[float] | None = None,
    ):
        tokens, rows = list(source), _annotations(annotations)
        if len(tokens) != len(rows) or not all(isinstance(one, str) and one for one in tokens):
            raise ValueError(
                f"source must be one token for each of {len(rows)} annotations; got {source!r}"
            )
        named = [
            {"name": str(name), "weights": _weights(f"step {name!r}", row, len(rows))}
            for name, row in steps
        ]
        if weights is None:
            weights = named[0]["weights"] if named else np.full(len(rows), 1 / len(rows))
        axes, share = principal_axes(rows)
        super().__init__(
            source=tokens,
            annotations=rows.astype("<f4").tobytes(),
            axes=axes.astype("<f4").tobytes(),
            steps=named,
            weights=_weights("weights", weights, len(rows)),
            plane_share=share,
            summary=self._in_words(tokens, named),
        )

    @property
    def context(self) -> np.ndarray:
        """The annotations, averaged by the weights as they are now."""
        rows = np.frombuffer(self.annotations, "<f4").reshape(len(self.source), -1)
        return np.array(self.weights) @ rows

    @traitlets.validate("weights")
    def _weights_are_shares(self, proposal) -> list[float]:
        return _weights("weights", proposal["value"], len(self.source))

    @staticmethod
    def _in_words(tokens: list[str], steps: list[Mapping]) -> str:
        read = [f"{one['name']} reads {tokens[int(np.argmax(one['weights']))]}" for one in steps]
        task = f"Mix the annotations of {' '.join(tokens)} by weights that sum to 1."
        return f"{task} What the model did: {', '.join(read)}." if read else task


def principal_axes(rows: np.ndarray) -> tuple[np.ndarray, float]:
    """The two directions in which the rows differ most, and their share of the variance."""
    _, sizes, directions = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    return directions[:2], float((sizes[:2] ** 2).sum() / (sizes**2).sum())


def _annotations(annotations: np.ndarray) -> np.ndarray:
    rows = np.asarray(annotations)
    if rows.dtype.kind != "f":
        raise TypeError(f"annotations must be floating point; got {rows.dtype}")
    if rows.ndim != 2 or not FEWEST <= len(rows) <= MOST or rows.shape[1] < 2:
        raise ValueError(
            f"annotations must be (source, annotation), {FEWEST} to {MOST} rows of 2 or more "
            f"numbers; got {rows.shape}"
        )
    if not np.isfinite(rows).all():
        raise ValueError("annotations hold a number that is infinite or NaN")
    if np.ptp(rows, axis=0).max() == 0:
        raise ValueError("the annotations are all alike: there is nothing to mix")
    return rows.astype(np.float64)


def _weights(name: str, weights: Sequence[float], size: int) -> list[float]:
    values = np.asarray(weights, dtype=float)
    if values.shape != (size,):
        raise ValueError(f"{name} must have one weight per token, ({size},); got {values.shape}")
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise ValueError(f"{name} must be finite and not negative; got {values.tolist()}")
    if abs(values.sum() - 1) > 1e-3:
        raise ValueError(f"{name} must sum to 1; they sum to {values.sum():g}")
    return values.tolist()
