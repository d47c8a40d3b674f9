"""Right and wrong answers to `attn_class.exercises.alignment.learnt_score`."""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from attn_class.exercises.alignment.learnt_score import solution
from attn_course.alignment import AdditiveScore
from specimens.answers import changed, named


def scores_of(queries, keys, W_a, U_a, v):
    asked = torch.einsum("btq,hq->bth", queries, W_a)
    offered = torch.einsum("bsk,hk->bsh", keys, U_a)
    return torch.tanh(asked[:, :, None] + offered[:, None]) @ v


def behind(keys, lengths):
    return (torch.arange(keys.shape[1]) >= lengths[:, None])[:, None]


def learning(
    loss=lambda e, places: F.cross_entropy(e.flatten(0, 1), places.flatten()),
    say=lambda before, after: before,
    zero=True,
):
    """An answer that does one of these things in its own way."""

    def answer(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
        parts = [part.clone().requires_grad_() for part in (W_a, U_a, v)]
        losses = []

        def now():
            e = scores_of(queries, keys, *parts)
            return loss(e.masked_fill(behind(keys, lengths), -torch.inf), places)

        for _ in range(steps):
            before = now()
            before.backward()
            with torch.no_grad():
                for part in parts:
                    part -= rate * part.grad
                    if zero:
                        part.grad = None
                losses.append(say(before, now()).item())
        return losses, tuple(part.detach() for part in parts)

    return answer


def with_parameters(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
    parts = [nn.Parameter(part.clone()) for part in (W_a, U_a, v)]
    losses = torch.zeros(steps)
    for step in range(steps):
        for part in parts:
            part.grad = None
        e = scores_of(queries, keys, *parts).masked_fill(behind(keys, lengths), -1e30)
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
    for part, given in zip(by_shape, _in_order(by_shape, W_a, U_a, v), strict=True):
        part.data = given.clone()
    losses = []
    for _ in range(steps):
        e = score(queries, keys)
        e = e.masked_fill(behind(keys, lengths), -torch.inf)
        loss = -e.log_softmax(dim=-1).gather(2, places[..., None]).mean()
        gradients = torch.autograd.grad(loss, by_shape)
        for part, gradient in zip(by_shape, gradients, strict=True):
            part.data -= rate * gradient
        losses.append(loss.item())
    return losses, tuple(part.detach().squeeze(0) for part in by_shape)


def _in_order(parts, W_a, U_a, v):
    return [given.reshape(part.shape) for part, given in zip(parts, (W_a, U_a, v), strict=True)]


def in_double_precision(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
    losses, parts = [], tuple(part.double() for part in (W_a, U_a, v))

    def loss_of(parts):
        e = scores_of(queries.double(), keys.double(), *parts)
        top = e.detach().masked_fill(behind(keys, lengths), -1e9).amax(dim=-1, keepdim=True)
        powers = (e - top).masked_fill(behind(keys, lengths), -700).exp()
        logs = e - top - powers.sum(dim=-1, keepdim=True).log()
        return -(logs * F.one_hot(places, e.shape[2])).sum(dim=-1).mean()

    for _ in range(steps):
        parts = tuple(part.requires_grad_() for part in parts)
        loss = loss_of(parts)
        gradients = torch.autograd.grad(loss, parts)
        pairs = zip(parts, gradients, strict=True)
        parts = tuple((part - rate * each).detach() for part, each in pairs)
        losses.append(loss.item())
    return losses, parts


def naive(e, places):
    powers = e.exp()
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return -weights.gather(2, places[..., None]).log().mean()


def one_gradient_for_all_steps(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
    first, learnt = solution(queries, keys, lengths, places, W_a, U_a, v, rate, 1)
    return first * steps, tuple(
        part + steps * (new - part) for part, new in zip((W_a, U_a, v), learnt, strict=True)
    )


def stops_learning(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
    losses, learnt = solution(queries, keys, lengths, places, W_a, U_a, v, rate, 1)
    return losses * steps, learnt


def without_gradients(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
    loss = scores_of(queries, keys, W_a, U_a, v).mean()
    loss.backward()
    return [loss], (W_a, U_a, v)


but = partial(changed, solution)
RIGHT = [with_parameters, sentence_by_sentence, with_the_package, in_double_precision]
WRONG = {
    "returns_losses_and_parameters": named(
        the_last_loss=but("return losses", "return losses[-1]"),
        v_first=but("tuple(parameters)", "(parameters[2], *parameters[:2])"),
        loss_alone=lambda *given: solution(*given)[0],
    ),
    "padding_does_not_matter": named(hides_nothing=but(".masked_fill(hidden, -torch.inf)", "")),
    "padding_has_no_weight": named(zero_for_hidden_scores=but("-torch.inf", "0.0")),
    "knowing_nothing_has_its_price": named(
        a_sum=but(".mean()", ".sum()"),
        says_the_loss_after=learning(say=lambda before, after: after),
    ),
    "first_loss_is_right": named(
        tanh_outside=but(
            "torch.tanh(asked.unsqueeze(2) + offered.unsqueeze(1))",
            "(torch.tanh(asked).unsqueeze(2) + torch.tanh(offered).unsqueeze(1))",
        ),
        no_tanh=but("torch.tanh", ""),
        tanh_last=but(
            "torch.tanh(asked.unsqueeze(2) + offered.unsqueeze(1)) @ v",
            "torch.tanh((asked.unsqueeze(2) + offered.unsqueeze(1)) @ v)",
        ),
        a_dot_product=but("torch.tanh", "", "+ offered", "* offered"),
        keys_alone=but("queries @ W_a.T", "0 * queries @ W_a.T"),
    ),
    "survives_large_scores": named(
        naive=learning(loss=naive),
        logarithm_of_a_softmax=but(
            "log_softmax", "softmax", "places.unsqueeze(2))", "places.unsqueeze(2)).log()"
        ),
    ),
    "one_step": named(
        up=but("part - rate", "part + rate"),
        no_rate=but("rate * gradient", "gradient"),
        v_learns_alone=but("part - rate", "part - (part.dim() == 1) * rate"),
        v_does_not_learn=but("part - rate", "part - (part.dim() == 2) * rate"),
    ),
    "later_steps": named(
        one_gradient_for_all_steps, stops_learning, gradients_pile_up=learning(zero=False)
    ),
    "runs": [without_gradients],
}
