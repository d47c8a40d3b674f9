"""Right and wrong answers to `classroom/coursework/attention-from-an-empty-file`.

Wrong answers stand beside the properties that they must not have, the first of which has the hint
that is meant for them.
"""

from functools import partial

import numpy as np
import torch

from specimens.answers import changed
from specimens.coursework.tried import Answers

ANSWERS = Answers("attention-from-an-empty-file")
right, wrong = ANSWERS.good, ANSWERS.bad


# ---- additive_scores


@right
def additive_scores__broadcast(q, k, W, U, v):
    return torch.tanh((q @ W.T)[:, :, None] + (k @ U.T)[:, None]) @ v


@right
def additive_scores__by_loops(queries, keys, W, U, v):
    return [
        [[v.dot(torch.tanh(W.mv(q) + U.mv(k))) for k in ks] for q in qs]
        for qs, ks in zip(queries, keys, strict=True)
    ]


@right
def additive_scores__by_einsum(queries, keys, W, U, v):
    asked = torch.einsum("hq,biq->bih", W, queries)
    offered = torch.einsum("hk,bjk->bjh", U, keys)
    return torch.einsum("h,bijh->bij", v, (asked.unsqueeze(2) + offered.unsqueeze(1)).tanh())


@right
def additive_scores__joined(queries, keys, W, U, v):
    target, source = queries.shape[1], keys.shape[1]
    pairs = torch.cat(
        [queries[:, :, None].expand(-1, -1, source, -1), keys[:, None].expand(-1, target, -1, -1)],
        dim=-1,
    )
    return torch.tanh(pairs @ torch.cat([W, U], dim=1).T) @ v


@right
def additive_scores__sentence_by_sentence(queries, keys, W, U, v):
    rows = []
    for q, k in zip(queries, keys, strict=True):
        asked, offered = torch.nn.functional.linear(q, W), torch.nn.functional.linear(k, U)
        rows.append(torch.stack([torch.tanh(one + offered).matmul(v) for one in asked]))
    return torch.stack(rows, 0)


wrong(
    "one_score_for_each_pair", "scores_are_additive", "gradients_pass", "a_key_has_its_own_column"
)(
    source_first=lambda *given: additive_scores__broadcast(*given).transpose(1, 2),
    v_forgotten=changed(additive_scores__broadcast, "@ v", ""),
    first_sentence_only=lambda *given: additive_scores__broadcast(*given)[0],
)


@wrong("a_key_has_its_own_column", "scores_are_additive", "gradients_pass")
def additive_scores__reshaped_where_exchanged(q, k, W, U, v):
    found = additive_scores__broadcast(q, k, W, U, v)
    return found.transpose(1, 2).reshape(found.shape)


@wrong("a_key_has_its_own_column", "scores_are_additive", "gradients_pass")
def additive_scores__softmax_already(q, k, W, U, v):
    return additive_scores__broadcast(q, k, W, U, v).softmax(-1)


wrong("scores_are_additive", "gradients_pass")(
    without_tanh=changed(additive_scores__broadcast, "torch.tanh", ""),
    tanh_of_each=lambda q, k, W, U, v: (
        (torch.tanh(q @ W.T)[:, :, None] + torch.tanh(k @ U.T)[:, None]) @ v
    ),
    tanh_of_the_score=changed(additive_scores__broadcast, "tanh", "tanh(", "@ v", "@ v)"),
    scaled=lambda q, k, W, U, v: additive_scores__broadcast(q, k, W, U, v) / len(v) ** 0.5,
    sigmoid=changed(additive_scores__broadcast, "tanh", "sigmoid"),
)


wrong("gradients_pass")(detached=changed(additive_scores__broadcast, "q @", "q.detach() @"))


@wrong("gradients_pass")
def additive_scores__by_way_of_numpy(q, k, W, U, v):
    with torch.no_grad():
        return additive_scores__broadcast(q, k, W, U, v).numpy()


# ---- real_positions


@right
def real_positions__compared(lengths, longest):
    return torch.arange(longest)[None] < lengths[:, None]


@right
def real_positions__row_by_row(lengths, longest):
    return [[place < length for place in range(longest)] for length in lengths.tolist()]


@right
def real_positions__with_numpy(lengths, longest):
    return np.arange(longest)[None, :] < lengths.numpy()[:, None]


wrong("real_positions_come_first")(
    of_padding=changed(real_positions__compared, "[None] <", ">="),
    one_too_many=changed(real_positions__compared, "[None] <", "<="),
)


