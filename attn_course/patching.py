"""Change one thing inside a language model, and see what it writes then: activation patching.

These are the interventions of `attn_course.interventions` for a model whose inside is at hand by
block and head. Each function returns *changes*, to be passed to `LanguageModel.forward`; `together`
joins several. What a head found may be replaced by zeros, by its mean over other texts, or by what
it found in another text. Zeros are something that the model may never have met, so a mean or
another text says more (Zhang & Nanda 2024).
"""

from collections.abc import Collection, Iterable, Sequence

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor

from attn_course._signature import checked, expect_like
from attn_course._values import CountOrZero, describe, expect_below, expect_choice
from attn_course.interventions import hidden
from attn_course.models.language_model import Change, Changes, LanguageModel, Place

Head = tuple[int, int]  # block and head, both counted from 0


@checked
@torch.inference_mode()
def recorded(
    model: LanguageModel, symbols: Tensor, places: Collection[Place], changes: Changes | None = None
) -> dict[Place, Tensor]:
    """What a model computes at some places, while it reads symbols (batch position).

    >>> from attn_course.models.language_model import LanguageModel, Shape
    >>> tiny = LanguageModel(Shape(symbols=11, blocks=2, size=12, heads=3, groups=1, hidden_size=7))
    >>> parts = recorded(tiny, torch.tensor([[3, 1, 4, 1]]), [("weights", 0), ("weights", 1)])
    >>> parts["weights", 1].shape
    torch.Size([1, 3, 4, 4])
    """
    parts = dict[Place, Tensor]()

    def look(place: Place) -> Changes:
        return {place: lambda part: parts.setdefault(place, part)}

    model(symbols, changes=together(changes or {}, *map(look, places)))
    return parts


@checked
def all_weights(
    model: LanguageModel, symbols: Integer[Tensor, "1 position"]
) -> Float[Tensor, "block head target source"]:
    """The weights of every head in every block while a model reads one text."""
    parts = recorded(model, symbols, [("weights", block) for block in range(model.shape.blocks)])
    return torch.cat([*parts.values()])


@checked
def together(*changes: Changes) -> Changes:
    """Several changes as one; at one place, the earlier ones come first."""
    joined = dict[Place, Change]()
    for group in changes:
        for place, change in group.items():
            joined[place] = _then(joined[place], change) if place in joined else change
    return joined


@checked
def heads_replaced(
    model: LanguageModel, heads: Iterable[Head], by: dict[Place, Tensor] | None = None
) -> Changes:
    """What some heads found, replaced: by zeros, or by what ``by`` holds for ``("found", block)``.

        c_bh <- c'_bh for each (block, head) of ``heads``

    ``by`` comes from `recorded`: from another text of the same length, or its mean over batch and
    positions (``keepdim=True``). A block or head that does not exist and a block that ``by`` lacks
    are a ValueError. If what ``by`` holds does not fit the text, the model raises a ValueError when
    it runs.
    """
    chosen = dict[int, list[int]]()
    for block, head in heads:
        _expect_head(model, block, head)
        chosen.setdefault(block, []).append(head)
    if by is not None and (absent := [b for b in chosen if ("found", b) not in by]):
        raise ValueError(f"by must hold ('found', {absent[0]}); it holds {list(by)}")
    return {
        ("found", block): _heads(those, None if by is None else by["found", block])
        for block, those in chosen.items()
    }


@checked
def exchanged_at(other: dict[Place, Tensor], positions: Bool[Tensor, "position"]) -> Changes:
    """At some positions, everything that ``other`` holds instead of what the model computes.

        x_j <- x'_j where ``positions`` is True

    ``other`` comes from `recorded`, with another text of the same length. It may hold residuals,
    keys, values, or what the heads found; the position is the last axis but one in all of them.
    Texts of different length are a ValueError.
    """

    def exchange(there: Tensor) -> Change:
        def change(here: Tensor) -> Tensor:
            lengths = here.shape[-2:-1], there.shape[-2:-1], positions.shape
            if len(set(lengths)) > 1:
                raise ValueError(
                    "both texts and the choice of positions must have one length; "
                    f"got {describe(here)}, {describe(there)} and {describe(positions)}"
                )
            chosen = positions.to(here.device).unsqueeze(-1)
            return torch.where(chosen, _as_large(there, here), here)

        return change

    return {place: exchange(there) for place, there in other.items()}


