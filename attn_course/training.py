"""Train a model: the same way for every model, and with the same result for the same seed."""

import copy
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attn_course._rows import cross_entropy
from attn_course._signature import checked, unchecked
from attn_course._values import Amount, Count, CountOrZero, Positive
from attn_course.progress import Progress
from attn_course.symbols import PADDING
from attn_course.tasks.corpus import Batch, Corpus


@checked
@dataclass(frozen=True)
class Settings:
    """How to train: AdamW (Loshchilov & Hutter 2019), a short warm-up, and a linear decay.

    epochs         passes through the corpus
    batch_size     pairs per step
    learning_rate  what the factor of each step, `rate`, is multiplied by
    warm_up        steps in which the factor rises, unless the decay is lower already
    floor          what the factor has fallen to by the end
    weight_decay   that of AdamW
    betas          those of AdamW
    clip           largest norm of a gradient (Pascanu et al. 2013)
    check_every    steps from one validation to the next
    guidance       the factor of `alignment_loss` in the loss; above 0 the corpus needs gold links
    """

    epochs: Count = 2
    batch_size: Count = 128
    learning_rate: Positive = 1.2e-2
    warm_up: Count = 30
    floor: Amount = 0.02
    weight_decay: Amount = 0.01
    betas: tuple[float, float] = (0.9, 0.99)
    clip: Positive = 1.0
    check_every: Count = 80
    guidance: Amount = 0.0

    def __post_init__(self):
        if len(self.betas) != 2 or not all(0 <= beta < 1 for beta in self.betas):
            raise ValueError(f"betas must be two numbers from 0 to below 1; got {self.betas}")

    @checked
    def rate(self, step: CountOrZero, steps: Count) -> float:
        """The factor of the learning rate at a step, counted from 0: up in a warm-up, then down.

            min((step + 1) / warm_up, floor + (1 - floor) (1 - step / steps))

        Both lines begin at the first step, so the factor stays below 1 unless ``warm_up`` or
        ``floor`` is 1.
        """
        if step >= steps:
            raise ValueError(f"step must lie below the number of steps, {steps}; got {step}")
        rise = (step + 1) / self.warm_up
        fall = self.floor + (1 - self.floor) * (1 - step / steps)
        return min(rise, fall)


@dataclass
class History:
    """The course of a training run: the loss of each step, and the score of each validation.

    ``checked_at`` has the number of steps done at each validation.
    """

    losses: list[float] = field(default_factory=list[float])
    checked_at: list[int] = field(default_factory=list[int])
    scores: list[float] = field(default_factory=list[float])
    seconds: float = 0.0
    interrupted: bool = False


class Enough(Exception):
    """Raised by ``after`` of a `Keeper` to end a training early; what was learnt so far is kept."""


@runtime_checkable
class Drawn(Protocol):
    """What training reads: a `Corpus`, or anything else that draws batches."""

    def count_batches(self, size: int) -> int: ...

    def batches(self, size: int, order: np.random.Generator) -> Iterator[Batch]: ...


@runtime_checkable
class Keeper(Protocol):
    """Keep the state of `train`, so that a training run can resume after it was killed.

    begin  returns the state to resume from, or None to begin at the first step
    after  is called after each step with the number of steps done and a function that makes the
           state: tensors, numbers and lists, for ``torch.save``. An error raised here ends the run;
           `Enough` ends it as if that had been its last step
    """

    def begin(self) -> dict[str, Any] | None: ...

    def after(self, done: int, state: Callable[[], dict[str, Any]]) -> None: ...


_chosen: ContextVar[torch.device | None] = ContextVar("chosen", default=None)


def device() -> torch.device:
    """That of `on_device`; without one, the GPU when there is one, otherwise the CPU."""
    usual = "cuda" if torch.cuda.is_available() else "cpu"
    return _chosen.get() or torch.device(usual)


@contextmanager
def on_device(chosen: torch.device | None) -> Iterator[None]:
    """Train and load on this device instead of the usual one; None is the usual one."""
    before = _chosen.set(chosen)
    try:
        yield
    finally:
        _chosen.reset(before)


