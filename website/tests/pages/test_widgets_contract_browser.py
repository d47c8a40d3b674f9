"""What every widget keeps to: for all readers, by any device, in several views of one model."""

import re

import pytest
from browsing import REST, axe, of_each
from test_widget_beam_tree_browser import tree
from test_widget_bottleneck_explorer_browser import explorer as bottleneck
from test_widget_bottleneck_explorer_browser import typing_explorer as typing
from test_widget_context_mixer_browser import mixer
from test_widget_drawn_digit_browser import drawn
from test_widget_drawn_prediction_browser import LOG, guess
from test_widget_embedding_map_browser import shown as embedding
from test_widget_glimpse_stepper_browser import stepper
from test_widget_gradient_paths_browser import paths
from test_widget_heads_viewer_browser import viewer as heads
from test_widget_language_writer import writer
from test_widget_memory_explorer import explorer as memory
from test_widget_one_look_browser import asked, look
from test_widget_own_reader_browser import own
from test_widget_player import player
from test_widget_score_bars_browser import bars
from test_widget_score_explorer_browser import explorer
from test_widget_typo_finder_browser import finder
from test_widget_wall_browser import SWAP, operated, stored, wall
from test_widget_weight_scrubber_browser import scrubber
from test_widgets import WIDGETS
from test_widgets_browser import choice, date_reader, number, viewer
from torch_reader import random_reader
from walking import walk

from attn_book.commands.widgets_harness import by_the_clock, overflow, set_trait, trait
from attn_course.alignment import SCORES


def reader(text="3/4 ☃", **options):
    return date_reader(random_reader(seed=10), text=text, **options)


