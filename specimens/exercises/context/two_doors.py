"""Right and wrong answers to `attn_course.classroom.exercises.context.two_doors`."""

from functools import partial

import torch
from torch.nn import functional as F

from attn_course.classroom.exercises.context.two_doors import solution
from specimens.answers import named


def walk(h, lengths, state, y, A, U, V, to_cell, to_readout, **how):
    """The decoder, with one thing or another done differently."""
    hidden = torch.arange(h.shape[1]) >= lengths[:, None]
    first, late, logits, looks = state, 0 * h[:, 0], [], []

    def look(asks):
        e = (h @ (asks @ A)[:, :, None])[:, :, 0]
        e = e if how.get("reads_padding") else e.masked_fill(hidden, how.get("hide", -torch.inf))
        a = torch.sigmoid(e) if how.get("sigmoids") else e.softmax(dim=1)
        return a, (a[:, None] @ h)[:, 0]

    for i in range(y.shape[1]):
        asks = first if how.get("asks_with_the_first") else state
        weights, context = look(asks)
        nothing = 0 * context
        told = context if to_cell or how.get("cell_always") else nothing
        if how.get("a_step_late"):
            told, late = late, told
        parts = [told, y[:, i], state] if how.get("context_first") else [y[:, i], told, state]
        before = state
        state = torch.cat(parts, dim=1) @ U.T
        state = state if how.get("no_tanh") else state.tanh()
        if how.get("looks_after"):
            weights, context = look(state)
        if how.get("looks_again"):
            context = look(state)[1]
        said = context if to_readout or how.get("readout_always") else nothing
        told = before if how.get("says_before") else state
        pair = [said, told] if how.get("context_before_state") else [told, said]
        logits.append(torch.cat(pair, dim=1) @ V.T)
        looks.append(weights)
        state = before if how.get("forgets") else state
    return torch.stack(logits, dim=1), torch.stack(looks, dim=1)


def with_factors(h, lengths, state, y, A, U, V, to_cell, to_readout):
    return walk(h, lengths, state, y, A, U, V, to_cell, to_readout, hide=-1e9)


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


def probabilities(*given):
    logits, weights = solution(*given)
    return logits.softmax(dim=2), weights


def one_key_for_both(h, lengths, first, y, A, U, V, to_cell, to_readout):
    both = to_cell or to_readout
    return walk(h, lengths, first, y, A, U, V, both, both)


def nothing_in_the_place_of_a_context(h, lengths, first, y, A, U, V, to_cell, to_readout):
    if to_cell and to_readout:
        return solution(h, lengths, first, y, A, U, V, to_cell, to_readout)
    _, weights = solution(h, lengths, first, y, A, U, V, to_cell, to_readout)
    states, state = [], first
    for i in range(y.shape[1]):
        state = torch.tanh(F.pad(torch.cat([y[:, i], state], dim=1), (0, h.shape[2])) @ U.T)
        states.append(F.pad(state, (0, h.shape[2])) @ V.T)
    return torch.stack(states, dim=1), weights


def half_by_each_door(h, lengths, first, y, A, U, V, to_cell, to_readout):
    halves = 0.5 if to_cell and to_readout else 1.0
    U, V = U.clone(), V.clone()
    U[:, y.shape[2] : y.shape[2] + h.shape[2]] *= halves
    V[:, len(A) :] *= halves
    return solution(h, lengths, first, y, A, U, V, to_cell, to_readout)


RIGHT = [with_factors, with_empty_columns, sentence_by_sentence, by_recursion]
WRONG = {
    "returns_logits_and_weights": named(
        logits_alone=lambda *given: solution(*given)[0],
        target_first=lambda *given: tuple(part.transpose(0, 1) for part in solution(*given)),
    ),
    "weights_are_shares": named(
        reads_padding=partial(walk, reads_padding=True),
        zero_for_hidden_scores=partial(walk, hide=0.0),
        sigmoids=partial(walk, sigmoids=True),
    ),
    "looks_before_it_moves": named(
        looks_after=partial(walk, looks_after=True),
        begins_at_zero=lambda h, lengths, first, *others: solution(h, lengths, 0 * first, *others),
    ),
    "by_the_readout_alone": named(
        one_key_for_both,
        asks_with_the_first=partial(walk, asks_with_the_first=True),
        looks_again=partial(walk, looks_again=True),
        doors_swapped=lambda h, lengths, first, y, A, U, V, to_cell, to_readout: walk(
            h, lengths, first, y, A, U, V, to_readout, to_cell
        ),
    ),
    "shut_doors_let_nothing_in": named(
        cell_always=partial(walk, cell_always=True),
        readout_always=partial(walk, readout_always=True),
    ),
    "shut_doors_keep_the_rest": named(
        probabilities,
        nothing_in_the_place_of_a_context,
        no_tanh=partial(walk, no_tanh=True),
        forgets=partial(walk, forgets=True),
        says_before=partial(walk, says_before=True),
        context_before_state=partial(walk, context_before_state=True),
        context_first=partial(walk, context_first=True),
    ),
    "by_the_cell_alone": named(a_step_late=partial(walk, a_step_late=True)),
    "by_both": named(
        half_by_each_door,
        one_door_at_a_time=lambda h, lengths, first, y, A, U, V, to_cell, to_readout: solution(
            h, lengths, first, y, A, U, V, to_cell and not to_readout, to_readout
        ),
    ),
    "runs": named(lengths_forgotten=lambda h, *others: solution(h, None, *others)),
}
