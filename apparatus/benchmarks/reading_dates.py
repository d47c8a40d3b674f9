"""Which model reads dates first? CPU seconds of training to 99 % of the ceiling, side by side.

    make benchmark                     or, in the environment that it makes:
    python -m apparatus.benchmarks.reading_dates

All models train on the same pairs, and the same code counts how many dates of unseen days they
read. In one repetition, each is trained once, with the same seed. The order rotates with each
repetition, and ratios are taken within a repetition, so a machine that slows down favours none of
them. Only training counts, on one thread: the clock stops while a model is tested.

Each training is recorded as it ends, so a run that was stopped resumes where it was.
"""

import argparse
import contextlib
import io
import logging
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

os.environ["CUDA_VISIBLE_DEVICES"] = ""  # all on one processor

import numpy as np
import torch
from torch import Tensor, nn

from attn_course import search
from attn_course.measures import exact_match
from attn_course.models.translator import bahdanau
from attn_course.tasks.corpus import Batch, Corpus
from attn_course.tasks.date_ceiling import ceiling
from attn_course.tasks.dates import TARGET_LENGTH, date_pairs, date_vocabularies
from attn_course.training import Settings, train

warnings.filterwarnings("ignore", module="torchvision")  # D2L imports it; nothing here uses it
logging.disable(logging.INFO)
try:
    from apparatus.benchmarks import peers, report
except (ImportError, RuntimeError) as error:
    sys.exit(
        f"the peers cannot be imported ({error}): `make benchmark` installs them and runs this"
    )

SHARE = 0.99  # of the ceiling
LOOK_EVERY = 2_500  # pairs, about
READ_AT_ONCE = 256  # strings
LONGEST = TARGET_LENGTH + 1  # the end symbol is written, too


class Watch:
    """The CPU seconds of training so far, and those up to the bar.

    score  gives a model's exact match on unseen days; the clock stops meanwhile
    """

    def __init__(self, score: Callable[[nn.Module], float], bar: float, cap: float):
        self.score, self.bar, self.cap = score, bar, cap
        self.seconds, self.best, self.to_bar = 0.0, 0.0, None
        self._since = time.process_time()

    @property
    def over(self) -> bool:
        """Whether the bar is reached or the time is up."""
        return self.to_bar is not None or self.seconds >= self.cap

    @torch.no_grad()
    def look(self, model: nn.Module) -> float:
        self.seconds += time.process_time() - self._since
        score = self.score(model.eval())
        self.best = max(self.best, score)
        if score >= self.bar and self.to_bar is None:
            self.to_bar = self.seconds
        if sys.stderr.isatty():
            print(f"\r{self.seconds:6.1f} CPU s, exact {score:.4f}", end=" ", file=sys.stderr)
        model.train()
        self._since = time.process_time()
        return score


# A way of training: (build, corpus, seed, watch) -> the model, and how many pairs it has seen
Training = Callable[[Callable[[], nn.Module], Corpus, int, Watch], tuple[nn.Module, int]]


