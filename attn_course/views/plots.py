"""Figures for the page: sharp at any size, in the course's colours, legible in the dark theme.

Each function takes arrays and returns a `Picture`, which is shown when it is the last value of a
cell. The title is the sentence that the figure supports, labels stand at the ends of their lines,
and the spread over seeds is drawn. `show` does the same for any matplotlib figure.
"""

import hashlib
import io
import math
import os
import re
import sys
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

import matplotlib
import numpy as np
from markupsafe import Markup
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.ticker import FuncFormatter, NullLocator

from attn_course.views import palette

WIDTH = 360  # of every figure, in its own units: a pixel on a phone, 1.5 pixels on a wide page
WIDE = 490  # of a chart where the page is wider than its text
TEXT = 11  # the size of letters: smaller ones are hard to read on a phone
FEW = 6  # places on a logarithmic axis that are all named
ROLES = ("accent", "ink", "muted")  # for lines that are neither source, target nor context
STYLES = ("-", "--", ":", "-.")
# markup, since a style sheet keeps its quotation marks
SANS = Markup("var(--attn-sans, system-ui, sans-serif)")
MONO = Markup("ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace")

# where the book is built, its own letters measure the labels; elsewhere matplotlib's do
if _face := os.environ.get("ATTN_SANS"):
    font_manager.fontManager.addfont(_face)
    _family = font_manager.get_font(_face).family_name
    matplotlib.rcParams["font.family"] = [_family, *matplotlib.rcParams["font.family"]]

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

_TITLE = "font-size:1em;font-weight:600;margin-bottom:.5em;text-align:start;color:inherit"


@dataclass(frozen=True)
class Picture:
    """A drawing with its title and its alternative text, ready for a page; ``svg`` is markup."""

    title: str
    svg: str
    alt: str

    def _repr_html_(self) -> str:
        title = Markup('<figcaption style="{}">{}</figcaption>').format(_TITLE, self.title)
        width = WIDE if "attn-chart" in self.svg else WIDTH
        return Markup(
            '<figure class="attn-figure" style="margin:1em 0;max-width:{:.0f}px">{}{}</figure>'
        ).format(1.5 * width, title if self.title else "", Markup(self.svg))  # noqa: S704

    def __repr__(self) -> str:
        return self.alt


def show(figure: Figure | Picture, alt: str = "") -> None:
    """Show a matplotlib figure in the course's style, or a `Picture` before the end of a cell.

    The palette's colours, black and white change with the page's theme. ``alt`` says what a reader
    who cannot see the figure should know; a figure without it is a ValueError.
    """
    from IPython.display import display

    display(figure if isinstance(figure, Picture) else picture(figure, alt))


def picture(figure: Figure, alt: str) -> Picture:
    """Turn a matplotlib figure into a `Picture`; its ``suptitle`` becomes the title."""
    if not isinstance(figure, Figure):
        raise TypeError(f"expected a matplotlib figure; got {type(figure).__name__}")
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError("a figure needs alternative text: say in words what it shows")
    title = figure.get_suptitle()
    figure.suptitle("")  # the page sets it, so that a narrow page can wrap it
    svg = _inline(_saved(figure), alt)
    figure.suptitle(title)
    if "matplotlib.pyplot" in sys.modules:  # otherwise a notebook shows the figure a second time
        sys.modules["matplotlib.pyplot"].close(figure)
    return Picture(title, svg, alt)


def _chart(figure: Figure, alt: str) -> Picture:
    """Draw a chart twice, for a wide page and for a phone; the book's style sheet shows one."""
    narrow = picture(figure, alt)
    figure.set_size_inches(WIDE / 72, figure.get_figheight())
    wide = picture(figure, alt)
    wide, narrow = (
        chart.svg.replace("<svg ", f'<svg class="attn-chart attn-{kind}" ', 1)
        for kind, chart in (("wide", wide), ("narrow", narrow))
    )
    hidden = narrow.replace("display:block", "display:none", 1)
    return Picture(figure.get_suptitle(), wide + hidden, alt)


def _saved(figure: Figure) -> str:
    file = io.StringIO()
    # ids that follow from the figure: the same one is the same text in every run
    settings = {"svg.fonttype": "none", "svg.hashsalt": "attn"}
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # the page's fonts draw the text, and cover more scripts than the font that measures it
        for words in ("Glyph .* missing from", "Matplotlib currently does not support"):
            warnings.filterwarnings("ignore", message=words)
        figure.savefig(file, format="svg", metadata={"Date": None})
        _expect_labels_fit(figure)
    return file.getvalue()


def _expect_labels_fit(figure: Figure) -> None:
    """The label below an axis is not wrapped: a long one would be cut off at the edge."""
    figure.draw_without_rendering()  # places it for the resolution that its size is asked in
    for label in (axes.xaxis.label for axes in figure.axes):
        left, right = label.get_window_extent().intervalx
        if label.get_text() and (left < 0 or right > figure.bbox.width):
            raise ValueError(
                f"the label below an axis must fit the figure: shorten {label.get_text()!r}"
            )


