"""Step through the looks of a trained reader over a canvas with several digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import traitlets

from attn_course._values import describe, expect_kind, expect_several, expect_text
from attn_course.views.widgets.parts import Widget

SYMBOLS = (*"0123456789", "end")


class GlimpseStepper(Widget):
    """Go from look to look: where the weights lie, what has been read so far, and what is read now.

    With two readers, such as one whose state decides where to look and one that only counts its
    steps, the reader of the page can switch between them, and a sentence compares them.

    examples  one dictionary for each canvas:
              "name"     what the page calls it
              "pixels"   (row column), from 0 to 1
              "digits"   (object), the right digits in the order in which they are to be read
              "boxes"    (object 4): top, left, bottom, right of each, half open
              "readers"  {name: {"weights": (look row column), "chances": (look symbol)}}; each
                         look's weights and its probabilities sum to one
    symbols   what may be read; the last one ends the reading

    Traits for ``observe``: ``index`` (which canvas), ``reader`` (which of the readers), ``look``
    (from 0) and ``show_boxes``.
    """

    examples = traitlets.List(traitlets.Dict()).tag(sync=True)
    pixels = traitlets.Bytes().tag(sync=True)
    weights = traitlets.Bytes().tag(sync=True)
    chances = traitlets.Bytes().tag(sync=True)
    symbols = traitlets.List(traitlets.Unicode()).tag(sync=True)
    index = traitlets.Int(0, min=0).tag(sync=True)
    reader = traitlets.Int(0, min=0).tag(sync=True)
    look = traitlets.Int(1, min=0).tag(sync=True)
    show_boxes = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self, examples: Sequence[Mapping], symbols: Sequence[str] = SYMBOLS, **traits: object
    ):
        symbols = _names("symbols", symbols, least=2)
        read = [
            _Example(number, example, symbols)
            for number, example in enumerate(expect_several("examples", examples))
        ]
        readers = [list(one.readers) for one in read]
        if any(names != readers[0] for names in readers):
            raise ValueError(f"all examples must have the same readers; got {readers}")
        self._sizes = {"index": len(read), "reader": len(readers[0])}
        super().__init__(
            examples=[one.described() for one in read],
            pixels=b"".join(one.ink() for one in read),
            weights=b"".join(one.weights() for one in read),
            chances=b"".join(one.chances() for one in read),
            symbols=symbols,
            summary=" ".join([one.in_words() for one in read]),
            **traits,
        )

    @traitlets.validate("index", "reader")
    def _one_of_those_given(self, proposal) -> int:
        name, value = proposal["trait"].name, proposal["value"]
        if value >= self._sizes[name]:
            raise ValueError(f"{name} must lie from 0 to {self._sizes[name] - 1}; got {value}")
        return value


class _Example:
    """One canvas, once its arrays fit together."""

    def __init__(self, number: int, example: Mapping, symbols: Sequence[str]):
        expect_kind("each of the examples", example, Mapping)
        needed = {"pixels", "digits", "boxes", "readers"}
        if missing := sorted(needed - set(example)):
            raise ValueError(f"example {number} lacks {missing}")
        self.name = example.get("name", f"Canvas {number + 1}")
        expect_text("name", self.name)
        self.symbols = symbols
        self.pixels = _array("pixels", example["pixels"], 2, highest=1.0)
        self.digits = [int(digit) for digit in expect_several("digits", example["digits"])]
        if not all(0 <= digit < len(symbols) - 1 for digit in self.digits):
            raise ValueError(f"digits must be numbers of the symbols; got {self.digits}")
        self.boxes = _boxes(example["boxes"], len(self.digits), self.pixels.shape)
        expect_kind("readers", example["readers"], Mapping)
        names = _names("readers", example["readers"])
        self.readers = {name: _looks(name, example["readers"][name], symbols) for name in names}

    def ink(self) -> bytes:
        return np.rint(255 * self.pixels).astype(np.uint8).tobytes()

    def weights(self) -> bytes:
        return b"".join(weights.astype("<f4").tobytes() for weights, _ in self.readers.values())

    def chances(self) -> bytes:
        return b"".join(chances.astype("<f4").tobytes() for _, chances in self.readers.values())

    def described(self) -> dict:
        rows, columns = self.pixels.shape
        return {
            "name": self.name,
            "rows": rows,
            "columns": columns,
            "digits": self.digits,
            "boxes": self.boxes,
            "readers": [
                dict(zip(("name", "looks", "rows", "columns"), (name, *weights.shape), strict=True))
                for name, (weights, _) in self.readers.items()
            ],
        }

    def in_words(self) -> str:
        """Which digits stand on the canvas, and what each reader reads."""
        right = " ".join(self.symbols[digit] for digit in self.digits)
        read = "; ".join(
            f"{name}: {' '.join(self.symbols[symbol] for symbol in chances.argmax(axis=1))}"
            for name, (_, chances) in self.readers.items()
        )
        return f"{self.name}: a canvas with the digits {right} among clutter. {read}."


def _looks(name: str, reading: Mapping, symbols: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The weights (look row column) and the probabilities (look symbol) of one reader."""
    expect_kind(f"reader {name!r}", reading, Mapping)
    if set(reading) != {"weights", "chances"}:
        raise ValueError(f"reader {name!r} must have weights and chances; got {sorted(reading)}")
    weights = _array("weights", reading["weights"], 3)
    chances = _array("chances", reading["chances"], 2)
    expected = (len(weights), len(symbols))
    if chances.shape != expected:
        raise ValueError(f"chances must be (look symbol) {expected}; got {chances.shape}")
    for what, shares in (("weights", weights), ("chances", chances)):
        sums = shares.reshape(len(shares), -1).sum(axis=1)
        if (np.abs(sums - 1) > 1e-3).any():
            raise ValueError(f"the {what} of each look must sum to 1; got {sums.round(3).tolist()}")
    return weights, chances


def _array(name: str, array: np.ndarray, axes: int, highest: float = 1.001) -> np.ndarray:
    values = np.asarray(array)
    if values.dtype.kind != "f":
        raise TypeError(f"{name} must be floating-point numbers; got {describe(values)}")
    if values.ndim != axes or not values.size:
        raise ValueError(f"{name} must have {axes} axes and entries; got {describe(values)}")
    if not ((values >= 0) & (values <= highest)).all():
        raise ValueError(f"{name} must lie from 0 to 1")
    return values


def _boxes(boxes: np.ndarray, count: int, shape: tuple[int, int]) -> list[list[int]]:
    corners = np.asarray(boxes)
    if corners.shape != (count, 4) or corners.dtype.kind not in "iu":
        raise ValueError(
            f"boxes must be whole numbers (object 4), ({count}, 4); got {describe(corners)}"
        )
    top, left, bottom, right = corners.T
    inside = (top >= 0) & (top < bottom) & (bottom <= shape[0])
    if not (inside & (left >= 0) & (left < right) & (right <= shape[1])).all():
        raise ValueError(f"boxes must lie on the canvas of {shape}; got {corners.tolist()}")
    return corners.tolist()


def _names(name: str, names: Sequence[str], least: int = 1) -> list[str]:
    listed = expect_several(name, names, least)
    for one in listed:
        expect_text(f"each of {name}", one)
    if len(set(listed)) < len(listed):
        raise ValueError(f"{name} must be distinct; got {listed}")
    return listed
