"""Search: find the target that a model considers likely for a source."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor, nn

from attn_course._rows import softmax
from attn_course._signature import checked, unchecked
from attn_course._values import Count, between
from attn_course.models._modules import SeesParts
from attn_course.models.decoder import Memory, Writer
from attn_course.symbols import END, PADDING, START
from attn_course.tasks.corpus import pad
from attn_course.tasks.vocabulary import Vocabulary

# alpha or coverage, which Wu et al. found to be best around 0.2
Strength = Annotated[float, between(0, 10)]


@runtime_checkable
class Model(Protocol, metaclass=SeesParts):
    """What a search needs of a model, which is a module too: a `Translator`, or several at once."""

    @property
    def decoder(self) -> Writer:
        """The decoder, which writes."""
        ...

    def read(self, sources: Tensor, lengths: Tensor) -> Any:
        """The memory that the decoder is given."""
        ...

    def parameters(self) -> Iterator[nn.Parameter]:
        """The parameters of the module; they say on which device it is."""
        ...

    def __call__(self, sources: Tensor, lengths: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and weights of each step, given the right symbols before it."""
        ...


class Answer(NamedTuple):
    """What a model wrote for one source.

    text           the target, without its end symbol
    weights        (target source) where it looked for each symbol of the text
    probabilities  (target) the probability that it gave to each symbol of the text
    """

    text: str
    weights: np.ndarray
    probabilities: np.ndarray


@checked
def greedy(
    model: Model, sources: Tensor, lengths: Tensor, longest: Count = 32
) -> tuple[Tensor, Tensor, Tensor]:
    """Take the likeliest symbol at each step, until every target of the batch has ended.

        y_i = argmax_y p(y | y_1 .. y_{i-1}, x)

    The likeliest *symbols*, one by one, do not always make the likeliest *target*: a poor choice
    cannot be undone. `beam` keeps several candidates.

    sources (batch source), lengths (batch), on any device; at most ``longest`` steps.
    Returns symbols (batch target), padding after the end; weights (batch target source);
    probabilities (batch target) of the symbols chosen.
    """
    with torch.inference_mode():
        steps = list(_likeliest(model, sources, lengths, longest))
    symbols, weights, probabilities = zip(*steps, strict=True)
    return (  # stacked outside of inference mode, since a gradient could not use what is made there
        torch.stack(symbols, dim=1),
        torch.stack(weights, dim=1),
        torch.stack(probabilities, dim=1),
    )


