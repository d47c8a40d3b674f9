"""Run chapters' cells on a pretended GPU, and tell which of them fail.

    python chapter_on_a_gpu.py        # a chapter's path in, its faults out: JSON, one a line each

A line that names no notebook names an experiment: see `experiments_on_a_gpu`.

Only placement is tried: models are trained for two steps, claims are silent, and of each corpus
only the beginning is drawn. So that the cells that follow have answers to work with, every second
answer of a model is replaced by the right one. What still asks for a trained model is made to do
without in `SHORTER`, so that every failure is a fault, whatever its kind. All chapters run in one
process, since to import what they need takes as long as most of them.
"""

import dataclasses
import importlib.util
import inspect
import json
import math
import os
import traceback
from itertools import islice
from numbers import Real
from pathlib import Path
from unittest import mock

import matplotlib
import numpy as np
import torch
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from matplotlib import pyplot
from pretended_gpu import PretendedGpu

import attn_course
from attn_course import claims, search, training

STEPS = 2
PAIRS = 150  # at most, of each corpus
LONGEST = 12  # symbols of an answer: what knows nothing rarely ends
GENERATORS = ("reversal", "numbers", "names", "typos", "dates", "date_everyday", "date_order")
# What a chapter repeats too often, or expects of a trained model: (what is there, what to run)
SHORTER = {
    "02": [("patience=20_000", "patience=20"), ("learning, math.inf", "learning, 21.0")],
    "03": [("randn(1000,", "randn(125,"), ("range(200)", "range(2)")],
    "05": [
        ("assert by_hand == answer", "answer"),
        ("if at % 60 == 0", ""),
        ("kind == one and", ""),
        ("unseen, 150", "unseen, 3"),
        ("t[:300]", "t[:9]"),
    ],
    "06": [
        ("seeds = (0, 1, 2)", "seeds = (0,)"),
        ("100 // training.LOOK_EVERY", "-1"),
        ("assert np.mean", "np.mean"),
    ],
    "07": [
        ("(tests[s][:150])", "(tests[s][:9])"),
        ("[found[swap] for found in asked]", "[found.get(swap, 0) for found in asked]"),
        ("assert min(", "min("),
        ("assert any(", "any("),
        ("assert set(phrase", "set(phrase"),
    ],
    "07b": [
        ("max(ended, key", "max(ended or live, key"),
        ("assert mine == best", "best"),
        ("torch.testing.assert_close(own", "(lambda *_: None)(own"),
        ("[:100]", "[:3]"),
        ("pairs, exact)", "pairs, partial(exact, most=50))"),
    ],
    "08": [
        ('assert text[place] == "x"', "place"),
        ("if telling(*each)", ""),
    ],
    "10": [
        ("range(0, 300, 5)", "range(2)"),
        ("assert max(before) > 3 * min(before)", ""),
        ("assert max(on_year) > 3 * min(on_year)", ""),
        ("assert best.symbols == written[1:-1]", ""),
    ],
    "11": [
        ('for f in "md"]', "for f in votes[name][WHERE[name]]]"),
        ("test[:150]", "test[:9]"),
        ("test[:120]", "test[:2]"),
        ("dates.gold_possible(july)", "None"),
    ],
    "14": [
        ('Measured(each.mean, "percent")', 'Measured(each.mean if each else 0, "percent")'),
        ('(each.mean, "percent", items=questions.swaps', '(0.5, "percent", items=9'),
        ("assert kinds", "kinds"),
    ],
}
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
        told = {n for n in range(0, len(texts), 2) if texts[n] in KNOWN}
        read = [n for n in range(len(texts)) if n not in told or n == 0]
        given = [texts[n] for n in read]
        options["longest"] = min(LONGEST, options.get("longest", LONGEST))
        written = answer(model, given, source_vocabulary, target_vocabulary, **options)
        answers = dict(zip(read, written, strict=True))
        for number in told:
            pair = KNOWN[texts[number]]
            source = len(source_vocabulary.encode(pair.source))
            target = len(target_vocabulary.encode(pair.target))
            answers[number] = invented(pair.target, source, target)
        return [answers[n] for n in range(len(texts))]

    training.train, search.answer = train_briefly, half_right
    claims.claim = lambda *_, **__: None
    claims._checked = lambda value, unit: checked(value if is_finite(value) else 0.5, unit)
    attn_course.check_shapes = lambda: None  # a check takes time, and wants none imported yet
    for module in GENERATORS:
        module = importlib.import_module(f"attn_course.tasks.{module}")
        for name, function in list(vars(module).items()):
            own = inspect.isfunction(function) and function.__module__ == module.__name__
            if own and name.endswith("_pairs"):
                setattr(module, name, few(function))
    # what follows takes what was patched
    from attn_course.tasks import date_ceiling
    from attn_lab import expectations
    from attn_lab.faithful_maps import map_tests
    from attn_lab.gradients import gradient_paths
    from attn_lab.recall import memory_models

    expectations.expected = lambda *_: None  # a table of what is stored
    days_of = date_ceiling.days_of
    date_ceiling.days_of = lambda split: days_of(split)[:50]
    gradient_paths.look_into = once(gradient_paths.look_into)
    map_tests.ASCENTS, map_tests.HIDDEN = STEPS, 1
    descend = memory_models.descend
    memory_models.descend = lambda model, rate, steps, answered: descend(
        model, rate, STEPS, answered
    )
    if importlib.util.find_spec("sklearn"):
        from attn_lab.canvases import canvas_training

        read = canvas_training.train_reader
        canvas_training.train_reader = lambda *most, steps, **more: read(*most, steps=STEPS, **more)


