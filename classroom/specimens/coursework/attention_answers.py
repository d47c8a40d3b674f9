"""Right and wrong answers to `classroom/coursework/attention-from-an-empty-file`."""

import numpy as np
import torch

from specimens.coursework.tried import Changed

ANSWERS = Changed("attention-from-an-empty-file", torch=torch)
wrong = ANSWERS.bad


def additive_scores__broadcast(q, k, W, U, v):
    return torch.tanh((q @ W.T)[:, :, None] + (k @ U.T)[:, None]) @ v


def additive_scores__by_loops(queries, keys, W, U, v):
    return [
        [[v.dot(torch.tanh(W.mv(q) + U.mv(k))) for k in ks] for q in qs]
        for qs, ks in zip(queries, keys, strict=True)
    ]


def additive_scores__by_einsum(queries, keys, W, U, v):
    target = torch.einsum("hq,biq->bih", W, queries)
    offered = torch.einsum("hk,bjk->bjh", U, keys)
    return torch.einsum("h,bijh->bij", v, (target.unsqueeze(2) + offered.unsqueeze(1)).tanh())


def additive_scores__joined(queries, keys, W, U, v):
    target, source = queries.shape[1], keys.shape[1]
    pairs = torch.cat(
        [queries[:, :, None].expand(-1, -1, source, -1), keys[:, None].expand(-1, target, -1, -1)],
        dim=-1,
    )
    return torch.tanh(pairs @ torch.cat([W, U], dim=1).T) @ v


def real_positions__compared(lengths, longest):
    return torch.arange(longest)[None] < lengths[:, None]


def real_positions__row_by_row(lengths, longest):
    return [[place < length for place in range(longest)] for length in lengths.tolist()]


def real_positions__with_numpy(lengths, longest):
    return np.arange(longest)[None, :] < lengths.numpy()[:, None]


def masked_softmax__filled(scores, mask):
    hidden = scores.masked_fill(~mask[:, None], -torch.inf)
    powers = (hidden - hidden.amax(-1, keepdim=True)).exp()
    return powers / powers.sum(-1, keepdim=True)


def masked_softmax__row_by_row(scores, mask):
    rows_of_all = []
    for sentence, real in zip(scores, mask, strict=True):
        count = int(real.sum())
        powers = [torch.exp(row[:count] - row[:count].max()) for row in sentence]
        rest = scores.new_zeros(len(real) - count)
        rows_of_all.append(torch.stack([torch.cat([p / p.sum(), rest]) for p in powers]))
    return torch.stack(rows_of_all)


def masked_softmax__by_logarithms(scores, mask):
    hidden = scores.masked_fill(~mask[:, None], -torch.inf)
    largest = hidden.amax(-1, keepdim=True)
    total = (hidden - largest).exp().sum(-1, keepdim=True).log() + largest
    return (hidden - total).exp()


def masked_softmax__multiplied(scores, mask):
    real = mask[:, None].to(scores.dtype)
    largest = scores.masked_fill(~mask[:, None], -torch.inf).amax(-1, keepdim=True)
    powers = torch.exp((scores - largest).clamp(max=0)) * real
    return powers / powers.sum(-1, keepdim=True)


def attend__in_three_lines(q, k, x, lengths, W, U, v):
    mask = real_positions__compared(lengths, k.shape[1])
    weights = masked_softmax__filled(additive_scores__broadcast(q, k, W, U, v), mask)
    return torch.bmm(weights, x), weights


def attend__by_einsum(q, k, x, lengths, W, U, v):
    _, weights = attend__in_three_lines(q, k, x, lengths, W, U, v)
    return [torch.einsum("bts,bsx->btx", weights, x), weights]


def attend__sentence_by_sentence(q, k, x, lengths, W, U, v):
    contexts, rows = [], []
    for b, length in enumerate(lengths.tolist()):
        scores = additive_scores__broadcast(q[b : b + 1], k[b : b + 1, :length], W, U, v)
        weights = masked_softmax__filled(scores, torch.ones(1, length, dtype=torch.bool))[0]
        contexts.append(weights @ x[b, :length])
        rows.append(torch.nn.functional.pad(weights, (0, k.shape[1] - length)))
    return torch.stack(contexts), torch.stack(rows)


