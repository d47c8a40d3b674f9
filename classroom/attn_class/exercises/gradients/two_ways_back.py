"""Exercise: back-propagation through time by hand, along the chain and through attention.

    h_t = tanh(W h_{t-1} + x_t)    h_0 = 0                     a recurrent encoder
    c_i = Σ_j α_ij h_j                                         contexts, with given weights α

W (state state)   states h_1 .. h_n (source state)   weights α (target source)
last: ∂L/∂h_n by what is computed from the last state alone (state)
upstream: ∂L/∂c_i (target state)
    ->   three gradients at the states, each (source state), and ∂L/∂W (state state):

    along     what comes from `last`, back along the chain
    direct    what comes from the contexts, directly through the weights
    around    what comes from the contexts through later states, back along the chain
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size

TARGET, SOURCE, STATE = Size(2, 5), Size(3, 7), Size(2, 11)


def solution(W, states, weights, last, upstream):
    """From the last state to the first: each step back passes the tanh and W once."""
    direct = weights.T @ upstream
    along, around = torch.zeros_like(states), torch.zeros_like(states)
    along[-1] = last
    for t in range(len(states) - 2, -1, -1):
        slope = 1 - states[t + 1] ** 2
        along[t] = (slope * along[t + 1]) @ W
        around[t] = (slope * (direct[t + 1] + around[t + 1])) @ W
    inside = (1 - states**2) * (along + direct + around)
    return along, direct, around, inside[1:].T @ states[:-1]


def _inputs(draw: Draw) -> dict[str, Tensor]:
    W = draw.normal(STATE, STATE, scale=1.0) / draw[STATE] ** 0.5
    states, state = [], torch.zeros(draw[STATE])
    for x in draw.normal(SOURCE, STATE, scale=0.7):
        state = torch.tanh(W @ state + x)
        states.append(state)
    return {
        "W": W,
        "states": torch.stack(states),
        "weights": torch.softmax(draw.normal(TARGET, SOURCE, scale=1.0), dim=-1),
        "last": draw.normal(STATE, scale=1.0),
        "upstream": draw.normal(TARGET, STATE, scale=1.0),
    }


exercise = Exercise(
    "back(W, states, weights, last, upstream)",
    without=["autograd"],
    minutes=40,
    difficulty="hard",
    solution=solution,
    cases=[
        Case(
            "What comes directly through the weights reaches h_j as Σ_i α_ij ∂L/∂c_i.",
            _inputs,
            "h_j is part of every context, of c_i with the factor α_ij. Forwards, all contexts are "
            "one product of matrices. Backwards too; neither W nor a tanh lies in between.",
            part=1,
        ),
        Case(
            "Every state gets what comes along the chain from the last one.",
            _inputs,
            "Each step goes on with what the step before has left: from h_n to h_{n-1}, from there "
            "to h_{n-2}, with the slope at each. The contexts have no part in `along`.",
            part=0,
        ),
        Case(
            "What comes around gathers the contexts of all later states.",
            _inputs,
            "At each step back two things travel on together: what came directly to that state, "
            "and what had come around to it. What arrives directly at h_j itself is not part of "
            "it.",
            part=2,
        ),
        Case(
            "The gradient at W adds up all steps, with everything that arrives at each state.",
            _inputs,
            "Step t contributes the outer product of ∂L/∂(W h_{t-1} + x_t), which is the sum of "
            "the three gradients times the slope at h_t, and h_{t-1}. The first step has h_0 = 0.",
            part=3,
        ),
    ],
    slips={
        "`last` is the gradient at h_n: before any tanh, and before any W. No state comes after "
        "h_n, so no context reaches it through a later one.": [
            ("along[-1] = last", "along[-1] = last * (1 - states[-1] ** 2)"),
            ("around, inside", "around + direct, inside"),
        ],
        "h_n = tanh(W h_{n-1} + x_n). First the slope of the tanh, 1 - h_n², then the transposed "
        "W: in this order, and with h_n, not with h_{n-1}.": [
            ("(slope * along[t + 1]) @ W", "slope * (along[t + 1] @ W)"),
            ("(slope * along[t + 1]) @ W", "along[t + 1] @ W"),
            ("slope * along", "(1 - states[t] ** 2) * along"),
            ("(slope * along[t + 1]) @ W", "W @ (slope * along[t + 1])"),
        ],
        "What arrives at h_n by `direct` goes on along the chain to all the states before it, and "
        "there it is part of `around`.": [
            ("around, inside", "0 * around, inside"),
            ("(direct[t + 1] + around[t + 1])", "direct[t + 1]"),
        ],
        "": [
            ("weights.T @ upstream", "upstream.sum(dim=0).expand_as(states)"),
            ("slope * along[t + 1]", "along[t + 1] * (slope if t == len(states) - 2 else 1)"),
            ("direct[t + 1]", "direct[t + 1] * (t == len(states) - 2)"),
            ("inside[1:].T @ states[:-1]", "states[:-1].T @ inside[1:]"),
        ],
    },
    shape="Along, direct, around, each (source, state), and then the gradient at W.",
)
check = exercise.check
