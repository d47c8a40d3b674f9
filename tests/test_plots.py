"""Figures for a page: accessible, in the palette's colours, leaving no open figures behind."""

import functools
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from matplotlib.figure import Figure

from attn_course.views import palette, plots

SEEDS, POINTS, LABELS, SOURCE, TARGET = 3, 17, 7, 13, 11
generator = np.random.default_rng(5)


def some_curves(**options):
    lines = {
        "with <attention>": generator.random((SEEDS, POINTS)),
        "without": generator.random(POINTS),
    }
    return plots.curves(
        range(POINTS), lines, "It learns & stays", alt='Two "curves" rise.', **options
    )


def some_bars(**options):
    values = generator.random((SEEDS, LABELS))
    return plots.bars([f"name{n}" for n in range(LABELS)], values, "Bars", alt="bars", **options)


def some_columns():
    values = generator.random((SEEDS, LABELS))
    return plots.columns([str(n) for n in range(LABELS)], values, "Columns", alt="columns")


def some_heatmap(**options):
    weights = generator.dirichlet(np.ones(SOURCE), TARGET)
    return plots.heatmap(weights, "a" * SOURCE, "b" * TARGET, "Weights", alt="weights", **options)


def own_figure():
    figure = Figure()
    axes = figure.subplots()
    axes.plot([1, 2], marker="o", color=palette.LIGHT["target"])
    axes.fill_between([0, 1], [1, 2], hatch="//")
    figure.suptitle("Mine")
    return plots.picture(figure, alt="own")


def some_areas():
    shares = dict(zip("abc", generator.dirichlet(np.ones(3), POINTS).T, strict=True))
    return plots.areas(range(1, 1 + POINTS), shares, "Shares", alt="shares", strong="b")


def some_simplexes():
    panels = {
        "soft": {
            "points": generator.dirichlet(np.ones(3), 11),
            "paths": generator.dirichlet(np.ones(3), (2, 7)),
        },
        "only dots": {"points": np.eye(3)},
    }
    return plots.simplexes(panels, "abc", "Triangles", alt="triangles")


makers = [some_curves, some_bars, some_columns, some_heatmap, some_areas, some_simplexes]
makers += [own_figure]
ALL = [functools.cache(maker) for maker in makers]
every_picture = pytest.mark.parametrize("make", ALL)


@every_picture
def test_it_is_one_named_image(make):
    made = make()
    root = ElementTree.fromstring(made.svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == made.alt == repr(made)
    assert root.get("width") is None, "it could not shrink"
    assert root.get("viewBox")


@pytest.mark.parametrize("make", ALL[:-1], ids=lambda make: make.__name__)
def test_letters_are_large_enough_for_a_phone(make):
    """A unit of the drawing is a pixel there."""
    root = ElementTree.fromstring(make().svg)
    assert root.get("viewBox").split()[2] == str(plots.WIDTH)
    words = [node for node in root.iter() if node.tag.endswith("text")]
    sizes = re.findall(r"font-size: ([\d.]+)px", "".join(node.get("style") for node in words))
    assert len(sizes) == len(words) > 0
    assert min(map(float, sizes)) >= 11


@every_picture
def test_nothing_leaks_into_the_page(make):
    svg = make().svg
    assert "<style" not in svg, "a rule inside an inline drawing holds for the whole page"
    assert "<metadata" not in svg
    assert "<image" not in svg
    assert "<script" not in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


@every_picture
def test_two_figures_on_a_page_share_no_id_and_every_link_arrives(make):
    first, second = make().svg, some_columns().svg  # no cache, since the numbers differ
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in (first, second)]
    assert not ids[0] & ids[1]
    assert set(re.findall(r"#(p[0-9a-f]{10}\w+)", first)) <= ids[0]


def test_the_same_figure_is_the_same_text_in_every_run():
    one, two = own_figure().svg, own_figure().svg
    assert "clip-path" in one
    assert one == two


@every_picture
def test_every_colour_follows_the_page_into_the_dark(make):
    left = re.sub(r"var\(--attn-[\w-]+, #[0-9a-f]{6}\)", "", make().svg)
    left = left.replace("#1f77b4", "")  # matplotlib's own blue has no role
    assert not re.findall(r"#[0-9a-f]{6}\b(?!\w)", left.replace("#p", ""))


def test_roles_of_colours_agree_in_both_themes():
    for colour, role in plots._roles_by_colour().items():
        if role.startswith("weight-"):
            assert palette.ramp()[int(role.removeprefix("weight-"))] == colour
        elif colour not in ("#000000", "#ffffff"):
            assert palette.LIGHT[role] == colour
    ambiguous = [role for role in palette.LIGHT if not role.startswith("on-")]
    assert len({palette.LIGHT[role] for role in ambiguous}) == len(ambiguous)