def softmax_backward__in_one_line(g, a):
    return a * (g - (a * g).sum(-1, keepdim=True))


def softmax_backward__by_the_jacobian(g, a):
    jacobian = torch.diag_embed(a) - a[..., :, None] * a[..., None, :]
    return torch.einsum("bij,bijk->bik", g, jacobian)


def softmax_backward__with_numpy(g, a):
    g, a = g.numpy(), a.numpy()
    return a * g - a * np.einsum("bij,bij->bi", a, g)[..., None]


# ---- attend_backward

_ALL_GRADIENTS = tuple(
    f"gradient_of_{name}" for name in ("queries", "keys", "values", "W", "U", "v")
)


def attend_backward__in_matrices(g, q, k, x, a, W, U, v):
    t = torch.tanh((q @ W.T)[:, :, None] + (k @ U.T)[:, None])
    e = softmax_backward__in_one_line(g @ x.mT, a)
    z = e[..., None] * v * (1 - t * t)
    zq, zk = z.sum(2), z.sum(1)
    return (
        *(zq @ W, zk @ U, a.mT @ g),
        *((zq.mT @ q).sum(0), (zk.mT @ k).sum(0), (e[..., None] * t).sum((0, 1, 2))),
    )


def attend_backward__by_einsum(g, q, k, x, a, W, U, v):
    t = torch.tanh((q @ W.T)[:, :, None] + (k @ U.T)[:, None])
    da = torch.einsum("bix,bjx->bij", g, x)
    e = a * da - a * torch.einsum("bij,bij->bi", a, da)[..., None]
    z = torch.einsum("bij,h,bijh->bijh", e, v, 1 - t**2)
    return [
        torch.einsum("bijh,hq->biq", z, W),
        torch.einsum("bijh,hk->bjk", z, U),
        torch.einsum("bij,bix->bjx", a, g),
        torch.einsum("bijh,biq->hq", z, q),
        torch.einsum("bijh,bjk->hk", z, k),
        torch.einsum("bij,bijh->h", e, t),
    ]


def attend_backward__pair_by_pair(g, q, k, x, a, W, U, v):
    gradients = [torch.zeros_like(one) for one in (q, k, x, W, U, v)]
    dq, dk, dx, dW, dU, dv = gradients
    for b in range(len(q)):
        for i in range(q.shape[1]):
            da = x[b] @ g[b, i]
            e = a[b, i] * (da - a[b, i].dot(da))
            for j in range(k.shape[1]):
                t = torch.tanh(W @ q[b, i] + U @ k[b, j])
                z = e[j] * v * (1 - t**2)
                dq[b, i] += W.T @ z
                dk[b, j] += U.T @ z
                dx[b, j] += a[b, i, j] * g[b, i]
                dW += torch.outer(z, q[b, i])
                dU += torch.outer(z, k[b, j])
                dv += e[j] * t
    return tuple(gradients)


def attend_backward__with_numpy(*inputs):
    g, q, k, x, a, W, U, v = (one.numpy() for one in inputs)
    t = np.tanh((q @ W.T)[:, :, None] + (k @ U.T)[:, None])
    da = g @ x.transpose(0, 2, 1)
    e = a * (da - (a * da).sum(-1, keepdims=True))
    z = e[..., None] * v / np.cosh(np.arctanh(t)) ** 2
    zq, zk = z.sum(2), z.sum(1)
    dW = np.tensordot(zq, q, axes=([0, 1], [0, 1]))
    dU = np.tensordot(zk, k, axes=([0, 1], [0, 1]))
    return zq @ W, zk @ U, a.transpose(0, 2, 1) @ g, dW, dU, np.tensordot(e, t, axes=3)


_BUT_VALUES = ("gradient_of_queries", "gradient_of_keys", "gradient_of_W", "gradient_of_U")


@wrong(*_ALL_GRADIENTS)
def attend_backward__in_single_precision(*inputs):
    return attend_backward__in_matrices(*(one.float() for one in inputs))