def teacher_forced_loss(model: nn.Module, batch: Batch, guidance: float = 0.0) -> Tensor:
    """The mean cross-entropy of the target symbols, each given the right ones before it, in nats.

        L = -1/m Σ_i ln p(y_i | y_1 .. y_{i-1}, x)

    Padding after the end of a target is not counted. If ``guidance`` is above 0, ``guidance`` times
    `alignment_loss` is added; a batch without gold links is then a ValueError.
    """
    logits, weights = model(batch.sources, batch.lengths, batch.targets)
    batch = batch.to(logits.device)  # a model takes a batch from anywhere
    loss = cross_entropy(logits, batch.targets)
    if not guidance:
        return loss
    if batch.links is None:
        raise ValueError("guidance needs gold links: make the Corpus with gold=gold_sure")
    return loss + guidance * alignment_loss(weights, batch.links)


@torch.no_grad()
def loss_on(model: nn.Module, pairs: Corpus) -> float:
    """The mean teacher-forced loss per target symbol over all these pairs, in nats."""
    total, count = 0.0, 0
    for batch in pairs.batches(256, np.random.default_rng(0)):
        logits, _ = model(batch.sources, batch.lengths, batch.targets)
        targets = batch.targets.to(logits.device)
        total += cross_entropy(logits, targets, reduction="sum").item()
        count += (targets != PADDING).sum().item()
    return total / count


@checked
def alignment_loss(
    weights: Float[Tensor, "batch target source"], links: Bool[Tensor, "batch target source"]
) -> Tensor:
    """How little weight lies on the gold links: the mean over the steps that have any, in nats.

        L = -1/|S| Σ_{i in S} ln Σ_j A_ij α_ij         guided alignment, Chen et al. 2016

    A_ij is 1 where i and j are linked, and S is the set of the steps with a link. Without this loss
    attention is never told where to look, and what it learns may serve the target well and still
    be no alignment. Steps without a link do not count. If less than 1e-9 of the weight lies on a
    step's links, as outside a window, it counts as 1e-9, and no gradient comes from there. Without
    any link the loss is 0. Weights that are not from 0 to 1 are a ValueError.

    weights, links (batch target source), boolean links.
    """
    if not ((weights >= 0) & (weights <= 1.001)).all():  # softmax rounds
        raise ValueError(f"weights must be shares from 0 to 1; got {weights.aminmax()}")
    linked = links.any(dim=-1)
    if not linked.any():
        return weights.new_zeros(())
    mass = weights.masked_fill(~links, 0.0).sum(dim=-1)[linked]
    return -mass.clamp(min=1e-9).log().mean()


def adamw(model: nn.Module, settings: Settings) -> torch.optim.AdamW:
    """The optimiser of all parameters, as the settings say."""
    return torch.optim.AdamW(
        model.parameters(), betas=settings.betas, weight_decay=settings.weight_decay, fused=True
    )


def descend(
    optimiser: torch.optim.Optimizer,
    loss: Callable[[], Tensor],
    settings: Settings,
    step: int,
    steps: int,
) -> float:
    """One of so many steps down the gradient of ``loss()``; returns the loss before it.

    A loss that is no longer finite is a FloatingPointError.
    """
    (group,) = optimiser.param_groups
    group["lr"] = settings.learning_rate * settings.rate(step, steps)
    optimiser.zero_grad()
    with unchecked(step > 0):  # all steps are alike
        now = loss()
    now.backward()
    nn.utils.clip_grad_norm_([p for p in group["params"] if p.requires_grad], settings.clip)
    optimiser.step()
    value = now.item()
    if not math.isfinite(value):
        raise FloatingPointError(f"the loss is {value}: a smaller learning rate may help")
    return value


