"""Run what the experiments measure on a pretended GPU, and tell what of it fails.

Each experiment measures as few of its stored conditions as have every text of all of them: each
model, each task, each way, but not each together with each other. A search for rates trains the
models of an experiment, so it measures one. Trainings and tests are as short as those of
`chapter_on_a_gpu`, which makes its patches before this is imported. Numbers are not looked at.
"""

import json
import traceback
from contextlib import ExitStack, suppress
from functools import partial
from itertools import islice
from unittest import mock

from pretended_gpu import PretendedGpu

from attn_lab import registry
from attn_lab.canvases import seeing_models
from attn_lab.faithful_maps import faithfulness
from attn_lab.gradients import gradient_paths, gradient_training
from attn_lab.rates import RateSearch
from attn_lab.searching import likeliest
from attn_lab.transformers import transformer_parts


def one_length(pairs, date, by_length=faithfulness.by_length):
    return islice(by_length(pairs, date), 1)


def few_dates(*args, unseen=transformer_parts.unseen, **options):
    return unseen(*args, **options)[:20]


def few_canvases(count, *others, draw=seeing_models.draw):
    return draw(min(count, 64), *others)


# What an experiment repeats too often, or expects of a whole training: name -> what to take for it
SHORTER = {
    "bottleneck_models.TESTED_PAIRS": 40,
    "faithfulness.by_length": one_length,
    "four_questions.by_length": one_length,
    "likeliest.LONGEST": 6,
    "likeliest.WIDTHS": (1, 3),
    "likeliest.exact": partial(likeliest.exact, most=50),
    "map_tests.by_length": one_length,
    "map_tests.TARGET_LENGTH": 2,
    "traced_back.by_length": one_length,
    "gradient_paths.DISTANCES": (1, 7),
    "gradient_paths.EVERY": 1,
    "gradient_paths.LENGTH": 4,
    "gradient_paths.look_into": partial(gradient_paths.look_into, length=4),
    "gradient_training.look_into": partial(gradient_training.look_into, length=4),
    "gradient_training.farthest_gain": partial(gradient_training.farthest_gain, length=4),
    "heads_removed.DRAWS": 1,
    "heads_removed.STARTS": 1,
    "seeing.draw": few_canvases,
    "seeing_models.draw": few_canvases,
    "seeing_sizes.draw": few_canvases,
    "token_recall.WITHIN": 1,
    "transformer_parts.unseen": few_dates,
}
# What these raise at their end, or nearly, if a model has learnt nothing
UNTRAINED = {
    "faithfulness": "looks() missing",
    "four_questions": "Value after * must be an iterable",
    "map_tests": "offsets() missing",
}


def conditions(what):
    """Conditions, with a seed of each: whichever has a text, or a flag, that none before it has."""
    kind, seen = what.kind, set()
    for cell in json.loads(what.path.read_text("utf-8"))["cells"]:
        stored = cell["condition"]
        fields = stored if isinstance(stored, dict) else {"": stored}
        own = {field for field in fields.items() if isinstance(field[1], str | bool)}
        if not seen or own - seen:
            seen |= own or {None}
            yield kind(**stored) if isinstance(stored, dict) else stored, cell["seed"]


def searches(experiment):
    """Those of its plan, up to a rate that is not known."""
    with suppress(ValueError):
        yield from (what for what, _ in experiment.parts() if isinstance(what, RateSearch))


def faults_of(name):
    """Measure, and once what each search for rates measures; returns a text for each that fails."""
    experiment, faults = registry.experiment(name), []
    to_measure = [(experiment.measure, *each) for each in conditions(experiment)]
    for search in set(searches(experiment)):
        to_measure.append((search.measure, *next(conditions(search))))
    with ExitStack() as patched:
        for place, value in SHORTER.items():
            module, _, attribute = place.partition(".")
            patched.enter_context(mock.patch.object(registry.module(module), attribute, value))
        for measure, condition, seed in to_measure:
            try:
                with PretendedGpu():
                    measure(condition, seed)
            except Exception as error:
                if UNTRAINED.get(name, "\n") not in str(error):
                    trace = "".join(traceback.format_exception(error, limit=-4))
                    faults.append(f"{name}, {measure.__name__}, {condition}:\n{trace}")
    return faults
