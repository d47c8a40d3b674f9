"""The score bars in a real browser: what they draw, and what a reader does."""

import numpy as np
import pytest
import torch
from browsing import of_each
from walking import walk

from attn_book.commands.widgets_harness import by_the_clock, trait
from attn_course.views.widgets.score_bars import ScoreBars
from attn_course.weights import (
    attention_weights,
    entropy,
    hard_choice,
    softmax_jacobian,
    sparsemax,
    sparsemax_jacobian,
)

TOKENS = ["old", "men", "tell", "ancient", "jokes"]
SCORES = [12, -1, 0.4, 5, 2]


def bars(**changes):
    return ScoreBars(**{"tokens": TOKENS, "scores": SCORES, **changes})


def slider(page, token):
    return page.get_by_role("slider", name=f"Score of {token}")


def shares(page):
    return page.locator(".attn-share").all_text_contents()


def in_python(rule, scores, readable, temperature):
    scores, readable = torch.tensor(scores, dtype=torch.float64), torch.tensor(readable)
    scores = scores / temperature
    weigh, jacobian = {
        "softmax": (attention_weights, softmax_jacobian),
        "sparsemax": (sparsemax, sparsemax_jacobian),
        "hard": (hard_choice, lambda weights: torch.zeros(len(weights), len(weights))),
    }[rule]
    weights = weigh(scores, readable)
    return weights, entropy(weights), jacobian(weights) / temperature


PRESSED = "[role=group][aria-label='From scores to weights by'] [aria-pressed=true]"
PARTS = {
    "pressed": PRESSED,
    "values": "[aria-label='Score of men'] @aria-valuetext",
    "heat": "[aria-label=Temperature] @aria-valuetext",
    "curve": ".attn-curve:visible",
}


def test_a_reader_moves_scores_hides_words_and_warms_the_weights(show):
    page = show(bars())
    go = walk(page, **PARTS)
    go(says="Entropy 0.008 nats…5 of 5 words have weight", values=["−1.0, weight < 0.01 %"])
    assert shares(page)[:2] == ["99.90\u00a0%", "<\u00a00.01\u00a0%"]
    for key, score in {"ArrowRight": 5.1, "ArrowLeft": 5, "Home": -5, "End": 15}.items():
        go(f"slide Score of ancient {key}", scores=pytest.approx([12, -1, 0.4, score, 2]))
    go(says="“ancient” gets 95.3 %")
    go("slide Score of ancient PageDown")
    assert 12 < trait(page, "scores")[3] < 14.5
    go("set scores [15, -1, 0.4, 5, 2]", says="the softmax is saturated")
    go("click Reset; slide Temperature ArrowRight", temperature=pytest.approx(2**0.25))
    go("slide Temperature End", temperature=64, heat=["64"])
    hot = torch.softmax(torch.tensor(SCORES) / 64, dim=0)
    assert shares(page)[0] == f"{100 * hot[0]:.1f}\u00a0%"
    go("slide Temperature Home", temperature=0.25)
    go("click Reset; check Read old", readable=[False, True, True, True, True])
    go(says="4 of 5 words have weight…may not be read")
    before = shares(page)
    assert before[0] == "0"
    go("slide Score of old Home", share=[text.replace("\u00a0", " ") for text in before])
    go("; ".join(f"check Read {token}" for token in TOKENS[1:]), curve=0)
    go(says="Nothing may be read", share=["–"] * 5)
    go("slide Score of men ArrowRight")  # nothing fails
    assert "NaN" not in page.locator("main").inner_text()
    assert not page.locator(".attn-here").is_visible()
    go("check Read men", share=["0", "100 %", "0", "0", "0"])
    go("set scores [0, 0, 0, 0, 0]; set readable [true, true, true, true, true]")
    go(share=["20.0 %"] * 5)
    assert slider(page, "old").input_value() == "0"
    go('set tokens ["a", "b", "c", "d", "<i>e</i>"]')
    assert page.locator("main i").count() == 0
    assert slider(page, "<i>e</i>").count() == 1


@pytest.mark.parametrize("width", [360, 1200])
def test_a_score_by_mouse_and_by_finger(show, width):
    page = show(bars(), width=width, has_touch=width == 360)
    box = slider(page, "old").bounding_box()
    y = box["y"] + box["height"] / 2
    start = box["x"] + 6 + (12 + 5) / 20 * (box["width"] - 12)
    page.mouse.move(start, y)
    page.mouse.down()
    pointer = box["x"] + box["width"] / 2
    page.mouse.move(pointer, y, steps=5)
    page.mouse.up()
    box = slider(page, "old").bounding_box()  # the number beside it is shorter now
    score = -5 + 20 * (pointer - box["x"] - 6) / (box["width"] - 12)
    assert trait(page, "scores")[0] == pytest.approx(score, abs=0.3)
    fill = page.locator(".attn-fill").first.bounding_box()
    assert fill["x"] + fill["width"] == pytest.approx(pointer, abs=3)
    if width == 360:
        box = slider(page, "men").bounding_box()
        page.touchscreen.tap(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)
        expected = -5 + 20 * (0.75 * box["width"] - 6) / (box["width"] - 12)  # the thumb takes 12
        assert trait(page, "scores")[1] == pytest.approx(expected, abs=0.2)


