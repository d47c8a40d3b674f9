"""Imports point only to lower layers; nothing heavy is imported before it is asked for."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import attn_course

PACKAGE = Path(attn_course.__file__).parent
LAYERS = [
    {"_values", "_check", "symbols", "packing"},
    {
        *("alignment", "masks", "weights", "context", "gradients", "self_attention"),
        *("memory", "crosstalk", "tasks"),
    },
    {"models"},
    {"training", "progress", "search", "interventions", "measures", "claims", "experiments"},
    {"palette", "plots", "canvas_pictures", "diagrams", "source", "widgets"},
    {"exercises"},
    {"grading"},
    {"capstone", "__main__"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")
VIEWS = {"palette", "plots", "canvas_pictures", "diagrams", "source", "widgets"}


def room(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path):
    """The parts of the package that a file imports, wherever the import is."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: write imports out in full"
            names = [node.module]
            if node.module == "attn_course":
                names = [f"attn_course.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("attn_course."):
                yield name.split(".")[1]


def test_every_room_has_its_layer_and_every_layer_its_rooms():
    assert {room(path) for path in FILES} == set(LEVEL)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_downward(path):
    for name in imported(path):
        if name == "__version__":
            continue
        here = room(path)
        assert LEVEL[name] <= LEVEL[here], f"{here} must not import {name}"


@pytest.mark.parametrize(
    "path", [path for path in FILES if room(path) in VIEWS], ids=lambda path: path.stem
)
def test_views_take_arrays_never_models(path):
    assert not {"models", "training", "search", "tasks"} & set(imported(path))


def test_importing_the_package_is_light():
    code = (
        "import sys, attn_course; heavy = {'torch', 'matplotlib', 'babel', 'anywidget'}; "
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_equations_need_no_plotting_library():
    code = (
        "import sys; from attn_course import alignment, context, masks, training, search; "
        "heavy = {'matplotlib', 'anywidget', 'babel'} & set(sys.modules); "
        "sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
