from torch import nn
from torch.nn import functional as F


def _normal(x, dim=-1, correction=0):
    centred = x - x.mean(dim=dim, keepdim=True)
    return centred / (x.std(dim=dim, keepdim=True, correction=correction) + 1e-5)


def by_the_module(x, part):
    return x + part(nn.LayerNorm(x.shape[-1], elementwise_affine=False)(x))


def by_hand(x, part):
    return part(_normal(x)) + x


WRONG = {
    "lets_x_pass": [
        lambda x, part: F.layer_norm(x + part(x), x.shape[-1:]),
        lambda x, part: F.layer_norm(x + part(_normal(x)), x.shape[-1:]),
        lambda x, part: part(_normal(x)),
        lambda x, part: _normal(x) + part(_normal(x)),
    ],
    "gives_what_is_normal": [
        lambda x, part: x + part((x - x.mean(-1, True)) / x.var(-1, correction=0, keepdim=True)),
        lambda x, part: x + part(x),
        lambda x, part: x + part(_normal(x, dim=0)),
        lambda x, part: x + part((x - x.mean()) / x.std(correction=0)),
        lambda x, part: x + _normal(part(x)),
        lambda x, part: x + part(_normal(x, correction=1)),
        lambda x, part: x + part(_normal(x)) + part(_normal(x)),
        lambda x, part: x + part(x / x.pow(2).mean(dim=-1, keepdim=True).sqrt()),
    ],
    "one_vector_each": [lambda x, part: (x + part(_normal(x)))[0]],
    "adds_what_is_made": [lambda x, part: x - part(_normal(x))],
    "runs": [lambda x, part: x + part(F.layer_norm(x, x.shape[:1]))],
}
