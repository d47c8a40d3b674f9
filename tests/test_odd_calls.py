"""Odd values give a finite result or a message, with the shapes enforced and without."""

import os
import subprocess
import sys
from pathlib import Path

import odd_calls
import pytest

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent


def test_with_the_shapes_enforced(capsys):
    """Only some of the calls: the message for a wrong shape takes ten times as long as a call."""
    assert odd_calls.main(every=23), capsys.readouterr().out


def test_by_the_functions_own_checks_alone():
    run = subprocess.run(
        [sys.executable, HERE / "odd_calls.py"],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_public_function_is_called():
    called = {name for name, _, _ in odd_calls.usual_calls()}
    assert not list(odd_calls.missing(called))
