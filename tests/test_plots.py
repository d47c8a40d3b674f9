"""Figures for a page: accessible, in the palette's colours, and true to their numbers."""

import functools
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from matplotlib.figure import Figure
from sweeps import every

from attn_course.views import palette, plots

SEEDS, POINTS, LABELS, SOURCE, TARGET = 3, 17, 7, 13, 11
NAN = float("nan")
generator = np.random.default_rng(5)
SHARES = generator.dirichlet(np.ones(3), POINTS).T


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
    shares = dict(zip(("one & all", "two", "three"), SHARES, strict=True))
    return plots.areas(range(1, 1 + POINTS), shares, "Shares", alt="shares", strong="two")


def some_simplexes(**changes):
    panel = {
        "points": generator.dirichlet(np.ones(3), 11),
        "paths": generator.dirichlet(np.ones(3), (2, 7)),
    }
    panels = {"soft": panel | changes, "only dots": {"points": np.eye(3)}}
    return plots.simplexes(panels, "abc", "Triangles", alt="triangles")


def some_panels(panels=4, **changes):
    lines = {f"panel {n}": generator.random((2, POINTS)) for n in range(panels)} | changes
    names = ["key 1", "key 2"]
    return plots.panels(range(POINTS), lines, "Four", names=names, alt="Four panels.")


def some_changes(before=((3, 4), (2, 2.5), (1, 1.5)), after=((5, 6), (9, 8), (7, 6))):
    values = {
        name: dict(zip(("one", "two", "three"), ends, strict=False))
        for name, ends in (("before", before), ("after", after))
    }
    return plots.changes(values, "Far", alt="How far.")


def some_beads():
    return plots.beads({"one vector, <300>": [2, 3, 5], "attention": 6.9}, "Held", alt="Beads.")


def some_links(weights=None):
    weights = generator.dirichlet(np.ones(5), 3) if weights is None else weights
    return plots.links(weights, "abcde", "xyz", "Looks", alt="Links.")


makers = [
    some_beads,
    some_links,
    some_curves,
    some_bars,
    some_columns,
    some_heatmap,
    some_areas,
    some_simplexes,
]
ALL = [functools.cache(maker) for maker in (*makers, some_panels, some_changes, own_figure)]


@pytest.fixture(autouse=True)
def once(monkeypatch):
    """One drawing of each chart, the phone's: that the other is the same, one test says."""
    monkeypatch.setattr(plots, "_chart", lambda *chart, **alt: plots.picture(*chart, **alt))


def texts(plot):
    root = ElementTree.fromstring(plot.svg)
    return ["".join(node.itertext()).strip() for node in root.iter() if node.tag.endswith("text")]


def places(plot, text):
    """The positions of a text in the drawing, as (x, y)."""
    pairs = re.findall(rf'x="([\d.]+)" y="([\d.]+)"[^>]*>{text}<', plot.svg)
    return [(float(x), float(y)) for x, y in pairs]


# ---- all of them


@pytest.mark.parametrize(("grid", "line"), [("x", {"left"}), ("y", {"bottom"}), ("", set())])
def test_a_frame_is_the_line_on_which_bars_stand(grid, line):
    _, axes = plots._canvas("", "", "", 99, grid)
    assert {side for side, spine in axes.spines.items() if spine.get_visible()} == line


@pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)
@pytest.mark.slow
def test_it_is_one_named_image_in_the_colours_of_the_page_and_leaks_nothing_into_it(make):
    plot = make()
    root = ElementTree.fromstring(plot.svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == plot.alt == repr(plot)
    assert root.get("width") is None, "it could not shrink"
    assert root.get("viewBox")
    for leak in ("<style", "<metadata", "<image", "<script"):  # a rule would hold for all the page
        assert leak not in plot.svg
    assert "http" not in plot.svg.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"<g>|<g ?/>|<g></g>|<defs ?/>", plot.svg), "a group that says nothing"
    left = re.sub(r"var\(--attn-[\w-]+, #[0-9a-f]{6}\)", "", plot.svg)
    left = left.replace("#1f77b4", "")  # matplotlib's own blue has no role
    assert not re.findall(r"#[0-9a-f]{6}\b(?!\w)", left.replace("#p", ""))
    other = some_columns().svg  # no cache, since the numbers differ
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in (plot.svg, other)]
    assert not ids[0] & ids[1]
    assert set(re.findall(r"#(p[0-9a-f]{10}\w+)", plot.svg)) <= ids[0]


