"""The memory explorer in a real browser: its arithmetic, and what a reader does."""

import numpy as np
import pytest
import torch
from browsing import of_each
from test_widget_memory_explorer import KEY_VECTORS, VALUE_VECTORS, explorer
from torch.nn import functional as F
from walking import call, walk

from attn_book.commands.widgets_harness import trait
from attn_course.memory import memory_state
from attn_course.views.widgets.memory_explorer import RULES


def test_the_matrix_and_the_products_equal_those_of_the_package(show):
    page, random = show(explorer()), np.random.default_rng(3)
    for size, count in ((2, 1), (5, 7), (11, 23)):
        keys, values = (
            F.normalize(torch.tensor(random.normal(size=(rows, size))), dim=-1) for rows in (7, 5)
        )
        pairs = np.stack([random.integers(7, size=count), random.integers(5, size=count)], axis=1)
        for rule in RULES:
            inputs = {"rule": rule, "size": size, "decay": 0.7, "sharpness": 9.0}
            inputs |= {"keys": keys.tolist(), "values": values.tolist(), "pairs": pairs.tolist()}
            result = call(page, "module0.mjs", "remember", inputs)
            written = keys[pairs[:, 0]], values[pairs[:, 1]]
            queries = keys[[answer["key"] for answer in result["answers"]]]
            if rule == "softmax":
                read = (9 * queries @ written[0].T).softmax(dim=-1) @ written[1]
            else:
                kind = "delta" if rule == "delta" else "sum"
                decay = 0.7 if rule == "decay" else 1.0
                state = memory_state(*(part[None] for part in written), kind, decay)[0]
                np.testing.assert_allclose(result["state"], state, atol=1e-12)
                read = queries @ state.T
            products = [answer["products"] for answer in result["answers"]]
            np.testing.assert_allclose(products, read @ values.T, atol=1e-12)


@pytest.mark.parametrize("rule", RULES)
def test_the_page_and_python_read_the_same_answers(show, rule):
    widget = explorer(rule=rule, written=6, size=3)
    page = show(widget)
    texts = of_each(page.locator(".attn-answer"), "one.textContent")
    assert texts == [f"{key} → {read}" for key, _, read in widget.answers]
    wrong = page.locator(".attn-answer .attn-mistake").count()
    assert wrong == sum(value != read for _, value, read in widget.answers)
    script = """async ([bytes, count]) => {
      const { unitRows } = await import("./module0.mjs");
      return unitRows(window.models[0].get(bytes), count, 3);
    }"""
    for name, rows in (("key_vectors", KEY_VECTORS), ("value_vectors", VALUE_VECTORS)):
        expected = F.normalize(torch.tensor(rows[:, :3]), dim=-1)
        vectors = page.evaluate(script, [name, len(rows)])
        np.testing.assert_allclose(vectors, expected, atol=1e-5)


PARTS = {
    "everything": ".attn-everything li",
    "drawn": ".attn-answer, .attn-bar-row",
    "outcomes": ".attn-answer @aria-label",
}


def test_a_reader_fills_the_memory_and_asks_it(show):
    widget = explorer(written=1)
    page = show(widget)
    go, slider = walk(page, **PARTS), page.get_by_role("slider", name="Pairs written")
    go(says="1 pair written. Of 1 key, 1 reads back right. Asked for")
    slider.fill("6")
    go(written=6, asked=1, says="6 pairs written. Of 4 keys, ")  # asked: what was written last
    assert page.locator(".attn-readout").get_attribute("data-live") == ""
    slider.fill("0")
    go(says=["Nothing is written yet."], drawn=0)
    for size in ("0", "3"):
        page.get_by_role("slider", name="Size").fill(size)
        go(kept=trait(page, "size") ** 2)
    go("click Reset; slide Pairs written ArrowRight; slide Size ArrowLeft", written=2, size=3)
    go("set written 4; focus .answer 2; key Enter", asked=6, gold=1, best=1)
    assert page.evaluate("document.activeElement.ariaPressed") == "true"  # where it was
    go("choose Key: 5; choose Value: 3; click Write this pair", written=5, asked=5)
    go(pairs=[*widget.pairs[:4], [5, 3], *widget.pairs[4:]])
    go("click Write this pair;" * 45, written=40)
    assert len(trait(page, "pairs")) == 40
    go("click Reset", pairs=widget.pairs, written=1)
    go("set written 4; choose Writing rule: softmax", rule="softmax", matrix=0, everything=4)
    go(memory="40 in all, and growing")


def test_every_answer_says_whether_it_is_right(show):
    widget = explorer(written=6, size=2)
    outcomes = [
        f"{key} → {read}, {'right' if read == value else f'wrong, {value} was written'}"
        for key, value, read in widget.answers
    ]
    walk(show(widget), **PARTS)(outcomes=outcomes)