@wrong(*_ALL_GRADIENTS)
def attend_backward__with_autograd(g, *inputs):
    leaves = [one.clone().requires_grad_() for one in inputs]
    q, k, x, a, W, U, v = leaves
    scores = additive_scores__broadcast(q, k, W, U, v).masked_fill(a == 0, -torch.inf)
    ((scores.softmax(-1) @ x) * g).sum().backward()
    return [leaf.grad for leaf in (q, k, x, W, U, v)]


@wrong(*_BUT_VALUES, "gradient_of_v")
def attend_backward__by_differences(g, q, k, x, a, W, U, v):
    """Central differences, good for ten digits; the values are exact, since these are linear."""

    def loss(q, k, W, U, v):
        scores = additive_scores__broadcast(q, k, W, U, v).masked_fill(a == 0, -torch.inf)
        return float(((scores.softmax(-1) @ x) * g).sum())

    inputs, slopes = [q, k, W, U, v], []
    for place, one in enumerate(inputs):
        slope = torch.zeros_like(one)
        for n in range(one.numel()):
            ends = []
            for step in (1e-5, -1e-5):
                moved = one.clone()
                moved.view(-1)[n] += step
                ends.append(loss(*inputs[:place], moved, *inputs[place + 1 :]))
            slope.view(-1)[n] = (ends[0] - ends[1]) / 2e-5
        slopes.append(slope)
    dq, dk, dW, dU, dv = slopes
    return dq, dk, a.mT @ g, dW, dU, dv


def decode__sentence_by_sentence(state, keys, lengths, attend, step, start, end, longest):
    written, looks = [], []
    for b in range(len(state)):
        s, symbol, symbols, rows = state[b : b + 1], start, [], []
        for _ in range(longest):
            if symbols and symbol == end:
                symbols.append(end)
                rows.append(keys.new_zeros(keys.shape[1]))
                continue
            one = slice(b, b + 1)
            context, look = attend(s[:, None], keys[one], keys[one], lengths[one])
            s, scores = step(s, context.squeeze(1), torch.tensor([symbol]))
            symbol = int(scores[0].argmax())
            symbols.append(symbol)
            rows.append(look[0, 0])
        written.append(torch.tensor(symbols))
        looks.append(torch.stack(rows))
    return torch.stack(written), torch.stack(looks)


def decode__filled_in(state, keys, lengths, attend, step, start, end, longest):
    batch, source = keys.shape[:2]
    written = torch.full((batch, longest), end, dtype=torch.long)
    looks = torch.zeros(batch, longest, source)
    symbols, over = torch.tensor([start] * batch), torch.tensor([False] * batch)
    for t in range(longest):
        if over.all():
            break
        context, look = attend(state.unsqueeze(1), keys, keys, lengths)
        state, scores = step(state, context.squeeze(1), symbols)
        symbols = scores.max(dim=-1).indices
        written[~over, t] = symbols[~over]
        looks[~over, t] = look.squeeze(1)[~over]
        over = over | (symbols == end)
    return written, looks


def decode__only_those_that_go_on(state, keys, lengths, attend, step, start, end, longest):
    rows = torch.arange(len(state))
    written = [[end] * longest for _ in rows]
    looks = torch.zeros(len(state), longest, keys.shape[1])
    symbols = torch.full_like(rows, start)
    for t in range(longest):
        context, look = attend(state[:, None, :], keys[rows], keys[rows], lengths[rows])
        state, scores = step(state, context[:, 0, :], symbols)
        symbols = scores.argmax(dim=1)
        looks[rows, t] = look[:, 0, :]
        for row, symbol in zip(rows.tolist(), symbols.tolist(), strict=True):
            written[row][t] = symbol
        going_on = symbols != end
        state, symbols, rows = state[going_on], symbols[going_on], rows[going_on]
        if not len(rows):
            break
    return torch.tensor(written), looks


def decode__cleaned_afterwards(state, keys, lengths, attend, step, start, end, longest):
    symbols, written, looks = torch.full((len(state),), start), [], []
    for _ in range(longest):
        context, look = attend(state.unsqueeze(1), keys, keys, lengths)
        state, scores = step(state, context.squeeze(1), symbols)
        symbols = scores.argmax(-1)
        written.append(symbols.tolist())
        looks.append(look.squeeze(1))
    written = torch.tensor(written).T
    ended = (written == end).long()
    over = ended.cumsum(1) - ended > 0
    return written.masked_fill(over, end), torch.stack(looks, 1).masked_fill(over[..., None], 0)


