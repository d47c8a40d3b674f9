"""Exercise: one step of the decoder, in the paper's order.

α_i = softmax_j(a(s_{i-1}, h_j))    c_i = Σ_j α_ij h_j    s_i = f([y_{i-1} ; c_i], s_{i-1})

                                                Bahdanau et al. 2015, section 3.1
previous_state (state)   previous_output (embedding)   annotations (source annotation)
score(state, annotations) -> (source)      a, any score function
cell(input, state) -> (state)              f, a GRU cell
    ->   state (state), context (annotation), weights (source)
"""

import torch
from torch import Tensor, nn

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

STATE, EMBEDDING, ANNOTATION, SOURCE = Size(2, 11), Size(2, 7), Size(2, 11), Size(3, 7)
exercise = Exercise(
    "one_step(previous_state, previous_output, annotations, score, cell)",
    minutes=10,
    difficulty="moderate",
)
check = exercise.check


def solution(previous_state, previous_output, annotations, score, cell):
    """Look first, average what is seen, and only then move on."""
    weights = torch.softmax(score(previous_state, annotations), dim=-1)
    context = weights @ annotations
    state = cell(torch.cat([previous_output, context]), previous_state)
    return state, context, weights


@exercise.must_also(
    "It returns state, context and weights, in this order.",
    hint="Three vectors: the state is as long as the state before, the context as long as one "
    "annotation, and there are as many weights as annotations.",
)
def returns_three_vectors(answer: Answer, draw: Draw) -> bool:
    result = answer(**_inputs(draw))
    sizes = (draw[STATE], draw[ANNOTATION], draw[SOURCE])
    return len(result) == 3 and all(map(shaped, result, sizes))


@exercise.must_also(
    "The weights are positive and sum to one.",
    hint="Scores are any numbers. A softmax over the source makes them weights.",
)
def weights_are_shares(answer: Answer, draw: Draw) -> bool:
    _, _, weights = answer(**_inputs(draw))
    return bool((weights > 0).all()) and same(weights.sum(), 1.0)


@exercise.must_also(
    "The weights come from the annotations: change one, and they change.",
    hint="The score must read the annotations. A widely read tutorial left them out for years: the "
    "weights still sum to one without them.",
)
def weights_read_the_annotations(answer: Answer, draw: Draw, inputs: dict) -> bool:
    _, _, before = answer(**inputs)
    _, _, after = answer(**inputs | {"annotations": draw.normal(SOURCE, ANNOTATION)})
    return not same(before, after)


@exercise.must(
    "The weights are a softmax of the scores, taken once, however large these are.",
    hint="α_j = exp(e_j) / Σ_k exp(e_k). Were scores turned into weights twice, or divided by "
    "something? And exp of a large score is infinite: torch.softmax subtracts the largest first.",
)
def softmax_is_taken_once(answer: Answer, draw: Draw, inputs: dict) -> bool:
    for constant in (0.0, 200.0):
        scores = draw.normal(SOURCE)
        _, _, weights = answer(**inputs | {"score": _fixed(scores + constant)})
        if not same(weights, scores.exp() / scores.exp().sum()):
            return False
    return True


@exercise.must(
    "The weights are a softmax of the score with the state before the step.",
    hint="Bahdanau looks before he moves: score(s_{i-1}, annotations). Asking with the new state "
    "s_i is Luong's order.",
)
def asks_with_the_state_before(answer: Answer, draw: Draw, inputs: dict) -> bool:
    _, _, weights = answer(**inputs)
    scores = inputs["score"](inputs["previous_state"], inputs["annotations"])
    return same(weights, scores.exp() / scores.exp().sum())


@exercise.must(
    "If all annotations are alike, the context is that annotation.",
    hint="The context is an average: every annotation times its weight, and their sum. Is it a sum "
    "without the weights, or divided once too often?",
)
def context_is_an_average(answer: Answer, draw: Draw) -> bool:
    annotation = draw.normal(ANNOTATION)
    inputs = _inputs(draw) | {
        "annotations": annotation.expand(draw[SOURCE], draw[ANNOTATION]).clone()
    }
    return same(answer(**inputs)[1], annotation)


