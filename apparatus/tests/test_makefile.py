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
    ends = (".py", "/__main__.py")
    (file,) = filter(Path.is_file, (ROOT / room / f"{path}{end}" for room in ROOMS for end in ends))
    assert 'if __name__ == "__main__":' in file.read_text("utf-8")
