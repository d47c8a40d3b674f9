"""Exercise: a block, written from memory.

x <- x + attention(norm(x))
x <- x + W_down (silu(W_gate y) * W_up y)   y = norm(x)         Touvron et al. 2023, section 2.2
"""

import torch
from torch.nn.functional import silu

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

POSITION, SIZE, HIDDEN = Size(2, 5), Size(3, 7), Size(3, 13)
exercise = Exercise("block(x, norm, attention, gate, up, down)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(x, norm, attention, gate, up, down):
    """Attention adds to the stream, and then the network does."""
    x = x + attention(norm(x))
    y = norm(x)
    return x + (silu(y @ gate.T) * (y @ up.T)) @ down.T


@exercise.draws
def _inputs(draw: Draw) -> dict:
    return {
        "x": draw.normal(POSITION, SIZE) + 1,
        "norm": _norm,
        "attention": _means,
        "gate": draw.normal(HIDDEN, SIZE, scale=1.0),
        "up": draw.normal(HIDDEN, SIZE, scale=1.0),
        "down": draw.normal(SIZE, HIDDEN),
    }


@exercise.must_also("There is one vector for each position.", hint="The result has the shape of x.")
def one_vector_each(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return shaped(answer(**inputs), *draw[POSITION, SIZE])


@exercise.must_also(
    "If both parts return nothing but zeros, x comes out as it went in.",
    hint="The residual stream: each part adds to x itself, not to norm(x), and nothing is "
    "normalised after a sum.",
)
def lets_x_pass(answer: Answer, draw: Draw, inputs: dict) -> bool:
    silent = {"attention": torch.zeros_like, "down": torch.zeros_like(inputs["down"])}
    return answer.gives(inputs["x"], **inputs | silent)


@exercise.must(
    "If the network is silent, what comes out is x + attention(norm(x)).",
    hint="Attention reads norm(x), and what it returns is added once.",
)
def attention_adds(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return answer.agrees(solution, **inputs | {"down": torch.zeros_like(inputs["down"])})


@exercise.must(
    "If attention is silent, the gated network of norm(x) is added to x.",
    hint="The silu is of the gate alone; the gate's result is multiplied by that of `up`, entry by "
    "entry, and `down` leads back to the size of x. Row vectors times W.T are W times the vectors.",
)
def network_adds(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return answer.agrees(solution, **inputs | {"attention": torch.zeros_like})


@exercise.must(
    "The network reads the stream after attention has added to it.",
    hint="Two sums, one after the other. The second part reads, and adds to, the x of the first.",
)
def network_comes_second(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return answer.agrees(solution, **inputs)


exercise.must_pass_gradients(solution, _inputs)


def _norm(vectors):
    return vectors / (vectors.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt()


def _means(vectors):
    """Attention whose scores are all equal, times two."""
    return 2 * vectors.cumsum(0) / torch.arange(1, len(vectors) + 1)[:, None]