def _likeliest(
    model: Model, sources: Tensor, lengths: Tensor, longest: int
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """The likeliest symbol of each step, where the model looked for it, and its probability."""
    decoder = model.decoder
    memory = model.read(sources, lengths)
    state = decoder.first_state(memory)
    at = next(model.parameters(), lengths).device
    symbol = torch.full_like(lengths, START, dtype=torch.long, device=at)
    ended = torch.zeros_like(symbol, dtype=torch.bool)
    for _ in range(longest):
        with unchecked():  # all steps are alike
            state, context, looked = decoder.step(state, decoder.embedding(symbol), memory)
        likeliest = softmax(decoder.logits(state, context)).max(dim=-1)
        symbol = likeliest.indices.masked_fill(ended, PADDING)
        yield symbol, looked, likeliest.values
        ended = ended | (symbol == END)
        if ended.all():
            return


class Hypothesis(NamedTuple):
    """One target that beam search has found for a source.

    symbols          its numbers, without START, END and padding
    log_probability  ln p(symbols, END | source); without END if the search ran out of steps
    score            what hypotheses are ranked by
    weights          (target source) where the model looked for each of the symbols
    """

    symbols: list[int]
    log_probability: float
    score: float
    weights: np.ndarray


class _Live(NamedTuple):
    """The unfinished hypotheses of all sources; ``beam`` counts those of one source.

    sums     (batch beam)              their log-probabilities, -infinity where there is none
    symbols  (batch beam step)         what they have written
    weights  (batch beam step source)  where the model looked for each symbol
    """

    sums: Tensor
    symbols: Tensor
    weights: Tensor


@checked
@torch.inference_mode()
def beam(
    model: Model,
    sources: Tensor,
    lengths: Tensor,
    beams: Count = 5,
    longest: Count = 32,
    alpha: Strength = 0.0,
    coverage: Strength = 0.0,
) -> list[list[Hypothesis]]:
    """Keep the ``beams`` likeliest beginnings at each step, and rank the targets that have ended.

        s(Y, X) = ln P(Y | X) / lp(Y) + cp(X, Y)            Wu et al. 2016, equation 14
        lp(Y)   = ((5 + |Y|) / (5 + 1))^alpha
        cp(X, Y) = coverage · Σ_j ln min(Σ_i α_ij, 1)

    A longer target has a smaller probability, so without ``alpha`` the search prefers short ones;
    ``coverage`` lowers the score of a target that leaves positions of the source unread. Both
    change only the ranking of what has ended; which beginnings live on is decided by their
    probability alone. A wider beam finds likelier targets, but these are not always better: the
    model itself may consider a target that is too short the likelier one.

    A beginning may end where END is among its ``beams`` likeliest symbols, so with one beam and
    alpha = coverage = 0 this is greedy search, except that PADDING and START are never written.
    Their share is not given to the other symbols. The search for a source stops when no beginning
    can still overtake the ``beams`` best. With as many beams as there are strings it is exact.

    sources (batch source), lengths (batch), on any device; at most ``longest`` steps, END
    included; alpha and coverage from 0 to 10. |Y| and Σ_i count the symbols without END.
    Returns for each source at most ``beams`` hypotheses, the best first. Hypotheses that have not
    ended after ``longest`` steps are returned only if none has.
    """
    ranking = _Ranking(beams, alpha, coverage)
    decoder, batch = model.decoder, len(sources)
    memory = model.read(sources, lengths)
    state = decoder.first_state(memory)
    at = next(model.parameters(), lengths).device
    sizes: list[int] = lengths.tolist()
    precise = torch.float32 if at.type == "mps" else torch.float64  # which that GPU lacks
    live = _Live(
        torch.zeros(batch, 1, dtype=precise, device=at),
        torch.zeros(batch, 1, 0, dtype=torch.long, device=at),
        torch.zeros(batch, 1, 0, sources.shape[1], device=at),
    )
    symbol = torch.full_like(lengths, START, dtype=torch.long, device=at)
    ended: list[list[Hypothesis]] = [[] for _ in range(batch)]
    for _ in range(longest):
        with unchecked():  # all steps are alike
            state, context, looked = decoder.step(state, decoder.embedding(symbol), memory)
        logs = decoder.logits(state, context).to(precise).log_softmax(dim=-1)
        logs = logs.view(*live.sums.shape, -1)
        logs[..., [PADDING, START]] = -math.inf
        may_end = (logs > logs[..., END, None]).sum(dim=-1) < beams
        whole = (live.sums + logs[..., END]).masked_fill(~may_end, -math.inf)
        for b, closed in enumerate(ranking.rank(live._replace(sums=whole), sizes)):
            ended[b] = ranking.best(ended[b] + closed)
        live, parents = _extended(live, logs, looked, beams)
        likeliest: list[float] = live.sums.amax(dim=1).tolist()
        settled = [ranking.settled(*pair, longest) for pair in zip(ended, likeliest, strict=True)]
        live.sums[settled] = -math.inf
        if all(settled):
            break
        if len(parents) != len(symbol):  # otherwise each row stays with its source
            memory = _rows(memory, parents)
        state, symbol = _rows(state, parents), live.symbols[..., -1].flatten()
    running = ranking.rank(live, sizes)
    return [closed or ranking.best(rest) for closed, rest in zip(ended, running, strict=True)]


class Best(NamedTuple):
    """What `exact` has found for a source.

    hypothesis  the likeliest of all targets, if it is ``proved``
    visited     how many beginnings were continued by every symbol
    proved      whether nothing is left that could be likelier; False if the search reached its
                limit, or if nothing ended within its steps
    """

    hypothesis: Hypothesis
    visited: int
    proved: bool


@checked
@torch.inference_mode()
def exact(
    model: Model,
    sources: Tensor,
    lengths: Tensor,
    longest: Count = 32,
    beams: Count = 5,
    most: Count = 10_000,
) -> list[Best]:
    """The likeliest target of all: cut a beginning only if none of its continuations can win.

        ln p(y_1 .. y_i | x) = ln p(y_1 .. y_{i-1} | x) + ln p(y_i | y_1 .. y_{i-1}, x)

    No term is above 0, so the sum only falls: a beginning that is no likelier than a target which
    has ended cannot become the likeliest. The best of a `beam` is the first target to beat. This is
    branch and bound, as Stahlberg and Byrne 2019 do it for translation. They go depth first; here
    all beginnings of one length are continued together, which is faster and needs more memory.

    sources (batch source), lengths (batch), on any device; at most ``longest`` steps, END included.
    Like a beam it never writes PADDING or START. A source for which more than ``most`` beginnings
    would have to be continued keeps the best so far, which is then not ``proved``.
    """
    ranked = beam(model, sources, lengths, beams, longest)
    rows = zip(sources, lengths.tolist(), ranked, strict=True)
    return [
        _likelier(model, source[None, :length], hypotheses[0], longest, most)
        for source, length, hypotheses in rows
    ]


def _likelier(model: Model, source: Tensor, best: Hypothesis, longest: int, most: int) -> Best:
    """The likeliest target of one source (1 source), where ``best`` is the first to beat."""
    decoder = model.decoder
    memory = model.read(source, torch.tensor([source.shape[1]]))
    state = decoder.first_state(memory)
    at = next(model.parameters(), source).device
    sums = torch.zeros(1, dtype=torch.float64, device=at)
    symbols = torch.full((1, 1), START, device=at)  # (beginning step)
    weights = torch.zeros(1, 0, source.shape[1], device=at)
    bound = best.log_probability if len(best.symbols) < longest else -math.inf  # without END
    visited = 0
    for _ in range(longest):
        visited += len(sums)
        if visited > most:
            return Best(best, visited - len(sums), proved=False)
        with unchecked():  # all steps are alike
            state, context, looked = decoder.step(state, decoder.embedding(symbols[:, -1]), memory)
        logs = decoder.logits(state, context).double().log_softmax(dim=-1)
        logs[:, [PADDING, START]] = -math.inf
        totals = sums[:, None] + logs
        total, row = totals[:, END].max(dim=0)
        if total > bound:
            bound = total.item()
            best = Hypothesis(symbols[row, 1:].tolist(), bound, bound, weights[row].cpu().numpy())
        totals[:, END] = -math.inf
        rows, written = (totals > bound).nonzero(as_tuple=True)
        if not len(rows):
            break
        sums = totals[rows, written]
        symbols = torch.cat([symbols[rows], written[:, None]], dim=1)
        weights = torch.cat([weights[rows], looked[rows, None]], dim=1)
        memory, state = _rows(memory, rows), _rows(state, rows)
    return Best(best, visited, proved=bound > -math.inf)


@checked
def answer(
    model: Model,
    texts: Sequence[str],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    *,
    batch_size: Count = 256,
    longest: Count = 32,
    beams: Count = 1,
) -> list[Answer]:
    """The model's answer to each text, in the order of the texts: greedy, or the best of a `beam`.

    Texts of similar length are read together. This saves time and does not change the answers,
    since padding is hidden. An empty text is a ValueError.
    """
    empty = [index for index, text in enumerate(texts) if not text]
    if empty:
        raise ValueError(f"text {empty[0]} is empty: a source needs at least 1 symbol")
    at = next(model.parameters()).device
    answers: dict[int, Answer] = {}
    sources = [source_vocabulary.encode(text) for text in texts]
    by_length = sorted(range(len(texts)), key=lambda index: len(sources[index]))
    for start in range(0, len(texts), batch_size):
        chosen = by_length[start : start + batch_size]
        encoded = [sources[index] for index in chosen]
        lengths = torch.tensor([len(source) for source in encoded], device=at)
        inputs = model, pad(encoded).to(at), lengths
        batch = greedy(*inputs, longest) if beams == 1 else _best(*inputs, beams, longest)
        symbols, weights, probabilities = (part.cpu().numpy() for part in batch)
        for row, index in enumerate(chosen):
            text, steps = target_vocabulary.decode(symbols[row]), _written(symbols[row])
            looked = weights[row, steps, : len(sources[index])]
            answers[index] = Answer(text, looked, probabilities[row, steps])
    return [answers[index] for index in range(len(texts))]


@torch.inference_mode()
def _best(
    model: Model, sources: Tensor, lengths: Tensor, beams: int, longest: int
) -> tuple[Tensor, Tensor, Tensor]:
    """The best target of each `beam`, closed by END, with what `greedy` returns about its own."""
    ranked = beam(model, sources, lengths, beams, longest)
    symbols = pad([[*hypotheses[0].symbols, END] for hypotheses in ranked]).to(sources.device)
    logits, weights = model(sources, lengths, symbols)
    chances = softmax(logits).gather(-1, symbols.unsqueeze(-1)).squeeze(-1)
    return symbols, weights, chances


def _written(symbols: np.ndarray) -> list[int]:
    """The steps that wrote a symbol of the text: before END, and neither PADDING nor START."""
    steps: list[int] = []
    for step, symbol in enumerate(symbols):
        if symbol == END:
            break
        if symbol not in (PADDING, START):
            steps.append(step)
    return steps


@dataclass(frozen=True)
class _Ranking:
    """Which hypotheses are the best, and whether better ones may still come."""

    beams: int
    alpha: float
    coverage: float

    def rank(self, live: _Live, sizes: list[int]) -> list[list[Hypothesis]]:
        """The hypotheses of each source that have a probability above 0, with their scores.

        ``sizes`` are the lengths of the sources.
        """
        ranked: list[list[Hypothesis]] = [[] for _ in live.sums]
        sums: list[list[float]] = live.sums.tolist()
        alive = [
            (b, k) for b, row in enumerate(sums) for k, total in enumerate(row) if total > -math.inf
        ]
        if not alive:
            return ranked
        # all at once, since a GPU is waited for
        rows = tuple(torch.tensor(alive).unbind(dim=1))
        written: list[list[int]] = live.symbols[rows].tolist()
        looked = live.weights[rows].cpu().numpy()
        for (b, k), symbols, weights in zip(alive, written, looked, strict=True):
            weights = weights[:, : sizes[b]]
            score = sums[b][k] / self._length_penalty(len(symbols))
            if self.coverage:
                score -= self.coverage * _left_unread(weights)
            ranked[b].append(Hypothesis(symbols, sums[b][k], score, weights))
        return ranked

    def best(self, hypotheses: list[Hypothesis]) -> list[Hypothesis]:
        """The hypotheses with the highest scores, the highest first."""
        return sorted(hypotheses, key=lambda one: one.score, reverse=True)[: self.beams]

    def settled(self, ended: list[Hypothesis], likeliest: float, longest: int) -> bool:
        """Whether no beginning can still join the best: its probability can only fall."""
        hope = likeliest / self._length_penalty(longest)
        full = len(ended) == self.beams and ended[-1].score >= hope
        return full or hope == -math.inf

    def _length_penalty(self, symbols: int) -> float:
        """lp(Y), which is 1 for a target of one symbol."""
        return ((5 + symbols) / (5 + 1)) ** self.alpha


def _left_unread(weights: np.ndarray) -> float:
    """- Σ_j ln min(Σ_i α_ij, 1) of weights (target source): 0 if every position was read in full.

    A position that was not read at all counts as read a little (1e-38). With ln 0, all targets that
    leave a position out would be equally bad, and attention through a window leaves out many.
    """
    read = weights.sum(axis=0, dtype=float).clip(np.finfo(np.float32).tiny, 1.0)
    return -float(np.log(read).sum())


def _extended(live: _Live, logs: Tensor, looked: Tensor, beams: int) -> tuple[_Live, Tensor]:
    """The likeliest continuations by one symbol, and the row of the beginning of each."""
    batch, width, vocabulary = logs.shape
    logs[..., END] = -math.inf
    totals = (live.sums.unsqueeze(-1) + logs).flatten(1)  # each beginning with each symbol
    sums, chosen = totals.topk(min(beams, totals.shape[1]), dim=1)
    parents = chosen // vocabulary + width * torch.arange(batch, device=chosen.device)[:, None]
    rows = parents.flatten()
    symbols = torch.cat(
        [live.symbols.flatten(0, 1)[rows], (chosen % vocabulary).view(-1, 1)], dim=1
    )
    weights = torch.cat([live.weights.flatten(0, 1)[rows], looked[rows].unsqueeze(1)], dim=1)
    shape = sums.shape
    return _Live(sums, symbols.unflatten(0, shape), weights.unflatten(0, shape)), rows


def _rows(part: Any, rows: Tensor) -> Any:
    """Rows of a tensor, or of each tensor in a memory or in a tuple."""
    if part is None or isinstance(part, Tensor):
        return part if part is None else part[rows]
    if isinstance(part, Memory):
        return replace(part, **{name: _rows(value, rows) for name, value in vars(part).items()})
    make = getattr(part, "_make", tuple)  # how a named tuple is made
    return make(_rows(value, rows) for value in part)
