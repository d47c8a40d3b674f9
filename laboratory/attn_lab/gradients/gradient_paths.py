"""Does the gradient arrive? Recurrent networks with and without attention, on reversed sequences.

A model reads a random sequence in one direction and writes it backwards. Its encoder and decoder
are loops over cells, so that each state is a node whose gradient can be asked for. Four kinds of
cell, each without attention (the decoder has nothing but the last state) and with it:

rnn              h = tanh(W x + U h), as torch starts it
orthogonal rnn   the same, with U orthogonal at the start
gru, lstm        gated cells, as torch starts them; the state of an LSTM is [h ; memory]

Measured for each, at the start and after an equal number of equal steps: ‖d loss_i / d h_j‖ by the
number of steps between h_j and s_i. After training also the gain, ‖d loss_i / d h_j‖ for each unit
of ‖d loss_i / d logits_i‖: a model that is right has no error to send, and small gradients for
that reason alone.
"""

import copy
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course.alignment import AdditiveScore
from attn_course.context import context_vectors
from attn_course.gradients import gradient_norms
from attn_course.tasks.corpus import Batch
from attn_course.tasks.vocabulary import START
from attn_course.training import History, Settings, train
from attn_course.weights import attention_weights
from attn_lab import measuring
from attn_lab.experiment import SEEDS, declared
from attn_lab.gradients.gradient_starts import prepare

CELLS = {"rnn": nn.RNNCell, "orthogonal rnn": nn.RNNCell, "gru": nn.GRUCell, "lstm": nn.LSTMCell}
CONDITIONS = tuple(f"{cell}{suffix}" for cell in CELLS for suffix in ("", ", attention"))

LENGTH = 20
FIRST, SYMBOLS = 4, 10  # the first four numbers are set aside, as in every vocabulary
STEPS, BATCH, EVERY = 500, 64, 50
CONTEXTS = ("whole", "read only", "value", "gradient")
DISTANCES = tuple(range(1, 2 * LENGTH, 2))  # from h_j to s_i, in steps


class Pass(NamedTuple):
    """Everything that one pass through the model makes, node by node.

    h, s     lists of (batch state): h_1 .. h_n and s_1 .. s_m
    c        list of (batch state): c_1 .. c_m, empty without attention
    weights  (batch target source), or None
    logits   (batch target symbol)
    """

    h: list[Tensor]
    s: list[Tensor]
    c: list[Tensor]
    weights: Tensor | None
    logits: Tensor


