"""The bottleneck explorer in a real browser: by pointer, finger and keyboard, in both themes."""

import functools
import itertools

import numpy as np
import torch
from torch_reader import arrays_of, scaled
from walking import call, walk

from attn_book.commands.widgets_harness import set_trait, trait
from attn_course.models.translator import bahdanau, fixed_context
from attn_course.packing import unpack
from attn_course.search import answer
from attn_course.tasks.vocabulary import Vocabulary
from attn_course.views.widgets.bottleneck_explorer import BottleneckExplorer

SIZES, STEPS, LENGTHS, SEEDS = [16, 64, 256], [300, 1_100], [2, 3, 5, 7, 11, 13], 3
MODELS = ("fixed", "attending")


def task(seed=0, name="Copy letters", sizes=SIZES, lengths=LENGTHS, separator=""):
    random = np.random.default_rng(seed)

    def word(n):
        return separator.join(random.choice(list("abcde"), n))

    def answers():
        exact = random.random((SEEDS, len(lengths)))
        texts = [[word(random.integers(0, n + 3)) for _ in range(2)] for n in lengths]
        return {"exact": exact, "written": texts}

    cells = [
        {"model": model, "size": size, "steps": steps, **answers()}
        for model, size, steps in itertools.product(MODELS, sizes, STEPS)
    ]
    questions = [[(word(n), word(n)) for _ in range(2)] for n in lengths]
    facts = {"name": name, "unit": "letters", "separator": separator, "lengths": lengths}
    return facts | {"trained": (lengths[0], lengths[-2]), "asked": questions, "cells": cells}


def explorer(**traits):
    names = task(1, "Number names", [64], [2, 4, 9, 12], " ")
    return BottleneckExplorer([task(), names], **{"size": 64, "length": 5, **traits})


def cell(task, model, size, steps):
    wanted = (model, size, steps)
    return next(c for c in task["cells"] if (c["model"], c["size"], c["steps"]) == wanted)


@functools.cache
def changes(written, target):
    """The number of replacements, deletions and insertions from one to the other."""
    if not written or not target:
        return len(written) + len(target)
    replaced = changes(written[1:], target[1:]) + (written[0] != target[0])
    return min(replaced, changes(written[1:], target) + 1, changes(written, target[1:]) + 1)


def test_means_and_spread_equal_numpy(show):
    widget = explorer()
    page = show(widget)
    for part in (cell for task in widget.tasks for cell in task["cells"]):
        curve = call(page, "module0.mjs", "curveOf", part)
        for name, how in {"mean": "mean", "low": "min", "high": "max"}.items():
            expected = getattr(np.array(part["exact"]), how)(axis=0)
            np.testing.assert_allclose([point[name] for point in curve], expected)


def test_marks_are_the_fewest_changes_and_what_is_kept_is_right(show):
    page = show(explorer())
    random = np.random.default_rng(3)
    for separator in ("", " "):
        for _ in range(7):
            answer, right = (
                random.choice(list("abc"), random.integers(1, 6)).tolist() for _ in range(2)
            )
            texts = separator.join(answer), separator.join(right)
            marks = call(page, "module0.mjs", "compared", *texts, separator)
            assert sum(not mark["right"] for mark in marks) == changes(tuple(answer), tuple(right))
            assert [mark["symbol"] for mark in marks if mark["symbol"] is not None] == answer
            target = iter(right)  # the right ones are in it, in this order
            assert all(mark["symbol"] in target for mark in marks if mark["right"])


def test_sliders_take_only_measured_cells(show):
    page = show(explorer())
    go = walk(page, values="[aria-label=Length] @aria-valuetext", **PARTS)
    go(boxes=0)  # letters are typed only where a task has symbols
    before = page.locator(".attn-views").inner_html()
    go("slide Length ArrowRight", length=7, values=["7 letters"])
    go("slide Length End", length=13, says="Neither was trained on this length.")
    go("click Reset; slide Training ArrowRight", steps=1_100, says="after 1,100 steps")
    assert page.locator(".attn-views").inner_html() != before
    answers = cell(explorer().tasks[0], "fixed", 64, 1_100)["written"][2][0]
    written = page.locator(".attn-sample").first.locator("dd [aria-hidden]").first.inner_text()
    assert written.replace("\u2007", "") == answers
    go("slide State size Home", size=16)
    go("click Reset", size=64, steps=300, length=5)


def test_what_was_not_measured_is_not_drawn(show):
    only = task()
    only["cells"] = [
        cell for cell in only["cells"] if cell["model"] == "fixed" or cell["steps"] == 300
    ]
    go = walk(show(BottleneckExplorer([only], size=64, length=5, steps=1_100)), **PARTS)
    go(dot=1, band=0, says="attention not measured")
    go(sample=["Source", "Right answer", "One vector"])
    go("set steps 300", dot=2)


