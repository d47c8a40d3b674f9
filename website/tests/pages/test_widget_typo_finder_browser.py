"""The typo finder in a real browser: its arithmetic against PyTorch, and what a reader does."""

import numpy as np
import pytest
import torch
from torch_reader import arrays_of, scaled
from walking import has, walk

from attn_book.commands.widgets_harness import trait
from attn_course.models.pointer import PointerReader, mend
from attn_course.tasks.typos import typo_vocabulary
from attn_course.tasks.vocabulary import UNKNOWN
from attn_course.views.widgets.typo_finder import TypoFinder

WORDS = ("bad", "bed", "bid", "cab", "fade", "attention")
VOCABULARY = typo_vocabulary()


def model():
    torch.manual_seed(7)
    # far from linear, so that every function matters
    return scaled(PointerReader(len(VOCABULARY), 5, 11, score_size=13), 3.0)


def finder(reader=None, **changes):
    options = {"text": "bud", "bits": 32, "samples": ("attemtion", "zz"), **changes}
    return TypoFinder(arrays_of(reader or model()), VOCABULARY.symbols, WORDS, **options)


PARTS = {
    "typo": ".attn-letter.attn-found",
    "pressed": ".attn-letter[aria-pressed=true]",
    "markup": ".attn-frame b",
    "first": ".attn-letter >> nth=0 >> bdi",
    "samples": ".attn-frame >> text=/^Try$/ >> visible=true",
}


def typing(page):
    """Walk on, first typing a text."""
    go, box = walk(page, **PARTS), page.get_by_role("textbox")
    return lambda text, **expected: (box.fill(text), go(**expected))


SUMS = """async (cases) => {
  const { unpackModel } = await import("./widgets/shared/bahdanau.js");
  const { point } = await import("./widgets/shared/pointer.js");
  const arrays = unpackModel(window.models[0]);
  return cases.map(([ids, looked]) => {
    const { weights, logits } = point(arrays, ids, looked);
    return { weights, logits: [...logits] };
  });
}"""


@torch.no_grad()
def test_the_page_computes_what_pytorch_computes(show):
    reader = model()
    page = show(finder(reader))
    words = ["pake", "q", "documentatiom", "a" * 24, "bé"]
    symbols = [VOCABULARY.encode(word) for word in words]
    assert UNKNOWN in symbols[-1]
    sums = page.evaluate(SUMS, [[row, -1] for row in symbols])
    for row, result in zip(symbols, sums, strict=True):
        logits, weights = reader(torch.tensor([row]), torch.tensor([len(row)]))
        np.testing.assert_allclose(result["weights"], weights[0, 0], atol=1e-5)
        np.testing.assert_allclose(result["logits"], logits[0, 0], atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_a_forced_look_reads_one_annotation(show):
    reader, ids = model(), VOCABULARY.encode("attemtion")
    page = show(finder(reader))
    read = reader.read(torch.tensor([ids]), torch.tensor([len(ids)]))
    query = torch.tanh(reader.ask(read.summary))[0]
    for place, result in enumerate(page.evaluate(SUMS, [[ids, j] for j in range(len(ids))])):
        logits = reader.readout(torch.cat([read.annotations[0, place], query]))
        np.testing.assert_allclose(result["logits"], logits, atol=1e-5, rtol=1e-5)


def test_what_is_typed_is_read_and_told_to_python(show):
    reader = model()
    page = show(finder(reader))
    (expected,) = mend(reader, ["attemtion"], VOCABULARY)
    typing(page)("Attemtion ", letter=9, typo=1, answer=[expected.text])
    walk(page, **PARTS)(verdict=f"place {expected.place + 1}")
    result = trait(page, "result")
    assert (result["text"], result["place"]) == (expected.text, expected.place)
    assert result["sure"] == pytest.approx(expected.weights.max(), abs=1e-5)
    assert result["letter_sure"] == pytest.approx(expected.letters.max(), abs=1e-5)
    letter = page.locator(".attn-letter").nth(expected.place)
    assert letter.evaluate("n => n.classList.contains('attn-found')")


def test_candidates_are_the_words_one_letter_away_and_how_likely_each_is(show):
    reader = model()
    page = show(finder(reader))
    (expected,), types = mend(reader, ["bud"], VOCABULARY), typing(page)
    shares = {one["word"]: one["share"] for one in trait(page, "result")["candidates"]}
    assert set(shares) == {"bad", "bed", "bid"}
    for word, share in shares.items():
        chance = expected.weights[1] * expected.letters[VOCABULARY.symbols.index(word[1])]
        assert share == pytest.approx(chance, abs=1e-6)
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    types("bud", candidates="3 words of the list differ in one letter")
    types("fede", candidates="One word of the list differs")
    types("zzzzz", candidates=["No word of the list is one letter away from “zzzzz”."])


NOT_READ = {
    "": "Type a word",
    "a": "A single letter is no word",
    "x" * 40: "That is 40 letters, and the page reads at most 24",
    "two words": "one at a time",
}
ODD = {
    "bád": "It never saw “á” in training and reads it as “unknown”.",
    "b4d!": "It never saw “4” and “!” in training and reads each of",
    "bad": "itself a word of the list",
    "ab": "words of 3 to 12 letters; this one has 2",
    "x" * 24: "words of 3 to 12 letters; this one has 24",
}


def test_what_is_not_read_or_is_odd_gets_a_sentence(show):
    page = show(finder())
    types = typing(page)
    for text, words in NOT_READ.items():
        types(text, verdict=words, result={}, letter=0, answer=[""])
        types("bud", letter=3)
    for text, words in ODD.items():
        types(text, verdict=words)
        assert trait(page, "result")["text"]
    types("<b>x</b>", markup=0, first=["<"])


def test_a_press_makes_it_look_there_and_a_second_one_lets_go(show):
    page = show(finder())
    go, before = walk(page, **PARTS), trait(page, "result")
    go("focus .letter 2; key Enter", looked=2, verdict="Made to look at place 3", pressed=1)
    go(result=has(place=2), focus="d")
    go("key Space", looked=-1, result=before, pressed=0)
    go("click .letter")
    typing(page)("bed", looked=-1)
    go("click .letter 1; click attemtion", text="attemtion", looked=-1, samples=1)
    walk(show(finder(samples=())), **PARTS)(samples=0)
