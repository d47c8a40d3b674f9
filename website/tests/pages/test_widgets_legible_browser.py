"""Widgets read in other ways: on a phone, with large letters, with other colours."""

import pytest
from browsing import REST
from test_widget_beam_tree_browser import tree
from test_widget_bottleneck_explorer_browser import explorer as bottleneck
from test_widget_context_mixer_browser import mixer
from test_widget_drawn_digit_browser import drawn
from test_widget_embedding_map_browser import shown as embedding
from test_widget_glimpse_stepper_browser import stepper
from test_widget_gradient_paths_browser import paths
from test_widget_heads_viewer_browser import viewer as heads
from test_widget_memory_explorer import explorer as memory
from test_widget_one_look_browser import asked, look
from test_widget_own_reader_browser import own
from test_widget_score_bars_browser import bars
from test_widget_score_explorer_browser import explorer
from test_widget_typo_finder_browser import finder
from test_widget_wall_browser import wall
from test_widget_weight_scrubber_browser import scrubber
from test_widgets_browser import LETTERS, random_model, reader_of, viewer

KINDS = {
    "paths": lambda: paths(6, 6),
    "heads": lambda: heads(silenced=[("encoder", 0, 1)]),
    "matrix": lambda: viewer(show_gold=True),
    "arcs": lambda: viewer(view="arcs"),
    "memory": lambda: memory(written=6),
    "mixer": mixer,
    "bottleneck": bottleneck,
    "embedding": embedding,
    "finder": finder,
    "own": own,
    "explorer": explorer,
    "look": look,
    "asked": lambda: asked(asker=0),
    "bars": bars,
    "scrubber": lambda: scrubber(change="swapped", places=[2]),
    "tree": lambda: tree(samples=["Blue Pound"]),
    "stepper": stepper,
    "wall": lambda: wall(chosen=(18, 6)),
    "digit": drawn,
    "reader": lambda: reader_of(random_model(LETTERS, seed=5, scale=2.0), LETTERS),
}
PHONE = {"width": 360, "has_touch": True, "is_mobile": True}
# every text with its size on the screen, drawings at their scale
SIZES = """() => [...document.querySelectorAll(".attn-frame *")]
  .filter((node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .filter((node) => node.getClientRects().length && !node.closest(".attn-aloud"))
  .map((node) => {
    const scale = node.closest("svg")?.getScreenCTM().a ?? 1;
    return [scale * parseFloat(getComputedStyle(node).fontSize), node.outerHTML.slice(0, 80)];
  })"""


@pytest.mark.parametrize("kind", KINDS)
def test_no_text_is_too_small_on_a_phone(show, kind):
    page = show(KINDS[kind](), **PHONE)
    sizes = page.evaluate(SIZES)
    assert len(sizes) > 5
    assert [each for each in sizes if each[0] < 10.99] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_reader_with_large_letters_gets_them_and_nothing_is_cut(show, kind):
    page = show(KINDS[kind](), **PHONE)
    page.add_style_tag(content="html { font-size: 32px }")  # twice the usual
    letters = "getComputedStyle(document.querySelector('.attn-frame')).fontSize"
    assert page.evaluate(letters) == "32px"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.evaluate(REST)
    beyond = page.locator(
        ".attn-frame :is(button, input, select, output, p, label, .attn-weight, .attn-score)"
    ).evaluate_all(
        """nodes => nodes
          .filter((node) => !node.closest(".attn-scroll, .attn-aloud"))
          .filter((node) => node.getClientRects().length)
          .map((node) => [node.getBoundingClientRect(), node.closest(".attn-frame"), node])
          .filter(([box, frame]) => box.right > frame.getBoundingClientRect().right)
          .map(([, , node]) => node.outerHTML.slice(0, 80))"""
    )
    assert beyond == []


@pytest.mark.parametrize(
    "kind", ["paths", "matrix", "mixer", "bars", "stepper", "scrubber", "asked"]
)
def test_with_forced_colours_what_is_pressed_looks_pressed(show, kind):
    page = show(KINDS[kind](), forced_colors="active")
    grounds = page.locator(".attn-frame button[aria-pressed]").evaluate_all(
        "all => all.map((one) => [one.ariaPressed, getComputedStyle(one).backgroundColor])"
    )
    pressed, other = (
        {ground for how, ground in grounds if how == way} for way in ("true", "false")
    )
    assert pressed
    assert other
    assert not pressed & other
