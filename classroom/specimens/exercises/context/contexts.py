"""Right and wrong answers to `attn_class.exercises.context.contexts`."""

import torch

from attn_course.context import context_vectors
from specimens.answers import changed, named


def by_three_loops(weights, annotations):
    contexts = torch.zeros(*weights.shape[:2], annotations.shape[2])
    for b in range(weights.shape[0]):
        for i in range(weights.shape[1]):
            for j in range(weights.shape[2]):
                contexts[b, i] += weights[b, i, j] * annotations[b, j]
    return contexts


def by_matrix_product(weights, annotations):
    return weights @ annotations


def by_broadcasting(weights, annotations):
    return (weights[..., None] * annotations[:, None]).sum(dim=2)


def by_the_package(weights, annotations):
    return context_vectors(weights, annotations)


def as_a_list_of_tensors(weights, annotations):
    return [one @ two for one, two in zip(weights, annotations, strict=True)]


def the_largest_only(weights, annotations):
    best = weights.argmax(dim=-1, keepdim=True).expand(-1, -1, annotations.shape[2])
    return annotations.gather(1, best)


def squared_weights(weights, annotations):
    squares = weights**2
    return squares / squares.sum(dim=-1, keepdim=True) @ annotations


RIGHT = [by_three_loops, by_matrix_product, by_broadcasting, by_the_package]
RIGHT += [as_a_list_of_tensors]
WRONG = {
    "gradients_pass": named(
        in_numpy=lambda weights, annotations: weights.numpy() @ annotations.numpy(),
        as_nested_lists=lambda weights, annotations: (weights @ annotations).tolist(),
    ),
    "one_context_a_step": named(
        not_summed=lambda weights, annotations: weights[..., None] * annotations[:, None],
        steps_summed_too=lambda weights, annotations: (weights @ annotations).sum(dim=1),
        annotation_first=lambda weights, annotations: (weights @ annotations).transpose(1, 2),
    ),
    "one_position_is_its_annotation": named(
        mean_instead_of_sum=changed(by_broadcasting, "sum", "mean"),
        softmax_once_more=lambda weights, annotations: weights.softmax(dim=-1) @ annotations,
        uniform=lambda weights, annotations: (
            torch.full_like(weights, 1 / weights.shape[-1]) @ annotations
        ),
        source_read_backwards=lambda weights, annotations: weights @ annotations.flip(1),
    ),
    "the_batch_is_not_mixed": named(
        first_source_for_all=lambda weights, annotations: weights @ annotations[:1],
        batch_summed=lambda weights, annotations: (
            torch.einsum("bij,cja->bia", weights, annotations) / len(weights)
        ),
    ),
    "is_the_weighted_sum": [the_largest_only, squared_weights],
    "any_length": named(
        seven_positions=lambda weights, annotations: weights[..., :7] @ annotations[:, :7]
    ),
    "runs": named(
        one_position_is_squeezed=lambda weights, annotations: torch.einsum(
            "bij,bja->bia", weights.squeeze(), annotations.squeeze()
        ),
        wrong_axes=lambda weights, annotations: annotations @ weights,
    ),
}
