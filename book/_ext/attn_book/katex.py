"""Mathematics as HTML at build time, so that a page needs neither a script nor another host."""

import re
import shutil
from pathlib import Path

import sphinxcontrib.katex
from bs4 import BeautifulSoup
from sphinx.application import Sphinx

from .node import node, package

_FORMULA = re.compile(r"\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_NO_PROSE = ("script", "style", "pre", "code", "svg", "textarea")
_OLD_FONTS = re.compile(r',url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)')


def setup(app: Sphinx) -> None:
    app.connect("config-inited", configure)


def configure(app: Sphinx, config) -> None:
    """Take KaTeX and its style from npm, the same version, and let a wrong formula fail."""
    dist = package(Path(app.srcdir), "katex") / "dist"
    config.katex_js_path = str(dist / "katex.min.js")
    config.katex_css_path = "katex/katex.min.css"
    sphinxcontrib.katex.NODEJS_BINARY = node()
    sphinxcontrib.katex.KATEX_DEFAULT_OPTIONS = {"throwOnError": True, "strict": "error"}


def copy_style(root: Path, target: Path) -> None:
    """Copy the style sheet and the fonts that today's browsers read."""
    dist = package(root, "katex") / "dist"
    shutil.copytree(
        dist / "fonts",
        target / "fonts",
        ignore=shutil.ignore_patterns("*.woff", "*.ttf"),
        dirs_exist_ok=True,
    )
    style = (dist / "katex.min.css").read_text(encoding="utf-8")
    (target / "katex.min.css").write_text(_OLD_FONTS.sub("", style), encoding="utf-8")


def render_outputs(page: BeautifulSoup) -> None:
    r"""Render ``\( ... \)`` and ``\[ ... \]`` in what the cells of a notebook put out."""
    for output in page.select(".cell_output"):
        for text in output.find_all(string=_FORMULA):
            if text.find_parent(_NO_PROSE) is None:
                text.replace_with(BeautifulSoup(_rendered(text), "html.parser"))


def _rendered(text: str) -> str:
    def formula(match: re.Match) -> str:
        inline, display = match.groups()
        options = {"displayMode": display is not None}
        return sphinxcontrib.katex.render_latex(inline or display, options)

    return _FORMULA.sub(formula, text)
