import torch
from torch import nn
from torch.nn import functional as F

from attn_course.alignment import AdditiveScore


def _scores_of(queries, keys, W_a, U_a, v):
    wanting = torch.einsum("btq,hq->bth", queries, W_a)
    offered = torch.einsum("bsk,hk->bsh", keys, U_a)
    return torch.tanh(wanting[:, :, None] + offered[:, None]) @ v


def _behind(keys, lengths):
    return (torch.arange(keys.shape[1]) >= lengths[:, None])[:, None]


def with_parameters(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
    parts = [nn.Parameter(part.clone()) for part in (W_a, U_a, v)]
    losses = torch.zeros(steps)
    for step in range(steps):
        for part in parts:
            part.grad = None
        e = _scores_of(queries, keys, *parts).masked_fill(_behind(keys, lengths), -1e30)
        loss = F.cross_entropy(e.transpose(1, 2), places)
        loss.backward()
        for part in parts:
            part.data.sub_(rate * part.grad)
        losses[step] = loss.detach()
    return losses, [part.detach() for part in parts]


def sentence_by_sentence(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
    losses, parts = [], (W_a, U_a, v)
    for _ in range(steps):
        W, U, w = parts = [part.detach().requires_grad_() for part in parts]
        logs = []
        for b, n in enumerate(lengths.tolist()):
            for query, place in zip(queries[b], places[b].tolist(), strict=True):
                e = torch.tanh(W @ query + keys[b, :n] @ U.T) @ w
                logs.append((e - e.max())[place] - (e - e.max()).exp().sum().log())
        loss = -sum(logs) / len(logs)
        loss.backward()
        parts = [part.detach() - rate * part.grad for part in parts]
        losses.append(loss.item())
    return losses, tuple(parts)


def with_the_package(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
    score = AdditiveScore(queries.shape[2], keys.shape[2], len(v))
    parts = dict(score.named_parameters())
    by_shape = list(parts.values())
    for part, start in zip(by_shape, _in_order(by_shape, W_a, U_a, v), strict=True):
        part.data = start.clone()
    losses = []
    for _ in range(steps):
        e = score(queries, keys)
        e = e.masked_fill(_behind(keys, lengths), -torch.inf)
        loss = -e.log_softmax(dim=-1).gather(2, places[..., None]).mean()
        gradients = torch.autograd.grad(loss, by_shape)
        for part, gradient in zip(by_shape, gradients, strict=True):
            part.data -= rate * gradient
        losses.append(loss.item())
    return losses, tuple(part.detach().squeeze(0) for part in by_shape)


def _in_order(parts, W_a, U_a, v):
    return [start.reshape(part.shape) for part, start in zip(parts, (W_a, U_a, v), strict=True)]


def in_double_precision(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
    losses, parts = [], tuple(part.double() for part in (W_a, U_a, v))

    def loss_of(parts):
        e = _scores_of(queries.double(), keys.double(), *parts)
        top = e.detach().masked_fill(_behind(keys, lengths), -1e9).amax(dim=-1, keepdim=True)
        powers = (e - top).masked_fill(_behind(keys, lengths), -700).exp()
        logs = e - top - powers.sum(dim=-1, keepdim=True).log()
        return -(logs * F.one_hot(places, e.shape[2])).sum(dim=-1).mean()

    for _ in range(steps):
        parts = tuple(part.requires_grad_() for part in parts)
        loss = loss_of(parts)
        gradients = torch.autograd.grad(loss, parts)
        pairs = zip(parts, gradients, strict=True)
        parts = tuple((part - rate * gradient).detach() for part, gradient in pairs)
        losses.append(loss.item())
    return losses, parts