# ---- the charts


def curves(
    x: Sequence[float],
    lines: Mapping[str, Sequence],
    title: str,
    *,
    alt: str,
    xlabel: str = "",
    logarithmic_x: bool = False,
    ylabel: str = "",
    percent: bool = False,
    ceiling: float | None = None,
    roles: Mapping[str, str] | None = None,
    logarithmic: bool = False,
) -> Picture:
    """Draw lines of (points) or (seeds, points): the mean, and a band from lowest to highest seed.

    Each line has its label at its end; where a line stops early and there is no room for its label,
    a dotted line leads from its end to the label at the edge. A line that is labelled with a model
    of `palette.MODELS`, as in ``"attention, 300"``, looks as that model always does; a second one
    of the same model is thicker. ``ceiling`` is a level that cannot be exceeded; ``percent`` shows
    shares as percentages; ``roles`` gives a label a colour of the palette. ``logarithmic_x`` and
    ``logarithmic`` make the horizontal and the vertical axis logarithmic; with the latter, values
    must be above zero, and the mean over seeds is the geometric mean. A value may be NaN; points at
    which all seeds are NaN are left out.
    """
    figure, axes = _canvas(title, xlabel, ylabel, height=215)
    if logarithmic:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(_raised))
        axes.tick_params(which="minor", length=0)
    if all(float(position).is_integer() for position in x):
        axes.xaxis.get_major_locator().set_params(
            integer=True
        )  # there are no half steps of training
    ends, stops = [], {}
    drawn = Counter()
    for index, (label, values) in enumerate(lines.items()):
        values = _by_seed(values, len(x), label, gaps=True)
        known = ~np.isnan(values).all(axis=0)
        places, values = np.array(x)[known], values[:, known]
        if logarithmic and not (values[~np.isnan(values)] > 0).all():
            raise ValueError(f"{label} must be above zero on a logarithmic axis")
        model = label.partition(",")[0]
        usual = (ROLES[index % len(ROLES)], STYLES[index % len(STYLES)])
        role, style = (
            (palette.MODELS[model][0], _dashes(model)) if model in palette.MODELS else usual
        )
        role = (roles or {}).get(label, role)
        colour = palette.LIGHT[role]
        scaled = np.log(values) if logarithmic else values
        mean = np.nanmean(scaled, axis=0)
        mean = np.exp(mean) if logarithmic else mean
        style = {"linewidth": 1.6 + 0.8 * drawn[model], "linestyle": style}
        drawn[model] += 1
        alone = {}
        if len(mean) == 1:  # a line has two points; a single one may stand on the edge
            alone = {"marker": "o", "markersize": 4, "clip_on": False}
        axes.plot(places, mean, color=colour, **style, **alone)
        if len(values) > 1:
            low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
            axes.fill_between(places, low, high, color=colour, alpha=0.2, linewidth=0)
        text = "muted" if role == "edge" else f"{role}-text"
        ends.append((mean[-1], label, palette.LIGHT.get(text, colour)))
        stops[label] = places[-1]
    if ceiling is not None:
        edge = palette.LIGHT["edge"]
        axes.axhline(ceiling, color=edge, linewidth=0.8, linestyle=(0, (2, 2)))
        ends.append((ceiling, "ceiling", palette.LIGHT["muted"]))
    _across(axes, logarithmic_x, x)
    if not logarithmic and axes.dataLim.ymin >= 0:
        axes.set_ylim(bottom=0)  # half as high is half as much
    if percent:
        axes.yaxis.set_major_formatter(_percent)
    _label_ends(axes, ends)
    _label_where_they_stop(axes, ends, stops)
    return _chart(figure, alt)


def _dashes(model: str) -> str | tuple:
    dashes = palette.MODELS[model][1]
    return (0, dashes) if dashes else "-"


def bars(
    labels: Sequence[str],
    values: Sequence,
    title: str,
    *,
    alt: str,
    xlabel: str = "",
    percent: bool = False,
    ceilings: Sequence[float] | None = None,
    role: str = "accent",
    as_given: bool = False,
) -> Picture:
    """Draw a horizontal bar for each label, the longest on top, and a dot for each seed.

    ``values`` is (labels) or (seeds, labels). ``ceilings`` marks how far each bar could reach. With
    ``as_given`` the first label stands on top.
    """
    values = _by_seed(values, len(labels), "values")
    order = np.argsort(values.mean(axis=0), kind="stable")
    if as_given:
        order = np.arange(len(labels))[::-1]
    values = values[:, order]
    figure, axes = _canvas(title, xlabel, "", height=40 + 15 * len(labels), grid="x")
    colour, rows = palette.LIGHT[role], np.arange(len(labels))
    axes.barh(rows, values.mean(axis=0), height=0.72, color=colour, alpha=0.35)
    _dots(axes, values, np.tile(rows, (len(values), 1)), colour)
    if ceilings is not None:
        tops = numbers(ceilings)[order]
        axes.vlines(tops, rows - 0.42, rows + 0.42, color=palette.LIGHT["ink"], linewidth=1)
        _note(axes, "ceiling", (tops[-1], rows[-1] + 0.5), ha="center", va="bottom")
    axes.set_yticks(rows, [labels[index] for index in order])
    axes.set_ylim(-0.6, len(labels) - 0.4)
    axes.set_xlim(left=0)
    _end_at_a_tick(axes)
    axes.spines["left"].set_visible(True)
    if percent:
        axes.xaxis.set_major_formatter(_percent)
    return _chart(figure, alt)