@checked
def train(
    build: Callable[[], nn.Module],
    corpus: Drawn,
    validate: Callable[[nn.Module], float] | None = None,
    *,
    seed: CountOrZero = 0,
    settings: Settings | None = None,
    title: str = "",
    keeper: Keeper | None = None,
) -> tuple[nn.Module, History]:
    """Build a model and train it; returns the model, in evaluation mode, and its history.

    ``build`` makes the model. It is called here so that the seed determines the initial weights as
    well as the order of the batches. On one machine, the same seed gives the same model. The
    caller's random state is left unchanged. ``validate(model)`` returns a score; higher is better.

    An interrupt (the stop button, Ctrl-C) ends the training early and keeps the best model
    validated so far. If there is none, the interrupt is raised, so that nobody mistakes an
    untrained model for a trained one. A run that nothing interrupts returns the model after its
    last step, whatever its scores. A loss that is no longer finite is a FloatingPointError.

    With a ``keeper``, training resumes from what it kept, and the result is that of a run that
    nothing stopped. An interrupt is then always raised.
    """
    settings = settings or Settings()
    history = History()
    gpus = range(torch.cuda.device_count())
    with torch.random.fork_rng(gpus), one_thread():
        torch.manual_seed(seed)
        model, best = build().to(device()), {}
        optimiser = adamw(model, settings)
        steps = settings.epochs * corpus.count_batches(settings.batch_size)
        if keeper is not None:
            _restore(keeper.begin(), model, optimiser, history)
        first, before = len(history.losses), history.seconds
        batches = islice(_batches(corpus, settings, seed), first, None)
        with Progress(title or f"seed {seed}", steps, begun=first) as progress:
            try:
                for step, batch in enumerate(batches, start=first):
                    loss = partial(teacher_forced_loss, model.train(), batch, settings.guidance)
                    history.losses.append(descend(optimiser, loss, settings, step, steps))
                    due = step + 1 == steps or (step + 1) % settings.check_every == 0
                    if validate and due and _look(model, validate, history):
                        best = copy.deepcopy(model.state_dict())
                    progress.show(step + 1, history.losses[-1], history.scores)
                    history.seconds = before + progress.seconds
                    if keeper is not None:
                        keeper.after(step + 1, partial(_state, model, optimiser, history))
            except Enough:
                pass
            except KeyboardInterrupt:
                if keeper is not None or not history.scores:
                    raise
                history.interrupted = True
                model.load_state_dict(best)
        history.seconds = before + progress.seconds
    return model.eval(), history


def _state(model: nn.Module, optimiser: torch.optim.Optimizer, history: History) -> dict[str, Any]:
    """All that the rest of a run depends on, besides the corpus, the settings and the seed."""
    return {
        "model": model.state_dict(),
        "optimiser": optimiser.state_dict(),
        "history": asdict(history),
        "random": torch.get_rng_state(),
        "random_on_gpu": torch.cuda.get_rng_state_all(),  # of none, where there is no GPU
    }


def _restore(
    state: dict[str, Any] | None,
    model: nn.Module,
    optimiser: torch.optim.Optimizer,
    history: History,
) -> None:
    """Put back what was kept; at the beginning, that is nothing."""
    if state is None:
        return
    model.load_state_dict(state["model"])
    optimiser.load_state_dict(state["optimiser"])
    for name, value in state["history"].items():
        setattr(history, name, value)
    torch.set_rng_state(state["random"])
    if len(state["random_on_gpu"]) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all(state["random_on_gpu"])


@contextmanager
def one_thread() -> Iterator[None]:
    """Train on one core: with matrices this small, several would mostly wait for one another."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _batches(corpus: Drawn, settings: Settings, seed: int) -> Iterator[Batch]:
    """All batches of all epochs, on the device, in an order that depends only on the seed."""
    order = np.random.default_rng(seed)
    for _ in range(settings.epochs):
        for batch in corpus.batches(settings.batch_size, order):
            yield batch.to(device())


def _look(model: nn.Module, validate: Callable[[nn.Module], float], history: History) -> bool:
    """Validate the model; returns whether it is the best so far."""
    with torch.no_grad():
        score = float(validate(model.eval()))
    best = all(score >= earlier for earlier in history.scores)
    history.checked_at.append(len(history.losses))
    history.scores.append(score)
    return best
