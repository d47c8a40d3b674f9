"""What `make grade` hands to the grader."""

import subprocess
from pathlib import Path


def test_make_grade_leaves_the_place_of_the_results_to_the_grader():
    makefile = Path(__file__).parent.parent.parent / "Makefile"
    command = ["make", "-n", "-f", str(makefile), "grade", "SUBMISSIONS=a b/", "EXERCISES=x"]
    command += ["SEED_FILE=s", "VENV=/tmp", "READY="]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert 'attn_course.grading "a b/"  --seed-file "s"' in text
    text = subprocess.run([*command, "RESULTS=c d"], capture_output=True, text=True).stdout
    assert 'attn_course.grading "a b/" "c d" --seed-file "s"' in text