@wrong("booleans_for_each_position")
def real_positions__as_numbers(lengths, longest):
    return (torch.arange(longest) < lengths[:, None]).float()


@wrong("booleans_for_each_position", "real_positions_come_first")
def real_positions__as_wide_as_needed(lengths, longest):
    return torch.arange(int(lengths.max())) < lengths[:, None]


# ---- masked_softmax


@right
def masked_softmax__filled(scores, mask):
    hidden = scores.masked_fill(~mask[:, None], -torch.inf)
    powers = (hidden - hidden.amax(-1, keepdim=True)).exp()
    return powers / powers.sum(-1, keepdim=True)


@right
def masked_softmax__with_where(scores, mask):
    real = mask.unsqueeze(1)
    hidden = torch.where(real, scores, torch.full_like(scores, -torch.inf))
    return torch.exp(hidden - hidden.max(2, keepdim=True)[0]).div(
        torch.exp(hidden - hidden.max(2, keepdim=True)[0]).sum(2, keepdim=True)
    )


@right
def masked_softmax__row_by_row(scores, mask):
    found = []
    for sentence, real in zip(scores, mask, strict=True):
        count = int(real.sum())
        powers = [torch.exp(row[:count] - row[:count].max()) for row in sentence]
        rest = scores.new_zeros(len(real) - count)
        found.append(torch.stack([torch.cat([p / p.sum(), rest]) for p in powers]))
    return torch.stack(found)


@right
def masked_softmax__by_logarithms(scores, mask):
    hidden = scores.masked_fill(~mask[:, None], -torch.inf)
    largest = hidden.amax(-1, keepdim=True)
    total = (hidden - largest).exp().sum(-1, keepdim=True).log() + largest
    return (hidden - total).exp()


@right
def masked_softmax__multiplied(scores, mask):
    real = mask[:, None].to(scores.dtype)
    largest = scores.masked_fill(~mask[:, None], -torch.inf).amax(-1, keepdim=True)
    powers = torch.exp((scores - largest).clamp(max=0)) * real
    return powers / powers.sum(-1, keepdim=True)


_SOFTMAX = ("weights_are_a_softmax", "large_scores_give_weights", "padding_may_score_anything")
_ALL_SOFTMAX = (
    *("weights_sum_to_one", "padding_weighs_nothing", "weights_are_a_softmax"),
    *("large_scores_give_weights", "padding_may_score_anything", "gradients_pass"),
)


@wrong(*_ALL_SOFTMAX)
def masked_softmax__the_one_of_torch(scores, mask):
    return torch.softmax(scores.masked_fill(~mask[:, None], -torch.inf), dim=-1)


@wrong("weights_sum_to_one", *_SOFTMAX, "gradients_pass")
def masked_softmax__over_the_target(scores, mask):
    hidden = scores.masked_fill(~mask[:, None], -torch.inf)
    powers = torch.exp(scores - scores.amax(1, keepdim=True)) * mask[:, None]
    return powers / powers.sum(1, keepdim=True).clamp(min=1e-30) + 0 * hidden.nan_to_num(0, 0, 0)


@wrong("gradients_pass")
def masked_softmax__without_gradients(scores, mask):
    return masked_softmax__filled(scores.detach(), mask)


HIDDEN = "scores.masked_fill(~mask[:, None], -torch.inf)"
but = partial(changed, masked_softmax__filled)
wrong("weights_sum_to_one", *_SOFTMAX, "gradients_pass")(
    masked_too_late=but(HIDDEN, "scores", "return powers", "return mask[:, None] * powers"),
    never_divided=but(" / powers.sum(-1, keepdim=True)", ""),
)
wrong("padding_weighs_nothing", *_SOFTMAX, "gradients_pass")(
    the_wrong_way_round=but(HIDDEN, "torch.where(mask[:, None], scores - 1000, scores)"),
    padding_scores_zero=but(HIDDEN, "scores * mask[:, None]"),
)
wrong("large_scores_give_weights", "padding_may_score_anything")(
    largest_not_subtracted=but("(hidden - hidden.amax(-1, keepdim=True))", "hidden")
)
wrong("padding_may_score_anything")(
    largest_of_all=but(HIDDEN, "scores", ".exp()", ".exp() * mask[:, None]"),
    minus_a_thousand=but(HIDDEN, "scores + (~mask[:, None]) * -4000.0"),
)
wrong(*_SOFTMAX, "gradients_pass")(
    powers_of_two=but(".exp()", ".mul(math.log(2)).exp()"),
    uniform=lambda scores, mask: mask[:, None] / mask.sum(-1)[:, None, None] + 0 * scores,
)


