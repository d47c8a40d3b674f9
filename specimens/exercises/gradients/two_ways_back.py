"""Right and wrong answers to `attn_course.classroom.exercises.gradients.two_ways_back`."""

import numpy as np
import torch

from attn_course.classroom.exercises.gradients.two_ways_back import solution
from specimens.answers import named


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


def with_changed(**changes):
    """The solution with its results changed, by functions of all of them and of the inputs."""

    def answer(W, states, weights, last, upstream):
        along, direct, around, to_W = solution(W, states, weights, last, upstream)
        found = {"along": along, "direct": direct, "around": around, "to_W": to_W}
        given = {"W": W, "h": states, "a": weights, "last": last, "g": upstream}
        new = {name: change(**found, **given) for name, change in changes.items()}
        return tuple((found | new).values())

    return answer


def one_gradient(*given):
    along, direct, around, to_W = solution(*given)
    return along + direct + around, to_W


def two_ways_only(*given):
    along, direct, around, to_W = solution(*given)
    return along, direct + around, to_W


def chain(W, h, last, slopes=lambda h, t: 1 - h[t] ** 2, back=lambda W, g: g @ W):
    """What comes along the chain, or a wrong idea of it."""
    found = [last]
    for t in range(len(h) - 1, 0, -1):
        found.insert(0, back(W, slopes(h, t) * found[0]))
    return torch.stack(found)


def along_is(**how):
    return with_changed(along=lambda W, h, last, **_: chain(W, h, last, **how))


def around_from_direct(W, h, direct, **_):
    """One step only: what had come around already is not carried on."""
    found = torch.zeros_like(h)
    found[:-1] = ((1 - h[1:] ** 2) * direct[1:]) @ W
    return found


def around_from_the_end(W, h, direct, **_):
    found = chain(W, h, direct[-1])
    found[-1] = 0
    return found


def outer_of(gradients, before):
    return gradients.T @ before


def earlier(h):
    return torch.cat([torch.zeros_like(h[:1]), h[:-1]])


def slope_after_W(W, states, weights, last, upstream):
    found = [last]
    for t in range(len(states) - 1, 0, -1):
        found.insert(0, (1 - states[t] ** 2) * (found[0] @ W))
    return torch.stack(found), *solution(W, states, weights, last, upstream)[1:]


def only_the_last_step_has_a_slope(W, h, last, **_):
    return chain(W, h, last, slopes=lambda h, t: 1 - h[t] ** 2 if t == len(h) - 1 else 1)


def contexts_in_along(W, h, along, around, **_):
    found = along + around
    found[-2:] = along[-2:]
    return found


def by_autograd(W, states, weights, last, upstream):
    W = W.clone().requires_grad_()
    ((states @ W.T) * last).sum().backward()
    return *solution(W, states, weights, last, upstream)[:3], W.grad


RIGHT = [with_lists, in_numpy, by_recursion, by_products_of_jacobians]
WRONG = {
    "returns_four": [one_gradient, two_ways_only],
    "straight_through_the_weights": named(
        upstream_without_weights=with_changed(direct=lambda g, h, **_: g.sum(dim=0).expand_as(h)),
        direct_through_a_slope=with_changed(direct=lambda direct, h, **_: direct * (1 - h**2)),
        direct_through_W=with_changed(direct=lambda direct, W, **_: direct @ W),
        direct_with_what_comes_around=with_changed(
            direct=lambda direct, around, **_: direct + around
        ),
    ),
    "the_chain_begins_at_the_last_state": named(
        slope_at_the_end=with_changed(
            along=lambda W, h, last, **_: chain(W, h, last * (1 - h[-1] ** 2))
        ),
        direct_counted_around=with_changed(around=lambda around, direct, **_: around + direct),
    ),
    "one_step_back": named(
        slope_after_W,
        no_slope=along_is(slopes=lambda h, t: 1),
        slope_of_the_state_before=along_is(slopes=lambda h, t: 1 - h[t - 1] ** 2),
        W_not_transposed=along_is(back=lambda W, g: W @ g),
    ),
    "the_whole_chain": named(
        one_slope=with_changed(along=only_the_last_step_has_a_slope),
        contexts_in_along=with_changed(along=contexts_in_along),
    ),
    "around_begins_where_attention_reads": named(
        nothing_comes_around=with_changed(around=lambda h, **_: torch.zeros_like(h)),
        one_step_around=with_changed(around=around_from_direct),
    ),
    "around_gathers_all_later_states": named(
        around_from_the_end=with_changed(around=around_from_the_end)
    ),
    "every_step_moves_W": named(
        W_by_the_chain_alone=with_changed(
            to_W=lambda h, along, **_: outer_of((1 - h**2) * along, earlier(h))
        ),
        W_without_slopes=with_changed(
            to_W=lambda h, along, direct, around, **_: outer_of(along + direct + around, earlier(h))
        ),
        W_transposed=with_changed(to_W=lambda to_W, **_: to_W.T),
        W_with_the_states_themselves=with_changed(
            to_W=lambda h, along, direct, around, **_: outer_of(
                (1 - h**2) * (along + direct + around), h
            )
        ),
    ),
    "runs": named(
        by_autograd,
        no_transposition=lambda W, states, weights, *others: solution(
            W, states, weights.T, *others
        ),
    ),
}