def beads(counts: Mapping[str, Sequence], title: str, *, alt: str) -> Picture:
    """Draw a string of beads for each label: as many are filled as its mean over the seeds.

    The label stands above its string, and the mean at its end. A model of `palette.MODELS` has the
    colour that its line has.
    """
    means = {label: float(numbers(runs).mean()) for label, runs in counts.items()}
    longest, light = round(max(means.values())), palette.LIGHT
    figure, axes = _canvas(title, "", "", height=12 + 36 * len(means), grid="")
    for row, (label, mean) in enumerate(means.items()):
        colour = light[palette.MODELS.get(label.partition(",")[0], ("accent", ()))[0]]
        filled = [colour if bead < round(mean) else "none" for bead in range(longest)]
        axes.scatter(range(longest), [-row] * longest, s=70, c=filled, edgecolors=colour)
        _note(axes, label, (-0.4, 0.32 - row), va="bottom")
        _note(axes, f"{mean:.1f}", (longest - 0.2, -row), va="center")
    axes.set(xlim=(-0.5, longest + 0.9), ylim=(0.6 - len(means), 0.75))
    axes.set_axis_off()
    return picture(figure, alt)


def changes(
    values: Mapping[str, Mapping[str, Sequence]],
    title: str,
    *,
    alt: str,
    xlabel: str = "",
    percent: bool = False,
    role: str = "accent",
) -> Picture:
    """Draw how far each label moves from one condition to another, with a dot for each seed.

    ``values`` maps the names of the two conditions to the values of each label, one per seed. The
    dots of the first condition are hollow, as the key above the rows says; a label that the second
    condition lacks has only hollow dots. The label with the highest final mean stands on top.
    """
    if len(values) != 2:
        raise ValueError(f"values must hold two conditions; got {list(values)}")
    first, second = (
        {label: _by_seed(runs, len(runs), f"{name}, {label}")[0] for label, runs in group.items()}
        for name, group in values.items()
    )
    if not second or not second.keys() <= first.keys():
        raise ValueError(
            f"the labels of the second condition must be among those of the first, {list(first)}; "
            f"got {list(second)}"
        )
    starts, ends = ({label: v.mean() for label, v in group.items()} for group in (first, second))
    labels = sorted(first, key=lambda label: (ends.get(label, starts[label]), starts[label]))
    figure, axes = _canvas(title, xlabel, "", height=54 + 16 * len(labels), grid="x")
    colour, paper = palette.LIGHT[role], palette.LIGHT["paper"]
    dot = {"s": 12, "zorder": 3}  # above the lines
    for row, label in enumerate(labels):
        if label in second:
            axes.hlines(row, starts[label], ends[label], color=colour, linewidth=1.6, alpha=0.45)
            axes.scatter(second[label], [row] * len(second[label]), color=colour, **dot)
        axes.scatter(first[label], [row] * len(first[label]), color=paper, edgecolors=colour, **dot)
    key = {"loc": "lower left", "bbox_to_anchor": (0, 0.98), "ncols": 2, "borderaxespad": 0}
    hollow, full = ({"mfc": fill, "mec": colour, "ms": 4} for fill in (paper, colour))
    axes.legend(
        [Line2D([], [], ls="", marker="o", **style) for style in (hollow, full)],
        list(values),
        handletextpad=0,
        labelcolor=palette.LIGHT["muted"],
        fontsize=TEXT,
        frameon=False,
        **key,
    )
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(-0.6, len(labels) - 0.4)
    axes.set_xlim(left=0)
    _end_at_a_tick(axes)
    axes.spines["left"].set_visible(True)
    if percent:
        axes.xaxis.set_major_formatter(_percent)
    return _chart(figure, alt)


def columns(
    labels: Sequence[str],
    values: Sequence,
    title: str,
    *,
    alt: str,
    xlabel: str = "",
    ylabel: str = "",
    percent: bool = False,
    role: str = "accent",
) -> Picture:
    """Draw an upright bar for each label, in the order given, and a dot for each seed.

    ``values`` is (labels) or (seeds, labels). Use it for labels that have an order of their own, as
    in a histogram of distances.
    """
    values = _by_seed(values, len(labels), "values")
    figure, axes = _canvas(title, xlabel, ylabel, height=170)
    places = np.arange(len(labels))
    axes.bar(places, values.mean(axis=0), width=0.72, color=palette.LIGHT[role], alpha=0.35)
    _dots(axes, np.tile(places, (len(values), 1)), values, palette.LIGHT[role])
    axes.set_xticks(places, labels)
    axes.set_ylim(bottom=min(0.0, values.min()))
    if percent:
        axes.yaxis.set_major_formatter(_percent)
    return _chart(figure, alt)


