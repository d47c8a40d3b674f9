"""Draw a digit among clutter, and the trained model says where it looks and what it reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import traitlets

from attn_course._values import describe, expect_count, expect_several
from attn_course.packing import pack
from attn_course.views.widgets import model_arrays
from attn_course.views.widgets.drawn_digit.samples import SAMPLES
from attn_course.views.widgets.folding import folded
from attn_course.views.widgets.parts import Widget

SIDE = 8  # pixels of the digit's box
PAD = 32.0  # the pad's side, in the units of strokes
PENS = (2.0, 10.0)  # the thinnest and the thickest, in these units
LOUDEST = 0.5  # noise
_CONVOLUTIONS = {1: (0, 1), 2: (4, 5), 3: (7, 8)}  # their places in the trunk, and their norms'


class DrawnDigit(Widget):
    """Draw a digit on a pad, move it over a canvas with clutter, and see it read by a `MaskReader`.

    The drawing is scaled to the box of a digit, 8 by 8 pixels, the size of the digits in training.
    The forward pass runs on the page, in plain JavaScript, with the arrays given here, whose batch
    normalisation is first folded into the convolutions.

    arrays     the model's state_dict as NumPy arrays
    pieces     the clutter: arrays (row column) from 0 to 1, each at most 8 by 8
    height     of the canvas in pixels; ``width`` too; both multiples of 4
    sample     the name of the sample that is drawn at first, or "" for none
    thickness  of the pen, from 2 to 10; the pad is 32 wide
    noise      the standard deviation of what is added to each pixel, from 0 to 0.5
    count      how many pieces there are at first, and after a shuffle
    samples    name -> strokes, each a list of points (x, y) from 0 to 32, y downwards
    bits       8: a quarter of the size, and hardly any answer changes; 32: float32

    Traits for ``observe``: ``strokes``; ``thickness``; ``noise``; ``place``, the top and the left
    edge of the digit's box; ``clutter``, [piece, top, left] of each piece; ``chosen``, what the
    arrow keys move: 0 the digit, 1 the first piece; ``seed`` of noise and clutter; ``result``, set
    by the page: {"kind", "digit", "probability", "probabilities", "cell", "weight", "inside"},
    where ``kind`` is "digit", "empty", "dot" or "full".
    """

    weights = traitlets.Bytes().tag(sync=True)
    layout_of_weights = traitlets.List(traitlets.Dict()).tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    width = traitlets.Int().tag(sync=True)
    pieces = traitlets.Bytes().tag(sync=True)
    piece_sizes = traitlets.List(traitlets.List(traitlets.Int())).tag(sync=True)
    count = traitlets.Int().tag(sync=True)
    samples = traitlets.List(traitlets.Dict()).tag(sync=True)
    strokes = traitlets.List(traitlets.List(traitlets.List(traitlets.Float()))).tag(sync=True)
    thickness = traitlets.Float(5.0).tag(sync=True)
    noise = traitlets.Float(0.1).tag(sync=True)
    place = traitlets.List(traitlets.Int(), minlen=2, maxlen=2).tag(sync=True)
    clutter = traitlets.List(traitlets.List(traitlets.Int(), minlen=3, maxlen=3)).tag(sync=True)
    chosen = traitlets.Int(0, min=0).tag(sync=True)
    seed = traitlets.Int(0, min=0).tag(sync=True)
    result = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        arrays: Mapping[str, np.ndarray],
        pieces: Sequence[np.ndarray] = (),
        *,
        height: int = 32,
        width: int = 32,
        sample: str = "3",
        thickness: float = 5.0,
        noise: float = 0.1,
        count: int = 6,
        seed: int = 0,
        samples: Mapping[str, Sequence] = SAMPLES,
        bits: int = 8,
    ):
        packed, layout = pack(_convolutions(arrays), bits)
        height, width = _side("height", height), _side("width", width)
        cut = [_piece(number, piece) for number, piece in enumerate(pieces)]
        count = expect_count("count", count, least=0)
        named = {name: _points(name, strokes) for name, strokes in samples.items()}
        if sample and sample not in named:
            raise ValueError(f"sample must be one of {list(named)}, or empty; got {sample!r}")
        place = [(height - SIDE) // 2, (width - SIDE) // 2]
        super().__init__(
            weights=packed,
            layout_of_weights=layout,
            height=height,
            width=width,
            pieces=b"".join(np.rint(255 * piece).astype(np.uint8).tobytes() for piece in cut),
            piece_sizes=[list(piece.shape) for piece in cut],
            count=count,
            samples=[{"name": name, "strokes": strokes} for name, strokes in named.items()],
            strokes=named[sample] if sample else [],
            thickness=thickness,
            noise=noise,
            place=place,
            clutter=_scattered(cut, count, place, (height, width), seed),
            seed=seed,
            summary=(
                "A pad to draw a digit on, and a canvas of "
                f"{height} by {width} pixels on which it stands among clutter. The trained model "
                "shows on the page which cells it weighs, and which digit it reads."
            ),
        )

    @traitlets.validate("thickness")
    def _thickness_of_a_pen(self, proposal) -> float:
        return _within("thickness", proposal["value"], *PENS)

    @traitlets.validate("noise")
    def _noise_on_the_slider(self, proposal) -> float:
        return _within("noise", proposal["value"], 0.0, LOUDEST)

    @traitlets.validate("strokes")
    def _strokes_on_the_pad(self, proposal) -> list:
        return _points("strokes", proposal["value"])

    @traitlets.validate("place")
    def _place_on_the_canvas(self, proposal) -> list[int]:
        top, left = proposal["value"]
        _expect_inside("place", top, left, (SIDE, SIDE), (self.height, self.width))
        return [top, left]

    @traitlets.validate("clutter")
    def _clutter_on_the_canvas(self, proposal) -> list[list[int]]:
        for piece, top, left in proposal["value"]:
            if not 0 <= piece < len(self.piece_sizes):
                raise ValueError(f"clutter has no piece {piece}; there are {len(self.piece_sizes)}")
            size = self.piece_sizes[piece]
            _expect_inside("clutter", top, left, size, (self.height, self.width))
        return proposal["value"]


def _convolutions(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays that the page computes with, once those given fit together."""
    used = {name: array for name, array in arrays.items() if "num_batches_tracked" not in name}
    checked = model_arrays.fitting(used, _expected(used), "a MaskReader with batch normalisation")
    whole = {}
    for number, (place, norm) in _CONVOLUTIONS.items():
        parts = {part: checked[f"trunk.layers.{norm}.{part}"] for part in _NORM}
        weight, bias = folded(checked[f"trunk.layers.{place}.weight"], parts)
        whole[f"conv{number}.weight"] = weight.reshape(len(weight), -1)
        whole[f"conv{number}.bias"] = bias
    whole["score.weight"] = checked["mask.weight"].reshape(1, -1)
    whole["score.bias"] = checked["mask.bias"]
    return whole | {name: checked[name] for name in ("readout.weight", "readout.bias")}


