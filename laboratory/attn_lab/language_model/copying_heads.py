"""Which heads of a language model copy what has stood before, and what feeds them?

The question. When random symbols come a second time, a language model foretells them. Olsson et al.
(2022) trace this to *induction heads*, which look at the symbol *after the earlier occurrence* of
the present one; and these need an earlier head that looks *one back*, so that each key tells what
stood before it (Elhage et al. 2021). Does all this hold in SmolLM2-135M, in 4 bits?

symbols   `COUNT` random symbols, twice, in `SEQUENCES` sequences. The `BEST` copying heads are
          those with the largest mean weight after the earlier occurrence in other sequences. They
          are replaced by zeros, by their means over those other sequences, or by what they found
          there; the controls are `DRAWS` draws of as many other heads of the same blocks, and as
          many drawn anywhere. Then the path: `FEEDS` alone at its mean, beside each of the 269
          other heads; and taken out of what `READERS` make their queries, keys or values from
gaps      other random symbols between the two copies: content, or distance?
pairs     keys with values, then the keys in a new order: is the right look a right answer?
runs      `RUN` such pairs, of which as many as `RUNS` stay together in their order: how much do the
          twelve heads look at the value, and how many answers are right?
moved     the keys of later blocks get what `FEEDS` wrote one place later, or earlier: do the look
          and the answer follow? The control: what another head of its block wrote
alone     each of the 270 heads at its mean, in `SINGLE` of the sequences
text      prose of this book: where is the loss that the heads take away?

A loss is in nats a symbol; "second" is that of all symbols of the second time but the first, which
nothing announces. "Behind" (after the earlier occurrence) and "one back" are mean weights; the
first symbol, where most weight of all kinds goes, never counts as one back. Blocks and heads count
from 0.

`EXPECTED` was written down after a pilot with other code and other sequences, and before this was
run; what is dated 2026-11-29 (runs and moved), after another. A seed redraws all symbols, the heads
of the controls, and the passages of text.
"""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from attn_course.models.language_file import Text
from attn_course.models.language_model import Changes, LanguageModel, Place
from attn_course.patching import Head, heads_replaced, recorded, taken_out, together
from attn_lab.experiment import SEEDS, declared, results_of
from attn_lab.language_model import language
from attn_lab.language_model.language import loaded_for, means_of, others_of_their_blocks
from attn_lab.reading_on import Reading

COUNT, SEQUENCES, SINGLE = 40, 3, 1
BEST, DRAWS, TEXT_DRAWS = 12, 20, 10
SOME, HALF = (1, 2, 4, 8), 0.5
FEEDS: Head = (16, 0)
READERS = (17, 18)
WATCHED: tuple[Head, ...] = ((17, 3), (18, 6))
BESIDE: tuple[Head, ...] = ((16, 1), (16, 4))
GAPS = (0, 1, 7, 40)
PAIRS = (4, 8, 16, 32)
RUNS, RUN = (1, 2, 4, 8, 32), 32
MOVES = {"as it is": 0, "one place later": -1, "one place earlier": 1}
OFFSETS = (0, 1, 2)  # from the earlier occurrence: where a look may go
FIRST_PLACE, MARGIN = 4, 8  # not moved: the first places; not asked: those at both ends
KINDS = ("pair", "symbol", "new")
RESULTS = results_of(__file__)


def measure(condition: str, seed: int) -> dict:
    """What the docstring of the module says of a condition, and the digest of the model's file."""
    model, text, digest = loaded_for(RESULTS)
    if condition == "text":
        return {"file": digest} | in_text(model, text, seed)
    return {"file": digest} | MEASURES[condition](model, np.random.default_rng([seed, 38]))


# ---- symbols


def twice(model: LanguageModel, rng: np.random.Generator, count: int, gap: int = 0) -> Tensor:
    """Random symbols, none of them twice; others; and the first again (sequence position)."""
    rows = []
    for _ in range(SEQUENCES):
        drawn = draw(model, rng, count + gap)
        rows.append([*drawn, *drawn[:count]])
    return torch.tensor(rows)


