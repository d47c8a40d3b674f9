"""Exercise: the contexts of a whole batch at once.

c_i = Σ_j α_ij h_j                               Bahdanau et al. 2015, equation 5

weights (batch target source)   annotations (batch source annotation)
    ->   contexts (batch target annotation)
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

BATCH, TARGET, SOURCE, ANNOTATION = Size(1, 3), Size(2, 5), Size(3, 7), Size(2, 11)
SEVERAL = Size(2, 3)  # sources
exercise = Exercise("contexts_of(weights, annotations)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(weights, annotations):
    """Name the axes: what is summed over is missing after the arrow."""
    return torch.einsum("bij,bja->bia", weights, annotations)


def _weights(draw: Draw, source: int | Size = SOURCE, batch: Size = BATCH):
    return draw.normal(batch, TARGET, source).softmax(dim=-1)


@exercise.must_also(
    "There is one context for each target step, as long as an annotation.",
    hint="The shape is (batch, target, annotation). The sum is over the source: that axis, "
    "and no other, is gone.",
)
def one_context_a_step(answer: Answer, draw: Draw) -> bool:
    result = answer(weights=_weights(draw), annotations=draw.normal(BATCH, SOURCE, ANNOTATION))
    return shaped(result, draw[BATCH], draw[TARGET], draw[ANNOTATION])


@exercise.must_also(
    "Each source of the batch is read by its own weights.",
    hint="Change one source and the contexts of the others must stay as they are. Is the batch "
    "axis the same on both sides?",
)
def the_batch_is_not_mixed(answer: Answer, draw: Draw) -> bool:
    weights, annotations = _weights(draw, batch=SEVERAL), draw.normal(SEVERAL, SOURCE, ANNOTATION)
    before = answer(weights=weights, annotations=annotations)
    other = draw.normal(draw[SEVERAL] - 1, SOURCE, ANNOTATION)
    after = answer(weights=weights, annotations=torch.cat([annotations[:1], other]))
    return same(before[0], after[0]) and not same(before[1], after[1])


@exercise.must(
    "With all the weight on one position the context is that annotation.",
    hint="Row i of the weights belongs to step i, and its entry j to position j. Is something "
    "averaged once more, or divided, that should only be summed?",
)
def one_position_is_its_annotation(answer: Answer, draw: Draw) -> bool:
    annotations = draw.normal(BATCH, SOURCE, ANNOTATION)
    places = [[draw.integer(SOURCE) for _ in range(draw[TARGET])] for _ in range(draw[BATCH])]
    weights = torch.eye(draw[SOURCE])[torch.tensor(places)]
    expected = torch.stack([rows[place] for rows, place in zip(annotations, places, strict=True)])
    return answer.gives(expected, weights=weights, annotations=annotations)


@exercise.must(
    "Every position counts, as much as its weight says.",
    hint="Neither the largest weight alone nor all positions alike: multiply each annotation by "
    "its weight, and add.",
)
def is_the_weighted_sum(answer: Answer, draw: Draw) -> bool:
    weights, annotations = _weights(draw), draw.normal(BATCH, SOURCE, ANNOTATION)
    return answer.gives(torch.bmm(weights, annotations), weights=weights, annotations=annotations)


@exercise.must(
    "The source may have any length, even one position.",
    hint="Is the length of the source written into the code?",
)
def any_length(answer: Answer, draw: Draw) -> bool:
    for source in (1, 11):
        weights, annotations = _weights(draw, source), draw.normal(BATCH, source, ANNOTATION)
        if not answer.gives(
            torch.bmm(weights, annotations), weights=weights, annotations=annotations
        ):
            return False
    return True


exercise.must_pass_gradients(
    solution,
    lambda draw: {"weights": _weights(draw), "annotations": draw.normal(BATCH, SOURCE, ANNOTATION)},
)
