"""What is handed in, graded and read again: notebooks, a small assignment, answers in a sandbox."""

import contextlib
import csv
import io

import nbformat
import pytest

from attn_class.grading.__main__ import main
from attn_class.grading.remote import Remote
from attn_class.grading.sandbox import Sandbox, isolation

SECRET = "a secret of sixteen letters"
needs_walls = pytest.mark.skipif(bool(isolation()), reason=f"no bubblewrap: {isolation()}")
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


def rows_of(text):
    """The lines of a table, by the names of its columns."""
    return list(csv.DictReader(io.StringIO(text)))


class Run:
    """`make grade` in a folder that has a seed, a grader and these files."""

    def __init__(self, folder, exercises="grader.py:answer", **files):
        self.folder, self.results = folder, folder / "marks"
        self.exercises = f"{folder}/{exercises}"
        for name, text in {"seed": SECRET, "grader.py": GRADER, **files}.items():
            (folder / name).write_text(text, "utf-8")

    def __call__(self, submissions="in", results="marks", *options):
        """The exit status of a run with these options."""
        self.results = self.folder / results
        places = {path.name: str(path) for path in self.folder.iterdir()}
        run = ["--seed-file", "seed", "--exercises", self.exercises, "--at-once", "1", *options]
        run = [places.get(option, option) for option in run]
        return main([str(self.folder / submissions), str(self.results), *run])

    def table(self, name):
        return rows_of((self.results / name).read_text("utf-8"))


@contextlib.contextmanager
def opened(box, cells, name, **options):
    """A function of these cells in a sandbox, until it is no longer needed."""
    remote = Remote(box, list(cells), name, **options)
    try:
        remote.open()
        yield remote
    finally:
        remote.close()


def said_of(outcome):
    """What was returned, or what is said of the error."""
    return outcome.returned if outcome.problem is None else outcome.problem.text


def sandboxes(limits, *cells):
    """A fixture of a sandbox, with walls and without, where these cells are expected."""

    @pytest.fixture(scope="module", params=[True, False], ids=["walls", "plain"])
    def box(request):
        if request.param and isolation():
            pytest.skip(f"no bubblewrap: {isolation()}")
        with Sandbox(limits, isolated=request.param) as box:
            box.start(cells)
            yield box

    return box
