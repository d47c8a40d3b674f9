"""The colours: legible, distinguishable for everybody, and the same everywhere."""

import itertools
import re

import pytest

from attn_course.views import palette

ON_PAPER = ["source-text", "target-text", "context-text", "gold-text", "wrong-text"]
ON_PAPER += ["ink", "muted", "accent"]
HUES = ["source", "target", "context", "wrong"]
themes = pytest.mark.parametrize("theme", ["light", "dark"])


def roles(theme):
    return palette.LIGHT if theme == "light" else palette.DARK


def linear_rgb(colour):
    """The definition of sRGB, written independently of the module."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def contrast(first, second):
    """The WCAG contrast ratio, written independently of the module."""
    bright, dark = sorted(
        (
            sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear_rgb(x), strict=True))
            for x in (first, second)
        ),
        reverse=True,
    )
    return (bright + 0.05) / (dark + 0.05)


def test_contrast_agrees_with_known_values():
    assert palette.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert palette.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # WCAG's grey
    assert palette.contrast("#0072b2", "#d55e00") == pytest.approx(contrast("#0072b2", "#d55e00"))


@themes
@pytest.mark.parametrize("ground", ["paper", "surface"])
@pytest.mark.parametrize("role", ON_PAPER)
def test_words_read_on_the_page(theme, ground, role):
    assert contrast(roles(theme)[role], roles(theme)[ground]) >= 4.5


@themes
@pytest.mark.parametrize("role", HUES)
def test_words_read_on_a_hue_and_its_wash(theme, role):
    colours = roles(theme)
    assert contrast(colours[f"on-{role}"], colours[role]) >= 4.5
    assert contrast(colours[f"{role}-text"], colours[f"{role}-wash"]) >= 4.5
    assert contrast(colours["ink"], colours[f"{role}-wash"]) >= 4.5


@themes
@pytest.mark.parametrize("role", [*HUES, "gold", "accent", "edge"])
def test_lines_and_controls_can_be_seen(theme, role):
    for ground in ("paper", "surface"):
        assert contrast(roles(theme)[role], roles(theme)[ground]) >= 3


@themes
def test_words_read_on_every_weight(theme):
    for colour in palette.ramp(theme):
        assert contrast(palette.text_on(colour), colour) >= 4.5


@themes
def test_ramp_goes_from_paper_to_ink_without_turning_back(theme):
    steps = palette.ramp(theme)
    assert (steps[0], steps[-1]) == (roles(theme)["paper"], roles(theme)["ink"])
    against_paper = [contrast(step, roles(theme)["paper"]) for step in steps]
    assert all(a < b for a, b in itertools.pairwise(against_paper))


# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB
BLINDNESS = {
    "protanopia": [
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ],
    "deuteranopia": [
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ],
    "tritanopia": [
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ],
}


def in_lab(colour, matrix):
    """A colour in CIE Lab, as seen with this kind of colour blindness."""
    rgb = [sum(m * c for m, c in zip(row, linear_rgb(colour), strict=True)) for row in matrix]
    rgb = [min(max(c, 0), 1) for c in rgb]
    to_xyz = [(0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)]
    xyz = [sum(m * c for m, c in zip(row, rgb, strict=True)) for row in to_xyz]
    x, y, z = (
        (value / white) ** (1 / 3) if value / white > 0.008856 else 7.787 * value / white + 16 / 116
        for value, white in zip(xyz, (0.9505, 1.0, 1.089), strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@themes
@pytest.mark.parametrize("kind", BLINDNESS)
def test_hues_differ_for_colour_blind_readers(theme, kind):
    matrix = BLINDNESS[kind]
    for first, second in itertools.combinations(["source", "target", "context"], 2):
        a, b = (in_lab(roles(theme)[role], matrix) for role in (first, second))
        assert sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5 > 15, (first, second)


def test_both_themes_have_the_same_roles():
    assert list(palette.LIGHT) == list(palette.DARK)


@themes
def test_colours_name_their_role(theme):
    """A plot drawn with these colours can be rewritten to CSS variables, since none is shared."""
    named = {role: c for role, c in roles(theme).items() if not role.startswith("on-")}
    assert len(set(named.values())) == len(named)


def test_css_holds_every_colour_of_both_themes():
    text = palette.css()
    light, dark = text.split("@media not print")
    for block, theme in ((light, "light"), (dark, "dark")):
        colours = dict(re.findall(r"--attn-([a-z0-9-]+): (#[0-9a-f]{6});", block))
        assert {role: colours[role] for role in roles(theme)} == roles(theme)
        weights = [colours[f"weight-{step}"] for step in range(palette.RAMP_STEPS)]
        assert weights == palette.ramp(theme)
        words = [colours[f"on-weight-{step}"] for step in range(palette.RAMP_STEPS)]
        assert words == [palette.text_on(colour) for colour in weights]
    for selector in ('html[data-theme="dark"]', '[data-jp-theme-light="false"]', "vscode-dark"):
        assert selector in dark
    # VS Code gives its light theme of high contrast both classes
    assert "body.vscode-high-contrast:not(.vscode-high-contrast-light)" in dark
    assert text.count("{") == text.count("}")


def test_every_symbol_has_a_role_whose_words_have_a_colour():
    colours = re.findall(
        r"^\.attn-is-([a-z]+) \{ color: var\(--attn-([a-z]+)-text\); \}$",
        palette.symbols_css(),
        re.M,
    )
    assert {role for role, _ in colours} == set(palette.SYMBOLS.values())
    assert all(role == colour and f"{role}-text" in palette.LIGHT for role, colour in colours)


REFUSED = {
    palette.ramp: [((name,), "'light' or 'dark'") for name in ("sepia", "", "LIGHT", None)],
    palette.text_on: [((colour,), re.escape(colour)) for colour in ("blue", "#fff", "0072b2#")],
}
