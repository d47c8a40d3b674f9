"""How long does a model take to learn to read dates? Luong's decoder and Bahdanau's, in one run.

    python -m benchmarks.luong_speed

All models train on the same dates of twelve locales, each seen once in small batches, on one
thread. They are trained one after the other within each repetition, so that a machine that slows
down favours neither. There are two bars: 99 % of the ceiling on all eight kinds of dates, and 99 %
of all dates when the kinds whose numbers are ambiguous are left out. Seconds are CPU seconds of
training up to the bar; the clock stops while a model is tested (400 strings, every 20 steps). The
ratio is what counts, since seconds depend on the machine.
"""

import argparse
import time

import torch

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


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--repetitions", type=int, default=3)
    words.add_argument("--pairs", type=int, default=30_000)
    words.add_argument("--kinds", choices=["all", "unambiguous"], default="unambiguous")
    words.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
    given = words.parse_args()
    torch.set_num_threads(1)
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
