"""What an exercise forbids cannot be had by another way."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from attn_class.exercises.calling import attempt
from attn_class.exercises.frame import Exercise
from attn_class.exercises.weights import safe_softmax
from attn_class.forbidden import without

SOFTMAX = {
    "torch": lambda x: torch.softmax(x, -1),
    "the method": lambda x: x.softmax(-1),
    "the layer": lambda x: torch.nn.Softmax(-1)(x),
    "the layer's minimum": lambda x: torch.nn.Softmin(-1)(-x),
    "its logarithm": lambda x: torch.nn.LogSoftmax(-1)(x).exp(),
    "with an underscore": lambda x: torch._softmax(x, -1, False),
    "the safe one": lambda x: torch._safe_softmax(x, -1),
    "for masks": lambda x: torch._masked_softmax(x, torch.zeros_like(x).bool(), -1, 1),
    "masked": lambda x: torch.masked.softmax(x, -1),
    "the operation": lambda x: torch.ops.aten.softmax(x, -1),
    "the inner operation": lambda x: torch.ops.aten._softmax(x, -1, False),
    "special in C": lambda x: torch._C._special.special_softmax(x, -1),
    "with noise": lambda x: torch.nn.functional.gumbel_softmax(x),
    "a loss": lambda x: torch.nn.functional.cross_entropy(x[None], torch.tensor([0])),
    "attention": lambda x: torch.nn.functional.scaled_dot_product_attention(
        x[None, None], x[None, None], x[None, None]
    ),
    "attention in C": lambda x: torch._C._nn.scaled_dot_product_attention(
        x[None, None], x[None, None], x[None, None]
    ),
    "for sparse tensors": lambda x: torch.sparse.softmax(x.to_sparse(), 0).to_dense(),
    "for another library": lambda x: torch.softmax(x.to_mkldnn(), -1).to_dense(),
    "by its name": lambda x: torch._C._jit_get_operation("aten::softmax")[0](x, -1),
    "in another thread": lambda x: ThreadPoolExecutor(1).submit(torch.softmax, x, -1).result(),
    "in each row": lambda x: torch.func.vmap(lambda row: row.softmax(-1))(x[None]),
    "of a distribution": lambda x: torch.distributions.Categorical(logits=x).probs,
    "heads": lambda x: torch.nn.MultiheadAttention(5, 1)(*3 * [x[None]]),
    "heads of a model that does not learn": lambda x: (
        torch.nn.MultiheadAttention(5, 1).requires_grad_(False).eval()(*3 * [x[None]])
    ),
}


GRADIENTS = {
    "backward": lambda x: (x**2).sum().backward() or x.grad,
    "grad": lambda x: torch.autograd.grad((x**2).sum(), x)[0],
    "func": lambda x: torch.func.grad(lambda y: (y**2).sum())(x.detach()),
    "hessian": lambda x: torch.func.hessian(lambda y: (y**3).sum())(x.detach()),
    "functional": lambda x: torch.autograd.functional.vjp(lambda y: (y**2).sum(), x.detach())[1],
    "forward": lambda x: torch.func.jvp(lambda y: y**2, (x.detach(),), (x.detach(),))[1],
    "the engine": lambda x: torch.autograd.Variable._execution_engine.run_backward(
        (x.sum(),), (torch.ones(()),), False, False, (), True, True
    ),
}


LAYERS = {
    layer: lambda x, layer=layer: getattr(torch.nn, layer)(5, 3)(x[None])
    for layer in ("RNN", "GRU", "LSTM", "RNNCell", "GRUCell", "LSTMCell")
}


WAYS = {"softmax": SOFTMAX, "autograd": GRADIENTS, "recurrent layers": LAYERS}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in WAYS for name in WAYS[kind]])
def test_no_way_leads_to_what_is_forbidden(kind, name):
    inputs = [torch.randn(5, requires_grad=kind == "autograd")]
    with without(kind):
        problem = attempt(WAYS[kind][name], inputs).problem
    assert problem is not None
    if kind != "autograd":  # whose ways are errors of several kinds
        assert "may not be used in this exercise" in problem.text
        assert attempt(WAYS[kind][name], inputs).problem is None, "it is another error"


def test_what_is_forbidden_twice_is_forbidden_until_both_have_ended():
    @without("softmax", "logsumexp")
    def inner(x):
        return torch.logsumexp(x, 0)

    with without("softmax"):
        for function in (inner, SOFTMAX["torch"]):
            assert "may not be used" in attempt(function, [torch.randn(5)]).problem.text
        torch.logsumexp(torch.randn(5), 0)
    assert attempt(SOFTMAX["torch"], [torch.randn(5)]).problem is None


def test_a_kind_that_is_none_is_refused():
    with pytest.raises(ValueError, match=r"must be of softmax, .*; got \['torch.softmax'\]"):
        Exercise("f(x)", without=["torch.softmax"])


def test_what_is_allowed_is_as_before():
    with without("softmax"):
        x = torch.randn(5, requires_grad=True)
        y = safe_softmax.solution(x, 2.0)
        y[0].backward()
    assert torch.allclose(y, torch.softmax(x / 2, -1))
    assert x.grad is not None
