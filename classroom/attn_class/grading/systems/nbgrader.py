"""nbgrader, with its execution of notebooks replaced by the sandbox.

    c = get_config()                       # nbgrader_config.py
    nbgrader.configure(c, folder)

nbgrader runs a student's cells and then its tests in one kernel, where a student can replace what
the tests use. Here no cell is executed: `Grade` stands where nbgrader's Execute stood, asks for the
marks, and puts them into the cells of the tests as results, which nbgrader reads as partial credit.
The folder holds the hidden tests NAME/grader.py of each assignment, and the seed.
"""

from pathlib import Path

from nbformat import v4
from nbgrader.converters.autograde import Autograde
from nbgrader.converters.generate_assignment import GenerateAssignment
from nbgrader.preprocessors import ClearSolutions, Execute, NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import Unicode

from attn_class.grading import classroom
from attn_class.grading.secret import read_seed
from attn_class.grading.systems import handed


class Grade(NbGraderPreprocessor):
    """Gives each cell of tests the points of its function."""

    private = Unicode(help="the folder with the hidden tests and the seed").tag(config=True)

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        private = Path(self.private)
        record = classroom.record_of(
            about["student"],
            self._handed_in(about),
            [str(private / about["assignment"] / handed.GRADER)],
            read_seed(private / handed.SEED),
        )
        marks = {handed.function_of(mark): mark for mark in record["marks"]}
        for cell in nb.cells:
            if cell.cell_type == "code" and is_grade(cell) and not is_solution(cell):
                mark = marks.get(cell.metadata.nbgrader["grade_id"])
                cell.outputs = _outputs(mark, record["note"]) if mark else [_missing()]
        return nb, resources

    def _handed_in(self, about: dict) -> Path:
        """The notebook as it was handed in: nbgrader has changed its copy."""
        course = self.parent.parent.coursedir
        folder = course.format_path(
            course.submitted_directory, about["student"], about["assignment"]
        )
        return Path(folder) / f"{about['notebook']}.ipynb"


def _outputs(mark: dict, note: str) -> list:
    """Feedback as text, and the points as the cell's value."""
    text = "\n".join(filter(None, (note, handed.feedback(mark))))
    return [
        v4.new_output("stream", name="stdout", text=text + "\n"),
        v4.new_output("execute_result", data={"text/plain": str(mark["points"])}),
    ]


def _missing():
    """An error, for which nbgrader gives no points."""
    text = "there is no hidden test for this cell"
    return v4.new_output("error", ename="NotGraded", evalue=text, traceback=[text])


def configure(c, private: Path) -> None:
    """What nbgrader_config.py has to say. The notebooks to hand out hold their stubs already."""
    c.Grade.private = str(private)
    c.GenerateAssignment.preprocessors = [
        one for one in _default(GenerateAssignment, "preprocessors") if one is not ClearSolutions
    ]
    c.Autograde.autograde_preprocessors = [
        Grade if one is Execute else one for one in _default(Autograde, "autograde_preprocessors")
    ]


def _default(converter: type, name: str) -> list:
    return converter.class_traits()[name].default()