def draw(model: LanguageModel, rng: np.random.Generator, count: int) -> list[int]:
    """Different symbols of text."""
    first = min(language.CONTROL_SYMBOLS, model.shape.symbols - count)
    return (first + rng.permutation(model.shape.symbols - first)[:count]).tolist()


def second(count: int, gap: int = 0) -> slice:
    """The positions from which the second time is foretold, all but its first symbol."""
    return slice(count + gap, 2 * count + gap - 1)


def behind(weights: Tensor, count: int, gap: int = 0) -> Tensor:
    """Mean weight of each head after the earlier occurrence: (head)."""
    targets = torch.arange(count + gap, 2 * count + gap - 1)
    return weights[:, :, targets, targets - count - gap + 1].mean(dim=(0, 2))


def one_back(weights: Tensor) -> Tensor:
    """Mean weight of each head on the position before, but never on the first: (head)."""
    targets = torch.arange(2, weights.shape[-1])
    return weights[:, :, targets, targets - 1].mean(dim=(0, 2))


def table(reading: Reading, score: Callable[[Tensor], Tensor]) -> Tensor:
    """A score of all heads: (block head)."""
    return torch.stack([score(weights) for weights in reading.of("weights").values()])


def best(scores: Tensor, count: int) -> list[Head]:
    """The heads with the highest scores, the highest first."""
    order = scores.flatten().argsort(descending=True)[:count].tolist()
    return [divmod(index, scores.shape[1]) for index in order]


# ---- controls


def of_any_block(heads: list[Head], model: LanguageModel, rng: np.random.Generator) -> list[Head]:
    """As many other heads."""
    others = [head for head in all_heads(model) if head not in heads]
    return [others[i] for i in rng.permutation(len(others))[: len(heads)]]


def all_heads(model: LanguageModel) -> list[Head]:
    """By block and head."""
    return [(b, h) for b in range(model.shape.blocks) for h in range(model.shape.heads)]


# ---- the measures


def in_symbols(model: LanguageModel, rng: np.random.Generator) -> dict:
    """Scores and losses of random symbols that come twice.

    first, second        losses
    behind, one back     the scores of all heads, on the sequences that are tested
    best                 the copying heads, chosen on other sequences
    best again           how many of them are among the best on those that are tested
    zero, mean, another  loss of the second time with all of them replaced
    same blocks          the same for each draw of other heads, by how they are replaced
    anywhere             by mean, for each draw from all other heads
    drawn                the heads of these draws
    fewer                by mean, with the best 1, 2, 4, 8
    path                 see `path`
    rivals               by mean, each other head of block 16, and each that looks one back
    """
    chosen_on = Reading(model, twice(model, rng, COUNT), ("weights", "found"))
    reading = Reading(model, twice(model, rng, COUNT), ("weights",))
    heads = best(table(chosen_on, partial(behind, count=COUNT)), BEST)
    scores = {
        "behind": table(reading, partial(behind, count=COUNT)),
        "one back": table(reading, one_back),
    }
    same = [others_of_their_blocks(heads, rng, model.shape.heads) for _ in range(DRAWS)]
    anywhere = [of_any_block(heads, model, rng) for _ in range(DRAWS)]
    means = means_seen(chosen_on)
    ways = {"zero": None, "mean": means, "another": chosen_on.of("found")}

    def loss(heads: Iterable[Head], by: dict | None = means) -> float:
        return reading.losses(heads_replaced(model, heads, by), second(COUNT)).mean().item()

    return {
        "first": reading.losses(at=slice(0, COUNT - 1)).mean().item(),
        "second": reading.losses(at=second(COUNT)).mean().item(),
        **{name: table.tolist() for name, table in scores.items()},
        "best": heads,
        "best again": len({*heads} & {*best(scores["behind"], BEST)}),
        **{name: loss(heads, by) for name, by in ways.items()},
        "fewer": {str(count): loss(heads[:count]) for count in SOME},
        "path": path(reading, means),
        "rivals": {_name(head): loss([head]) for head in rivals(scores["one back"])},
        "same blocks": {name: [loss(some, by) for some in same] for name, by in ways.items()},
        "anywhere": [loss(some) for some in anywhere],
        "drawn": anywhere,
    }


