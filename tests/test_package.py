"""What a reader meets first: Tab, help, and the code in the readme."""

import inspect
import re
from pathlib import Path

import pytest

import attn_course
from attn_course.alignment import AdditiveScore


def test_a_module_comes_when_it_is_asked_for():
    assert attn_course.alignment.AdditiveScore is AdditiveScore
    with pytest.raises(AttributeError, match="'attn_course' has no attribute 'alignments'"):
        _ = attn_course.alignments


def test_the_code_in_the_readme_runs_and_is_that_of_the_docstring(capsys):
    readme = Path(__file__).parents[1] / "README.md"
    (code,) = re.findall(r"^```python\n(.*?)^```", readme.read_text("utf-8"), re.M | re.S)
    assert "".join(code.split()) in "".join(attn_course.__doc__.split())
    exec(code, {"__name__": "readme"})
    said = capsys.readouterr().out.splitlines()[-1]
    assert code.endswith(f"# {said}\n")


def test_help_shows_ranges_in_words():
    assert "query_size: typing.Annotated[int, 1 or more]" in str(inspect.signature(AdditiveScore))
