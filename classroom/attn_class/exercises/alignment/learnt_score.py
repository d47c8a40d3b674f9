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

from attn_class.exercises.frame import Case, Draw, Exercise, Size

BATCH, TARGET, SOURCE = Size(1, 3), Size(2, 5), Size(3, 7)
QUERY, KEY, HIDDEN = Size(2, 5), Size(2, 5), Size(3, 11)


def solution(queries, keys, lengths, places, W_a, U_a, v, rate, steps):
    """Score, compare, and go down; the next step begins with new leaves."""
    hidden = torch.arange(keys.shape[1]) >= lengths.view(-1, 1, 1)
    parameters, losses = [W_a, U_a, v], []
    for _ in range(steps):
        W_a, U_a, v = parameters = [part.detach().clone().requires_grad_() for part in parameters]
        query, key = queries @ W_a.T, keys @ U_a.T
        scores = torch.tanh(query.unsqueeze(2) + key.unsqueeze(1)) @ v
        logs = torch.log_softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
        loss = -logs.gather(2, places.unsqueeze(2)).mean()
        gradients = torch.autograd.grad(loss, parameters)
        losses.append(loss.item())
        pairs = zip(parameters, gradients, strict=True)
        parameters = [(part - rate * gradient).detach() for part, gradient in pairs]
    return losses, tuple(parameters)


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


def _first(draw: Draw) -> dict:
    return _inputs(draw, padded=False) | {"steps": 1}


def _large(draw: Draw) -> dict:
    inputs = _inputs(draw)
    return inputs | {"v": 300 * inputs["v"], "steps": 1, "rate": 0.0}


_FIRST_LOSS_IS_RIGHT = (
    "e_ij = v · tanh(W_a s_i + U_a h_j): the sum goes inside the tanh, and every query of a "
    "sentence meets every key of the same sentence, (batch, target, source, hidden) before v."
)
exercise = Exercise(
    "learn(queries, keys, lengths, places, W_a, U_a, v, rate, steps)",
    minutes=40,
    difficulty="hard",
    solution=solution,
    cases=[
        Case(
            "One step moves W_a, U_a and v by -rate times their gradients.",
            lambda draw: _inputs(draw) | {"steps": 1},
            "All three learn, each from the same loss, before any of them has moved. Down, not up.",
        ),
        Case(
            "The first loss is that of the additive score.",
            _first,
            _FIRST_LOSS_IS_RIGHT,
        ),
        Case(
            "Large scores do no harm.",
            _large,
            "exp of a large score is infinite, and ln of a weight that is rounded to 0 is too: "
            "take log_softmax, or subtract the largest score and the logarithm of the sum.",
        ),
        Case(
            "Every later step begins where the one before it ended.",
            _inputs,
            "The scores, the loss and the gradients are computed anew at each step, with the new "
            "parameters. `backward` adds to what `grad` holds: it must be emptied in between.",
        ),
    ],
    slips={
        "All scores are 0 then, so each place has the weight 1 / source. Is the loss -ln of the "
        "weight at the place, a mean over all queries, and that before the step?": [
            (".mean()", ".sum()")
        ],
        "`lengths` says how many keys of each row are real. Replace the scores of the others "
        "before the softmax.": [(".masked_fill(hidden, -torch.inf)", "")],
        "exp(0) is 1: a score of 0 is not a low one. Only -∞, or a number far below every score, "
        "leaves nothing; and a weight given out before its place is hidden is lost.": [
            ("-torch.inf", "0.0")
        ],
        _FIRST_LOSS_IS_RIGHT: [
            (
                "torch.tanh(query.unsqueeze(2) + key.unsqueeze(1))",
                "(torch.tanh(query).unsqueeze(2) + torch.tanh(key).unsqueeze(1))",
            ),
            ("torch.tanh", ""),
            ("queries @ W_a.T", "0 * queries @ W_a.T"),
        ],
        "": [
            ("part - rate", "part + rate"),
            ("rate * gradient", "gradient"),
            ("part - rate", "part - (part.dim() == 1) * rate"),
            ("log_softmax", "softmax", "places.unsqueeze(2))", "places.unsqueeze(2)).log()"),
            (
                "parameters = [part.d",
                "_ = [part.d",
                "= [W_a, U_a, v]",
                "= [part.detach().requires_grad_() for part in (W_a, U_a, v)]",
            ),
        ],
    },
    shape="return losses, (W_a, U_a, v): as many numbers as there are steps, and the three learnt "
    "parameters, in this order.",
)
check = exercise.check
