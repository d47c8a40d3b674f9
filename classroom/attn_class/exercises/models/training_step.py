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
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same

BATCH, SOURCE, TARGET, SYMBOLS = Size(1, 3), Size(3, 7), Size(3, 5), Size(5, 11)
EMBEDDING, ANNOTATION, STATE = Size(2, 5), Size(2, 7), Size(2, 7)
exercise = Exercise(
    "train_step(parameters, annotations, lengths, targets, start, pad, rate, largest)",
    minutes=45,
    difficulty="hard",
)
check = exercise.check


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
    norm = math.sqrt(sum(float((each**2).sum()) for each in gradients))
    factor = rate * min(1.0, largest / max(norm, 1e-12))
    new = tuple(part - factor * each for part, each in zip(parameters, gradients, strict=True))
    return loss.item(), new


@exercise.must_also(
    "It returns the loss, a number, and the four parameters in their shapes.",
    hint="return loss, (E, A, U, V): the new ones, in this order.",
)
def returns_loss_and_parameters(answer: Answer, draw: Draw, inputs: dict) -> bool:
    loss, new = answer(**inputs)
    shapes = [part.shape for part in inputs["parameters"]]
    return torch.as_tensor(loss).numel() == 1 and [part.shape for part in new] == shapes


@exercise.must_also(
    "A reader whose parameters are all zero has a loss of ln(number of symbols).",
    hint="It finds all symbols equally likely. Is the loss -ln p of the right symbol, by the "
    "natural logarithm, and a mean and not a sum? Are the start and the padding among the symbols "
    "that could be written? They are: V has a row for each. And is the mean taken over the "
    "symbols that are not `pad`?",
)
def knowing_nothing_has_its_price(answer: Answer, draw: Draw, inputs: dict) -> bool:
    nothing = tuple(torch.zeros_like(part) for part in inputs["parameters"])
    loss, _ = answer(**inputs | {"parameters": nothing})
    return same(torch.as_tensor(loss).float().reshape(()), torch.tensor(math.log(draw[SYMBOLS])))


@exercise.must(
    "The first symbol is read from the start and the mean of the annotations.",
    hint="With s_0 = 0 all first scores are 0. Which symbol is embedded at the first step? In "
    "which order are embedding, context and state put together, and state and context? Is the "
    "tanh there?",
)
def first_symbol(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, padded=False)
    inputs["targets"] = inputs["targets"][:, :1]
    return _loss_is_right(answer, inputs)


@exercise.must(
    "Each later symbol is read from the true symbol before it, a new look, and the state.",
    hint="Teacher forcing: the step is told y_{i-1} of the target, not what it would write. It "
    "looks with the state before the step, and the state is carried on.",
)
def later_symbols(answer: Answer, draw: Draw) -> bool:
    return _loss_is_right(answer, _inputs(draw, padded=False))


@exercise.must_also(
    "What stands after the end of a source makes no difference.",
    hint="`lengths` says how many annotations of each row are real. The others must have no weight "
    "at any step, the first included: hide them before the softmax.",
)
def padding_is_not_read(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before, _ = answer(**inputs)
    behind = torch.arange(draw[SOURCE]) >= inputs["lengths"].unsqueeze(1)
    other = inputs["annotations"] + behind.unsqueeze(2)
    return same(before, answer(**inputs | {"annotations": other})[0])


@exercise.must_also(
    "Padding after a target costs nothing, however much of it there is.",
    hint="The mean is over the symbols that are not `pad`. The padding counts neither in the sum "
    "nor in the number of symbols.",
)
def padding_costs_nothing(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before, _ = answer(**inputs)
    more = torch.full((draw[BATCH], 2), inputs["pad"])
    longer = torch.cat([inputs["targets"], more], dim=1)
    return same(before, answer(**inputs | {"targets": longer})[0])


@exercise.must(
    "Every symbol of the batch counts the same.",
    hint="One mean over all real symbols. A mean of the means of the sentences gives a symbol of a "
    "short sentence more weight than one of a long sentence.",
)
def every_symbol_counts_the_same(answer: Answer, draw: Draw) -> bool:
    return _loss_is_right(answer, _inputs(draw))


@exercise.must(
    "A gradient that is short enough moves each parameter by -rate times its own.",
    hint="Down, not up; by the gradient of the loss before the step, at every parameter; not "
    "shortened if it is shorter than `largest`. Does the graph reach all four: is something "
    "detached, or made a number on the way?",
)
def steps_down(answer: Answer, draw: Draw, inputs: dict) -> bool:
    _, gradients = _by_loops(**inputs)
    _, new = answer(**inputs | {"largest": 2 * _norm(gradients)})
    return _moved(inputs, new, [-inputs["rate"] * each for each in gradients])


@exercise.must(
    "A gradient that is too long is shortened to `largest`, all parameters together.",
    hint="One norm for the gradients of all four, one factor for all. The rate comes after it.",
)
def clips(answer: Answer, draw: Draw, inputs: dict) -> bool:
    _, gradients = _by_loops(**inputs)
    norm = _norm(gradients)
    longest = max(float(each.norm()) for each in gradients)
    largest = (norm + longest) / 2  # above the norm of each, below that of all
    _, new = answer(**inputs | {"largest": largest})
    factor = -inputs["rate"] * largest / norm
    return _moved(inputs, new, [factor * each for each in gradients])


def _loss_is_right(answer: Answer, inputs: dict) -> bool:
    loss, _ = answer(**inputs)
    return same(torch.as_tensor(loss).float().reshape(()), _by_loops(**inputs)[0].float())


def _moved(inputs: dict, new: tuple[Tensor, ...], by: list[Tensor]) -> bool:
    # the rate is so large that five digits of a parameter show three digits of its step
    return all(
        same(found, (part + step).float())
        for found, part, step in zip(new, inputs["parameters"], by, strict=True)
    )


def _norm(gradients: list[Tensor]) -> float:
    return math.sqrt(sum(float((each**2).sum()) for each in gradients))


def _by_loops(parameters, annotations, lengths, targets, start, pad, rate, largest):
    """The loss and its gradients, sentence by sentence and symbol by symbol, in float64."""
    leaves = [part.double().requires_grad_() for part in parameters]
    E, A, U, V = leaves
    total, count = torch.zeros(()).double(), 0
    for h, length, target in zip(annotations.double(), lengths.tolist(), targets, strict=True):
        h, state, previous = h[:length], torch.zeros(len(A)).double(), start
        for symbol in target.tolist():
            if symbol == pad:
                break
            powers = torch.stack([state @ A @ one for one in h]).exp()
            context = (powers / powers.sum()) @ h
            state = torch.tanh(U @ torch.cat([E[previous], context, state]))
            scores = V @ torch.cat([state, context])
            total, count = total + scores.exp().sum().log() - scores[symbol], count + 1
            previous = symbol
    loss = total / count
    gradients = torch.autograd.grad(loss, leaves, allow_unused=True)
    pairs = zip(gradients, leaves, strict=True)
    return loss.detach(), [torch.zeros_like(one) if each is None else each for each, one in pairs]


@exercise.draws
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
