"""Right and wrong answers to `attn_class.exercises.self_attention.pre_norm`."""

from torch import nn
from torch.nn import functional as F

from specimens.answers import named


def normal(x, dim=-1, correction=0):
    centred = x - x.mean(dim=dim, keepdim=True)
    return centred / (x.std(dim=dim, keepdim=True, correction=correction) + 1e-5)


def by_the_module(x, part):
    return x + part(nn.LayerNorm(x.shape[-1], elementwise_affine=False)(x))


def by_hand(x, part):
    return part(normal(x)) + x


def by_the_variance(x, part):
    centred = x - x.mean(dim=-1, keepdim=True)
    return x + part(centred / x.var(dim=-1, keepdim=True, correction=0))


RIGHT = [by_the_module, by_hand]
WRONG = {
    "lets_x_pass": named(
        post_norm=lambda x, part: F.layer_norm(x + part(x), x.shape[-1:]),
        both_norms=lambda x, part: F.layer_norm(x + part(normal(x)), x.shape[-1:]),
        no_residual=lambda x, part: part(normal(x)),
        residual_of_the_norm=lambda x, part: normal(x) + part(normal(x)),
    ),
    "gives_what_is_normal": named(
        by_the_variance,
        no_norm=lambda x, part: x + part(x),
        over_the_positions=lambda x, part: x + part(normal(x, dim=0)),
        over_all=lambda x, part: x + part((x - x.mean()) / x.std(correction=0)),
        norm_of_what_is_made=lambda x, part: x + normal(part(x)),
        one_less=lambda x, part: x + part(normal(x, correction=1)),
        twice=lambda x, part: x + part(normal(x)) + part(normal(x)),
        without_the_mean=lambda x, part: x + part(x / x.pow(2).mean(dim=-1, keepdim=True).sqrt()),
    ),
    "one_vector_each": named(first_position=lambda x, part: (x + part(normal(x)))[0]),
    "adds_what_is_made": named(the_difference=lambda x, part: x - part(normal(x))),
    "runs": named(norm_of_the_wrong_size=lambda x, part: x + part(F.layer_norm(x, x.shape[:1]))),
}