def as_the_course(
    build, corpus: Corpus, seed: int, watch: Watch, epochs: int = Settings.epochs
) -> tuple[nn.Module, int]:
    """Train as the package does by default, to the end of the schedule."""
    settings = Settings(epochs=epochs)
    settings = replace(settings, check_every=LOOK_EVERY // settings.batch_size)
    with contextlib.redirect_stdout(io.StringIO()):  # the watch reports for all of them
        model, _ = train(build, corpus, watch.look, seed=seed, settings=settings)
    return model, settings.epochs * len(corpus)


def as_published(trainer, build, corpus: Corpus, seed: int, watch: Watch) -> tuple[nn.Module, int]:
    """Train as a peer's authors do, until the bar is reached or the time is up."""
    torch.manual_seed(seed)
    model = build()
    trainer, seen, looked = trainer(model), 0, 0
    for batch in _endless(corpus, trainer.batch_size, seed):
        trainer.update(batch)
        seen += len(batch.sources)
        if seen >= looked + LOOK_EVERY:
            looked = seen
            watch.look(model)
            if watch.over:
                return model, seen


def _endless(corpus: Corpus, size: int, seed: int) -> Iterator[Batch]:
    order = np.random.default_rng(seed)
    while True:
        yield from corpus.batches(size, order)


@dataclass(frozen=True)
class Contestant:
    """A model, how it is trained, and how it writes: (model, sources, lengths) -> symbols."""

    name: str
    build: Callable[[int, int], nn.Module]
    greedy: Callable[[nn.Module, Tensor, Tensor], Tensor]
    train: Training


def _course_greedy(model: nn.Module, sources: Tensor, lengths: Tensor) -> Tensor:
    return search.greedy(model, sources, lengths, LONGEST)[0]


def _own_greedy(model: nn.Module, sources: Tensor, lengths: Tensor) -> Tensor:
    return model.greedy(sources, lengths, LONGEST)


CONTESTANTS = (
    Contestant("the course", bahdanau, _course_greedy, as_the_course),
    Contestant("JoeyNMT", peers.JoeyNMT, _own_greedy, partial(as_published, peers.JoeyTraining)),
    Contestant("D2L", peers.D2L, _own_greedy, partial(as_published, peers.D2LTraining)),
    # how much is due to code, how much to settings? Their parts in our sizes, trained our way
    Contestant("JoeyNMT, our settings", peers.joeynmt_in_our_size, _own_greedy, as_the_course),
    Contestant("D2L, our settings", peers.d2l_in_our_size, _own_greedy, as_the_course),
    Contestant(report.COURSE, bahdanau, _course_greedy, partial(as_the_course, epochs=3)),
)


class Dates:
    """What all of them train on, and what they have to read."""

    def __init__(self, pairs: int, strings: int):
        self.vocabularies = date_vocabularies()
        self.sizes = tuple(len(vocabulary) for vocabulary in self.vocabularies)
        self.corpus = self._corpus(date_pairs(pairs, seed=0, noise=1.0))
        self.unseen = self._batches(date_pairs(strings, seed=1, days="test"))
        many = self._batches(date_pairs(10 * strings, seed=2, days="test"))
        self.full = [batch for batch in many if len(batch.sources) == READ_AT_ONCE]
        if not self.full:
            sys.exit(f"--strings {strings} gives no full batch to read: take 500 or more")
        self.ceiling = ceiling().overall

    def _corpus(self, pairs) -> Corpus:
        return Corpus(pairs, *self.vocabularies)

    def _batches(self, pairs) -> list[Batch]:
        return list(self._corpus(pairs).batches(READ_AT_ONCE, np.random.default_rng(0)))

    def score(self, contestant: Contestant, model: nn.Module) -> float:
        """The share of the unseen dates that are read right to the last digit."""
        decode = self.vocabularies[1].decode
        given, right = [], []
        for batch in self.unseen:
            symbols = contestant.greedy(model, batch.sources, batch.lengths)
            given += [decode(row) for row in symbols.tolist()]
            right += [decode(row) for row in batch.targets.tolist()]
        return exact_match(given, right)

    @torch.no_grad()
    def strings_per_second(self, contestant: Contestant, model: nn.Module) -> float:
        """How fast a trained model reads full batches."""
        model.eval()
        start = time.process_time()
        for batch in self.full:
            contestant.greedy(model, batch.sources, batch.lengths)
        return len(self.full) * READ_AT_ONCE / (time.process_time() - start)


def measure(contestant: Contestant, dates: Dates, seed: int, cap: float) -> dict:
    """One training of one contestant; ``seconds`` is the time to the bar, if it was reached."""
    watch = Watch(partial(dates.score, contestant), SHARE * dates.ceiling, cap)
    build = partial(contestant.build, *dates.sizes)
    model, seen = contestant.train(build, dates.corpus, seed, watch)
    return {
        "reached": watch.to_bar is not None,
        "seconds": round(watch.to_bar or watch.seconds, 2),
        "best_exact_match": round(watch.best, 4),
        "training_characters_per_second": round(seen * TARGET_LENGTH / watch.seconds),
        "greedy_strings_per_second": round(dates.strings_per_second(contestant, model)),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
    }


def run(path: Path, how: dict, dates: Dates) -> dict:
    """Run all trainings that the file lacks; returns all results."""
    result = report.begun(path, how)
    for seed in range(how["repetitions"]):
        for place in range(len(CONTESTANTS)):
            contestant = CONTESTANTS[(place + seed) % len(CONTESTANTS)]
            runs = result["runs"][contestant.name]
            if str(seed) not in runs:
                runs[str(seed)] = measure(contestant, dates, seed, how["cap_seconds"])
                report.write(path, result)
                print(f"\rrepetition {seed}, {contestant.name}: {runs[str(seed)]}", flush=True)
    return result


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--repetitions", type=int, default=5)
    words.add_argument("--pairs", type=int, default=30_000, help="to train on")
    words.add_argument("--strings", type=int, default=2_000, help="of unseen days to read")
    words.add_argument("--cap", type=float, default=300, help="CPU seconds for a peer's training")
    words.add_argument("--result", type=Path, default=Path(__file__).with_suffix(".json"))
    given = words.parse_args()
    if min(given.repetitions, given.pairs, given.strings) < 1:
        words.error("repetitions, pairs and strings must be 1 or more")
    torch.set_num_threads(1)
    dates = Dates(given.pairs, given.strings)
    how = {
        "command": "python -m apparatus.benchmarks.reading_dates "
        f"--repetitions {given.repetitions} "
        f"--pairs {given.pairs} --strings {given.strings} --cap {given.cap:g}",
        **report.machine("torch", "numpy", "joeynmt", "d2l"),
        "pairs": given.pairs,
        "strings": given.strings,
        "cap_seconds": given.cap,
        "ceiling": round(dates.ceiling, 5),
        "bar": round(SHARE * dates.ceiling, 5),
        "repetitions": given.repetitions,
        "contestants": [contestant.name for contestant in CONTESTANTS],
    }
    result = run(given.result, how, dates)
    print(report.write_page(given.result, result))


if __name__ == "__main__":
    main()