def panels(
    x: Sequence[float],
    lines: Mapping[str, Sequence],
    title: str,
    *,
    names: Sequence[str],
    alt: str,
    xlabel: str = "",
    ylabel: str = "",
    role: str = "source",
) -> Picture:
    """Draw a small set of axes for each label, all with the same scales, two side by side.

    ``lines`` maps each label to (names, points), none below zero. Each of the ``names`` has its own
    row, the first on top, in which the height of the filled curve is the value; so the place tells
    the lines apart. The highest value in all panels fills a row.
    """
    values = {}
    for label, points in lines.items():
        values[label] = _by_seed(points, len(x), label)
        if len(values[label]) != len(names):
            raise ValueError(f"{label} must have {len(names)} lines; got {len(values[label])}")
        if values[label].min() < 0:
            raise ValueError(f"{label} must not be below zero; got {values[label].min():g}")
    highest = max(value.max() for value in values.values()) or 1
    rows = -(-len(values) // 2)
    figure, first = _canvas(title, "", "", height=36 + (30 + 16 * len(names)) * rows)
    first.remove()
    grid = figure.subplots(rows, 2, sharex=True, sharey=True, squeeze=False)
    feet = len(names) - 1 - np.arange(len(names))
    for axes in grid.flat[len(values) :]:
        axes.set_visible(False)
    for axes, (label, panel) in zip(grid.flat, values.items(), strict=False):
        _dress(axes, "")
        axes.set_title(label, loc="left", color=palette.LIGHT["ink"], size=TEXT)
        for foot, line in zip(feet, panel, strict=True):
            top = foot + 0.9 * line / highest
            axes.axhline(foot, color=palette.LIGHT["rule"], linewidth=0.6)
            axes.fill_between(x, foot, top, color=palette.LIGHT[role], alpha=0.3, linewidth=0)
            axes.plot(x, top, color=palette.LIGHT[role], linewidth=1.2)
        axes.set_yticks(feet, names)
        axes.set_ylim(-0.1, len(names))
        axes.margins(x=0)
    muted = {"color": palette.LIGHT["muted"], "size": TEXT}
    figure.supxlabel(xlabel, **muted)
    figure.supylabel(ylabel, **muted)
    return _chart(figure, alt)


def heatmap(
    weights: Sequence,
    source: Sequence[str],
    target: Sequence[str],
    title: str,
    *,
    alt: str,
    gold: Sequence | None = None,
    xlabel: str = "source",
    ylabel: str = "target",
) -> Picture:
    """Draw attention weights (target, source): more ink, more weight; exact gold is an outline.

    ``source`` and ``target`` are strings, or lists of one token for each column and row.
    """
    weights = numbers(weights)
    if weights.shape != (len(target), len(source)):
        raise ValueError(
            f"weights must be (target {len(target)}, source {len(source)}); got {weights.shape}"
        )
    if not ((weights >= 0) & (weights <= 1 + 1e-6)).all():
        raise ValueError("weights must lie between 0 and 1")
    gold = np.zeros(weights.shape) if gold is None else numbers(gold)
    if gold.shape != weights.shape:
        raise ValueError(f"gold must have the weights' shape {weights.shape}; got {gold.shape}")
    cell = min(22.0, 300 / len(source))
    figure, axes = _canvas(title, "", "", height=cell * len(target) + 46, grid="")
    ramp = palette.ramp()
    for i, j in np.argwhere(weights >= 0.5 / (len(ramp) - 1)):
        colour = ramp[round(min(weights[i, j], 1.0) * (len(ramp) - 1))]
        axes.add_patch(Rectangle((j, i), 1, 1, facecolor=colour, linewidth=0))
    for i, j in np.argwhere(gold):
        inset = Rectangle((j + 0.06, i + 0.06), 0.88, 0.88)
        inset.set(facecolor="none", edgecolor=palette.LIGHT["gold"], linewidth=1.1)
        axes.add_patch(inset)
    axes.set(xlim=(0, len(source)), ylim=(len(target), 0), aspect="equal")
    _tokens(axes.xaxis, source, "source-text", cell)
    _tokens(axes.yaxis, target, "target-text", cell)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_xlabel(xlabel, color=palette.LIGHT["source-text"], size=TEXT)
    axes.set_ylabel(ylabel, color=palette.LIGHT["target-text"], size=TEXT)
    for spine in axes.spines.values():
        spine.set(visible=True, color=palette.LIGHT["rule"])
    return picture(figure, alt)


def links(
    weights: Sequence,
    source: Sequence[str],
    target: Sequence[str],
    title: str,
    *,
    alt: str,
    xlabel: str = "source",
    ylabel: str = "target",
) -> Picture:
    """Draw weights (target, source) as curves from the target, below, up to the source.

    The more weight, the wider and darker the curve; less than a hundredth is left out.
    """
    weights, light = numbers(weights), palette.LIGHT
    if weights.shape != (len(target), len(source)):
        raise ValueError(
            f"weights must be (target {len(target)}, source {len(source)}); got {weights.shape}"
        )
    figure, axes = _canvas(title, "", "", height=190, grid="")
    for i, j in np.argwhere(weights >= 0.01):
        curve = [(i, 0.0), (i, 0.5), (j, 0.5), (j, 1.0)]
        path = Path(curve, [Path.MOVETO] + 3 * [Path.CURVE4])
        style = {"linewidth": 10 * weights[i, j], "alpha": float(0.2 + 0.8 * min(weights[i, j], 1))}
        axes.add_patch(PathPatch(path, facecolor="none", edgecolor=light["ink"], **style))
    for tokens, label, role, height, side in (
        (source, xlabel, "source-text", 1.03, "bottom"),
        (target, ylabel, "target-text", -0.03, "top"),
    ):
        text = {"color": light[role], "size": TEXT, "va": side, "ha": "center"}
        for place, token in enumerate(tokens):
            axes.annotate(token, (place, height), **text)
        axes.annotate(label, (-0.9, height), annotation_clip=False, **text | {"ha": "right"})
    axes.set(xlim=(-0.8, max(len(source), len(target)) - 0.5), ylim=(-0.2, 1.2))
    axes.set_axis_off()
    return _chart(figure, alt)


def areas(
    x: Sequence[float],
    shares: Mapping[str, Sequence],
    title: str,
    *,
    alt: str,
    xlabel: str = "",
    ylabel: str = "",
    strong: str = "",
    logarithmic_x: bool = False,
) -> Picture:
    """Draw shares of one unit on top of one another: what one gains, the others must lose.

    ``shares`` maps each label to (points), not negative and at most 1 in total, the first label at
    the bottom. ``strong`` is the label that the figure is about; with ``logarithmic_x``, equal
    steps to the right are equal factors. A label stands where its area is widest, or at its end; an
    area too thin to be seen has none.
    """
    values = np.concatenate([_by_seed(part, len(x), label) for label, part in shares.items()])
    if not ((values >= 0).all() and (values.sum(axis=0) <= 1 + 1e-6).all()):
        raise ValueError("shares must not be negative, nor more than 1 in total")
    figure, axes = _canvas(title, xlabel, ylabel, height=200, grid="")
    light = palette.LIGHT
    tops, bottom, ends = np.cumsum(values, axis=0), np.zeros(len(x)), []
    for index, (label, top) in enumerate(zip(shares, tops, strict=True)):
        tint = 0.9 if label == strong else (0.16, 0.34)[index % 2]
        axes.fill_between(x, bottom, top, color=light["source"], alpha=tint, linewidth=0)
        axes.plot(x, top, color=light["paper"], linewidth=0.9)
        share, middle = top - bottom, (bottom + top) / 2
        if share.max() > 0.12:  # there is room for its name
            widest = int(np.clip(share.argmax(), 0.1 * len(x), 0.9 * len(x) - 1))
            colour = light["on-source" if label == strong else "ink"]
            name = {"color": colour, "size": TEXT, "ha": "center", "va": "center"}
            axes.annotate(label, (x[widest], middle[widest]), **name)
        elif share[-1] > 0.01:
            ends.append((middle[-1], label, light["source-text"]))
        bottom = top
    _across(axes, logarithmic_x, x)
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(_percent)
    if ends:
        _label_ends(axes, ends)
    return _chart(figure, alt)


def simplexes(
    panels: Mapping[str, Mapping[str, Sequence]], corners: Sequence[str], title: str, *, alt: str
) -> Picture:
    """Draw distributions over three positions as points in a triangle, in panels side by side.

    A corner means all the weight on one position, the opposite side none, and the centre a third on
    each. A panel has ``points``, (many, 3), drawn as dots, or ``paths``, (lines, many, 3), or both.
    A dot is larger where at least ten points lie on top of each other.
    """
    if len(corners) != 3:
        raise ValueError(f"a triangle has 3 corners; got {len(corners)}")
    figure, axes = _canvas(title, "", "", height=150, grid="")
    light = palette.LIGHT
    for index, (name, panel) in enumerate(panels.items()):
        shift = 1.3 * index
        edge = _in_triangle(np.eye(3)[[0, 1, 2, 0]])
        axes.plot(edge[:, 0] + shift, edge[:, 1], color=light["edge"], linewidth=0.8, zorder=2)
        for path in _distributions(panel.get("paths", ())):
            line = _in_triangle(path)
            axes.plot(line[:, 0] + shift, line[:, 1], color=light["accent"], linewidth=1.3)
        dots = _in_triangle(_distributions(panel.get("points", ()))) + np.array([shift, 0])
        spots, heights = np.unique(dots.round(6), axis=0, return_counts=True)
        _many_dots(axes, dots, light["source"])
        _many_dots(axes, spots[heights >= 10], light["source"], width=7)
        _note(axes, name, (shift + 0.5, -0.24), ha="center", va="top")
        for corner, (right, up), above in zip(corners, edge, (0, 1, 0), strict=False):
            place_of = {"ha": "center", "va": "bottom" if above else "top"}
            text = (right + shift, up + (0.05 if above else -0.06))
            axes.annotate(corner, text, color=light["source-text"], size=TEXT, **place_of)
    axes.set(aspect="equal", xlim=(-0.15, 1.3 * len(panels) - 0.15), ylim=(-0.38, 1.05))
    axes.set_axis_off()
    return picture(figure, alt)


# ---- what the charts share


def _canvas(
    title: str, xlabel: str, ylabel: str, height: float, grid: str = "y"
) -> tuple[Figure, Axes]:
    """Empty axes in the course's style. A matplotlib point is one unit of the drawing."""
    light = palette.LIGHT
    figure = Figure(figsize=(WIDTH / 72, height / 72), layout="constrained")
    figure.set_facecolor(light["paper"])
    figure.suptitle(title)
    axes = figure.subplots()
    _dress(axes, grid)
    axes.set_xlabel(xlabel, color=light["muted"], size=TEXT)
    axes.set_title(
        ylabel, loc="left", color=light["muted"], size=TEXT
    )  # upright text is easier to read
    return figure, axes


def _dress(axes: Axes, grid: str) -> None:
    """Quiet axes: no frame except the line on which bars or lines stand."""
    light = palette.LIGHT
    axes.set_facecolor("none")
    axes.set_axisbelow(True)
    axes.tick_params(colors=light["muted"], labelsize=TEXT, length=0, pad=4)
    for side, spine in axes.spines.items():
        # the axis on which the bars or lines stand
        spine.set_visible((side, grid) in (("left", "x"), ("bottom", "y")))
        spine.set(color=light["edge"], linewidth=0.6)
    if grid:
        axes.grid(axis=grid, color=light["rule"], linewidth=0.6)


def _across(axes: Axes, logarithmic: bool, x: Sequence[float]) -> None:
    """Let lines run from edge to edge, on a linear axis or a logarithmic one.

    A logarithmic axis with a few positions names these, not the powers of ten.
    """
    axes.margins(x=0)
    axes.tick_params(axis="x", pad=7)  # the first number would touch the lowest of the other axis
    if logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(_power))
        if len(x) <= FEW:
            axes.set_xticks(x)


