"""The main road of a chapter is short, says little at a time, and hides nothing."""

import re

import pytest
from listing import WRITTEN

from attn_book.commands.reading import Road, numbers, questions

BY_HAND = ("01", "02", "03", "04", "05", "07", "a")  # on the steps of a look or of a search
USUAL = 15, 25  # minutes
MINUTES = {
    "chapters/06-gradient-paths": (12, 16),  # the experiment, and one section on why
    "chapters/a-searching": (8, 14),  # a short one
}


def number_of(name: str) -> str:
    return name.removeprefix("chapters/").partition("-")[0]


every_road = pytest.mark.parametrize("name", WRITTEN)


@pytest.fixture
def article(parsed, name):
    article = parsed[f"{name}.html"].article
    if not article.select_one(".attn-side"):
        pytest.skip("everything in this chapter is on its main road still")
    return article


@every_road
def test_a_road_takes_a_quarter_of_an_hour_or_a_little_more(article, name):
    least, most = MINUTES.get(name, USUAL)
    assert least <= Road(article, whole=False).minutes <= most


@every_road
def test_a_road_makes_four_claims_at_most(article):
    assert 1 <= Road(article, whole=False).count("claims") <= 4


@pytest.mark.parametrize("name", [name for name in WRITTEN if number_of(name) in BY_HAND])
def test_one_look_is_worked_out_with_its_numbers_before_the_first_result(article):
    first = article.select_one(".attn-claim:not(.attn-side *)")
    printed = [
        part.get_text()
        for part in first.find_all_previous(class_=("stream", "text_plain"))
        if not part.find_parent(class_="attn-side")
    ]
    assert max(len(re.findall(r"\d\.\d+", text)) for text in printed) >= 4


@every_road
def test_a_road_asks_for_guesses_and_has_something_to_play_with(article):
    road = Road(article, whole=False)
    assert 1 <= road.count("guesses") <= 4
    assert road.count("widgets") >= 1


@every_road
def test_no_sentence_on_a_road_has_more_than_four_numbers(article):
    crowded = [one for one in Road(article, whole=False).sentences if len(numbers(one)) > 4]
    assert not crowded


@every_road
def test_no_heading_has_more_than_nine_words(article):
    assert not [one for one in Road(article, whole=True).headings if len(one.split()) > 9]


@every_road
def test_a_road_ends_with_four_questions(article):
    assert questions(article) == 4


def test_the_hours_that_are_proposed_suffice(parsed):
    """*How to study* says two hours for four chapters, and five and a half without the studies."""
    minutes = {name: Road(parsed[f"{name}.html"].article, whole=False).minutes for name in WRITTEN}
    four = [minutes[name] for name in minutes if number_of(name) in ("01", "02", "05", "07")]
    assert 90 <= sum(four) <= 120
    before = [minutes[name] for name in minutes if number_of(name) < "07"]
    assert sum(before) < 135  # and then comes self-attention
    assert 270 <= sum(minutes[name] for name in minutes if number_of(name).isdigit()) <= 330


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Cho et al. (2014) in chapter 05 and chapters 6 to 8b read 12 words.", ["12"]),
        ("It rose from −1.5 % to 2,000 at y1, x_2 and 3e-4.", ["−1.5", "2,000", "3e-4"]),
        ("Exercise 3 asks for 4-digit years, such as 1998.", ["4"]),
        ("It reads 15.7 % (9.9 to 24.0 over 102 dates) of them.", ["15.7"]),
    ],
)
def test_numbers_are_those_that_one_has_to_keep_in_mind(sentence, expected):
    assert numbers(sentence) == expected
