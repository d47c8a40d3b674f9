"""Right and wrong answers to `attn_course.classroom.exercises.self_attention.pre_norm`."""

from torch import nn
from torch.nn import functional as F


def normal(x, dim=-1, correction=0):
    centred = x - x.mean(dim=dim, keepdim=True)
    return centred / (x.std(dim=dim, keepdim=True, correction=correction) + 1e-5)


def by_the_module(x, part):
    return x + part(nn.LayerNorm(x.shape[-1], elementwise_affine=False)(x))


def by_hand(x, part):
    return part(normal(x)) + x


def post_norm(x, part):
    return F.layer_norm(x + part(x), x.shape[-1:])


def both_norms(x, part):
    return F.layer_norm(x + part(normal(x)), x.shape[-1:])


def no_norm(x, part):
    return x + part(x)


def no_residual(x, part):
    return part(normal(x))


def residual_of_the_norm(x, part):
    return normal(x) + part(normal(x))


def over_the_positions(x, part):
    return x + part(normal(x, dim=0))


def over_all(x, part):
    return x + part((x - x.mean()) / x.std(correction=0))


def norm_of_what_is_made(x, part):
    return x + normal(part(x))


def one_less(x, part):
    return x + part(normal(x, correction=1))


def twice(x, part):
    return x + part(normal(x)) + part(normal(x))


def first_position(x, part):
    return (x + part(normal(x)))[0]


def the_difference(x, part):
    return x - part(normal(x))


def norm_of_the_wrong_size(x, part):
    return x + part(F.layer_norm(x, x.shape[:1]))


def without_the_mean(x, part):
    return x + part(x / x.pow(2).mean(dim=-1, keepdim=True).sqrt())


def by_the_variance(x, part):
    centred = x - x.mean(dim=-1, keepdim=True)
    return x + part(centred / x.var(dim=-1, keepdim=True, correction=0))


RIGHT = [by_the_module, by_hand]
WRONG = {
    post_norm: "lets_x_pass",
    both_norms: "lets_x_pass",
    no_norm: "gives_what_is_normal",
    no_residual: "lets_x_pass",
    residual_of_the_norm: "lets_x_pass",
    over_the_positions: "gives_what_is_normal",
    over_all: "gives_what_is_normal",
    norm_of_what_is_made: "gives_what_is_normal",
    one_less: "gives_what_is_normal",
    twice: "gives_what_is_normal",
    first_position: "one_vector_each",
    the_difference: "adds_what_is_made",
    norm_of_the_wrong_size: "runs",
    without_the_mean: "gives_what_is_normal",
    by_the_variance: "gives_what_is_normal",
}
