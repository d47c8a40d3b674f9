"""What does not fit is refused by every widget: when it is made, and when it is set later.

The test file of a widget names in ``REFUSED``, by what makes one, the arguments that are
refused and the words of the error, with its type between them where that is not a ValueError.
"""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from traitlets import TraitError

FILES = [
    path
    for path in sorted(Path(__file__).parent.glob("test_widget*.py"))
    if "\nREFUSED = {" in path.read_text("utf-8")
]
CASES = [
    pytest.param(build, changes, *(error or [ValueError]), words, id=f"{file.stem}-{[*changes]}")
    for file in FILES
    for build, rows in import_module(file.stem).REFUSED.items()
    for changes, *error, words in rows
]


@pytest.mark.parametrize(("build", "changes", "error", "words"), CASES)
def test_what_does_not_fit_is_refused_also_later_where_what_was_there_stays(
    build, changes, error, words
):
    with pytest.raises(error, match=words):
        build(**changes)
    [(name, value), *others], widget = changes.items(), build()
    if others or name not in widget._trait_validators:
        return  # no trait that a page or a kernel may set
    before = getattr(widget, name)
    with pytest.raises((error, TraitError), match=f"{words}|'{name}' trait"):
        setattr(widget, name, value.tolist() if isinstance(value, np.ndarray) else value)
    assert getattr(widget, name) == before
