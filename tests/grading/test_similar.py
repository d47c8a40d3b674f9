"""A disguised copy is found, and answers that had little to decide are left alone."""

import random
import re

import pytest

from attn_course.classroom.grading import similar
from attn_course.classroom.grading.extract import answer_in, normalised

COMMON = "def f(x):\n    return (x - x.max()).exp() / (x - x.max()).exp().sum()\n"
OWN = """
def f(x):
    total = 0
    for index, number in enumerate(x):
        if index % 2 and number > total:
            total = total + number * 3 - index
    while total > 100:
        total = total // 7
    return [each + total for each in x if each != total]
"""
DISGUISED = '''
def f(values: list) -> list:
    """My own idea."""
    s: int = 0
    for i, v in enumerate(values):  # go through all of them
        if i % 2 and v > s:
            s = s + v * 3 - i
    while s > 100:
        s = s // 7
    return [w + s for w in values if w != s]
'''
OTHER = """
def f(x):
    best = max(x, key=abs)
    table = {number: place for place, number in reversed(list(enumerate(x)))}
    def score(number):
        return table[number] ** 2 if number < best else -number
    return sorted(set(x), key=score)[: len(x) // 2]
"""


def record(student, source):
    taken = answer_in([source], "f").source
    mark = {"call": "f(x)", "source": normalised(taken, "f"), "isolated": True}
    return {"student": student, "marks": [mark]}


def class_of(**own):
    """Thirty who wrote the same line, and those named."""
    crowd = [record(f"student{number}", COMMON) for number in range(30)]
    return [*crowd, *(record(name, source) for name, source in own.items())]


def test_a_disguised_copy_is_found_among_answers_that_are_all_the_same():
    (pair,) = similar.pairs(class_of(ada=OWN, eve=DISGUISED, bob=OTHER))
    assert (pair.one, pair.two, pair.calls) == ("ada", "eve", ("f(x)",))
    assert pair.share == 1.0


def test_four_in_a_class_of_ten_who_share_are_all_found():
    others = [record(f"student{number}", COMMON) for number in range(6)]
    whole = [*others, *(record(f"copy{number}", DISGUISED) for number in range(4))]
    assert len(similar.pairs(whole)) == 6


def test_half_of_a_copy_is_half_alike():
    lines = OWN.splitlines()
    half = "\n".join([*lines[:6], "    return sum(map(float, reversed(x))), total"])
    runs = {name: similar.runs_of(record(name, text)) for name, text in [("a", OWN), ("b", half)]}
    (pair,) = similar.pairs(class_of(ada=OWN, eve=half))
    assert pair.share == pytest.approx(len(runs["a"] & runs["b"]) / len(runs["b"]))
    assert similar.ALIKE <= pair.share < 1


def test_what_many_wrote_and_who_wrote_little_is_nobodys_copy():
    assert similar.pairs(class_of(bob=OTHER)) == []
    assert similar.pairs([record("ada", "f = abs"), record("eve", "f = abs")]) == []


def test_the_order_of_a_class_does_not_matter():
    whole = class_of(ada=OWN, eve=DISGUISED, bob=OTHER, dan=OTHER)
    pairs = [
        {frozenset(each[:2]) for each in similar.pairs(random.sample(whole, len(whole)))}
        for _ in range(3)
    ]
    assert (
        pairs[0] == pairs[1] == pairs[2] == {frozenset({"ada", "eve"}), frozenset({"bob", "dan"})}
    )


def test_the_page_holds_text_and_no_markup(tmp_path):
    similar.write(class_of(**{"<b>ada": OWN, "eve": DISGUISED}), tmp_path)
    text = (tmp_path / "similarity.html").read_text("utf-8")
    assert "&lt;b&gt;ada" in text
    assert "<b>" not in text
    assert re.search(r"<td>100%</td><td>\d+</td>", text)
    assert "No two" in similar.page([], 3)
