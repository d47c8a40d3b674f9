"""What `make grade` hands to the grader."""

import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[3] / "Makefile"


@pytest.mark.skipif(not MAKEFILE.exists(), reason="the sdist has no Makefile")
def test_make_grade_leaves_the_place_of_the_results_to_the_grader():
    command = ["make", "-n", "-f", str(MAKEFILE), "grade", "SUBMISSIONS=a b/", "EXERCISES=x"]
    command += ["SEED_FILE=s", "VENV=/tmp", "READY="]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert 'attn_class.grading "a b/"  --seed-file "s"' in text
    command += ["ROSTER=r", "ROSTER_COLUMNS=name=First name,Last name; id=2"]
    text = subprocess.run([*command, "RESULTS=c d"], capture_output=True, text=True).stdout
    assert 'attn_class.grading "a b/" "c d" --seed-file "s"' in text
    assert '--roster-columns "name=First name,Last name; id=2"' in text
