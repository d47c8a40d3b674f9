"""Right and wrong answers to `attn_course.classroom.exercises.context.contexts`."""

import torch

from attn_course.context import context_vectors


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


def in_numpy(weights, annotations):
    return weights.numpy() @ annotations.numpy()


def by_the_package(weights, annotations):
    return context_vectors(weights, annotations)


def as_nested_lists(weights, annotations):
    return (weights @ annotations).tolist()


def as_a_list_of_tensors(weights, annotations):
    return [one @ two for one, two in zip(weights, annotations, strict=True)]


def not_summed(weights, annotations):
    return weights[..., None] * annotations[:, None]


def steps_summed_too(weights, annotations):
    return (weights @ annotations).sum(dim=1)


def annotation_first(weights, annotations):
    return (weights @ annotations).transpose(1, 2)


def mean_instead_of_sum(weights, annotations):
    return (weights[..., None] * annotations[:, None]).mean(dim=2)


def softmax_once_more(weights, annotations):
    return weights.softmax(dim=-1) @ annotations


def uniform(weights, annotations):
    return torch.full_like(weights, 1 / weights.shape[-1]) @ annotations


def source_read_backwards(weights, annotations):
    return weights @ annotations.flip(1)


def first_source_for_all(weights, annotations):
    return weights @ annotations[:1]


def batch_summed(weights, annotations):
    return torch.einsum("bij,cja->bia", weights, annotations) / len(weights)


def the_largest_only(weights, annotations):
    best = weights.argmax(dim=-1, keepdim=True).expand(-1, -1, annotations.shape[2])
    return annotations.gather(1, best)


def squared_weights(weights, annotations):
    squares = weights**2
    return squares / squares.sum(dim=-1, keepdim=True) @ annotations


def seven_positions(weights, annotations):
    return weights[..., :7] @ annotations[:, :7]


def one_position_is_squeezed(weights, annotations):
    return torch.einsum("bij,bja->bia", weights.squeeze(), annotations.squeeze())


def wrong_axes(weights, annotations):
    return annotations @ weights


def in_place(weights, annotations):
    weights *= 1.5
    return weights @ annotations / 1.5


RIGHT = [by_three_loops, by_matrix_product, by_broadcasting, by_the_package]
RIGHT += [as_a_list_of_tensors]
WRONG = {
    in_numpy: "gradients_pass",
    as_nested_lists: "gradients_pass",
    not_summed: "one_context_a_step",
    steps_summed_too: "one_context_a_step",
    annotation_first: "one_context_a_step",
    mean_instead_of_sum: "one_position_is_its_annotation",
    softmax_once_more: "one_position_is_its_annotation",
    uniform: "one_position_is_its_annotation",
    source_read_backwards: "one_position_is_its_annotation",
    first_source_for_all: "the_batch_is_not_mixed",
    batch_summed: "the_batch_is_not_mixed",
    the_largest_only: "is_the_weighted_sum",
    squared_weights: "is_the_weighted_sum",
    seven_positions: "any_length",
    one_position_is_squeezed: "runs",
    wrong_axes: "runs",
    in_place: "leaves_its_inputs_alone",
}
