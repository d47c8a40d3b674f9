from typing import NamedTuple

import torch

from attn_course.context import context_vectors
from attn_course.weights import attention_weights


class Step(NamedTuple):
    state: torch.Tensor
    context: torch.Tensor
    weights: torch.Tensor


def by_loop(s, y, h, score, cell):
    scores = score(s, h)
    powers = [(e - scores.max()).exp() for e in scores]
    weights = [power / sum(powers) for power in powers]
    context = sum(weight * h_j for weight, h_j in zip(weights, h, strict=True))
    return cell(torch.cat((y, context)), s), context, torch.stack(weights)


def with_a_batch_of_one(s, y, h, score, cell):
    weights = attention_weights(score(s, h).view(1, 1, -1))
    context = context_vectors(weights, h.unsqueeze(0)).flatten(1)
    state = cell(torch.cat([y.unsqueeze(0), context], dim=-1), s.unsqueeze(0))
    return [state.squeeze(0), context.squeeze(0), weights.flatten()]


def by_einsum_as_a_named_tuple(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    context = torch.einsum("j,ja->a", weights, h)
    return Step(cell(torch.hstack([y, context]), s), context, weights)


def in_double(s, y, h, score, cell):
    weights = score(s, h).double().softmax(0)
    context = (weights[:, None] * h.double()).sum(0)
    return cell(torch.cat([y, context.float()]), s), context, weights


def in_three_lines(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    context = weights @ h
    return cell(torch.cat([y, context]), s), context, weights


OF = in_three_lines
WRONG = {
    "gradient_passes_the_weights": [(".softmax(0)", ".softmax(0).detach()")],
    "gradient_takes_every_way": [
        ("[y, context]", "[y, context.detach()]"),
        ("weights @ h", "weights @ h.detach()"),
        ("]), s)", "]), s.detach())"),
    ],
}