_NORM = ("weight", "bias", "running_mean", "running_var")


def _expected(arrays: Mapping[str, np.ndarray]) -> dict[str, tuple[int, ...]]:
    expected, inputs = {}, 1
    for place, norm in _CONVOLUTIONS.values():
        name = f"trunk.layers.{place}.weight"
        outputs = model_arrays.side(arrays, name, 0)
        expected[name] = (outputs, inputs, 3, 3)
        expected |= {f"trunk.layers.{norm}.{part}": (outputs,) for part in _NORM}
        inputs = outputs
    return expected | {
        "mask.weight": (1, inputs, 1, 1),
        "mask.bias": (1,),
        "readout.weight": (10, inputs),
        "readout.bias": (10,),
    }


def _side(name: str, pixels: int) -> int:
    whole = expect_count(name, pixels, least=2 * SIDE, what="number of pixels")
    if whole % 4:
        raise ValueError(f"{name} must be a multiple of 4, the side of a cell; got {whole}")
    return whole


def _piece(number: int, piece: np.ndarray) -> np.ndarray:
    pixels = np.asarray(piece)
    if pixels.dtype.kind != "f" or pixels.ndim != 2 or not 0 < max(pixels.shape) <= SIDE:
        raise ValueError(
            f"pieces must be floating point (row column), at most {SIDE} by {SIDE}; "
            f"piece {number} is {describe(pixels)}"
        )
    if not pixels.size or not ((pixels >= 0) & (pixels <= 1)).all():
        raise ValueError(f"pieces must hold numbers from 0 to 1; piece {number} does not")
    return pixels


def _points(name: str, strokes: Sequence) -> list[list[list[float]]]:
    """Strokes as lists of points on the pad."""
    listed = [
        [[float(entry) for entry in point] for point in expect_several(f"a stroke of {name}", one)]
        for one in expect_several(name, strokes, least=0)
    ]
    points = [point for stroke in listed for point in stroke]
    if not all(len(point) == 2 and all(0 <= entry <= PAD for entry in point) for point in points):
        raise ValueError(f"{name} must be points (x, y) from 0 to {PAD:g}")
    return listed


def _within(name: str, value: float, low: float, high: float) -> float:
    if not low <= value <= high:
        raise ValueError(f"{name} must lie from {low:g} to {high:g}; got {value:g}")
    return value


def _expect_inside(name: str, top: int, left: int, size: Sequence, canvas: tuple) -> None:
    if not (0 <= top <= canvas[0] - size[0] and 0 <= left <= canvas[1] - size[1]):
        raise ValueError(f"{name} must lie on the canvas of {canvas}; got top {top}, left {left}")


def _scattered(
    pieces: Sequence[np.ndarray], count: int, place: Sequence[int], canvas: tuple, seed: int
) -> list[list[int]]:
    """A piece and a place beside the digit, so many times."""
    if not pieces:
        return []
    rng = np.random.default_rng(seed)
    scattered = []
    for _ in range(count):
        number = int(rng.integers(len(pieces)))
        size = pieces[number].shape
        free = [
            [number, top, left]
            for top, left in product(*(range(canvas[axis] - size[axis] + 1) for axis in (0, 1)))
            if not all(
                at < begin + SIDE and begin < at + length
                for at, length, begin in zip((top, left), size, place, strict=True)
            )
        ]
        scattered.append(free[rng.integers(len(free))])
    return scattered