# ---- attend


@right
def attend__in_three_lines(q, k, x, lengths, W, U, v):
    mask = real_positions__compared(lengths, k.shape[1])
    weights = masked_softmax__filled(additive_scores__broadcast(q, k, W, U, v), mask)
    return torch.bmm(weights, x), weights


@right
def attend__by_einsum(q, k, x, lengths, W, U, v):
    _, weights = attend__in_three_lines(q, k, x, lengths, W, U, v)
    return [torch.einsum("bts,bsx->btx", weights, x), weights]


@right
def attend__sentence_by_sentence(q, k, x, lengths, W, U, v):
    contexts, rows = [], []
    for b, length in enumerate(lengths.tolist()):
        scores = additive_scores__broadcast(q[b : b + 1], k[b : b + 1, :length], W, U, v)
        weights = masked_softmax__filled(scores, torch.ones(1, length, dtype=torch.bool))[0]
        contexts.append(weights @ x[b, :length])
        rows.append(torch.nn.functional.pad(weights, (0, k.shape[1] - length)))
    return torch.stack(contexts), torch.stack(rows)


_NUMBERS = ("padding_changes_nothing", "attention_is_as_defined", "gradients_pass")


wrong(
    "contexts_then_weights", "contexts_are_averages", "attention_is_as_defined", "gradients_pass"
)(
    weights_first=lambda *inputs: attend__in_three_lines(*inputs)[::-1],
    keys_averaged=lambda q, k, x, *others: attend__in_three_lines(q, k, k, *others),
)


@wrong("contexts_are_averages", "attention_is_as_defined", "gradients_pass")
def attend__divided_by_the_length(q, k, x, lengths, W, U, v):
    contexts, weights = attend__in_three_lines(q, k, x, lengths, W, U, v)
    return contexts / (1 + lengths[:, None, None]), weights


@wrong(*_NUMBERS)
def attend__mask_forgotten(q, k, x, lengths, W, U, v):
    weights = additive_scores__broadcast(q, k, W, U, v).exp()
    weights = weights / weights.sum(-1, keepdim=True)
    return weights @ x, weights


@wrong("attention_is_as_defined", "gradients_pass")
def attend__state_ignored(q, k, x, lengths, W, U, v):
    return attend__in_three_lines(0 * q, k, x, lengths, W, U, v)


# ---- softmax_backward


@right
def softmax_backward__in_one_line(g, a):
    return a * (g - (a * g).sum(-1, keepdim=True))


@right
def softmax_backward__by_the_jacobian(g, a):
    jacobian = torch.diag_embed(a) - a[..., :, None] * a[..., None, :]
    return torch.einsum("bij,bijk->bik", g, jacobian)


@right
def softmax_backward__with_numpy(g, a):
    g, a = g.numpy(), a.numpy()
    return a * g - a * np.einsum("bij,bij->bi", a, g)[..., None]


@wrong("equal_gradients_cancel", "softmax_is_differentiated")
def softmax_backward__of_a_sigmoid(g, a):
    return g * a * (1 - a)


@wrong("softmax_is_differentiated")
def softmax_backward__mean_without_weights(g, a):
    real = a > 0
    return a * (g - (g * real).sum(-1, keepdim=True) / real.sum(-1, keepdim=True))


@wrong("padding_gets_no_gradient", "softmax_is_differentiated")
def softmax_backward__weight_forgotten(g, a):
    return g - (a * g).sum(-1, keepdim=True)


@wrong("softmax_is_differentiated")
def softmax_backward__in_single_precision(g, a):
    return softmax_backward__in_one_line(g.float(), a.float())


@wrong("equal_gradients_cancel", "padding_gets_no_gradient", "softmax_is_differentiated")
def softmax_backward__with_autograd(g, a):
    scores = a.log().requires_grad_()
    (found,) = torch.autograd.grad((scores.softmax(-1) * g).sum(), scores)
    return found


# ---- attend_backward

_ALL_GRADIENTS = tuple(
    f"gradient_of_{name}" for name in ("queries", "keys", "values", "W", "U", "v")
)


