"""The pages of all students in one zip, by the names under which Moodle and Canvas take them back.

Moodle's *Upload multiple feedback files in a zip* and Canvas's *Upload Submissions* know a student
by the name that they gave to the submission. Where a submission has another name, its page is
called as the class list says: by Moodle's number, or by Canvas's ID.
"""

import zipfile
from pathlib import Path

from attn_class.grading.names import downloaded
from attn_class.grading.report import owners, page_name
from attn_class.grading.roster import Roster, Sorted, Student

PAGE = "marks.html"


def pack(results: Path, assigned: Sorted, roster: Roster) -> Path:
    """Write ``feedback.zip`` beside the pages of ``report.write``, whole or not at all."""
    path, draft = results / "feedback.zip", results / "feedback.zip.draft"
    draft.unlink(missing_ok=True)
    with (
        open(draft, "wb", opener=owners) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        for student in roster.students:
            if record := assigned.by_student.get(student.name):
                place = results / "students" / page_name(record["student"])
                packed.write(place, _name(record["student"], student, roster.kind))
    draft.replace(path)
    return path


def _name(handed_in: str, student: Student, kind: str) -> str:
    if downloaded(handed_in):  # a folder of Moodle's, or a file of either
        return f"{handed_in}/{PAGE}" if handed_in.endswith("_") else f"{handed_in}.html"
    if kind == "Moodle":
        number = student.number or next(iter(student.ids), student.name)
        return f"{student.name}_{number}_assignsubmission_file_/{PAGE}"
    return f"{next(iter(student.ids), student.name)}.html"
