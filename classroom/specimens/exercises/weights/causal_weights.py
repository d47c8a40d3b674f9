import torch

from attn_course import masks
from attn_course.weights import attention_weights


def _readable(scores, lengths):
    return masks.causal(scores.shape[-1]) & masks.padding(lengths, scores.shape[-1])


def by_the_package(scores, lengths):
    return attention_weights(scores, _readable(scores, lengths))


def by_loops(scores, lengths):
    weights = torch.zeros_like(scores)
    for b in range(scores.shape[0]):
        for i in range(scores.shape[1]):
            last = min(i + 1, int(lengths[b]))
            weights[b, i, :last] = torch.softmax(scores[b, i, :last], dim=0)
    return weights


def large_negative(scores, lengths):
    return torch.softmax(torch.where(_readable(scores, lengths), scores, -1e9), dim=2)


def renormalised(scores, lengths):
    scores = scores.masked_fill(~_readable(scores, lengths), -60.0)
    weights = torch.softmax(scores, dim=2) * _readable(scores, lengths)
    return weights / weights.sum(dim=2, keepdim=True)


def nothing_for_padded_targets(scores, lengths):
    real = torch.arange(scores.shape[-1]) < lengths.unsqueeze(1)
    return by_the_package(scores, lengths) * real.unsqueeze(-1)