def means_seen(reading: Reading) -> dict[Place, Tensor]:
    """What each head finds on average, over texts and positions."""
    return {place: part.mean((0, 2), keepdim=True) for place, part in reading.of("found").items()}


def rivals(scores: Tensor) -> list[Head]:
    """The other heads of the block of `FEEDS`, and those with more than `HALF` one back."""
    block = [(FEEDS[0], head) for head in range(scores.shape[1])]
    looking = [(b, h) for b, h in (scores > HALF).nonzero().tolist()]
    return [head for head in dict.fromkeys([*block, *looking]) if head != FEEDS]


def singly(model: LanguageModel, rng: np.random.Generator) -> dict:
    """What each head alone adds to the loss of the second time, at its mean."""
    chosen_on = Reading(model, twice(model, rng, COUNT), ("found",))
    reading = Reading(model, twice(model, rng, COUNT)[:SINGLE])
    return {"alone": each_alone(reading, means_seen(chosen_on))}


def each_alone(reading: Reading, means: dict[Place, Tensor]) -> list[list[float]]:
    """What each head adds to the loss of the second time, at its mean (block head)."""
    heads, plain = reading.model.shape.heads, reading.losses(at=second(COUNT))
    costs = [
        (reading.losses(heads_replaced(reading.model, [head], means), second(COUNT)) - plain).mean()
        for head in all_heads(reading.model)
    ]
    return torch.stack(costs).view(-1, heads).tolist()


def path(reading: Reading, means: dict[Place, Tensor]) -> dict:
    """What `FEEDS` and the heads `BESIDE` it give to `READERS`, and by which way.

    For each head the loss of the second time, and how the heads `WATCHED` then score: at its mean
    for all later blocks; and taken out of what the readers make their queries, keys, values from.
    """
    model = reading.model
    return {
        _name(head): {
            "mean": _weights_of(reading, heads_replaced(model, [head], means)),
            **{
                part.removeprefix("for "): _weights_of(
                    reading, taken_out(model, head, part, READERS, means["found", head[0]])
                )
                for part in ("for queries", "for keys", "for values")
            },
        }
        for head in (FEEDS, *BESIDE)
    }


def _weights_of(reading: Reading, changes: Changes) -> dict:
    """The loss of the second time with changes, and the scores of the heads that are watched."""
    parts: dict[int, Tensor] = {}
    looks = {
        ("weights", block): lambda part, block=block: parts.setdefault(block, part)
        for block, _ in WATCHED
    }
    loss = reading.losses(together(changes, looks), second(COUNT)).mean().item()
    scores = {_name((b, h)): behind(parts[b], COUNT)[h].item() for b, h in WATCHED}
    return {"loss": loss} | scores


def with_gaps(model: LanguageModel, rng: np.random.Generator) -> dict:
    """Loss of the second time and scores of the heads watched, by the number between the copies."""
    numbers: dict[str, dict] = {"second": {}, **{_name(head): {} for head in WATCHED}}
    for gap in GAPS:
        symbols = twice(model, rng, COUNT, gap)
        weights = recorded(model, symbols, [("weights", block) for block, _ in WATCHED])
        loss = Reading(model, symbols).losses(at=second(COUNT, gap)).mean().item()
        numbers["second"][str(gap)] = loss
        for block, head in WATCHED:
            score = behind(weights["weights", block], COUNT, gap)[head].item()
            numbers[_name((block, head))][str(gap)] = score
    return numbers


def in_pairs(model: LanguageModel, rng: np.random.Generator) -> dict:
    """Keys with values, and the keys again, each with its value, in a new order.

    right   the share of values that the model finds, by the number of pairs
    loss    of the values
    weight  on the value where it first stood, of the heads watched
    """
    numbers: dict[str, dict] = {"right": {}, "loss": {}, **{_name(head): {} for head in WATCHED}}
    for count in PAIRS:
        reading, right, looks = answered(model, rng, count)
        numbers["right"][str(count)] = right
        numbers["loss"][str(count)] = reading.losses(at=slice(2 * count, None, 2)).mean().item()
        for head in WATCHED:
            numbers[_name(head)][str(count)] = looks(head)
    return numbers


