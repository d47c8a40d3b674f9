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

from attn_class.exercises.frame import Answer, Case, Draw, Exercise, Size, same

STATE, EMBEDDING, ANNOTATION, SOURCE = Size(2, 11), Size(2, 7), Size(2, 11), Size(3, 7)
_DIFFERENTIABLE = ("previous_state", "previous_output", "annotations")


def solution(previous_state, previous_output, annotations, score, cell):
    """Look first, average what is seen, and only then move on."""
    weights = torch.softmax(score(previous_state, annotations), dim=-1)
    context = weights @ annotations
    state = cell(torch.cat([previous_output, context]), previous_state)
    return state, context, weights


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


def _fixed_scores(draw: Draw) -> list[dict]:
    """Scores that are fixed, small and large."""
    inputs, scores = _inputs(draw), draw.normal(SOURCE)
    return [inputs | {"score": _fixed(scores + constant)} for constant in (0.0, 200.0)]


def _alike(draw: Draw) -> dict:
    annotation = draw.normal(ANNOTATION)
    return _inputs(draw) | {"annotations": annotation.repeat(draw[SOURCE], 1)}


exercise = Exercise(
    "one_step(previous_state, previous_output, annotations, score, cell)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "The weights are a softmax of the scores, taken once, however large these are.",
            _fixed_scores,
            "α_j = exp(e_j) / Σ_k exp(e_k). Were scores turned into weights twice, or divided by "
            "something? And exp of a large score is infinite: torch.softmax subtracts the largest "
            "first.",
            part=2,
        ),
        Case(
            "The weights are a softmax of the score with the state before the step.",
            _inputs,
            "Bahdanau looks before he moves: score(s_{i-1}, annotations). Asking with the new "
            "state s_i is Luong's order.",
            part=2,
        ),
        Case(
            "If all annotations are alike, the context is that annotation.",
            _alike,
            "The context is an average: every annotation times its weight, and their sum. Is it a "
            "sum without the weights, or divided once too often?",
            part=1,
        ),
        Case(
            "The context is the sum of the annotations, each times its own weight.",
            _inputs,
            "c_i = Σ_j α_ij h_j. Are all annotations counted alike, or only the best one?",
            part=1,
        ),
        Case(
            "The state is the cell's answer to [y_{i-1} ; c_i], in this order.",
            _inputs,
            "The cell reads one vector: first the previous output, then the context. The other way "
            "round runs as well, but each number meets a weight that was learnt for another.",
            part=0,
        ),
    ],
    slips={
        "Scores are any numbers. A softmax over the source makes them weights.": [
            (
                "torch.softmax(score(previous_state, annotations), dim=-1)",
                "score(previous_state, annotations)",
            ),
        ],
        "The score must read the annotations. A widely read tutorial left them out for years: the "
        "weights still sum to one without them.": [
            (
                "score(previous_state, annotations)",
                "(torch.arange(len(annotations)) * previous_state.mean())",
            ),
            ("score(previous_state, annotations)", "torch.zeros(len(annotations))"),
        ],
        "The cell's second argument is s_{i-1}. Without it the decoder forgets at every step what "
        "it has written.": [
            (", previous_state)\n    return", ")\n    return"),
            (", previous_state)\n    return", ", torch.zeros_like(previous_state))\n    return"),
        ],
        "": [
            (", dim=-1)", ", dim=-1).softmax(dim=-1)"),
            (
                "score(previous_state, annotations)",
                "score(solution(previous_state, previous_output, annotations, score, cell)[0], "
                "annotations)",
            ),
            ("weights @ annotations", "annotations.sum(dim=0)"),
            ("weights @ annotations", "annotations.mean(dim=0)"),
            ("[previous_output, context]", "[context, previous_output]"),
        ],
    },
    shape="Three vectors: the state is as long as the state before, the context as long as one "
    "annotation, and there are as many weights as annotations.",
)
exercise.draws(_inputs)
check = exercise.check


@exercise.must(
    "The gradient of the context reaches the previous state, through the weights.",
    hint="Something cuts the graph: detach(), no_grad(), item(), tolist() or a new tensor. The "
    "model would run, and never learn where to look.",
)
def gradient_passes_the_weights(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["previous_state"].requires_grad_()
    gradients = answer.gradients([None, torch.tensor(1.0), None], **inputs)
    return gradients is not None and bool(gradients["previous_state"].any())


@exercise.must(
    "The gradient of the new state reaches everything that it was computed from.",
    hint="The state is computed from the state before, the output and the context, and the context "
    "from the annotations. One of these paths is cut: is there a detach() on it?",
)
def gradient_takes_every_way(answer: Answer, draw: Draw, inputs: dict) -> bool:
    leaves = [inputs[name].requires_grad_() for name in _DIFFERENTIABLE]
    gradients = answer.gradients([torch.tensor(1.0), None, None], **inputs)
    wanted = torch.autograd.grad(solution(**inputs)[0].sum(), leaves)
    return gradients is not None and same((*gradients.values(),), wanted)
