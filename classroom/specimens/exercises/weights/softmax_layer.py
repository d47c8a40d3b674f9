import math

import numpy as np
import torch


def _forwards(scores, readable, temperature):
    """Weights, and the scores in which a hidden one is 0."""
    if not readable.any(dim=1).all():
        raise ValueError("nothing to read")
    visible = readable[:, None, :].expand_as(scores)
    e = torch.where(visible, scores, torch.tensor(-torch.inf))
    powers = torch.exp((e - e.amax(dim=-1, keepdim=True)) / temperature)
    return powers / powers.sum(dim=-1, keepdim=True), torch.where(
        visible, scores, torch.tensor(0.0)
    )


def _backwards(weights, e, g, temperature):
    to_scores = weights * (g - (weights * g).sum(dim=-1, keepdim=True)) / temperature
    return to_scores, -(to_scores * e).sum() / temperature


def in_two_parts(scores, readable, temperature, upstream):
    weights, e = _forwards(scores, readable, temperature)
    g = torch.where(weights > 0, upstream, torch.tensor(0.0))
    return weights, *_backwards(weights, e.double(), g, temperature)


def by_loops(scores, readable, temperature, upstream):
    weights, to_scores, to_temperature = (0 * upstream).nan_to_num(), (0 * upstream).nan_to_num(), 0
    for b, rows in enumerate(scores.tolist()):
        places = [j for j, may in enumerate(readable[b]) if may]
        if not places:
            raise ValueError
        for i, row in enumerate(rows):
            top = max(row[j] for j in places)
            powers = {j: math.exp((row[j] - top) / temperature) for j in places}
            share = {j: power / sum(powers.values()) for j, power in powers.items()}
            mean = sum(share[j] * upstream[b, i, j].item() for j in places)
            for j in places:
                delta = share[j] * (upstream[b, i, j].item() - mean)
                weights[b, i, j], to_scores[b, i, j] = share[j], delta / temperature
                to_temperature -= delta * (row[j] - top) / temperature**2
    return weights, to_scores, to_temperature


def in_numpy(scores, readable, temperature, upstream):
    visible = np.broadcast_to(readable.numpy()[:, None], scores.shape)
    if not visible.any(axis=-1).all():
        raise ValueError
    e = np.where(visible, scores.numpy(), -np.inf) / temperature
    e = np.where(visible, e - e.max(axis=-1, keepdims=True), 0).astype(float)
    g = np.where(visible, upstream.numpy(), 0)
    a = np.exp(e) * visible
    a /= a.sum(axis=-1, keepdims=True)
    d = a * g - a * (a * g).sum(axis=-1, keepdims=True)
    return a, d / temperature, float(-np.sum(d * e) / temperature)


def with_the_jacobian(scores, readable, temperature, upstream):
    if not torch.all(torch.any(readable, dim=1)):
        raise ValueError("empty")
    e, g = (part.clone().double() for part in (scores, upstream))
    hidden = ~readable[:, None].expand_as(scores)
    e[hidden] = g[hidden] = 0
    top = e.masked_fill(hidden, -1e300).max(dim=2, keepdim=True).values
    a = ((e - top) / temperature).masked_fill(hidden, -torch.inf).exp()
    a = a / a.sum(dim=2, keepdim=True)
    jacobian = torch.diag_embed(a) - a.unsqueeze(3) * a.unsqueeze(2)
    to_scaled = torch.einsum("btj,btjk->btk", g, jacobian)
    inner = (to_scaled * (e - top).masked_fill(hidden, 0)).sum()
    return a, to_scaled / temperature, [-(inner / temperature**2).item()]


WRONG = {
    "gradient_at_the_temperature": [
        ("-(to_scaled * scaled).sum() / temperature", "0.0"),
        ("-(to_scaled * scaled)", "(to_scaled * scaled)"),
        ("() / temperature", "()"),
        ("scaled).sum()", "scaled).sum() / weights.shape[1]"),
    ],
    "hidden_places_do_not_matter": [
        ("(to_scaled * scaled)", "(to_scaled / temperature * scores)"),
        ("upstream = upstream.masked_fill(~visible, 0.0)", "pass"),
    ],
}
