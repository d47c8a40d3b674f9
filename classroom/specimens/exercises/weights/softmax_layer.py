"""Right and wrong answers to `attn_class.exercises.weights.softmax_layer`."""

import math
from functools import partial

import numpy as np
import torch

from attn_class.exercises.weights.softmax_layer import solution
from specimens.answers import changed, named


def forwards(scores, readable, temperature):
    """Weights, and the scores in which a hidden one is 0."""
    if not readable.any(dim=1).all():
        raise ValueError("nothing to read")
    seen = readable[:, None, :].expand_as(scores)
    e = torch.where(seen, scores, torch.tensor(-torch.inf))
    powers = torch.exp((e - e.amax(dim=-1, keepdim=True)) / temperature)
    return powers / powers.sum(dim=-1, keepdim=True), torch.where(seen, scores, torch.tensor(0.0))


def backwards(weights, e, g, temperature):
    to_scores = weights * (g - (weights * g).sum(dim=-1, keepdim=True)) / temperature
    return to_scores, -(to_scores * e).sum() / temperature


def in_two_parts(scores, readable, temperature, upstream):
    weights, e = forwards(scores, readable, temperature)
    g = torch.where(weights > 0, upstream, torch.tensor(0.0))
    return weights, *backwards(weights, e.double(), g, temperature)


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
    seen = np.broadcast_to(readable.numpy()[:, None], scores.shape)
    if not seen.any(axis=-1).all():
        raise ValueError
    e = np.where(seen, scores.numpy(), -np.inf) / temperature
    e = np.where(seen, e - e.max(axis=-1, keepdims=True), 0).astype(float)
    g = np.where(seen, upstream.numpy(), 0)
    a = np.exp(e) * seen
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


def hides_after_the_softmax(scores, readable, temperature, upstream):
    weights, *gradients = solution(scores, readable | True, temperature, upstream)
    return weights * readable[:, None], *gradients


def zero_for_hidden_scores(scores, readable, temperature, upstream):
    seen = readable[:, None]
    return solution(scores.masked_fill(~seen, 0), readable | True, temperature, upstream)


def twice_a_softmax(scores, readable, temperature, upstream):
    weights, *gradients = solution(scores, readable, temperature, upstream)
    return solution(weights, readable, 1.0, upstream)[0], *gradients


def overflows(scores, readable, temperature, upstream):
    if not readable.any(dim=1).all():
        raise ValueError
    seen = readable[:, None]
    powers = torch.exp(scores.masked_fill(~seen, -torch.inf) / temperature)
    weights = powers / powers.sum(dim=-1, keepdim=True)
    e, g = scores.masked_fill(~seen, 0), upstream.masked_fill(~seen, 0)
    return weights, *backwards(weights, e, g, temperature)


def nothing_is_even(scores, readable, temperature, upstream):
    seen = readable | ~readable.any(dim=1, keepdim=True)
    return solution(scores, seen, temperature, upstream)


def by_autograd(scores, readable, temperature, upstream):
    scores = scores.clone().requires_grad_()
    weights, _, to_temperature = solution(scores, readable, temperature, upstream)
    (weights * upstream).sum().backward()
    return weights, scores.grad, to_temperature


but = partial(changed, solution)
RIGHT = [in_two_parts, by_loops, in_numpy, with_the_jacobian]
WRONG = {
    "returns_three": named(
        weights_alone=lambda *given: solution(*given)[0],
        temperature_for_every_row=but("scaled).sum()", "scaled).sum(dim=-1)"),
    ),
    "weights_are_shares": named(
        hides_after_the_softmax,
        zero_for_hidden_scores,
        hides_nothing=lambda scores, readable, *others: solution(scores, readable | True, *others),
    ),
    "weights_are_a_softmax": named(
        twice_a_softmax,
        multiplied_by_the_temperature=lambda e, readable, t, upstream: solution(
            e, readable, 1 / t, upstream
        ),
        without_the_temperature=lambda e, readable, t, upstream: solution(
            e, readable, 1.0, upstream
        ),
    ),
    "survives_large_scores": named(
        overflows, clipped=lambda scores, *others: solution(scores.clamp(-50, 50), *others)
    ),
    "nothing_to_read_is_an_error": named(
        nothing_is_even,
        nothing_is_nothing=but('raise ValueError("in one source nothing may be read")', "pass"),
    ),
    "gradients_sum_to_zero": named(
        mean_forgotten=but("(upstream - mean)", "upstream"),
        plain_mean=but("(weights * upstream).sum", "upstream.mean"),
        upstream_handed_on=but("to_scaled / temperature,", "upstream,"),
    ),
    "gradient_at_the_scores": named(
        not_divided_by_the_temperature=but("to_scaled / temperature", "to_scaled"),
        sign_turned=but("weights, to_scaled", "weights, -to_scaled"),
        mean_taken_in_the_batch=but(
            "to_scaled / temperature", "to_scaled / temperature / len(weights) / 2"
        ),
    ),
    "gradient_at_the_temperature": named(
        temperature_has_no_gradient=but("-(to_scaled * scaled).sum() / temperature", "0.0"),
        plus_for_the_temperature=but("-(to_scaled * scaled)", "(to_scaled * scaled)"),
        temperature_not_squared=but("() / temperature", "()"),
        mean_over_the_targets=but("scaled).sum()", "scaled).sum() / weights.shape[1]"),
    ),
    "hidden_places_do_not_matter": named(
        hidden_scores_multiplied=but("(to_scaled * scaled)", "(to_scaled / temperature * scores)"),
        hidden_upstream_multiplied=but("upstream = upstream.masked_fill(~seen, 0.0)", "pass"),
    ),
    "runs": named(
        by_autograd,
        by_torch=lambda scores, readable, temperature, upstream: (
            torch.softmax(scores / temperature, dim=-1),
            scores,
            temperature,
        ),
    ),
}
