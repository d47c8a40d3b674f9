"""How long does a model take to learn to read dates? Luong's decoder and Bahdanau's, in one run.

    python -m apparatus.benchmarks.luong_speed

All models train on the same dates of twelve locales, each seen once in small batches, on one
thread. They are trained one after the other within each repetition, so that a machine that slows
down favours neither. There are two bars: 99 % of the ceiling on all eight kinds of dates, and 99 %
of all dates when the kinds whose numbers are ambiguous are left out. Seconds are CPU seconds of
training up to the bar; the clock stops while a model is tested (400 strings, every 20 steps). The
ratio is what counts, since seconds depend on the machine.

    python -m apparatus.benchmarks.luong_speed --steps 60 [--than FOLDER]

measures what a single step takes instead: of training, of greedy search through a batch, of a beam
of five. All are for batches of 128, and what a step of training reaches is compared with the rate
of a large product of matrices, which is taken in between. FOLDER holds another version of the
package: the two are loaded into one process and take turns, call by call, so that other work on
the machine disturbs both alike. The result goes into `reading_dates.json` and its page.
"""

import argparse
import importlib
import sys
import time
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode

from apparatus.benchmarks import report
from attn_course.measures import exact_match
from attn_course.models.translator import bahdanau, luong
from attn_course.search import answer
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.date_ceiling import ceiling
from attn_course.tasks.dates import KINDS, LOCALES, date_pairs, date_vocabularies
from attn_course.training import Settings, train

TWELVE = LOCALES[:12]
UNAMBIGUOUS = tuple(kind for kind in KINDS if kind not in ("short", "yMd"))
MODELS = {
    "luong, additive": lambda *sizes: luong(*sizes, score="additive"),
    "luong, scaled dot": lambda *sizes: luong(*sizes, score="scaled_dot"),
    "luong, general": luong,
    "bahdanau, additive": bahdanau,
}
SETTINGS = Settings(epochs=1, batch_size=64, check_every=20)
NEVER = float("inf")


class AtTheBar(KeyboardInterrupt):
    """Ends training as the stop button would."""


def seconds_to(build, corpus: Corpus, unseen: list, bar: float, seed: int) -> float:
    """CPU seconds of training until the bar is reached; infinite if it never is."""
    vocabularies = date_vocabularies(TWELVE)
    clock = {"spent": 0.0, "since": time.process_time(), "reached": NEVER}

    def look(model) -> float:
        clock["spent"] += time.process_time() - clock["since"]
        given = answer(model, [pair.source for pair in unseen], *vocabularies)
        score = exact_match([one.text for one in given], [pair.target for pair in unseen])
        if score >= bar:
            clock["reached"] = clock["spent"]
            raise AtTheBar
        clock["since"] = time.process_time()
        return score

    sizes = [len(vocabulary) for vocabulary in vocabularies]
    train(lambda: build(*sizes), corpus, look, seed=seed, settings=SETTINGS)
    return clock["reached"]


# ---- what a step takes

KINDS_OF_STEP = ("training", "greedy search", "beam of five")
READERS = ("bahdanau", "luong", "transformer")
BATCH, LONGEST, PRODUCT = 128, 11, 1024
RESULT = Path(__file__).with_name("reading_dates.json")


class Version:
    """One version of the package, and what is timed of it."""

    def __init__(self, folder: Path):
        """Load the package in this folder, whatever has been loaded before."""
        for name in [name for name in sys.modules if name.split(".")[0] == "attn_course"]:
            del sys.modules[name]
        sys.path.insert(0, str(folder))
        names = ("models.translator", "search", "training", "tasks.corpus", "tasks.dates")
        parts = [importlib.import_module(f"attn_course.{name}") for name in names]
        self.translator, self.search, self.training, corpus, dates = parts
        sys.path.pop(0)
        vocabularies = dates.date_vocabularies()
        pairs = corpus.Corpus(dates.date_pairs(4_000, seed=0, noise=1.0), *vocabularies)
        batches = pairs.batches(BATCH, np.random.default_rng(0))
        self.batches = [batch for batch in batches if len(batch.sources) == BATCH]
        self.sizes = [len(vocabulary) for vocabulary in vocabularies]

    def steps(self, reader: str) -> dict:
        """What is done with a batch, by its kind, after a little training."""
        torch.manual_seed(0)
        model = getattr(self.translator, reader)(*self.sizes)
        settings = self.training.Settings()
        optimiser = self.training.adamw(model, settings)

        def learn(batch, step=1) -> None:
            loss = partial(self.training.teacher_forced_loss, model.train(), batch)
            self.training.descend(optimiser, loss, settings, step, 10_000)

        def search(find, *more) -> object:
            return lambda batch: find(model.eval(), batch.sources, batch.lengths, *more)

        for step, batch in enumerate(self.batches[:12]):
            learn(batch, step)
        searches = (search(self.search.greedy, LONGEST), search(self.search.beam, 5, LONGEST))
        return dict(zip(KINDS_OF_STEP, (learn, *searches), strict=True))


