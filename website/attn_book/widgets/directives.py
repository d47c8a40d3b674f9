"""The directive ``chapter-widget``: a widget of a chapter on a prose page.

    ```{chapter-widget} 05-reading-dates DateReader
    view: arcs
    ```

The prose page is not executed. `publish` inserts the state of the first ``DateReader`` that the
chapter shows, so both pages show what was measured in the same run. The lines between the fences
set traits to other values here; they are YAML.
"""

import json

import yaml
from docutils import nodes
from docutils.parsers.rst import Directive
from markupsafe import Markup
from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    app.add_directive("chapter-widget", ChapterWidget)


class ChapterWidget(Directive):
    required_arguments = 2
    has_content = True

    def run(self) -> list[nodes.Node]:
        chapter, widget = self.arguments
        traits = yaml.safe_load("\n".join(self.content)) or {}
        if not isinstance(traits, dict):
            raise self.error(f"traits are to be given as `name: value`; got {traits!r}")
        place = Markup(
            '<div data-chapter="chapters/{}" data-chapter-widget="{}" data-traits="{}"></div>'
        ).format(chapter, widget, json.dumps(traits))
        return [nodes.raw("", place, format="html")]
