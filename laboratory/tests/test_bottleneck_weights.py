"""The trained models that the bottleneck explorer runs represent those of the grid."""

import numpy as np
import pytest

from attn_course.search import answer
from attn_course.tasks.reversal import letter_vocabulary
from attn_course.views.widgets.bottleneck_explorer import BottleneckExplorer
from attn_lab.fixed_context import bottleneck
from attn_lab.fixed_context import bottleneck_weights as weights

KEPT = weights.stored()


@pytest.mark.parametrize("condition", KEPT, ids=lambda one: f"{one.model}-{one.size}-{one.steps}")
def test_the_models_write_what_the_grid_s_models_wrote(condition):
    """Rounding changes some wrong answers; with another training, hardly one would be the same."""
    model, letters = weights.rebuilt(condition, KEPT[condition]), letter_vocabulary()
    samples = [
        sample for shown in bottleneck.results("samples")[condition][0].values() for sample in shown
    ]
    given = answer(model, [source for source, *_ in samples], letters, letters)
    same = [one.text == written for one, (*_, written) in zip(given, samples, strict=True)]
    wrong = [written != target for _, target, written in samples]
    assert np.mean(np.array(same)[wrong]) > 0.3


def test_the_explorer_gets_the_models_of_its_cells():
    cells = BottleneckExplorer([bottleneck.explorer_task("copy")]).tasks[0]["cells"]
    held = {(each["model"], each["size"], each["steps"]) for each in cells if "weights" in each}
    assert held == {(each.model, each.size, each.steps) for each in KEPT}