def test_another_task_takes_the_nearest_cell(show):
    page = show(explorer(size=256, length=11))
    go = walk(page, **PARTS)
    go("choose Task: 1", task=1, size=64, length=12)
    assert page.get_by_role("slider", name="State size").is_disabled()
    go("set size 16; set length 7", dot=2)
    go(says="9 letters, state size 64, after 300 steps.")
    go("choose Task: 0", task=0)


def test_the_words_and_the_answers_are_those_of_the_cell(show):
    widget = explorer()
    page = show(widget)
    letters = widget.tasks[0]
    chosen = cell(letters, "fixed", 64, 300)
    shares = np.array(chosen["exact"])[:, 2]
    words = page.locator(".attn-readout")
    assert words.get_attribute("data-live") == ""
    assert f"one vector {100 * shares.mean():.0f}\u00a0%" in words.inner_text()
    for n, (source, target) in enumerate(letters["asked"][2]):
        sample = page.locator(".attn-sample").nth(n)
        rows = sample.locator("dd")
        assert rows.first.inner_text() == source
        assert rows.nth(1).inner_text() == target
        written = chosen["written"][2][n]
        text = rows.nth(2).locator("[aria-hidden]").inner_text()
        assert text.replace("\u2007", "") == written
        wrong = changes(written, target)
        assert rows.nth(2).locator(".attn-mistake").count() == wrong
        mistakes = f"{wrong} mistake" if wrong else "all right"
        assert mistakes in rows.nth(2).locator(".attn-aloud").inner_text()


def test_pointing_at_the_drawing_chooses_the_nearest_length(show):
    page = show(explorer(), has_touch=True)
    box = page.locator(".attn-plot").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 30)
    assert trait(page, "length") == 13
    page.mouse.move(box["x"] + 60, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 50, box["y"] + 40)
    page.mouse.up()
    assert trait(page, "length") == 2
    page.touchscreen.tap(box["x"] + box["width"] - 3, box["y"] + 30)
    assert trait(page, "length") == 13


def test_mistakes_are_not_told_by_colour_alone(show):
    line, ground = (
        show(explorer())
        .locator(".attn-mistake")
        .first.evaluate(
            "node => { const style = getComputedStyle(node);"
            " return [style.textDecorationLine, style.backgroundImage]; }"
        )
    )
    assert line == "underline"
    assert "gradient" in ground


# ---- letters of the reader's own

SYMBOLS = "abcdefghijk"
SIZE = 17


def random_model(kind, seed):
    """A model with weights large enough that its answers differ and end."""
    torch.manual_seed(seed)
    count = 4 + len(SYMBOLS)
    sizes = {"embedding_size": 5, "state_size": SIZE}
    if kind == "fixed":
        model = fixed_context(count, count, **sizes)
    else:
        model = bahdanau(count, count, "dot", encoder_size=SIZE, directions=1, **sizes)
    return scaled(model, 3)


def typing_explorer(models=MODELS, **traits):
    """An explorer with a trained model in each cell of one size and training."""
    letters = task(sizes=[SIZE]) | {"symbols": SYMBOLS}
    for part in letters["cells"]:
        if part["model"] in models and part["steps"] == STEPS[0]:
            model = random_model(part["model"], seed=MODELS.index(part["model"]))
            part["arrays"] = arrays_of(model)
    return BottleneckExplorer([letters], **{"size": SIZE, "length": 5, **traits})


def expected_of(widget, texts):
    """What PyTorch writes with the weights that the widget holds: for each model, each text."""
    vocabulary, by_model = Vocabulary(SYMBOLS), {}
    for part in widget.tasks[0]["cells"]:
        if "layout" in part:
            model = random_model(part["model"], seed=0)
            arrays = unpack(part["weights"], part["layout"])
            model.load_state_dict({name: torch.tensor(array) for name, array in arrays.items()})
            answers = answer(model, texts, vocabulary, vocabulary)
            by_model[part["model"]] = [one.text for one in answers]
    return by_model


def types(page, text, answered=True):
    page.get_by_role("textbox", name="Your own letters").fill(text)
    if answered:
        page.wait_for_selector(".attn-own-answer dd")


WRITTEN = """async ([texts, symbols]) => {
  const { writtenBy } = await import("./module0.mjs");
  const model = window.models[0];
  const cells = model.get("tasks")[0].cells.filter((cell) => cell.layout);
  const found = cells.map(async (cell) => {
    const special = model.get("special");
    const each = texts.map((text) => writtenBy(cell, text, symbols, special));
    return [cell.model, await Promise.all(each)];
  });
  return Object.fromEntries(await Promise.all(found));
}"""