def once(look):
    """What it found in the first model of this kind and with these sizes, whatever its weights."""
    found = {}

    def looked(model, *sizes, **named):
        flags = [each for each in vars(model).values() if isinstance(each, bool | str)]
        at = next(model.parameters()).device
        kind = (repr(model), at, *flags, *sizes, *named.items())
        if kind not in found:
            found[kind] = look(model, *sizes, **named)
        return found[kind]

    return looked


def is_finite(value):
    return not isinstance(value, Real) or math.isfinite(value)


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
    """The code of a chapter, cell by cell, and what of `SHORTER` is no longer in it."""
    cells = json.loads(chapter.read_text("utf-8"))["cells"]
    cells = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    stale = []
    for long, short in SHORTER.get(chapter.name.partition("-")[0], ()):
        if not any(long in cell for cell in cells):
            stale.append(f"{chapter.name} has no {long!r} any more: SHORTER is to follow")
        cells = [cell.replace(long, short) for cell in cells]
    return cells, stale


def faults_of(chapter, shell):
    """Run the cells; returns a text for each that fails."""
    cells, faults = cells_of(chapter)
    os.chdir(chapter.parent)
    with PretendedGpu():
        for number, source in enumerate(cells):
            with capture_output():
                result = shell.run_cell(source)
            pyplot.close("all")
            error = result.error_before_exec or result.error_in_exec
            if error is not None:
                trace = "".join(traceback.format_exception(error, limit=-4))
                faults.append(f"cell {number}:\n{source}\n{trace}")
        shell.reset()
    return faults


def main():
    # the two streams are the test's alone: a cell may print, read, and start processes that do
    asked, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    matplotlib.use("Agg")
    torch.set_num_threads(1)
    shorten()
    shell = InteractiveShell.instance()
    import experiments_on_a_gpu  # what it imports takes what was patched

    for line in map(str.strip, asked):
        if line.endswith(".ipynb"):
            faults = faults_of(Path(line).resolve(), shell)
        else:
            with mock.patch.dict(globals(), PAIRS=40):
                faults = experiments_on_a_gpu.faults_of(line)
        print(json.dumps(faults), file=answers, flush=True)


if __name__ == "__main__":
    main()