def _end_at_a_tick(axes: Axes) -> None:
    """Widen an axis whose values go beyond its last number, so that none seems to lie outside."""
    left, right = axes.get_xlim()
    largest = axes.dataLim.xmax
    ticks = axes.xaxis.get_major_locator().tick_values(left, right)
    if largest > max(ticks[ticks <= right]):
        last = min(ticks[ticks >= right])
        axes.set_xlim(right=last + 0.01 * (last - left))  # so that its line is not cut in half


def _power(value: float, _: object = None) -> str:
    """1,000 and 0.01 as they are, and powers of ten beyond."""
    if 1e-3 < value < 1e5:
        return f"{value:,.6g}"
    return _raised(value)


def _raised(value: float, _: object = None) -> str:
    """A power of ten in plain letters, since mathematical text would shrink its exponent."""
    return f"10{str(round(math.log10(value))).translate(_RAISED)}"


def _by_seed(values: Sequence, points: int, name: str, gaps: bool = False) -> np.ndarray:
    """(points) or (seeds, points) as (seeds, points); with ``gaps``, some may be NaN."""
    seeds = np.atleast_2d(numbers(values))
    if seeds.ndim != 2 or seeds.shape[1] != points or not len(seeds):
        raise ValueError(
            f"{name} must be ({points} points) or (seeds, {points} points); "
            f"got {numbers(values).shape}"
        )
    missing = np.isnan(seeds) if gaps else np.zeros_like(seeds, dtype=bool)
    if missing.all() or not np.isfinite(seeds[~missing]).all():
        raise ValueError(f"{name} must be finite numbers")
    return seeds


