"""The glimpse stepper in a real browser: what it shows of the arrays, and what a reader does."""

import numpy as np
import torch
from browsing import of_each
from walking import table, walk

from attn_course.tasks.digits import cells_inside
from attn_course.views.widgets.glimpse_stepper import GlimpseStepper

ROWS, COLUMNS, CELLS = 12, 20, (3, 5)
BOXES = np.array([[0, 0, 8, 8], [4, 11, 12, 19]])


def shares(count, size, strongest, share=0.6):
    """A row for each look, of which one entry is the largest."""
    rows = np.random.default_rng(count).dirichlet(np.ones(size), count) * (1 - share)
    rows[np.arange(count), strongest] += share
    return rows.astype(np.float32)


def reader(cells, symbols):
    return {
        "weights": shares(len(cells), 15, cells).reshape(-1, *CELLS),
        "chances": shares(len(symbols), 11, symbols, share=0.9),
    }


def example(name="One", **changes):
    pixels = np.random.default_rng(2).uniform(size=(ROWS, COLUMNS)).astype(np.float32)
    readers = {
        "State decides": reader([6, 13, 0], [3, 7, 10]),
        "Step decides": reader([6, 2, 1, 4], [3, 1, 7, 10]),
    }
    canvas = {"name": name, "pixels": pixels, "digits": [3, 7], "boxes": BOXES}
    return canvas | {"readers": readers} | changes


def stepper(**traits):
    alone = {"Alone": reader([14], [10])}
    other = example("Two", digits=[5], boxes=BOXES[:1], readers=alone | {"Second": alone["Alone"]})
    other["readers"] = dict(zip(example()["readers"], other["readers"].values(), strict=True))
    return GlimpseStepper([example(), other], **traits)


def test_ink_and_weights_are_drawn_where_they_are(show):
    page = show(stepper())
    grid = page.evaluate(
        """([rows, columns]) => {
          const { x, y, width, height } = document
            .querySelector(".attn-panel svg").getBoundingClientRect();
          const levels = Array(rows * columns).fill(0);
          for (const path of document.querySelectorAll(".attn-panel svg .attn-ink"))
            for (let at = 0; at < levels.length; at++) {
              const point = new DOMPoint((at % columns) + 0.5, Math.floor(at / columns) + 0.5);
              if (path.isPointInFill(point))
                levels[at] += Number(path.getAttribute("fill-opacity"));
            }
          return levels;
        }""",
        [ROWS, COLUMNS],
    )
    np.testing.assert_allclose(grid, example()["pixels"].ravel(), atol=0.0521)
    cells = page.evaluate(
        """() => [...document.querySelectorAll(".attn-panel:last-child svg .attn-cells")]
          .flatMap((path) => Array.from({ length: 15 }, (_, at) => {
            const point = new DOMPoint(4 * (at % 5) + 2, 4 * Math.floor(at / 5) + 2);
            const step = /weight-(\\d+)/.exec(path.getAttribute("style"))[1];
            return path.isPointInFill(point) ? [at, Number(step)] : null;
          }).filter(Boolean))"""
    )
    weights = example()["readers"]["State decides"]["weights"][1].ravel()
    expected = {at: round(20 * float(weight)) for at, weight in enumerate(weights)}
    assert dict(cells) == {at: step for at, step in expected.items() if step}


SIDES = "all => all.map((one) => ['y', 'x', 'height', 'width'].map((a) => +one.getAttribute(a)))"
PARTS = {
    "values": "[aria-label=Look] @aria-valuetext",
    "boxes": ".attn-panel >> nth=0 >> .attn-box",
    "read": ".attn-so-far .attn-chip",
    "pressed": ".attn-switch [aria-pressed=true]",
    "chosen": ".attn-chosen-symbol b",
    "choices": ".attn-switch, select",
}


def test_a_reader_steps_through_looks_readers_and_canvases(show):
    page = show(stepper())
    go, weights = walk(page, **PARTS), example()["readers"]["State decides"]["weights"][1]
    go(look=1, read=["3"], chosen=["7"], says="Before look 2 it has read 3.")
    strongest = f"{100 * weights.max():.0f} % of the weight lies on one cell, row 3 of 3, column 4"
    go(says=f"{strongest} of 5…It reads 7…which is right.")
    go(other="at look 2: its largest weight…row 1 of 3, column 3 of 5…reads “1”")
    go("set look 0", so_far="nothing yet", says="Before the first look it has read nothing.")
    go("press Previous look Enter", look=0)  # there is none
    go("press Next look Enter; press Next look Enter", look=2, read=["3", "7"])
    go(says="nothing is left to read…which is right.")
    go("press First look Space; slide Look End", look=2, values=["look 3 of 3"])
    go("click Previous look", look=1)
    go("click Step decides", pressed=["Step decides"], says="the digit to read now is 7.")
    go("slide Look End", look=3, other="it has already ended.", read=["3", "1", "7"])
    go(wrong_chip=["1", "7"])
    go("click State decides", says="Before look 3")  # which took three looks
    go("click Step decides; set look 2", says="but all digits have been read.")
    go("click Reset; check Exact boxes", show_boxes=True)
    sides = [[0, 0, 8, 8], [4, 11, 8, 8]]
    assert page.locator(".attn-panel").first.locator(".attn-box").evaluate_all(SIDES) == sides
    inside = cells_inside(torch.from_numpy(BOXES), ROWS, COLUMNS).numpy()[1]
    share = f"{100 * weights.ravel()[inside].sum():.0f} %"
    go(says=f"{share} of the weight lies in the box of the 7, the second digit.")
    go("click Step decides", says="of the weight lies in no box.")
    go("choose Canvas: Two", index=1, look=0, says="but the digit to read now is 5.")
    assert page.get_by_role("slider", name="Look").is_disabled()
    go("click Reset", index=0, look=1, boxes=0)


def test_one_reader_alone_is_compared_with_none(show):
    alone = {"Only": reader([6, 13], [3, 10])}
    go = walk(show(GlimpseStepper([example(readers=alone)])), **PARTS)
    go(choices=0, other=[""], says="the digit to read now is 7.")


def test_the_largest_probability_has_the_highest_bar(show):
    bars = show(stepper()).locator(".attn-chance-bar")
    heights = of_each(bars, "parseFloat(one.style.height)")
    chances = example()["readers"]["State decides"]["chances"][1]
    np.testing.assert_allclose(heights, 100 * chances, atol=0.051)


def test_the_table_has_every_look_of_every_reader(show):
    rows = table(show(stepper()))
    assert rows[0] == ["Reader", "Look", "Largest weight", "Reads"]
    assert [row[:2] for row in rows[1:]] == [
        *[["State decides", str(n)] for n in (1, 2, 3)],
        *[["Step decides", str(n)] for n in (1, 2, 3, 4)],
    ]
    assert rows[2][2].startswith("row 3 of 3, column 4 of 5 (")
    assert [row[3].split(" ")[0] for row in rows[1:4]] == ["3", "7", "end"]
