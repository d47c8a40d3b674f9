"""Odd values give a finite result or a message, with the shapes enforced and without."""

import odd_calls
import pytest
from sweeps import examples

from attn_course._values import Count

pytestmark = pytest.mark.slow


def test_with_the_shapes_enforced(capsys):
    """Only some of the calls: the message for a wrong shape takes ten times as long as a call."""
    assert odd_calls.main(every=examples(23, 61)), capsys.readouterr().out


@pytest.mark.usefixtures("shapes_unchecked")
def test_by_the_functions_own_checks_alone(capsys):
    assert odd_calls.main(every=examples(1, 19)), capsys.readouterr().out


def test_every_public_function_is_called_and_every_whole_number_tried():
    """So that `test_signature` sees them all: a bool is none, and one of NumPy's is."""
    for name, function, arguments in odd_calls.usual_calls():
        for parameter in odd_calls.parameters_of(function):
            if parameter.annotation in (int, "int", Count) or parameter.default is parameter.empty:
                assert parameter.name in arguments, name
