"""Imports point only to lower layers, and never in a circle; nothing heavy comes unasked."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import attn_course
from apparatus.imports import FOLDERS, circle, imports

PACKAGE = Path(attn_course.__file__).parent
LAYERS = [
    {"_moved", "_values", "_check", "_rows", "_signature", "_sizes", "symbols", "packing"},
    {
        *("alignment", "masks", "weights", "context", "gradients", "self_attention"),
        *("memory", "crosstalk", "tasks"),
    },
    {"models", "model_file"},
    {
        "training",
        "progress",
        "search",
        "interventions",
        "patching",
        "measures",
        "claims",
        "experiments",
    },
    {"views"},
    {"classroom", "classroom.exercises"},
    {"classroom.grading"},
    {"capstone", "__main__"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def room(name):
    """The room of a module whose name below the package is given."""
    first, _, rest = name.partition(".")
    part = f"{first}.{rest.partition('.')[0]}"
    return part if part in LEVEL else first


def room_of(path):
    return room(".".join(path.relative_to(PACKAGE).with_suffix("").parts))


def imported(path):
    """The rooms of the package that a file imports from."""
    start = f"{PACKAGE.name}."
    return [room(name.removeprefix(start)) for name in imports(path) if name.startswith(start)]


def test_every_room_has_its_layer_and_every_layer_its_rooms():
    assert {room_of(path) for path in FILES} == set(LEVEL)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_downward(path):
    for name in imported(path):
        if name == "__version__":
            continue
        here = room_of(path)
        assert LEVEL[name] <= LEVEL[here], f"{here} must not import {name}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_modules_import_one_another_in_a_circle(folder):
    root = PACKAGE.parent
    if folder == "coursework" and not (root / folder).exists():
        pytest.skip("the assignments are kept elsewhere")
    assert any((root / folder).rglob("*.py"))
    assert not circle(root / folder, root / FOLDERS[folder])


def test_a_circle_is_found_inside_a_function_too(tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    (room / "__init__.py").touch()
    (room / "one.py").write_text("from room.two import thing\n", "utf-8")
    (room / "two.py").write_text("import room\n", "utf-8")
    assert not circle(room, tmp_path)
    (room / "two.py").write_text("def late():\n    from room import one\n", "utf-8")
    assert {*circle(room, tmp_path)} == {"room.one", "room.two"}


@pytest.mark.parametrize(
    "path", [path for path in FILES if room_of(path) == "views"], ids=lambda path: path.stem
)
def test_views_take_arrays_never_models(path):
    assert not {"models", "training", "search", "tasks"} & set(imported(path))


@pytest.mark.parametrize(
    "path", sorted((PACKAGE.parent / "benchmarks").glob("*.py")), ids=lambda path: path.stem
)
def test_benchmarks_take_nothing_from_the_tests(path):
    tests = {each.stem for each in (PACKAGE.parent / "tests").rglob("*.py")}
    roots = {name.partition(".")[0] for name in imports(path, "benchmarks")}
    assert not roots & (tests | {"tests"})
    assert not re.search(r'(ROOT|parents?(\[\d\])?|HERE) / "tests"', path.read_text("utf-8"))


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