def test_the_weights_are_drawn_as_wide_as_they_are(show):
    page = show(bars(scores=[1, 0, 0.5, 2, 1.5]))
    weights = torch.softmax(torch.tensor([1, 0, 0.5, 2, 1.5]), dim=0)
    for part in (".attn-amount", ".attn-strip span"):
        widths = of_each(page.locator(part), "one.getBoundingClientRect().width")
        np.testing.assert_allclose(np.array(widths) / sum(widths), weights, atol=0.01)


def test_the_three_rules(show):
    page = show(bars(scores=[1, 0.5, 0, -1, 0.8]))
    go = walk(page, **PARTS)
    go(pressed=["Softmax"])
    go("press Sparsemax Enter", rule="sparsemax")
    expected = sparsemax(torch.tensor([1, 0.5, 0, -1, 0.8]))
    assert [share == "0" for share in shares(page)] == (expected == 0).tolist()
    go("click Hard choice", share=["100 %", "0", "0", "0", "0"])
    go(says="a hard choice has no gradient")
    go(says="Temperature changes nothing")


def test_the_answer_of_a_chosen_weight(show):
    scores = [1, 0, 0.5, 2, 1.5]
    page = show(bars(scores=scores))
    row = softmax_jacobian(torch.softmax(torch.tensor(scores), dim=0))[3]
    slopes = [f"{'+' if slope > 0 else '−'} {abs(slope):.3f}" for slope in row.tolist()]
    go = walk(page, slopes=".attn-slope")
    page.get_by_role("button", name="Weight of ancient").click()
    go(selected=3, slopes=slopes)
    go(says=f"its own score (+ {row[3]:.3f})")
    levers = of_each(page.locator(".attn-lever"), "one.clientWidth")
    halves = of_each(page.locator(".attn-answer"), "one.clientWidth / 2")
    ratio = np.array(levers) / np.array(halves)
    np.testing.assert_allclose(ratio, (row.abs() / 0.25).clamp(max=1), atol=0.03)


def test_a_constant_on_all_scores_changes_no_weight(show):
    page = show(bars())
    before = shares(page), page.locator(".attn-readout").all_text_contents()
    go, up = walk(page), page.get_by_role("button", name="All + 1")
    go("click All + 1; click All + 1; click All + 1")
    assert trait(page, "scores") == pytest.approx([15, 2, 3.4, 8, 5])
    assert (shares(page), page.locator(".attn-readout").all_text_contents()) == before
    for does, first, disabled in [("All + 1", 15, "true"), ("All − 1", 14, "false")]:
        go(f"press {does} Enter")
        assert trait(page, "scores")[0] == first
        assert up.get_attribute("aria-disabled") == disabled


# ---- the curve of one weight, and a temperature that runs


def curve_of(page):
    """The curve as scores and weights, read off the drawing."""
    drawn = page.locator(".attn-curve").get_attribute("d")
    x, y = np.array([[float(part) for part in pair.split(",")] for pair in drawn[1:].split(" L")]).T
    return -5 + 20 * (x - 20) / (240 - 26), (108 - y) / 100


@pytest.mark.parametrize(
    ("rule", "temperature"), [("softmax", 1), ("softmax", 8), ("sparsemax", 4), ("hard", 1)]
)
def test_the_curve_is_the_weight_against_its_own_score(show, rule, temperature):
    readable = [True, True, False, True, True]
    page = show(bars(rule=rule, temperature=temperature, readable=readable, selected=3))
    scores, weights = curve_of(page)
    expected = []
    for score in np.linspace(-5, 15, len(scores)):
        row = [*SCORES[:3], float(score), SCORES[4]]
        expected.append(float(in_python(rule, row, readable, temperature)[0][3]))
    np.testing.assert_allclose(scores, np.linspace(-5, 15, len(scores)), atol=0.01)
    np.testing.assert_allclose(weights, expected, atol=0.002)
    here = page.locator(".attn-here")
    x, y = (float(here.get_attribute(name)) for name in ("cx", "cy"))
    at = in_python(rule, [float(score) for score in SCORES], readable, temperature)
    assert -5 + 20 * (x - 20) / 214 == pytest.approx(SCORES[3], abs=0.01)
    assert (108 - y) / 100 == pytest.approx(float(at[0][3]), abs=1e-6)
    tangent = page.locator(".attn-tangent").get_attribute("d")
    right, down = (float(part) for part in tangent.split(" l")[1].split(","))
    slope = -down / right * (214 / 20) / 100
    assert slope == pytest.approx(float(at[2][3, 3]), abs=2e-3)


def test_the_temperature_runs_from_cold_to_hot_and_is_silent_meanwhile(show):
    page = show(bars())
    by_the_clock(page)
    page.evaluate(
        "window.been = []; window.loud = () => document.querySelector('[role=status]')?.innerText;"
        "window.models[0].on('change:temperature', () => been.push("
        "[window.models[0].get('temperature'), loud()]))"
    )
    walk(page)("click Warm it up")
    page.get_by_role("button", name="Pause").wait_for()
    page.clock.run_for(30_000)
    assert page.get_by_role("button", name="Warm it up").is_visible()
    assert trait(page, "temperature") == 64
    been = page.evaluate("window.been")
    heat = np.array([moment[0] for moment in been])
    assert heat[0] == 0.25
    assert (np.diff(heat) > 0).all()
    assert not any(moment[1] for moment in been)
    assert page.evaluate("loud()")  # once it has come to rest
    assert page.locator(".attn-readout").first.get_attribute("data-live") == ""
    assert page.evaluate("window.models[0].saved") == 1  # rather than once for each frame
