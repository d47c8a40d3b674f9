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


def look(**options):
    return OneLook(**{"keys": KEYS} | options)


def asked(**options):
    return look(askers=KEYS, **options)


def test_every_number_is_that_of_pytorch(show):
    page = show(look())
    rng = np.random.default_rng(0)
    for source in (2, 3, 5):
        query, keys, values = (rng.uniform(-3, 3, (n, 2)) for n in (1, source, source))
        one = [torch.tensor(part[None]) for part in (query, keys, values)]
        context, weights = attend(*one, DotScore())
        scores = DotScore()(*one[:2])[0, 0]
        result = call(page, SCRIPT, "lookOf", query[0].tolist(), keys.tolist(), values.tolist())
        np.testing.assert_allclose(result["scores"], scores, atol=1e-12)
        np.testing.assert_allclose(result["powers"], scores.exp(), rtol=1e-12)
        np.testing.assert_allclose(result["total"], scores.exp().sum(), rtol=1e-12)
        np.testing.assert_allclose(result["weights"], weights[0, 0], atol=1e-12)
        np.testing.assert_allclose(result["context"], context[0, 0], atol=1e-12)


def test_a_share_is_never_shown_as_nothing_or_everything(show):
    texts = {
        **{0.7846: "78 %", 0.0043: "0.4 %", 0.01755: "2 %", 0.0095: "1 %", 0.00949: "0.9 %"},
        **{1e-9: "< 0.1 %", 0.0004: "< 0.1 %", 0.9904: "99 %", 0.996: "99.6 %"},
        **{0.9996: "> 99.9 %", 1.0: "> 99.9 %"},
    }
    page = show(look())
    for share, text in texts.items():
        assert call(page, SCRIPT, "portion", share).replace("\u00a0", " ") == text


def rows(page):
    cells = "rows => rows.map((row) => [...row.children].map((cell) => cell.textContent))"
    texts = page.locator(".attn-sums tr").evaluate_all(cells)
    return [[text.replace("\u00a0", " ") for text in row] for row in texts]


BY_HAND = [
    ["1", "0.8 × 2 + 1.2 × 0.5 = 2.2", "9.03", "78 %"],
    ["2", "0.8 × (−0.5) + 1.2 × 1 = 0.8", "2.23", "19 %"],
    ["3", "0.8 × (−1.5) + 1.2 × (−1.5) = −3", "0.05", "0.4 %"],
    ["4", "0.8 × 1 + 1.2 × (−2) = −1.6", "0.20", "2 %"],
]


def test_the_look_can_be_followed_by_hand(show):
    page = show(look())
    go, (head, *keys, total) = walk(page, **PARTS), rows(page)
    assert head == ["key", "multiply and add: the score", "escore", "share"]
    assert keys == BY_HAND
    assert total == ["", "together", "11.50", ""]
    mixed = "0.785 · (2, 0.5) + 0.193 · (−0.5, 1) + 0.004 · (−1.5, −1.5) + 0.018 · (1, −2)"
    go(average=[f"Average c = {mixed} = (1.48, 0.54)"])
    go("focus query_handle; key ArrowRight; key Shift+ArrowDown", query=[0.9, 0.2])
    assert rows(page)[1][1:3] == ["0.9 × 2 + 0.2 × 0.5 = 1.9", "6.69"]
    largest = "Key 1 gets the largest share, 72 %. The average is (1.54, 0.06)."
    go(where=["Query at (0.9, 0.2)"], says=[f"The query is (0.9, 0.2). {largest}"])
    go("key Shift+ArrowLeft;" * 5, query=[-3.0, 0.2])
    go("click Reset")
    assert rows(page)[1:5] == BY_HAND
    go("set query [-2, 0.5]", where=["Query at (−2, 0.5)"])
    go = walk(show(look(values=KEYS[::-1])), **PARTS)  # keys and values stay where they are
    go(handle=1, names=[*"1234", "v1", "v2", "v3", "v4"], average="0.785 · (1, −2)")


def test_it_goes_as_far_as_the_step_says(show):
    for step, columns in {"scores": 2, "shares": 4}.items():
        page = show(look(step=step))
        assert [row[:columns] for row in rows(page)[1:5]] == [row[:columns] for row in BY_HAND]
        assert {len(row) for row in rows(page)} == {columns}
        walk(page, **PARTS)(average=[""], context=0)
    # before the shares, the matrix has scores
    page = show(asked(step="scores", asker=0))
    assert rows(page)[2] == ["2", "−0.5", "1.25", "−0.75", "−2.5"]


PARTS = {
    "query_handle": '.attn-handle[data-name="query"]',
    "where": '.attn-handle[data-name="query"] @aria-label',
    "queries": ".attn-query:visible",
    "names": ".attn-point[role=img] text",
    "asker_button": "[aria-label='Who asks?'] button",
    "pressed": "[aria-label='Who asks?'] [aria-pressed=true]",
}


def test_a_tie_is_told_as_one(show):
    for keys, asked_with, words in [
        (KEYS, (0, 0), "All keys get the same share, 25 % each."),
        ([[1, 0], [0, 1], [-1, 0]], (1, 1), "Keys 1 and 2 get the largest share, 47 % each."),
        ([[1, 0], [0, 1]], (1, 0), "Key 1 gets the largest share, 73 %."),
    ]:
        walk(show(look(keys=keys, query=asked_with)))(says=words)
    tied = show(look(query=(0, 0), step="scores"))
    walk(tied)(says="All keys have the same score, 0.")


@pytest.mark.parametrize("finger", [False, True])
def test_the_query_can_be_dragged_in_tenths(show, finger):
    page = show(look(), width=360, has_touch=finger)
    drag(page, page.locator(".attn-handle"), finger)
    right, up = moved = trait(page, "query")
    assert (right < 0.4, up < 0.9) == (True, True)
    assert moved == [round(entry, 1) for entry in moved]
    walk(page)(says="The query is (")


# ---- every position asks


def test_the_reader_chooses_who_asks_and_nothing_can_be_moved(show):
    page = show(asked())
    go = walk(page, **PARTS)
    go("press asker_button 1 Enter", asker=2, pressed=["2"], handle=0)
    go(says="Position 2 asks with (−0.5, 1). Key 2 gets the largest share")
    assert [row[-1] for row in rows(page)[1:5]] == ["13 %", "75 %", "10 %", "2 %"]
    assert page.locator(".attn-average").text_content().endswith("= (−0.25, 0.63)")


def test_all_of_them_are_a_matrix_of_shares(show):
    page = show(asked())
    go = walk(page, **PARTS)
    page.get_by_role("group", name="Who asks?").get_by_role("button", name="all").click()
    inputs = torch.tensor([KEYS], dtype=torch.float64)
    context, weights = attend(inputs, inputs, inputs, DotScore())
    head, *body = rows(page)
    assert head == ["asks", *"1234", "average"]
    for row, expected, middle in zip(body, weights[0], context[0], strict=True):
        for text, share in zip(row[1:5], expected.tolist(), strict=True):
            number = float(re.search(r"[\d.]+", text)[0])
            assert number == pytest.approx(100 * share, abs=0.51 if number >= 1 else 0.1)
        entries = [float(text.replace("−", "-")) for text in row[5].strip("()").split(",")]
        assert entries == pytest.approx(middle.tolist(), abs=0.0051)
    go(context=4, queries=0, average=[""])
    go("click Reset", asker=1, queries=1)
