"""The directive ``chapter-widget``: a widget of a chapter on a prose page.

    ```{chapter-widget} 05-reading-dates DateReader
    ```

The prose page is not executed. `publish` inserts the state of the first ``DateReader`` that the
chapter shows, so both pages show what was measured in the same run.
"""

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    app.add_directive("chapter-widget", ChapterWidget)


class ChapterWidget(Directive):
    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        chapter, widget = self.arguments
        place = f'<div data-chapter="chapters/{chapter}" data-chapter-widget="{widget}"></div>'
        return [nodes.raw("", place, format="html")]
