"""Exercise: a block, written from memory.

x <- x + attention(norm(x))
x <- x + W_down (silu(W_gate y) * W_up y)   y = norm(x)         Touvron et al. 2023, section 2.2
"""

import torch
from torch.nn.functional import silu

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

POSITION, SIZE, HIDDEN = Size(2, 5), Size(3, 7), Size(3, 13)


def solution(x, norm, attention, gate, up, down):
    """Attention adds to the stream, and then the network does."""
    x = x + attention(norm(x))
    y = norm(x)
    return x + (silu(y @ gate.T) * (y @ up.T)) @ down.T


def _inputs(draw: Draw) -> dict:
    return {
        "x": draw.normal(POSITION, SIZE) + 1,
        "norm": _norm,
        "attention": _means,
        "gate": draw.normal(HIDDEN, SIZE, scale=1.0),
        "up": draw.normal(HIDDEN, SIZE, scale=1.0),
        "down": draw.normal(SIZE, HIDDEN),
    }


def _norm(vectors):
    return vectors / (vectors.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt()


def _means(vectors):
    """Attention whose scores are all equal, times two."""
    return 2 * vectors.cumsum(0) / torch.arange(1, len(vectors) + 1)[:, None]


def _silent(*parts: str):
    """Draw inputs with parts that return nothing but zeros."""

    def drawn(draw: Draw) -> dict:
        inputs = _inputs(draw)
        zeros = {"attention": torch.zeros_like, "down": torch.zeros_like(inputs["down"])}
        return inputs | {part: zeros[part] for part in parts}

    return drawn


exercise = Exercise(
    "block(x, norm, attention, gate, up, down)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Weak(
            "If both parts return nothing but zeros, x comes out as it went in.",
            _silent("attention", "down"),
            "The residual stream: each part adds to x itself, not to norm(x), and nothing is "
            "normalised after a sum.",
        ),
        Case(
            "If the network is silent, what comes out is x + attention(norm(x)).",
            _silent("down"),
            "Attention reads norm(x), and what it returns is added once.",
        ),
        Case(
            "If attention is silent, the gated network of norm(x) is added to x.",
            _silent("attention"),
            "The silu is of the gate alone; the gate's result is multiplied by that of `up`, entry "
            "by entry, and `down` leads back to the size of x. Row vectors times W.T are W times "
            "the vectors.",
        ),
        Case(
            "The network reads the stream after attention has added to it.",
            _inputs,
            "Two sums, one after the other. The second part reads, and adds to, the x of the "
            "first.",
        ),
    ],
    slips={
        "": [
            ("x = x + attention(norm(x))", "x = attention(norm(x))"),
            ("attention(norm(x))", "attention(x)"),
            ("silu(y @ gate.T) * (y @ up.T)", "(y @ gate.T) * silu(y @ up.T)"),
            (
                "x = x + attention(norm(x))",
                "found = attention(norm(x))",
                "return x",
                "return x + found",
            ),
        ],
    },
    gradients=_inputs,
    shape="The result has the shape of x.",
)
check = exercise.check
