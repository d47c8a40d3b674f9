"""A rival of the field: a joint n-gram model of pairs of strings, cut into pieces side by side.

    p(x, y)  = max_cuts Π_t p(g_t | g_{t-N+1} .. g_{t-1})   g_t: a piece of x beside a piece of y
    p(g | h) = max(c(h g) - D, 0) / c(h) + D n(h) / c(h) · p(g | h without its first piece)

                             Bisani & Ney 2008; Novak et al. 2016 (Phonetisaurus); Ney et al. 1994

A pair such as phone → f oʊ n is cut into ph:f, o:oʊ, n:n and e:nothing. Nobody says where to cut,
so expectation maximisation estimates how likely each piece is, and each pair is cut where the
product of its pieces is largest. The pieces are then the words of an n-gram model: c counts how
often a piece follows a history; below the longest histories, behind how many different pieces the
two stand (Kneser & Ney 1995). n is the number of different pieces that follow, D a discount. An
answer is the target of the likeliest cut beside the source, as far as a beam finds it.

Pieces come in the same order on both sides, so the model cannot turn anything round.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import nlargest
from math import log
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import pad

from attn_course.symbols import END, FIRST_SYMBOL, PADDING
from attn_course.tasks.corpus import ByLength
from attn_course.tasks.vocabulary import Vocabulary

SHAPES = (1, 0), (1, 1), (1, 2), (2, 1)  # of a piece: symbols of the source, and of the target
ORDER = 6  # N
BEAM = 20
ROUNDS = 8
MOST_CELLS = 1_000_000  # of the tables (source target) of all pairs that are read together
MOST_SYMBOLS = 50_000  # of one side, so that the number of a piece has at most 63 bits
MOST_ANSWERED = 40_000  # symbols of all sources that are to be answered
MOST_BESIDE = 20  # targets of one run of a source that a search tries, the commonest
_BATCH = 64
_NEVER = -1e9  # a logarithm; that of 0 has no derivative
_START, _STOP, _UNKNOWN = -1, -2, -3  # in place of the number of a piece

Piece = tuple[tuple[str, ...], tuple[str, ...]]
History = tuple[int, ...]
Column = dict[History, tuple[float, tuple[str, ...]]]


class Cuts(NamedTuple):
    """Pairs of the training, each as a row of pieces, which are numbered."""

    pieces: list[Piece]
    rows: list[list[int]]


# ---- cutting the pairs


def cut(corpus: ByLength, vocabularies: Sequence[Vocabulary]) -> Cuts:
    """The likeliest cuts; a pair whose target is more than twice as long as its source has none.

    Of a large corpus as many pairs are read as have `MOST_CELLS`. The same corpus gives the same
    cuts.
    """
    base, tables, sizes, cells = max(map(len, vocabularies)), [], [], 0
    for batch in corpus.batches(_BATCH, np.random.default_rng(0)):
        lengths = ((batch.targets != PADDING) & (batch.targets != END)).sum(dim=1)
        fits = lengths <= 2 * batch.sources.shape[1]
        if fits.any() and cells < MOST_CELLS and base <= MOST_SYMBOLS:
            targets = batch.targets[fits, : int(lengths.max())]
            tables.append(_codes(batch.sources[fits], targets, base))
            sizes.append(lengths[fits])
            cells += tables[-1][0].numel()
    if not tables:
        return Cuts([], [])
    codes, numbers = torch.cat([table.flatten() for table in tables]).unique(return_inverse=True)
    parts = numbers.split([table.numel() for table in tables])
    lattices = [
        (part.view(table.shape), size)
        for part, table, size in zip(parts, tables, sizes, strict=True)
    ]
    weights = _estimated(lattices, len(codes))
    rows = [row for lattice in lattices for row in _likeliest(*lattice, weights)]
    used = {number: at for at, number in enumerate(sorted(set(itertools.chain(*rows))))}
    pieces = [_piece(int(codes[number]), base, vocabularies) for number in used]
    return Cuts(pieces, [[used[number] for number in row] for row in rows])


def _codes(sources: Tensor, targets: Tensor, base: int) -> Tensor:
    """The piece of each shape that ends at a place, as one number; -1 where none can end.

    sources (pair n), targets (pair m) -> (shape pair n+1 m+1)
    """
    size = len(sources), sources.shape[1] + 1, targets.shape[1] + 1
    codes = torch.full((len(SHAPES), *size), -1)
    for table, (p, q) in zip(codes, SHAPES, strict=True):
        one, other = _runs(sources, p, base), _runs(targets, q, base)
        table[:, p:, q:] = one[:, :, None] * base**2 + other[:, None, :]
    return codes


def _runs(rows: Tensor, size: int, base: int) -> Tensor:
    """Each run of ``size`` symbols as one number below base²; no symbol is 0, which is PADDING."""
    count = max(rows.shape[1] - size + 1, 0)
    runs = torch.zeros((len(rows), count), dtype=torch.long)
    for at in range(size):
        runs = runs * base + rows[:, at : at + count]
    return runs


def _piece(code: int, base: int, vocabularies: Sequence[Vocabulary]) -> Piece:
    source, target = (
        tuple(vocabulary.symbols[number - FIRST_SYMBOL] for number in divmod(run, base) if number)
        for run, vocabulary in zip(divmod(code, base**2), vocabularies, strict=True)
    )
    return source, target


def _total(scores: Tensor, sizes: Tensor, join: Callable[[Tensor, int], Tensor]) -> Tensor:
    """ln of all cuts of each pair together, or of the likeliest where ``join`` is the maximum.

        F(j, i) = Σ_{p, q} F(j - p, i - q) w(the piece from there to (j, i))

    scores  ln w at each place, (shape pair n+1 m+1)
    """
    before = scores.new_full(scores.shape[1::2], _NEVER)
    columns = [before, before.clone()]
    columns[1][:, 0] = 0  # j = 0
    for weights in scores.unbind(2)[1:]:
        ways = [pad(columns[-p], (q, 0), value=_NEVER)[:, : before.shape[1]] for p, q in SHAPES]
        columns.append(join(torch.stack(ways) + weights, 0))
    return columns[-1].gather(1, sizes[:, None])[:, 0]


def _shares(
    numbers: Tensor, sizes: Tensor, weights: Tensor, join: Callable[[Tensor, int], Tensor]
) -> Tensor:
    """The probability that a cut has this piece at this place: d ln Σ / d ln w (Eisner 2016).

    Where ``join`` is the maximum, it is 1 along the likeliest cut, or shared among equals.
    """
    scores = weights[numbers].requires_grad_()
    (shares,) = torch.autograd.grad(_total(scores, sizes, join).sum(), scores)
    return shares


def _estimated(lattices: Sequence[tuple[Tensor, Tensor]], kinds: int) -> Tensor:
    """ln w of each piece, after expectation maximisation that begins with equal weights."""
    weights = torch.zeros(kinds, dtype=torch.float64)
    for _ in range(ROUNDS):
        counts = torch.zeros_like(weights)
        for numbers, sizes in lattices:
            shares = _shares(numbers, sizes, weights, torch.logsumexp)
            counts.index_put_((numbers,), shares, accumulate=True)
        weights = (counts / counts.sum()).log().clamp(min=_NEVER)
    return weights


def _likeliest(numbers: Tensor, sizes: Tensor, weights: Tensor) -> list[list[int]]:
    """The likeliest cut of each pair."""
    shares, rows = _shares(numbers, sizes, weights, torch.amax), []
    for row, size in enumerate(sizes.tolist()):
        j, i, pieces = numbers.shape[2] - 1, size, []
        while j:
            shape = int(shares[:, row, j, i].argmax())  # of equals, the first in SHAPES
            pieces.append(int(numbers[shape, row, j, i]))
            j, i = j - SHAPES[shape][0], i - SHAPES[shape][1]
        rows.append(pieces[::-1])
    return rows


# ---- a model of the pieces


class Following(NamedTuple):
    """What follows a history: its pieces with their counts, and the sum of these."""

    counts: Counter[int]
    total: int


class JointModel:
    """An n-gram model of pieces, and the search for an answer.

    cuts  what it counts; a `ValueError` if nothing is cut

    A history is a tuple of numbers of pieces.
    """

    def __init__(self, cuts: Cuts, order: int = ORDER):
        if not cuts.rows:
            raise ValueError("cuts must have a row or more")
        self.pieces = cuts.pieces
        tables = _counted(cuts.rows, order)
        self.discounts = [_discount(table) for table in tables]
        self.following = [
            {history: Following(counts, counts.total()) for history, counts in table.items()}
            for table in tables
        ]
        self.beside: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, _ in Counter(itertools.chain(*cuts.rows)).most_common():
            self.beside[self.pieces[number][0]].append(number)

    def known(self, history: History) -> History:
        """The longest end of a history that the training has; what was before it is forgotten."""
        history = history[max(0, len(history) - len(self.following) + 1) :]
        while history and history not in self.following[len(history)]:
            history = history[1:]
        return history

    def probability(self, number: int, history: History) -> float:
        """p(g | h) for a `known` history; that of all pieces and of the end together is 1."""
        shorter, even = history[1:], 1 / (len(self.pieces) + 1)
        lower = self.probability(number, shorter) if history else even
        counts, total = self.following[len(history)][history]
        discount = self.discounts[len(history)]
        return (max(counts[number] - discount, 0) + discount * len(counts) * lower) / total

    def answer(self, source: Sequence[str], beam: int = BEAM) -> tuple[str, ...]:
        """The likeliest target; a symbol that no piece has alone stays as it is.

        beam  how many beginnings are followed from each place of the source
        """
        begun = {self.known((_START,) * len(self.following)): (0.0, ())}
        columns: list[Column] = [begun, *({} for _ in source)]
        for j, column in enumerate(columns[:-1]):
            best = nlargest(beam, column.items(), key=lambda item: item[1][0])
            for number, size, target in self._beside(source, j):
                for history, (score, written) in best:
                    after = self.known((*history, number))
                    score += log(self.probability(number, history))
                    if after not in columns[j + size] or score > columns[j + size][after][0]:
                        columns[j + size][after] = score, written + target
        ended = [
            (score + log(self.probability(_STOP, history)), written)
            for history, (score, written) in columns[-1].items()
        ]
        return max(ended)[1]

    def _beside(self, source: Sequence[str], j: int) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """The pieces that may stand at a place: number, symbols of the source, target."""
        for size in (1, 2):
            run = tuple(source[j : j + size])
            numbers = self.beside.get(run, []) if len(run) == size else []
            for number in numbers[:MOST_BESIDE]:
                yield number, size, self.pieces[number][1]
            if size == 1 and not numbers:
                yield _UNKNOWN, 1, run


def _counted(rows: Sequence[Sequence[int]], order: int) -> list[dict[History, Counter[int]]]:
    """What follows each history, and how often, by the length of the history.

    Below the longest, how often is behind how many different pieces.
    """
    tables: list[dict[History, Counter[int]]] = [defaultdict(Counter) for _ in range(order)]
    for row in rows:
        whole = (*[_START] * (order - 1), *row, _STOP)
        for at in range(order - 1, len(whole)):
            tables[-1][whole[at - order + 1 : at]][whole[at]] += 1
    for longer, shorter in itertools.pairwise(tables[::-1]):
        for history, following in longer.items():
            shorter[history[1:]].update(following.keys())
    return tables


def _discount(table: Mapping[History, Counter[int]]) -> float:
    """D = n₁ / (n₁ + 2 n₂), of the pieces that follow once and twice.

    One more of each is counted, so that D is neither 0 nor 1.
    """
    often = Counter(itertools.chain.from_iterable(counts.values() for counts in table.values()))
    return (often[1] + 1) / (often[1] + 2 * often[2] + 3)