@right
def attend_backward__in_matrices(g, q, k, x, a, W, U, v):
    t = torch.tanh((q @ W.T)[:, :, None] + (k @ U.T)[:, None])
    e = softmax_backward__in_one_line(g @ x.mT, a)
    z = e[..., None] * v * (1 - t * t)
    zq, zk = z.sum(2), z.sum(1)
    return (
        *(zq @ W, zk @ U, a.mT @ g),
        *((zq.mT @ q).sum(0), (zk.mT @ k).sum(0), (e[..., None] * t).sum((0, 1, 2))),
    )


@right
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


@right
def attend_backward__pair_by_pair(g, q, k, x, a, W, U, v):
    found = [torch.zeros_like(each) for each in (q, k, x, W, U, v)]
    dq, dk, dx, dW, dU, dv = found
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
    return tuple(found)


@right
def attend_backward__with_numpy(*inputs):
    g, q, k, x, a, W, U, v = (each.numpy() for each in inputs)
    t = np.tanh((q @ W.T)[:, :, None] + (k @ U.T)[:, None])
    da = g @ x.transpose(0, 2, 1)
    e = a * (da - (a * da).sum(-1, keepdims=True))
    z = e[..., None] * v / np.cosh(np.arctanh(t)) ** 2
    zq, zk = z.sum(2), z.sum(1)
    dW = np.tensordot(zq, q, axes=([0, 1], [0, 1]))
    dU = np.tensordot(zk, k, axes=([0, 1], [0, 1]))
    return zq @ W, zk @ U, a.transpose(0, 2, 1) @ g, dW, dU, np.tensordot(e, t, axes=3)


@right
def attend_backward__flattened(g, q, k, x, a, W, U, v):
    t = torch.tanh((q @ W.T).unsqueeze(2) + (k @ U.T).unsqueeze(1))
    e = softmax_backward__by_the_jacobian(torch.bmm(g, x.transpose(1, 2)), a)
    z = (1 - t.square()).mul(v).mul(e.unsqueeze(3))
    rows = z.sum(2).flatten(0, 1)
    columns = z.sum(1).flatten(0, 1)
    return (
        (rows @ W).view_as(q),
        (columns @ U).view_as(k),
        torch.bmm(a.transpose(1, 2), g),
        rows.T @ q.flatten(0, 1),
        columns.T @ k.flatten(0, 1),
        e.flatten() @ t.flatten(0, 2),
    )


_BUT_VALUES = ("gradient_of_queries", "gradient_of_keys", "gradient_of_W", "gradient_of_U")


@wrong(*_ALL_GRADIENTS)
def attend_backward__in_single_precision(*inputs):
    return attend_backward__in_matrices(*(each.float() for each in inputs))


@wrong(*_ALL_GRADIENTS)
def attend_backward__with_autograd(g, *inputs):
    leaves = [each.clone().requires_grad_() for each in inputs]
    q, k, x, a, W, U, v = leaves
    scores = additive_scores__broadcast(q, k, W, U, v).masked_fill(a == 0, -torch.inf)
    ((scores.softmax(-1) @ x) * g).sum().backward()
    return [each.grad for each in (q, k, x, W, U, v)]


@wrong(*_BUT_VALUES, "gradient_of_v")
def attend_backward__by_differences(g, q, k, x, a, W, U, v):
    """Central differences, good for ten digits; the values are exact, since these are linear."""

    def loss(q, k, W, U, v):
        scores = additive_scores__broadcast(q, k, W, U, v).masked_fill(a == 0, -torch.inf)
        return float(((scores.softmax(-1) @ x) * g).sum())

    inputs, found = [q, k, W, U, v], []
    for place, each in enumerate(inputs):
        slope = torch.zeros_like(each)
        for n in range(each.numel()):
            ends = []
            for step in (1e-5, -1e-5):
                moved = each.clone()
                moved.view(-1)[n] += step
                ends.append(loss(*inputs[:place], moved, *inputs[place + 1 :]))
            slope.view(-1)[n] = (ends[0] - ends[1]) / 2e-5
        found.append(slope)
    dq, dk, dW, dU, dv = found
    return dq, dk, a.mT @ g, dW, dU, dv


