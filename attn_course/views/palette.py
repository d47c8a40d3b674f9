"""One colour, one meaning, in every equation, drawing, plot and widget of the book.

The hues are those of Okabe and Ito (2008), which can be told apart with every common kind of colour
blindness:

    source    blue           keys, annotations h_j
    target    vermilion      queries, states s_i
    context   bluish green   contexts c_i
    wrong     purple         always with a hatch as well
    gold      dark yellow    the exact alignment: an outline, never a fill
    weights   paper to ink   `ramp`: one hue, more ink means more weight; never a rainbow

A hue that is bright enough to fill an area is often too light for text, so every role has four
colours: ``source`` for areas and lines, ``source-text`` for words on the page, ``source-wash`` as a
pale background for words, and ``on-source`` for words on the full hue. The CSS variables (`css`)
and matplotlib (`LIGHT`, `DARK`, `ramp`) take their colours only from here.
"""

THEMES = ("light", "dark")
RAMP_STEPS = 21  # 0, 5, 10, ... 100 per cent: nobody would see finer steps

# Each role on the light page and on the dark one. CSS and matplotlib follow from these.
_HUES = {
    "source": ("#0072b2", "#4ca3e6"),
    "source-text": ("#00669f", "#6cb5ee"),
    "source-wash": ("#e1eff8", "#123448"),
    "target": ("#d55e00", "#e8803c"),
    "target-text": ("#a84a00", "#f0955a"),
    "target-wash": ("#fbe9db", "#46260f"),
    "context": (
        "#009e73",
        "#35c89a",
    ),  # light enough that readers with tritanopia can tell it from the blue
    "context-text": ("#007353", "#55d3a9"),
    "context-wash": ("#dcf2ea", "#0b392c"),
    "gold": ("#a67b00", "#b98b1f"),
    "gold-text": ("#7c5c00", "#d9ab42"),
    "gold-wash": ("#f8efd2", "#3a2d0c"),
    "wrong": ("#c0639a", "#d98ab6"),
    "wrong-text": ("#98356f", "#e29cc3"),
    "wrong-wash": ("#f9e6f0", "#44203a"),
    "accent": ("#5b4a9e", "#b3a5ee"),
    "accent-wash": ("#ecebf6", "#2b2645"),
    "paper": ("#fdfcf9", "#14181e"),
    "surface": ("#f4f3ee", "#1e242c"),
    "rule": ("#dbd9d1", "#333b45"),
    "edge": ("#85837b", "#7a838f"),
    "muted": ("#5c5b56", "#a3abb5"),
    "ink": ("#1c1e22", "#e8eaed"),
}
# One line for each model, wherever it is drawn: its role, and its dashes in widths of the line.
# Hues belong to roles, and the accent to the reader.
MODELS = {
    "attention": ("ink", ()),
    "one vector": ("muted", (3.6, 1.6)),
    "even average": ("edge", (1.2, 1.2)),
}
# The symbols of the notation that have a role's colour in every formula
SYMBOLS = {"x": "source", "h": "source", "y": "target", "s": "target", "c": "context"}
# in the order of trust: the book's theme, JupyterLab, VS Code, Colab
_DARK_SELECTORS = (
    'html[data-theme="dark"]',
    '[data-jp-theme-light="false"]',
    "body.vscode-dark",
    "body.vscode-high-contrast:not(.vscode-high-contrast-light)",
    'html[theme="dark"]',
)


def luminance(colour: str) -> float:
    """How bright a colour ``#rrggbb`` is to the eye, from 0 (black) to 1 (white).

    L = 0.2126 R + 0.7152 G + 0.0722 B of the linear channels      WCAG 2.2, relative luminance
    """
    red, green, blue = (_linear(channel / 255) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """The contrast of two colours, from 1 (the same) to 21 (black on white); text needs 4.5.

    (L_bright + 0.05) / (L_dark + 0.05)                            WCAG 2.2, contrast ratio
    """
    dark, bright = sorted((luminance(first), luminance(second)))
    return (bright + 0.05) / (dark + 0.05)


def text_on(colour: str) -> str:
    """Black or white, whichever reads better on ``colour``: at least 4.58 : 1 on anything."""
    return max("#000000", "#ffffff", key=lambda text: contrast(text, colour))


def ramp(theme: str = "light") -> list[str]:
    """The colours of the weights 0, 0.05, ..., 1: from paper to ink in even steps of lightness.

    ``ramp(theme)[round(20 * weight)]`` is the colour of a weight. More weight is always nearer to
    the ink, so in the dark theme it is brighter.
    """
    hues = _colours(theme)
    paper, ink = _channels(hues["paper"]), _channels(hues["ink"])
    return [_mix(paper, ink, step / (RAMP_STEPS - 1)) for step in range(RAMP_STEPS)]


def css() -> str:
    """Define ``--attn-<role>`` for light and dark, in the book, JupyterLab, VS Code and Colab.

    The weights' colours are ``--attn-weight-0`` to ``--attn-weight-20`` and the words on them
    ``--attn-on-weight-0`` to ``--attn-on-weight-20``. ``--attn-scheme`` is "light" or "dark", for
    ``color-scheme``. Print is always light.
    """
    dark = f"{', '.join(_DARK_SELECTORS)} {{\n{_variables('dark')}}}\n"
    return f":root {{\n{_variables('light')}}}\n@media not print {{\n{dark}}}\n"


def symbols_css() -> str:
    """Give the class ``attn-is-<role>`` the role's text colour, for symbols in formulas."""
    roles = dict.fromkeys(SYMBOLS.values())
    return "".join(f".attn-is-{role} {{ color: var(--attn-{role}-text); }}\n" for role in roles)


def _variables(theme: str) -> str:
    steps = ramp(theme)
    colours = {
        **_colours(theme),
        **{f"weight-{step}": colour for step, colour in enumerate(steps)},
        **{f"on-weight-{step}": text_on(colour) for step, colour in enumerate(steps)},
    }
    lines = [f"  --attn-{role}: {colour};\n" for role, colour in colours.items()]
    return "".join([f"  --attn-scheme: {theme};\n", *lines])


def _colours(theme: str) -> dict[str, str]:
    if theme not in THEMES:
        raise ValueError(f"theme must be 'light' or 'dark'; got {theme!r}")
    return LIGHT if theme == "light" else DARK


def _with_words(place: int) -> dict[str, str]:
    """The hues of one theme, and a legible text colour for each that fills areas."""
    hues = {role: pair[place] for role, pair in _HUES.items()}
    filled = [role for role in hues if f"{role}-wash" in hues and role != "gold"]
    return {**hues, **{f"on-{role}": text_on(hues[role]) for role in filled}}


def _channels(colour: str) -> tuple[int, int, int]:
    if len(colour) != 7 or colour[0] != "#":
        raise ValueError(f"a colour must be written #rrggbb; got {colour!r}")
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _mix(start: tuple, end: tuple, share: float) -> str:
    # for greys, even steps of sRGB already look even: its gamma is close to the eye's own
    mixed = (round(a + share * (b - a)) for a, b in zip(start, end, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


LIGHT, DARK = _with_words(0), _with_words(1)