def answered(
    model: LanguageModel, rng: np.random.Generator, count: int, run: int = 1
) -> tuple[Reading, float, Callable[[Head], float]]:
    """Pairs in a new order, as they are read, and the share of values that the model finds.

    The last is a function of a head: its mean weight on the value where it first stood.
    """
    symbols, orders = pairs_in_a_new_order(model, rng, count, run)
    reading, targets = Reading(model, symbols, ("weights",)), slice(2 * count, None, 2)
    answers = reading.logits(at=targets).argmax(dim=-1)
    right = (answers == symbols[:, 2 * count + 1 :: 2]).double().mean().item()
    there = (2 * orders + 1).unsqueeze(-1)

    def looks(head: Head) -> float:
        rows = reading.seen["weights", head[0]][:, head[1], targets]
        return rows.gather(-1, there).mean().item()

    return reading, right, looks


def pairs_in_a_new_order(
    model: LanguageModel, rng: np.random.Generator, count: int, run: int = 1
) -> tuple[Tensor, Tensor]:
    """The symbols (sequence position), and which pair is asked for when (sequence pair).

    Runs of as many pairs as ``run`` keep their own order.
    """
    rows, orders = [], []
    for _ in range(2 * SEQUENCES):
        pairs = np.reshape(draw(model, rng, 2 * count), (count, 2))
        orders.append(rng.permutation(np.arange(count).reshape(-1, run)).ravel())
        rows.append(np.concatenate([pairs, pairs[orders[-1]]]).ravel())
    return torch.tensor(np.array(rows)), torch.tensor(np.array(orders))


def in_runs(model: LanguageModel, rng: np.random.Generator) -> dict:
    """Pairs again in a new order of runs, by how many pairs a run has.

    right  the share of values that the model finds
    looks  the mean weight on the value of each of the `BEST` heads, by the name of the head
    """
    chosen_on = Reading(model, twice(model, rng, COUNT), ("weights",))
    heads = best(table(chosen_on, partial(behind, count=COUNT)), BEST)
    numbers: dict[str, dict] = {"right": {}, "looks": {}}
    for run in RUNS:
        _, numbers["right"][str(run)], looks = answered(model, rng, RUN, run)
        numbers["looks"][str(run)] = {_name(head): looks(head) for head in heads}
    return numbers


def moved(model: LanguageModel, rng: np.random.Generator) -> dict:
    """What the keys of `READERS`, or of all later blocks, get of `FEEDS` is moved by a place.

    By whose writing and which blocks, and by which of `MOVES`, for each of `OFFSETS`: how much of
    its weight each head of `WATCHED` gives to the place so far behind the earlier occurrence, and
    of the symbol there its mean loss, and the share of places at which it is first choice. What
    says *the present symbol stood one back* comes to stand at that symbol itself if it is moved one
    place later, and two places behind it if it is moved one place earlier.
    """
    symbols = twice(model, rng, COUNT)
    reading = Reading(model, symbols, ("found",))
    targets = slice(COUNT + MARGIN, 2 * COUNT - MARGIN)
    later = range(READERS[0], model.shape.blocks)
    numbers: dict[str, dict] = {}
    for name, head, readers in (
        ("two blocks", FEEDS, READERS),
        ("all later", FEEDS, later),
        ("beside", BESIDE[0], later),
    ):
        wrote, numbers[name] = written_by(reading, head), {}
        for how, by in MOVES.items():
            new = wrote.roll(by, dims=1)[:, FIRST_PLACE:COUNT] - wrote[:, FIRST_PLACE:COUNT]
            added = torch.zeros_like(wrote)
            added[:, FIRST_PLACE:COUNT] = new
            looks: dict[int, Tensor] = {}
            changes = together(
                {("for keys", block): partial(torch.add, added) for block in readers},
                {("weights", block): partial(looks.setdefault, block) for block, _ in WATCHED},
            )
            chances = reading.logits(changes, targets).log_softmax(dim=-1)
            numbers[name][how] = {
                str(offset): _at_offset(symbols, looks, chances, offset) for offset in OFFSETS
            }
    return numbers


