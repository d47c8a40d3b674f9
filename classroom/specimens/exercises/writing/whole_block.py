"""Right and wrong answers to `attn_class.exercises.writing.whole_block`."""

from functools import partial

import torch
from torch.nn import functional as F

from attn_class.exercises.writing.whole_block import solution
from specimens.answers import changed, named


def by_linear(x, norm, attention, gate, up, down):
    stream = attention(norm(x)) + x
    read = norm(stream)
    return F.linear(F.silu(F.linear(read, gate)) * F.linear(read, up), down) + stream


def by_position(x, norm, attention, gate, up, down):
    x = x + attention(norm(x))
    rows = []
    for position in x:
        y = norm(position)
        opened = gate @ y
        rows.append(position + down @ (opened * torch.sigmoid(opened) * (up @ y)))
    return torch.stack(rows)


but = partial(changed, solution)
RIGHT = [by_linear, by_position]
WRONG = {
    "one_vector_each": named(
        last_position=but("return x + (silu(y @ gate.T) * (y @ up.T)) @ down.T", "return x[-1]")
    ),
    "lets_x_pass": named(
        no_residual=but("x = x + attention(norm(x))", "x = attention(norm(x))"),
        no_second_residual=but("return x + (silu", "return (silu"),
        adds_to_the_norm=but("return x + (silu", "return y + (silu"),
        post_norm=but("x = x + attention(norm(x))", "x = norm(x + attention(x))"),
    ),
    "attention_adds": named(
        no_first_norm=but("attention(norm(x))", "attention(x)"),
        taken_away=but("x + attention", "x - attention"),
        attention_twice=but(
            "x + attention(norm(x))", "x + attention(norm(x + attention(norm(x))))"
        ),
    ),
    "network_adds": named(
        no_second_norm=but("y = norm(x)", "y = x"),
        silu_of_up=but("silu(y @ gate.T) * (y @ up.T)", "(y @ gate.T) * silu(y @ up.T)"),
        silu_of_the_product=but("silu(y @ gate.T) * (y @ up.T)", "silu((y @ gate.T) * (y @ up.T))"),
        added_up=but("* (y @ up.T)", "+ (y @ up.T)"),
        relu=but("silu(y @ gate.T)", "(y @ gate.T).relu()"),
    ),
    "network_comes_second": named(
        side_by_side=but(
            "y = norm(x)",
            "y = norm(x)",
            "x = x + attention(norm(x))",
            "found = attention(norm(x))",
            "return x + (silu",
            "return x + found + (silu",
        ),
        network_first=lambda x, norm, attention, gate, up, down: (
            (stream := solution(x, norm, torch.zeros_like, gate, up, down))
            + attention(norm(stream))
        ),
    ),
    "runs": named(
        matrices_not_turned=but("y @ gate.T", "y @ gate"),
        forgets_a_name=but("norm(x)\n    return", "norm(z)\n    return"),
    ),
}
