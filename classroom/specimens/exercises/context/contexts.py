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


def by_the_package(weights, annotations):
    return context_vectors(weights, annotations)


def as_a_list_of_tensors(weights, annotations):
    return [one @ two for one, two in zip(weights, annotations, strict=True)]