LONG = ["Gesellschaft", "b", "c", "d", "e", "f", "g", "h", "ii"]
# of each kind the widget, a part of it, a key that changes something there, and other states
KINDS = {
    "paths": (lambda: [paths(6, 6)], "input[type=checkbox]", "Space"),
    "heads": (
        lambda: [heads(silenced=[("encoder", 0, 1)]), heads(text=""), heads(text="3 " * 15)],
        *(".attn-thumb[aria-checked=true]", "ArrowRight"),
    ),
    "matrix": (lambda: [viewer(show_gold=True)], "input[type=checkbox]", "Space"),
    "arcs": (
        lambda: [viewer(view="arcs", selected={"side": "target", "index": 2})],
        *("[tabindex='0'].attn-target", "ArrowLeft"),
    ),
    "memory": (lambda: [memory(written=6)], "input[type=range]", "ArrowLeft"),
    "mixer": (lambda: [mixer()], ".attn-context-mark", "ArrowUp"),
    "bottleneck": (lambda: [bottleneck()], "input[type=range]:enabled", "ArrowRight"),
    "typing": (lambda: [typing(text="abcdefghijkab")], "[type=range]:enabled", "ArrowRight"),
    "embedding": (lambda: [embedding()], "input[type=range]", "ArrowLeft"),
    "player": (lambda: [player(), player(at=4.6), player(text="")], "[type=range]", "ArrowLeft"),
    "finder": (lambda: [finder(), finder(text="x" * 24)], ".attn-letter", "Enter"),
    "own": (lambda: [own(), own(text="abcdefabcdef")], ".attn-matrix [tabindex='0']", "ArrowDown"),
    "explorer": (lambda: [explorer()], ".attn-name[aria-pressed=false]", "Enter"),
    "look": (
        lambda: [look(query=far) for far in [(0.8, 1.2), (3, 3), (-2.5, -2.5), (2.9, -1.7)]],
        *(".attn-handle", "ArrowRight"),
    ),
    "asked": (lambda: [asked(asker=0)], "button[aria-pressed=false]", "Enter"),
    "bars": (
        lambda: [
            bars(),
            bars(readable=[True, False, True, True, False], temperature=4),
            bars(readable=[False] * 5),
            bars(tokens=LONG, scores=range(9), rule="sparsemax", temperature=4),
        ],
        *("input[type=range]", "ArrowLeft"),
    ),
    "scrubber": (
        lambda: [
            scrubber(change="swapped", places=[2]),
            scrubber(change="hidden", places=[1, 2]),
            scrubber(text="3 " * 14 + "4"),
            scrubber(text=""),
        ],
        *(".attn-column", "Enter"),
    ),
    "tree": (
        lambda: [tree(width=5, samples=["Blue Pound"]), tree(text="")],
        *("input[type=range]", "ArrowRight"),
    ),
    "stepper": (lambda: [stepper(), stepper(reader=1, look=3)], "input[type=range]", "ArrowRight"),
    "wall": (
        lambda: [
            wall([*stored()[:1], stored()[6]], chosen=(18, 6)),
            operated(changes={"exchange": SWAP}),
        ],
        *(".attn-wall-cell", "ArrowRight"),
    ),
    "writer": (
        lambda: [
            writer(samples=["a b\n", "d"]),
            writer(text=""),
            writer(text="abc dd☃\n" * 9, top=1),
        ],
        *("input[type=range]", "ArrowRight"),
    ),
    "digit": (lambda: [drawn()], ".attn-pad svg", "Backspace"),
    "reader": (
        lambda: [reader(), reader(sure_above=1.0)],
        *(".attn-matrix [tabindex='0']", "ArrowDown"),
    ),
    "choice": (lambda: [choice()], "[type=radio]", "Space"),
    "number": (lambda: [number()], "[type=range]", "ArrowRight"),
    "curve": (lambda: [guess(), guess(y=LOG, measured=False)], "[role=slider]", "Space"),
}
# other values of traits, as Python may set them, which Reset gives back
OTHERWISE = {
    "paths": {"target": 2, "source": 1, "stage": 1, "attention": False},
    "heads": {"text": "3/4/05", "chosen": ["cross", 0, 1], "silenced": [["encoder", 1, 2]]},
    "matrix": {"view": "arcs", "show_gold": False, "selected": {"side": "source", "index": 2}},
    "arcs": {"view": "matrix", "show_gold": True, "selected": {"side": "target", "index": 0}},
    "memory": {"rule": "softmax", "size": 3, "written": 2, "asked": 1, "pairs": [[5, 3], [1, 1]]},
    "mixer": {"weights": [0, 0, 0.5, 0, 0.5, 0, 0]},
    "bottleneck": {"steps": 1100, "size": 16, "length": 11},
    "typing": {"text": "abc", "length": 3},
    "embedding": {"frame": 0, "marked": [1, 2, 7], "view": "parting"},
    "player": {"at": 2},
    "finder": {"text": "fade", "looked": 1},
    "own": {"text": "bad", "selected": {"side": "target", "index": 0}},
    "explorer": {"query": [-2.0, 0.5], "key_points": [[1, 1], [2, 2], [0, 1], [1, 0]]},
    "look": {"query": [-2, 0.5]},
    "asked": {"asker": 2},
    "bars": {"scores": [0, 1, 2, 3, 4], "readable": [True, False, True, True, True]},
    "scrubber": {"text": "3. Mai 1998", "step": 1, "change": "hidden", "places": [1]},
    "tree": {"text": "Blue Pound", "width": 2, "alpha": 1.5, "shown": 1},
    "stepper": {"index": 1, "look": 0, "reader": 1, "show_boxes": True},
    "wall": {"chosen": [3, 4], "colour": "one back", "index": 1},
    "writer": {"text": "d", "temperature": 2, "top": 5, "written": [1, 2]},
    "digit": {"place": [0, 0], "strokes": [[[1, 1], [30, 30]]], "noise": 0.5, "thickness": 2},
    "reader": {"text": "05", "view": "arcs", "hidden": [1]},
    "choice": {"guess": "dot"},
    "number": {"guess": 7},
    "curve": {"drawn": [9, 8, 7, 6, 5]},
}
OTHERWISE["explorer"] |= {"selected": "cosine", "factor": 5}
OTHERWISE["bars"] |= {"rule": "hard", "temperature": 8, "selected": 4}
# what a finger meets, and what it changes
TAPS = {
    "paths": (".attn-node:has-text('L2')", {"target": 2}),
    "heads": ("[aria-label='Encoder, layer 1, head 3']", {"chosen": ["encoder", 0, 2]}),
    "matrix": ("[role=rowheader] >> nth=1", {"selected": {"side": "target", "index": 1}}),
    "arcs": (".attn-target >> nth=3", {"selected": {"side": "target", "index": 3}}),
    "memory": (".attn-answer >> nth=3", {"asked": 2}),
    "mixer": (".attn-dot >> nth=4", {"weights": [0, 0, 0, 0, 1, 0, 0]}),
    "bottleneck": (".attn-plot", {"length": 7}),
    "finder": (".attn-letter >> nth=2", {"looked": 2}),
    "explorer": (".attn-name >> nth=1", {"selected": [*SCORES][1]}),
    "asked": ("[aria-label='Who asks?'] button >> nth=3", {"asker": 4}),
    "bars": ("text=Sparsemax", {"rule": "sparsemax"}),
    "scrubber": (".attn-column >> nth=5", {"change": "swapped", "places": [2, 5]}),
    "tree": ("text=Grow a step", {"shown": 1}),
    "stepper": ("role=button[name='Next look']", {"look": 2}),
    "choice": ("[type=radio] >> nth=1", {"guess": "dot"}),
    "reader": ("[role=columnheader] >> nth=1", {"hidden": [1]}),
}
# where a reader types: what stands there without a text
TYPED = {
    **dict.fromkeys(["heads", "scrubber", "reader"], "Type a date"),
    "tree": "Type a phrase: its translation grows as you type.",
    "finder": "Type a word",
    "own": "Type a text of the kind",
    "typing": "Type up to 13 letters, from a to k.",
}
GROUND = "getComputedStyle(one).backgroundColor"
MOVING = {"bars": "Warm it up", "explorer": "Send the query round", "paths": "Send a pulse"}
PHONE = {"width": 360, "has_touch": True, "is_mobile": True}
WITHOUT = ["page-has-heading-one"]
# every text with its size on the screen, drawings at their scale
SIZES = """() => [...document.querySelectorAll(".attn-frame *")]
  .filter((node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .filter((node) => node.getClientRects().length && !node.closest(".attn-aloud"))
  .map((node) => {
    const scale = node.closest("svg")?.getScreenCTM().a ?? 1;
    return [scale * parseFloat(getComputedStyle(node).fontSize), node.outerHTML.slice(0, 80)];
  })"""
