"""The assignments as the systems that teachers have take them.

Each target is a function of all assignments and the secret seed, and returns the files of a folder
by their names. Marking is in none of them: they carry the course's package along, and what they
write calls `attn_course.grading`.
"""

from tools.coursework.targets import classroom50, github, gradescope, nbgrader, otter

TARGETS = {
    "classroom50": classroom50.files,
    "github": github.files,
    "gradescope": gradescope.files,
    "nbgrader": nbgrader.files,
    "otter": otter.files,
}
