"""The gradient paths in a real browser: the counts against Python, pointer, finger, keyboard."""

import numpy as np
import pytest
from browsing import of_each, pace
from walking import walk

from attn_book.commands.widgets_harness import set_trait
from attn_course.gradients import count_paths, translator_graph
from attn_course.views.widgets.gradient_paths import ROUTES, GradientPaths

STAGES = ["At the start", "After training"]


def measured(target, source, seed=0):
    random = np.random.default_rng(seed)
    norms = 10 ** random.uniform(-6, 1, (2, 2, target, source))
    shares = random.normal(0.25, 0.2, (2, target, source, len(ROUTES)))
    shares[..., -1] = 1 - shares[..., :-1].sum(axis=-1)
    return norms, shares


def paths(targets=5, sources=3, seed=0, **traits):
    return GradientPaths(*measured(targets, sources, seed), STAGES, **traits)


def words(page):
    return page.locator(".attn-words").first.inner_text().replace("\xa0", " ")


def row(page, route):
    cells = page.locator(f".attn-route-{route} > *").all_inner_texts()
    return [cell.strip().replace("\xa0", " ") for cell in cells[2:]]


@pytest.mark.parametrize("attention", [True, False])
@pytest.mark.parametrize(("target", "source"), [(5, 3), (2, 7)])
def test_it_counts_what_python_counts(show, target, source, attention):
    page = show(paths(target, source, attention=attention))
    graph = translator_graph(source, target, attention)
    for j in range(1, source + 1):
        for i in range(1, target + 1):
            set_trait(page, "source", j)
            set_trait(page, "target", i)
            counted = count_paths(graph, ("h", j), ("L", i))
            total = sum(counted.values())
            if not attention:
                assert f"one path, the chain of {source - j + i + 1} arrows" in words(page)
                assert row(page, "chain") == ["1", str(*counted), "100 %"]
                continue
            assert f": {total:,} paths of {min(counted)}–{max(counted)} arrows" in words(page)
            numbers = [int(row(page, route)[0].replace(",", "")) for route in ROUTES]
            assert sum(numbers) == total
            left = dict(counted)
            for length in (2, 3, 3, 4, source - j + i + 1):
                left[length] -= 1
            others = [length for length, number in left.items() if number]
            span = f"{min(others)}–{max(others)}" if len(others) > 1 else str(*others)
            assert row(page, "other")[1] == (span if others else "none")


def test_it_shows_the_measured_numbers_of_what_is_chosen(show):
    norms, shares = measured(5, 3, seed=7)
    page = show(paths(seed=7))
    for stage, i, j in [(0, 1, 1), (1, 5, 3), (1, 2, 1), (0, 4, 2)]:
        for name, value in (("stage", stage), ("target", i), ("source", j)):
            set_trait(page, name, value)
        assert STAGES[stage].lower() in words(page)
        assert f"loss {i} to source position {j}" in words(page)
        for route, expected in zip(ROUTES, shares[stage, i - 1, j - 1], strict=True):
            share = row(page, route)[2].replace("−", "-")
            assert share in (f"{100 * expected:.0f} %", "< 1 %")
        norm = norms[stage, 1, i - 1, j - 1]
        text = f"{norm:.1e}".split("e")[0] if norm < 0.001 else f"{float(f'{norm:.2g}'):g}"
        assert f"has the norm {text}" in words(page)


def test_a_reader_chooses_loss_position_attention_and_stage(show):
    page = show(paths(), views=2)
    parts = {"rows": ".attn-frame >> nth=0 >> tbody tr"}
    go = walk(page, pressed="[aria-pressed=true]", **parts)
    page.get_by_label("Source position 3").first.check(force=True)
    go(source=3)
    go("key ArrowUp", source=2)
    go("key Tab", focus="5")  # the chosen loss
    go("key ArrowDown", target=4)  # the last loss is on top, so down is one step earlier
    assert "From loss 4 to source position 2" in words(page)
    for view in (0, 1):  # the other view follows, and keeps its own group of buttons
        checked = page.locator(".attn-frame").nth(view).locator("input:checked")
        assert of_each(checked, "one.value") == ["on", "2", "4"]
    go("check Attention", attention=False, rows=1, context=0)
    assert page.evaluate("document.activeElement.type") == "checkbox"
    go("click After training", stage=1, pressed=["After training"] * 2)
    go("check Attention", attention=True, rows=len(ROUTES))


def test_every_highlighted_edge_lies_on_a_path_to_the_loss(show):
    page = show(paths(3, 4))
    edges = page.locator("svg path.attn-edge:not(.attn-key *)")
    set_trait(page, "source", 4)
    set_trait(page, "target", 1)

    def count(route):
        return page.locator(f".attn-drawing .attn-on-{route}").count()

    assert edges.count() > 0
    assert (count("chain"), count("score"), count("other")) == (2, 1, 0)
    assert count("value") == 3  # the read, and the context into state and loss
    set_trait(page, "source", 1)
    set_trait(page, "target", 3)
    assert count("chain") == 3 + 3 + 1


def test_what_pulls_against_is_hatched(show):
    norms, shares = measured(2, 2)
    shares[0, 1, 0] = [-0.25, 0.5, -0.004, 0.754]
    page = show(GradientPaths(norms, shares, STAGES))
    assert row(page, "value")[2] == "−25 %"
    assert row(page, "chain")[2] == "< 1 %"  # a sign in front of it would be read as a minus
    assert "< 1 % along the chain" in words(page)
    assert page.locator(".attn-route-value .attn-against").count() == 1
    assert page.locator(".attn-against").count() == 2