def test_labels_stand_on_the_lines_and_markup_is_escaped():
    made = some_curves(ceiling=0.9, percent=True)
    assert "with &lt;attention&gt;" in made.svg
    assert "ceiling" in made.svg
    assert "It learns &amp; stays" in made._repr_html_()
    assert "Two &quot;curves&quot; rise." in made.svg
    assert "80 %" in made.svg


def test_the_title_stands_above_where_it_can_wrap():
    made = own_figure()
    assert made.title == "Mine"
    assert "Mine</figcaption>" in made._repr_html_()
    assert "Mine" not in made.svg


def test_labels_that_would_touch_are_moved_apart():
    _, axes = plots._canvas("", "", "", height=200)
    axes.set_ylim(0, 1)
    ends = [(0.5, "one"), (0.5, "two"), (0.51, "three")]
    plots._label_ends(axes, [(height, label, "#000000") for height, label in ends])
    heights = sorted(text.xy[1] for text in axes.texts)
    assert np.diff(heights).min() > 0.07
    assert np.mean(heights) == pytest.approx(0.503, abs=0.01)


def test_bars_are_sorted_and_have_a_dot_for_each_seed():
    values = np.array([[0.2, 0.9, 0.5], [0.3, 0.8, 0.6]])
    svg = plots.bars(["low", "high", "middle"], values, "Bars", alt="bars").svg
    words = re.findall(r">(low|middle|high)</text>", svg)
    assert words == ["low", "middle", "high"]  # from bottom to top
    assert len(re.findall(r"<use [^>]*fill: var\(--attn-accent", svg)) == values.size


def test_a_bar_begins_at_zero_or_is_no_bar():
    def filled(svg):
        return len(re.findall(r"fill: var\(--attn-accent, #\w+\); opacity: 0.35", svg))

    assert filled(some_bars().svg) == LABELS
    assert filled(some_bars(start=0.5).svg) == 0


def test_more_weight_is_more_ink():
    weights = np.array([[0.0, 0.25, 0.75]])
    svg = plots.heatmap(weights, "abc", "x", "Weights", alt="weights").svg
    assert re.findall(r"--attn-weight-(\d+)", svg) == ["5", "15"]


def test_gold_is_an_outline():
    gold = np.zeros((TARGET, SOURCE), dtype=bool)
    gold[2, 3] = gold[5, 7] = True
    svg = some_heatmap(gold=gold).svg
    assert len(re.findall(r"fill: none; stroke: var\(--attn-gold", svg)) == 2


def test_blanks_and_marks_are_made_visible():
    svg = plots.heatmap(np.eye(3), ["a", " ", "\u200f"], "xyz", "Weights", alt="weights").svg
    assert "␣" in svg
    assert "\u200f" not in svg


def test_other_scripts_draw_without_a_warning():
    plots.heatmap(np.eye(3), "1年מ", "xyz", "Weights", alt="weights")


@pytest.mark.parametrize("alt", ["", "  ", None])
def test_alternative_text_is_required(alt):
    with pytest.raises(ValueError, match="needs alternative text"):
        plots.picture(Figure(), alt)


def test_wrong_shapes_say_what_came():
    with pytest.raises(ValueError, match=r"line must be \(5 points\).*got \(2, 4\)"):
        plots.curves(range(5), {"line": np.zeros((2, 4))}, "", alt="x")
    with pytest.raises(ValueError, match="finite"):
        plots.bars("ab", [0.5, np.nan], "", alt="x")
    with pytest.raises(ValueError, match=r"weights must be \(target 2, source 3\); got \(3, 2\)"):
        plots.heatmap(np.zeros((3, 2)), "abc", "xy", "", alt="x")
    with pytest.raises(ValueError, match="gold must have the weights' shape"):
        plots.heatmap(np.eye(2), "ab", "xy", "", alt="x", gold=np.eye(3))
    with pytest.raises(ValueError, match="between 0 and 1"):
        plots.heatmap(-np.eye(2), "ab", "xy", "", alt="x")
    with pytest.raises(TypeError, match="expected a matplotlib figure; got str"):
        plots.picture("figure", alt="x")


def test_show_displays_figures_and_pictures():
    InteractiveShell.instance()
    try:
        with capture_output() as captured:
            plots.show(Figure(), alt="an empty figure")
            plots.show(some_columns())
    finally:
        InteractiveShell.clear_instance()
    first, second = (output.data for output in captured.outputs)
    assert first["text/plain"] == "an empty figure"
    assert second["text/html"].startswith('<figure class="attn-figure"')


