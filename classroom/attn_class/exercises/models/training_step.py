"""Exercise: one training step of a whole reader, from the annotations to the new parameters.

    e_ij = s_{i-1} · A h_j    α_i = softmax_j(e_ij)    c_i = Σ_j α_ij h_j         s_0 = 0
    s_i = tanh(U [E y_{i-1} ; c_i ; s_{i-1}])          p(y_i) = softmax(V [s_i ; c_i])
    L = mean of -ln p(y_i) over all symbols of all targets
    each parameter - rate · g · min(1, largest / ‖g‖), where ‖g‖ is the norm of all gradients

parameters: E (symbol embedding), A (state annotation), U (state embedding+annotation+state),
            V (symbol state+annotation)
annotations h (batch source annotation), of which the first lengths (batch) of each row are real
targets y (batch target), whole numbers, padded with ``pad``; y_0 is ``start``
    ->   L, a number, and the new E, A, U, V, in a tuple
"""

import math

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

BATCH, SOURCE, TARGET, SYMBOLS = Size(1, 3), Size(3, 7), Size(3, 5), Size(5, 11)
EMBEDDING, ANNOTATION, STATE = Size(2, 5), Size(2, 7), Size(2, 7)


def solution(parameters, annotations, lengths, targets, start, pad, rate, largest):
    """Read with the true symbols, sum the losses of the real ones, and step down once."""
    leaves = [part.detach().clone().requires_grad_() for part in parameters]
    E, A, U, V = leaves
    hidden = torch.arange(annotations.shape[1]) >= lengths.unsqueeze(1)
    state = torch.zeros(len(targets), len(A))
    previous = torch.full_like(targets[:, 0], start)
    losses = []
    for symbols in targets.T:
        scores = torch.einsum("bs,sa,bna->bn", state, A, annotations)
        weights = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=1)
        context = torch.einsum("bn,bna->ba", weights, annotations)
        state = torch.tanh(torch.cat([E[previous], context, state], dim=1) @ U.T)
        logs = torch.log_softmax(torch.cat([state, context], dim=1) @ V.T, dim=1)
        losses.append(-logs.gather(1, symbols.unsqueeze(1)).squeeze(1))
        previous = symbols
    loss = torch.stack(losses, dim=1)[targets != pad].mean()

    gradients = torch.autograd.grad(loss, leaves)
    norm = math.sqrt(sum(float((grad**2).sum()) for grad in gradients))
    factor = rate * min(1.0, largest / max(norm, 1e-12))
    new = tuple(part - factor * grad for part, grad in zip(parameters, gradients, strict=True))
    return loss.item(), new


def _inputs(draw: Draw, padded: bool = True) -> dict:
    batch, source, target, symbols = draw[BATCH, SOURCE, TARGET, SYMBOLS]
    left = list(range(symbols))
    start, pad = (left.pop(draw.integer(len(left))) for _ in range(2))
    targets = torch.tensor(
        [[left[draw.integer(len(left))] for _ in range(target)] for _ in range(batch)]
    )
    lengths = torch.full((batch,), source)
    if padded:
        lengths -= 1 + torch.tensor([draw.integer(source - 2) for _ in range(batch)])
        shift = draw.integer(target - 1)
        for row, symbols_of_row in enumerate(targets):  # each row of another length
            symbols_of_row[1 + (shift + row) % (target - 1) :] = pad
    read = draw[EMBEDDING] + draw[ANNOTATION] + draw[STATE]
    return {
        "parameters": (
            draw.normal(SYMBOLS, EMBEDDING, scale=1.0),
            draw.normal(STATE, ANNOTATION, scale=1.0),
            draw.normal(draw[STATE], read),
            draw.normal(draw[SYMBOLS], draw[STATE] + draw[ANNOTATION]),
        ),
        "annotations": draw.normal(BATCH, SOURCE, ANNOTATION, scale=1.0),
        "lengths": lengths,
        "targets": targets,
        "start": start,
        "pad": pad,
        "rate": 1.0 + draw.integer(5) / 4,
        "largest": 1.0 + draw.integer(3),
    }


