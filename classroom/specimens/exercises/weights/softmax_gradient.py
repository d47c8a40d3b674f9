import torch

from attn_course.weights import softmax_jacobian


def with_the_matrix(weights, gradient):
    return (softmax_jacobian(weights) @ gradient.unsqueeze(-1)).squeeze(-1)


def by_loops(weights, gradient):
    result = torch.zeros_like(weights)
    for i in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            for j in range(weights.shape[1]):
                slope = weights[i, j] * (float(j == k) - weights[i, k])
                result[i, k] += gradient[i, j] * slope
    return result


def by_autograd(weights, gradient):
    scores = weights.clamp(min=1e-30).log().requires_grad_()
    (result,) = torch.autograd.grad((torch.softmax(scores, -1) * gradient).sum(), scores)
    return result
