"""A disguised copy is found, and answers that had little to decide are left alone."""

import random
import re

import pytest

from attn_class.grading import similar
from attn_class.grading.extract import answer_in, normalised

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
    return {"student": student, "marks": [mark | {"points": 1, "maximum": 1}]}


def class_of(**own):
    """Thirty who wrote the same line, and those named."""
    crowd = [record(f"student{number}", COMMON) for number in range(30)]
    return [*crowd, *(record(name, source) for name, source in own.items())]


def test_a_disguised_copy_is_found_among_answers_that_are_all_the_same():
    whole = class_of(ada=OWN, eve=DISGUISED, bob=OTHER)
    assert similar.equal(whole)[0] == similar.Group(("ada", "eve"), ("f(x)",))
    assert similar.alike(whole) == []


def varied(number):
    """A copy that was changed in one place, otherwise than other copies; some are equal."""
    return OWN.replace("total > 100", f"total > {100 + number // 2}")


@pytest.mark.parametrize(("ring", "others"), [(4, 6), (6, 4), (12, 88), (30, 70), (50, 50)])
def test_a_ring_of_any_size_is_one_group(ring, others):
    whole = [record(f"copy{number:02}", varied(number)) for number in range(ring)]
    whole += [record(f"other{n}", COMMON if n % 2 else varied_other(n)) for n in range(others)]
    (group,) = similar.alike(whole)
    assert group.students == tuple(f"copy{number:02}" for number in range(ring))


def varied_other(number):
    """An answer of somebody's own: what is done, and in which order, differs."""
    chance = random.Random(number)
    steps = [f"x = x {chance.choice('+-*/%|&^')} {chance.randrange(99)}" for _ in range(30)]
    return "def f(x):\n    " + "\n    ".join(steps) + "\n    return x\n"


def test_equal_submissions_are_listed_even_if_all_are_equal():
    whole = [record(f"student{number}", DISGUISED) for number in range(9)]
    (group,) = similar.equal(whole)
    assert len(group.students) == 9
    assert similar.equal([*whole[:1], record("bob", OTHER)]) == []


def test_equal_functions_are_listed_where_they_are_wrong():
    whole = class_of(ada="f = abs", eve="f = abs")
    assert similar.equally_wrong(whole) == []
    for one in whole[-2:]:
        one["marks"][0]["points"] = 0
    assert similar.equally_wrong(whole) == [similar.Group(("ada", "eve"), ("f(x)",))]


def test_half_of_a_copy_is_half_alike():
    lines = OWN.splitlines()
    half = "\n".join([*lines[:6], "    return sum(map(float, reversed(x))), total"])
    runs = {name: similar.runs_of(record(name, text)) for name, text in [("a", OWN), ("b", half)]}
    (group,) = similar.alike(class_of(ada=OWN, eve=half))
    assert group.share == pytest.approx(len(runs["a"] & runs["b"]) / len(runs["b"]))
    assert similar.ALIKE <= group.share < 1


def test_what_many_wrote_and_who_wrote_little_is_nobodys_copy():
    assert similar.alike(class_of(bob=OTHER)) == []
    assert similar.alike([record("ada", "f = abs"), record("eve", "f = abs")]) == []


def test_the_order_of_a_class_does_not_matter():
    whole = class_of(ada=OWN, eve=varied(2), bob=OTHER, dan=OTHER.replace("reversed", "sorted"))
    pairs = [
        {group.students for group in similar.alike(random.sample(whole, len(whole)))}
        for _ in range(3)
    ]
    assert pairs[0] == pairs[1] == pairs[2] == {("ada", "eve"), ("bob", "dan")}


def test_the_page_holds_text_and_no_markup(tmp_path):
    similar.write(class_of(**{"<b>ada": OWN, "eve": varied(2)}), tmp_path)
    text = (tmp_path / "similarity.html").read_text("utf-8")
    assert "&lt;b&gt;ada" in text
    assert "<b>" not in text
    assert re.search(r"<td><bdi>\d+%</bdi></td><td><bdi>\d+</bdi></td>", text)
    assert similar.page([]).count("<p>None.</p>") == 3