# what a finger cannot meet, as WCAG 2.2 has it in success criterion 2.5.8
SMALL = """() => [...document.querySelectorAll(
    ".attn-frame :is(button, input, select, label, [data-place])")]
  .filter((node) => node.checkVisibility() && !node.closest(".attn-wall-map"))
  // reached in other ways, by their whole label or card
  .filter((node) => !node.matches("label input, .attn-character, .attn-name"))
  .map((node) => [node.outerHTML.slice(0, 120), node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 23.9 || box.height < 23.9)
  .map(([html]) => html)"""
# all that a view shows; what was done is said by the view in which it was
VIEWS = """() => [...document.querySelectorAll(".harness-view")].map((view) =>
  [...view.querySelectorAll("*")]
    .filter((node) => !node.closest(".attn-aloud, .attn-scores .attn-readout"))
    .map((node) => [[...node.childNodes].map((one) => one.data).join(""), node.value, node.checked,
    ...["aria-label", "aria-pressed", "aria-checked", "aria-valuetext", "d", "points", "transform"]
      .map((name) => node.getAttribute(name)),
  ].join(" ")))"""
ALIKE = f"() => {{ const [one, other] = ({VIEWS})(); return one.join() === other.join(); }}"
TRAITS = "() => window.models.map((model) => JSON.stringify(model.traits))"
LISTEN = """() => {
  window.heard = [];
  document.addEventListener("keydown", (event) => window.heard.push(event.key));
}"""


def test_every_widget_is_here():
    shown = {type(make()[0]).__name__ for make, *_ in KINDS.values()}
    assert shown == {kind.__name__ for kind in WIDGETS}


@pytest.mark.parametrize("kind", KINDS)
def test_two_views_are_one_model_which_a_key_changes_and_reset_gives_back(show, kind):
    widgets, part, key = KINDS[kind]
    page = show(widgets()[0], views=2)
    assert page.locator("main [id]").count() == 0
    start, before, saved = (page.evaluate(s) for s in (TRAITS, VIEWS, "window.models[0].saved"))
    assert before[0] == before[1]
    page.evaluate(LISTEN)
    page.locator(part).first.press(key)
    assert page.evaluate("window.heard") == []  # a notebook has commands for keys
    assert page.evaluate(TRAITS) != start
    assert page.evaluate("window.models[0].saved") > saved
    after = page.evaluate(VIEWS)
    assert after[0] == after[1]
    assert after[0] != before[0]
    reset = page.get_by_role("button", name="Reset", exact=True)
    if reset.count():
        reset.nth(1).click()
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
        assert page.evaluate(TRAITS) == start
        for name, value in OTHERWISE[kind].items():
            set_trait(page, name, value)
        page.wait_for_function(ALIKE)
        assert page.evaluate(VIEWS)[0] not in (before[0], after[0])
        reset.first.click()
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
        assert page.evaluate(TRAITS) == start
    listening = page.evaluate("window.models[0].listeners.length")
    page.evaluate("window.cleanups[1]()")
    assert page.evaluate("window.models[0].listeners.length") == listening / 2 > 0
    assert page.locator(".attn-frame").count() == 1
    page.evaluate("window.cleanups[0]()")
    assert page.evaluate("window.models[0].listeners.length") == 0
    assert page.locator(".attn-frame").count() == 0