def _in_triangle(weights: np.ndarray) -> np.ndarray:
    """The point of (first, second, third): corners at the left, the top and the right."""
    return weights @ np.array([[0, 0], [0.5, math.sqrt(0.75)], [1, 0]])


def _distributions(values: Sequence) -> np.ndarray:
    weights = numbers(values)
    if not weights.size:
        return np.zeros((0, 3))
    whole = weights.shape[-1] == 3 and np.allclose(weights.sum(axis=-1), 1, atol=1e-4)
    if not (whole and (weights >= 0).all()):
        raise ValueError(f"expected distributions over 3 positions; got {weights.shape}")
    return weights


def _percent(value: float, _: object = None) -> str:
    return f"{100 * value:.4g} %"


def _dots(axes: Axes, x: np.ndarray, y: np.ndarray, colour: str) -> None:
    axes.scatter(x, y, s=7, color=colour, linewidth=0, zorder=4)


def _many_dots(axes: Axes, places: np.ndarray, colour: str, width: float = 2) -> None:
    """Dots as one path, not an element each: lines of no length have round ends."""
    if not len(places):
        return
    path = Path(np.repeat(places, 2, axis=0), [Path.MOVETO, Path.LINETO] * len(places))
    path.should_simplify = False  # simplifying would drop lines of no length
    style = {"edgecolor": colour, "facecolor": "none", "alpha": 0.5, "linewidth": width}
    axes.add_patch(PathPatch(path, capstyle="round", zorder=3, **style))


