"""Run a chapter's cells on a pretended GPU; print what is misplaced, and exit with 1 if some is.

Only placement is tried: models are trained for two steps, claims are silent, and of each corpus
only the beginning is drawn. So that the cells that follow have answers to work with, every second
answer of a model is replaced by the right one.
"""

import dataclasses
import importlib.util
import inspect
import json
import math
import os
import sys
import traceback
from itertools import islice
from pathlib import Path

import attn_course

if __name__ == "__main__":
    attn_course.check_shapes()  # before anything that it checks is imported

import matplotlib
import numpy as np
import torch
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from matplotlib import pyplot
from pretended_gpu import PretendedGpu

from attn_course import claims, search, training

STEPS = 2
PAIRS = 150  # at most, of each corpus
GENERATORS = ("reversal", "numbers", "names", "typos", "dates", "date_order")
SHORTER = {"02": ("patience=20_000", "patience=20")}  # what a chapter itself repeats too often
# What is raised for a tensor that is not where it is needed. A cell may also fail because a
# training was too short for what follows it, and that is not told.
MISPLACED = ("same device", "cuda", "generator", "on cpu", "is not pretended")
KNOWN = {}  # source -> pair, of all that were drawn


class Beginning:
    """The first batches of a corpus."""

    def __init__(self, corpus):
        self.corpus = corpus

    def __getattr__(self, name):
        return getattr(self.corpus, name)

    def count_batches(self, size):
        return min(STEPS, self.corpus.count_batches(size))

    def batches(self, size, order):
        return islice(self.corpus.batches(size, order), STEPS)


def shorten():
    """Patch the package before a chapter imports from it."""
    train, checked, answer = training.train, claims._checked, search.answer

    def train_briefly(build, corpus, *others, settings=None, **options):
        settings = dataclasses.replace(settings or training.Settings(), epochs=1)
        return train(build, Beginning(corpus), *others, settings=settings, **options)

    def half_right(model, texts, source_vocabulary, target_vocabulary, **options):
        texts = list(texts)
        answers = answer(model, texts, source_vocabulary, target_vocabulary, **options)
        for number in range(0, len(texts), 2):
            if pair := KNOWN.get(texts[number]):
                source = len(source_vocabulary.encode(pair.source))
                target = len(target_vocabulary.encode(pair.target))
                answers[number] = invented(pair.target, source, target)
        return answers

    training.train, search.answer = train_briefly, half_right
    claims.claim = lambda *_, **__: None
    claims._checked = lambda value, unit: checked(value if is_finite(value) else 0.5, unit)
    attn_course.check_shapes = lambda: None  # it was called above
    for module in GENERATORS:
        module = importlib.import_module(f"attn_course.tasks.{module}")
        for name, function in list(vars(module).items()):
            own = inspect.isfunction(function) and function.__module__ == module.__name__
            if own and name.endswith("_pairs"):
                setattr(module, name, few(function))
    if importlib.util.find_spec("sklearn"):
        from attn_course.experiments import canvas_training

        read = canvas_training.train_reader
        canvas_training.train_reader = lambda *most, steps, **more: read(*most, steps=STEPS, **more)


def is_finite(value):
    return not isinstance(value, float) or math.isfinite(value)


def few(draw):
    """At most so many pairs, which are remembered."""

    def drawn(count, *others, **options):
        pairs = draw(min(count, PAIRS), *others, **options)
        KNOWN.update((pair.source, pair) for pair in pairs)
        return pairs

    return drawn


def invented(text, source, target):
    """The right answer, with weights and probabilities drawn at random."""
    rng = np.random.default_rng(source)
    weights = rng.dirichlet(np.ones(source), target).astype(np.float32)
    return search.Answer(text, weights, rng.uniform(0.1, 1.0, target).astype(np.float32))


def cells_of(chapter):
    """The code of a chapter, cell by cell."""
    for cell in json.loads(chapter.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            yield "".join(cell["source"]).replace(*SHORTER.get(chapter.name[:2], ("\0", "")))


def main(chapter):
    """Run the cells; return what is misplaced, a text for each cell."""
    matplotlib.use("Agg")
    torch.set_num_threads(1)
    shorten()
    shell, faults = InteractiveShell.instance(), []
    cells = list(cells_of(chapter))
    os.chdir(chapter.parent)
    with PretendedGpu():
        for number, source in enumerate(cells):
            with capture_output():
                result = shell.run_cell(source)
            pyplot.close("all")
            error = result.error_before_exec or result.error_in_exec
            if error is not None and any(each in str(error) for each in MISPLACED):
                trace = "".join(traceback.format_exception(error, limit=-4))
                faults.append(f"cell {number}:\n{source}\n{trace}")
    return faults


if __name__ == "__main__":
    found = main(Path(sys.argv[1]).resolve())
    print(*found, sep="\n\n")
    sys.exit(bool(found))
