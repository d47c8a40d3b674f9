"""Train on a reader's corpus, in a folder; after a kill, resume from the last checkpoint."""

from __future__ import annotations

import copy
import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import torch
from torch import nn

from attn_course.measures import exact_match
from attn_course.search import answer
from attn_course.tasks.corpus import Corpus
from attn_course.training import Enough, History, Settings, device, loss_on, train
from attn_own import designs, joint
from attn_own.compact import CompactCorpus
from attn_own.dropout import with_dropout
from attn_own.ensemble import Ensemble
from attn_own.folder import read_json, read_tensors, write_json, write_tensors
from attn_own.links import Linked
from attn_own.own_corpus import OwnCorpus, Pair
from attn_own.trained import SPARE, Trained, best_check
from attn_own.wording import Refusal

RATES = (1.5e-3, 3e-3, 6e-3, 1.2e-2, 2.4e-2)  # that a search tries
STEPS, FEW = 4000, 3200  # how long to train if nobody says: so many steps for so many pairs
EPOCHS = 15  # and never fewer than this
DROPOUT = 0.3
PATIENCE = 10  # validations without a better one, after which a training ends
_CHECKS = 20  # validations in a training


class Fitted(NamedTuple):
    """A model that has been trained, the rate that it was trained with, and how it went."""

    model: nn.Module
    rate: float
    history: History
    validation_losses: list[float]  # one for each check of the history
    steps: int

    def stored(self) -> dict:
        """The same as tensors, numbers and lists, for a file; see `restored`."""
        weights = {name: part.cpu() for name, part in self.model.state_dict().items()}
        return {**self._asdict(), "model": weights, "history": asdict(self.history)}


def restored(stored: dict, choices: dict, corpus: OwnCorpus) -> Fitted:
    """What `Fitted.stored` gave."""
    model = _builder(choices, corpus)().to(device())
    model.load_state_dict(stored["model"])
    history = History(**stored["history"])
    return Fitted(
        model.eval(), stored["rate"], history, stored["validation_losses"], stored["steps"]
    )


