"""The drawing of both models: who reads what, in the colours of the page."""

import re
from xml.etree import ElementTree

import pytest

from attn_course.views import palette
from attn_course.views.diagrams import two_ways_diagram
from attn_course.views.diagrams.two_ways import LONGEST


def styled(svg, tag, role, kind="stroke"):
    """The elements of a role's colour."""
    colour = f"{kind}:var(--attn-{role},"
    root = ElementTree.fromstring(svg)
    return [
        each
        for each in root.iter()
        if each.tag.endswith(f"}}{tag}") and colour in each.get("style", "")
    ]


@pytest.mark.parametrize("source", ["ab", "qzjrx"])
def test_one_vector_is_read_by_every_step_and_attention_reads_every_state(source):
    svg, n = two_ways_diagram(source).svg, len(source)
    assert len(styled(svg, "rect", "source", "fill")) == 2 * n
    assert len(styled(svg, "rect", "target", "fill")) == 2 * n
    assert len(styled(svg, "rect", "context", "fill")) == 1 + n
    # into the one vector and out of it to every step; every state to every context and on
    assert len(styled(svg, "path", "context")) == 1 + n + n * n + n


def test_its_letters_are_read_and_written():
    root = ElementTree.fromstring(two_ways_diagram("qzj").svg)
    words = [text.text for text in root.iter() if text.tag.endswith("}text")]
    assert [words.count(letter) for letter in "qzj"] == [4, 4, 4]


def test_colours_follow_the_page_and_words_say_what_is_drawn():
    made = two_ways_diagram("qz<r")
    assert not re.findall(r"#[0-9a-f]{3}", re.sub(r"var\([^)]*\)", "", made.svg))
    for role, colour in re.findall(r"var\(--attn-([\w-]+),(#[0-9a-f]{6})\)", made.svg):
        assert f"--attn-{role}: {colour};" in palette.css()
    assert "&lt;" in made.svg
    assert "every step has a context of its own" in made.alt


@pytest.mark.parametrize("source", ["", "a", "a" * (LONGEST + 1)])
def test_a_source_that_cannot_be_drawn_is_refused(source):
    with pytest.raises(ValueError, match=rf"2 to {LONGEST} letters; got '{source}'"):
        two_ways_diagram(source)
