"""The bottleneck explorer in a real browser: by pointer, finger and keyboard, in both themes."""

import functools

import numpy as np
import torch
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

    cells = [
        {
            "model": model,
            "size": size,
            "steps": steps,
            "exact": random.random((SEEDS, len(lengths))),
            "written": [[word(random.integers(0, n + 3)) for _ in range(2)] for n in lengths],
        }
        for model in MODELS
        for size in sizes
        for steps in STEPS
    ]
    return {
        "name": name,
        "unit": "letters",
        "separator": separator,
        "trained": (lengths[0], lengths[-2]),
        "lengths": lengths,
        "asked": [[(word(n), word(n)) for _ in range(2)] for n in lengths],
        "cells": cells,
    }


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
    for each in (cell for task in widget.tasks for cell in task["cells"]):
        found = call(page, "module0.mjs", "curveOf", each)
        for name, how in {"mean": "mean", "low": "min", "high": "max"}.items():
            expected = getattr(np.array(each["exact"]), how)(axis=0)
            np.testing.assert_allclose([one[name] for one in found], expected)


def test_marks_are_the_fewest_changes_and_what_is_kept_is_right(show):
    page = show(explorer())
    random = np.random.default_rng(3)
    for separator in ("", " "):
        for _ in range(7):
            given, right = (
                random.choice(list("abc"), random.integers(1, 6)).tolist() for _ in range(2)
            )
            texts = separator.join(given), separator.join(right)
            marks = call(page, "module0.mjs", "compared", *texts, separator)
            assert sum(not mark["right"] for mark in marks) == changes(tuple(given), tuple(right))
            assert [mark["symbol"] for mark in marks if mark["symbol"] is not None] == given
            kept = iter(right)  # the right ones are in the target, in this order
            assert all(mark["symbol"] in kept for mark in marks if mark["right"])


def test_sliders_take_only_measured_cells(show):
    page = show(explorer())
    go, length = walk(page), page.get_by_role("slider", name="Length")
    assert not box(page).is_visible()  # letters are typed only where a task has symbols
    go("slide Length ArrowRight", length=7)
    assert length.get_attribute("aria-valuetext") == "7 letters"
    go("slide Length End", length=13, said="Neither was trained on this length.")
    go("slide State size Home", size=16)
    go("slide Training ArrowRight", steps=1_100, said="after 1,100 steps")
    go("click Reset", size=64, steps=300, length=5)


def test_more_training_shows_other_curves_and_other_answers(show):
    widget = explorer()
    page = show(widget)
    before = page.locator(".attn-views").inner_html()
    set_trait(page, "steps", 1_100)
    after = page.locator(".attn-views").inner_html()
    assert before != after
    written = cell(widget.tasks[0], "fixed", 64, 1_100)["written"][2][0]
    shown = page.locator(".attn-sample").first.locator("dd [aria-hidden]").first.inner_text()
    assert shown.replace("\u2007", "") == written


def test_what_was_not_measured_is_not_drawn(show):
    only = task()
    only["cells"] = [
        each for each in only["cells"] if each["model"] == "fixed" or each["steps"] == 300
    ]
    page = show(BottleneckExplorer([only], size=64, length=5, steps=1_100))
    names = {"sample": ".attn-sample >> nth=0 >> dt", "band": ".attn-band.attn-attending"}
    go = walk(page, dot=".attn-dot", **names)
    go(
        dot=1,
        band=0,
        said="attention not measured",
        sample=["Source", "Right answer", "One vector"],
    )
    go("set steps 300", dot=2)


def test_a_cell_of_another_task_shows_the_nearest(show):
    go = walk(show(explorer(task=1, size=64, length=9)), dot=".attn-dot")
    go("set size 16; set length 7", dot=2, said="9 letters, state size 64, after 300 steps.")


def test_another_task_takes_the_nearest_cell(show):
    page = show(explorer(size=256, length=11))
    go = walk(page)
    go("choose Task: 1", task=1, size=64, length=12)
    assert page.get_by_role("slider", name="State size").is_disabled()
    go("choose Task: 0", task=0, size=64, length=11)


def test_the_words_and_the_answers_are_those_of_the_cell(show):
    widget = explorer()
    page = show(widget)
    each = widget.tasks[0]
    chosen = cell(each, "fixed", 64, 300)
    shares = np.array(chosen["exact"])[:, 2]
    words = page.locator(".attn-readout")
    assert words.get_attribute("data-live") == ""
    assert f"one vector {100 * shares.mean():.0f}\u00a0%" in words.inner_text()
    for n, (source, target) in enumerate(each["asked"][2]):
        sample = page.locator(".attn-sample").nth(n)
        rows = sample.locator("dd")
        assert rows.first.inner_text() == source
        assert rows.nth(1).inner_text() == target
        written = chosen["written"][2][n]
        text = rows.nth(2).locator("[aria-hidden]").inner_text()
        assert text.replace("\u2007", "") == written
        wrong = changes(written, target)
        assert rows.nth(2).locator(".attn-mistake").count() == wrong
        said = f"{wrong} mistake" if wrong else "all right"
        assert said in rows.nth(2).locator(".attn-aloud").inner_text()


def test_pointing_at_the_drawing_chooses_the_nearest_length(show):
    page = show(explorer())
    box = page.locator(".attn-plot").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 30)
    assert trait(page, "length") == 13
    page.mouse.move(box["x"] + 60, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 50, box["y"] + 40)
    page.mouse.up()
    assert trait(page, "length") == 2


