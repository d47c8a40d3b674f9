"""Exercise: an additive score that learns where to look.

    e_ij = v · tanh(W_a s_i + U_a h_j)    α_i = softmax_j(e_ij)    over the h_j that are real
    L = mean of -ln α_i,place(i) over all queries of all sentences
    each of W_a, U_a and v moves by -rate times its gradient, again and again

queries s (batch target query)   keys h (batch source key), of which lengths (batch) are real
places (batch target), whole numbers: where each query should look
W_a (hidden query)   U_a (hidden key)   v (hidden)   rate   steps, 1 or more
    ->   the loss before each step (steps), and the learnt W_a, U_a and v, in a tuple
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

BATCH, TARGET, SOURCE = Size(1, 3), Size(2, 5), Size(3, 7)
QUERY, KEY, HIDDEN = Size(2, 5), Size(2, 5), Size(3, 11)
exercise = Exercise(
    "learn(queries, keys, lengths, places, W_a, U_a, v, rate, steps)", minutes=40, difficulty="hard"
)
check = exercise.check


def solution(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
    """Score, compare, and go down; the next step begins with new leaves."""
    hidden = torch.arange(keys.shape[1]) >= lengths.view(-1, 1, 1)
    parameters, losses = [W_a, U_a, v], []
    for _ in range(steps):
        W_a, U_a, v = parameters = [part.detach().clone().requires_grad_() for part in parameters]
        asked, offered = queries @ W_a.T, keys @ U_a.T
        scores = torch.tanh(asked.unsqueeze(2) + offered.unsqueeze(1)) @ v
        logs = torch.log_softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
        loss = -logs.gather(2, places.unsqueeze(2)).mean()
        gradients = torch.autograd.grad(loss, parameters)
        losses.append(loss.item())
        pairs = zip(parameters, gradients, strict=True)
        parameters = [(part - rate * gradient).detach() for part, gradient in pairs]
    return losses, tuple(parameters)


@exercise.must_also(
    "It returns one loss for each step, then W_a, U_a and v in their shapes.",
    hint="return losses, (W_a, U_a, v): as many numbers as there are steps, and the three learnt "
    "parameters, in this order.",
)
def returns_losses_and_parameters(answer: Answer, draw: Draw, inputs: dict) -> bool:
    losses, learnt = answer(**inputs | {"steps": 3})
    shapes = [inputs[name].shape for name in ("W_a", "U_a", "v")]
    return shaped(losses, 3) and [part.shape for part in learnt] == shapes


@exercise.must_also(
    "With v = 0 and no padding, the first loss is ln(source).",
    hint="All scores are 0 then, so each place has the weight 1 / source. Is the loss -ln of the "
    "weight at the place, a mean over all queries, and that before the step?",
)
def knowing_nothing_has_its_price(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, padded=False)
    losses, _ = answer(**inputs | {"v": torch.zeros(draw[HIDDEN])})
    return same(losses[0].double(), inputs["lengths"].double().log().mean())


@exercise.must(
    "The first loss is that of the additive score.",
    hint="e_ij = v · tanh(W_a s_i + U_a h_j): the sum goes inside the tanh, and every query of a "
    "sentence meets every key of the same sentence, (batch, target, source, hidden) before v.",
)
def first_loss_is_right(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, padded=False)
    losses, _ = answer(**inputs | {"steps": 1})
    return same(losses.double(), _by_loops(**inputs | {"steps": 1})[0])


@exercise.must_also(
    "What stands beyond the end of a source makes no difference.",
    hint="`lengths` says how many keys of each row are real. Replace the scores of the others "
    "before the softmax.",
)
def padding_does_not_matter(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before, _ = answer(**inputs)
    behind = torch.arange(draw[SOURCE]) >= inputs["lengths"].unsqueeze(1)
    other = inputs["keys"] + 3 * behind.unsqueeze(2)
    return same(before, answer(**inputs | {"keys": other})[0])


@exercise.must_also(
    "A place beyond the end has no weight: with v = 0 the first loss is the mean of ln(length).",
    hint="exp(0) is 1: a score of 0 is not a low one. Only -∞, or a number far below every score, "
    "leaves nothing; and a weight given out before its place is hidden is lost.",
)
def padding_has_no_weight(answer: Answer, draw: Draw, inputs: dict) -> bool:
    losses, _ = answer(**inputs | {"v": torch.zeros(draw[HIDDEN])})
    return same(losses[0].double(), inputs["lengths"].double().log().mean())


@exercise.must(
    "Large scores do no harm.",
    hint="exp of a large score is infinite, and ln of a weight that is rounded to 0 is too: take "
    "log_softmax, or subtract the largest score and the logarithm of the sum.",
)
def survives_large_scores(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs = inputs | {"v": 300 * inputs["v"], "steps": 1}
    return same(answer(**inputs)[0].double(), _by_loops(**inputs)[0])


@exercise.must(
    "One step moves W_a, U_a and v by -rate times their gradients.",
    hint="All three learn, each from the same loss, before any of them has moved. Down, not up.",
)
def one_step(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw) | {"steps": 1}
    return same(answer(**inputs)[1], _by_loops(**inputs)[1])


@exercise.must(
    "Every later step begins where the one before it ended.",
    hint="The scores, the loss and the gradients are computed anew at each step, with the new "
    "parameters. `backward` adds to what `grad` holds: it must be emptied in between.",
)
def later_steps(answer: Answer, draw: Draw, inputs: dict) -> bool:
    losses, learnt = answer(**inputs)
    expected = _by_loops(**inputs)
    return same(losses.double(), expected[0]) and same(learnt, expected[1])


def _by_loops(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
    """Pair by pair, in float64."""
    parameters, losses = [part.double() for part in (W_a, U_a, v)], []
    for _ in range(steps):
        W_a, U_a, v = parameters = [part.detach().requires_grad_() for part in parameters]
        total = torch.zeros(())
        for row, offered, length, wanted in zip(queries, keys, lengths, places, strict=True):
            for query, place in zip(row.double(), wanted, strict=True):
                real = offered[:length].double()
                scores = torch.stack([v @ torch.tanh(W_a @ query + U_a @ key) for key in real])
                total = total + scores.logsumexp(dim=0) - scores[place]
        loss = total / places.numel()
        losses.append(loss.detach())
        gradients = torch.autograd.grad(loss, parameters)
        parameters = [part - rate * each for part, each in zip(parameters, gradients, strict=True)]
    return torch.stack(losses), tuple(part.detach() for part in parameters)


@exercise.draws
def _inputs(draw: Draw, padded: bool = True) -> dict:
    batch, target, source = draw[BATCH, TARGET, SOURCE]
    shift = draw.integer(source - 2)
    lengths = [source] * batch
    if padded:  # every row is, each to another length
        lengths = [2 + (shift + row) % (source - 2) for row in range(batch)]
    return {
        "queries": draw.normal(BATCH, TARGET, QUERY, scale=1.0),
        "keys": draw.normal(BATCH, SOURCE, KEY, scale=1.0),
        "lengths": torch.tensor(lengths),
        "places": torch.tensor([[draw.integer(n) for _ in range(target)] for n in lengths]),
        "W_a": draw.normal(HIDDEN, QUERY),
        "U_a": draw.normal(HIDDEN, KEY),
        "v": draw.normal(HIDDEN, scale=1.0),
        "rate": 0.5 + draw.integer(4) / 4,
        "steps": 4 + draw.integer(3),
    }
