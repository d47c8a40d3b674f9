"""Pack named arrays into one string of bytes, small enough to travel with a web page.

    w ≈ scale · q,   q a whole number from -127 to 127,   scale = max |w| / 127, one per row

The trained weights of a small model shrink to a quarter of their size, and its answers hardly
ever change: a rounding error is at most half a step of its row, and the errors of many weights
cancel. A large weight coarsens the steps of its own row only, which is why each row has its own
scale. Arrays with one axis (biases) stay float32, since they hold few numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

_LARGEST = 127


def pack(arrays: Mapping[str, np.ndarray], bits: int = 8) -> tuple[bytes, list[dict]]:
    """Pack the arrays in the order given; the layout says where each one lies.

    arrays  name -> array of finite real numbers, each with one or two axes
    bits    8: whole numbers with one float32 scale per row; 32: unchanged float32

    Returns the bytes (little-endian) and a list of ``{"name", "shape", "bits", "offset"}``, whose
    bits are those of this array. An array of 8 bits begins with the float32 scales of its rows,
    followed by the rows. Any other ``bits``, an array that is empty or has more axes, and a number
    that is infinite or NaN are ValueErrors; an array that is not floating point is a TypeError.
    """
    if bits not in (8, 32):
        raise ValueError(f"bits must be 8 or 32; got {bits!r}")
    packed, layout = bytearray(), []
    for name, array in arrays.items():
        values = _finite(name, array)
        small = bits == 8 and values.ndim == 2
        shape = [int(size) for size in values.shape]
        layout.append(
            {"name": name, "shape": shape, "bits": 8 if small else 32, "offset": len(packed)}
        )
        packed += _rows_of_bytes(values) if small else values.astype("<f4").tobytes()
    return bytes(packed), layout


def unpack(packed: bytes, layout: Sequence[Mapping]) -> dict[str, np.ndarray]:
    """The float32 arrays that the page computes with: those given to `pack`, up to rounding."""
    return {entry["name"]: _one(packed, entry) for entry in layout}


def _finite(name: str, array: np.ndarray) -> np.ndarray:
    values = np.asarray(array)
    if values.dtype.kind != "f":
        raise TypeError(f"{name} must hold floating-point numbers; got {values.dtype}")
    if values.ndim not in (1, 2) or values.size == 0:
        raise ValueError(
            f"{name} must have one or two axes and at least one entry; got {values.shape}"
        )
    values = values.astype(np.float32)
    if not np.isfinite(values).all():
        raise ValueError(f"{name} holds a number that is infinite or NaN")
    return values


def _rows_of_bytes(values: np.ndarray) -> bytes:
    scales = (np.abs(values).max(axis=1, keepdims=True) / _LARGEST).astype(np.float32)
    steps = np.divide(values, scales, out=np.zeros_like(values), where=scales > 0)
    whole = np.clip(np.rint(steps), -_LARGEST, _LARGEST).astype(np.int8)
    return scales.astype("<f4").tobytes() + whole.tobytes()


def _one(packed: bytes, entry: Mapping) -> np.ndarray:
    shape, offset = tuple(entry["shape"]), entry["offset"]
    count = int(np.prod(shape))
    if entry["bits"] == 32:
        return np.frombuffer(packed, "<f4", count, offset).reshape(shape).astype(np.float32)
    scales = np.frombuffer(packed, "<f4", shape[0], offset).astype(np.float32)
    whole = np.frombuffer(packed, np.int8, count, offset + 4 * shape[0]).reshape(shape)
    return whole * scales[:, None]
