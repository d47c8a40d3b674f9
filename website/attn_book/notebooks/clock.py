"""Timings are shown but not searched, since they differ in every run of a chapter.

Sphinx puts the words of all outputs into the search index. The lines that report a training end
with its seconds, for which nobody searches.
"""

from docutils import nodes
from sphinx.application import Sphinx

MARK = "attn-progress"  # the class that `attn_course.progress` gives to its lines


class Unsearched(nodes.Element):
    """HTML that the search index skips, because neither it nor its children contain text."""


def setup(app: Sphinx) -> None:
    app.add_node(Unsearched, html=(visit, None))
    app.connect("doctree-resolved", hide)


def hide(app: Sphinx, doctree: nodes.document, name: str) -> None:
    for output in [*doctree.findall(nodes.raw)]:
        if MARK in output.astext():
            output.replace_self(Unsearched(html=output.astext()))


def visit(translator, node: Unsearched) -> None:
    translator.body.append(node["html"])
    raise nodes.SkipNode
