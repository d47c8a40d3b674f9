"""The own reader in a real browser: four models against PyTorch, and what a reader does."""

import numpy as np
import pytest
import torch
from browsing import of_each
from torch_reader import arrays_of
from walking import has, walk

from attn_book.commands.widgets_harness import trait
from attn_course.search import answer, greedy
from attn_course.symbols import END
from attn_course.tasks.vocabulary import Vocabulary
from attn_course.views.widgets.own_reader import MODELS, OwnReader
from attn_own import designs

SOURCE, TARGET = Vocabulary("abcdefé "), Vocabulary("ABCDE-")
LONGEST = 13
TEXTS = ("abc", "e\u0301 fa", "q", "abcdefabcdef", "bad")


def model_of(kind, seed=5, scale=2.5):
    torch.manual_seed(seed)
    reader = designs.build(kind, 16, len(SOURCE), len(TARGET))
    with torch.no_grad():
        for part in reader.parameters():
            part *= scale if part.dim() > 1 else 1  # far from linear: every function matters
    return reader.eval()


def own(kind="bahdanau", reader=None, **changes):
    options = {"text": "abc", "samples": ("bad", "fée"), "longest_answer": LONGEST, "bits": 32}
    arrays = arrays_of(reader or model_of(kind))
    return OwnReader(kind, arrays, SOURCE.symbols, TARGET.symbols, **{**options, **changes})


PARTS = {"heads": "[role=rowheader]", "labels": "[role=rowheader] @aria-label"}


def weights_on(page):
    return of_each(page.locator("[role=gridcell][aria-label]"), "Number(one.ariaLabel)")


@pytest.mark.parametrize("kind", MODELS)
def test_each_model_answers_as_pytorch_does(show, kind):
    reader = model_of(kind)
    page = show(own(kind, reader))
    for text in TEXTS:
        composed = text.replace("e\u0301", "é")
        (expected,) = answer(reader, [composed], SOURCE, TARGET, longest=LONGEST)
        page.get_by_role("textbox").fill(f" {text} ")
        result = trait(page, "result")
        assert result["answer"] == expected.text
        np.testing.assert_allclose(result["probabilities"], expected.probabilities, atol=1e-4)
        rows = np.reshape(weights_on(page), (-1, expected.weights.shape[1]))
        np.testing.assert_allclose(rows[: len(expected.weights)], expected.weights, atol=0.006)
        assert len(rows) - len(expected.weights) == (result["end"] is not None)  # has a row too
        source = torch.tensor([SOURCE.encode(composed)])
        outputs = greedy(reader, source, torch.tensor([source.shape[1]]), LONGEST)
        symbols, _, chances = (part[0].numpy() for part in outputs)
        assert [result["end"]] == pytest.approx([*chances[symbols == END], None][:1], abs=1e-4)
        assert result["probability"] == pytest.approx(chances.prod(), abs=1e-4)


def test_a_reader_types_and_is_answered(show):
    page = show(own(longest=5))
    go = walk(page, **PARTS)
    box = page.get_by_role("textbox")
    box.fill("abcdef")
    go(verdict="That is 6 characters, and the model reads at most 5")
    box.fill("aqa")
    go(verdict="It never saw “q” in training", unknown=1, result=has(unknown=["q"]))
    box.fill("<b>")
    go(unknown=2)
    go("focus .input; key Control+A; key b; key a; key d", text="bad")
    page.locator(".attn-matrix [tabindex='0']").focus()
    go("key ArrowDown", selected={"side": "target", "index": 1}, says="Target 2 of")
    go("key Escape", selected={})
    page.locator("button.attn-quiet").press("Enter")
    go(text="abc")


def ending(chance):
    """A model that writes A and then ends with this probability."""
    reader = model_of("bahdanau")
    with torch.no_grad():
        reader.decoder.readout.weight.zero_()
        reader.decoder.readout.bias.fill_(-99)[[TARGET.encode("A")[0], END]] = 0.0
        reader.decoder.readout.bias[END] = np.log(chance / (1 - chance))
    return reader


def test_a_doubted_end_has_a_row_and_a_name_and_a_cut_is_told(show):
    go = walk(show(own(reader=ending(0.6))), **PARTS)
    go(verdict="The model wrote nothing. The model is unsure:…It doubts the end most.")
    go(heads="(end)60", labels=["the end"])
    go = walk(show(own(reader=ending(0.1), longest_answer=3)), **PARTS)
    go(heads=3, verdict="and it was cut off here.", result=has(end=None))


def test_words_are_symbols_where_there_is_a_separator(show):
    torch.manual_seed(1)
    words = ["one", "two", "three"]
    reader = designs.build("luong", 8, 4 + len(words), 4 + len(words)).eval()
    arrays = arrays_of(reader)
    page = show(OwnReader("luong", arrays, words, words, separator=" ", longest_answer=7, bits=32))
    vocabulary = Vocabulary(words, separator=" ")
    page.get_by_role("textbox").fill("one   three six")
    (expected,) = answer(reader, ["one three six"], vocabulary, vocabulary, longest=7)
    assert trait(page, "result")["answer"] == expected.text
    assert trait(page, "result")["unknown"] == ["six"]
