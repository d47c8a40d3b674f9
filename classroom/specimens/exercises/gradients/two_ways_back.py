"""Right and wrong answers to `attn_class.exercises.gradients.two_ways_back`."""

from functools import partial

import numpy as np
import torch

from attn_class.exercises.gradients.two_ways_back import solution
from specimens.answers import changed, named


def with_lists(W, states, weights, last, upstream):
    direct = [
        sum(weights[i, j] * upstream[i] for i in range(len(weights))) for j in range(len(states))
    ]
    along, around = [last], [0 * last]
    for t in reversed(range(1, len(states))):
        slope = torch.diag(1 - states[t] ** 2)
        along.insert(0, W.T @ slope @ along[0])
        around.insert(0, W.T @ slope @ (around[0] + direct[t]))
    to_W = torch.zeros_like(W)
    for t in range(1, len(states)):
        arrived = along[t] + direct[t] + around[t]
        to_W += torch.outer((1 - states[t] ** 2) * arrived, states[t - 1])
    return *(torch.stack(way) for way in (along, direct, around)), to_W


def in_numpy(W, states, weights, last, upstream):
    W, h, a, g = (part.numpy().astype(float) for part in (W, states, weights, upstream))
    direct = np.einsum("ij,id->jd", a, g)
    along, total = np.zeros_like(h), direct.copy()
    along[-1] = last
    for t in range(len(h) - 1, 0, -1):
        along[t - 1] = W.T @ ((1 - h[t] ** 2) * along[t])
        total[t - 1] += W.T @ ((1 - h[t] ** 2) * total[t])
    inside = (along + total) * (1 - h**2)
    before = np.vstack([np.zeros(len(W)), h[:-1]])
    return along, direct, total - direct, inside.T @ before


def by_recursion(W, states, weights, last, upstream):
    def carried(arrives, t):
        return W.t().mv((1 - states[t].square()) * arrives)

    def along(t):
        return last if t == len(states) - 1 else carried(along(t + 1), t + 1)

    def around(t):
        if t == len(states) - 1:
            return torch.zeros_like(last)
        return carried(around(t + 1) + direct[t + 1], t + 1)

    direct = torch.einsum("ij,id->jd", weights, upstream)
    ways = [torch.stack([way(t) for t in range(len(states))]) for way in (along, around)]
    inside = (ways[0] + direct + ways[1]) * (1 - states.square())
    to_W = sum(torch.outer(inside[t], states[t - 1]) for t in range(1, len(states)))
    return [ways[0].tolist(), direct.tolist(), ways[1].tolist(), to_W.tolist()]


def by_products_of_jacobians(W, states, weights, last, upstream):
    n, size = states.shape
    steps = [torch.diag(1 - h**2) @ W for h in states]  # from h_{t-1} to h_t
    to = torch.zeros(n, n, size, size)  # to[k, j]: how h_k changes with h_j
    for j in range(n):
        to[j, j] = torch.eye(size)
        for k in range(j + 1, n):
            to[k, j] = steps[k] @ to[k - 1, j]
    direct = (weights.unsqueeze(2) * upstream.unsqueeze(1)).sum(dim=0)
    along = torch.stack([last @ to[n - 1, j] for j in range(n)])
    every = torch.stack([sum(direct[k] @ to[k, j] for k in range(j, n)) for j in range(n)])
    inside = (along + every) * (1 - states**2)
    before = torch.cat([torch.zeros(1, size), states[:-1]])
    return along, direct, every - direct, torch.einsum("ta,tb->ab", inside, before)


def by_autograd(W, states, weights, last, upstream):
    W = W.clone().requires_grad_()
    ((states @ W.T) * last).sum().backward()
    return *solution(W, states, weights, last, upstream)[:3], W.grad


but = partial(changed, solution)
RIGHT = [with_lists, in_numpy, by_recursion, by_products_of_jacobians]
WRONG = {
    "returns_four": named(
        one_gradient=but("along, direct, around, inside", "along + direct + around, inside"),
        two_ways_only=but("along, direct, around, inside", "along, direct + around, inside"),
    ),
    "straight_through_the_weights": named(
        upstream_without_weights=but(
            "weights.T @ upstream", "upstream.sum(dim=0).expand_as(states)"
        ),
        direct_through_a_slope=but("along, direct", "along, direct * (1 - states**2)"),
        direct_through_W=but("return along, direct", "return along, direct @ W"),
        direct_with_what_comes_around=but("return along, direct", "return along, direct + around"),
    ),
    "the_chain_begins_at_the_last_state": named(
        slope_at_the_end=but("along[-1] = last", "along[-1] = last * (1 - states[-1] ** 2)"),
        direct_counted_around=but("around, inside", "around + direct, inside"),
    ),
    "one_step_back": named(
        slope_after_W=but("(slope * along[t + 1]) @ W", "slope * (along[t + 1] @ W)"),
        no_slope=but("(slope * along[t + 1]) @ W", "along[t + 1] @ W"),
        slope_of_the_state_before=but("slope * along", "(1 - states[t] ** 2) * along"),
        W_not_transposed=but("(slope * along[t + 1]) @ W", "W @ (slope * along[t + 1])"),
    ),
    "the_whole_chain": named(
        one_slope=but(
            "slope * along[t + 1]", "along[t + 1] * (slope if t == len(states) - 2 else 1)"
        ),
        contexts_in_along=but(
            "return along",
            "return along + around * (torch.arange(len(states)) < len(states) - 2)[:, None]",
        ),
    ),
    "around_begins_where_attention_reads": named(
        nothing_comes_around=but("around, inside", "0 * around, inside"),
        one_step_around=but("(direct[t + 1] + around[t + 1])", "direct[t + 1]"),
    ),
    "around_gathers_all_later_states": named(
        around_from_the_end=but("direct[t + 1]", "direct[t + 1] * (t == len(states) - 2)")
    ),
    "every_step_moves_W": named(
        W_by_the_chain_alone=but("(along + direct + around)", "along"),
        W_without_slopes=but("(1 - states**2) * ", ""),
        W_transposed=but("inside[1:].T @ states[:-1]", "states[:-1].T @ inside[1:]"),
        W_with_the_states_themselves=but("inside[1:].T @ states[:-1]", "inside.T @ states"),
    ),
    "runs": named(by_autograd, no_transposition=but("weights.T", "weights")),
}