def _note(axes: Axes, text: str, place: tuple[float, float], **alignment: str) -> None:
    axes.annotate(
        text, place, color=palette.LIGHT["muted"], size=TEXT, annotation_clip=False, **alignment
    )


def _label_ends(axes: Axes, ends: Sequence[tuple[float, str, str]], height: float = 150) -> None:
    """Write each label to the right of its line's end, moving apart those that would touch.

    ``height`` is that of the axes, in points: the smaller it is, the more of it a label takes.
    """
    scale = axes.yaxis.get_transform()  # on a logarithmic axis, heights are logarithms
    low, high = scale.transform(np.array(axes.get_ylim()))
    gap = 14 / height * (high - low)  # a line of text, against the height of the axes
    ends = sorted(ends)
    heights = list(scale.transform(np.array([height for height, _, _ in ends])))
    for _ in range(50):
        for above in range(1, len(heights)):
            overlap = gap - (heights[above] - heights[above - 1])
            if overlap > 0:
                heights[above - 1] -= overlap / 2
                heights[above] += overlap / 2
    heights = scale.inverted().transform(np.array(heights))
    for end, (_, label, colour) in zip(heights, ends, strict=True):
        place = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
        text = axes.annotate(label, (1, end), xytext=(5, 0), va="center", size=TEXT, **place)
        text.set(color=colour, annotation_clip=False)


def _label_where_they_stop(
    axes: Axes, ends: Sequence[tuple[float, str, str]], stops: Mapping[str, float]
) -> None:
    """Move the labels of lines that stop clearly before the edge to where they stop.

    Where every position beside an end is taken, its label stays at the edge and a dotted line leads
    to it. All labels stand at the edge when this is called.
    """
    shares = axes.transData - axes.transAxes
    early = [
        (stops[label], height, label, colour)
        for height, label, colour in ends
        if label in stops and shares.transform((stops[label], height))[0] < 0.95
    ]
    if not early:
        return
    axes.autoscale(enable=False)
    axes.figure.draw_without_rendering()  # now the axes have their size
    at_the_edge = list(axes.texts)
    beside = {end[2] for end in early if _beside(axes, *end)}
    for text in at_the_edge:
        text.remove()
    _label_ends(axes, [end for end in ends if end[1] not in beside])
    heights = {text.get_text(): text.xy[1] for text in axes.texts}
    for stop, height, label, colour in early:
        if label not in beside:
            style = {"linewidth": 0.8, "linestyle": (0, (1, 2)), "color": colour}
            axes.plot([stop, axes.get_xlim()[1]], [height, heights[label]], **style)


def _beside(axes: Axes, x: float, y: float, label: str, colour: str) -> bool:
    """Write a label right of a line's end, above or below it, unless all of these are taken."""
    others = [text.get_window_extent() for text in axes.texts]
    bands = [band.get_transform().transform_path(band.get_paths()[0]) for band in axes.collections]
    lines = [line.get_transform().transform_path(line.get_path()) for line in axes.lines]
    places = [((5, 0), "left", "center"), ((0, 5), "center", "bottom"), ((0, -5), "center", "top")]
    for offset, ha, va in places:
        text = axes.annotate(label, (x, y), xytext=offset, textcoords="offset points", ha=ha, va=va)
        text.set(color=colour, size=TEXT)
        text.set_bbox({"facecolor": palette.LIGHT["paper"], "edgecolor": "none", "pad": 0.5})
        box = text.get_window_extent()
        inside = axes.bbox.count_contains(box.corners()) == 4
        taken = any(box.overlaps(other) for other in others)
        taken |= any(path.intersects_bbox(box, filled=False) for path in lines)
        taken |= any(path.intersects_bbox(box, filled=True) for path in bands)
        if inside and not taken:
            return True
        text.remove()
    return False


def _tokens(axis: object, tokens: Sequence[str], role: str, cell: float) -> None:
    axis.set_ticks(np.arange(len(tokens)) + 0.5, [visible(token) for token in tokens])
    size = min(TEXT, 0.85 * cell)
    axis.set_tick_params(colors=palette.LIGHT[role], labelsize=size, labelfontfamily="monospace")


