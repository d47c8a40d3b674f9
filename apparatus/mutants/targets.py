"""Which files are changed, and which tests must notice it."""

from pathlib import Path

PACKAGE = Path("attn_course")
LAYERS = (  # equations and tasks, models, what trains and measures them
    "_values _check _signature _sizes alignment masks weights context gradients self_attention"
    " memory interventions crosstalk tasks",
    "models patching",
    "training progress search measures claims",
)
# A module's own test, tests/test_<module>.py, is always included
GUARDS = {
    "_check": ("encoder", "equations_oracle", "bad_input"),
    "_padded": ("encoder", "pointer"),
    "alignment": ("equations_oracle", "bahdanau", "bad_input"),
    "masks": ("equations_oracle", "bad_input"),
    "weights": ("equations_oracle", "bad_input"),
    "context": ("equations_oracle", "bad_input"),
    "gradients": ("equations_oracle", "bad_input"),
    "_sizes": ("equations_oracle", "translator"),
    "corpus": ("bad_input",),
    "numbers": ("bad_input",),
    "pieced": ("names", "numbers", "date_order"),
    "date_characters": ("date_noise", "dates"),
    "date_patterns": ("dates", "date_everyday"),
    "date_noise": ("dates", "date_everyday"),
    "dates": ("date_everyday",),
    "translator": ("fixed_context", "luong", "input_feeding", "transformer"),
    "transformer": ("translator",),
    "transformer_blocks": ("transformer", "translator"),
    "one_sequence": ("transformer", "translator"),
    "_modules": ("transformer", "ensemble", "search"),
    "decoder": ("bahdanau", "fixed_context", "translator", "bad_input"),
    "bahdanau": ("fixed_context", "translator", "bad_input"),
    "encoder": ("fixed_context", "translator", "bad_input"),
    "fixed_context": ("translator",),
    "luong": ("translator",),
    "patching": ("language_model",),
    "measures": ("bad_input",),
    "search": ("beam", "bad_input"),
    "progress": ("training", "training_progress"),
}
CHECKS = ("signature", "odd_calls")  # the functions' own checks
SCRIPTS = ("mixing", "score_functions", "weighing")  # they compute; most others draw
SCRIPT_TESTS = ("widget_sums",)


def targets(root: Path) -> dict[str, Path]:
    """Each file to be changed, relative to ``root``, by its name in the table."""
    found = {}
    for room in " ".join(LAYERS).split():
        inside = sorted((root / PACKAGE / room).rglob("*.py"))
        for path in inside or [root / PACKAGE / f"{room}.py"]:
            if path.exists() and path.stem != "__init__":
                found[_name(path, root)] = path.relative_to(root)
    for script in SCRIPTS:
        for path in (root / PACKAGE / "views" / "widgets").rglob(f"{script}.js"):
            found[_name(path, root)] = path.relative_to(root)
    return found


def guards_of(path: Path, root: Path) -> list[str]:
    """The test files for one file, its own first."""
    names = (path.stem.lstrip("_"), *GUARDS.get(path.stem, ()), *CHECKS)
    if path.suffix == ".js":
        names = SCRIPT_TESTS
    paths = [Path("tests", f"test_{name}.py") for name in names]
    tests = [str(test) for test in paths if (root / test).exists()]
    if not tests:
        raise ValueError(f"no test for {path}: expected one of {', '.join(map(str, paths))}")
    return tests


def _name(path: Path, root: Path) -> str:
    inside = path.relative_to(root / PACKAGE)
    return inside.as_posix() if path.suffix == ".js" else inside.with_suffix("").as_posix()
