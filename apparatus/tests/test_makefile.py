"""What the Makefile runs is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "Makefile").read_text("utf-8")
ROOMS = ("", "laboratory", "classroom", "command", "website")
RUN = set(re.findall(r"(?:\(RUN\)|python3\)|-m) (?:-m )?((?:attn_|apparatus)[\w.]*)", TEXT))


@pytest.mark.parametrize("name", sorted(RUN))
def test_a_module_that_a_recipe_runs_does_something_when_it_is_run(name):
    path = Path(*name.split("."))
    files = [ROOT / room / file for room in ROOMS for file in (path / "__main__.py", path)]
    (found,) = (file for each in files if (file := each.with_suffix(".py")).is_file())
    assert 'if __name__ == "__main__":' in found.read_text("utf-8")