def written_by(reading: Reading, head: Head) -> Tensor:
    """W_o^h c_h, what one head adds (sequence position size)."""
    block, number = head
    part = reading.model.shape.part
    matrix = reading.model.blocks[block].output_projection.weight
    return reading.seen["found", block][:, number] @ matrix[:, number * part :][:, :part].T


def _at_offset(
    symbols: Tensor, looks: dict[int, Tensor], chances: Tensor, offset: int
) -> dict[str, float]:
    targets = torch.arange(COUNT + MARGIN, 2 * COUNT - MARGIN)
    there = targets - COUNT + offset
    wanted = symbols[:, there].unsqueeze(-1)
    return {
        "loss": -chances.gather(-1, wanted).mean().item(),
        "first": (chances.argmax(dim=-1) == wanted[..., 0]).double().mean().item(),
        **{_name((b, h)): looks[b][:, h, targets, there].mean().item() for b, h in WATCHED},
    }


def in_text(model: LanguageModel, text: Text, seed: int) -> dict:
    """What the copying heads are worth in prose, by the `kinds` of what follows.

    count         how many symbols of each kind there are
    plain, heads  their mean loss, as it is and with the copying heads at their means
    draws         the same with each draw of other heads of the same blocks

    The heads are chosen on random symbols; means are those of other passages.
    """
    rng = np.random.default_rng([seed, 38])
    chosen_on = Reading(model, twice(model, rng, COUNT), ("weights",))
    heads = best(table(chosen_on, partial(behind, count=COUNT)), BEST)
    draws = [others_of_their_blocks(heads, rng, model.shape.heads) for _ in range(TEXT_DRAWS)]
    means = means_of(model, together_in_pairs(text, (seed + 1) % len(SEEDS))[:1])
    losses: list[list[Tensor]] = [[] for _ in range(2 + TEXT_DRAWS)]
    of_kind: list[str] = []
    for row in together_in_pairs(text, seed):
        reading = Reading(model, row.unsqueeze(0))
        of_kind += kinds(row.tolist())
        for values, some in zip(losses, [[], heads, *draws], strict=True):
            values.append(reading.losses(heads_replaced(model, some, means))[0, :-1])
    names = np.array(of_kind)
    plain, ours, *others = [
        {kind: float(array[names == kind].mean()) for kind in KINDS}
        for array in (torch.cat(values).numpy() for values in losses)
    ]
    count = {kind: int((names == kind).sum()) for kind in KINDS}
    return {"count": count, "plain": plain, "heads": ours, "draws": others}


def together_in_pairs(text: Text, seed: int) -> Tensor:
    """The passages of a seed as two long texts, cut to one length (text position)."""
    chosen = language.passages("prose", seed)
    rows = [text.read("\n\n".join(chosen[which::2]))[0] for which in (0, 1)]
    return torch.stack([row[: min(map(len, rows))] for row in rows])


def kinds(symbols: list[int]) -> list[str]:
    """Of each symbol but the first: does its *pair* with the one before stand earlier in the text,
    the *symbol* alone, or is it *new*?
    """
    pairs = list(pairwise(symbols))
    return [
        "pair" if pair in pairs[:i] else "symbol" if pair[1] in symbols[: i + 1] else "new"
        for i, pair in enumerate(pairs)
    ]


def _name(head: Head) -> str:
    return "{}.{}".format(*head)


MEASURES = {
    "symbols": in_symbols,
    "gaps": with_gaps,
    "pairs": in_pairs,
    "runs": in_runs,
    "moved": moved,
    "alone": singly,
}


# ---- what was expected


def results(number: str, condition: str = "symbols") -> list:
    """One number of a condition, by seed."""
    return EXPERIMENT.results(number)[condition]


def added(number: str) -> np.ndarray:
    """How much the loss of the second time grows, by seed."""
    return EXPERIMENT.of(number, "symbols") - results("second")


def same_blocks(name: str = "mean") -> np.ndarray:
    """How much it grows with each draw of heads of the same blocks (seed draw)."""
    return EXPERIMENT.of("same blocks", "symbols", at=[name]) - np.array(results("second"))[:, None]


def anywhere() -> np.ndarray:
    """How much it grows with each draw of heads of any block, at their means (seed draw)."""
    return np.array(results("anywhere")) - np.array(results("second"))[:, None]


