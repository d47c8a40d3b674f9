"""Nothing heavy comes unasked; `make lint` says what may import what. One process tells it all."""

import subprocess
import sys
from pathlib import Path

import attn_course

EXTRAS = ("babel", "num2words", "matplotlib", "IPython", "ipywidgets", "anywidget", "traitlets")
# all but `views`, and the tasks whose pairs come from other libraries
NAMES = [f"attn_course.{path.stem}" for path in Path(attn_course.__file__).parent.glob("[!_]*.py")]
NAMES += ["attn_course.models.translator", "attn_course.tasks.reversal"]
CODE = f"""
import importlib, sys
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
"""


def test_a_part_imports_no_more_than_it_needs():
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert not run.returncode, run.stderr
