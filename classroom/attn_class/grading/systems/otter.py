"""Otter, with its execution of notebooks replaced by the sandbox: a plugin.

    plugins:
      - attn_class.grading.systems.otter.Marks: {private: private}

Otter runs a student's cells and then its tests in one kernel, where a student can replace what the
tests use, or never come to an end. This plugin hands Otter a notebook without cells, so that the
tests, which stand for the hidden ones, all fail, and then gives each question the points of
`make grade`. The hidden tests and the seed travel in the plugin's own configuration.
"""

import os
import tempfile
from pathlib import Path

from otter.plugins import AbstractOtterPlugin

from attn_class.grading import classroom
from attn_class.grading.secret import read_seed
from attn_class.grading.systems import gradescope, handed

NAME = "attn_class.grading.systems.otter.Marks"


class Marks(AbstractOtterPlugin):
    """The marks of `make grade` as those of Otter's questions."""

    def during_generate(self, otter_config, assignment):
        """Take what is private out of its folder into the configuration of the autograder."""
        root = Path() if assignment is None else Path(assignment.master).parent
        for plugin in otter_config["plugins"]:
            if isinstance(plugin, dict) and NAME in plugin:
                private = root / plugin[NAME]["private"]
                plugin[NAME] = {
                    "grader": (private / handed.GRADER).read_text("utf-8"),
                    "seed": read_seed(private / handed.SEED),
                }

    def before_grading(self, config):
        """In a container everything runs as root, and answers as nobody: shut the doors."""
        root = Path(config.autograder_dir)
        for folder in (root / "source", root / "results"):
            if not config.otter_run and os.getuid() == 0 and folder.is_dir():
                gradescope.close(folder)

    def before_execution(self, submission):
        """Grade what was handed in, and leave Otter nothing to execute."""
        path = Path(self.submission_path)
        student = handed.student_of(self.submission_metadata, path.stem)
        with tempfile.TemporaryDirectory() as folder:
            grader = Path(folder) / handed.GRADER
            grader.write_text(self.plugin_config["grader"], encoding="utf-8")
            self._record = classroom.record_of(
                student, path, [str(grader)], self.plugin_config["seed"]
            )
        submission.cells = []
        return submission

    def after_grading(self, results):
        """Questions are called as their functions are."""
        for mark in self._record["marks"]:
            question = handed.function_of(mark)
            results.update_score(question, mark["points"])
            for one in results.get_result(question).test_case_results:
                one.passed = mark["points"] == mark["maximum"]
                one.message = handed.feedback(mark)
        results.set_output("\n".join(handed.remarks(self._record)))
