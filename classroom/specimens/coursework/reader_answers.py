"""Right and wrong answers to `classroom/coursework/a-reader-of-dates`.

Wrong answers stand beside the properties that they must not have, the first of which has the hint
that is meant for them.
"""

import math
from functools import partial

import torch
from torch import nn
from torch.nn import functional

from specimens.answers import after, changed
from specimens.coursework.tried import Answers

ANSWERS = Answers("a-reader-of-dates")
right, wrong = ANSWERS.good, ANSWERS.bad


# ---- numbered


@right
def numbered__padded_lists(texts, alphabet):
    rows = [[alphabet.index(each) + 3 for each in text if each in alphabet] for text in texts]
    wide = max(len(row) for row in rows)
    return [row + [0] * (wide - len(row)) for row in rows], [len(row) for row in rows]


@right
def numbered__pad_sequence(texts, alphabet):
    rows = [torch.tensor([alphabet.find(each) + 3 for each in text]) for text in texts]
    rows = [row[row > 2] for row in rows]
    padded = nn.utils.rnn.pad_sequence(rows, batch_first=True)
    return padded.int(), torch.tensor([len(row) for row in rows], dtype=torch.int32)


@wrong("rows_hold_the_texts", "unknown_characters_are_left_out")
def numbered__from_zero(texts, alphabet):
    found, lengths = numbered__pad_sequence(texts, alphabet)
    return (found - 3).clamp(min=0), lengths


@wrong("rows_hold_the_texts", "unknown_characters_are_left_out")
def numbered__padded_in_front(texts, alphabet):
    rows, lengths = numbered__padded_lists(texts, alphabet)
    return [[0] * row.count(0) + [each for each in row if each] for row in rows], lengths


@wrong("rows_hold_the_texts", "unknown_characters_are_left_out")
def numbered__sorted_alphabet(texts, alphabet):
    return numbered__padded_lists(texts, "".join(sorted(alphabet)))


@wrong("lengths_are_told", "unknown_characters_are_left_out")
def numbered__longest_for_all(texts, alphabet):
    rows, lengths = numbered__padded_lists(texts, alphabet)
    return rows, [max(lengths)] * len(rows)


@wrong("unknown_characters_are_left_out")
def numbered__unknown_as_padding(texts, alphabet):
    rows = [[max(alphabet.find(each) + 3, 0) for each in text] for text in texts]
    rows = [[each if each > 2 else 0 for each in row] for row in rows]
    wide = max(map(len, rows))
    return [row + [0] * (wide - len(row)) for row in rows], [len(row) for row in rows]


# ---- step


@right
def step__in_parts(x, h, G):
    n, m = x.shape[1], h.shape[1]
    sums = x @ G[:, :n].T + h @ G[:, n : n + m].T + G[:, -1]
    gate = sums[:, :m].sigmoid()
    return (1 - gate) * sums[:, m:].tanh() + gate * h


@right
def step__linear_and_lerp(x, h, G):
    sums = functional.linear(torch.hstack([x, h]), G[:, :-1], G[:, -1])
    gate, new = sums.tensor_split(2, dim=-1)
    return torch.lerp(torch.tanh(new), h, torch.sigmoid(gate))


@wrong("states_keep_their_shape", "gate_keeps_the_state", "step_is_as_defined", "gradients_pass")
def step__one_text_only(x, h, G):
    return step__in_parts(x, h, G)[:1].squeeze(0)


@wrong("gate_keeps_the_state", "step_is_as_defined", "gradients_pass")
def step__gate_the_other_way(x, h, G):
    return h + step__in_parts(x, h, torch.cat([-G[: h.shape[1]], G[h.shape[1] :]])) - h


@wrong("gate_keeps_the_state", "step_is_as_defined", "gradients_pass")
def step__halves_exchanged(x, h, G):
    return step__in_parts(x, h, torch.cat(G.chunk(2)[::-1]))


@wrong("gate_keeps_the_state", "step_is_as_defined", "gradients_pass")
def step__without_tanh(x, h, G):
    gate, new = (torch.cat([x, h, torch.ones(len(x), 1)], 1) @ G.T).chunk(2, 1)
    return gate.sigmoid() * h + (1 - gate.sigmoid()) * new


@wrong("step_is_as_defined", "gate_keeps_the_state", "gradients_pass")
def step__bias_in_front(x, h, G):
    return step__in_parts(x, h, G.roll(-1, 1))


wrong("gradients_pass")(detached=lambda x, h, G: step__in_parts(x, h.detach(), G))


# ---- encode


def _real(lengths, texts):
    return torch.arange(texts.shape[1]) < lengths[:, None]


