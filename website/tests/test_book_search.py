"""The texts that the search looks through: sections, terms, formulas, and what a guess veils."""

import pytest
from making import page_of

from attn_book.site import search


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"c_i = \sum_j \alpha_{ij} h_j", "ci = ∑j αij hj"),
        (r"\frac{1}{\sqrt{d}}", "1/√d"),
        (r"\mathrm{tanh}(W s)", "tanh(W s)"),
    ],
)
def test_a_formula_in_a_line_of_text_has_no_commands(latex, text):
    assert search.plain(latex) == text


BODY = """<section id="top"><h1>Top</h1><p>First <b>words</b>.</p>
<div class="cell"><div class="cell_input"><pre>code</pre></div>
<div class="attn-claim"><p>A claim.</p></div></div>
<p><attn-formula data-display="false">h_j</attn-formula></p>
<section id="part"><h2>Part</h2><p>Of it.</p><p class="attn-veil">An answer.</p></section>
<div class="attn-veil"><section id="hidden"><h2>Hidden</h2><p>Another.</p></section></div>
<dl class="glossary"><dt id="term-x">
<span id="term-letter-x"></span><span id="term-X"></span>x</dt>
<dd><p>A letter.</p></dd></dl></section>"""


def test_texts_are_those_of_sections_and_terms_without_what_a_guess_veils():
    assert search.sections(page_of(BODY, "404")) == []
    assert search.sections(page_of(BODY, "chapters/01-x")) == [
        ["", "Top", "First words. A claim. hj", "Hidden Another."],
        ["part", "Part", "Of it."],
        ["term-x", "x (letter x)", "A letter."],
    ]
