"""Nothing heavy comes unasked; `make lint` says what may import what."""

import subprocess
import sys

HEAVY = "heavy = {'matplotlib', 'babel', 'anywidget'} & {*sys.modules}; assert not heavy, heavy"
CODE = f"""
import sys, attn_course
assert "torch" not in sys.modules
{HEAVY}
from attn_course import alignment, context, masks, training, search
{HEAVY}
"""


def test_the_package_imports_nothing_heavy_and_equations_no_plotting_library():
    subprocess.run([sys.executable, "-c", CODE], check=True)