@checked
def position_hidden(
    model: LanguageModel, position: CountOrZero, blocks: Sequence[int] | None = None
) -> Changes:
    """Hide a position from all later ones, in all blocks or some; weights are scaled up again.

        α'_ij = 0 for j = ``position`` < i, otherwise α_ij / Σ_{k not hidden} α_ik

    The position itself goes on reading itself. This is `attn_course.interventions.hidden`. A
    position that has not been read is a ValueError.
    """

    def change(weights: Tensor) -> Tensor:
        target, source = weights.shape[-2:]
        expect_below("position", position, source)
        places = torch.zeros(target, source, dtype=torch.bool, device=weights.device)
        places[max(position + 1 - (source - target), 0) :, position] = True
        rows = weights.flatten(0, 1)
        return hidden(rows, places.expand_as(rows)).view_as(weights)

    chosen = range(model.shape.blocks) if blocks is None else blocks
    return {("weights", block): change for block in chosen}


@checked
def taken_out(
    model: LanguageModel, head: Sequence[int], part: str, blocks: Sequence[int], by: Tensor
) -> Changes:
    """Take what one head found out of what later blocks make their queries, keys or values from.

        x -> x - W_o^h (c_h - c'_h)     with c' = ``by``, in ``part`` of ``blocks`` only

    Everything else in the model still reads the head, so this tests one direct path: a later head
    that reads what an earlier one wrote (*composition*, Elhage et al. 2021). ``head`` is its block
    and its number; ``by`` is the mean of what its block found, as `heads_replaced` takes it;
    ``part`` is "for queries", "for keys" or "for values". A block that does not come after the
    head's is a ValueError.
    """
    block, number = head
    _expect_head(model, block, number)
    for later in blocks:
        expect_below("block", later, model.shape.blocks)
        if later <= block:
            raise ValueError(f"blocks must come after {block}, that of the head; got {later}")
    expect_choice("part", part, ("for queries", "for keys", "for values"))
    slice_ = slice(number * model.shape.part, (number + 1) * model.shape.part)
    columns = list(model.blocks)[block].output_projection.weight[:, slice_]  # W_o^h
    added = dict[str, Tensor]()

    def look(contexts: Tensor) -> Tensor:
        added["here"] = (contexts - _as_large(by, contexts))[:, number] @ columns.T
        return contexts

    def take(vectors: Tensor) -> Tensor:
        return vectors - added["here"]

    return {("found", block): look} | {(part, later): take for later in blocks}


def _then(first: Change, second: Change) -> Change:
    return lambda part: second(first(part))


def _expect_head(model: LanguageModel, block: int, head: int) -> None:
    expect_below("block", block, model.shape.blocks)
    expect_below("head", head, model.shape.heads)


def _heads(heads: list[int], by: Tensor | None) -> Change:
    def change(contexts: Tensor) -> Tensor:
        new = torch.zeros_like(contexts) if by is None else _as_large(by, contexts)
        chosen = torch.zeros(contexts.shape[1], 1, 1, dtype=torch.bool, device=contexts.device)
        chosen[heads] = True
        return torch.where(chosen, new, contexts)

    return change


def _as_large(new: Tensor, old: Tensor) -> Tensor:
    """What is to replace something, repeated until it has its shape."""
    expect_like("what replaces", new, "what is there", old)
    try:
        return new.expand_as(old)
    except RuntimeError:
        raise ValueError(
            f"what replaces {describe(old)} must broadcast to its shape; got {describe(new)}"
        ) from None