def test_the_mean_is_drawn_and_the_band_holds_every_seed(monkeypatch):
    monkeypatch.setattr(plots, "picture", lambda figure, alt: figure.axes[0])
    values = generator.random((SEEDS, LABELS))
    line = plots.curves(range(LABELS), {"line": values}, "", alt="x")
    np.testing.assert_allclose(line.lines[0].get_ydata(), values.mean(axis=0))
    band = line.collections[0].get_paths()[0].vertices
    for place in range(LABELS):
        heights = band[band[:, 0] == place, 1]
        assert heights.min() == pytest.approx(values[:, place].min())
        assert heights.max() == pytest.approx(values[:, place].max())
    upright = plots.columns("abcdefg", values, "", alt="x")
    np.testing.assert_allclose([bar.get_height() for bar in upright.patches], values.mean(axis=0))
    lying = plots.bars("abcdefg", values, "", alt="x")
    lengths = [bar.get_width() for bar in lying.patches]
    np.testing.assert_allclose(lengths, np.sort(values.mean(axis=0)))


def test_a_line_leaves_out_what_was_not_measured(monkeypatch):
    drawn = []
    monkeypatch.setattr(plots, "picture", lambda figure, alt: drawn.append(figure.axes[0]))
    nan = float("nan")
    runs = [[1.0, 5.0, 8.0, nan], [3.0, 7.0, nan, nan]]
    plots.curves([2, 3, 5, 7], {"a": runs, "b": [4, 4, 4, 6]}, "t", alt="a")
    first, second = drawn[0].lines
    assert first.get_xydata().tolist() == [[2, 2], [3, 6], [5, 8]]
    assert second.get_xydata().tolist() == [[2, 4], [3, 4], [5, 4], [7, 6]]
    with pytest.raises(ValueError, match="a must be finite"):
        plots.curves([2, 3], {"a": [nan, nan]}, "t", alt="a")
    with pytest.raises(ValueError, match="a must be finite"):
        plots.curves([2, 3], {"a": [nan, float("inf")]}, "t", alt="a")


def test_many_dots_are_one_element_and_every_one_is_there():
    points = np.random.default_rng(0).dirichlet([1, 1, 1], size=137)
    points[:29] = [0, 1, 0]  # in a corner, on top of one another
    drawn = plots.simplexes({"softmax": {"points": points}}, ["a", "b", "c"], "T", alt="a").svg
    paths = re.findall(r'<path d="([^"]*)"', drawn)
    dots = [path for path in paths if path.count("M") == path.count("L") == len(points)]
    assert len(dots) == 1
    assert "<use" not in drawn
    heaps = [path for path in paths if path.count("M") == path.count("L") == 1]
    assert len(heaps) == 1  # where many lie on top of each other, a larger dot
    points[:20] = np.random.default_rng(1).dirichlet([1, 1, 1], size=20)
    drawn = plots.simplexes({"softmax": {"points": points}}, ["a", "b", "c"], "T", alt="a").svg
    assert drawn.count("<path") == len(paths) - 1


def test_a_drawing_has_no_group_that_says_nothing():
    drawn = plots.curves([0, 1, 2], {"a": [1, 2, 3]}, "T", alt="a").svg
    assert not re.search(r"<g>|<g ?/>|<g></g>|<defs ?/>", drawn)


def test_a_label_of_an_axis_that_would_be_cut_off_is_refused():
    values = [[0.2, 0.4], [0.3, 0.5]]
    label = "answers that follow the swap, mean of month and day"
    plots.bars(["a", "b"], values, title="A", alt="Two.", xlabel=label)
    with pytest.raises(ValueError, match="must fit the figure: shorten 'answers that follow"):
        plots.bars(["single characters", "b"], values, title="A", alt="Two.", xlabel=label)


@pytest.mark.parametrize("before", range(3))
@pytest.mark.parametrize("model", palette.MODELS)
def test_a_model_looks_the_same_whatever_else_is_drawn(model, before):
    lines = {str(n): range(POINTS) for n in range(before)}
    lines |= {model: range(POINTS), f"{model}, longer": range(POINTS)}
    svg = plots.curves(range(POINTS), lines, "It learns", alt="lines").svg
    role, dashes = palette.MODELS[model]
    ours = re.findall(rf"stroke: var\(--attn-{role}, [^)]*\); stroke-width: ([\d.]+)", svg)[-2:]
    drawn = re.findall(r'style="(fill: none; [^"]*stroke-width: (?:1.6|2.4)[^"]*)"', svg)[-2:]
    assert ours == ["1.6", "2.4"]  # the second is thicker
    for style, width in zip(drawn, (1.6, 2.4), strict=True):
        dashed = ",".join(f"{dash * width:.4g}" for dash in dashes)
        assert (f"stroke-dasharray: {dashed};" in style) == bool(dashes)
        assert f"var(--attn-{role}," in style