class Reverser(nn.Module):
    """Read a sequence, write a sequence; every state is a node of its own.

        h_j = f(x_j, h_{j-1})                  s_0 = h_n
        c_i = Σ_j α_ij h_j                     with attention; the query is s_{i-1}
        s_i = f(y_{i-1}, c_i, s_{i-1})         p(y_i) = softmax(W_o [s_i ; c_i])

    Without attention the c_i are left out: all that the decoder gets is the last state.

    contexts  what is passed on of each c_i, always computed in the same way:
              whole      the context
              read only  the context, but no gradient enters an h_j through a read: the score
                         learns, and a loss reaches the states through the chain alone
              value      only the numbers: no gradient passes, so the score learns nothing either
              gradient   a zero through which the gradient passes as if c_i had been read
    """

    def __init__(
        self,
        cell: str,
        attention: bool,
        state_size: int = 64,
        embedding_size: int = 16,
        *,
        start: str = "torch",
        contexts: str = "whole",
    ):
        super().__init__()
        if contexts not in CONTEXTS:
            raise ValueError(f"contexts must be one of {', '.join(CONTEXTS)}; got {contexts!r}")
        vocabulary = FIRST + SYMBOLS
        self.attention, self.state_size, self.is_lstm = attention, state_size, cell == "lstm"
        self.contexts = contexts
        context_size = state_size if attention else 0
        self.source_embedding = nn.Embedding(vocabulary, embedding_size)
        self.target_embedding = nn.Embedding(vocabulary, embedding_size)
        self.encoder = CELLS[cell](embedding_size, state_size)
        self.decoder = CELLS[cell](embedding_size + context_size, state_size)
        self.score = AdditiveScore(state_size, state_size, 32) if attention else None
        self.readout = nn.Linear(state_size + context_size, vocabulary)
        for module in (self.encoder, self.decoder):
            prepare(module, "orthogonal" if cell == "orthogonal rnn" else start, 2 * LENGTH)

    def advance(self, cell: nn.Module, x: Tensor, state: Tensor) -> Tensor:
        """One step of a cell. The state of an LSTM is [h ; memory], and both are passed on."""
        if self.is_lstm:
            return torch.cat(cell(x, state.chunk(2, dim=-1)), dim=-1)
        return cell(x, state)

    def seen(self, state: Tensor) -> Tensor:
        """The part of a state that others may read: of an LSTM, h but not its memory."""
        return state[..., : self.state_size]

    def look(self, previous_state: Tensor, annotations: Tensor) -> tuple[Tensor, Tensor]:
        """c_i and α_i for one step."""
        query = self.seen(previous_state).unsqueeze(1)
        weights = attention_weights(self.score(query, annotations))
        return context_vectors(weights, annotations).squeeze(1), weights.squeeze(1)

    def hand_on(self, context: Tensor) -> Tensor:
        """The context as the decoder gets it: see ``contexts``."""
        if self.contexts == "value":
            return context.detach()
        if self.contexts == "gradient":
            return context - context.detach()
        return context

    def run(self, sources: Tensor, targets: Tensor, contexts: list[Tensor] | None = None) -> Pass:
        """The whole pass. ``contexts`` stand in for its own c_i, as if given from outside."""
        state = sources.new_zeros(
            (len(sources), self.state_size * (2 if self.is_lstm else 1)),
            dtype=self.readout.weight.dtype,
        )
        h, s, c, weights = [], [], [], []
        for x in self.source_embedding(sources).unbind(dim=1):
            state = self.advance(self.encoder, x, state)
            h.append(state)
        annotations = torch.stack([self.seen(state) for state in h], dim=1)
        if self.contexts == "read only":
            annotations = annotations.detach()
        inputs = torch.cat([torch.full_like(targets[:, :1], START), targets[:, :-1]], dim=1)
        for i, previous in enumerate(self.target_embedding(inputs).unbind(dim=1)):
            if self.attention:
                context, looked = self.look(state, annotations)
                c.append(self.hand_on(context) if contexts is None else contexts[i])
                weights.append(looked)
                previous = torch.cat([previous, c[i]], dim=-1)
            state = self.advance(self.decoder, previous, state)
            s.append(state)
        read = torch.stack([self.seen(state) for state in s], dim=1)
        if self.attention:
            read = torch.cat([read, torch.stack(c, dim=1)], dim=-1)
        return Pass(h, s, c, torch.stack(weights, dim=1) if weights else None, self.readout(read))

    def forward(self, sources: Tensor, lengths: Tensor, targets: Tensor):
        """Logits and weights, as `attn_course.training` expects them."""
        run = self.run(sources, targets)
        return run.logits, run.weights


class Reversals:
    """Random sequences and their reversals, new in every batch: nothing to learn by heart."""

    def __init__(self, count: int, length: int = LENGTH):
        self.count, self.length = count, length

    def count_batches(self, size: int) -> int:
        """The number of batches that ``batches`` yields."""
        return self.count // size

    def batches(self, size: int, order: np.random.Generator) -> Iterator[Batch]:
        """Batches of one size, drawn by ``order``."""
        for _ in range(self.count_batches(size)):
            drawn = order.integers(FIRST, FIRST + SYMBOLS, (size, self.length))
            sources = torch.from_numpy(drawn)
            yield Batch(sources, torch.full((size,), self.length), sources.flip(1))


def build(condition: str, **sizes: int) -> Reverser:
    """The model of a condition, such as ``"gru, attention"``."""
    if condition not in CONDITIONS:
        raise ValueError(f"condition must be one of {CONDITIONS}; got {condition!r}")
    cell, _, attention = condition.partition(", ")
    return Reverser(cell, bool(attention), **sizes)