class Session:
    """One training: validates its model, keeps its state every so many seconds, and ends early.

    path     the file of its state
    choices  what it was asked for; the state of another training is not taken up
    losses, scores  on the validation pairs, one of each for each validation so far
    best     the weights that `best_check` chooses
    """

    def __init__(self, corpus: OwnCorpus, path: Path, choices: dict, every: float = 20.0):
        self.corpus, self.path, self.choices, self.every = corpus, path, choices, every
        self.losses: list[float] = []
        self.scores: list[float] = []
        self.best: dict = {}
        self.stop = False
        self._last = time.monotonic()

    @cached_property
    def pairs(self) -> Corpus:
        """The pairs of the validation, encoded once."""
        corpus = self.corpus
        return Corpus(corpus.validation, corpus.source_vocabulary, corpus.target_vocabulary)

    def validate(self, model: nn.Module) -> float:
        """The share of validation pairs that a model has right; the loss is noted beside it."""
        self.losses.append(loss_on(model, self.pairs))
        self.scores.append(right_share(self.corpus, self.corpus.validation, model))
        if best_check(self.scores, self.losses) == len(self.scores) - 1:
            self.best = copy.deepcopy(model.state_dict())
        return self.scores[-1]

    @property
    def waited_enough(self) -> bool:
        """Whether neither loss nor share has been better for so long that neither will be."""
        if not self.losses:
            return False
        lowest = self.losses.index(min(self.losses))
        return len(self.losses) - max(lowest, best_check(self.scores, self.losses)) > PATIENCE

    def begin(self) -> dict | None:
        """The state to go on from."""
        if not self.path.exists():
            return None
        saved = read_tensors(self.path)
        if saved.get("choices") != self.choices or "best" not in saved:
            raise Refusal(
                f"{self.path} belongs to another training or to another version of this program: "
                "delete it to start again"
            )
        history = saved["state"]["history"]
        self.losses[:], self.scores[:] = saved["validation_losses"], history["scores"]
        self.best = saved["best"]
        print(f"Resuming after step {len(history['losses'])}.", flush=True)
        return saved["state"]

    def after(self, step: int, state: Callable[[], dict]) -> None:
        """Keep the state when it is time, and end the training when it is."""
        if self.waited_enough:  # asked first, so that a resumed training ends here too
            raise Enough
        if self.stop or time.monotonic() - self._last >= self.every:
            parts = {"choices": self.choices, "state": state(), "best": self.best}
            write_tensors(self.path, {**parts, "validation_losses": self.losses})
            self._last = time.monotonic()
        if self.stop:
            raise KeyboardInterrupt

    @contextmanager
    def patient(self) -> Iterator[None]:
        """The first Ctrl-C lets the step end and keeps it; a second one stops at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def interrupt(*_: object) -> None:
            if self.stop:
                raise KeyboardInterrupt
            self.stop = True
            print("Stopping after this step.", file=sys.stderr, flush=True)

        before = signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def fit(corpus: OwnCorpus, choices: dict, folder: Path, every: float = 20.0) -> Fitted:
    """Train the model that was asked for; with the rate "search", at each rate, and take the best.

    An ensemble is trained one member after another, each from a seed of its own, and all at the
    rate of the first.

    corpus   what it is trained and validated on
    choices  as the command line makes them
    folder   where checkpoints are kept; what was begun there goes on
    every    seconds between them
    """
    try:
        if choices["ensemble"] > 1:
            return _together(corpus, choices, folder, every)
        return _alone(corpus, choices, folder / "checkpoint.pt", every)
    except FloatingPointError as error:
        raise Refusal(f"the training stopped: {error} (try --rate search)") from None
    except (MemoryError, RuntimeError) as error:
        # off a GPU torch has no error of its own for a lack of memory
        if not (
            isinstance(error, MemoryError | torch.cuda.OutOfMemoryError)
            or "can't allocate memory" in str(error)
        ):
            raise
        raise Refusal("not enough memory: try a smaller --batch or --size") from None


def _alone(
    corpus: OwnCorpus, choices: dict, checkpoint: Path, every: float, title: str = ""
) -> Fitted:
    """One model; with the rate "search", the best of several."""
    if choices["rate"] == "search":
        return _searched(corpus, choices, checkpoint.parent, every)
    session = Session(corpus, checkpoint, choices, every)
    with session.patient():
        model, history = train(
            _builder(choices, corpus),
            _lessons(choices, corpus),
            session.validate,
            seed=choices["seed"],
            settings=settings_of(choices, corpus),
            title=title or choices["model"],
            keeper=session,
        )
    model.load_state_dict(session.best)
    return Fitted(model, choices["rate"], history, session.losses, len(history.losses))


def _together(corpus: OwnCorpus, choices: dict, folder: Path, every: float) -> Fitted:
    """All members of an ensemble; those that are trained are kept, and are not trained again.

    The history is that of the first member; the seconds and steps are those of all.
    """
    members: list[Fitted] = []
    for number in range(1, choices["ensemble"] + 1):
        path, checkpoint = folder / f"member-{number}.pt", folder / f"checkpoint-{number}.pt"
        if not path.exists():
            own = {**choices, "seed": choices["seed"] + number - 1}
            if members:
                own["rate"] = members[0].rate
            title = f"{choices['model']}, {number} of {choices['ensemble']}"
            write_tensors(path, _alone(corpus, own, checkpoint, every, title).stored())
        checkpoint.unlink(missing_ok=True)
        members.append(restored(read_tensors(path), choices, corpus))
    first = members[0]
    first.history.seconds = sum(member.history.seconds for member in members)
    model = Ensemble([member.model for member in members]).eval()
    return first._replace(model=model, steps=sum(member.steps for member in members))


def _searched(corpus: OwnCorpus, choices: dict, folder: Path, every: float) -> Fitted:
    """The training at the rate that ends with the smallest loss on the validation pairs.

    Each rate gets a whole training, since one that is cut short prefers rates that are too high
    for the whole. What has been tried is kept, and a search goes on too.
    """
    path, best = folder / "rates.json", folder / "best.pt"
    tried = dict(read_json(path)) if path.exists() else {}
    for number, rate in enumerate(RATES, start=1):
        checkpoint = folder / f"trying-{rate:g}.pt"
        if str(rate) not in tried:
            title = f"{choices['model']}, trying the rate {rate:g} ({number} of {len(RATES)})"
            try:
                fitted = _alone(corpus, {**choices, "rate": rate}, checkpoint, every, title)
                losses = fitted.validation_losses
                loss = losses[best_check(fitted.history.scores, losses)]
                if all(loss < other for other in tried.values()):
                    write_tensors(best, fitted.stored())
            except FloatingPointError:
                loss = 1e9  # JSON has no infinity
            write_json(path, tried := {**tried, str(rate): loss})
        checkpoint.unlink(missing_ok=True)
    if not best.exists():
        raise Refusal("the training stopped at each of the rates that were tried")
    _print_rates(tried)
    return restored(read_tensors(best), choices, corpus)


def _print_rates(tried: dict[str, float]) -> None:
    best = float(min(tried, key=tried.__getitem__))
    losses = ", ".join(f"{float(rate):g}: {loss:.3f}" for rate, loss in tried.items())
    print(f"Loss on the validation pairs by rate: {losses}. The best is {best:g}.")
    if best in (RATES[0], RATES[-1]):
        edge, beyond = ("lowest", best / 2) if best == RATES[0] else ("highest", 2 * best)
        print(f"It is the {edge} rate tried: try --rate {beyond:g} too.")
    sys.stdout.flush()


def _lessons(choices: dict, corpus: OwnCorpus) -> CompactCorpus | Linked:
    """The training pairs; with links, if attention is to be guided."""
    if not choices["guide"]:
        return corpus.training
    return Linked(corpus.training, *_sizes(corpus))


def _builder(choices: dict, corpus: OwnCorpus) -> Callable[[], nn.Module]:
    """What makes the untrained model."""

    def build() -> nn.Module:
        model = designs.build(choices["model"], choices["size"], *_sizes(corpus))
        return with_dropout(model, choices["dropout"])

    return build


def _sizes(corpus: OwnCorpus) -> tuple[int, int]:
    return len(corpus.source_vocabulary), len(corpus.target_vocabulary)


def epochs_for(corpus: OwnCorpus, batch: int) -> int:
    """How many epochs to train if nobody says: at least `EPOCHS`, and enough for some steps.

        steps = STEPS √max(1, pairs / FEW)

    A model learns by steps, and a small corpus has few of them in an epoch. From more pairs there
    is more to learn, but each is needed less often.
    """
    steps = STEPS * math.sqrt(max(1, len(corpus.training) / FEW))
    return max(EPOCHS, math.ceil(steps / corpus.training.count_batches(batch)))


def settings_of(choices: dict, corpus: OwnCorpus) -> Settings:
    """How to train; the warm-up takes at most a tenth of the steps."""
    steps = choices["epochs"] * corpus.training.count_batches(choices["batch"])
    return Settings(
        epochs=choices["epochs"],
        batch_size=choices["batch"],
        learning_rate=choices["rate"],
        warm_up=max(1, min(designs.MODELS[choices["model"]].warm_up, steps // 10)),
        check_every=max(1, steps // _CHECKS),
        guidance=choices["guide"],
    )


def right_share(corpus: OwnCorpus, pairs: list[Pair], model: nn.Module) -> float:
    """The share of pairs that a model has exactly right."""
    vocabularies = corpus.source_vocabulary, corpus.target_vocabulary
    sources = [pair.source for pair in pairs]
    answers = answer(model, sources, *vocabularies, longest=corpus.longest[1] + SPARE)
    return exact_match([one.text for one in answers], [pair.target for pair in pairs])


def as_trained(fitted: Fitted, corpus: OwnCorpus, choices: dict, name: str) -> Trained:
    """A fitted model with all that its report will need."""
    vocabularies = corpus.source_vocabulary, corpus.target_vocabulary
    facts = {
        "corpus": name,
        **corpus.facts(),
        "rate": fitted.rate,
        "steps": fitted.steps,
        "seconds": fitted.history.seconds,
        "parameters": sum(part.numel() for part in fitted.model.parameters()),
        "device": device().type,
        "joint": joint.cut(corpus.training, vocabularies)._asdict(),
    }
    history = {
        "losses": fitted.history.losses,
        "checked_at": fitted.history.checked_at,
        "scores": fitted.history.scores,
        "validation_losses": fitted.validation_losses,
    }
    return Trained(fitted.model, *vocabularies, choices, facts, history)
