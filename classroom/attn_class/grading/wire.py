"""How values travel between a grader and the sandbox: JSON, with tensors as raw bytes in base64.

Nothing that arrives is ever executed or unpickled, and what has another form than these lines write
is a ValueError. This file is also read inside of the sandbox, so it imports nothing of the course.
"""

import base64
import binascii
import json
import math
import re
import struct
from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np
import torch
from torch import Tensor

LARGEST = 1 << 22  # bytes of one message
DEEPEST = 200  # lists and objects in one another: what is deeper would use up the stack
_HEADER = struct.Struct(">I")
_BRACKETS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?|([\[{])|([\]}])', re.DOTALL)
_TYPES = {
    str(getattr(torch, name)).removeprefix("torch."): getattr(np, name)
    for name in ("float16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64")
} | {"bool": np.bool_}


def packed(message: dict) -> bytes:
    """A message with its length in front."""
    text = json.dumps(message).encode()
    if len(text) > LARGEST:
        raise ValueError(f"a message of {len(text)} bytes, of at most {LARGEST}")
    return _HEADER.pack(len(text)) + text


def length(header: bytes) -> int:
    """How long the message behind this header is."""
    (size,) = _HEADER.unpack(header)
    if size > LARGEST:
        raise ValueError(f"a message of {size} bytes, of at most {LARGEST}")
    return size


def unpacked(text: bytes) -> dict:
    """The message without its header."""
    if any(depth > DEEPEST for depth in accumulate(map(_step, _BRACKETS.finditer(text)))):
        raise ValueError(f"no message: lists or objects more than {DEEPEST} deep")
    try:
        message = json.loads(text)
    except ValueError as error:
        raise ValueError(f"no message: {type(error).__name__}") from None
    if not isinstance(message, dict):
        raise ValueError(f"a message is an object, not {type(message).__name__}")
    return message


def _step(bracket: re.Match) -> int:
    """How much deeper the text is after a bracket, or after a string, which may contain some."""
    return (bracket[1] is not None) - (bracket[2] is not None)


HEADER = _HEADER.size


def encode(value: object, function: Callable[[Callable], int] | None = None) -> object:
    """A value as JSON. Functions travel as the number that ``function`` gives to them."""
    if isinstance(value, float) and type(was := getattr(value, "was", None)) in (bool, int):
        return was  # a `calling.Number`, which the other side makes of it again
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Tensor):
        return _tensor(value)
    if isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        return {kind: [encode(part, function) for part in value]}
    if isinstance(value, dict):
        return {"dict": [[encode(part, function) for part in pair] for pair in value.items()]}
    if function is not None and callable(value):
        return {"function": function(value)}
    kind = getattr(value, "kind", type(value).__name__)
    return {"unreadable": str(kind)}


def decode(
    data: object,
    function: Callable[[int], object] | None = None,
    unreadable: Callable[[str], object] = str,
) -> object:
    """The value again. Anything that `encode` would not have written is a ValueError."""
    if data is None or isinstance(data, bool | int | float | str):
        return data
    if not isinstance(data, dict):
        raise ValueError(f"no value: {type(data).__name__}")
    again = lambda part: decode(part, function, unreadable)  # noqa: E731
    match data:
        case {"tensor": str(text), "type": str(kind), "shape": list(shape), "grad": bool(grad)}:
            return _array(text, kind, shape).requires_grad_(grad)
        case {"list": list(parts)}:
            return [again(part) for part in parts]
        case {"tuple": list(parts)}:
            return tuple(again(part) for part in parts)
        case {"dict": list(pairs)}:
            return {again(key): again(part) for key, part in pairs}
        case {"function": int(number)} if function is not None:
            return function(number)
        case {"unreadable": str(kind)}:
            return unreadable(kind[:100])
    raise ValueError("no value: an object with other names")


def _tensor(tensor: Tensor) -> dict:
    kind = str(tensor.dtype).removeprefix("torch.")
    if kind not in _TYPES or tensor.layout is not torch.strided:
        return {"unreadable": f"tensor of {kind}"}
    if _extent(tensor.shape) > LARGEST:
        raise ValueError(f"a tensor of the shape {tuple(tensor.shape)}, which is too large")
    array = tensor.detach().cpu().contiguous().resolve_neg().numpy()
    return {
        "tensor": base64.b64encode(array.tobytes()).decode(),
        "type": kind,
        "shape": list(tensor.shape),
        "grad": bool(tensor.requires_grad),
    }


def _extent(shape: Sequence[int]) -> int:
    """How many numbers a tensor would have if no size were 0: even an empty one can be too long."""
    return math.prod(max(size, 1) for size in shape[:16])


def _array(text: str, kind: str, shape: list) -> Tensor:
    if kind not in _TYPES or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError("a tensor of another type or shape")
    if _extent(shape) > LARGEST:
        raise ValueError(f"a tensor of the shape {tuple(shape)}, which is too large")
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("a tensor that is not base64") from error
    if len(raw) != math.prod(shape) * np.dtype(_TYPES[kind]).itemsize or len(shape) > 16:
        raise ValueError("a tensor whose bytes do not fill its shape")
    if kind == "bool" and not set(raw) <= {0, 1}:
        raise ValueError("a boolean that is neither 0 nor 1")
    return torch.from_numpy(np.frombuffer(raw, _TYPES[kind]).reshape(shape).copy())