def alone() -> np.ndarray:
    """How much it grows with each head alone at its mean (seed block head)."""
    return EXPERIMENT.of("alone", "alone")


def taken(head: Head, name: str, number: str = "loss") -> np.ndarray:
    """A number of `path` by seed; of the loss, by how much it grows."""
    values = EXPERIMENT.of("path", "symbols", at=[_name(head), name, number])
    return values - results("second") if number == "loss" else values


def _others() -> np.ndarray:
    """What each head but `FEEDS` costs alone (seed block head)."""
    costs = alone()
    costs[(..., *FEEDS)] = 0
    return costs


def _rival(*, of_block: bool) -> np.ndarray:
    """What the dearest rival costs: of block 16, or of those that look one back; by seed."""
    dearest = [
        max(loss for name, loss in costs.items() if name.startswith("16.") == of_block)
        for costs in results("rivals")
    ]
    return np.subtract(dearest, results("second"))


def _only_with_it() -> list:
    """Whether all draws anywhere that cost more than 2 nats have `FEEDS` among them."""
    pairs = zip(anywhere(), results("drawn"), strict=True)
    return [
        all(list(FEEDS) in some for cost, some in zip(costs, draws, strict=True) if cost > 2)
        for costs, draws in pairs
    ]


def _by_pairs(number: str) -> np.ndarray:
    """(seed count)"""
    return np.array([[*runs.values()] for runs in results(number, "pairs")])


def text_cost(kind: str) -> np.ndarray:
    """What the twelve heads cost in prose, at one of the `kinds` of symbols, by seed."""
    heads, plain = (EXPERIMENT.of(number, "text", at=[kind]) for number in ("heads", "plain"))
    return heads - plain


def text_draws(kind: str) -> np.ndarray:
    """The same for each draw of other heads of their blocks (seed draw)."""
    draws = [[losses[kind] for losses in run] for run in results("draws", "text")]
    return np.array(draws) - EXPERIMENT.of("plain", "text", at=[kind])[:, None]


def run_looks(run: int, *, late: bool) -> np.ndarray:
    """The mean look at the value, of those of the twelve in later blocks than `READERS`, or not."""
    return np.array(
        [
            np.mean([look for name, look in looks[str(run)].items() if _is_late(name) == late])
            for looks in results("looks", "runs")
        ]
    )


def _is_late(name: str) -> bool:
    return int(name.partition(".")[0]) > READERS[-1]


def run_right(run: int) -> np.ndarray:
    """The share of values that are right, by seed."""
    return EXPERIMENT.of("right", "runs", at=[str(run)])


def at_offset(
    number: str, how: str, offset: int | None = None, readers: str = "all later"
) -> np.ndarray:
    """A number of `moved` by seed, where the look should go unless another offset is given."""
    offset = 1 + MOVES[how] if offset is None else offset
    return EXPERIMENT.of(readers, "moved", at=[how, str(offset), number])


def moves(number: str, readers: str = "all later") -> tuple[np.ndarray, np.ndarray]:
    """At the place where each move should lead: as it is, and moved (move seed)."""
    moves = [(how, 1 + by) for how, by in MOVES.items() if by]
    cases = [(at_offset(number, "as it is", at, readers), how) for how, at in moves]
    plain, after = zip(
        *((label, at_offset(number, how, None, readers)) for label, how in cases), strict=True
    )
    return np.stack(plain), np.stack(after)


