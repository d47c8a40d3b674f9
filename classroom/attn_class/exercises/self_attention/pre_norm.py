"""Exercise: what goes around each part of a block.

x + f(norm(x))                                  Xiong et al. 2020, figure 1b
"""

import torch
from torch.nn import functional as F

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

POSITION, SIZE = Size(2, 5), Size(3, 7)
exercise = Exercise("around(x, part)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(x, part):
    """Normalise what the part is given, and add what it returns to x."""
    return x + part(F.layer_norm(x, x.shape[-1:]))


@exercise.must_also("There is one vector for each position.", hint="The result has the shape of x.")
def one_vector_each(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(x=_x(draw), part=_twice), *draw[POSITION, SIZE])


@exercise.must_also(
    "If the part returns nothing but zeros, x comes out as it went in.",
    hint="That is what the residual connection is for: x itself is added, not norm(x), and nothing "
    "is normalised after the sum. That would be post-norm.",
)
def lets_x_pass(answer: Answer, draw: Draw) -> bool:
    x = _x(draw)
    return answer.gives(x, x=x, part=torch.zeros_like)


@exercise.must(
    "The part is called once, with vectors of mean 0 and standard deviation 1.",
    hint="Mean and standard deviation are those of one vector, over its entries (the last axis). "
    "The standard deviation divides by the number of entries, not by one less.",
)
def gives_what_is_normal(answer: Answer, draw: Draw) -> bool:
    inputs = []

    def part(vectors):
        inputs.append(torch.as_tensor(vectors).detach().clone())
        return torch.as_tensor(vectors)

    x = _x(draw)
    answer(x=x, part=part)
    centred = x - x.mean(dim=-1, keepdim=True)
    expected = centred / centred.pow(2).mean(dim=-1, keepdim=True).sqrt()
    return len(inputs) == 1 and torch.allclose(inputs[0].double(), expected.double(), atol=1e-3)


@exercise.must(
    "What the part returns is added.", hint="x + part(norm(x)): it is added once, to x itself."
)
def adds_what_is_made(answer: Answer, draw: Draw) -> bool:
    x = _x(draw)
    result = answer(x=x, part=_twice)
    return torch.allclose(result.double(), solution(x, _twice).double(), atol=1e-3)


def _x(draw: Draw) -> torch.Tensor:
    return draw.normal(POSITION, SIZE, scale=2.0) + 1


def _twice(vectors):
    return 2 * torch.as_tensor(vectors)
