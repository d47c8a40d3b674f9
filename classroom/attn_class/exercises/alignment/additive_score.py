"""Exercise: score one state against every annotation.

e_ij = v · tanh(W_a s_{i-1} + U_a h_j)         Bahdanau et al. 2015, section 3.1 and A.1.2

previous_state (state)   annotations (source annotation)
W_a (hidden state)   U_a (hidden annotation)   v (hidden)   ->   scores (source)
"""

import math

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

STATE, ANNOTATION, HIDDEN, SOURCE = Size(2, 11), Size(2, 11), Size(2, 11), Size(3, 7)
exercise = Exercise(
    "score(previous_state, annotations, W_a, U_a, v)", minutes=10, difficulty="moderate"
)
check = exercise.check


def solution(
    previous_state: Tensor, annotations: Tensor, W_a: Tensor, U_a: Tensor, v: Tensor
) -> Tensor:
    """The query's part is the same for every position, so a single addition is enough."""
    asked = W_a @ previous_state  # (hidden)
    offered = annotations @ U_a.T  # (source hidden)
    return torch.tanh(asked + offered) @ v


@exercise.must_also(
    "Every position gets one score.",
    hint="v · tanh(...) is a product of two vectors, so it is one number, and there is one for "
    "each of the annotations. A list of them becomes a tensor by torch.stack.",
)
def one_score_each(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[SOURCE])


@exercise.must_also(
    "A different annotation at one position changes the score there.",
    hint="h_j is not used, or not in its own row: U_a h_j must reach the score of position j.",
)
def reads_the_annotation(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before = answer(**inputs)
    j = draw.integer(SOURCE)
    return not same(answer(**_changed(inputs, j, draw))[j], before[j])


@exercise.must(
    "A different annotation at one position leaves all other scores as they were.",
    hint="e_ij reads h_j and no other annotation. Was a softmax taken already, or a mean?",
)
def reads_no_other_annotation(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before = answer(**inputs)
    positions = torch.arange(draw[SOURCE])
    after = [answer(**_changed(inputs, j, draw)) for j in range(draw[SOURCE])]
    stays = (same(each[positions != j], before[positions != j]) for j, each in enumerate(after))
    return all(stays) and not all(same(each[j], before[j]) for j, each in enumerate(after))


@exercise.must_also(
    "A different state gives different scores.",
    hint="s_{i-1} is not used: without W_a s_{i-1} every step would look at the same places.",
)
def reads_the_state(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before = answer(**inputs)
    return not same(answer(**inputs | {"previous_state": draw.normal(STATE)}), before)


@exercise.must_also(
    "A different state changes some scores more than others.",
    hint="The state adds the same number to every score, which a softmax cancels. The two halves "
    "must meet inside the tanh: tanh(W_a s + U_a h), not tanh(W_a s) + tanh(U_a h).",
)
def state_and_annotation_meet(answer: Answer, draw: Draw, inputs: dict) -> bool:
    change = answer(**inputs | {"previous_state": draw.normal(STATE)}) - answer(**inputs)
    return not same(change - change.mean(), torch.zeros(draw[SOURCE]))


@exercise.must_also(
    "Twice the v gives twice the scores.",
    hint="v is the last factor: it weighs what comes out of the tanh, not what goes in, and after "
    "it comes nothing.",
)
def v_is_the_last_factor(answer: Answer, draw: Draw, inputs: dict) -> bool:
    single = answer(**inputs)
    return answer.gives(2 * single, **inputs | {"v": 2 * inputs["v"]})


@exercise.must_also(
    "However large the annotations, no score exceeds the sum of all |v|.",
    hint="tanh keeps every entry between -1 and 1 before v weighs it. Is the tanh there?",
)
def bounded_by_tanh(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["annotations"] = 1000 * inputs["annotations"]
    inputs["v"] = inputs["v"] / 10  # so that nobody who leaves it out stays below by chance
    return bool((answer(**inputs).abs() <= inputs["v"].abs().sum() + 1e-4).all())


@exercise.must(
    "Every score is v · tanh(W_a s + U_a h_j).",
    hint="All the parts are there. Go through the equation sign by sign: what is added, what is "
    "multiplied, and which matrix belongs to which vector.",
)
def is_the_definition(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return answer.gives(torch.tensor(_by_loops(**inputs)), **inputs)


@exercise.draws
def _inputs(draw: Draw) -> dict[str, Tensor]:
    return {
        "previous_state": draw.normal(STATE),
        "annotations": draw.normal(SOURCE, ANNOTATION),
        "W_a": draw.normal(HIDDEN, STATE),
        "U_a": draw.normal(HIDDEN, ANNOTATION),
        "v": draw.normal(HIDDEN),
    }


def _changed(inputs: dict[str, Tensor], j: int, draw: Draw) -> dict[str, Tensor]:
    annotations = inputs["annotations"].clone()
    annotations[j] = draw.normal(ANNOTATION)
    return inputs | {"annotations": annotations}


def _by_loops(
    previous_state: Tensor, annotations: Tensor, W_a: Tensor, U_a: Tensor, v: Tensor
) -> list[float]:
    """The equation number by number, so that nothing can hide in a shape."""
    scores, state = [], previous_state.tolist()
    for annotation in annotations.tolist():
        score = 0.0
        for k, factor in enumerate(v.tolist()):
            inside = sum(W_a[k, n].item() * entry for n, entry in enumerate(state))
            inside += sum(U_a[k, n].item() * entry for n, entry in enumerate(annotation))
            score += factor * math.tanh(inside)
        scores.append(score)
    return scores


exercise.must_pass_gradients(solution, _inputs)
