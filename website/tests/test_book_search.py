"""The search's index and texts: Greek letters, sections, and what a guess veils."""

import json

import pytest
from making import page_of

from attn_book.site import search
from attn_book.site.folder import Site


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("α", ["alpha"]),
        (r"\alpha_{ij}", ["alpha", "_", "ij"]),
        (r"\varepsilon = Λς", ["epsilon", "lambda", "sigma"]),
        (r"\betax \frac{1}{2}", ["betax", "frac", "1", "2"]),
        ("alphabet soft_max", ["alphabet", "soft_max"]),
        ("loss 0.1, 12 s, 3 steps", ["loss", "0", "1", "3", "steps"]),
    ],
)
def test_greek_letters_are_indexed_by_name_and_seconds_are_not(text, words):
    assert search.EnglishAndGreek({}).split(text) == words


def test_python_and_the_browser_spell_the_same_letters():
    assert f'"{search.NAMES}"' in search.EnglishAndGreek.js_splitter_code
    assert search.GREEK[ord("ω") - ord("α")] == "omega"


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
<dl class="glossary"><dt id="term-x">x</dt><dd><p>A letter.</p></dd></dl></section>"""


def test_texts_are_those_of_sections_and_terms_without_what_a_guess_veils(tmp_path):
    for name in ("chapters/01-x", "404"):
        search.write_text(page_of(BODY, name), Site(tmp_path, tmp_path, tmp_path))
    (path,) = (tmp_path / search.FOLDER).iterdir()
    assert path.name == "chapters-01-x.js"
    found = json.loads(path.read_text("utf-8").removeprefix("attnFound(...").rstrip(";\n)"))
    assert found == [
        "chapters/01-x",
        [["top", "First words. A claim. hj"], ["part", "Of it."], ["term-x", "A letter."]],
    ]