def test_the_page_writes_what_pytorch_writes(show):
    widget = typing_explorer()
    page = show(widget)
    random = np.random.default_rng(5)
    texts = ["".join(random.choice(list(SYMBOLS), n)) for n in (1, 2, 3, 5, 7, 11, 13) * 5]
    expected = expected_of(widget, texts)
    assert len({*expected["fixed"], *expected["attending"]}) > 20  # enough to compare
    assert page.evaluate(WRITTEN, [texts, SYMBOLS]) == expected


def test_typed_letters_are_copied_and_the_curves_go_to_their_length(show):
    widget = typing_explorer()
    page = show(widget)
    go = walk(page, **PARTS)
    page.get_by_role("textbox", name="Your own letters").press_sequentially("Abcdefg ")
    expected = {model: texts[0] for model, texts in expected_of(widget, ["abcdefg"]).items()}
    page.wait_for_function(
        "(one) => JSON.stringify(window.models[0].get('written')) === JSON.stringify(one)",
        arg=expected,
    )
    go(length=7)
    rows = page.locator(".attn-own-answer dd")
    assert rows.first.inner_text() == "abcdefg"
    for place, model in enumerate(MODELS, 1):
        text = rows.nth(place).locator("[aria-hidden]").inner_text()
        assert text.replace("\u2007", "") == expected[model]
        wrong = changes(expected[model], "abcdefg")
        assert rows.nth(place).locator(".attn-mistake").count() == wrong
    go("click Reset", text="", written={}, length=5, answers=0)


PARTS = {
    "hint": ".attn-own p",
    "answers": ".attn-own-answer dd",
    "models": ".attn-own-answer dt",
    "sample": ".attn-sample >> nth=0 >> dt",
    "band": ".attn-band.attn-attending",
    "boxes": "[type=text]:visible",
    "markup": ".attn-frame b",
}
UNREAD = {
    "": "Type up to 13 letters, from a to k.",
    "abz": "know only a to k; “z” is not among them",
    "a 7": "space and “7” are not among them",
    "ab<b>é": "not among them",
    "abcdefghijkabc": "That is 14 letters. Please type at most 13.",
}


def test_what_the_models_cannot_read_gets_a_plain_sentence(show):
    page = show(typing_explorer(text="abc"))
    go = walk(page, **PARTS)
    for text, words in UNREAD.items():
        types(page, text, answered=False)
        go(hint=words, written={}, answers=0, length=5, markup=0)
        types(page, "abcde")


def test_what_was_not_measured_and_what_is_not_there_are_said(show):
    page = show(typing_explorer(models=("fixed",)))
    go = walk(page, **PARTS)
    types(page, "abcdefghi")
    go(hint="9 letters were not measured; the nearest length is 7.")
    go(hint="With attention: this model is not on the page.", models=["Your letters", "One vector"])
    set_trait(page, "steps", STEPS[1])
    page.wait_for_function("!('fixed' in window.models[0].get('written'))")
    go(hint="One vector: this model is not on the page.")


def test_random_letters_come_in_the_length_chosen(show):
    page = show(typing_explorer(length=11))
    texts = []
    for _ in range(2):
        walk(page)("press Random letters Enter", length=11)
        texts.append(trait(page, "text"))
    assert {len(text) for text in texts} == {11}
    assert set("".join(texts)) <= set(SYMBOLS)
    assert texts[0] != texts[1]


LATE = """([cells, text]) => {
  for (const cell of cells) {
    const { weights } = window.models[0].get("tasks")[0].cells[cell];
    const late = new Promise((go) => (window.go = [...(window.go ?? []), () => go(weights)]));
    window.models[0].get("tasks")[0].cells[cell].weights = late;
  }
  window.models[0].set("text", text);
}"""
LOST = """() => {
  console.error = () => {};
  const cell = window.models[0].get("tasks")[0].cells.find((one) => one.layout);
  const { weights } = cell;
  const tries = [Promise.reject(new Error("no connection")), weights];
  tries[0].catch(() => {});
  Object.defineProperty(cell, "weights", { get: () => tries.shift() });
}"""


def test_an_answer_that_comes_late_is_dropped(show):
    widget = typing_explorer()
    page = show(widget)
    page.evaluate(
        LATE, [[n for n, c in enumerate(widget.tasks[0]["cells"]) if "layout" in c], "abc"]
    )
    types(page, "zz", answered=False)
    page.evaluate("async () => { for (const go of window.go) go(); await Promise.resolve(); }")
    page.evaluate("new Promise((done) => setTimeout(done))")  # after all that was waiting for it
    walk(page, **PARTS)(answers=0, written={})


def test_weights_that_do_not_come_are_said_and_asked_for_again(show):
    page = show(typing_explorer(models=("fixed",)))
    page.evaluate(LOST)
    types(page, "abc", answered=False)
    page.locator(".attn-own p", has_text="could not be loaded").wait_for()
    types(page, "abcd")