but = partial(changed, attend_backward__in_matrices)
wrong(*_BUT_VALUES)(tanh_not_differentiated=but(" * (1 - t * t)", ""))
wrong(*_BUT_VALUES, "gradient_of_v")(softmax_as_sigmoid=but("in_one_line", "of_a_sigmoid"))
wrong("gradient_of_values")(values_by_the_first_query=but("a.mT @ g", "a[:, :1].mT @ g[:, :1]"))
wrong("gradient_of_v")(v_with_the_derivative=but("None] * t)", "None] * (1 - t * t))"))
wrong("gradient_of_W")(W_turned_round=but("(zq.mT @ q).sum(0)", "(zq.mT @ q).sum(0).T"))
wrong("gradient_of_keys")(keys_left_out=but("zk @ U", "0 * zk @ U"))
wrong("gradient_of_W", "gradient_of_U")(
    one_for_each_sentence=but("(zq.mT @ q).sum(0), (zk.mT @ k).sum(0)", "zq.mT @ q, zk.mT @ k")
)


# ---- decode


@right
def decode__with_masks(state, keys, lengths, attend, step, start, end, longest):
    symbols = torch.full((len(state),), start)
    going = torch.ones(len(state), dtype=torch.bool)
    written, looks = [], []
    for _ in range(longest):
        context, look = attend(state[:, None], keys, keys, lengths)
        state, scores = step(state, context[:, 0], symbols)
        symbols = torch.where(going, scores.argmax(-1), end)
        written.append(symbols)
        looks.append(look[:, 0] * going[:, None])
        going = going & (symbols != end)
    return torch.stack(written, 1), torch.stack(looks, 1)


@right
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


@right
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


@right
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
        kept = symbols != end
        state, symbols, rows = state[kept], symbols[kept], rows[kept]
        if not len(rows):
            break
    return torch.tensor(written), looks


@right
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


def _loop(
    *,
    late=False,
    carried=True,
    fed=True,
    stops=True,
    zeros=True,
    early=False,
    lowest=False,
    first=None,
):
    def decode(state, keys, lengths, attend, step, start, end, longest):
        symbols, over = torch.full((len(state),), start), torch.zeros(len(state), dtype=torch.bool)
        written, looks, before = [], [], state
        for _ in range(longest):
            context, look = attend(state[:, None], keys, keys, lengths)
            if late:
                moved, _ = step(state, context[:, 0], symbols)
                context, look = attend(moved[:, None], keys, keys, lengths)
            state, scores = step(state, context[:, 0], symbols)
            best = (-scores if lowest else scores).argmax(-1)
            now = over | (best == end) if early else over
            chosen = best.masked_fill(over, end) if stops else best
            if fed:
                symbols = chosen
            written.append(chosen)
            looks.append(look[:, 0].masked_fill(now[:, None], 0) if zeros else look[:, 0])
            over = over | (chosen == end)
            state = state if carried else before
        return torch.stack(written, 1), torch.stack(looks, 1)

    return decode


_WHOLE = "whole_sentences_are_right"


@wrong(
    "symbols_and_weights",
    "first_symbol_is_the_best",
    "looks_before_it_steps",
    "state_is_carried_on",
    "symbols_are_fed_back",
    "sentences_end",
    _WHOLE,
)
def decode__steps_first(*inputs):
    symbols, looks = _loop()(*inputs)
    return symbols.T, looks.transpose(0, 1)


wrong(
    "looks_before_it_steps",
    "first_symbol_is_the_best",
    "state_is_carried_on",
    "sentences_end",
    _WHOLE,
)(looks_with_the_new_state=_loop(late=True))


wrong("state_is_carried_on", "sentences_end", _WHOLE)(state_not_carried=_loop(carried=False))


wrong("symbols_are_fed_back", _WHOLE)(start_every_time=_loop(fed=False))


@wrong("sentences_end")
def decode__never_over(*inputs):
    return _loop(stops=False, zeros=False)(*inputs)


wrong("sentences_end")(weights_go_on=_loop(zeros=False), zero_one_step_too_early=_loop(early=True))


@wrong("first_symbol_is_the_best", "symbols_are_fed_back", "sentences_end", _WHOLE)
def decode__lowest_score(*inputs):
    return _loop(lowest=True)(*inputs)


@wrong("looks_before_it_steps", "state_is_carried_on", "sentences_end", _WHOLE)
def decode__weights_one_step_late(*inputs):
    symbols, looks = _loop()(*inputs)
    return symbols, torch.roll(looks, 1, dims=1)


@wrong("symbols_and_weights", "sentences_end")
def decode__stops_when_all_are_over(*inputs):
    symbols, looks = _loop()(*inputs)
    end = inputs[6]
    count = int((symbols != end).any(0).sum()) + 1
    return symbols[:, :count], looks[:, :count]
