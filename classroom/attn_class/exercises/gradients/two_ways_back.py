"""Exercise: back-propagation through time by hand, along the chain and through attention.

    h_t = tanh(W h_{t-1} + x_t)    h_0 = 0                     a recurrent encoder
    c_i = Σ_j α_ij h_j                                         contexts, with given weights α

W (state state)   states h_1 .. h_n (source state)   weights α (target source)
last: ∂L/∂h_n by what is computed from the last state alone (state)
upstream: ∂L/∂c_i (target state)
    ->   three gradients at the states, each (source state), and ∂L/∂W (state state):

    along     what comes from `last`, back along the chain
    direct    what comes from the contexts, directly through the weights
    around    what comes from the contexts through later states, back along the chain
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

TARGET, SOURCE, STATE = Size(2, 5), Size(3, 7), Size(2, 11)
exercise = Exercise(
    "back(W, states, weights, last, upstream)", without=["autograd"], minutes=40, difficulty="hard"
)
check = exercise.check


def solution(W, states, weights, last, upstream):
    """From the last state to the first: each step back passes the tanh and W once."""
    direct = weights.T @ upstream
    along, around = torch.zeros_like(states), torch.zeros_like(states)
    along[-1] = last
    for t in range(len(states) - 2, -1, -1):
        slope = 1 - states[t + 1] ** 2
        along[t] = (slope * along[t + 1]) @ W
        around[t] = (slope * (direct[t + 1] + around[t + 1])) @ W
    inside = (1 - states**2) * (along + direct + around)
    return along, direct, around, inside[1:].T @ states[:-1]


@exercise.must_also(
    "It returns three gradients, each in the shape of the states, and one in the shape of W.",
    hint="Along, direct, around, each (source, state), and then the gradient at W.",
)
def returns_four(answer: Answer, draw: Draw) -> bool:
    *ways, to_W = answer(**_inputs(draw))
    states = all(shaped(way, *draw[SOURCE, STATE]) for way in ways)
    return len(ways) == 3 and states and shaped(to_W, *draw[STATE, STATE])


@exercise.must(
    "What comes directly through the weights reaches h_j as Σ_i α_ij ∂L/∂c_i.",
    hint="h_j is part of every context, of c_i with the factor α_ij. Forwards, all contexts are "
    "one product of matrices. Backwards too; neither W nor a tanh lies in between.",
)
def straight_through_the_weights(answer: Answer, draw: Draw, inputs: dict) -> bool:
    weights, upstream = inputs["weights"], inputs["upstream"]
    expected = [sum(a * g for a, g in zip(row, upstream, strict=True)) for row in weights.T]
    return same(answer(**inputs)[1], torch.stack(expected))


@exercise.must(
    "At the last state, `last` itself arrives along the chain, and nothing comes around.",
    hint="`last` is the gradient at h_n: before any tanh, and before any W. No state comes after "
    "h_n, so no context reaches it through a later one.",
)
def the_chain_begins_at_the_last_state(answer: Answer, draw: Draw, inputs: dict) -> bool:
    along, _, around, _ = answer(**inputs)
    return same(along[-1], inputs["last"]) and same(around[-1], torch.zeros(draw[STATE]))


@exercise.must(
    "One step back along the chain passes the tanh, and then W.",
    hint="h_n = tanh(W h_{n-1} + x_n). First the slope of the tanh, 1 - h_n², then the transposed "
    "W: in this order, and with h_n, not with h_{n-1}.",
)
def one_step_back(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return same(answer(**inputs)[0][-2], _by_autograd(**inputs)[0][-2])


@exercise.must(
    "Every state gets what comes along the chain from the last one.",
    hint="Each step goes on with what the step before has left: from h_n to h_{n-1}, from there to "
    "h_{n-2}, with the slope at each. The contexts have no part in `along`.",
)
def the_whole_chain(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return same(answer(**inputs)[0], _by_autograd(**inputs)[0])


@exercise.must_also(
    "If attention reads only the last state, its gradient comes around as `last` comes along.",
    hint="What arrives at h_n by `direct` goes on along the chain to all the states before it, and "
    "there it is part of `around`.",
)
def around_begins_where_attention_reads(answer: Answer, draw: Draw, inputs: dict) -> bool:
    weights = torch.zeros_like(inputs["weights"])
    weights[:, -1] = 1.0
    last = inputs["upstream"].sum(dim=0)
    along, _, around, _ = answer(**inputs | {"weights": weights, "last": last})
    return same(around[:-1], along[:-1])


@exercise.must(
    "What comes around gathers the contexts of all later states.",
    hint="At each step back two things travel on together: what came directly to that state, "
    "and what had come around to it. What arrives directly at h_j itself is not part of it.",
)
def around_gathers_all_later_states(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return same(answer(**inputs)[2], _by_autograd(**inputs)[2])


@exercise.must(
    "The gradient at W adds up all steps, with everything that arrives at each state.",
    hint="Step t contributes the outer product of ∂L/∂(W h_{t-1} + x_t), which is the sum of the "
    "three gradients times the slope at h_t, and h_{t-1}. The first step has h_0 = 0.",
)
def every_step_moves_W(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return same(answer(**inputs)[3], _by_autograd(**inputs)[3])


def _by_autograd(W, states, weights, last, upstream) -> tuple[Tensor, ...]:
    """By autograd: what comes around is all that the contexts send, less the direct part."""
    W = W.double().requires_grad_()
    before = [torch.zeros_like(W[0]), *states[:-1].double()]
    inputs = [torch.atanh(h) - W.detach() @ g for h, g in zip(states.double(), before, strict=True)]
    chain, state = [], torch.zeros_like(W[0])
    for x in inputs:
        state = torch.tanh(W @ state + x)
        chain.append(state)
    by_last = (chain[-1] * last).sum()
    by_contexts = ((weights.double() @ torch.stack(chain)) * upstream).sum()

    along = torch.autograd.grad(by_last, chain, retain_graph=True)
    both = torch.autograd.grad(by_contexts, chain, retain_graph=True)
    direct = [weights[:, j].double() @ upstream.double() for j in range(len(states))]
    around = [all_ - straight for all_, straight in zip(both, direct, strict=True)]
    (to_W,) = torch.autograd.grad(by_last + by_contexts, W)
    return *(torch.stack(list(way)).float() for way in (along, direct, around)), to_W.float()


@exercise.draws
def _inputs(draw: Draw) -> dict[str, Tensor]:
    W = draw.normal(STATE, STATE, scale=1.0) / draw[STATE] ** 0.5
    states, state = [], torch.zeros(draw[STATE])
    for x in draw.normal(SOURCE, STATE, scale=0.7):
        state = torch.tanh(W @ state + x)
        states.append(state)
    return {
        "W": W,
        "states": torch.stack(states),
        "weights": torch.softmax(draw.normal(TARGET, SOURCE, scale=1.0), dim=-1),
        "last": draw.normal(STATE, scale=1.0),
        "upstream": draw.normal(TARGET, STATE, scale=1.0),
    }
