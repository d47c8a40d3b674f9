"""One look by hand in a real browser: its numbers, by pointer, finger and keyboard."""

import re

import numpy as np
import pytest
import torch
from browsing import drag
from walking import call, walk

from attn_book.commands.widgets_harness import trait
from attn_course.alignment import DotScore
from attn_course.context import attend
from attn_course.views.widgets.one_look import OneLook

SCRIPT = "widgets/one_look/one_look.js"
KEYS = [[2.0, 0.5], [-0.5, 1.0], [-1.5, -1.5], [1.0, -2.0]]


def look(**given):
    return OneLook(**{"keys": KEYS} | given)


def asked(**given):
    return look(askers=KEYS, **given)


def test_every_number_is_that_of_pytorch(show):
    page = show(look())
    rng = np.random.default_rng(0)
    for source in (2, 3, 5):
        query, keys, values = (rng.uniform(-3, 3, (n, 2)) for n in (1, source, source))
        one = [torch.tensor(part[None]) for part in (query, keys, values)]
        context, weights = attend(*one, DotScore())
        scores = DotScore()(*one[:2])[0, 0]
        found = call(page, SCRIPT, "lookOf", query[0].tolist(), keys.tolist(), values.tolist())
        np.testing.assert_allclose(found["scores"], scores, atol=1e-12)
        np.testing.assert_allclose(found["powers"], scores.exp(), rtol=1e-12)
        np.testing.assert_allclose(found["total"], scores.exp().sum(), rtol=1e-12)
        np.testing.assert_allclose(found["weights"], weights[0, 0], atol=1e-12)
        np.testing.assert_allclose(found["context"], context[0, 0], atol=1e-12)


def test_a_share_is_never_shown_as_nothing_or_everything(show):
    shown = {
        **{0.7846: "78 %", 0.0043: "0.4 %", 0.01755: "2 %", 0.0095: "1 %", 0.00949: "0.9 %"},
        **{1e-9: "< 0.1 %", 0.0004: "< 0.1 %", 0.9904: "99 %", 0.996: "99.6 %"},
        **{0.9996: "> 99.9 %", 1.0: "> 99.9 %"},
    }
    page = show(look())
    for share, text in shown.items():
        assert call(page, SCRIPT, "portion", share).replace("\u00a0", " ") == text


def rows(page):
    cells = "rows => rows.map((row) => [...row.children].map((cell) => cell.textContent))"
    found = page.locator(".attn-sums tr").evaluate_all(cells)
    return [[text.replace("\u00a0", " ") for text in row] for row in found]


BY_HAND = [
    ["1", "0.8 × 2 + 1.2 × 0.5 = 2.2", "9.03", "78 %"],
    ["2", "0.8 × (−0.5) + 1.2 × 1 = 0.8", "2.23", "19 %"],
    ["3", "0.8 × (−1.5) + 1.2 × (−1.5) = −3", "0.05", "0.4 %"],
    ["4", "0.8 × 1 + 1.2 × (−2) = −1.6", "0.20", "2 %"],
]


def average(page):
    return page.locator(".attn-average").text_content()


def test_the_look_can_be_followed_by_hand(show):
    page = show(look())
    head, *keys, total = rows(page)
    assert head == ["key", "multiply and add: the score", "escore", "share"]
    assert keys == BY_HAND
    assert total == ["", "together", "11.50", ""]
    assert average(page) == (
        "Average c = 0.785 · (2, 0.5) + 0.193 · (−0.5, 1) + "
        "0.004 · (−1.5, −1.5) + 0.018 · (1, −2) = (1.48, 0.54)"
    )


def test_it_goes_as_far_as_the_step_says(show):
    for step, columns in {"scores": 2, "shares": 4}.items():
        page = show(look(step=step))
        assert [row[:columns] for row in rows(page)[1:5]] == [row[:columns] for row in BY_HAND]
        assert {len(row) for row in rows(page)} == {columns}
        assert average(page) == ""
        assert page.locator(".attn-context").count() == 0
    # before the shares, the matrix has scores
    page = show(asked(step="scores", asker=0))
    assert rows(page)[2] == ["2", "−0.5", "1.25", "−0.75", "−2.5"]