@pytest.mark.parametrize("make", ALL[:-1], ids=lambda make: make.__name__)
def test_letters_are_large_enough_for_a_phone(make):
    """A unit of the drawing is a pixel there."""
    root = ElementTree.fromstring(make().svg)
    assert root.get("viewBox").split()[2] == str(plots.WIDTH)
    words = [node for node in root.iter() if node.tag.endswith("text")]
    sizes = re.findall(r"font-size: ([\d.]+)px", "".join(node.get("style") for node in words))
    assert len(sizes) == len(words) > 0
    assert min(map(float, sizes)) >= 11


@pytest.mark.parametrize("make", [*makers[1:4], some_areas, some_panels, some_changes])
@pytest.mark.slow
def test_a_chart_is_drawn_for_a_wide_page_too_where_it_says_the_same(make, monkeypatch):
    monkeypatch.undo()
    plot = make()
    drawings = [*ElementTree.fromstring(f"<all>{plot.svg}</all>")]
    assert [drawing.get("class") for drawing in drawings] == [
        "attn-chart attn-wide",
        "attn-chart attn-narrow",
    ]
    assert [drawing.get("viewBox").split()[2] for drawing in drawings] == ["490", "360"]
    assert ["none" in drawing.get("style") for drawing in drawings] == [False, True]
    wide, narrow = ({*drawing.itertext()} for drawing in drawings)
    labels = {word for word in narrow if re.search("[a-z]", word)}
    assert labels <= wide
    assert f"max-width:{1.5 * plots.WIDE:.0f}px" in plot._repr_html_()


def test_the_same_figure_is_the_same_text_in_every_run():
    one, two = own_figure().svg, own_figure().svg
    assert "clip-path" in one
    assert one == two


def test_roles_of_colours_agree_in_both_themes():
    for colour, role in plots._roles_by_colour().items():
        if role.startswith("weight-"):
            assert palette.ramp()[int(role.removeprefix("weight-"))] == colour
        elif colour not in ("#000000", "#ffffff"):
            assert palette.LIGHT[role] == colour


def test_the_title_stands_above_where_it_can_wrap_and_markup_is_escaped():
    plot = own_figure()
    assert plot.title == "Mine"
    assert "Mine</figcaption>" in plot._repr_html_()
    assert "Mine" not in plot.svg
    plot = some_curves(ceiling=0.9, percent=True)
    for text in ("with &lt;attention&gt;", "ceiling", "Two &quot;curves&quot; rise.", "80 %"):
        assert text in plot.svg
    assert "It learns &amp; stays" in plot._repr_html_()


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


X = np.geomspace(0.1, 100, POINTS)


# ---- curves


@pytest.fixture
def drawn(monkeypatch):
    """Draws and returns the axes."""
    monkeypatch.setattr(plots, "picture", lambda figure, alt: figure.axes[0])

    def draw(lines, x=range(2, 9), **options):
        return plots.curves(x, lines, "Title", alt="x", **options)

    return draw


def test_the_mean_is_drawn_and_the_band_holds_every_seed(drawn):
    values = generator.random((SEEDS, LABELS))
    line = drawn({"line": values}, range(LABELS))
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
    lying = plots.bars("abcdefg", values, "", alt="x", as_given=True)
    np.testing.assert_allclose(
        [bar.get_width() for bar in lying.patches][::-1], values.mean(axis=0)
    )


@pytest.mark.parametrize(("least", "foot"), [(0.4, 0), (0, 0), (-0.3, None)])
def test_what_is_twice_as_high_is_twice_as_much(drawn, least, foot):
    low = drawn({"line": [least, 0.8, 0.9, 0.7, 0.6, 0.5, 0.9]}).get_ylim()[0]
    assert low == foot if foot is not None else low < least


def test_as_many_beads_are_filled_as_are_held(drawn):
    strings = some_beads().collections
    filled = [(string.get_facecolors()[:, 3] > 0).tolist() for string in strings]
    assert filled == [[True] * 3 + [False] * 4, [True] * 7]


def test_a_link_is_as_wide_as_its_weight_and_joins_its_own_two(drawn):
    weights = np.zeros((3, 5))
    weights[2, 1], weights[0, 4], weights[1, 1] = 0.75, 0.25, 0.009
    links = some_links(weights).patches
    ends = [link.get_path().vertices[[0, -1]].tolist() for link in links]
    assert ends == [[[0, 0], [4, 1]], [[2, 0], [1, 1]]]
    assert links[1].get_linewidth() == 3 * links[0].get_linewidth()


