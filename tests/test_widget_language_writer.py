"""The language writer's Python side: what it accepts, refuses and hands to its page."""

import numpy as np
import pytest
import torch
from packed import arrays_of, assert_travels, without
from traitlets import TraitError

from attn_course.from_scratch.gpt import Config, LanguageModel
from attn_course.views.widgets.language_writer import LanguageWriter

ALPHABET = "abcd \n"
MERGES = [(0, 1), (6, 2), (3, 3), (4, 0), (8, 8)]
TOKENS = [*ALPHABET, "ab", "abc", "dd", " a", "dddd"]
WINDOW = 7


def model_of(groups=4):
    """Far from linear, so that every part of it matters."""
    torch.manual_seed(5)
    model = LanguageModel(Config(len(TOKENS), size=16, heads=4, groups=groups, blocks=2, hidden=5))
    with torch.no_grad():
        for part in model.parameters():
            part.copy_(1 + part.cumsum(0) / 9 if part.dim() == 1 else 3 * part)
    return model


def arrays(groups=4):
    return arrays_of(model_of, groups)


def writer(model=None, tokens=TOKENS, merges=MERGES, **changes):
    options = {"heads": 4, "text": "abc d", "window": WINDOW, "bits": 32, **changes}
    return LanguageWriter(model or arrays(options.get("groups") or 4), tokens, merges, **options)


@pytest.mark.parametrize("groups", [None, 2])
def test_what_it_begins_with(groups):
    model = arrays(groups or 4)
    widget = writer(model, groups=groups, samples=["ab\n"])
    assert (widget.text, widget.written, widget.result) == ("abc d", [], {})
    assert (widget.temperature, widget.top, widget.seed, widget.longest) == (0.8, 0, 0, WINDOW)
    assert widget.alphabet == ALPHABET
    assert np.frombuffer(widget.merges, "<u2").reshape(-1, 2).tolist() == [*map(list, MERGES)]
    assert (
        f"{sum(array.size for array in model.values()):,} weights and 11 tokens" in widget.summary
    )
    assert_travels(widget, model)


def test_characters_may_be_all_the_tokens():
    assert writer(tokens=[*"abcéßü😀xyz+"], merges=[]).merges == b""


def test_what_is_written_must_be_tokens():
    widget = writer()
    widget.written = [0, 10]
    with pytest.raises(ValueError, match=r"tokens below 11; got \[11\]"):
        widget.written = [11]
    assert widget.written == [0, 10]


REFUSED = {
    writer: [
        ({"model": without(arrays(), "blocks.1.gate.weight")}, "missing: .*1.gate"),
        ({"model": without(arrays(), "norm.weight")}, r"missing: \['norm.weight'\]"),
        ({"model": arrays(1)}, r"attention.k.weight must have the shape \(16, 16\)"),
        ({"model": arrays(), "groups": 3}, "multiple of groups; got 4 heads and 3 gr"),
        ({"heads": 16}, "even number of entries, .* got 16 heads and 16 groups"),
        ({"model": without(arrays(), "embedding.weight")}, "missing: .'embedding.weig"),
        ({"heads": 0}, "heads must be a whole number, 1 or more; got 0"),
        ({"tokens": TOKENS[:-1]}, r"\(0, 1\) makes 'ab', and token 5 is \['.n'\]"),
        ({"tokens": [*TOKENS[:-1], "ddd"]}, r"\(8, 8\) makes 'dddd', and token 10 is"),
        ({"merges": [*MERGES[:-1], (8, 10)]}, r"\(8, 10\) makes 'no token'"),
        ({"merges": [*MERGES[:-1], (8,)]}, r"\(8,\) makes 'no token'"),
        ({"tokens": TOKENS, "merges": []}, "no pair makes must be single characters"),
        ({"tokens": [*"abca"], "merges": []}, "no pair makes must be distinct"),
        ({"tokens": ALPHABET}, TypeError, "tokens must be a list .* single string"),
        ({"text": 3}, TypeError, "text must be a string; got 3"),
        ({"window": 0}, "window must be a whole number, 1 or more; got 0"),
        ({"temperature": 2.1}, TraitError, "temperature"),
        ({"top": 3}, TraitError, "top"),
        ({"seed": -1}, TraitError, "seed"),
    ],
}