@pytest.mark.parametrize("kind", KINDS)
def test_on_a_desk_axe_finds_nothing_and_nothing_moves_where_motion_is_unwelcome(show, kind):
    widgets, part, key = KINDS[kind]
    page = show(*widgets(), width=1280, reduced_motion="reduce")
    page.locator(part).first.press(key)
    assert page.evaluate("document.getAnimations().length") == 0
    moving = of_each(page.locator(".attn-frame *"), "getComputedStyle(one).transitionDuration")
    assert not re.search("[1-9]", " ".join(moving))
    assert page.get_by_role("button", name=MOVING.get(kind, "Move"), exact=True).count() == 0
    assert not overflow(page)
    assert axe(page, without=WITHOUT) == []


@pytest.mark.parametrize("kind", KINDS)
def test_on_a_phone_in_the_dark_all_is_legible_within_reach_and_may_be_larger(show, kind):
    widgets, part, key = KINDS[kind]
    page = show(*widgets(), theme="dark", **PHONE)
    assert not overflow(page)
    sizes = page.evaluate(SIZES)
    assert len(sizes) >= 5
    assert [size for size in sizes if size[0] < 10.99] == []
    assert kind == "heads" or page.evaluate(SMALL) == []  # its letters are reached by arrow keys
    if kind in TAPS:
        tapped, traits = TAPS[kind]
        page.locator(tapped).first.tap()
        assert {name: trait(page, name) for name in traits} == traits
    page.locator(part).first.press(key)
    assert not overflow(page)
    assert axe(page, without=WITHOUT) == []
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


# what sets a widget in motion, the trait that moves, and a reader who takes over
RUNNING = {
    "bars": ("Warm it up", "temperature", "click Reset"),
    "explorer": ("Send the query round", "query", "set query [2.0, -1.0]"),
}


@pytest.mark.parametrize("kind", RUNNING)
def test_what_moves_pauses_goes_on_and_gives_way_to_a_hand(show, kind):
    button, name, hand = RUNNING[kind]
    page = show(KINDS[kind][0]()[0])
    by_the_clock(page)
    go, been = walk(page), [trait(page, name)]

    def after(does, moves):
        go(does)
        been.append(trait(page, name))
        page.clock.run_for(1000)
        assert (trait(page, name) != been[-1]) == moves, does

    after(f"click {button}", moves=True)
    after("click Pause", moves=False)
    assert been[-1] != been[0]
    assert page.locator(".attn-readout").first.get_attribute("data-live") == ""
    after(f"click {button}", moves=True)
    after(hand, moves=False)
    after(f"click {button}", moves=True)
    page.evaluate("window.cleanups.forEach((end) => end())")
    after("", moves=False)


EVIL = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>'


@pytest.mark.parametrize("kind", TYPED)
def test_what_a_reader_types_is_data_and_nothing_gets_a_sentence(show, kind):
    page = show(KINDS[kind][0]()[0], width=360)
    box, frame = page.get_by_role("textbox").first, page.locator(".attn-frame")
    start = box.input_value()
    for text in ("", "   ", "\u3000"):
        box.fill(text)
        frame.get_by_text(TYPED[kind]).first.wait_for(state="attached")
        assert not trait(page, "result" if kind != "typing" else "written")
    for text in (EVIL, "<u>", "☃" * 500):
        box.fill(text)
        assert trait(page, "text").casefold() == text.casefold()
        assert frame.locator("img, script, u").count() == 0
        assert not overflow(page)
    page.evaluate("async () => { await fetch('index.html'); }")  # by then an image had failed
    assert page.evaluate("window.hacked") is None
    set_trait(page, "text", "3")
    assert box.input_value() == "3"
    page.get_by_role("button", name="Reset", exact=True).click()
    assert box.input_value() == start


@pytest.mark.parametrize(
    "kind", ["paths", "matrix", "mixer", "bars", "stepper", "scrubber", "asked"]
)
def test_with_forced_colours_what_is_pressed_looks_pressed(show, kind):
    page = show(KINDS[kind][0]()[0], forced_colors="active")
    pressed, other = (
        {*of_each(page.locator(f".attn-frame button[aria-pressed={state}]"), GROUND)}
        for state in ("true", "false")
    )
    assert pressed
    assert other
    assert not pressed & other
