"""What does not fit is refused: by every function, and by a widget also when it is set later.

A file of tests names in ``REFUSED``, by what is called, the arguments that are refused, as a
dictionary or in their order, and the words of the error, with its type between them where that is
not a ValueError. Under None stand whole calls.
"""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from traitlets import TraitError

FILES = [
    path.stem
    for path in sorted(Path(__file__).parent.glob("test_*.py"))
    if "\nREFUSED = {" in path.read_text("utf-8")
]
CASES = [
    pytest.param(call, what, *(error or [ValueError]), words, id=f"{name}-{number}")
    for name in FILES
    for call, rows in import_module(name).REFUSED.items()
    for number, (what, *error, words) in enumerate(rows)
]


@pytest.mark.parametrize(("call", "what", "error", "words"), CASES)
def test_what_does_not_fit_is_refused(call, what, error, words):
    options = what if isinstance(what, dict) else {}
    inputs = () if options or not call else what
    with pytest.raises(error, match=words):
        (call or what)(*inputs, **options)


LATER = [
    case
    for case in CASES
    if case.id.startswith("test_widget")
    if isinstance(case.values[1], dict) and len(case.values[1]) == 1
]


@pytest.mark.parametrize(("build", "change", "error", "words"), LATER)
def test_what_is_refused_later_leaves_a_widget_as_it_was(build, change, error, words):
    [(name, value)], widget = change.items(), build()
    if name not in widget._trait_validators:
        return  # no trait that a page or a kernel may set
    before = getattr(widget, name)
    with pytest.raises((error, TraitError), match=f"{words}|'{name}' trait"):
        setattr(widget, name, value.tolist() if isinstance(value, np.ndarray) else value)
    assert getattr(widget, name) == before