def numbers(values: Sequence) -> np.ndarray:
    """An array of numbers from lists, arrays or tensors, whatever their device or gradient."""
    values = values.detach().cpu() if hasattr(values, "detach") else values
    return np.asarray(values, dtype=float)


def visible(token: str) -> str:
    """The token with an open box for each space, and a dot for each invisible character."""
    return "".join(
        "␣" if mark.isspace() else "·" if unicodedata.category(mark).startswith("C") else mark
        for mark in token
    )


# ---- from matplotlib's file to a drawing inside the page

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"


def _roles_by_colour() -> dict[str, str]:
    """The role of each colour of the light palette, so that the dark one can replace it."""
    roles = {colour: f"weight-{step}" for step, colour in enumerate(palette.ramp())}
    roles |= {colour: role for role, colour in palette.LIGHT.items() if not role.startswith("on-")}
    return {"#000000": "ink", "#ffffff": "paper", **roles}


def _inline(svg: str, alt: str) -> str:
    """Make matplotlib's SVG part of a page: without ids that clash or rules that leak."""
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(svg)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.split("}")[1] in ("metadata", "style"):
                parent.remove(child)
    roles, prefix = _roles_by_colour(), f"p{hashlib.sha256(svg.encode()).hexdigest()[:10]}"
    used = set(re.findall(r' id="([\w.]+)"', svg)) & set(re.findall(r"#([\w.]+)", svg))
    for element in root.iter():
        for name, value in list(element.attrib.items()):
            del element.attrib[name]
            if name == "id":
                if value in used:
                    element.set("id", prefix + value)
                continue
            element.set("href" if name == _LINK else name, _restyled(value, used, roles, prefix))
    _thin(root)
    _ungroup(root)
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("role", "img")
    root.set("aria-label", alt)
    root.set("style", "width:100%;height:auto;display:block;stroke-linejoin:round")
    return ElementTree.tostring(root, encoding="unicode")


def _thin(root: ElementTree.Element) -> None:
    """Say in one element what matplotlib says in several: every element makes a page slower.

    Lines of a grid become one path, and a shape that is used once stands where it is used.
    """
    parents = {child: parent for parent in root.iter() for child in parent}
    shapes = {node.get("id"): node for node in root.iter() if node.get("id")}
    uses = Counter(node.get("href") for node in root.iter() if node.get("href"))
    grid: dict[str, ElementTree.Element] = {}
    for node, parent in parents.items():
        style = node.get("style", "")
        if node.tag.endswith("}path") and style == "fill: none":
            parent.remove(node)
        elif node.tag.endswith("}path") and "--attn-rule" in style:
            first = grid.setdefault(style + node.get("clip-path", ""), node)
            if first is not node:
                first.set("d", f"{first.get('d')} {node.get('d')}")
                parent.remove(node)
        elif node.get("href") and uses[node.get("href")] == 1 and len(parent) == 1:
            shape = shapes[node.get("href").removeprefix("#")]
            parents[shape].remove(shape)
            x, y = (float(node.get(name, 0)) for name in "xy")
            parent.tag, whole = shape.tag, {**shape.attrib, **parent.attrib, **node.attrib}
            whole["d"] = re.sub(r"(-?[\d.]+) (-?[\d.]+)", _moved(x, y), whole["d"])
            parent.attrib = {k: v for k, v in whole.items() if k not in ("id", "href", "x", "y")}
            parent.remove(node)


def _moved(x: float, y: float) -> Callable[[re.Match], str]:
    return lambda pair: f"{float(pair[1]) + x:.2f} {float(pair[2]) + y:.2f}"


def _ungroup(parent: ElementTree.Element) -> None:
    """Remove groups that do nothing, since every element makes a page slower."""
    for child in list(parent):
        _ungroup(child)
        empty = not len(child) and child.tag.endswith(("}g", "}defs"))
        if empty or (child.tag.endswith("}g") and not child.attrib):
            index = list(parent).index(child)
            parent[index : index + 1] = list(child)


def _restyled(value: str, used: set[str], roles: Mapping[str, str], prefix: str) -> str:
    """One attribute: links get the prefix, colours their variable, text the page's fonts."""
    if value.startswith("#") and value[1:] in used:
        return f"#{prefix}{value[1:]}"
    value = re.sub(r"url\(#", f"url(#{prefix}", value)
    # before matplotlib 3.9 or so: one `font:` instead of two properties
    value = re.sub(r"font: (?:\w+ )*([\d.]+px) ", r"font-size: \1; font-family: ", value)
    value = re.sub(
        r"font-family: ([^;]*)", lambda f: f"font-family: {MONO if 'Mono' in f[1] else SANS}", value
    )
    value = re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", value)
    return re.sub(r"#[0-9a-f]{6}\b", lambda colour: _variable(colour[0], roles), value)


def _variable(colour: str, roles: Mapping[str, str]) -> str:
    return f"var(--attn-{roles[colour]}, {colour})" if colour in roles else colour
