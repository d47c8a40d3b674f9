"""The inputs on which an answer failed, as code that makes the same ones, to the last bit."""

import ast
import re
from collections.abc import Collection

from torch import Tensor

LONGEST = 8_000  # characters
_NO_LITERAL = re.compile(r"\b(nan|inf)\b")


def code(call: str, values: Collection[object]) -> str:
    """Assignments of these values to the arguments in ``call``, and the call.

    "" if that would be too long, or if a value, such as a function, has no code.
    """
    names = [name.strip() for name in call.partition("(")[2].rstrip(")").split(",")]
    try:
        lines = [f"{name} = {_code_of(value)}" for name, value in zip(names, values, strict=True)]
    except (ValueError, SyntaxError):
        return ""
    text = "\n".join(["import torch", "", *lines, f"print({call})"])
    return text if len(text) <= LONGEST else ""


def _code_of(value: object) -> str:
    """An expression that is equal to the value; a ValueError if there is none."""
    if isinstance(value, Tensor):
        if not value.numel():
            return f"torch.empty({tuple(value.shape)}, dtype={value.dtype})"
        grows = ", requires_grad=True" if value.requires_grad else ""
        return f"torch.tensor({_code_of(value.tolist())}, dtype={value.dtype}{grows})"
    if isinstance(value, list | tuple):
        parts = ", ".join(map(_code_of, value))
        if isinstance(value, list):
            return f"[{parts}]"
        return f"({parts},)" if value else "()"
    if isinstance(value, float):
        return _NO_LITERAL.sub(r'float("\1")', float.__repr__(value))
    text = repr(value)
    if ast.literal_eval(text) != value:
        raise ValueError(f"{text} is another value")
    return text