def test_a_line_leaves_out_what_was_not_measured(drawn):
    runs = [[1.0, 5.0, 8.0, NAN], [3.0, 7.0, NAN, NAN]]
    first, second = drawn({"a": runs, "b": [4, 4, 4, 6]}, [2, 3, 5, 7]).lines
    assert first.get_xydata().tolist() == [[2, 2], [3, 6], [5, 8]]
    assert second.get_xydata().tolist() == [[2, 4], [3, 4], [5, 4], [7, 6]]


@pytest.mark.parametrize("before", every(2, range(3)))
@pytest.mark.parametrize("model", palette.MODELS)
@pytest.mark.slow
def test_a_model_looks_the_same_whatever_else_is_drawn(model, before):
    lines = {str(n): range(POINTS) for n in range(before)}
    lines |= {model: range(POINTS), f"{model}, longer": range(POINTS)}
    svg = plots.curves(range(POINTS), lines, "It learns", alt="lines").svg
    role, dashes = palette.MODELS[model]
    ours = re.findall(rf"stroke: var\(--attn-{role}, [^)]*\); stroke-width: (1.6|2.4)", svg)[-2:]
    drawn = re.findall(r'style="(fill: none; [^"]*stroke-width: (?:1.6|2.4)[^"]*)"', svg)[-2:]
    assert ours == ["1.6", "2.4"]  # the second is thicker
    for style, width in zip(drawn, (1.6, 2.4), strict=True):
        dashed = ",".join(f"{dash * width:.4g}" for dash in dashes)
        assert (f"stroke-dasharray: {dashed};" in style) == bool(dashes)
        assert f"var(--attn-{role}," in style


def numbers_on(x, **options):
    """The numbers on the axes of a curve; those on the y axis are whole in any case."""
    heights = {"line": [100 * place for place in range(len(x))]}
    return re.findall(r">([\d.,]+)</text>", plots.curves(x, heights, "t", alt="x", **options).svg)


def test_whole_places_have_whole_ticks_and_others_may_have_fractions():
    for x in (range(2, 25), [2, 3, 5, 7, 11], (16, 32, 64)):
        numbers = numbers_on(x)
        assert len(numbers) >= 6
        assert not any("." in tick for tick in numbers)
    assert any("." in tick for tick in numbers_on([0.1, 0.2, 0.35]))


# ---- logarithmic axes


def paths(lines):
    """The heights of every line that has a point for each x, as drawn, from the top."""
    svg = plots.curves(range(5), lines, "Falls", alt="falls", logarithmic=True).svg
    paths = re.findall(r'<path d="([^"]*)"[^>]*clip-path[^>]*fill: none', svg)
    points = [re.findall(r"[ML] [\d.]+ ([\d.]+)", path) for path in paths]
    return [np.array(line, dtype=float) for line in points if len(line) == 5]


def test_equal_factors_are_equal_steps_upwards_and_to_the_right():
    (line,) = paths({"a": [1e-1, 1e-3, 1e-5, 1e-7, 1e-9]})
    steps = np.diff(line)
    assert (steps > 0).all()  # downwards
    np.testing.assert_allclose(steps, steps[0], atol=0.02)
    low = {"low": [1e-9] * 4 + [1.0]}
    together, alone = (
        paths({"a": runs} | low)[0] for runs in ([[1e-2] * 5, [1e-4] * 5, [1e-6] * 5], [1e-4] * 5)
    )
    np.testing.assert_allclose(together, alone, atol=0.02)  # the mean is the geometric one
    falling = {"falling": 10.0 ** -np.arange(POINTS)}
    at = {log: texts(plots.curves(X, falling, "F", alt="f", logarithmic_x=log)) for log in (0, 1)}
    assert {"1", "10"} <= set(at[1])
    assert not {"1", "10"} & set(at[0])
    far = np.geomspace(1, 1e8, POINTS)
    assert "10⁶" in texts(plots.curves(far, {"a": X}, "t", alt="a", logarithmic_x=True))


