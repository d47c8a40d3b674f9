"""Who reads what: an alignment as a matrix or as arcs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import traitlets

from attn_course.views.widgets.parts import Widget

SIDES = ("target", "source")
VIEWS = ("matrix", "arcs")


class AlignmentViewer(Widget):
    """Show the weights α_ij of each target step, and let the reader ask which token reads which.

    The source runs across and the target down. Pointing at a token on either side, with a pointer,
    a finger or the arrow keys, leaves only its links. A row sums to 1 and a column does not: every
    target step reads once, but a source position may be read often or never.

        AlignmentViewer("3. Mai", "05-03", weights)                      # weights (target, source)
        AlignmentViewer(examples=[{"name": "German", "source": ..., "target": ..., "weights": ...}])

    source, target   tokens: a list of strings, or a string for its characters
    weights          (target, source), not negative, each row sums to 1
    gold             (target, source), boolean, optional: the exact alignment, drawn as an outline
    title            one sentence that says what there is to see
    examples         several alignments to choose from, each with a ``name``; ``example_label``
                     is the label of the menu

    Traits for ``observe``: ``selected`` ({} or {"side": "target", "index": 3}, with "other": 5 on a
    single cell), ``index`` (the example), ``view`` ("matrix" or "arcs"), ``show_gold``.
    """

    examples = traitlets.List(traitlets.Dict()).tag(sync=True)
    weights = traitlets.Bytes().tag(sync=True)  # float32, all examples one after the other
    gold = traitlets.Bytes().tag(sync=True)  # one byte for each weight
    example_label = traitlets.Unicode("Example").tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    index = traitlets.Int(0).tag(sync=True)
    view = traitlets.Enum(VIEWS, "matrix").tag(sync=True)
    show_gold = traitlets.Bool(False).tag(sync=True)
    selected = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        source: Sequence[str] = (),
        target: Sequence[str] = (),
        weights: np.ndarray | None = None,
        gold: np.ndarray | None = None,
        *,
        examples: Sequence[Mapping] | None = None,
        **traits,
    ):
        if examples is None:
            examples = [{"source": source, "target": target, "weights": weights, "gold": gold}]
        elif len(source) or len(target) or weights is not None:
            raise ValueError("give one alignment or several examples; got both")
        if not examples:
            raise ValueError("examples is empty: give at least one alignment")
        parts = [_Alignment(number, **example) for number, example in enumerate(examples, start=1)]
        super().__init__(
            examples=[part.tokens() for part in parts],
            weights=b"".join(part.weights.astype("<f4").tobytes() for part in parts),
            gold=b"".join(part.gold_bytes() for part in parts),
            summary=" ".join(part.in_words() for part in parts),
            **traits,
        )

    @traitlets.validate("index")
    def _index_is_an_example(self, proposal) -> int:
        if not 0 <= proposal["value"] < len(self.examples):
            raise ValueError(
                f"index must lie between 0 and {len(self.examples) - 1}; got {proposal['value']}"
            )
        return proposal["value"]

    @traitlets.validate("selected")
    def _selected_is_a_place(self, proposal) -> dict:
        selected = proposal["value"]
        if not selected:
            return {}
        side, index, other = (selected.get(key) for key in ("side", "index", "other"))
        if side not in SIDES or not set(selected) <= {"side", "index", "other"}:
            raise ValueError(
                f'selected must be {{}} or {{"side": "target" or "source", "index": ...}}; '
                f"got {selected}"
            )
        example = self.examples[self.index]
        here, there = example[side], example[SIDES[1 - SIDES.index(side)]]
        for place, tokens in ((index, here), (0 if other is None else other, there)):
            if not isinstance(place, int) or not 0 <= place < len(tokens):
                raise ValueError(
                    f"selected must point at one of {len(tokens)} tokens; got {selected}"
                )
        return selected


class _Alignment:
    """One alignment, checked."""

    def __init__(self, number: int, *, source, target, weights, gold=None, name: str = ""):
        self.name = name or f"Example {number}"
        self.source, self.target = _tokens("source", source), _tokens("target", target)
        shape = (len(self.target), len(self.source))
        self.weights = _weights(weights, shape)
        self.gold = None if gold is None else _gold(gold, shape)

    def tokens(self) -> dict:
        return {
            "name": self.name,
            "source": self.source,
            "target": self.target,
            "gold": self.gold is not None,
        }

    def gold_bytes(self) -> bytes:
        gold = np.zeros_like(self.weights, dtype=bool) if self.gold is None else self.gold
        return gold.astype(np.uint8).tobytes()

    def in_words(self) -> str:
        reads = ", ".join(
            f"{token} reads {self.source[row.argmax()]} ({row.max():.2f})"
            for token, row in zip(self.target, self.weights, strict=True)
        )
        return f"{self.name}, what each target reads most: {reads}."


def _tokens(name: str, tokens: Sequence[str]) -> list[str]:
    listed = list(tokens)
    if not listed or not all(isinstance(token, str) and token for token in listed):
        raise ValueError(f"{name} must be one or more tokens, none of them empty; got {tokens!r}")
    return listed


def _weights(weights: np.ndarray | None, shape: tuple[int, int]) -> np.ndarray:
    values = np.asarray(weights)
    if values.dtype.kind != "f":
        raise TypeError(f"weights must be floating point; got {values.dtype}")
    if values.shape != shape:
        raise ValueError(
            f"weights must have the shape (target, source) {shape}; got {values.shape}"
        )
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise ValueError("weights must be finite and not negative")
    sums = values.sum(axis=1)
    off = np.flatnonzero(abs(sums - 1) > 1e-3)
    if len(off):
        raise ValueError(
            f"each row of weights must sum to 1; row {off[0]} sums to {sums[off[0]]:g}"
        )
    return values.astype(np.float32)


def _gold(gold: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    values = np.asarray(gold)
    if values.dtype != bool:
        raise TypeError(f"gold must be boolean (True = linked); got {values.dtype}")
    if values.shape != shape:
        raise ValueError(f"gold must have the shape (target, source) {shape}; got {values.shape}")
    return values