EXPECTED = """
2026-11-27

Random symbols cost more than 12 nats the first time and less than 3 the second.
    (of("first", "symbols") > 12) & (of("second", "symbols") < 3)

Twelve heads chosen on other sequences carry it: replaced by zeros, by their means or by another
run, they cost more than 5 nats; twelve others of the same blocks, less than 1.5 in every draw.
    by zero: added("zero") > 5
    by mean: added("mean") > 5
    by another: added("another") > 5
    others: every((same_blocks(way) < 1.5).all(axis=1) for way in ("zero", "mean", "another"))

Drawn anywhere, twelve others cost less than half a nat in the median at their means; some draw
costs more than 3; and every draw that costs more than 2 has (16, 0) in it.
    median: np.median(anywhere(), axis=1) < 0.5
    tail: anywhere().max(axis=1) > 3
    that head: _only_with_it()

The best one, two, four and eight of them cost more and more, by their means.
    [np.all(np.diff([*one.values()]) > 0) for one in results("fewer")]

Of all 270 heads, (16, 0) alone at its mean costs most, and more than 3 nats; every other head that
looks one back (more than half of its weight) costs less than half a nat, and so does every other
head of block 16.
    more than 3: taken(FEEDS, "mean") > 3
    most: alone()[(..., *FEEDS)] > _others().max((1, 2))
    one back: _rival(of_block=False) < 0.5
    block 16: _rival(of_block=True) < 0.5

It goes through the keys: taken out of what blocks 17 and 18 make their keys from, (16, 0) costs
more than 4 nats, and (17, 3) then scores less than .1; out of the queries, or the values, less than
1; and (16, 1) and (16, 4) less than half a nat out of each.
    keys: (taken(FEEDS, "keys") > 4) & (taken(FEEDS, "keys", "17.3") < 0.1)
    queries: taken(FEEDS, "queries") < 1
    values: taken(FEEDS, "values") < 1
    controls: every(taken(head, way) < 0.5 for head in BESIDE
        for way in ("queries", "keys", "values"))

By content, not by distance: a gap of 7 changes the score of (18, 6) by less than .1, and a gap of
40 by less than .15; a gap of 7 costs less than 1 nat.
    a gap of 7: abs(of("18.6", "gaps", at=["7"]) - of("18.6", "gaps", at=["0"])) < 0.1
    of 40: abs(of("18.6", "gaps", at=["40"]) - of("18.6", "gaps", at=["0"])) < 0.15
    the loss: of("second", "gaps", at=["7"]) - of("second", "gaps", at=["0"]) < 1

A right look is no right answer: of pairs in a new order, (18, 6) has more than .4 of its weight on
the value, whatever their number, and fewer than 35 in 100 are right.
    the look: (_by_pairs("18.6") > 0.4).all(axis=1)
    the answer: (_by_pairs("right") < 0.35).all(axis=1)

In prose, the twelve heads at their means cost more than .15 nats where a pair of symbols comes
again, which is more than in any of the draws of the same blocks; where a symbol follows that is
new, or was seen without this pair, less than .1.
    a pair again: text_cost("pair") > 0.15
    more than draws: text_cost("pair") > text_draws("pair").max(axis=1)
    elsewhere: (text_cost("symbol") < 0.1) & (text_cost("new") < 0.1)

2026-11-29

In a new order, pair by pair, those of the twelve heads that stand in blocks 17 and 18 keep six
tenths or more of the look that they have in the old order; those of later blocks keep half or less.
The longer the runs, the more both look and the more answers are right; with runs of 8 the share is
at least .8 of that in the old order.
    early: run_looks(1, late=False) >= 0.6 * run_looks(RUN, late=False)
    late: run_looks(1, late=True) <= 0.5 * run_looks(RUN, late=True)
    more: np.all([np.diff([number(run) for run in RUNS[:4]], axis=0) > 0
        for number in (partial(run_looks, late=False), partial(run_looks, late=True), run_right)],
        axis=(0, 1))
    answers: run_right(8) >= 0.8 * run_right(RUN)

Moved by one place for the keys of all later blocks, what (16, 0) wrote takes the look of (18, 6)
along: it has .4 or more where the story says, and had less than .1 there. The loss of the symbol
there falls by 2 nats or more, but it is first choice for fewer than 15 in 100. What (16, 1) wrote,
moved likewise, changes the look by less than .1.
    the look: ((moves("18.6")[1] >= 0.4) & (moves("18.6")[0] < 0.1)).all(axis=0)
    the loss: (np.subtract(*moves("loss")) >= 2).all(axis=0)
    the answer: (moves("first")[1] < 0.15).all(axis=0)
    another head: (abs(np.subtract(*moves("18.6", "beside"))) < 0.1).all(axis=0)
"""


PLAN = [(["symbols", "gaps", "pairs", "text", "alone", "runs", "moved"], SEEDS)]
EXPERIMENT = declared(__name__, measure, PLAN)
