"""Right and wrong answers to `attn_class.exercises.models.training_step`."""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from attn_class.exercises.models.training_step import solution
from specimens.answers import changed, named


def leaves_of(parameters):
    return [part.clone().requires_grad_() for part in parameters]


def step_down(loss, leaves, rate, largest):
    """By torch's own clipping."""
    loss.backward()
    nn.utils.clip_grad_norm_(leaves, largest)
    moves = [0.0 if each.grad is None else rate * each.grad for each in leaves]
    return loss.item(), tuple((each - by).detach() for each, by in zip(leaves, moves, strict=True))


def logits_of(leaves, h, lengths, targets, start):
    """(batch target symbol) from teacher forcing."""
    E, A, U, V = leaves
    given = torch.cat([torch.full((len(targets), 1), start), targets[:, :-1]], dim=1)
    seen = torch.arange(h.shape[1])[None] < lengths[:, None]
    state, found = h.new_zeros(len(h), len(A)), []
    for i in range(targets.shape[1]):
        scores = (h @ A.T @ state.unsqueeze(2)).squeeze(2).masked_fill(~seen, -1e9)
        context = (scores.softmax(dim=1).unsqueeze(1) @ h).squeeze(1)
        state = (torch.cat([E[given[:, i]], context, state], dim=1) @ U.T).tanh()
        found.append(torch.cat([state, context], dim=1) @ V.T)
    return torch.stack(found, dim=1)


def by_cross_entropy(parameters, h, lengths, targets, start, pad, rate, largest):
    leaves = leaves_of(parameters)
    logits = logits_of(leaves, h, lengths, targets, start)
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad)
    return step_down(loss, leaves, rate, largest)


def sentence_by_sentence(parameters, h, lengths, targets, start, pad, rate, largest):
    E, A, U, V = leaves = leaves_of(parameters)
    total = 0
    for row, length, target in zip(h, lengths, targets, strict=True):
        state, before = torch.zeros(A.shape[0]), start
        for symbol in [int(each) for each in target if each != pad]:
            weights = (row[:length] @ (state @ A)).softmax(dim=0)
            context = (weights[:, None] * row[:length]).sum(dim=0)
            state = torch.tanh(U @ torch.hstack([E[before], context, state]))
            total = total - torch.log((V @ torch.hstack([state, context])).softmax(dim=0)[symbol])
            before = symbol
    loss = total / int((targets != pad).sum())
    loss.backward()
    norm = torch.cat([each.grad.flatten() for each in leaves]).norm().item()
    scale = rate * (largest / norm if norm > largest else 1)
    return loss.item(), [(each - scale * each.grad).detach() for each in leaves]


def in_double_precision(parameters, h, lengths, targets, start, pad, rate, largest):
    leaves = leaves_of(part.double() for part in parameters)
    logs = logits_of(leaves, h.double(), lengths, targets, start).log_softmax(dim=2)
    real = (targets != pad).double()
    chosen = (logs * F.one_hot(targets, logs.shape[2])).sum(dim=2)
    loss = -(chosen * real).sum() / real.sum()
    return step_down(loss, leaves, rate, largest)


def by_a_function_of_the_parameters(parameters, h, lengths, targets, start, pad, rate, largest):
    def loss_of(*parameters):
        logits = logits_of(parameters, h, lengths, targets, start)
        return F.nll_loss(logits.log_softmax(dim=2).transpose(1, 2), targets, ignore_index=pad)

    loss, gradients = torch.autograd.functional.vjp(loss_of, tuple(parameters))
    norm = torch.stack([each.square().sum() for each in gradients]).sum().sqrt()
    scale = rate * torch.clamp(largest / norm, max=1)
    new = (part - scale * each for part, each in zip(parameters, gradients, strict=True))
    return loss, tuple(new)


but = partial(changed, solution)
RIGHT = [
    by_cross_entropy,
    sentence_by_sentence,
    in_double_precision,
    by_a_function_of_the_parameters,
]
WRONG = {
    "returns_loss_and_parameters": named(
        losses_of_all_symbols=but(
            "return loss.item()", "return torch.full(targets.shape, loss.item()).repeat(2, 1)"
        ),
        parameters_as_one=but("(), new", "(), torch.cat([each.flatten() for each in new])"),
        loss_alone=lambda *given: solution(*given)[0],
    ),
    "knowing_nothing_has_its_price": named(
        a_sum=but(".mean()", ".sum()"),
        in_bits=but(".mean()", ".mean() / 0.6931"),
        counts_the_padding=but(".mean()", ".sum() / targets.numel()"),
    ),
    "first_symbol": named(
        starts_with_the_padding=but("targets[:, 0], start)", "targets[:, 0], pad)"),
        no_tanh=but(
            "torch.tanh(torch.cat([E[previous], context, state], dim=1) @ U.T)",
            "torch.cat([E[previous], context, state], dim=1) @ U.T",
        ),
    ),
    "later_symbols": named(
        told_what_to_write=but("E[previous]", "E[symbols if losses else previous]"),
        writes_itself=but("previous = symbols", "previous = logs.argmax(dim=1)"),
        forgets=but(
            '->bn", state',
            '->bn", 0 * state',
            "[E[previous], context, state]",
            "[E[previous], context, 0 * state]",
        ),
    ),
    "padding_is_not_read": named(
        reads_padding=but("scores.masked_fill(hidden, -torch.inf)", "scores"),
        first_look_at_padding=but(
            ", weights, annotations)",
            ", weights, annotations) if losses else annotations.mean(dim=1) + 0 * weights.sum()",
        ),
        zero_for_hidden_scores=but("-torch.inf", "0.0"),
    ),
    "padding_costs_nothing": named(learns_the_padding=but("targets != pad", "targets != -1")),
    "every_symbol_counts_the_same": named(
        mean_of_means=but(
            "torch.stack(losses, dim=1)[targets != pad]",
            "((torch.stack(losses, dim=1) * (targets != pad)).sum(1) / (targets != pad).sum(1))",
        ),
        mean_of_places=but(
            "torch.stack(losses, dim=1)[targets != pad]",
            "torch.stack([a[b].mean() for a, b in zip(losses, (targets != pad).T) if b.any()])",
        ),
    ),
    "steps_down": named(
        up=but("part - factor", "part + factor"),
        no_rate=but("rate * min(", "min("),
        the_readout_alone=but("factor * each", "factor * each * (part is parameters[-1])"),
        always_of_the_largest_norm=but("min(1.0, largest / max(norm, 1e-12))", "largest / norm"),
        numbers_clipped=but("factor * each", "rate * each.clamp(-largest / 9, largest / 9)"),
    ),
    "clips": named(
        not_clipped=but("rate * min(1.0, largest / max(norm, 1e-12))", "rate"),
        each_by_itself=but(
            "factor * each", "rate * min(1.0, largest / max(float(each.norm()), 1e-12)) * each"
        ),
        rate_before_the_norm=but(
            "rate * min(1.0, largest / max(norm, 1e-12))", "min(rate, largest / norm)"
        ),
    ),
    "runs": named(
        lengths_forgotten=lambda parameters, h, *others: solution(parameters, h, None, *others)
    ),
}