def _first(draw: Draw) -> dict:
    inputs = _inputs(draw, padded=False)
    return inputs | {"targets": inputs["targets"][:, :1]}


def _norms(inputs: dict) -> list[float]:
    """Those of the gradients of the four parameters."""
    _, moved = solution(**inputs | {"rate": 1.0, "largest": 1e9})
    pairs = zip(inputs["parameters"], moved, strict=True)
    return [float((part - new).norm()) for part, new in pairs]


def _short(draw: Draw) -> dict:
    inputs = _inputs(draw)
    return inputs | {"largest": 2 * math.hypot(*_norms(inputs))}


def _long(draw: Draw) -> dict:
    """Too long together, but not each."""
    inputs = _inputs(draw)
    norms = _norms(inputs)
    return inputs | {"largest": (math.hypot(*norms) + max(norms)) / 2}


exercise = Exercise(
    "train_step(parameters, annotations, lengths, targets, start, pad, rate, largest)",
    minutes=45,
    difficulty="hard",
    solution=solution,
    cases=[
        Case(
            "The first symbol is read from the start and the mean of the annotations.",
            _first,
            "With s_0 = 0 all first scores are 0. Which symbol is embedded at the first step? In "
            "which order are embedding, context and state put together, and state and context? Is "
            "the tanh there?",
            part=0,
        ),
        Case(
            "Each later symbol is read from the true symbol before it, a new look, and the state.",
            lambda draw: _inputs(draw, padded=False),
            "Teacher forcing: the step is told y_{i-1} of the target, not what it would write. It "
            "looks with the state before the step, and the state is carried on.",
            part=0,
        ),
        Case(
            "Every symbol of the batch counts the same.",
            _inputs,
            "One mean over all real symbols. A mean of the means of the sentences gives a symbol "
            "of a short sentence more weight than one of a long sentence.",
            part=0,
        ),
        Case(
            "A gradient that is short enough moves each parameter by -rate times its own.",
            _short,
            "Down, not up; by the gradient of the loss before the step, at every parameter; not "
            "shortened if it is shorter than `largest`. Does the graph reach all four: is "
            "something detached, or made a number on the way?",
            part=1,
        ),
        Case(
            "A gradient that is too long is shortened to `largest`, all parameters together.",
            _long,
            "One norm for the gradients of all four, one factor for all. The rate comes after it.",
            part=1,
        ),
    ],
    slips={
        "It finds all symbols equally likely. Is the loss -ln p of the right symbol, by the "
        "natural logarithm, and a mean and not a sum? Are the start and the padding among the "
        "symbols that could be written? They are: V has a row for each. And is the mean taken over "
        "the symbols that are not `pad`?": [
            (".mean()", ".sum()"),
            (".mean()", ".mean() / 0.6931"),
        ],
        "`lengths` says how many annotations of each row are real. The others must have no weight "
        "at any step, the first included: hide them before the softmax.": [
            ("scores.masked_fill(hidden, -torch.inf)", "scores"),
            ("-torch.inf", "0.0"),
        ],
        "The mean is over the symbols that are not `pad`. The padding counts neither in the sum "
        "nor in the number of symbols.": [("targets != pad", "targets != -1")],
        "": [
            ("targets[:, 0], start)", "targets[:, 0], pad)"),
            ("previous = symbols", "previous = logs.argmax(dim=1)"),
            (
                "torch.stack(losses, dim=1)[targets != pad]",
                "((torch.stack(losses, dim=1) * (targets != pad)).sum(1) / (targets != "
                "pad).sum(1))",
            ),
            ("part - factor", "part + factor"),
            ("rate * min(1.0, largest / max(norm, 1e-12))", "rate"),
        ],
    },
    shape="return loss, (E, A, U, V): the new ones, in this order.",
)
check = exercise.check
