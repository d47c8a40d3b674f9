"""The code shown is the code that runs."""

import inspect
import sys
import textwrap
from pathlib import Path

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from attn_course import alignment, weights
from attn_course.views.source import show_source, source_of


def outer():
    """Say nothing."""

    class Inner:
        """Hold "nothing"."""

        value = "a string, and no docstring"

        def method(self):
            """One line."""
            return self.value

        def only_documented(self):
            """All there is."""

    return Inner


def test_docstrings_are_left_out_and_nothing_else():
    code, file = source_of(outer)
    assert file.endswith("test_source.py")
    assert code == textwrap.dedent('''\
        def outer():
            class Inner:
                value = "a string, and no docstring"

                def method(self):
                    return self.value

                def only_documented(self):
                    """All there is."""

            return Inner''')


def test_with_docstrings_it_is_the_file_word_for_word():
    code, file = source_of(weights.attention_weights, docstring=True)
    assert file == "attn_course/weights.py"
    assert code == inspect.getsource(weights.attention_weights).rstrip()
    assert code in Path(weights.__file__).read_text()


def test_that_signatures_hold_is_taken_for_granted():
    assert "@checked" in source_of(weights.attention_weights, docstring=True)[0]
    code, _ = source_of(weights.attention_weights)
    assert code.startswith("def attention_weights(")
    assert "masked_fill(~readable, -torch.inf)" in code, "the mask, before the reader's eyes"
    assert "@checked" not in source_of(alignment.AdditiveScore)[0]


def test_a_method_begins_at_the_margin():
    code, _ = source_of(alignment.AdditiveScore.compare)
    assert code.startswith("def compare(")


@pytest.mark.parametrize(
    "thing",
    [weights.attention_weights, weights.sparsemax, *alignment.SCORES.values()],
    ids=lambda thing: thing.__name__,
)
def test_what_is_shown_computes_the_same_as_what_runs(thing):
    """The code without its docstring is still the whole code: run it."""
    module = sys.modules[thing.__module__]
    namespace = dict(vars(module))
    exec(source_of(thing)[0], namespace)
    copy = namespace[thing.__name__]
    assert copy is not thing
    if not isinstance(thing, type):
        scores = torch.randn(3, 5, 7)
        torch.testing.assert_close(copy(scores), thing(scores))
        return
    learnt = not issubclass(thing, alignment.DotScore)
    sizes = [11, 11, 13][: len(inspect.signature(thing).parameters)] if learnt else []
    torch.manual_seed(0)
    one = thing(*sizes)
    torch.manual_seed(0)
    two = copy(*sizes)
    queries, keys = torch.randn(2, 3, 11), torch.randn(2, 5, 11)
    torch.testing.assert_close(one(queries, keys), two(queries, keys))


def data_of(*arguments, **options):
    InteractiveShell.instance()
    try:
        with capture_output() as captured:
            show_source(*arguments, **options)
    finally:
        InteractiveShell.clear_instance()
    (output,) = captured.outputs
    return output.data


def test_it_is_shown_as_the_page_shows_its_own_code():
    data = data_of(weights.entropy)
    assert data["text/markdown"].startswith("`attn_course/weights.py`\n\n```python\ndef entropy(")
    assert data["text/markdown"].endswith("\n```\n")
    assert data["text/plain"].startswith("# attn_course/weights.py\ndef entropy(")
    assert "text/html" not in data, "a notebook would take it instead, without highlighting"


def test_it_can_be_folded():
    markdown = data_of(weights.entropy, folded="A solution")["text/markdown"]
    # the empty lines let Markdown start again inside the fold
    assert markdown.startswith("<details><summary>A solution</summary>\n\n`attn_course")
    assert markdown.endswith("```\n\n</details>\n")


@pytest.mark.parametrize("thing", [len, 3, "text", sys, weights, torch.randn(2), None])
def test_what_has_no_source_is_a_type_error(thing):
    with pytest.raises(TypeError, match=f"written in Python; got {type(thing).__name__}"):
        source_of(thing)