def test_fingers_meet_each_node(show):
    page = show(paths(6, 6), width=360, has_touch=True, is_mobile=True)
    boxes = [node.bounding_box() for node in page.locator(".attn-node").all()]
    assert all(min(box["width"], box["height"]) >= 36 for box in boxes)
    assert np.diff(sorted(box["y"] for box in boxes[:6])).min() >= 40


# ---- how wide the lines are


def strength(norms, carried):
    """The least norm of all is 0, the largest 1, in equal steps of the logarithm."""
    high = np.log10(norms.max())
    low = min(np.log10(norms.min()), high - 3)
    return float(np.clip((np.log10(carried) - low) / (high - low), 0, 1))


def widths(page, route, of="strokeWidth"):
    """Of the lines of a route, in the order in which they are drawn."""
    return page.locator(f".attn-drawing .attn-on-{route}").evaluate_all(
        "(lines, of) => lines.map((line) => parseFloat(getComputedStyle(line)[of]))", of
    )


def test_a_gradient_that_vanishes_is_drawn_thinner_from_node_to_node(show):
    norms, shares = measured(2, 5)
    norms[...] = 1.0
    norms[0, 0, 1] = 10.0 ** np.arange(-8, -3)  # without attention, from the last loss
    page = show(GradientPaths(norms, shares, STAGES, attention=False))
    encoder = widths(page, "chain")[:4]
    drawn = [0.75 + 6.25 * strength(norms, norm) for norm in norms[0, 0, 1]]
    np.testing.assert_allclose(encoder, drawn[:4], atol=1e-3)
    assert (np.diff(encoder) > 0.7).all()
    assert widths(page, "chain")[0] == 0.75
    assert widths(page, "chain", "opacity")[0] == pytest.approx(0.3, abs=1e-3)
    # nothing was measured inside the decoder: only what it passes on
    np.testing.assert_allclose(widths(page, "chain")[4:], drawn[4], atol=1e-3)
    set_trait(page, "stage", 1)
    np.testing.assert_allclose(widths(page, "chain"), 7, atol=1e-3)


def test_each_way_is_drawn_by_what_it_carries(show):
    norms, shares = measured(3, 4, seed=3)
    page = show(GradientPaths(norms, shares, STAGES, source=4, target=1, stage=1))
    norm, share = norms[1, 1, 0, 3], np.abs(shares[1, 0, 3])
    read = 0.75 + 6.25 * strength(norms, np.abs(shares[1, 0, 3, :2].sum()) * norm)
    value, score = (0.75 + 6.25 * strength(norms, one * norm) for one in share[:2])
    np.testing.assert_allclose(widths(page, "value"), [value, read, read], atol=1e-3)
    np.testing.assert_allclose(widths(page, "score"), [score], atol=1e-3)
    set_trait(page, "target", 3)
    other = strength(norms, abs(shares[1, 2, 3, 3]) * norms[1, 1, 2, 3])
    # the first of the grey lines leads from h4 to c1
    np.testing.assert_allclose(widths(page, "other")[0], 0.75 + other, atol=1e-3)
    np.testing.assert_allclose(widths(page, "other", "opacity")[0], 0.3 + 0.7 * other, atol=1e-3)


def test_norms_that_hardly_differ_are_not_drawn_as_if_they_did(show):
    norms, shares = measured(2, 2)
    norms[...] = 0.5
    norms[0, 0, 1] = [0.25, 0.5]
    page = show(GradientPaths(norms, shares, STAGES, attention=False))
    thin, wide = widths(page, "chain")[0], widths(page, "chain")[1]
    assert 0 < wide - thin < 1


def test_each_position_says_what_arrives_there(show):
    norms, _ = measured(5, 3)
    page = show(paths(attention=False, source=2))
    for node, norm in zip(page.locator(".attn-norm").all(), norms[0, 0, 4], strict=True):
        text = node.text_content().replace("10", "1e", 1).replace("·1e", "e")
        digits = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
        assert float(text.translate(digits)) == pytest.approx(norm, rel=0.5)
    faded = of_each(page.locator(".attn-norm"), "one.classList.contains('attn-before')")
    assert faded == [True, False, False]


# ---- the pulse


def test_a_pulse_runs_back_once_on_each_way_and_fades(show):
    page = show(paths(3, 3))
    pace(page, 0)
    pulses = page.locator(".attn-pulse")
    assert pulses.count() == 0  # nothing moves by itself
    page.get_by_role("button", name="Send a pulse").click()
    counts = [page.locator(f".attn-pulse-{one}").count() for one in ("value", "chain", "other")]
    assert counts == [2, 1, 2]
    page.evaluate(
        "document.getAnimations().forEach((one) => { one.pause(); one.currentTime = 0; })"
    )
    start = page.locator(".attn-is-loss", has_text="L3").bounding_box()
    for pulse in pulses.all():
        box = pulse.bounding_box()
        assert abs(box["x"] + box["width"] / 2 - start["x"] - start["width"] / 2) < 2
        assert pulse.evaluate("node => getComputedStyle(node).opacity") == "1"
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    page.wait_for_function("!document.querySelector('.attn-pulse')")


def test_a_pulse_follows_each_change_and_stops_with_the_view(show):
    page = show(paths(3, 3))
    pace(page, 0)
    page.get_by_label("Source position 3").check(force=True)
    assert page.locator(".attn-pulse").count() == 4
    page.get_by_label("Attention", exact=True).uncheck()
    assert page.locator(".attn-pulse").count() == 1
    page.evaluate("window.cleanups.forEach((end) => end())")
    assert page.evaluate("document.getAnimations().length") == 0