def test_a_few_places_are_all_named_and_many_are_not():
    def across(x):
        line = {"a": [0.5] * len(x)}
        labels = texts(plots.curves(x, line, "Level", alt="level", logarithmic_x=True))
        return [tick for tick in labels if re.fullmatch(r"[\d,]{3,}", tick)]

    assert across([300, 1200, 4800]) == ["300", "1,200", "4,800"]
    assert across(range(100, 2000, 50)) == ["100", "1,000"]


# ---- where labels and axes end


@pytest.mark.parametrize("logarithmic", [False, True])
def test_labels_that_would_touch_are_moved_apart(logarithmic):
    _, axes = plots._canvas("", "", "", height=200)
    ends, scale = [0.5, 0.5, 0.51], np.array
    if logarithmic:
        axes.set_yscale("log")
        axes.set_ylim(1e-12, 1)
        ends, scale = [1e-5, 1.1e-5], lambda heights: 1 + np.log10(heights) / 12
    else:
        axes.set_ylim(0, 1)
    plots._label_ends(axes, [(height, str(n), "#000000") for n, height in enumerate(ends)])
    heights = scale(sorted(text.xy[1] for text in axes.texts))
    assert np.diff(heights).min() > 0.07
    assert np.mean(heights) == pytest.approx(np.mean(scale(ends)), abs=0.01)


def labels(axes):
    """Where each label stands: 0 is the left or the lower edge of the axes, 1 the other one."""
    axes.figure.draw_without_rendering()
    back, named = axes.transAxes.inverted(), {text.get_text(): text for text in axes.texts}
    assert len(named) == len(axes.texts)
    return {name: text.get_window_extent().transformed(back) for name, text in named.items()}


def where(axes, label):
    return labels(axes)[label]


def test_a_line_that_stops_early_has_its_label_where_it_stops(drawn):
    axes = drawn({"short": [1, 2, 3] + [NAN] * 4, "long": [9, 8, 7, 6, 5, 5, 5]})
    short, long = where(axes, "short"), where(axes, "long")
    assert 2 / 6 < short.x0 < 2 / 6 + 0.1
    assert short.x1 < 1 < long.x0
    assert short.y0 < 0.25 + 0.05 < short.y1 + 0.1
    assert len(axes.lines) == 2  # nothing leads to it


@pytest.mark.parametrize("logarithmic_x", [False, True])
def test_a_single_dot_at_the_left_has_its_label_beside_it(drawn, logarithmic_x):
    lines = {"dot": [9, NAN, NAN], "rises": [[1, 2, 4], [1, 3, 4]]}
    axes = drawn(lines, [300, 1200, 4800], logarithmic_x=logarithmic_x)
    assert 0 < where(axes, "dot").x0 < 0.1


def test_a_label_without_room_stays_at_the_edge_and_a_dotted_line_leads_to_it(drawn):
    crowd = {f"line {n}": [4.6 + 0.1 * n] * 7 for n in range(9)}
    axes = drawn({"short": [5, 5, 5] + [NAN] * 4, **crowd, "high": [9] * 7, "low": [0] * 7})
    label = where(axes, "short")
    assert label.x0 > 1
    *others, led = axes.lines
    assert len(others) == 12
    ends = axes.transAxes.inverted().transform(led.get_transform().transform(led.get_xydata()))
    assert ends[0, 0] == pytest.approx(2 / 6)
    assert ends[1, 0] == pytest.approx(1)
    assert label.y0 < ends[1, 1] < label.y1


@pytest.mark.slow
def test_labels_of_early_ends_touch_no_line_band_or_label(drawn):
    random = np.random.default_rng(3)
    for _ in range(20):
        lines = {f"line {n}": random.random((3, 7)) for n in range(4)}
        for line in lines.values():
            line[:, random.integers(1, 7) :] = NAN
        lines["whole"] = random.random((3, 7))
        axes = drawn(lines)
        boxes = labels(axes)
        assert boxes.keys() == lines.keys()
        for label, box in boxes.items():
            assert not any(box.overlaps(other) for name, other in boxes.items() if name != label)
            if box.x0 > 1:
                continue
            place = box.transformed(axes.transAxes)
            assert not any(
                line.get_transform().transform_path(line.get_path()).intersects_bbox(place, False)
                for line in axes.lines[: len(lines)]
            )
            assert not any(
                band.get_transform().transform_path(band.get_paths()[0]).intersects_bbox(place)
                for band in axes.collections
            )


