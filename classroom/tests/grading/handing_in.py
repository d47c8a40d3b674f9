"""A notebook that was handed in, and the grader of a small assignment."""

import nbformat

GRADER = """
from attn_class.exercises.frame import Exercise

exercise = Exercise("answer(x)")


@exercise.must("It is x.", hint="Return x.", points=6)
def is_x(answer, draw):
    x = draw.normal(3)
    return answer.gives(x, x=x)
"""


def write_notebook(path, code="def answer(x):\n    return x", texts=()):
    """A notebook with the code after the first two texts, in a folder that may not be there yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = [nbformat.v4.new_markdown_cell(text) for text in texts]
    cells.insert(2, nbformat.v4.new_code_cell(code))
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