def fresh(condition: str, seed: int, **sizes: int) -> Reverser:
    """The model as `trained` starts it."""
    return measuring.fresh(lambda: build(condition, **sizes), seed)


def trained(
    condition: str, seed: int, length: int = LENGTH, steps: int = STEPS, **sizes: int
) -> tuple[Reverser, History]:
    """The model of a condition after so many steps, each on new sequences."""
    settings = Settings(epochs=1, batch_size=BATCH, learning_rate=5e-3)
    corpus = Reversals(steps * BATCH, length)
    title = f"{condition}, seed {seed}"
    return train(
        lambda: build(condition, **sizes), corpus, seed=seed, settings=settings, title=title
    )


class Norms(NamedTuple):
    """Gradients and answers of one model on sequences that it has never seen.

    norms, gain   (target source): the norms, and the norms for each unit of error
    error         the mean of ‖d loss_i / d logits_i‖, the error that there is to send back
    weights       (batch target source), or None without attention
    right, exact  shares of symbols and of whole sequences
    """

    norms: np.ndarray
    gain: np.ndarray
    error: float
    weights: np.ndarray | None
    right: float
    exact: float


def look_into(
    model: Reverser, length: int = LENGTH, count: int = BATCH, seed: int = 10_000
) -> Norms:
    """All gradients of one model on sequences that it has never seen, in double precision."""
    batch, run, losses, errors = _pass(model, length, count, seed)
    correct = run.logits.argmax(dim=-1) == batch.targets
    return Norms(
        gradient_norms(losses, run.h).numpy(),
        gradient_norms(losses / errors, run.h).numpy(),
        float(errors.mean()),
        None if run.weights is None else run.weights.detach().numpy(),
        float(correct.double().mean()),
        float(correct.all(dim=1).double().mean()),
    )


@torch.enable_grad()
def farthest_gain(
    model: Reverser, length: int = LENGTH, count: int = BATCH, seed: int = 10_000
) -> float:
    """The gain from the last loss to the first position, by a single backward pass."""
    _, run, losses, errors = _pass(model, length, count, seed)
    return float(gradient_norms(losses[:, -1:] / errors[:, -1:], run.h[:1]))


def _pass(
    model: Reverser, length: int, count: int, seed: int
) -> tuple[Batch, Pass, Tensor, Tensor]:
    """New sequences, the pass through them in double precision, the losses and their errors."""
    model = copy.deepcopy(model).cpu().double().eval()
    batch = next(Reversals(count, length).batches(count, np.random.default_rng(seed)))
    run = model.run(batch.sources, batch.targets)
    shares = run.logits.detach().softmax(dim=-1)
    errors = (shares - F.one_hot(batch.targets, shares.shape[-1])).norm(dim=-1)  # d loss / d logits
    return batch, run, losses_of(run.logits, batch.targets), errors


def route_shares(model: Reverser, length: int, count: int = BATCH) -> np.ndarray:
    """(target source route): which share of d loss_i / d h_j comes by which way, with attention.

    value  h_j as a part of c_i        α_ij · g                          g = d loss_i / d c_i
    score  h_j through e_ij            α_ij · (h_j - c_i) · g · ∂e_ij/∂h_j
    chain  from state to state, through no context
    other  everything else: earlier steps, later states of the encoder, the queries

    The share of a part is ⟨part, whole⟩ / ⟨whole, whole⟩, each summed over the batch. The shares
    sum to 1; a part that pulls against the whole has one below zero.
    """
    if not model.attention or model.is_lstm:
        raise ValueError("route_shares needs a model with attention, and not an LSTM")
    model = copy.deepcopy(model).cpu().double().eval()
    batch = next(Reversals(count, length).batches(count, np.random.default_rng(10_000)))
    run = model.run(batch.sources, batch.targets)
    losses = losses_of(run.logits, batch.targets).sum(dim=0)
    chained = model.run(batch.sources, batch.targets, [context.detach() for context in run.c])
    chain_losses = losses_of(chained.logits, batch.targets).sum(dim=0)
    shares = np.zeros((length, length, 4))
    for i in range(length):
        whole = _gradient(losses[i], run.h)
        parts = [*_read(model, run, losses[i], i), _gradient(chain_losses[i], chained.h)]
        parts.append(whole - sum(parts))
        size = (whole**2).sum(dim=(0, 2))
        fractions = [(part * whole).sum(dim=(0, 2)) / size for part in parts]
        shares[i] = torch.stack(fractions, dim=-1).numpy()
    return shares