def seconds(do, *arguments) -> float:
    start = time.process_time()
    do(*arguments)
    return time.process_time() - start


def flops(do, *arguments) -> int:
    """Multiplications and additions in products of matrices, those in recurrent layers, too."""
    with torch.backends.mkldnn.flags(enabled=False), FlopCounterMode(display=False) as counter:
        do(*arguments)
    return counter.get_total_flops()


def product() -> float:
    """How many of them a large product of matrices has a second, right now."""
    square = torch.randn(PRODUCT, PRODUCT)
    return 2 * PRODUCT**3 / seconds(torch.mm, square, square)


def take_turns(versions: list[Version], count: int) -> dict:
    """The first version's times, its share of a product's rate, and the quartiles of ratios."""
    found = {}
    for reader in READERS:
        ways = [version.steps(reader) for version in versions]
        for kind in KINDS_OF_STEP:
            times, shares, training = [], [], kind == KINDS_OF_STEP[0]
            for turn, batch in zip(range(count), cycle(versions[0].batches), strict=False):
                order = range(len(ways)) if turn % 2 else range(len(ways))[::-1]
                taken = {each: seconds(ways[each][kind], batch) for each in order}
                times.append([taken[each] for each in range(len(ways))])
                if training:
                    shares.append(flops(ways[0][kind], batch) / times[-1][0] / product())
            row = {"milliseconds": median(1e3 * one[0] for one in times)}
            if training:
                row["share_of_peak"] = median(shares)
            if len(versions) > 1:
                row["times_faster"] = quantiles([one[1] / one[0] for one in times], n=4)
            found[f"{reader}, {kind}"] = row
            print(f"{reader}, {kind}: {row}", flush=True)
    return found


def measure_steps(count: int, than: Path | None) -> None:
    """Write what steps take into the result file of the dates, and that into its page."""
    here = Path(__file__).parents[2]
    versions = [Version(folder) for folder in ([here] if than is None else [here, than.resolve()])]
    command = f"python -m apparatus.benchmarks.luong_speed --steps {count} --than FOLDER"
    report.add(RESULT, "steps", command, count, take_turns(versions, count))


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--repetitions", type=int, default=3)
    words.add_argument("--pairs", type=int, default=30_000)
    words.add_argument("--kinds", choices=["all", "unambiguous"], default="unambiguous")
    words.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
    words.add_argument("--steps", type=int, help="turns at each kind of step")
    words.add_argument("--than", type=Path, help="the folder of another version of the package")
    given = words.parse_args()
    torch.set_num_threads(1)
    if given.steps:
        return measure_steps(given.steps, given.than)
    kinds = KINDS if given.kinds == "all" else UNAMBIGUOUS
    best = ceiling(TWELVE, kinds).overall
    bar = 0.99 * best
    corpus = Corpus(
        date_pairs(given.pairs, seed=0, locales=TWELVE, kinds=kinds), *date_vocabularies(TWELVE)
    )
    unseen = date_pairs(400, seed=1, days="test", locales=TWELVE, kinds=kinds)
    print(f"bar {bar:.4f}, ceiling {best:.4f}, {given.kinds} kinds")
    found = {name: [] for name in given.models}
    for seed in range(given.repetitions):
        for name in given.models:
            found[name].append(seconds_to(MODELS[name], corpus, unseen, bar, seed))
    for name, seconds in found.items():
        shown = ", ".join(f"{each:.1f}" for each in seconds)
        pairs = zip(seconds, found[given.models[0]], strict=True)
        ratios = ", ".join(f"{one / first:.2f}" for one, first in pairs if first < NEVER)
        print(f"{name}: {shown} CPU s; {ratios} times {given.models[0]}")


if __name__ == "__main__":
    main()
