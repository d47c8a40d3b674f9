"""The assignments in the forms that teachers' systems take.

Each target is a function of all assignments and the secret seed, and returns the files of a folder
by their names. None of them marks anything itself: the files include the course's package, and what
they start calls `attn_class.grading`.
"""

from attn_class.assignments.targets import classroom50, github, gradescope, nbgrader, otter

TARGETS = {
    "classroom50": classroom50.files,
    "github": github.files,
    "gradescope": gradescope.files,
    "nbgrader": nbgrader.files,
    "otter": otter.files,
}