def _gradient(loss: Tensor, states: list[Tensor]) -> Tensor:
    """(batch source state)."""
    return torch.stack(torch.autograd.grad(loss, states, retain_graph=True), dim=1)


def _read(model: Reverser, run: Pass, loss: Tensor, i: int) -> tuple[Tensor, Tensor]:
    """The gradient through c_i alone, by values and by scores, each (batch source state)."""
    (g,) = torch.autograd.grad(loss, run.c[i], retain_graph=True)
    annotations = torch.stack(run.h, dim=1).detach().requires_grad_()
    query = (run.s[i - 1] if i else run.h[-1]).detach().unsqueeze(1)
    scores = model.score(query, annotations).squeeze(1)  # e_ij reads h_j and no other annotation
    (slopes,) = torch.autograd.grad(scores.sum(), annotations)
    weights = run.weights[:, i].unsqueeze(-1).detach()
    to_scores = ((annotations - run.c[i].unsqueeze(1)) * g.unsqueeze(1)).sum(dim=-1, keepdim=True)
    return weights * g.unsqueeze(1), (weights * to_scores * slopes).detach()


def losses_of(logits: Tensor, targets: Tensor) -> Tensor:
    """-ln p(y_i) for each target step: (batch target)."""
    return F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")


def by_distance(norms: np.ndarray) -> dict[int, float]:
    """The mean over all pairs at each distance: from h_j to s_i there are (n - j) + i steps."""
    target, source = norms.shape
    steps = (source - 1 - np.arange(source)) + (np.arange(target)[:, None] + 1)
    return {d: float(norms[steps == d].mean()) for d in range(1, source + target)}


def measure(condition: str, seed: int) -> dict[str, float]:
    """One cell of the grid. Norms are stored as logarithms to the base 10."""
    start = look_into(fresh(condition, seed))
    model, history = trained(condition, seed)
    return {**_start(start), **_end(look_into(model)), **_losses(history)}


def _start(start: Norms) -> dict[str, float]:
    norms = by_distance(start.norms)
    return {f"start {d}": float(np.log10(norms[d])) for d in DISTANCES}


def _end(end: Norms) -> dict[str, float]:
    norms, gain = by_distance(end.norms), by_distance(end.gain)
    numbers = {f"trained {d}": float(np.log10(norms[d])) for d in DISTANCES}
    numbers |= {f"gain {d}": float(np.log10(gain[d])) for d in DISTANCES}
    own = np.fliplr(np.eye(LENGTH, dtype=bool))  # y_i is x_j where j = n + 1 - i
    return {
        **numbers,
        "error": end.error,
        "right": end.right,
        "exact": end.exact,
        "gain own": float(np.log10(end.gain[own].mean())),
        "gain others": float(np.log10(end.gain[~own].mean())),
        "weight own": float(end.weights[:, own].mean()) if end.weights is not None else 0.0,
    }


def _losses(history: History) -> dict[str, float]:
    """The mean loss of each stretch of `EVERY` steps."""
    stretches = np.reshape(history.losses, (-1, EVERY)).mean(axis=1)
    return {f"loss {EVERY * (k + 1)}": float(loss) for k, loss in enumerate(stretches)}


def by_distances(when: str) -> dict[str, np.ndarray]:
    """Norms ("start", "trained" or "gain") by condition: (seeds, distances of `DISTANCES`)."""
    columns = [results(f"{when} {d}") for d in DISTANCES]
    return {
        condition: 10 ** np.transpose([column[condition] for column in columns])
        for condition in columns[0]
    }


EXPERIMENT = declared(__name__, measure, [(CONDITIONS, SEEDS)])
results = EXPERIMENT.results
