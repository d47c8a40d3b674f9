"""Interventions: change what a decoder is given, and see how its answer changes.

A map of weights says what was *averaged*. Whether the answer was *read* there is another question,
and looking longer at the map does not answer it. These functions change one thing and leave the
rest alone: the weights (`reweighted`, with `hidden` or `permuted`), or the annotations at some
positions (`exchanged`). They work with every `Writer` of `attn_course.models.decoder`; `reweighted`
also needs a decoder with a method `look`, which a `TransformerDecoder` does not have. `hidden`,
`permuted` and `divergence` take weights that sum to one; others, such as those of "local-p", are a
ValueError.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from attn_course._check import expect_weights
from attn_course._signature import checked
from attn_course._values import Count, describe
from attn_course.models.decoder import K, Memory, Writer
from attn_course.search import greedy

Change = Callable[[Tensor, int], Tensor]
_ALMOST = 1e-3  # by how much the sum of weights may differ from 1


@contextmanager
@checked
def replaced(decoder: nn.Module, **methods: Callable[..., Any]) -> Iterator[nn.Module]:
    """The same decoder with some methods replaced, until the end of the ``with`` block.

    >>> from attn_course.models.translator import bahdanau
    >>> decoder = bahdanau(source_symbols=29, target_symbols=17).decoder
    >>> with replaced(decoder, first_state=lambda memory: "another one"):
    ...     decoder.first_state(memory=None)
    'another one'

    Only this object is changed, and only for the duration of the block, even if an error ends it.
    A name that the decoder does not have is a ValueError.
    """
    for name, method in methods.items():
        if not callable(getattr(decoder, name, None)):
            raise ValueError(f"{type(decoder).__name__} has no method {name!r} to replace")
        if not callable(method):
            raise TypeError(f"{name} must be a function; got {describe(method)}")
    before = {name: decoder.__dict__[name] for name in methods if name in decoder.__dict__}
    decoder.__dict__.update(methods)
    try:
        yield decoder
    finally:
        for name in methods:
            del decoder.__dict__[name]
        decoder.__dict__.update(before)


@contextmanager
@checked
def reweighted(decoder: nn.Module, change: Change) -> Iterator[nn.Module]:
    """The same decoder, with its weights changed before anything is averaged.

        c_i = Σ_j change(α_i)_j h_j

    ``change(weights, first)`` is given the weights (batch target source) of one or more steps and
    the number of the first of these steps, counted from 0. It returns weights of the same shape.
    They need not sum to 1: if all of them are 0, the decoder gets an empty context.

    Steps are counted from the start of the block, so answer only one batch in it.
    """
    look, taken = cast(Callable[..., Tensor], decoder.look), 0

    def changed(*arguments: object) -> Tensor:
        nonlocal taken
        weights = look(*arguments)
        new = change(weights, taken)
        taken += weights.shape[1]
        if not isinstance(new, Tensor) or new.shape != weights.shape:
            raise ValueError(
                f"change must return weights {tuple(weights.shape)}; got {describe(new)}"
            )
        return new

    with replaced(decoder, look=changed):
        yield decoder


@checked
def hidden(
    weights: Float[Tensor, "batch target source"], places: Bool[Tensor, "batch target source"]
) -> Float[Tensor, "batch target source"]:
    """Weights with some positions hidden; the others are scaled up to sum to 1 again.

        α'_ij = 0 where j is hidden, otherwise α_ij / Σ_{k not hidden} α_ik
                                                   Serrano & Smith 2019, section 3

    ``places`` is boolean, True = hidden: the opposite of ``readable``. A row in which everything is
    hidden is all zeros: an empty context.
    """
    expect_weights(weights, within=_ALMOST)
    rest = weights.masked_fill(places, 0.0)
    total = rest.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, rest / total.where(total > 0, torch.ones_like(total)), 0.0)


@checked
def permuted(
    weights: Float[Tensor, "batch target source"], generator: torch.Generator
) -> Float[Tensor, "batch target source"]:
    """The same weights in a random order, drawn anew for each row.

        α'_ij = α_iπ(j)                            Jain & Wallace 2019, section 4.2.1

    A row keeps its entropy and its largest weight, but not the position of that weight. If an
    answer survives, some other position served as well, or none was needed. Weights may move to
    padded positions, so use sources of one length.
    """
    expect_weights(weights, within=_ALMOST)
    drawn = torch.rand(weights.shape, generator=generator, device=generator.device)
    return weights.gather(-1, drawn.argsort(dim=-1).to(weights.device))


@checked
def exchanged(
    memory: Memory[K], other: Memory[K], places: Bool[Tensor, "batch source"]
) -> Memory[K]:
    """A memory with the annotations and keys at some positions taken from another.

        h'_j = h_j of the other source where ``places`` is True, otherwise h_j of this one

    This is the swap test, which a map cannot pass by looking plausible. Take two sources that
    differ in one field, put the annotations of that field from one into the other, and see which
    source's field is written. If the answer stays although the weights lie on that field, it was
    read elsewhere.

    Both memories must come from the same decoder and from sources of the same length. Compute the
    first state before the swap if it is to stay (see `written`): many decoders compute it from the
    annotations.
    """
    annotations = _annotations(memory.annotations, other.annotations, places)
    keys = _exchanged(memory.keys, other.keys, places)
    return replace(memory, annotations=annotations, keys=keys)


@checked
@torch.no_grad()
def written(
    decoder: nn.Module, memory: Memory[Any], first_state: object = None, longest: Count = 32
) -> Integer[Tensor, "batch target"]:
    """What a decoder writes for a memory, by greedy search; padding after the end.

    ``first_state`` is the state to start from, if it is not to be computed from this memory.
    """
    begun = cast(Writer, decoder).first_state(memory) if first_state is None else first_state
    batch, source, _ = memory.annotations.shape
    lengths = torch.full((batch,), source, device=memory.annotations.device)

    def begin(_: object) -> object:
        return begun

    with replaced(decoder, first_state=begin):
        return greedy(_SourceRead(decoder, memory), lengths, lengths, longest)[0]


@checked
@torch.no_grad()
def symbol_probabilities(
    model: nn.Module, sources: Tensor, lengths: Tensor, targets: Integer[Tensor, "batch target"]
) -> Float[Tensor, "batch target"]:
    """p(y_i | y_1 .. y_{i-1}, x): the probability that a model gives to each right symbol.

    A change that leaves the answer as it is may still have made the model less sure of it.
    """
    logits, _ = model(sources, lengths, targets)
    return logits.softmax(dim=-1).gather(-1, targets.long().unsqueeze(-1)).squeeze(-1)


@checked
def divergence(
    one: Float[Tensor, "batch target source"], other: Float[Tensor, "batch target source"]
) -> Float[Tensor, "batch target"]:
    """How different two distributions are, the Jensen-Shannon divergence in nats.

        JS(p, q) = (KL(p ‖ m) + KL(q ‖ m)) / 2     with m = (p + q) / 2       Lin 1991

    It is 0 if they are equal. At most it is ln 2 = 0.69, if no position has weight in both: a value
    near 0.69 says that two maps have nothing in common.
    """
    expect_weights(one, within=_ALMOST)
    expect_weights(other, within=_ALMOST)
    middle = (one + other) / 2
    parts = [torch.special.xlogy(p, p) - torch.special.xlogy(p, middle) for p in (one, other)]
    return (parts[0].sum(dim=-1) + parts[1].sum(dim=-1)) / 2


class _SourceRead(nn.Module):
    """A model whose source has been read already."""

    def __init__(self, decoder: nn.Module, memory: Memory[Any]):
        super().__init__()
        self.decoder, self.memory = cast(Writer, decoder), memory

    def read(self, sources: Tensor, lengths: Tensor) -> Memory[Any]:
        return self.memory


@checked
def _annotations(
    annotations: Float[Tensor, "batch source annotation"],
    others: Float[Tensor, "batch source annotation"],
    places: Bool[Tensor, "batch source"],
) -> Float[Tensor, "batch source annotation"]:
    return _exchanged(annotations, others, places)


def _exchanged(part: Any, other: Any, places: Tensor) -> Any:
    """A tensor, or each tensor in a tuple such as a cache; positions are its last axis but one."""
    if isinstance(part, tuple):
        make = getattr(part, "_make", tuple)
        return make(_exchanged(*pair, places) for pair in zip(part, other, strict=True))
    chosen = places.unsqueeze(-1) if part.dim() == 3 else places[:, None, :, None]
    return torch.where(chosen, other, part)
