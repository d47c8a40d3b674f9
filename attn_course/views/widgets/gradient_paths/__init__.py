"""The paths from a loss back to a source position, and what they carry."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import traitlets

from attn_course.views.widgets.parts import Widget

ROUTES = ("value", "score", "chain", "other")
LONGEST = 8  # more nodes would not be legible on a phone


class GradientPaths(Widget):
    """Draw the paths from one loss back to one source position, with their measured shares.

    A translator that reads in one direction, drawn as a U: the encoder's states run down on the
    left, the decoder's come up on the right. The page counts the paths itself, by the recursion of
    `attn_course.gradients.count_paths`; the measurements are passed in:

        GradientPaths(norms, shares, stages=["At the start", "After training"])

    norms    (stage, attention, target, source), above zero: ‖d loss_i / d h_j‖, first without
             attention, then with it
    shares   (stage, target, source, route), with attention: the share of the gradient that comes
             by each of `ROUTES`, as ⟨part, whole⟩ / ⟨whole, whole⟩. The shares sum to 1; a part
             that points against the whole has a share below zero.
             value: h_j as read at step i; score: the score e_ij of that read; chain: from state
             to state, without any read; other: everything else
    stages   a name for each stage

    Traits for ``observe``: ``source`` and ``target`` (chosen, from 1), ``attention``, ``stage``
    (from 0).
    """

    stages = traitlets.List(traitlets.Unicode()).tag(sync=True)
    sizes = traitlets.Dict().tag(sync=True)  # {"source": n, "target": m}
    norms = traitlets.Bytes().tag(sync=True)  # float32
    shares = traitlets.Bytes().tag(sync=True)  # float32
    source = traitlets.Int(1).tag(sync=True)
    target = traitlets.Int(1).tag(sync=True)
    attention = traitlets.Bool(True).tag(sync=True)
    stage = traitlets.Int(0).tag(sync=True)

    def __init__(self, norms: np.ndarray, shares: np.ndarray, stages: Sequence[str], **traits):
        stages = list(stages)
        norms, shares = _norms(norms, len(stages)), np.asarray(shares)
        target, source = norms.shape[2:]
        _check_shares(shares, (len(stages), target, source, len(ROUTES)))
        super().__init__(
            stages=stages,
            sizes={"source": source, "target": target},
            norms=norms.astype("<f4").tobytes(),
            shares=shares.astype("<f4").tobytes(),
            summary=_in_words(norms, shares, stages),
            **{"source": 1, "target": target, **traits},
        )

    @traitlets.validate("source", "target")
    def _is_a_place(self, proposal) -> int:
        name, value = proposal["trait"].name, proposal["value"]
        if not 1 <= value <= self.sizes[name]:
            raise ValueError(f"{name} must lie between 1 and {self.sizes[name]}; got {value}")
        return value

    @traitlets.validate("stage")
    def _is_a_stage(self, proposal) -> int:
        if not 0 <= proposal["value"] < len(self.stages):
            raise ValueError(
                f"stage must lie between 0 and {len(self.stages) - 1}; got {proposal['value']}"
            )
        return proposal["value"]


def _norms(norms: np.ndarray, stages: int) -> np.ndarray:
    values = np.asarray(norms)
    if values.dtype.kind != "f":
        raise TypeError(f"norms must be floating point; got {values.dtype}")
    if values.ndim != 4 or values.shape[:2] != (stages, 2):
        raise ValueError(
            f"norms must be (stage {stages}, attention 2, target, source); got {values.shape}"
        )
    if not all(1 <= size <= LONGEST for size in values.shape[2:]):
        raise ValueError(f"1 to {LONGEST} targets and sources can be drawn; got {values.shape[2:]}")
    if not (np.isfinite(values).all() and (values.astype(np.float32) > 0).all()):
        raise ValueError("norms must be finite and above zero, in single precision too")
    return values


def _check_shares(shares: np.ndarray, shape: tuple[int, ...]) -> None:
    if shares.dtype.kind != "f":
        raise TypeError(f"shares must be floating point; got {shares.dtype}")
    if shares.shape != shape:
        raise ValueError(
            f"shares must be (stage, target, source, route) {shape}; got {shares.shape}"
        )
    if not np.isfinite(shares).all():
        raise ValueError("shares must be finite")
    off = np.abs(shares.sum(axis=-1) - 1).max()
    if off > 1e-3:
        raise ValueError(f"the shares of all routes must sum to 1; they are off by up to {off:.3g}")


def _in_words(norms: np.ndarray, shares: np.ndarray, stages: Sequence[str]) -> str:
    """The longest path, for readers who do not see the drawing."""
    target, source = norms.shape[2:]
    words = []
    for name, (without, attending), share in zip(stages, norms[:, :, -1, 0], shares, strict=True):
        words.append(
            f"{name}, from the last of {target} losses to the first of {source} source positions: "
            f"norm {without:.1e} without attention, {attending:.1e} with it, of which "
            f"{share[-1, 0, :2].sum():.0%} comes through the read at that step."
        )
    return " ".join(words)
