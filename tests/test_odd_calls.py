"""Odd values give a finite result or a message, with the shapes enforced and without."""

import os
import subprocess
import sys
from pathlib import Path

import odd_calls
import pytest
from sweeps import examples

from attn_course._values import Count

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent


def test_with_the_shapes_enforced(capsys):
    """Only some of the calls: the message for a wrong shape takes ten times as long as a call."""
    assert odd_calls.main(every=examples(23, 61), enforced=True), capsys.readouterr().out


def test_by_the_functions_own_checks_alone():
    run = subprocess.run(
        [sys.executable, HERE / "odd_calls.py", str(examples(1, 19))],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_public_function_is_called_and_every_whole_number_tried():
    """So that `odd_calls.of_another_type` sees them all: a bool is none, and one of NumPy's is."""
    for name, function, arguments in odd_calls.usual_calls():
        for each in odd_calls.parameters_of(function):
            if each.annotation in (int, "int", Count) or each.default is each.empty:
                assert each.name in arguments, name
