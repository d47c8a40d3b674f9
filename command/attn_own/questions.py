"""Four questions to a map, each answered by an intervention on a trained model.

1. Does p fall without this step's context?        If not, the step did not need its look.
2. Does hiding the darkest place hurt?              More than hiding any other place?
3. Does the answer follow swapped annotations?      Those of the changed symbol, or others too?
4. Can the state have looked earlier?               Does p fall only if no context was ever given?

p is the probability of the right symbol. A step counts if p is at least 1/2. It falls if p drops
below half of what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import torch
from torch import Tensor, nn

from attn_course._values import expect_kind, expect_several
from attn_course.interventions import exchanged, hidden, replaced, reweighted, written
from attn_course.measures import Interval, share
from attn_course.symbols import FIRST_SYMBOL, PADDING, START
from attn_course.tasks.corpus import Batch, pad
from attn_course.tasks.vocabulary import Vocabulary

_SURE, _BATCH = 0.5, 64


class Walk(NamedTuple):
    """p of each right symbol, given those before it (batch target), and where the model looked."""

    whole: Tensor  # with everything in place
    none: Tensor  # with no context at any step
    now: Tensor  # with no context at this step alone
    darkest: Tensor  # without the place that has the largest weight, at this step alone
    other: Tensor  # without a place drawn at random from the others
    weights: Tensor  # (batch target source)


class Findings(NamedTuple):
    """Shares with their intervals; None where nothing could be asked."""

    pairs: int  # that the questions are about
    steps: int  # that count
    needs_look: Interval | None  # 1. of these, p falls without this step's context
    darkest: Interval | None  # 2. p falls without the darkest place
    other: Interval | None  # 2. p falls without another place
    swaps: int  # answers that change when one symbol of the source is changed
    own: Interval | None  # 3. of these, the answer follows the changed symbol's annotation alone
    others: Interval | None  # 3. it follows the annotations of all the other places
    first_state: Interval | None  # 3. it follows the first state
    earlier: Interval | None  # 4. of steps that did not need their look, p falls without any


@torch.no_grad()
def ask(
    model: nn.Module,
    pairs: Sequence,
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    longest: int = 100,
) -> Findings:
    """Put the four questions to a model, on pairs that it was not trained on.

    pairs    with ``source`` and ``target`` texts; each source once, since the intervals take every
             pair for a new one
    longest  the most steps of an answer
    """
    expect_kind("model", model, nn.Module)
    pairs = expect_several("pairs", pairs)
    generator = torch.Generator().manual_seed(0)
    falls: dict[str, list[Tensor]] = {name: [] for name in ("none", "now", "darkest", "other")}
    several, swaps = [], []
    at = next(model.parameters()).device
    for batch in _batches(pairs, source_vocabulary, target_vocabulary):
        batch = batch.to(at)
        walk = walked(model, batch, generator)
        counts = (batch.targets != PADDING) & (walk.whole >= _SURE)
        for name, parts in falls.items():
            parts.append((getattr(walk, name) < walk.whole / 2)[counts])
        # with a single place there is no other
        several.append((batch.lengths > 1).unsqueeze(1).expand_as(counts)[counts])
        swaps.append(_swapped(model, batch, len(source_vocabulary), longest, generator))
    fell = {name: torch.cat(parts) for name, parts in falls.items()}
    idle = ~fell["now"]
    changed, own, others, first = (sum(part) for part in zip(*swaps, strict=True))
    recurrent = not hasattr(model.decoder, "blocks")
    return Findings(
        len(pairs),
        len(idle),
        _share(fell["now"]),
        _share(fell["darkest"]),
        _share(fell["other"][torch.cat(several)]),
        changed,
        _of(own, changed),
        _of(others, changed),
        _of(first, changed) if recurrent else None,
        _share(fell["none"][idle]),
    )


def _batches(pairs: list, source: Vocabulary, target: Vocabulary) -> Iterator[Batch]:
    """Pairs of similar length together, padded."""
    by_length = sorted(pairs, key=lambda pair: len(source.split(pair.source)))
    for start in range(0, len(by_length), _BATCH):
        chosen = by_length[start : start + _BATCH]
        sources = [source.encode(pair.source) for pair in chosen]
        targets = pad([target.encode(pair.target, end=True) for pair in chosen])
        lengths = torch.tensor([len(row) for row in sources])
        yield Batch(pad(sources), lengths, targets)


def walked(model: nn.Module, batch: Batch, generator: torch.Generator) -> Walk:
    """Go through the right target, and compute at each step what p would be without some places."""
    decoder, (steps, width) = model.decoder, (batch.targets.shape[1], batch.sources.shape[1])
    memory = model.read(batch.sources, batch.lengths)
    state = blind = decoder.first_state(memory)
    at = memory.annotations.device
    everything = torch.ones(len(batch.sources), width, dtype=torch.bool, device=at)
    symbol = torch.full_like(batch.lengths, START)
    columns: list[list[Tensor]] = []
    for i in range(steps):
        embedded, right = decoder.embedding(symbol), batch.targets[:, i]

        def p(step, right=right) -> Tensor:
            logits = decoder.logits(step.state, step.context)
            return logits.softmax(dim=-1).gather(-1, right.unsqueeze(-1)).squeeze(-1)

        now = decoder.step(state, embedded, memory)
        none = _without(decoder, everything, blind, embedded, memory)
        most = now.weights.argmax(dim=-1)
        aside = 1 + _below(batch.lengths - 1, generator)
        both = (most, (most + aside) % batch.lengths)
        places = [nn.functional.one_hot(at, width).bool() for at in both]
        alone = [
            _without(decoder, left_out, state, embedded, memory)
            for left_out in (everything, *places)
        ]
        columns.append([p(now), p(none), *map(p, alone), now.weights])
        state, blind, symbol = now.state, none.state, right
    return Walk(*(torch.stack(column, dim=1) for column in zip(*columns, strict=True)))


def _without(decoder: nn.Module, places: Tensor, state, embedded: Tensor, memory):
    """One step without some places (batch source)."""
    with hiding(decoder, places.unsqueeze(1)):
        return decoder.step(state, embedded, memory)


@contextmanager
def hiding(decoder: nn.Module, places: Tensor) -> Iterator[None]:
    """The same decoder, from which some places (batch target source) are hidden.

    In a Transformer they are hidden from each head of each layer.
    """
    if not hasattr(decoder, "blocks"):
        with reweighted(decoder, lambda weights, _: hidden(weights, places)):
            yield
        return
    with ExitStack() as changes:
        for block in decoder.blocks:
            changes.enter_context(replaced(block.across, look=_looking(block.across, places)))
        yield


def _looking(attention: nn.Module, places: Tensor):
    """`MultiHeadAttention.look`, with some places hidden from every head."""
    look = attention.look

    def look_elsewhere(queries: Tensor, memory, readable: Tensor | None = None):
        _, weights = look(queries, memory, readable)
        by_head = places.unsqueeze(1).expand_as(weights)
        left = hidden(weights.flatten(0, 1), by_head.flatten(0, 1)).view_as(weights)
        context = (left @ memory.values).transpose(1, 2).flatten(2)
        return attention.output_projection(context), left

    return look_elsewhere


def _swapped(
    model: nn.Module, batch: Batch, symbols: int, longest: int, generator: torch.Generator
) -> tuple[int, int, int, int]:
    """Change one symbol of each source. How many answers change, and how many of these follow the
    changed place alone, all other places, and the first state?"""
    decoder, sources = model.decoder, batch.sources
    rows = torch.arange(len(sources), device=sources.device)
    at = _below(batch.lengths, generator)
    other = FIRST_SYMBOL + _below(torch.full_like(at, symbols - FIRST_SYMBOL), generator)
    changed = sources.clone()
    changed[rows, at] = other
    here, there = (model.read(texts, batch.lengths) for texts in (sources, changed))
    first, second = (decoder.first_state(memory) for memory in (here, there))
    own = nn.functional.one_hot(at, sources.shape[1]).bool()

    def answers(memory, state) -> Tensor:
        table = written(decoder, memory, state, longest)
        return nn.functional.pad(table, (0, longest - table.shape[1]), value=PADDING)

    before, after = answers(here, first), answers(there, second)
    new = (before != after).any(dim=1)
    trials = [
        answers(exchanged(here, there, own), first),
        answers(exchanged(here, there, ~own), first),
        answers(here, second),
    ]
    follow = [int(((trial == after).all(dim=1) & new).sum()) for trial in trials]
    return int(new.sum()), *follow


def _below(ends: Tensor, generator: torch.Generator) -> Tensor:
    """A random whole number below each end, or 0 where the end is 0."""
    drawn = torch.rand(ends.shape, generator=generator).to(ends.device)
    return (drawn * ends).long().clamp(max=(ends - 1).clamp(min=0))


def _share(fell: Tensor) -> Interval | None:
    return _of(int(fell.sum()), len(fell))


def _of(right: int, count: int) -> Interval | None:
    return share(right, count) if count else None