# ---- changes of the solution


ANSWERS.note("solution", ANSWERS.changed("solution"))
WRONG = r"""
SOFTMAX = weights_are_a_softmax large_scores_give_weights padding_may_score_anything
BUT_VALUES = gradient_of_queries gradient_of_keys gradient_of_W gradient_of_U
WHOLE = whole_sentences_are_right

additive_scores:
one_score_for_each_pair scores_are_additive gradients_pass a_key_has_its_own_column
    source_first: torch.tanh(query + key) @ v
        → (torch.tanh(query + key) @ v).transpose(1, 2)
    v_forgotten: @ v →
    first_sentence_only: torch.tanh(query + key) @ v → (torch.tanh(query + key) @ v)[0]
a_key_has_its_own_column scores_are_additive gradients_pass
    reshaped_where_exchanged: return torch.tanh(query + key) @ v
        → scores = torch.tanh(query + key) @ v
        |     return scores.transpose(1, 2).reshape(scores.shape)
    softmax_already: torch.tanh(query + key) @ v → (torch.tanh(query + key) @ v).softmax(-1)
scores_are_additive gradients_pass
    without_tanh: torch.tanh →
    tanh_of_each: torch.tanh(query + key) → (torch.tanh(query) + torch.tanh(key))
    tanh_of_the_score: torch.tanh(query + key) @ v → torch.tanh((query + key) @ v)
    scaled: @ v → @ v / len(v) ** 0.5
    sigmoid: tanh → sigmoid
gradients_pass
    detached: queries @ → queries.detach() @
    by_way_of_numpy: return
        → with torch.no_grad():
        |      scores =
        @ v → @ v
        |     return scores.numpy()

real_positions:
real_positions_come_first
    of_padding: < → >=
    one_too_many: < → <=
booleans_for_each_position
    as_numbers: torch.arange(longest) < lengths.unsqueeze(1)
        → (torch.arange(longest) < lengths.unsqueeze(1)).float()
booleans_for_each_position real_positions_come_first
    as_wide_as_needed: arange(longest) → arange(int(lengths.max()))

masked_softmax:
weights_sum_to_one padding_weighs_nothing SOFTMAX gradients_pass
    the_one_of_torch: powers / powers.sum(dim=-1, keepdim=True) → torch.softmax(hidden, dim=-1)
weights_sum_to_one SOFTMAX gradients_pass
    over_the_target: scores.masked_fill(~mask.unsqueeze(1), -torch.inf) → scores
        hidden.max(dim=-1, keepdim=True).values) → hidden.amax(1, keepdim=True)) * mask[:, None]
        powers.sum(dim=-1, keepdim=True) → powers.sum(dim=1, keepdim=True).clamp(min=1e-30)
    masked_too_late: scores.masked_fill(~mask.unsqueeze(1), -torch.inf) → scores
        return powers → return mask[:, None] * powers
    never_divided: / powers.sum(dim=-1, keepdim=True) →
gradients_pass
    without_gradients: scores.masked_fill → scores.detach().masked_fill
padding_weighs_nothing SOFTMAX gradients_pass
    the_wrong_way_round: scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
        → torch.where(mask[:, None], scores - 1000, scores)
    padding_scores_zero: scores.masked_fill(~mask.unsqueeze(1), -torch.inf) → scores * mask[:, None]
large_scores_give_weights padding_may_score_anything
    largest_not_subtracted: hidden - hidden.max(dim=-1, keepdim=True).values → hidden
padding_may_score_anything
    largest_of_all: scores.masked_fill(~mask.unsqueeze(1), -torch.inf) → scores
        .values) → .values) * mask[:, None]
    minus_a_thousand: scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
        → scores - 4000.0 * ~mask[:, None]
SOFTMAX gradients_pass
    powers_of_two: torch.exp → torch.exp2
    uniform: powers / powers.sum(dim=-1, keepdim=True)
        → mask[:, None] / mask.sum(-1)[:, None, None] + 0 * scores

attend:
contexts_then_weights contexts_are_averages attention_is_as_defined gradients_pass
    weights_first: shares @ values, shares → shares, shares @ values
    keys_averaged: shares @ values → shares @ keys
contexts_are_averages attention_is_as_defined gradients_pass
    divided_by_the_length: shares @ values → shares @ values / (1 + lengths[:, None, None])
padding_changes_nothing attention_is_as_defined gradients_pass
    mask_forgotten: real_positions(lengths, keys.shape[1]) → torch.ones(keys.shape[:2]) > 0
attention_is_as_defined gradients_pass
    state_ignored: additive_scores(queries → additive_scores(0 * queries

softmax_backward:
equal_gradients_cancel softmax_is_differentiated
    of_a_sigmoid: weights * (upstream - mean) → upstream * weights * (1 - weights)
softmax_is_differentiated
    mean_without_weights: (upstream * weights).sum(dim=-1, keepdim=True)
        → (upstream * (real := weights > 0)).sum(-1, True) / real.sum(-1, True)
    in_single_precision: mean =
        → upstream, weights = upstream.float(), weights.float()
        |     mean =
padding_gets_no_gradient softmax_is_differentiated
    weight_forgotten: weights * (upstream - mean) → upstream - mean
equal_gradients_cancel padding_gets_no_gradient softmax_is_differentiated
    with_autograd: return weights * (upstream - mean)
        → scores = weights.log().requires_grad_()
        |     return torch.autograd.grad((scores.softmax(-1) * upstream).sum(), scores)[0]

attend_backward:
BUT_VALUES
    tanh_not_differentiated: * (1 - bent**2) →
BUT_VALUES gradient_of_v
    softmax_as_sigmoid: softmax_backward(upstream @ values.mT, weights)
        → upstream @ values.mT * weights * (1 - weights)
gradient_of_values
    values_by_the_first_query: weights.mT @ upstream → weights[:, :1].mT @ upstream[:, :1]
gradient_of_v
    v_with_the_derivative: unsqueeze(-1) * bent → unsqueeze(-1) * (1 - bent * bent)
gradient_of_W
    W_turned_round: queries).sum(dim=0) → queries).sum(dim=0).T
gradient_of_keys
    keys_left_out: d_offered @ U → 0 * d_offered @ U
gradient_of_W gradient_of_U
    one_for_each_sentence: queries).sum(dim=0) → queries)
        keys).sum(dim=0) → keys)

decode:
symbols_and_weights first_symbol_is_the_best looks_before_it_steps state_is_carried_on
symbols_are_fed_back sentences_end WHOLE
    steps_first: torch.stack(written, dim=1), torch.stack(looks, dim=1)
        → torch.stack(written), torch.stack(looks)
looks_before_it_steps first_symbol_is_the_best state_is_carried_on sentences_end WHOLE
    looks_with_the_new_state: state, symbol_scores =
        → moved, _ = step(state, context.squeeze(1), symbols)
        |         context, look = attend(moved.unsqueeze(1), keys, keys, lengths)
        |         state, symbol_scores =
state_is_carried_on sentences_end WHOLE
    state_not_carried: state, symbol_scores = → _, symbol_scores =
symbols_are_fed_back WHOLE
    start_every_time: context.squeeze(1), symbols → context.squeeze(1), torch.full((batch,), start)
sentences_end
    never_over: over = over | (symbols == end) → pass
    weights_go_on: .masked_fill(over.unsqueeze(1), 0.0) →
    zero_one_step_too_early: masked_fill(over.unsqueeze(1), 0.0)
        → masked_fill((over | (symbols == end)).unsqueeze(1), 0.0)
first_symbol_is_the_best symbols_are_fed_back sentences_end WHOLE
    lowest_score: argmax → argmin
looks_before_it_steps state_is_carried_on sentences_end WHOLE
    weights_one_step_late: torch.stack(looks, dim=1) → torch.stack(looks, dim=1).roll(1, dims=1)
symbols_and_weights sentences_end
    stops_when_all_are_over: over = over | (symbols == end)
        → over = over | (symbols == end)
        |         if over.all():
        |             break
"""
ANSWERS.note_wrong(WRONG)
