"""The index of the book: which chapters an entry of the glossary leads to."""

import pytest
from making import page_of

from attn_book.notebooks import mentions

TERMS = {"term-mask": ["mask", "masks"], "term-causal-mask": ["causal mask"]}


def places_in(*bodies: str) -> dict[str, list[tuple[int, str]]]:
    """The places of both entries in chapters with these bodies: number and section."""
    names = [f"chapters/{number:02}-x" for number, _ in enumerate(bodies, start=1)]
    texts = {n: [*mentions.prose(page_of(body))] for n, body in zip(names, bodies, strict=True)}
    places = mentions.places(TERMS, texts)
    return {
        key: [(int(name[9:11]), section) for name, section in of_key.items()]
        for key, of_key in places.items()
    }


def section(name: str, times: int, word: str = "mask") -> str:
    return f'<section id="{name}"><h2>{word}</h2>' + f"<p>A {word} here.</p>" * times + "</section>"


def test_a_chapter_that_mentions_a_term_twice_is_a_place_of_it():
    assert places_in(section("a", 1), section("b", 2))["term-mask"] == [(2, "b")]


def test_the_section_that_says_most_is_the_place():
    body = (
        f'<section id="whole">{section("one", 1)}{section("three", 3)}{section("two", 2)}</section>'
    )
    assert places_in(body)["term-mask"] == [(1, "three")]


def test_of_many_chapters_those_that_say_most_stay_in_their_order():
    bodies = [section(f"s{times}", times) for times in (3, 2, 7, 5, 4, 6)]
    assert places_in(*bodies)["term-mask"] == [(3, "s7"), (4, "s5"), (5, "s4"), (6, "s6")]


def test_never_more_than_four_even_where_they_say_as_much():
    assert len(places_in(*[section("a", 3)] * 7)["term-mask"]) == mentions.AT_MOST


def test_a_longer_term_is_not_the_shorter_one_within_it():
    places = places_in(section("a", 2, "causal mask"))
    assert places == {"term-mask": [], "term-causal-mask": [(1, "a")]}


def test_forms_and_capitals_count_and_parts_of_words_do_not():
    body = '<section id="a"><p>Masks, and a <em>mask</em>.</p><p>unmasked masking</p></section>'
    assert places_in(body)["term-mask"] == [(1, "a")]
    assert places_in(body.replace("Masks", "Masked"))["term-mask"] == []


@pytest.mark.parametrize(
    "around",
    ['<div class="cell docutils">{}</div>', "<details>{}</details>", "<div><pre>{}</pre></div>"],
)
def test_code_outputs_and_folds_do_not_count(around):
    inside = around.format("<p>mask</p>" * 5 if "pre" not in around else "mask " * 5)
    assert places_in(f'<section id="a">{inside}<p>mask</p></section>')["term-mask"] == []


def test_an_item_of_a_list_counts_once():
    body = '<section id="a"><ul><li><p>mask</p></li></ul><ul><li>none</li></ul></section>'
    assert places_in(body)["term-mask"] == []