@exercise.must(
    "The context is the sum of the annotations, each times its own weight.",
    hint="c_i = Σ_j α_ij h_j. Are all annotations counted alike, or only the best one?",
)
def context_follows_the_weights(answer: Answer, draw: Draw, inputs: dict) -> bool:
    _, context, weights = answer(**inputs)
    expected = [
        sum(weights[j] * inputs["annotations"][j, k] for j in range(draw[SOURCE]))
        for k in range(draw[ANNOTATION])
    ]
    return bool(context.any()) and same(context, torch.stack(expected))


@exercise.must_also(
    "Another previous state gives another new state, even if the step looks at the same places.",
    hint="The cell's second argument is s_{i-1}. Without it the decoder forgets at every step "
    "what it has written.",
)
def state_is_carried(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw) | {"score": _indifferent}
    before, _, _ = answer(**inputs)
    after, _, _ = answer(**inputs | {"previous_state": draw.normal(STATE)})
    return not same(before, after)


@exercise.must(
    "The state is the cell's answer to [y_{i-1} ; c_i], in this order.",
    hint="The cell reads one vector: first the previous output, then the context. The other way "
    "round runs as well, but each number meets a weight that was learnt for another.",
)
def cell_reads_output_then_context(answer: Answer, draw: Draw, inputs: dict) -> bool:
    state, context, _ = answer(**inputs)
    together = torch.cat([inputs["previous_output"], context.float()])
    return same(state, inputs["cell"](together, inputs["previous_state"]))


@exercise.must(
    "The gradient of the context reaches the previous state, through the weights.",
    hint="Something cuts the graph: detach(), no_grad(), item(), tolist() or a new tensor. "
    "The model would run, and never learn where to look.",
)
def gradient_passes_the_weights(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["previous_state"].requires_grad_()
    _, context, _ = answer(**inputs)
    context.sum().backward()
    return bool(inputs["previous_state"].grad.abs().sum() > 0)


@exercise.must(
    "The gradient of the new state reaches everything that it was computed from.",
    hint="The state is computed from the state before, the output and the context, and the context "
    "from the annotations. One of these paths is cut: is there a detach() on it?",
)
def gradient_takes_every_way(answer: Answer, draw: Draw, inputs: dict) -> bool:
    given = {name: inputs[name].requires_grad_() for name in _DIFFERENTIABLE}
    found = torch.autograd.grad(answer(**inputs)[0].sum(), [*given.values()], allow_unused=True)
    wanted = torch.autograd.grad(solution(**inputs)[0].sum(), [*given.values()])
    return all(one is not None and same(one, two) for one, two in zip(found, wanted, strict=True))


_DIFFERENTIABLE = ("previous_state", "previous_output", "annotations")


@exercise.draws
def _inputs(draw: Draw) -> dict:
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(draw.integer(10_000))
        cell = nn.GRUCell(draw[EMBEDDING] + draw[ANNOTATION], draw[STATE])
    mixing = draw.normal(STATE, ANNOTATION, scale=0.3)

    def score(state: Tensor, annotations: Tensor) -> Tensor:
        return annotations @ (state @ mixing)

    return {
        "previous_state": draw.normal(STATE),
        "previous_output": draw.normal(EMBEDDING),
        "annotations": draw.normal(SOURCE, ANNOTATION, scale=1.0),
        "score": score,
        "cell": cell,
    }


def _fixed(scores: Tensor):
    """A score that says the same whatever it is asked."""
    return lambda state, annotations: scores + 0 * (annotations.sum() + state.sum())


def _indifferent(state: Tensor, annotations: Tensor) -> Tensor:
    """A score that gives every position the same."""
    return 0 * (annotations.sum(dim=-1) + state.sum())
