"""Mathematics as HTML at build time, so that a page needs neither a script nor another host.

On its way to the site, a page contains each formula as TeX, in an element ``<attn-formula>``. KaTeX
turns a formula into as many as a hundred elements, which no step looks at. `fill` sets them at the
end.

sphinxcontrib-katex sets the formulas of the text alone, not those that code puts out or that stand
in a summary; it cannot give symbols their colours, and its MathML gives some elements more children
than they may have.
"""

import re
import shutil
from html import unescape
from pathlib import Path

from bs4 import BeautifulSoup
from docutils import nodes
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.util.math import get_node_equation_number

from attn_course.views import palette

from .find import of_class
from .node import ask, package

_LETTER = f"[{''.join(palette.SYMBOLS)}]"
_SYMBOL = re.compile(
    rf"(?:(?<![\\\w])(?P<plain>{_LETTER})|\\over(?:left|right)arrow\{{(?P<under_arrow>{_LETTER})\}})"
    r"_(?:\w|\{[^{}]*\})(?!\w)"
)
_FORMULA = re.compile(r"\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
# a summary is raw HTML in Markdown: Jupyter sets its formulas, but no other Markdown
_IN_SUMMARY = re.compile(r"\$([^$]+)\$(?!\$)|\$\$([^$]+)\$\$")
_NO_PROSE = ("script", "style", "pre", "code", "svg", "textarea", "attn-formula")
_PLACE = re.compile(r'<attn-formula data-display="(true|false)">(.*?)</attn-formula>', re.DOTALL)
# a bracket before a formula and a mark behind it may not stand on another line
_BESIDE = re.compile(
    r'(\(?)(<span class="math[^>]*>)(<attn-formula data-display="false">[^<]*</attn-formula>)'
    r"</span>([.,;:?!)]*)"
)
_OLD_FONTS = re.compile(r',url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)')


def setup(app: Sphinx) -> None:
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))


def coloured(latex: str) -> str:
    """Give each symbol of the notation its colour: ``h_j`` is a source symbol everywhere."""

    def symbol(match: re.Match) -> str:
        role = palette.SYMBOLS[match["plain"] or match["under_arrow"]]
        return rf"\htmlClass{{attn-is-{role}}}{{{match[0]}}}"

    return _SYMBOL.sub(symbol, latex)


def place(latex: str, display: bool) -> Markup:
    """The placeholder of a formula."""
    value = "true" if display else "false"
    return Markup('<attn-formula data-display="{}">{}</attn-formula>').format(value, latex)


def fill(html: str, root: Path, page: str) -> str:
    """A page with its formulas set, each in one element with the marks beside it."""
    html = _BESIDE.sub(r"\2\1\3\4</span>", html)
    wanted = [*dict.fromkeys(match.groups() for match in _PLACE.finditer(html))]
    formulas = [(display == "true", unescape(latex)) for display, latex in wanted]
    formula_of = dict(zip(wanted, typeset(formulas, root, page), strict=True))
    return _PLACE.sub(lambda match: formula_of[match.groups()], html)


def typeset(formulas: list[tuple[bool, str]], root: Path, page: str) -> list[str]:
    """The HTML of formulas, each given with whether it is displayed."""
    if not formulas:
        return []
    inputs = [[display, coloured(latex), latex.strip()] for display, latex in formulas]
    request = {"katex": str(package(root, "katex")), "formulas": inputs}
    return ask(root, Path(__file__).with_name("katex.cjs"), request, f"a formula on {page} is none")


def visit_inline(translator, node: nodes.math) -> None:
    translator.body.append(translator.starttag(node, "span", "", CLASS="math"))
    translator.body.append(f"{place(node.astext(), display=False)}</span>")
    raise nodes.SkipNode


def visit_block(translator, node: nodes.math_block) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    if node["number"]:
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
        translator.add_permalink_ref(node, _("Link to this equation"))
        translator.body.append("</span>")
    translator.body.append(f"{place(node.astext(), display=True)}</div>\n")
    raise nodes.SkipNode


def copy_style(root: Path, target: Path) -> None:
    """Copy the style sheet, and the fonts in the format that current browsers read."""
    dist = package(root, "katex") / "dist"
    older = shutil.ignore_patterns("*.woff", "*.ttf")
    shutil.copytree(dist / "fonts", target / "fonts", ignore=older, dirs_exist_ok=True)
    style = (dist / "katex.min.css").read_text(encoding="utf-8")
    (target / "katex.min.css").write_text(_OLD_FONTS.sub("", style), encoding="utf-8")


def render_outputs(page: BeautifulSoup) -> None:
    r"""Find the formulas ``\( ... \)``, ``\[ ... \]`` in outputs and ``$ ... $`` in summaries."""
    put_out = of_class(page, "cell_output")
    summaries = page.article.find_all("summary") if page.article else []
    for parts, formula in ((put_out, _FORMULA), (summaries, _IN_SUMMARY)):
        for part in parts:
            for text in part.find_all(string=formula):
                if text.find_parent(_NO_PROSE) is None:
                    text.replace_with(BeautifulSoup(_set(text, formula), "html.parser"))


def _set(text: str, formula: re.Pattern) -> Markup:
    # the text between formulas is not markup, so it is escaped
    end, pieces = 0, []
    for match in formula.finditer(text):
        inline, display = match.groups()
        placed = place(inline or display, display is not None)
        pieces += [text[end : match.start()], placed]
        end = match.end()
    return Markup("").join([*pieces, text[end:]])
