"""The assignments as `make coursework` makes them, each once, and what a student hands in."""

import functools
import json

from attn_class.assignments.__main__ import SOURCES, products
from attn_class.grading import variants
from specimens.coursework.tried import findings, hidden_tests, lost

SEED = "a seed for demonstration only"  # by which the solutions are ada's own
OWN, BOBS = (variants.own(name, SEED) for name in ("ada", "bob"))


@functools.cache
def made(name):
    return products(SOURCES / name / "assignment.py", name)


def code_of(notebook):
    """The text of each cell of code."""
    cells = json.loads(notebook)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def solved(name, *parts):
    """The names that are bound by those cells of the solution that have one of these texts."""
    names = {}
    for text in code_of(made(name)["private/solved.ipynb"]):
        if any(part in text for part in parts):
            exec(text, names)
    return names


def marks(name, function, handed_in, own=OWN, seed=3):
    """The points, and which properties were lost."""
    results = findings(hidden_tests(name)[function], lambda: handed_in, own, seed)
    return sum(one.property.points for one in results if one.holds), lost(results)


TWICE = '''# %% [markdown]
# # Twice
#
# ## Part 1: twice (3 points)


# %%
def double(x):
    """Twice x."""
    ### BEGIN SOLUTION
    return 2 * x
    ### STUB
    # raise NotImplementedError
    ### END SOLUTION


# %%
### BEGIN HIDDEN TESTS
from attn_class.exercises.frame import Exercise, Size

LENGTH = Size(2, 19)
_double = Exercise("double(x)")


@_double.must("It is twice x.", hint="Times two.", points=3)
def is_twice(answer, draw):
    x = draw.normal(LENGTH)
    return answer.gives(x + x, x=x)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 1: why (3 points)
# Why?
#
# ### BEGIN SOLUTION
# Because of SOLVED.
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 2 points: a reason
# - 1 point: a good one
# ### END RUBRIC
'''