def _way(inputs, matrix, places):
    state = inputs.new_zeros(len(inputs), len(matrix) // 2)
    found = {}
    for place in places:
        state = step__in_parts(inputs[:, place], state, matrix)
        found[place] = state
    return torch.stack([found[place] for place in sorted(found)], dim=1)


@right
def encode__one_by_one(sources, lengths, E, F, B, S):
    longest = sources.shape[1]
    notes, firsts = [], []
    for row, length in zip(sources, lengths, strict=True):
        inputs = E[row[:length]][None]
        there, back = (
            _way(inputs, m, o) for m, o in ((F, range(length)), (B, range(length)[::-1]))
        )
        notes.append(functional.pad(torch.cat([there, back], -1)[0], (0, 0, 0, longest - length)))
        firsts.append((S @ back[0, 0]).tanh())
    return torch.stack(notes), torch.stack(firsts)


def _turned(values, lengths):
    """Each text turned around within its length."""
    places = torch.arange(values.shape[1])
    order = torch.where(
        places < lengths[:, None], lengths[:, None] - 1 - places, places.expand(len(values), -1)
    )
    return values.gather(1, order[..., None].expand_as(values))


def _joined(ways, lengths, S):
    return torch.cat(ways, 2) * _real(lengths, ways[0])[..., None], torch.tanh(ways[1][:, 0] @ S.T)


@right
def encode__turned_around(sources, lengths, E, F, B, S):
    inputs = functional.embedding(sources, E)
    there = _way(inputs, F, range(inputs.shape[1]))
    back = _turned(_way(_turned(inputs, lengths), B, range(inputs.shape[1])), lengths)
    return _joined([there, back], lengths, S)


@right
def encode__where(sources, lengths, E, F, B, S):
    inputs, real = E[sources.long()], _real(lengths, sources)
    both = []
    for matrix, order in ((F, 1), (B, -1)):
        state, found = torch.zeros(len(sources), len(matrix) // 2), []
        for place in list(range(sources.shape[1]))[::order]:
            state = torch.where(
                real[:, place, None], step__in_parts(inputs[:, place], state, matrix), state
            )
            found.append(state)
        both.append(torch.stack(found[::order], 1))
    notes = torch.cat(both, 2).masked_fill(~real[..., None], 0.0)
    return notes, (both[1][:, 0] @ S.T).tanh()


@right
def encode__filled_in_place(sources, lengths, E, F, B, S):
    hidden = len(F) // 2
    notes = [torch.zeros(len(sources), 2 * hidden) for _ in range(sources.shape[1])]
    left, right_ = torch.zeros(len(sources), hidden), torch.zeros(len(sources), hidden)
    lefts, rights = [], []
    for j in range(len(notes)):
        left = step__linear_and_lerp(E[sources[:, j]], left, F)
        k = len(notes) - 1 - j
        right_ = step__linear_and_lerp(E[sources[:, k]], right_, B) * (k < lengths)[:, None]
        lefts.append(left)
        rights.insert(0, right_)
    for j in range(len(notes)):
        notes[j] = torch.cat([lefts[j], rights[j]], 1) * (j < lengths)[:, None]
    return torch.stack(notes, 1), (rights[0] @ S.mT).tanh()


@right
def encode__as_a_pair_of_lists(sources, lengths, E, F, B, S):
    notes, first = encode__one_by_one(sources, lengths, E, F, B, S)
    return [notes, first]


_NUMBERS = ("encoder_is_as_defined", "gradients_pass")


@wrong("padding_has_no_annotation", "padding_is_not_read")
def encode__padding_kept(sources, lengths, E, F, B, S):
    notes, first = encode__turned_around(sources, lengths, E, F, B, S)
    there = _way(E[sources], F, range(sources.shape[1]))
    return torch.cat([there, notes[..., there.shape[2] :]], 2), first


@wrong("halves_know_their_side", *_NUMBERS)
def encode__state_not_carried_on(sources, lengths, E, F, B, S):
    inputs, zeros = E[sources], torch.zeros(len(sources), len(F) // 2)
    ways = [
        torch.stack([step__in_parts(each, zeros, m) for each in inputs.unbind(1)], 1)
        for m in (F, B)
    ]
    return _joined(ways, lengths, S)


@wrong("halves_know_their_side", *_NUMBERS)
def encode__both_from_the_left(sources, lengths, E, F, B, S):
    ways = [_way(E[sources], m, range(sources.shape[1])) for m in (F, B)]
    return _joined(ways, lengths, S)


@wrong("padding_is_not_read", "texts_are_read_alone")
def encode__back_from_the_padding(sources, lengths, E, F, B, S):
    places = range(sources.shape[1])
    ways = [_way(E[sources], m, o) for m, o in ((F, places), (B, places[::-1]))]
    return _joined(ways, lengths, S)


but = partial(changed, encode__where)
wrong(*_NUMBERS)(
    first_from_the_last_place=but("1][:, 0]", "1][range(len(sources)), lengths - 1]"),
    first_without_tanh=but("(both[1][:, 0] @ S.T).tanh()", "both[1][:, 0] @ S.T"),
)
wrong("annotations_then_first_state", "halves_know_their_side", *_NUMBERS)(
    directions_added=but("torch.cat(both, 2)", "sum(both)")
)
wrong("halves_know_their_side", *_NUMBERS)(directions_exchanged=but("(both, 2)", "(both[::-1], 2)"))
wrong("halves_know_their_side", "texts_are_read_alone", *_NUMBERS)(
    states_not_turned_back=but("(both, 2)", "([both[0], both[1].flip(1)], 2)")
)
wrong("texts_are_read_alone", "padding_has_no_annotation", *_NUMBERS)(
    mean_of_the_batch=but("return notes", "return notes + 0.1 * notes.mean(0)")
)
wrong(
    *("annotations_then_first_state", "padding_has_no_annotation", "halves_know_their_side"),
    *("texts_are_read_alone", *_NUMBERS),
)(annotations_alone=lambda *given: encode__where(*given)[0])
wrong("gradients_pass")(embeddings_detached=but("E[sources", "E.detach()[sources"))


# ---- write


def _look(state, annotations, lengths, W, U, v):
    found = torch.tanh((state @ W.T)[:, None] + annotations @ U.T) @ v
    real = _real(lengths, annotations)
    return found.masked_fill(~real, -torch.inf).softmax(-1)


@right
def write__in_short(state, before, annotations, lengths, T, W, U, v, D, R):
    look = _look(state, annotations, lengths, W, U, v)
    context = torch.bmm(look[:, None], annotations)[:, 0]
    new = step__in_parts(torch.cat([T[before], context], 1), state, D)
    scores = torch.cat([new, context], 1) @ R[:, :-1].T + R[:, -1]
    return scores, new, look


@right
def write__one_by_one(state, before, annotations, lengths, T, W, U, v, D, R):
    rows = []
    for b, length in enumerate(lengths):
        notes = annotations[b, :length]
        found = torch.tanh(state[b] @ W.T + notes @ U.T) @ v
        look = torch.exp(found - found.max())
        look = look / look.sum()
        context = look @ notes
        new = step__linear_and_lerp(torch.cat([T[before[b]], context])[None], state[b : b + 1], D)[
            0
        ]
        scores = R @ torch.cat([new, context, torch.ones(1)])
        rows.append((scores, new, functional.pad(look, (0, annotations.shape[1] - length))))
    return tuple(torch.stack(each) for each in zip(*rows, strict=True))


@right
def write__powers_and_mask(state, before, annotations, lengths, T, W, U, v, D, R):
    sums = torch.einsum("as,bs->ba", W, state)[:, None] + torch.einsum(
        "ax,bjx->bja", U, annotations
    )
    real = _real(lengths, annotations).float()
    powers = torch.exp((sums.tanh() * v).sum(-1)) * real
    look = powers / powers.sum(1, keepdim=True)
    context = (look[..., None] * annotations).sum(1)
    inputs = torch.hstack((functional.embedding(before, T), context))
    new = step__linear_and_lerp(inputs, state, D)
    return torch.hstack((new, context, torch.ones(len(new), 1))) @ R.T, new, look


@right
def write__split_readout(state, before, annotations, lengths, T, W, U, v, D, R):
    _, new, look = write__in_short(state, before, annotations, lengths, T, W, U, v, D, R)
    of_state, of_context, bias = R.split([new.shape[1], annotations.shape[2], 1], 1)
    context = (look.unsqueeze(1) @ annotations).squeeze(1)
    return [new @ of_state.T + context @ of_context.T + bias.squeeze(1), new, look]


@right
def write__large_negative_number(state, before, annotations, lengths, T, W, U, v, D, R):
    found = torch.tanh((state @ W.T)[:, None] + annotations @ U.T) @ v
    padded = ~_real(lengths, annotations)
    look = torch.where(padded, torch.tensor(-1e9), found).softmax(1)
    context = torch.einsum("bj,bjx->bx", look, annotations)
    new = step__in_parts(torch.cat([T[before], context], 1), state, D)
    return torch.cat([new, context, torch.ones(len(new), 1)], 1) @ R.T, new, look


_ALL = ("state_moves_on", "scores_are_as_defined", "gradients_pass")


@wrong("looks_before_it_moves", *_ALL)
def write__looks_afterwards(state, before, annotations, lengths, T, W, U, v, D, R):
    nothing = torch.zeros(len(state), annotations.shape[2])
    new = step__in_parts(torch.cat([T[before], nothing], 1), state, D)
    look = _look(new, annotations, lengths, W, U, v)
    context = torch.bmm(look[:, None], annotations)[:, 0]
    return torch.cat([new, context], 1) @ R[:, :-1].T + R[:, -1], new, look


but = partial(changed, write__in_short)
wrong("weights_are_on_real_places", "looks_before_it_moves", "padding_has_no_part")(
    no_mask=but("lengths, W", "lengths + 99, W"),
    masked_afterwards=but(
        "lengths, W, U, v)", "lengths + 99, W, U, v) * _real(lengths, annotations)"
    ),
)
wrong("looks_before_it_moves", *_ALL)(
    state_is_not_asked=but("lengths, W", "lengths, 0 * W"),
    softmax_twice=but(
        "W, U, v)", "W, U, v).masked_fill(~_real(lengths, annotations), -torch.inf).softmax(1)"
    ),
)
wrong(*_ALL)(
    context_first=but("[T[before], context]", "[context, T[before]]"),
    start_every_time=but("T[before]", "T[torch.ones_like(before)]"),
    state_stays=but("step__in_parts(torch.cat([T[before], context], 1), state, D)", "state"),
)
wrong("scores_are_as_defined", "gradients_pass")(
    scores_of_the_old_state=but("[new, context]", "[state, context]"),
    probabilities=but("return scores", "return scores.softmax(1)"),
    no_bias=but(" + R[:, -1]", ""),
)
wrong("three_tensors_of_a_step", "weights_are_on_real_places", "looks_before_it_moves", *_ALL)(
    another_order=but("scores, new, look", "new, look, scores")
)
wrong("gradients_pass")(look_without_gradient=but("W, U, v)", "W, U, v).detach()"))


# ---- mean_loss


@right
def mean_loss__cross_entropy(scores, targets):
    return functional.cross_entropy(scores.flatten(0, 1), targets.flatten(), ignore_index=0)


@right
def mean_loss__log_softmax(scores, targets):
    logs = scores.log_softmax(-1)
    real = (targets > 0).float()
    one_hot = functional.one_hot(targets, scores.shape[2]).float()
    return -((logs * one_hot).sum(-1) * real).sum() / real.sum()


wrong(
    "loss_is_one_number",
    "padding_costs_nothing",
    "loss_is_the_mean",
    "large_scores_are_no_trouble",
    "gradients_pass",
)(not_reduced=changed(mean_loss__cross_entropy, "ignore_index=0", 'reduction="none"'))


@wrong("padding_costs_nothing", "loss_is_the_mean", "gradients_pass")
def mean_loss__padding_counted(scores, targets):
    return functional.cross_entropy(scores.flatten(0, 1), targets.flatten())


wrong("loss_is_the_mean", "gradients_pass")(
    divided_by_all=lambda scores, targets: functional.cross_entropy(
        scores.flatten(0, 1), targets.flatten(), ignore_index=0, reduction="none"
    ).mean()
)


@wrong("loss_is_the_mean", "gradients_pass")
def mean_loss__mean_of_means(scores, targets):
    pairs = zip(scores, targets, strict=True)
    found = [functional.cross_entropy(one, two, ignore_index=0) for one, two in pairs]
    return sum(found) / len(found)


@wrong("loss_is_the_mean", "large_scores_are_no_trouble", "gradients_pass")
def mean_loss__in_bits(scores, targets):
    return mean_loss__cross_entropy(scores, targets) / math.log(2)


@wrong("large_scores_are_no_trouble")
def mean_loss__naive(scores, targets):
    shares = scores.exp() / scores.exp().sum(-1, keepdim=True)
    return -shares.gather(2, targets[..., None])[..., 0][targets > 0].log().mean()


wrong("gradients_pass")(a_float=lambda *given: mean_loss__cross_entropy(*given).item())


# ---- train


def _whole(slopes):
    norm = math.sqrt(sum(float((each**2).sum()) for each in slopes))
    return [each / max(norm, 1.0) for each in slopes]


def _loop(weights, loss, batches, rates, clip=_whole, adds=False, sign=1, betas=(0.9, 0.99)):
    """Adam as asked for, with one thing that can be done wrong at a time."""
    now, losses = [each.clone() for each in weights], []
    m, s, sums = ([torch.zeros_like(each) for each in now] for _ in range(3))
    for t, (batch, rate) in enumerate(zip(batches, rates, strict=True), 1):
        now = [each.detach().requires_grad_() for each in now]
        value = loss(now, batch)
        slopes = torch.autograd.grad(value, now)
        losses.append(value.item())
        if adds:
            sums = slopes = [one + two for one, two in zip(sums, slopes, strict=True)]
        slopes = clip(slopes)
        with torch.no_grad():
            for i, slope in enumerate(slopes):
                m[i] = betas[0] * m[i] + (1 - betas[0]) * slope
                s[i] = betas[1] * s[i] + (1 - betas[1]) * slope**2
                step = (m[i] / (1 - betas[0] ** t)) / ((s[i] / (1 - betas[1] ** t)) ** 0.5 + 1e-8)
                now[i] = now[i] - sign * rate * step
    return [each.detach() for each in now], losses


@right
def train__lists(weights, loss, batches, rates):
    return _loop(weights, loss, batches, rates)


@right
def train__backward_and_in_place(weights, loss, batches, rates):
    parameters = [nn.Parameter(each.clone()) for each in weights]
    means = {each: (torch.zeros_like(each), torch.zeros_like(each)) for each in parameters}
    losses = torch.zeros(len(batches))
    for t in range(len(batches)):
        for each in parameters:
            each.grad = None
        value = loss(parameters, batches[t])
        value.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        losses[t] = value.detach()
        for each, (m, s) in means.items():
            m.lerp_(each.grad, 0.1)
            s.lerp_(each.grad**2, 0.01)
            each.data.addcdiv_(
                m / (1 - 0.9 ** (t + 1)), (s / (1 - 0.99 ** (t + 1))).sqrt() + 1e-8, value=-rates[t]
            )
    return parameters, losses


class Adam:
    def __init__(self, shapes):
        self.m, self.s = (
            [torch.zeros(each) for each in shapes],
            [torch.zeros(each) for each in shapes],
        )
        self.t = 0

    def step(self, weights, slopes, rate):
        self.t += 1
        new = []
        for i, (w, g) in enumerate(zip(weights, slopes, strict=True)):
            self.m[i] = self.m[i] + 0.1 * (g - self.m[i])
            self.s[i] = self.s[i] + 0.01 * (g * g - self.s[i])
            rate_ = rate * math.sqrt(1 - 0.99**self.t) / (1 - 0.9**self.t)
            new.append(w - rate_ * self.m[i] / (self.s[i].sqrt() + 1e-8))
        return new


@right
def train__a_class(weights, loss, batches, rates):
    adam, losses = Adam([each.shape for each in weights]), []
    for batch, rate in zip(batches, rates, strict=True):
        leaves = [each.detach().requires_grad_(True) for each in weights]
        value = loss(tuple(leaves), batch)
        value.backward()
        losses += [value.detach()]
        norm = torch.cat([each.grad.flatten() for each in leaves]).norm()
        slopes = [each.grad * min(1.0, 1.0 / float(norm)) for each in leaves]
        weights = adam.step([each.detach() for each in leaves], slopes, rate)
    return weights, losses


@right
def train__one_long_vector(weights, loss, batches, rates):
    shapes = [each.shape for each in weights]
    flat = torch.cat([each.reshape(-1) for each in weights]).detach()
    m, s, losses = 0.0, 0.0, ()
    for t, batch in enumerate(batches, start=1):
        flat = flat.detach().clone().requires_grad_()
        parts = flat.split([each.numel() for each in shapes])
        value = loss([p.reshape(each) for p, each in zip(parts, shapes, strict=True)], batch)
        (g,) = torch.autograd.grad(value, flat)
        g = g / g.norm().clamp(min=1)
        m, s = 0.9 * m + 0.1 * g, 0.99 * s + 0.01 * g.square()
        flat = flat - rates[t - 1] * (m / (1 - 0.9**t)) / ((s / (1 - 0.99**t)).sqrt() + 1e-8)
        losses += (value.item(),)
    parts = flat.detach().split([each.numel() for each in shapes])
    return tuple(p.reshape(each) for p, each in zip(parts, shapes, strict=True)), losses


@right
def train__powers_kept(weights, loss, batches, rates):
    weights = [torch.tensor(each.tolist(), requires_grad=True) for each in weights]
    m, s = [0 * each.detach() for each in weights], [0 * each.detach() for each in weights]
    one, two, losses = 1.0, 1.0, []
    for batch, rate in zip(batches, rates, strict=True):
        value = loss(weights, batch)
        losses.append(value.item())
        slopes = _whole(torch.autograd.grad(value, weights))
        one, two = one * 0.9, two * 0.99
        m = [0.9 * a + 0.1 * g for a, g in zip(m, slopes, strict=True)]
        s = [0.99 * a + 0.01 * g * g for a, g in zip(s, slopes, strict=True)]
        weights = [
            (w - rate * (a / (1 - one)) / ((b / (1 - two)).sqrt() + 1e-8)).detach().requires_grad_()
            for w, a, b in zip(weights, m, s, strict=True)
        ]
    return weights, losses


_LATER = ("steps_do_not_add_up", "steep_gradients_are_clipped")


wrong("steep_gradients_are_clipped")(
    not_clipped=partial(_loop, clip=lambda each: each),
    each_tensor_clipped=partial(_loop, clip=lambda slopes: [_whole([each])[0] for each in slopes]),
    each_number_clipped=partial(_loop, clip=lambda slopes: [each.clamp(-1, 1) for each in slopes]),
)


@wrong("steps_do_not_add_up")
def train__always_divided_by_the_norm(*inputs):
    return _loop(*inputs, clip=lambda slopes: _whole([1e4 * each for each in slopes]))


@wrong("one_step_is_adams", *_LATER)
def train__plain_descent(weights, loss, batches, rates):
    weights, losses = [each.clone() for each in weights], []
    for batch, rate in zip(batches, rates, strict=True):
        weights = [each.detach().requires_grad_() for each in weights]
        value = loss(weights, batch)
        slopes = torch.autograd.grad(value, weights)
        weights = [each - rate * slope for each, slope in zip(weights, slopes, strict=True)]
        losses.append(value.item())
    return [each.detach() for each in weights], losses


wrong("one_step_is_adams", *_LATER)(uphill=lambda *inputs: _loop(*inputs, sign=-1))


@wrong(*_LATER)
def train__not_corrected(weights, loss, batches, rates):
    m, s, losses = [0.0] * len(weights), [0.0] * len(weights), []
    now = weights
    for batch, rate in zip(batches, rates, strict=True):
        now = [each.detach().clone().requires_grad_() for each in now]
        value = loss(now, batch)
        slopes = _whole(torch.autograd.grad(value, now))
        losses.append(value.item())
        m = [0.9 * a + 0.1 * g for a, g in zip(m, slopes, strict=True)]
        s = [0.99 * a + 0.01 * g * g for a, g in zip(s, slopes, strict=True)]
        triples = zip(now, m, s, strict=True)
        now = [w.detach() - rate * a / (b.sqrt() + 1e-8) for w, a, b in triples]
    return now, losses


@wrong(*_LATER)
def train__means_forgotten(weights, loss, batches, rates):
    losses = []
    for batch, rate in zip(batches, rates, strict=True):
        weights, value = _loop(weights, loss, [batch], [rate])
        losses += value
    return weights, losses


wrong(*_LATER)(
    gradients_add_up=lambda *inputs: _loop(*inputs, adds=True),
    first_rate_for_all=lambda weights, loss, batches, rates: _loop(
        weights, loss, batches, [rates[0]] * len(rates)
    ),
    other_betas=lambda *inputs: _loop(*inputs, betas=(0.8, 0.999)),
)


@wrong("losses_are_told", "batches_are_used_once")
def train__losses_afterwards(weights, loss, batches, rates):
    losses = []
    for number in range(1, len(batches) + 1):
        now, _ = _loop(weights, loss, batches[:number], rates[:number])
        losses.append(loss(now, batches[number - 1]).item())
    return now, losses


wrong("losses_are_told")(
    mean_loss_alone=after(_loop, lambda weights, losses: (weights, sum(losses) / len(losses)))
)


@wrong("losses_are_told", "batches_are_used_once", *_LATER)
def train__backwards_through_the_batches(weights, loss, batches, rates):
    return _loop(weights, loss, batches[::-1], rates[::-1])


@wrong("losses_are_told", "batches_are_used_once", "one_step_is_adams", *_LATER)
def train__twice_through(weights, loss, batches, rates):
    return _loop(weights, loss, [*batches, *batches], [*rates, *rates])


@wrong("losses_are_told", "batches_are_used_once", "one_step_is_adams", *_LATER)
def train__an_optimiser_of_torch(weights, loss, batches, rates):
    return torch.optim.Adam([each.clone().requires_grad_() for each in weights]), []


# ---- read


@right
def read__with_break(sources, lengths, encode, write, longest):
    notes, state = encode(sources, lengths)
    before = torch.ones(len(sources), dtype=torch.long)
    alive = torch.ones(len(sources), dtype=torch.bool)
    symbols, looks = [], []
    for _ in range(longest):
        scores, state, look = write(state, before, notes, lengths)
        before = torch.where(alive, scores.argmax(-1), 0)
        symbols.append(before)
        looks.append(look * alive[:, None])
        alive = alive & (before != 2)
        if not alive.any():
            break
    return torch.stack(symbols, 1), torch.stack(looks, 1)


@right
def read__lists(sources, lengths, encode, write, longest):
    notes, state = encode(sources, lengths)
    before, rows, looks = [1] * len(sources), [[] for _ in sources], [[] for _ in sources]
    over, steps = [False] * len(sources), 0
    while steps < longest and not all(over):
        scores, state, look = write(state, torch.tensor(before), notes, lengths)
        before = scores.max(dim=1).indices.tolist()
        for b in range(len(sources)):
            rows[b].append(0 if over[b] else before[b])
            looks[b].append([0.0] * look.shape[1] if over[b] else look[b].tolist())
            over[b] = over[b] or before[b] == 2
        steps += 1
    return torch.tensor(rows), torch.tensor(looks)


@right
def read__filled_and_cut(sources, lengths, encode, write, longest):
    notes, state = encode(sources, lengths)
    symbols = torch.zeros(len(sources), longest, dtype=torch.int64)
    looks = torch.zeros(len(sources), longest, sources.shape[1])
    before, over = torch.ones(len(sources)).long(), torch.zeros(len(sources)).bool()
    for step in range(longest):
        if bool(over.all()):
            return symbols[:, :step], looks[:, :step]
        scores, state, look = write(state, before, notes, lengths)
        before = scores.argmax(1)
        symbols[~over, step], looks[~over, step] = before[~over], look[~over]
        over |= before == 2
    return symbols, looks


@right
def read__cleaned_afterwards(sources, lengths, encode, write, longest):
    notes, state = encode(sources, lengths)
    symbols, looks = [torch.ones(len(sources), dtype=torch.long)], []
    while len(looks) < longest:
        if looks and (torch.stack(symbols[1:], 1) == 2).any(1).all():
            break
        scores, state, look = write(state, symbols[-1], notes, lengths)
        symbols.append(scores.argmax(1))
        looks.append(look)
    symbols, looks = torch.stack(symbols[1:], 1), torch.stack(looks, 1)
    ended = (symbols == 2).long().cumsum(1) - (symbols == 2).long() > 0
    return symbols.masked_fill(ended, 0), looks.masked_fill(ended[..., None], 0.0)


@right
def read__recursive(sources, lengths, encode, write, longest):
    notes, state = encode(sources, lengths)

    def go_on(state, before, over, left):
        if left == 0 or over.all():
            return []
        scores, state, look = write(state, before, notes, lengths)
        now = scores.argmax(1) * ~over
        look = look * (~over).unsqueeze(1)
        return [(now, look), *go_on(state, now, over | (now == 2), left - 1)]

    start = torch.ones(len(sources), dtype=torch.long)
    steps = go_on(state, start, torch.zeros(len(sources), dtype=torch.bool), longest)
    return tuple(torch.stack(each, 1) for each in zip(*steps, strict=True))


def _reading(sources, lengths, encode, write, longest, keep=True, feed=True, start=1, stop=True):
    notes, state = encode(sources, lengths)
    before = torch.full((len(sources),), start)
    over = torch.zeros(len(sources), dtype=torch.bool)
    symbols, looks = [], []
    for _ in range(longest):
        scores, new, look = write(state, before, notes, lengths)
        state = new if keep else state
        chosen = scores.argmax(1).masked_fill(over, 0)
        before = chosen if feed else before
        symbols.append(chosen)
        looks.append(look.masked_fill(over[:, None], 0.0))
        over = over | (chosen == 2)
        if stop and over.all():
            break
    return torch.stack(symbols, 1), torch.stack(looks, 1)


_ENDS = ("sentences_end", "stops_at_the_end")


wrong("state_and_symbol_go_on", *_ENDS)(state_lost=lambda *inputs: _reading(*inputs, keep=False))


wrong("state_and_symbol_go_on", "sentences_end")(start_every_time=partial(_reading, feed=False))


@wrong("begins_with_start", "state_and_symbol_go_on", "sentences_end")
def read__begins_with_padding(*inputs):
    return _reading(*inputs, start=0)


wrong("stops_at_the_end")(never_stops=lambda *inputs: _reading(*inputs, stop=False))


@wrong("sentences_end")
def read__goes_on_after_the_end(sources, lengths, encode, write, longest):
    notes, state = encode(sources, lengths)
    before, over = torch.ones(len(sources)).long(), torch.zeros(len(sources)).bool()
    symbols, looks = [], []
    while len(symbols) < longest and not over.all():
        scores, state, look = write(state, before, notes, lengths)
        before = scores.argmax(1)
        over |= before == 2
        symbols.append(before)
        looks.append(look)
    return torch.stack(symbols, 1), torch.stack(looks, 1)


@wrong("sentences_end", "stops_at_the_end", "stops_after_longest")
def read__weights_after_the_end(sources, lengths, encode, write, longest):
    symbols, _ = read__with_break(sources, lengths, encode, lambda *each: write(*each), longest)
    _, looks = read__goes_on_after_the_end(sources, lengths, encode, write, symbols.shape[1])
    return symbols, looks


@wrong("sentences_end", "stops_at_the_end")
def read__any_ends_all(sources, lengths, encode, write, longest):
    symbols, looks = read__with_break(sources, lengths, encode, write, longest)
    ends = (symbols == 2).any(0).long()
    steps = int(ends.argmax()) + 1 if ends.any() else longest
    return symbols[:, :steps], looks[:, :steps]


@wrong("sentences_end")
def read__end_is_dropped(sources, lengths, encode, write, longest):
    symbols, looks = read__with_break(sources, lengths, encode, write, longest)
    return symbols.masked_fill(symbols == 2, 0), looks.masked_fill((symbols == 2)[..., None], 0.0)


wrong(
    "symbols_and_weights",
    "begins_with_start",
    "state_and_symbol_go_on",
    "sentences_end",
    "stops_at_the_end",
    "stops_after_longest",
)(target_first=after(read__with_break, lambda symbols, looks: (symbols.T, looks.transpose(0, 1))))


@wrong("symbols_and_weights", "state_and_symbol_go_on", "stops_after_longest", "sentences_end")
def read__one_step_too_few(sources, lengths, encode, write, longest):
    return read__with_break(sources, lengths, encode, write, longest - 1)


@wrong("begins_with_start", "state_and_symbol_go_on", "sentences_end")
def read__least_likely(sources, lengths, encode, write, longest):
    def turned(*each):
        scores, state, look = write(*each)
        real = scores.clone()
        real[:, 3:] = -real[:, 3:]
        return real, state, look

    return read__with_break(sources, lengths, encode, turned, longest)


wrong("symbols_and_weights")(
    floats=after(read__with_break, lambda symbols, looks: (symbols.float(), looks))
)


# ---- misses


@right
def misses__loops(looks, gold):
    shares = []
    for look, links in zip(looks, gold, strict=True):
        rows = [i for i in range(len(links)) if links[i].any()]
        wrong_ = [i for i in rows if not links[i, look[i].argmax()]]
        shares.append(len(wrong_) / len(rows) if rows else 0.0)
    return shares


@right
def misses__one_hot(looks, gold):
    counted = gold.any(-1).float()
    hits = (functional.one_hot(looks.argmax(-1), looks.shape[-1]) * gold).sum(-1)
    return ((1 - hits) * counted).sum(1) / counted.sum(1).clamp(min=1.0)


@wrong("steps_without_gold_are_left_out")
def misses__all_steps_counted(looks, gold):
    hits = gold.gather(2, looks.argmax(2, keepdim=True)).squeeze(2)
    return 1 - hits.float().mean(1)


@wrong("steps_without_gold_are_left_out")
def misses__nan_without_gold(looks, gold):
    counted = gold.any(2)
    hits = gold.gather(2, looks.argmax(2, keepdim=True)).squeeze(2)
    return (counted & ~hits).sum(1) / counted.sum(1)


@wrong("largest_weight_decides", "steps_without_gold_are_left_out")
def misses__weight_beside_gold(looks, gold):
    counted = gold.any(2)
    beside = (looks * ~gold).sum(2)
    return (beside * counted).sum(1) / counted.sum(1).clamp(min=1)


@wrong("largest_weight_decides", "steps_without_gold_are_left_out")
def misses__hits(looks, gold):
    return [1 - each for each in misses__loops(looks, gold)]


@wrong("largest_weight_decides", "steps_without_gold_are_left_out")
def misses__first_gold_only(looks, gold):
    counted = gold.any(2)
    wrong_ = looks.argmax(2) != gold.long().argmax(2)
    return (wrong_ & counted).sum(1) / counted.sum(1).clamp(min=1)


@wrong("a_share_for_each_sentence", "largest_weight_decides", "steps_without_gold_are_left_out")
def misses__one_for_all(looks, gold):
    return sum(misses__loops(looks, gold)) / len(looks)
