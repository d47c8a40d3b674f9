"""Right and wrong answers to `attn_course.classroom.exercises.models.training_step`."""

import torch
from torch import nn
from torch.nn import functional as F

from attn_course.classroom.exercises.models.training_step import solution
from specimens.answers import named


def leaves_of(parameters):
    return [part.clone().requires_grad_() for part in parameters]


def step_down(loss, leaves, rate, largest):
    """By torch's own clipping."""
    loss.backward()
    nn.utils.clip_grad_norm_(leaves, largest)
    moves = [0.0 if each.grad is None else rate * each.grad for each in leaves]
    return loss.item(), tuple((each - by).detach() for each, by in zip(leaves, moves, strict=True))


def logits_of(leaves, h, lengths, targets, start, **how):
    """(batch target symbol) from teacher forcing, with one thing or another done differently."""
    E, A, U, V = leaves
    given = torch.cat([torch.full((len(targets), 1), start), targets[:, :-1]], dim=1)
    given = how.get("given", given)
    seen = torch.arange(h.shape[1])[None] < lengths[:, None]
    state, found = h.new_zeros(len(h), len(A)), []
    for i in range(targets.shape[1]):
        asks = torch.zeros_like(state) if how.get("forgets") else state
        scores = (h @ A.T @ asks.unsqueeze(2)).squeeze(2)
        if not how.get("reads_padding"):
            scores = scores.masked_fill(~seen, how.get("hidden", -1e9))
        context = (scores.softmax(dim=1).unsqueeze(1) @ h).squeeze(1)
        if how.get("plain_mean"):
            context = h.mean(dim=1) if i == 0 else context
        told = E[given[:, i]]
        if how.get("writes_itself") and found:
            told = E[found[-1].argmax(dim=1)]
        parts = [context, told, asks] if how.get("context_first") else [told, context, asks]
        state = torch.cat(parts, dim=1) @ U.T
        state = state if how.get("no_tanh") else state.tanh()
        pair = [context, state] if how.get("context_before_state") else [state, context]
        found.append(torch.cat(pair, dim=1) @ V.T)
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


def reading(mean=None, update=step_down, **how):
    """An answer that does one thing in another way."""

    def answer(parameters, h, lengths, targets, start, pad, rate, largest):
        leaves = leaves_of(parameters)
        logits = logits_of(leaves, h, lengths, targets, start, **how)
        losses = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
        losses = losses / how.get("base", 1.0)
        real = targets != pad
        loss = losses[real].mean() if mean is None else mean(losses * real, real)
        return update(loss, leaves, rate, largest)

    return answer


def moving(change):
    """An update of each parameter by a change of its gradient."""

    def update(loss, leaves, rate, largest):
        loss.backward()
        gradients = [each.grad for each in leaves]
        steps = change(gradients, rate, largest)
        return loss.item(), tuple(
            (each - step).detach() for each, step in zip(leaves, steps, strict=True)
        )

    return update


def clipped(gradients, largest):
    norm = torch.cat([each.flatten() for each in gradients]).norm()
    return [each * min(1, largest / norm) for each in gradients]


def losses_of_all_symbols(parameters, h, lengths, targets, start, pad, rate, largest):
    loss, new = solution(parameters, h, lengths, targets, start, pad, rate, largest)
    return torch.full(targets.shape, loss).repeat(2, 1), new


def parameters_as_one(*given):
    loss, new = solution(*given)
    return loss, torch.cat([each.flatten() for each in new])


def told_what_to_write(parameters, h, lengths, targets, start, pad, rate, largest):
    given = torch.where(torch.arange(targets.shape[1]) == 0, start, targets)
    return reading(given=given)(parameters, h, lengths, targets, start, pad, rate, largest)


def only_the_readout_learns(gradients, rate, largest):
    kept = clipped(gradients, largest)
    return [0 * each for each in kept[:3]] + [rate * kept[3]]


RIGHT = [
    by_cross_entropy,
    sentence_by_sentence,
    in_double_precision,
    by_a_function_of_the_parameters,
]
WRONG = {
    "returns_loss_and_parameters": named(
        losses_of_all_symbols, parameters_as_one, loss_alone=lambda *given: solution(*given)[0]
    ),
    "knowing_nothing_has_its_price": named(
        a_sum=reading(mean=lambda losses, real: losses.sum()),
        in_bits=reading(base=0.6931),
        counts_the_padding=lambda *given: reading(
            mean=lambda losses, real: losses.sum() / real.numel()
        )(*given),
    ),
    "first_symbol": named(
        starts_with_the_padding=lambda parameters, h, lengths, targets, start, pad, *others: (
            solution(parameters, h, lengths, targets, pad, pad, *others)
        ),
        no_tanh=reading(no_tanh=True),
    ),
    "later_symbols": named(
        told_what_to_write, writes_itself=reading(writes_itself=True), forgets=reading(forgets=True)
    ),
    "padding_is_not_read": named(
        reads_padding=reading(reads_padding=True),
        first_look_at_padding=reading(plain_mean=True),
        zero_for_hidden_scores=reading(hidden=0.0),
    ),
    "padding_costs_nothing": named(
        learns_the_padding=lambda parameters, h, lengths, targets, start, pad, *others: solution(
            parameters, h, lengths, targets, start, -1, *others
        )
    ),
    "every_symbol_counts_the_same": named(
        mean_of_means=reading(
            mean=lambda losses, real: (losses.sum(dim=1) / real.sum(dim=1)).mean()
        ),
        mean_of_places=reading(
            mean=lambda losses, real: (
                (losses.sum(dim=0) / real.sum(dim=0)).nan_to_num().sum() / real.any(dim=0).sum()
            )
        ),
    ),
    "steps_down": named(
        up=reading(
            update=moving(lambda g, rate, largest: [-rate * one for one in clipped(g, largest)])
        ),
        no_rate=reading(update=moving(lambda g, rate, largest: clipped(g, largest))),
        the_readout_alone=reading(update=moving(only_the_readout_learns)),
        always_of_the_largest_norm=reading(
            update=moving(
                lambda g, rate, largest: [rate * 1e9 * one * largest for one in clipped(g, 1e-9)]
            )
        ),
        numbers_clipped=reading(
            update=moving(
                lambda g, rate, largest: [rate * one.clamp(-largest / 9, largest / 9) for one in g]
            )
        ),
    ),
    "clips": named(
        not_clipped=reading(update=moving(lambda g, rate, largest: [rate * one for one in g])),
        each_by_itself=reading(
            update=moving(lambda g, rate, largest: [rate * clipped([one], largest)[0] for one in g])
        ),
        rate_before_the_norm=reading(
            update=moving(lambda g, rate, largest: clipped([rate * one for one in g], largest))
        ),
    ),
    "runs": named(
        lengths_forgotten=lambda parameters, h, *others: solution(parameters, h, None, *others)
    ),
}
