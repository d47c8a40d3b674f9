"""The bottleneck: what is counted, and the trained models that the explorer runs."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_course.search import answer
from attn_course.tasks import reversal
from attn_course.tasks.reversal import letter_vocabulary
from attn_course.views.widgets.bottleneck_explorer import BottleneckExplorer
from attn_lab.fixed_context import bottleneck
from attn_lab.fixed_context import bottleneck_models as models
from attn_lab.fixed_context import bottleneck_weights as weights
from attn_lab.fixed_context.bottleneck_models import Condition

# ---- bottleneck


TEXTS = st.lists(st.text("ab", min_size=5, max_size=5), min_size=1, max_size=7)


@given(TEXTS, st.data())
def test_by_position_counts_what_stands_at_each_place(targets, data):
    written = [data.draw(st.text("ab", max_size=7)) for _ in targets]
    expected = [0.0] * 5
    for text, target in zip(written, targets, strict=True):
        for i in range(min(5, len(text))):
            expected[i] += (text[i] == target[i]) / len(targets)
    assert bottleneck.by_position(targets, written) == pytest.approx(expected)


@pytest.mark.parametrize(("exact", "length"), [
    ({"2": 1.0, "3": 1.0, "4": 0.0, "5": 0.0}, 3.5),
    ({"2": 1.0, "3": 0.5, "4": 0.0}, 3),
    ({"2": 1.0, "3": 0.75, "5": 0.25}, 4),
    ({"2": 0.9, "3": 0.4, "4": 0.9}, 2.8),  # a lucky length after the fall does not count
    ({"2": 0.3, "3": 0.9}, 2),
    ({"2": 0.9, "7": 0.8}, 7),
])  # fmt: skip
def test_half_length_is_where_the_curve_first_crosses_a_half(exact, length):
    assert bottleneck.half_length(exact) == pytest.approx(length)


def condition(**changes):
    return Condition("copy", "fixed", 5, 15, 0.01)._replace(**changes)


def test_the_lengths_share_the_steps_and_every_batch_is_full():
    known = models.data_of(condition(steps=30), 3)
    assert known.corpus.count_batches(models.BATCH) == 30
    assert len(known.corpus) == 30 * models.BATCH


def letters_and_guesses():
    pairs = [reversal.render(source, "copy") for source in ("abcde", "fghij", "klmno")]
    return pairs, ["abcde", "gghiz", "klmna"]


def test_wrong_letters_are_looked_for_in_the_source_and_in_the_next():
    shares = bottleneck.wrong_letters(*letters_and_guesses())
    # g for f stands in its source, z for j and a for o do not; only a stands in the next source
    assert shares["own"] == pytest.approx(1 / 3)
    assert shares["another"] == pytest.approx(1 / 3)
    assert shares["chance"] == pytest.approx(4 / 25)


def test_without_a_wrong_letter_there_is_no_share_of_them():
    pairs, _ = letters_and_guesses()
    assert bottleneck.wrong_letters(pairs, [pair.target for pair in pairs]) == {}


def test_forced_answers_are_letters_and_follow_what_was_told():
    pairs = reversal.letter_pairs(11, 0, [5], "copy")
    model = models.build(condition(model="attending"), (30, 30)).eval()
    texts = bottleneck.forced(model, pairs)
    assert all(len(text) == 5 and set(text) <= set(reversal.LETTERS) for text in texts)
    # the last letter of a target is never given, so it changes nothing
    changed = [replace(pair, target=pair.target[:-1] + "a") for pair in pairs]
    assert bottleneck.forced(model, changed) == texts


def test_a_place_that_is_written_down_can_be_read():
    class Counting(torch.nn.Module):
        embedding = torch.nn.Embedding(2, 2)

        def forward(self, symbols, lengths):
            places = torch.nn.functional.one_hot(torch.arange(symbols.shape[1]))
            return places.float().expand(len(symbols), -1, -1)

    class Constant(Counting):
        def forward(self, symbols, lengths):
            return 0 * super().forward(symbols, lengths)

    assert bottleneck.place_read(Counting(), 0, strings=20) == 1
    assert bottleneck.place_read(Constant(), 0, strings=20) == pytest.approx(1 / bottleneck.PLACES)


def test_the_explorer_takes_what_is_stored():
    explorer = BottleneckExplorer([bottleneck.explorer_task("copy")])
    assert explorer.tasks[0]["lengths"] == list(models.TESTED_ON)


# ---- bottleneck_weights


STORED = weights.stored()


@pytest.mark.parametrize("condition", STORED, ids=lambda one: f"{one.model}-{one.size}-{one.steps}")
def test_the_models_write_what_the_grid_s_models_wrote(condition):
    """Rounding changes some wrong answers; with another training, hardly one would be the same."""
    model, letters = weights.rebuilt(condition, STORED[condition]), letter_vocabulary()
    samples = [
        sample for row in bottleneck.results("samples")[condition][0].values() for sample in row
    ]
    answers = answer(model, [source for source, *_ in samples], letters, letters)
    same = [one.text == written for one, (*_, written) in zip(answers, samples, strict=True)]
    wrong = [written != target for _, target, written in samples]
    assert np.mean(np.array(same)[wrong]) > 0.3


def test_the_explorer_gets_the_models_of_its_cells():
    cells = BottleneckExplorer([bottleneck.explorer_task("copy")]).tasks[0]["cells"]
    with_weights = {
        (cell["model"], cell["size"], cell["steps"]) for cell in cells if "weights" in cell
    }
    assert with_weights == {
        (condition.model, condition.size, condition.steps) for condition in STORED
    }