def test_an_end_at_the_edge_stays_at_the_edge(drawn):
    axes = drawn({"one": range(7), "two": range(7, 0, -1)}, ceiling=8)
    assert all(where(axes, label).x0 > 1 for label in ("one", "two", "ceiling"))


@pytest.mark.usefixtures("drawn")
@pytest.mark.parametrize("most", every(3, [0.5949, 0.57, 0.5, 0.31, 1.0]))
def test_no_value_lies_beyond_the_last_number_of_its_axis(most):
    runs = [[0.1, 0.2, 0.9 * most], [0.1, 0.3, most]]
    rows = {"before": {"a": [0.1], "b": [0.2]}, "after": {"a": [0.2], "b": [most]}}
    for axes in (
        plots.bars("abc", runs, "t", alt="x", percent=True),
        plots.bars("abc", runs, "t", alt="x", percent=True),
        plots.changes(rows, "t", alt="x", percent=True),
    ):
        left, right = axes.get_xlim()
        ticks = axes.get_xticks()
        assert most <= max(ticks[ticks <= right])
        assert right < most + 0.3 * (most - left)  # and not much room is lost


def test_a_label_of_an_axis_that_would_be_cut_off_is_refused():
    values = [[0.2, 0.4], [0.3, 0.5]]
    label = "answers that follow the swap, mean of month and day"
    plots.bars(["a", "b"], values, title="A", alt="Two.", xlabel=label)
    with pytest.raises(ValueError, match="must fit the figure: shorten 'answers that follow"):
        plots.bars(["single characters", "b"], values, title="A", alt="Two.", xlabel=label)


# ---- bars, changes and panels


def test_bars_are_sorted_and_have_a_dot_for_each_seed():
    labels, values = ["low", "high", "middle"], np.array([[0.2, 0.9, 0.5], [0.3, 0.8, 0.6]])
    lying, upright = (
        draw(labels, values, "Bars", alt="x").svg for draw in (plots.bars, plots.columns)
    )
    words = re.findall(r">(low|middle|high)</text>", lying)
    assert words == ["low", "middle", "high"]  # from bottom to top
    for svg in (lying, upright):
        assert len(re.findall(r"<use [^>]*fill: var\(--attn-accent", svg)) == values.size


def test_changes_have_both_ends_of_each_seed_and_the_highest_end_on_top():
    several = some_changes(generator.random((3, 5)), 1 + generator.random((3, 7)))
    one = some_changes(generator.random((3, 1)), 1 + generator.random((3, 1)))
    assert several.svg.count("<use") - one.svg.count("<use") == 3 * (4 + 6)
    assert len(places(several, "before")) == len(places(several, "after")) == 1
    full, less = some_changes(), some_changes(after=((5, 6), (9, 8)))  # one lacks the second
    heights = [places(full, label)[0][1] for label in ("two", "three", "one")]
    assert heights == sorted(heights)
    assert full.svg.count("<use") - less.svg.count("<use") == 2
    assert len(places(less, "three")) == 1


def test_every_panel_is_there_on_one_scale_with_a_row_for_every_name():
    plot = some_panels(4)
    for label in ("panel 0", "panel 1", "panel 2", "panel 3"):
        assert plot.svg.count(f">{label}<") == 1
    rows = places(plot, "key 1"), places(plot, "key 2")
    assert len(rows[0]) == len(rows[1]) == 2  # once for each line of panels
    assert all(one[1] < two[1] - 8 for one, two in zip(*rows, strict=True)), "the first on top"
    assert plot.title == "Four"
    assert "var(--attn-source" in plot.svg
    lines = {"low": [[0.0] * 10 + [0.1]], "high": [[0.0] * 10 + [0.8]]}
    svg = plots.panels(np.linspace(0, 6, 11), lines, "Two", names=["a"], alt="Two panels.").svg
    curves = [re.findall(r"[ML] [-\d.]+ ([-\d.]+)", d) for d in re.findall(r' d="([^"]*)"', svg)]
    low, high = (np.ptp([float(y) for y in curve]) for curve in curves if len(curve) == 11)
    assert high == pytest.approx(8 * low, rel=0.05)


# ---- weights and shares


def test_more_weight_is_more_ink_and_gold_is_an_outline():
    weights = np.array([[0.0, 0.25, 0.75]])
    svg = plots.heatmap(weights, "abc", "x", "Weights", alt="weights").svg
    assert re.findall(r"--attn-weight-(\d+)", svg) == ["5", "15"]
    gold = np.zeros((TARGET, SOURCE), dtype=bool)
    gold[2, 3] = gold[5, 7] = True
    outlines = re.findall(r"fill: none; stroke: var\(--attn-gold", some_heatmap(gold=gold).svg)
    assert len(outlines) == 2


