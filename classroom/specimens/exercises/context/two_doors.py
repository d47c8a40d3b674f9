"""Right and wrong answers to `attn_class.exercises.context.two_doors`."""

from functools import partial

import torch
from torch.nn import functional as F

from attn_class.exercises.context.two_doors import solution
from specimens.answers import changed, named


def walk(h, lengths, first, y, A, U, V, to_cell, to_readout):
    hidden = torch.arange(h.shape[1]) >= lengths[:, None]
    state, nothing, logits, looks = first, 0 * h[:, 0], [], []

    def look(asks):
        e = (h @ (asks @ A)[:, :, None])[:, :, 0]
        weights = e.masked_fill(hidden, -1e9).softmax(dim=1)
        return weights, (weights[:, None] @ h)[:, 0]

    for i in range(y.shape[1]):
        weights, context = look(state)
        told = context if to_cell else nothing
        state = (torch.cat([y[:, i], told, state], dim=1) @ U.T).tanh()
        said = context if to_readout else nothing
        logits.append(torch.cat([state, said], dim=1) @ V.T)
        looks.append(weights)
    return torch.stack(logits, dim=1), torch.stack(looks, dim=1)


def with_empty_columns(h, lengths, state, y, A, U, V, to_cell, to_readout):
    columns = torch.ones(U.shape[1])
    columns[y.shape[2] : y.shape[2] + h.shape[2]] = float(to_cell)
    readout = torch.cat([torch.ones(len(A)), torch.full((h.shape[2],), float(to_readout))])
    return walk(h, lengths, state, y, A, U * columns, V * readout, True, True)


def sentence_by_sentence(h, lengths, first, y, A, U, V, to_cell, to_readout):
    all_logits, all_looks = [], []
    for row, n, state, given in zip(h, lengths.tolist(), first, y, strict=True):
        logits, looks = [], []
        for previous in given:
            weights = torch.softmax(row[:n] @ (A.T @ state), dim=0)
            context = weights @ row[:n]
            state = torch.tanh(U @ torch.hstack([previous, context * to_cell, state]))
            logits.append(V @ torch.hstack([state, context * to_readout]))
            looks.append(F.pad(weights, (0, len(row) - n)))
        all_logits.append(torch.stack(logits))
        all_looks.append(torch.stack(looks))
    return torch.stack(all_logits), torch.stack(all_looks)


def by_recursion(h, lengths, state, y, A, U, V, to_cell, to_readout):
    if y.shape[1] == 0:
        return V.new_zeros(len(h), 0, len(V)), h.new_zeros(len(h), 0, h.shape[1])
    real = torch.arange(h.shape[1]).expand(len(h), -1) < lengths[:, None]
    e = torch.einsum("bna,sa,bs->bn", h, A, state)
    powers = torch.where(real, (e - e.amax(dim=1, keepdim=True)).exp(), torch.zeros(()))
    weights = powers / powers.sum(dim=1, keepdim=True)
    context = (weights.unsqueeze(2) * h).sum(dim=1)
    doors = [context if is_open else torch.zeros_like(context) for is_open in (to_cell, to_readout)]
    state = torch.tanh(F.linear(torch.cat([y[:, 0], doors[0], state], dim=-1), U))
    logits = F.linear(torch.cat([state, doors[1]], dim=-1), V)
    later = by_recursion(h, lengths, state, y[:, 1:], A, U, V, to_cell, to_readout)
    return tuple(
        torch.cat([now.unsqueeze(1), rest], dim=1)
        for now, rest in zip((logits, weights), later, strict=True)
    )


def nothing_in_the_place_of_a_context(h, lengths, first, y, A, U, V, to_cell, to_readout):
    if to_cell and to_readout:
        return solution(h, lengths, first, y, A, U, V, to_cell, to_readout)
    _, weights = solution(h, lengths, first, y, A, U, V, to_cell, to_readout)
    states, state = [], first
    for i in range(y.shape[1]):
        state = torch.tanh(F.pad(torch.cat([y[:, i], state], dim=1), (0, h.shape[2])) @ U.T)
        states.append(F.pad(state, (0, h.shape[2])) @ V.T)
    return torch.stack(states, dim=1), weights


but = partial(changed, walk)
RIGHT = [walk, with_empty_columns, sentence_by_sentence, by_recursion]
WRONG = {
    "returns_logits_and_weights": named(
        logits_alone=lambda *given: solution(*given)[0],
        target_first=lambda *given: tuple(part.transpose(0, 1) for part in solution(*given)),
    ),
    "weights_are_shares": named(
        reads_padding=but(".masked_fill(hidden, -1e9)", ""),
        zero_for_hidden_scores=but("-1e9", "0.0"),
        sigmoids=but(".softmax(dim=1)", ".sigmoid()"),
    ),
    "looks_before_it_moves": named(
        looks_after=but("said = context", "said = look(state)[1]", "(weights)", "(look(state)[0])"),
        begins_at_zero=lambda h, lengths, first, *others: walk(h, lengths, 0 * first, *others),
    ),
    "by_the_readout_alone": named(
        one_key_for_both=but(
            "if to_cell", "if to_cell or to_readout", "if to_readout", "if to_cell or to_readout"
        ),
        asks_with_the_first=but("= look(state)", "= look(first)"),
        looks_again=but("said = context if", "said = look(state)[1] if"),
        doors_swapped=but(
            "told = context if to_cell",
            "told = context if to_readout",
            "said = context if to_readout",
            "said = context if to_cell",
        ),
    ),
    "shut_doors_let_nothing_in": named(
        cell_always=but("context if to_cell else nothing", "context"),
        readout_always=but("context if to_readout else nothing", "context"),
    ),
    "shut_doors_keep_the_rest": named(
        nothing_in_the_place_of_a_context,
        probabilities=but("(logits, dim=1)", "(logits, dim=1).softmax(dim=2)"),
        no_tanh=but(".tanh()", ""),
        forgets=but("= look(state)", "= look(first)", "told, state]", "told, first]"),
        says_before=but("state = (", "before, state = state, (", "[state, said]", "[before, said]"),
        context_before_state=but("[state, said]", "[said, state]"),
        context_first=but("[y[:, i], told, state]", "[told, y[:, i], state]"),
    ),
    "by_the_cell_alone": named(
        a_step_late=but("context if to_cell", "(looks[-1][:, None] @ h)[:, 0] if to_cell and looks")
    ),
    "by_both": named(
        half_by_each_door=but(
            "told = context",
            "told = context * (0.5 if to_readout else 1)",
            "said = context",
            "said = context * (0.5 if to_cell else 1)",
        ),
        one_door_at_a_time=but("if to_cell", "if to_cell and not to_readout"),
    ),
    "runs": named(lengths_forgotten=lambda h, *others: solution(h, None, *others)),
}
