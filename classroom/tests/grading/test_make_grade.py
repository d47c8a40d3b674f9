"""What `make grade` hands to the grader."""

import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[3] / "Makefile"
COLUMNS = "name=First name,Last name; id=2"


@pytest.mark.skipif(not MAKEFILE.exists(), reason="the sdist has no Makefile")
@pytest.mark.parametrize(
    ("more", "handed", "not_handed"),
    [
        (["UNISOLATED=0"], 'attn_class.grading "a b/"  --seed-file "s"', "--unisolated"),
        (["UNISOLATED="], "--exercises x", "--unisolated"),
        (["UNISOLATED=1"], "--unisolated", "--roster"),
        (["RESULTS=c d"], 'attn_class.grading "a b/" "c d" --seed-file "s"', "--roster"),
        (["ROSTER=r", f"ROSTER_COLUMNS={COLUMNS}"], f'--roster-columns "{COLUMNS}"', "--late"),
    ],
)
def test_make_grade_hands_on_what_is_given_and_nothing_else(more, handed, not_handed):
    command = ["make", "-n", "-f", str(MAKEFILE), "grade", "SUBMISSIONS=a b/", "EXERCISES=x"]
    command += ["SEED_FILE=s", "VENV=/tmp", "READY=", *more]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert handed in text
    assert not_handed not in text