def test_blanks_and_marks_are_made_visible_and_other_scripts_drawn_without_a_warning():
    svg = plots.heatmap(np.eye(3), ["a", " ", "\u200f"], "1年מ", "Weights", alt="weights").svg
    assert "␣" in svg
    assert "\u200f" not in svg


def test_labels_stand_on_areas_corners_and_panels_beside_each_other():
    assert {"one & all", "two", "three"} <= set(texts(some_areas()))
    plot, place = some_simplexes(), {}
    for node in ElementTree.fromstring(plot.svg).iter():
        if node.tag.endswith("text"):
            turned = re.search(r"[-\d.]+(?= [-\d.]+\))", node.get("transform", ""))
            x = float((turned or [node.get("x")])[0])
            place.setdefault("".join(node.itertext()).strip(), []).append(x)
    assert {"soft", "only dots"} <= set(place)
    assert [len(place[corner]) for corner in "abc"] == [2, 2, 2]
    assert max(place[corner][0] for corner in "abc") < min(place["a"][1], place["b"][1])


def test_the_corners_of_the_triangle_are_as_far_from_each_other_as_from_the_next():
    corners = plots._in_triangle(np.eye(3))
    distances = [np.linalg.norm(corners[a] - corners[b]) for a, b in ((0, 1), (1, 2), (2, 0))]
    np.testing.assert_allclose(distances, 1)
    np.testing.assert_allclose(plots._in_triangle(np.full(3, 1 / 3)), corners.mean(axis=0))


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


# ---- what is refused


chart = functools.partial(functools.partial, title="t", alt="a")
REFUSED = {
    plots.picture: [
        *(
            ((Figure(), alt), (ValueError, TypeError), "needs alternative")
            for alt in ("", " ", None)
        ),
        (("figure", "x"), TypeError, "expected a matplotlib figure; got str"),
    ],
    chart(plots.curves): [
        ((range(5), {"line": np.zeros((2, 4))}), r"line must be \(5 points\).*got \(2, 4\)"),
        (([2, 3], {"a": [NAN, NAN]}), "a must be finite"),
        (([2, 3], {"a": [NAN, np.inf]}), "a must be finite"),
    ],
    chart(plots.curves, logarithmic=True): [
        (([2, 3], {"a": [1, 0]}), "a must be above zero on a logarithmic axis")
    ],
    chart(plots.bars): [(("ab", [0.5, NAN]), "finite")],
    chart(plots.heatmap): [
        ((np.zeros((3, 2)), "abc", "xy"), r"must be \(target 2, source 3\); got \(3, 2\)"),
        ((-np.eye(2), "ab", "xy"), "between 0 and 1"),
    ],
    chart(plots.heatmap, gold=np.eye(3)): [
        ((np.eye(2), "ab", "xy"), "gold must have the weights' shape")
    ],
    some_panels: [
        ({"a": np.zeros((2, 7))}, "a must be"),
        ({"a": np.zeros((3, POINTS))}, "a must have 2 lines; got 3"),
        ({"a": np.full((2, POINTS), NAN)}, "finite"),
        ({"a": np.full((2, POINTS), -0.5)}, "a must not be below zero; got -0.5"),
    ],
    chart(plots.changes): [
        (({"before": {"one": [1]}},), "two conditions"),
        (({"before": {"one": [1]}, "after": {"two": [1]}},), "among those of the first"),
    ],
    some_changes: [((([1],), ([NAN],)), "after, one must be finite")],
    chart(plots.areas): [
        ((X, {"a": 2 * SHARES[0] + 1}), "more than 1"),
        ((X, {"a": -SHARES[0]}), "negative"),
        ((X, {"a": SHARES[0][:-1]}), "a must be"),
    ],
    some_simplexes: [
        ({"points": np.ones((5, 3))}, "distributions"),
        ({"paths": np.ones((5, 7, 2)) / 2}, "distributions"),
    ],
    chart(plots.simplexes): [(({}, "ab"), "3 corners")],
    some_links: [((np.zeros((5, 3)),), r"must be \(target 3, source 5\); got \(5, 3\)")],
}