def query(page):
    return page.locator('.attn-handle[data-name="query"]')


def test_arrow_keys_move_the_query_and_all_numbers_follow(show):
    page = show(look())
    go = walk(page)
    query(page).focus()
    go("key ArrowRight; key Shift+ArrowDown", query=[0.9, 0.2])
    assert query(page).get_attribute("aria-label") == "Query at (0.9, 0.2)"
    assert rows(page)[1][1:3] == ["0.9 × 2 + 0.2 × 0.5 = 1.9", "6.69"]
    largest = "Key 1 gets the largest share, 72 %. The average is (1.54, 0.06)."
    go(said=[f"The query is (0.9, 0.2). {largest}"])
    go("key Shift+ArrowLeft;" * 5, query=[-3.0, 0.2])
    go("click Reset")
    assert rows(page)[1:5] == BY_HAND
    go("set query [-2, 0.5]")
    assert query(page).get_attribute("aria-label") == "Query at (−2, 0.5)"


def test_a_tie_is_told_as_one(show):
    for keys, asked_with, words in [
        (KEYS, (0, 0), "All keys get the same share, 25 % each."),
        ([[1, 0], [0, 1], [-1, 0]], (1, 1), "Keys 1 and 2 get the largest share, 47 % each."),
        ([[1, 0], [0, 1]], (1, 0), "Key 1 gets the largest share, 73 %."),
    ]:
        walk(show(look(keys=keys, query=asked_with)))(said=words)
    tied = show(look(query=(0, 0), step="scores"))
    walk(tied)(said="All keys have the same score, 0.")


@pytest.mark.parametrize("finger", [False, True])
def test_the_query_can_be_dragged_in_tenths(show, finger):
    page = show(look(), width=360, has_touch=finger)
    drag(page, query(page), finger)
    moved = trait(page, "query")
    assert moved[0] < 0.4
    assert moved[1] < 0.9
    assert moved == [round(entry, 1) for entry in moved]
    walk(page)(said="The query is (")


def test_keys_and_values_stay_where_they_are(show):
    page = show(look(values=KEYS[::-1]))
    assert page.locator(".attn-handle").count() == 1
    names = page.locator(".attn-point[role=img] text").all_text_contents()
    assert names == [*"1234", "v1", "v2", "v3", "v4"]
    assert "0.785 · (1, −2)" in average(page)


# ---- every position asks


def who(page, name):
    return page.get_by_role("group", name="Who asks?").get_by_role("button", name=name)


def test_the_reader_chooses_who_asks_and_nothing_can_be_moved(show):
    page = show(asked())
    assert page.locator(".attn-handle").count() == 0
    who(page, "2").focus()
    page.keyboard.press("Enter")
    walk(page)(asker=2, said="Position 2 asks with (−0.5, 1). Key 2 gets the largest share")
    assert who(page, "2").get_attribute("aria-pressed") == "true"
    assert [row[-1] for row in rows(page)[1:5]] == ["13 %", "75 %", "10 %", "2 %"]
    assert average(page).endswith("= (−0.25, 0.63)")


def test_all_of_them_are_a_matrix_of_shares(show):
    page = show(asked())
    who(page, "all").click()
    given = torch.tensor([KEYS], dtype=torch.float64)
    context, weights = attend(given, given, given, DotScore())
    found = rows(page)
    assert found[0] == ["asks", *"1234", "average"]
    for row, expected, middle in zip(found[1:], weights[0], context[0], strict=True):
        for text, share in zip(row[1:5], expected.tolist(), strict=True):
            number = float(re.search(r"[\d.]+", text)[0])
            assert number == pytest.approx(100 * share, abs=0.51 if number >= 1 else 0.1)
        entries = [float(text.replace("−", "-")) for text in row[5].strip("()").split(",")]
        assert entries == pytest.approx(middle.tolist(), abs=0.0051)
    assert page.locator(".attn-context").count() == 4
    assert page.locator(".attn-query").is_hidden()
    assert average(page) == ""
    walk(page)("click Reset", asker=1)
    assert page.locator(".attn-query").is_visible()