def test_a_finger_chooses_a_length(show):
    page = show(explorer(), width=360, has_touch=True)
    box = page.locator(".attn-plot").bounding_box()
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
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    return model.eval()


def typing_explorer(models=MODELS, **traits):
    """An explorer with a trained model in each cell of one size and training."""
    given = task(sizes=[SIZE]) | {"symbols": SYMBOLS}
    for each in given["cells"]:
        if each["model"] in models and each["steps"] == STEPS[0]:
            state = random_model(each["model"], seed=MODELS.index(each["model"])).state_dict()
            each["arrays"] = {name: array.numpy() for name, array in state.items()}
    return BottleneckExplorer([given], **{"size": SIZE, "length": 5, **traits})


def expected_of(widget, texts):
    """What PyTorch writes with the weights that the widget holds: for each model, each text."""
    vocabulary, found = Vocabulary(SYMBOLS), {}
    for held in widget.tasks[0]["cells"]:
        if "layout" in held:
            model = random_model(held["model"], seed=0)
            arrays = unpack(held["weights"], held["layout"])
            model.load_state_dict({name: torch.tensor(array) for name, array in arrays.items()})
            answers = answer(model, texts, vocabulary, vocabulary)
            found[held["model"]] = [one.text for one in answers]
    return found


def box(page):
    return page.get_by_role("textbox", name="Your own letters")


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
    assert page.locator(".attn-own-answer").inner_text() == ""
    box(page).press_sequentially("Abcdefg ")
    page.wait_for_function("window.models[0].get('written').fixed !== undefined")
    assert trait(page, "length") == 7
    expected = {model: texts[0] for model, texts in expected_of(widget, ["abcdefg"]).items()}
    page.wait_for_function(
        "(one) => JSON.stringify(window.models[0].get('written')) === JSON.stringify(one)",
        arg=expected,
    )
    rows = page.locator(".attn-own-answer dd")
    assert rows.first.inner_text() == "abcdefg"
    for place, model in enumerate(MODELS, 1):
        text = rows.nth(place).locator("[aria-hidden]").inner_text()
        assert text.replace("\u2007", "") == expected[model]
        wrong = changes(expected[model], "abcdefg")
        assert rows.nth(place).locator(".attn-mistake").count() == wrong
    walk(page, **OWN)("click Reset", text="", written={}, length=5, answers=0)


OWN = {"hint": ".attn-own p", "answers": ".attn-own-answer dd", "models": ".attn-own-answer dt"}


def test_what_the_models_cannot_read_gets_a_plain_sentence(show):
    page = show(typing_explorer(text="abc"))
    go = walk(page, **OWN)
    for text, words in {
        "": "Type up to 13 letters, from a to k.",
        "   ": "Type up to 13 letters",
        "abz": "know only a to k; “z” is not among them",
        "a 7": "space and “7” are not among them",
        "ab<b>é": "not among them",
        "abcdefghijkabc": "That is 14 letters. Please type at most 13.",
    }.items():
        box(page).fill(text)
        go(hint=words, written={}, answers=0, length=5)
        assert page.locator("b").count() == 0
        box(page).fill("abcde")
        page.wait_for_selector(".attn-own-answer dd")


def test_what_was_not_measured_and_what_is_not_there_are_said(show):
    page = show(typing_explorer(models=("fixed",)))
    go = walk(page, **OWN)
    box(page).fill("abcdefghi")
    page.wait_for_selector(".attn-own-answer dd")
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
        assert len(texts[-1]) == 11
        assert set(texts[-1]) <= set(SYMBOLS)
    assert texts[0] != texts[1]


def test_an_answer_that_comes_late_is_dropped(show):
    widget = typing_explorer()
    page = show(widget)
    slow = """([cells, text]) => {
      for (const cell of cells) {
        const { weights } = window.models[0].get("tasks")[0].cells[cell];
        const late = new Promise((go) => (window.go = [...(window.go ?? []), () => go(weights)]));
        window.models[0].get("tasks")[0].cells[cell].weights = late;
      }
      window.models[0].set("text", text);
    }"""
    held = [n for n, each in enumerate(widget.tasks[0]["cells"]) if "layout" in each]
    page.evaluate(slow, [held, "abc"])
    box(page).fill("zz")
    page.evaluate("async () => { for (const go of window.go) go(); await Promise.resolve(); }")
    page.evaluate("new Promise((done) => setTimeout(done))")  # after all that was waiting for it
    assert page.locator(".attn-own-answer dd").count() == 0
    assert trait(page, "written") == {}


def test_weights_that_do_not_come_are_said_and_asked_for_again(show):
    page = show(typing_explorer(models=("fixed",)))
    page.evaluate(
        """() => {
          console.error = () => {};
          const cell = window.models[0].get("tasks")[0].cells.find((each) => each.layout);
          const { weights } = cell;
          const tries = [Promise.reject(new Error("no connection")), weights];
          tries[0].catch(() => {});
          Object.defineProperty(cell, "weights", { get: () => tries.shift() });
        }"""
    )
    box(page).fill("abc")
    page.wait_for_function(
        "document.querySelector('.attn-own p').textContent.includes('could not be loaded')"
    )
    box(page).fill("abcd")
    page.wait_for_selector(".attn-own-answer dd")
