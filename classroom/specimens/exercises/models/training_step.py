import torch
from torch import nn
from torch.nn import functional as F


def _leaves_of(parameters):
    return [part.clone().requires_grad_() for part in parameters]


def _step_down(loss, leaves, rate, largest):
    """By torch's own clipping."""
    loss.backward()
    nn.utils.clip_grad_norm_(leaves, largest)
    moves = [0.0 if leaf.grad is None else rate * leaf.grad for leaf in leaves]
    return loss.item(), tuple((leaf - by).detach() for leaf, by in zip(leaves, moves, strict=True))


def _logits_of(leaves, h, lengths, targets, start):
    """(batch target symbol) from teacher forcing."""
    E, A, U, V = leaves
    inputs = torch.cat([torch.full((len(targets), 1), start), targets[:, :-1]], dim=1)
    real = torch.arange(h.shape[1])[None] < lengths[:, None]
    state, logits = h.new_zeros(len(h), len(A)), []
    for i in range(targets.shape[1]):
        scores = (h @ A.T @ state.unsqueeze(2)).squeeze(2).masked_fill(~real, -1e9)
        context = (scores.softmax(dim=1).unsqueeze(1) @ h).squeeze(1)
        state = (torch.cat([E[inputs[:, i]], context, state], dim=1) @ U.T).tanh()
        logits.append(torch.cat([state, context], dim=1) @ V.T)
    return torch.stack(logits, dim=1)


def by_cross_entropy(parameters, h, lengths, targets, start, pad, rate, largest):
    leaves = _leaves_of(parameters)
    logits = _logits_of(leaves, h, lengths, targets, start)
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad)
    return _step_down(loss, leaves, rate, largest)


def sentence_by_sentence(parameters, h, lengths, targets, start, pad, rate, largest):
    E, A, U, V = leaves = _leaves_of(parameters)
    total = 0
    for row, length, target in zip(h, lengths, targets, strict=True):
        state, before = torch.zeros(A.shape[0]), start
        for symbol in [int(symbol) for symbol in target if symbol != pad]:
            weights = (row[:length] @ (state @ A)).softmax(dim=0)
            context = (weights[:, None] * row[:length]).sum(dim=0)
            state = torch.tanh(U @ torch.hstack([E[before], context, state]))
            total = total - torch.log((V @ torch.hstack([state, context])).softmax(dim=0)[symbol])
            before = symbol
    loss = total / int((targets != pad).sum())
    loss.backward()
    norm = torch.cat([leaf.grad.flatten() for leaf in leaves]).norm().item()
    scale = rate * (largest / norm if norm > largest else 1)
    return loss.item(), [(leaf - scale * leaf.grad).detach() for leaf in leaves]


def in_double_precision(parameters, h, lengths, targets, start, pad, rate, largest):
    leaves = _leaves_of(part.double() for part in parameters)
    logs = _logits_of(leaves, h.double(), lengths, targets, start).log_softmax(dim=2)
    real = (targets != pad).double()
    chosen = (logs * F.one_hot(targets, logs.shape[2])).sum(dim=2)
    loss = -(chosen * real).sum() / real.sum()
    return _step_down(loss, leaves, rate, largest)


def by_a_function_of_the_parameters(parameters, h, lengths, targets, start, pad, rate, largest):
    def loss_of(*parameters):
        logits = _logits_of(parameters, h, lengths, targets, start)
        return F.nll_loss(logits.log_softmax(dim=2).transpose(1, 2), targets, ignore_index=pad)

    loss, gradients = torch.autograd.functional.vjp(loss_of, tuple(parameters))
    norm = torch.stack([gradient.square().sum() for gradient in gradients]).sum().sqrt()
    scale = rate * torch.clamp(largest / norm, max=1)
    new = (part - scale * gradient for part, gradient in zip(parameters, gradients, strict=True))
    return loss, tuple(new)
