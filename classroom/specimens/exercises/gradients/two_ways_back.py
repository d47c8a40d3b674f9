import numpy as np
import torch


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
    return *(torch.stack(path) for path in (along, direct, around)), to_W


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
    ways = [torch.stack([path(t) for t in range(len(states))]) for path in (along, around)]
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
