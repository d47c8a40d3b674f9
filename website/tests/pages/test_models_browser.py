"""One model has one colour and one kind of line: in a widget those that it has in a figure."""

import pytest
from test_widget_bottleneck_explorer_browser import explorer

from attn_course.views import palette
from attn_course.views.widgets.drawn_prediction import Axis, DrawnPrediction

WIDTH = 2.5  # of a line in a widget
LOOK = """(line) => {
  const { stroke, strokeDasharray, strokeWidth } = getComputedStyle(line);
  return [stroke, strokeDasharray, strokeWidth];
}"""
COLOUR = """(role) => {
  const one = document.body.appendChild(document.createElement("p"));
  one.style.color = `var(--attn-${role})`;
  return getComputedStyle(one).color;
}"""


def drawn():
    guess = DrawnPrediction("How many?", Axis("letters", (1, 2)), Axis("right", (0, 9)))
    guess.reveal({name: [[1.0, 2], [3, 4]] for name in palette.MODELS})
    guess.guess, guess.committed = [5.0, 6.0], True
    return guess


# a widget, and where the line of each model is in it
WIDGETS = {
    "drawn": (
        drawn,
        {"attention": "polyline.attn-of-attention", "one vector": "polyline.attn-of-one-vector"},
    ),
    "explorer": (
        explorer,
        {
            "attention": ".attn-plot path.attn-curve.attn-attending:not(.attn-far)",
            "one vector": ".attn-plot path.attn-curve.attn-fixed:not(.attn-far)",
        },
    ),
}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", WIDGETS)
def test_a_model_looks_in_a_widget_as_in_a_figure(show, kind, theme):
    make, lines = WIDGETS[kind]
    page = show(make(), theme=theme)
    for model in lines:
        role, dashes = palette.MODELS[model]
        dashed = ", ".join(f"{round(WIDTH * dash)}px" for dash in dashes) or "none"
        look = page.locator(lines[model]).first.evaluate(LOOK)
        assert look == [page.evaluate(COLOUR, role), dashed, f"{WIDTH}px"]
